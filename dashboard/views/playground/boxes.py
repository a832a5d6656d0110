"""The text boxes of the playground, which send their text and update the address while one types.

Streamlit's text box sends its text when it loses the focus, and setting the address from the server adds a step to the
browser's history for every pause in typing. So these are components of our own, and the browser replaces the address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import urlencode

import streamlit as st

from dashboard import url_state
from dashboard.components.messages import plain
from dashboard.views.playground.texts import (
    LONGEST_NAME,
    MOST_OUTPUTS,
    MOST_REFERENCES,
    PlaygroundTexts,
    add_corrected,
    add_output,
    add_reference,
    keep,
    remove_output,
    remove_reference,
    rename_output,
)
from gec_core.models.corrector import WEAK, WEAK_TAGGER, has_tagger

DELAY = 80
"""Milliseconds after the last key stroke until the text is sent."""
MOST_CHARACTERS = 4000

_HTML = """<div class="head"><label for="box"></label><button type="button">Remove</button></div>
<textarea id="box" rows="1" dir="auto" spellcheck="false" autocomplete="off"></textarea>"""

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
export default function ({ parentElement, data, setStateValue }) {
  const box = parentElement.querySelector("textarea");
  const label = parentElement.querySelector("label");
  if (box.dataset.removed === String(data.version)) return;
  for (const each of parentElement.querySelectorAll("label, button, textarea")) each.style.display = "";
  label.textContent = data.label;
  const remove = parentElement.querySelector("button");
  remove.hidden = !data.removable;
  remove.setAttribute("aria-label", `Remove ${data.label}`);
  remove.onclick = () => {
    // At once: Streamlit shows it until the end of the run, and nobody must type into it or find it by its name.
    // A state, not a trigger, which is lost if the run that is to see it gives way to the next one.
    box.dataset.removed = String(data.version);
    label.textContent = "";
    for (const each of [label, remove, box]) each.style.display = "none";
    setStateValue("removed", { version: data.version });
  };
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
_ADDRESS_JS = """
export default function ({ data }) {
  if (!data.query) return;
  const embedding = location.search.slice(1).split("&").filter((part) => part.startsWith("embed"));
  const query = [...embedding, data.query].join("&");
  if (query !== location.search.slice(1)) history.replaceState(history.state, "", `?${query}${location.hash}`);
}
"""

_address = st.components.v2.component("gec_lens_address", html="", js=_ADDRESS_JS)


def boxes(texts: PlaygroundTexts) -> PlaygroundTexts:
    """Draw the text boxes and return the texts in them.

    A box is keyed by what it holds, not by its place: when another one is removed, the browser moves it as it is, with
    what is being typed into it. Keyed by place, a box took the name of the next one while that was still shown.
    """

    def box(label: str, content: str, key: str, placeholder: str, *, removable: bool = False) -> Typed:
        text = Text(content, texts.version)
        return text_box(label, text, key=f"play-{key}", placeholder=placeholder, removable=removable)

    source = box("Source", texts.source, "source", "The sentence as the learner wrote it .")
    several = len(texts.outputs) > 1, len(texts.references) > 1
    outputs = [
        box(name, text, f"output-{place}", "The sentence as a system corrects it .", removable=several[0])
        for (name, text), place in zip(texts.outputs, texts.output_boxes, strict=False)
    ]
    references = [
        box(
            f"Reference {number}",
            text,
            f"reference-{place}",
            "The sentence as an annotator corrects it .",
            removable=several[1],
        )
        for number, (text, place) in enumerate(zip(texts.references, texts.reference_boxes, strict=False), 1)
    ]
    found = replace(
        texts,
        source=source.text,
        outputs=tuple((name, box.text) for (name, _), box in zip(texts.outputs, outputs, strict=True)),
        references=tuple(box.text for box in references),
    )
    keep(found)
    _add_or_remove(found, [box.removed for box in outputs], [box.removed for box in references])
    replace_address(url_state.typed_query())
    if not found.fit_an_address:
        st.caption(
            "These texts are too long for an address. There is no link to them, and reloading the page loses them."
        )
    return found


def _add_or_remove(texts: PlaygroundTexts, outputs: Sequence[bool], references: Sequence[bool]) -> None:
    """Draw buttons that add a box, and the link; the flags say which boxes to remove."""
    with st.container(horizontal=True):
        if st.button("Add an output", icon=":material/add:", disabled=len(outputs) >= MOST_OUTPUTS):
            add_output(texts)
            st.rerun()
        if st.button(
            "Correct it for me", icon=":material/auto_fix_high:", disabled=not texts.source.strip(), help=WEAK
        ):
            add_corrected(texts)
            st.rerun()
        if has_tagger() and st.button(
            "Correct it with the tagger",
            icon=":material/auto_fix_high:",
            disabled=not texts.source.strip(),
            help=WEAK_TAGGER,
        ):
            add_corrected(texts, "tagger")
            st.rerun()
        if st.button("Add a reference", icon=":material/add:", disabled=len(references) >= MOST_REFERENCES):
            add_reference(texts)
            st.rerun()
        if texts.fit_an_address:
            with st.popover("Link", icon=":material/link:", help="An address that opens these texts."):
                st.code(f"{_base()}?{urlencode(_link(texts), doseq=True)}", language=None, wrap_lines=True)
        _names(texts)
    if any(outputs):
        remove_output(texts, outputs.index(True))
        st.rerun()
    if any(references):
        remove_reference(texts, references.index(True))
        st.rerun()


def _link(texts: PlaygroundTexts) -> dict[str, list[str]]:
    """The address that reopens texts, names, metrics, view and step."""
    here = {name: url_state.current(name) for name in ("view", "metric", "part")}
    named = {"name": [name for name, _ in texts.outputs]}
    return url_state.link({"preset": [texts.preset]} | here | texts.address | named)


def _names(texts: PlaygroundTexts) -> None:
    """Let the visitor name the outputs."""
    with st.popover("Names", icon=":material/label:", help="Name the outputs, for example after their systems."):
        for place, (name, _) in enumerate(texts.outputs):
            given = st.text_input(
                name, name, max_chars=LONGEST_NAME, key=f"play-name-{texts.output_boxes[place]}-{name}"
            )
            if given != name:
                if problem := rename_output(texts, place, given.strip()):
                    st.error(plain(problem))
                else:
                    st.rerun()


def _base() -> str:
    return str(st.context.url or "").split("?", 1)[0]


@dataclass(frozen=True, slots=True)
class Text:
    """A text in a box. Whatever sets the text, except typing, raises the version."""

    content: str
    version: int


class Typed(NamedTuple):
    """The text in a box, and whether the box is to be removed."""

    text: str
    removed: bool


def text_box(label: str, text: Text, *, key: str, placeholder: str = "", removable: bool = False) -> Typed:
    """Draw a box and return the text in it."""
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
    return Typed(content, (found.get("removed") or {}).get("version") == text.version)


def _ignore() -> None:
    """A callback that does nothing: components report only values that have one."""


def replace_address(query: str) -> None:
    """Have the browser replace the query of the address; an empty one leaves it as it is."""
    _address(key="address", data={"query": query}, height=0)
