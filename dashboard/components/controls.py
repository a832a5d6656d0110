"""Controls that several pages share: choices in the address, and buttons to go forward and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeVar

import streamlit as st

from dashboard import url_state

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
