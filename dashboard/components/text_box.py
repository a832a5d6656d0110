"""A text box that reports while one types, and can be taken away. Streamlit's own reports when one leaves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

DELAY = 80
"""Milliseconds without a key stroke after which the text is sent."""
MOST_CHARACTERS = 4000

_HTML = """<div class="head"><label for="box"></label><button type="button">Remove</button></div>
<textarea id="box" rows="1" spellcheck="false" autocomplete="off"></textarea>"""

_CSS = """
.head { display: flex; justify-content: space-between; gap: 1rem; margin-bottom: 0.25rem; }
label, button { font: 400 0.875rem var(--st-font); color: var(--st-text-color); }
button { padding: 0 0.25rem; background: none; border: none; border-radius: var(--st-base-radius); cursor: pointer;
  text-decoration: underline; text-underline-offset: 0.2em; opacity: 0.78; }
button:hover, button:focus-visible { opacity: 1; color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); }
button[hidden] { display: none; }
textarea { display: block; box-sizing: border-box; width: 100%; resize: none; overflow: hidden;
  padding: 0.5rem 0.75rem; font: 400 1rem/1.5 var(--st-font); color: var(--st-text-color);
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius); }
textarea:focus { outline: 2px solid var(--st-primary-color); outline-offset: -1px; }
textarea::placeholder { color: inherit; opacity: 0.6; }
"""

_JS = """
export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const box = parentElement.querySelector("textarea");
  parentElement.querySelector("label").textContent = data.label;
  const remove = parentElement.querySelector("button");
  remove.hidden = !data.removable;
  remove.setAttribute("aria-label", `Remove ${data.label}`);
  remove.onclick = () => setTriggerValue("removed", true);
  remove.onkeydown = (event) => event.stopPropagation();
  box.placeholder = data.placeholder;
  box.maxLength = data.most;
  // What Python sends is older than what is being typed, unless it set the text itself.
  if (box.dataset.version !== String(data.version)) {
    box.value = data.text;
    box.dataset.version = String(data.version);
  }
  const grow = () => { box.style.height = "auto"; box.style.height = `${box.scrollHeight + 2}px`; };
  const send = () => {
    clearTimeout(box.waiting);
    box.waiting = undefined;
    setStateValue("typed", { version: data.version, text: box.value });
  };
  box.oninput = () => { grow(); clearTimeout(box.waiting); box.waiting = setTimeout(send, data.delay); };
  box.onblur = () => { if (box.waiting !== undefined) send(); };
  box.onkeydown = (event) => event.stopPropagation();  // the page's shortcuts are not for someone who types
  grow();
  const watch = new ResizeObserver(grow);
  watch.observe(parentElement.host ?? parentElement);
  return () => watch.disconnect();
}
"""

_box = st.components.v2.component("gec_lens_text_box", html=_HTML, css=_CSS, js=_JS)


@dataclass(frozen=True, slots=True)
class Text:
    """A text in a box. The version is raised whenever something other than typing sets the text."""

    content: str
    version: int


class Typed(NamedTuple):
    """What stands in a box, and whether it is to be taken away."""

    text: str
    removed: bool


def text_box(label: str, text: Text, *, key: str, placeholder: str = "", removable: bool = False) -> Typed:
    """Draw the box, and give what stands in it."""
    data = {
        "label": label,
        "text": text.content,
        "version": text.version,
        "placeholder": placeholder,
        "delay": DELAY,
        "most": MOST_CHARACTERS,
        "removable": removable,
    }
    found = _box(key=key, data=data, on_typed_change=_ignore, on_removed_change=_ignore)
    typed = found.get("typed") or {}
    content = str(typed["text"])[:MOST_CHARACTERS] if typed.get("version") == text.version else text.content
    return Typed(content, bool(found.get("removed")))


def _ignore() -> None:
    """A component reports only what has a callback."""
