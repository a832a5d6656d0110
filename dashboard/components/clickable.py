"""A block of HTML in which things can be clicked: Streamlit's own HTML reports no clicks, and links would reload."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from dashboard import session

_JS = """
export default function ({ parentElement, data, setTriggerValue }) {
  const block = parentElement.querySelector(".lens-clickable");
  if (block.shown !== data.html) {
    const focused = block.contains(document.activeElement) ? document.activeElement.dataset.pick : undefined;
    block.innerHTML = data.html;
    block.shown = data.html;
    if (focused) block.querySelector(`[data-pick="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
  const picked = (event) => {
    const hit = event.target.closest("[data-pick]");
    if (hit && block.contains(hit)) { event.preventDefault(); setTriggerValue("pick", hit.dataset.pick); }
  };
  block.onclick = picked;
  block.onkeydown = (event) => {
    event.stopPropagation();  // the page's shortcuts are not for someone who walks through a table
    if (event.key === "Enter" && event.target.tagName !== "BUTTON") picked(event);
  };
}
"""
_block = st.components.v2.component(
    "gec_lens_clickable", html='<div class="lens-clickable"></div>', js=_JS, isolate_styles=False
)


def clickable(html: str, *, key: str, on_pick: Callable[[str], None]) -> None:
    """Draw HTML whose elements with `data-pick` can be clicked or entered.

    Args:
        html: The HTML, in which all texts are escaped.
        key: The key of the block.
        on_pick: Called with the value of `data-pick` before the page is drawn again.
    """
    _block(key=key, data={"html": html}, on_pick_change=lambda: on_pick(session.picked(key)))


def pick(value: str) -> str:
    """Return the attribute that makes an element clickable."""
    return f'data-pick="{escape(value, quote=True)}"'
