"""What one visit keeps besides choices: what the visitor brought along, and what is made of files just dropped.

Streamlit forgets it when the visitor leaves or reloads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

from dashboard.belongings import Belongings
from gec_core.errors import GecLensError

_OWN = "_own"
_DROPPED = "_dropped"
"""How many times dropped files were dealt with: a new number empties the place to drop them."""
_PROBLEM = "_problem"
_ONCE = "_once-"
Value = TypeVar("Value")


def own() -> Belongings:
    """What this visitor brought along. Change it in callbacks only: later, part of the page is drawn already."""
    if _OWN not in st.session_state:
        st.session_state[_OWN] = Belongings()
    belongings: Belongings = st.session_state[_OWN]
    return belongings


def drop_key(name: str) -> str:
    """The key of a place to drop files, which is empty again once `attempt` has dealt with them."""
    return f"_drop-{name}-{st.session_state.get(_DROPPED, 0)}"


def attempt(act: Callable[[], None]) -> None:
    """Callback: do something with what was dropped; what speaks against it is told when the page is drawn."""
    try:
        act()
        st.session_state[_DROPPED] = st.session_state.get(_DROPPED, 0) + 1
        for name in [name for name in st.session_state if str(name).startswith(_ONCE)]:
            del st.session_state[name]
    except GecLensError as problem:
        st.session_state[_PROBLEM] = str(problem)


def problem() -> str:
    """What the last callback could not do; told once."""
    text: str = st.session_state.pop(_PROBLEM, "")
    return text


def once(name: str, key: Hashable, make: Callable[[], Value]) -> Value:
    """A value that this visitor's page makes anew only when `key` changes; one is kept a name."""
    known = st.session_state.get(_ONCE + name)
    if known is None or known[0] != key:
        known = (key, make())
        st.session_state[_ONCE + name] = known
    value: Value = known[1]
    return value
