"""The choices of a page: keys of widgets whose values stand in the address, too, and what pages keep beside them.

Call one of these just before the widget that takes its key. `state` begins and ends the run: it says whether the
address is to be read, and writes what was chosen into it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

_ADOPTED = "_adopted"
"""Whether this run takes its choices from the address."""
_PASSED_ON = "_passed_on"
"""What the link to this page said and its address keeps."""
_OF_PAGE = "_of_page"
"""The choices of the page that is open."""
_DIGITS = 9
_WHOLE = "_whole"
"""Whether the whole page is being drawn, not only a fragment of it."""
Value = TypeVar("Value")


def begin(*, adopted: bool) -> None:
    """A run begins; `adopted` says whether choices are those of the address, rather than those of the run before."""
    st.session_state[_OF_PAGE] = []
    st.session_state[_ADOPTED] = adopted
    st.session_state[_WHOLE] = True


def end() -> None:
    """The run is over; what follows are fragments, until the next one begins."""
    st.session_state[_WHOLE] = False


def in_fragment() -> bool:
    """Whether only a fragment of the page is being drawn: such runs neither read nor write the address."""
    return not st.session_state.get(_WHOLE, True)


def adopted() -> bool:
    """Whether this run takes its choices from the address."""
    found: bool = st.session_state[_ADOPTED]
    return found


def in_address() -> dict[str, list[str]]:
    """What this run chose, as it stands in the address."""
    chosen: dict[str, list[str]] = {}
    for name in st.session_state[_OF_PAGE]:
        if name in st.session_state:
            chosen |= _parts(name, st.session_state[name])
    return chosen


def of_page(name: str, options: Sequence[str], default: str, same: Mapping[str, str] | None = None) -> str:
    """The key of a widget of a page whose choice stands in the address, too; call it just before the widget.

    `same` says which option stands for names that are none.
    """
    asked = st.query_params.get(name)
    if asked is not None and (adopted() or name not in st.session_state):
        st.session_state[name] = asked
    chosen = st.session_state.get(name, default)
    chosen = (same or {}).get(chosen, chosen)
    st.session_state[name] = chosen if chosen in options else default
    st.session_state[_OF_PAGE].append(name)
    return name


def several(name: str, options: Sequence[str]) -> str:
    """The key of a widget in which several can be chosen, and which stands in the address; call it just before."""
    if adopted() or name not in st.session_state:
        st.session_state[name] = st.query_params.get_all(name)
    st.session_state[name] = [each for each in st.session_state[name] if each in options]
    st.session_state[_OF_PAGE].append(name)
    return name


def number(name: str, last: int, *, first: int = 0) -> str:
    """The key of a number up to `last` that stands in the address, too; call it just before what uses it."""
    asked = whole_number(st.query_params.get(name, ""))
    if asked is not None and (adopted() or name not in st.session_state):
        st.session_state[name] = asked
    st.session_state[name] = min(max(int(st.session_state.get(name, first)), first), last)
    st.session_state[_OF_PAGE].append(name)
    return name


def span(name: str, last: int) -> str:
    """The key of a slider from one number to another, from 0 to `last`; in the address unless it is all of it."""
    asked = two_numbers(st.query_params.get(name, ""))
    if asked is not None and (adopted() or name not in st.session_state):
        st.session_state[name] = asked
    low_end, high_end = st.session_state.get(name, (0, last))
    st.session_state[name] = (min(low_end, last), min(max(high_end, low_end), last))
    if st.session_state[name] != (0, last):
        st.session_state[_OF_PAGE].append(name)
    return name


def passed_on(names: Sequence[str]) -> dict[str, list[str]]:
    """What a link to this page says under these names; it stays in the address as it is."""
    if adopted():
        st.session_state[_PASSED_ON] = {
            name: st.query_params.get_all(name) for name in names if name in st.query_params
        }
    st.session_state[_OF_PAGE].append(_PASSED_ON)
    found: dict[str, list[str]] = st.session_state.setdefault(_PASSED_ON, {})
    return found


def pass_on_nothing() -> None:
    """Callback: forget what the link said."""
    st.session_state[_PASSED_ON] = {}


def within(name: str, options: Sequence[str]) -> str:
    """The key of a widget in a fragment, for a choice that its page puts into the address with `of_page`."""
    if st.session_state.get(name) not in options:
        st.session_state[name] = options[0]
    return name


def put(parts: Mapping[str, Sequence[str]]) -> None:
    """What no widget holds and is to stand in the address, too, by name; what is empty does not."""
    for name, values in parts.items():
        st.session_state[name] = list(values)
        if name not in st.session_state[_OF_PAGE]:
            st.session_state[_OF_PAGE].append(name)


def value(key: str) -> int:
    """The number of that key."""
    return int(st.session_state[key])


def go(name: str, to: int | str) -> None:
    """Callback: set the choice of that name."""
    st.session_state[name] = to


def asked(name: str) -> list[str]:
    """What a link gives under that name, in the run in which it is opened."""
    return st.query_params.get_all(name) if adopted() else []


def kept(name: str, default: Value) -> Value:
    """What a page keeps for this visitor under that name, besides what its widgets hold."""
    value: Value = st.session_state.get(f"_kept_{name}", default)
    return value


def keep(name: str, value: object) -> None:
    """Keep it, until the visitor leaves."""
    st.session_state[f"_kept_{name}"] = value


def whole_number(text: str) -> int | None:
    """A number in an address; None if it is none, or so long that it was never chosen on a page."""
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def two_numbers(text: str) -> tuple[int, int] | None:
    """A span in an address, as in 5-20."""
    low, _, high = text.partition("-")
    ends = whole_number(low), whole_number(high)
    return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])


def _parts(name: str, value: Any) -> dict[str, list[str]]:
    """A choice of a page as it stands in the address."""
    if name == _PASSED_ON:
        return dict(value)
    if isinstance(value, list):
        return {name: value}
    if isinstance(value, tuple):
        return {name: ["-".join(map(str, value))]}
    return {name: [str(value)] if value != "" else []}
