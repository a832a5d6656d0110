"""Controls that several pages share: choices in the address, folded sections, steps, clickable HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Literal, TypeVar

import streamlit as st

from dashboard import session, url_state

Option = TypeVar("Option", bound=str)


def choose_one(
    label: str, name: str, titles: Mapping[Option, str], default: Option, *, help: str | None = None
) -> Option:
    """Draw a segmented control and return the choice, which stands in the address.

    Args:
        label: What is chosen.
        name: The name of the choice in the address.
        titles: The options with their titles.
        default: The option to start with.
        help: The tooltip.
    """
    return _segments(label, name, titles, default, help, "visible")


def choose_view(titles: Mapping[str, str], default: str) -> str:
    """Draw the views of a page side by side and return the one that is open."""
    return _segments("View", "view", titles, default, None, "collapsed")


def _segments(
    label: str,
    name: str,
    titles: Mapping[Option, str],
    default: Option,
    help: str | None,
    visibility: Literal["visible", "collapsed"],
) -> Option:
    options = list(titles)
    chosen = st.segmented_control(
        label,
        options,
        format_func=titles.__getitem__,
        key=url_state.choice(name, options, default),
        required=True,
        help=help,
        label_visibility=visibility,
    )
    return default if chosen is None else chosen


@st.fragment
def folded(title: str, draw: Callable[[], object], *, key: str) -> None:
    """Draw a section that is folded at first; what it shows is computed and sent when it is opened."""
    section = st.expander(title, key=f"section-{key}", on_change="rerun")
    if section.open:
        with section:
            draw()


def step_button(
    label: Literal["Previous", "Next"],
    go: Callable[..., None],
    *to: object,
    enabled: bool = True,
    shortcut: bool = True,
) -> None:
    """Draw a button that goes forward or back.

    Args:
        label: The direction.
        go: The callback.
        to: The arguments of the callback.
        enabled: Whether there is something to go to.
        shortcut: Whether the arrow keys do the same.
    """
    arrow = "left" if label == "Previous" else "right"
    st.button(
        label,
        on_click=go,
        args=to,
        disabled=not enabled,
        shortcut=arrow if shortcut else None,
        icon=f":material/chevron_{arrow}:",
    )


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

    Streamlit's own HTML reports no clicks, and links would reload the page.

    Args:
        html: The HTML, in which all texts are escaped.
        key: The key of the block.
        on_pick: Called with the value of `data-pick` before the page is drawn again.
    """
    _block(key=key, data={"html": html}, on_pick_change=lambda: on_pick(session.picked(key)))


def pick(value: str) -> str:
    """Return the attribute that makes an element clickable."""
    return f'data-pick="{escape(value, quote=True)}"'
