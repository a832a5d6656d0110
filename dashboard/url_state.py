"""The address in the browser: every view has one that reopens it, `?corpus=…&human=…&metrics=…`.

The address is read when this session did not write it: on a first visit, after a link, after back or forward. An
address that was written and replaced a moment ago is not read either: the browser sends it with a click made before it
heard of the new one, and reading it would undo what was chosen meanwhile. The address is written once at the end of
every run in which the page or a choice changed, so that each change is one step in the browser's history. An address
that was read is left as it is: rewriting it would add a step, and the back button would never get past it. Typing adds
no steps: the browser itself replaces the address (`typed_query`).

A widget whose choice belongs in the address takes its key from `choice`, `multi_choice`, `number` or `number_range`,
called just before the widget.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from time import monotonic
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard import cache, session
from dashboard.session import AGGREGATE, CORPUS, HUMAN, JUDGMENTS, LEFT_OUT, METRICS, SENTENCES
from gec_core.errors import GecLensError

Option = TypeVar("Option", bound=str)
_UPLOADED = "mine"
"""The part of the address that names uploaded systems."""
_NO_METRIC = "none"
_SENTENCE, _NUMBER = "sentence", "_sentence_number"
_DIGITS = 9
_READING = "_reading"
"""Whether this run takes its choices from the address."""
_CARRIED = "_carried"
"""Parts of the link to this page that its address keeps."""
_PAGE_CHOICES = "_page_choices"
"""The names of the choices of the open page."""
_WHOLE_PAGE = "_whole_page"
"""Whether the whole page is being drawn, not only a fragment of it."""
_WRITTEN = "_written"
"""The addresses that the browser may have: the last one, and those that it was told to replace a moment ago."""
_MEANWHILE = 30.0
"""Seconds within which the browser may still send an address that was replaced."""
_LAST = "_last"
"""The page and the choices of the last run."""
_MISREAD = "_misread"
"""What the address asks for and the page does not have: names of choices with values."""
_UNKNOWN = "_unknown"
"""What the address names and this visitor does not have, in words."""


def begin() -> None:
    """Start a run: read the address, unless it is the one that the last run wrote."""
    asked = _address()
    st.session_state[_PAGE_CHOICES] = []
    st.session_state[_MISREAD] = []
    st.session_state[_READING] = bool(asked) and not _is_ours(asked)
    st.session_state[_WHOLE_PAGE] = True
    if not _reading():
        return
    st.session_state[_WRITTEN] = [_Written(asked, _page(), monotonic())]
    whole = CORPUS in asked  # then what the address does not name is as at first; else it stays as it is
    named = [name for name in (JUDGMENTS, HUMAN, AGGREGATE, SENTENCES, METRICS, LEFT_OUT) if whole or name in asked]
    if not named:
        return
    st.session_state[CORPUS] = asked[CORPUS][0] if whole else st.session_state.get(CORPUS, cache.corpus_names()[0])
    for name in named:
        values = asked.get(name)
        st.session_state[name] = values if name in (METRICS, LEFT_OUT) else values[0] if values else ""
    known = st.session_state[CORPUS] in (*cache.corpus_names(), *session.uploads().corpora)
    systems = session.corpus().systems if known else {}
    st.session_state[LEFT_OUT] = [name for name in st.session_state.get(LEFT_OUT) or [] if name in systems]
    st.session_state[_UNKNOWN] = _name_unknown(asked) if known else ""


def is_reading() -> bool:
    """Whether this run takes its choices from the address."""
    return _reading()


def write(page: str) -> None:
    """End a run: put what is chosen into the address, now that this page is drawn."""
    st.session_state[_WHOLE_PAGE] = False
    try:
        address = _chosen()
    except (GecLensError, KeyError):
        return  # the corpus cannot be read, and the page says so
    before, then = st.session_state.get(_LAST, (page, address))
    if not _reading() and (before, then.get(CORPUS)) != (page, address.get(CORPUS)):
        st.session_state.pop(_UNKNOWN, None)
    if not _reading() and st.session_state.get(_LAST) != (page, address):
        st.query_params.from_dict(address)
        _remember(_address())
    st.session_state[_LAST] = (page, address)


def typed_query() -> str:
    """Return the query that the browser is to show while one types; empty when the run itself will write it."""
    if st.session_state.get(_WHOLE_PAGE, True):
        return ""
    _remember(_chosen())
    return urlencode(_chosen(), doseq=True)


def unknown() -> str:
    """Say what the address names and this visitor cannot see; empty if there is nothing."""
    text: str = st.session_state.get(_UNKNOWN, "")
    return text


def misread() -> str:
    """Say which choices of the address that was read do not exist; empty if there are none."""
    if not _reading():
        return ""
    for name in (HUMAN, JUDGMENTS, AGGREGATE, LEFT_OUT):
        taken = st.session_state.get(name) or ()
        for value in st.query_params.get_all(name):
            _compare(name, value, value in ([taken] if isinstance(taken, str) else taken))
    told = ", ".join(f"{name}={value[:40]}" for name, value in st.session_state[_MISREAD])
    return f"This page does not have what its address asks for ({told}), and shows something else." if told else ""


def _compare(name: str, asked: str | None, taken: bool) -> None:
    """Remember a part of the address that was not taken."""
    if _reading() and asked and not taken:
        st.session_state[_MISREAD].append((name, asked))


def link(parts: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the query of a link to a page with these choices, under the present selection."""
    return {name: values for name, values in (_selection() | dict(parts)).items() if values}


def choice(name: str, options: Sequence[str], default: str, aliases: Mapping[str, str] | None = None) -> str:
    """Return the key of a widget with one choice.

    Args:
        name: The name of the choice in the address.
        options: What can be chosen.
        default: The option to start with, also used when the address names something else.
        aliases: Names that stand for an option.
    """
    asked = st.query_params.get(name)
    if asked is not None and (_reading() or name not in st.session_state):
        st.session_state[name] = asked
    chosen = st.session_state.get(name, default)
    chosen = (aliases or {}).get(chosen, chosen)
    _compare(name, asked, chosen in options)
    st.session_state[name] = chosen if chosen in options else default
    st.session_state[_PAGE_CHOICES].append(name)
    return name


def undrawn_choice(name: str, options: Sequence[Option], default: Option) -> Option:
    """Return the choice of a widget that is not drawn now; it stays in the address."""
    chosen: Option = st.session_state[choice(name, options, default)]
    return chosen


def multi_choice(name: str, options: Sequence[str], default: Sequence[str] = ()) -> str:
    """Return the key of a widget with several choices: at first, or where none is left, those of `default`."""
    if _reading() or name not in st.session_state:
        st.session_state[name] = st.query_params.get_all(name)
    for each in st.query_params.get_all(name):
        _compare(name, each, each in options)
    st.session_state[name] = [each for each in st.session_state[name] if each in options] or list(default)
    st.session_state[_PAGE_CHOICES].append(name)
    return name


def number(name: str, last: int, *, first: int = 0, default: int | None = None) -> str:
    """Return the key of a whole number from `first` to `last`, at first `default` or else `first`."""
    asked = read_number(st.query_params.get(name, ""))
    if asked is not None and (_reading() or name not in st.session_state):
        st.session_state[name] = asked
    start = first if default is None else default
    st.session_state[name] = min(max(int(st.session_state.get(name, start)), first), last)
    _compare(name, st.query_params.get(name), asked == st.session_state[name])
    st.session_state[_PAGE_CHOICES].append(name)
    return name


def number_range(name: str, last: int) -> str:
    """Return the key of a slider with two ends within 0 and `last`; the address names it unless it is all of them."""
    asked = read_range(st.query_params.get(name, ""))
    if asked is not None and (_reading() or name not in st.session_state):
        st.session_state[name] = asked
    low, high = st.session_state.get(name, (0, last))
    st.session_state[name] = (min(low, last), min(max(high, low), last))
    _compare(name, st.query_params.get(name), asked == st.session_state[name])
    if st.session_state[name] != (0, last):
        st.session_state[_PAGE_CHOICES].append(name)
    return name


def fragment_choice(name: str, options: Sequence[str]) -> str:
    """Return the key of a widget in a fragment, whose page puts the choice into the address with `choice`."""
    if st.session_state.get(name) not in options:
        st.session_state[name] = options[0]
    return name


def put(parts: Mapping[str, Sequence[str]]) -> None:
    """Put values that no widget holds into the address, by name; empty ones are left out."""
    for name, values in parts.items():
        st.session_state[name] = list(values)
        if name not in st.session_state[_PAGE_CHOICES]:
            st.session_state[_PAGE_CHOICES].append(name)


def current(name: str) -> list[str]:
    """Return what is chosen under that name by now, before its widget is drawn; empty if nothing is."""
    if _reading() or name not in st.session_state:
        return st.query_params.get_all(name)
    chosen = st.session_state[name]
    return list(chosen) if isinstance(chosen, list) else [str(chosen)] if chosen != "" else []


def value(key: str) -> int:
    """Return the number with that key."""
    return int(st.session_state[key])


def set_choice(name: str, to: int | str) -> None:
    """Callback: choose something."""
    st.session_state[name] = to


def asked(name: str) -> list[str]:
    """Return what a link says under that name, in the run in which it is opened."""
    return st.query_params.get_all(name) if _reading() else []


def present(name: str) -> str:
    """Return what the address says under that name, in any run; empty if nothing."""
    return st.query_params.get(name, "")


def remove(names: Sequence[str]) -> None:
    """Callback: take these parts out of the address."""
    for name in names:
        st.session_state.pop(name, None)
        st.query_params.pop(name, None)


def carried(names: Sequence[str]) -> dict[str, list[str]]:
    """Return what the link to this page says under these names; it stays in the address as it is."""
    if _reading():
        st.session_state[_CARRIED] = {name: st.query_params.get_all(name) for name in names if name in st.query_params}
    st.session_state[_PAGE_CHOICES].append(_CARRIED)
    found: dict[str, list[str]] = st.session_state.setdefault(_CARRIED, {})
    return found


def drop_carried() -> None:
    """Callback: forget what the link to this page said."""
    st.session_state[_CARRIED] = {}


def sentence() -> str:
    """Return the key of the index of the sentence that the page shows; the address counts from 0."""
    return number(_SENTENCE, len(session.corpus()) - 1)


def sentence_is_chosen() -> bool:
    """Whether the address or the visitor has named a sentence."""
    return _SENTENCE in st.session_state or _SENTENCE in st.query_params


def sentence_number() -> str:
    """Return the key of a number input that counts sentences from 1; `go_to_number` is its callback."""
    st.session_state[_NUMBER] = st.session_state[_SENTENCE] + 1
    return _NUMBER


def go_to_number() -> None:
    """Callback: show the sentence whose number was entered."""
    go_to_sentence(st.session_state[_NUMBER] - 1)


def chosen_sentence() -> tuple[int, str, str]:
    """Return the sentence that the page shows, and the systems of the outputs it compares, as far as chosen by now."""
    asked = [st.query_params.get(name, "") if _reading() else None for name in ("system", "against")]
    system, against = (
        st.session_state.get(name, "") if value is None else value
        for name, value in zip(("system", "against"), asked, strict=True)
    )
    return st.session_state[_SENTENCE], system, against


def go_to_sentence(index: int, system: str = "", against: str = "") -> None:
    """Callback: show another sentence, and compare these outputs if they are given."""
    st.session_state[_SENTENCE] = min(max(index, 0), len(session.corpus()) - 1)
    if system:
        st.session_state["system"], st.session_state["against"] = system, against


def read_number(text: str) -> int | None:
    """Read a number from an address; None if it is none, or longer than any number that a page offers."""
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def read_range(text: str) -> tuple[int, int] | None:
    """Read a range such as 5-20 from an address."""
    low, _, high = text.partition("-")
    ends = read_number(low), read_number(high)
    return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])


class _Written(NamedTuple):
    """An address that this session wrote, for which page and when."""

    address: dict[str, list[str]]
    page: str
    time: float


def _remember(address: dict[str, list[str]]) -> None:
    """Note an address that the browser is told to show."""
    known: list[_Written] = st.session_state.setdefault(_WRITTEN, [])
    now = monotonic()
    # An address may still come until a while after the next one was written.
    recent = [each for each, then in pairwise(known) if now - then.time < _MEANWHILE]
    st.session_state[_WRITTEN] = [*recent, *known[-1:], _Written(address, _page(), now)]


def _is_ours(asked: dict[str, list[str]]) -> bool:
    """Whether the browser shows what this session wrote, or did so before it heard of something newer."""
    known: list[_Written] = st.session_state.get(_WRITTEN, [])
    if known and asked == known[-1].address:
        return True
    context = get_script_run_ctx()
    if context is None or context.is_history_navigation:
        return False
    now = monotonic()
    return any((asked, _page()) == each[:2] and now - then.time < _MEANWHILE for each, then in pairwise(known))


def _page() -> str:
    context = get_script_run_ctx()
    return context.page_script_hash if context else ""


def _reading() -> bool:
    """Whether this run takes its choices from the address."""
    found: bool = st.session_state[_READING]
    return found


def _address() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}


def _chosen() -> dict[str, list[str]]:
    """The address of the selection and of the page's choices."""
    parts = _selection()
    for name in st.session_state[_PAGE_CHOICES]:
        if name in st.session_state:
            parts |= _parts(name, st.session_state[name])
    return {name: values for name, values in parts.items() if values}


def _selection() -> dict[str, list[str]]:
    """The parts of the address that all pages share; metrics only where they are not the default."""
    human, metrics = session.human(), session.metrics()
    chosen, sets = session.corpus().chosen_set, session.corpus().judgment_sets
    return {
        CORPUS: [st.session_state[CORPUS]],
        JUDGMENTS: [chosen] if chosen and len(sets) > 1 and chosen != next(iter(sets)) else [],
        HUMAN: [human] if human else [],
        METRICS: (metrics or [_NO_METRIC]) if metrics != session.default_metrics() else [],
        AGGREGATE: [session.aggregate()] if session.aggregate() != "usual" else [],
        SENTENCES: [session.sentences()] if session.corpus().lines is not None else [],
        LEFT_OUT: session.left_out(),
        _UPLOADED: list(session.uploaded_systems()),
    }


def _parts(name: str, value: Any) -> dict[str, list[str]]:
    """A choice as it is written into the address."""
    if name == _CARRIED:
        return dict(value)
    if isinstance(value, list):
        return {name: value}
    if isinstance(value, tuple):
        return {name: ["-".join(map(str, value))]}
    return {name: [str(value)] if value != "" else []}


def _name_unknown(asked: Mapping[str, list[str]]) -> str:
    systems = [name for name in asked.get(_UPLOADED, []) if name not in session.corpus().systems]
    every, here, why = cache.all_metrics(), session.known_metrics(), session.unavailable_metrics()
    metrics = [id for id in asked.get(METRICS, []) if id not in {*every, *session.uploads().imported, _NO_METRIC}]
    lacking = [every[id].title for id in asked.get(METRICS, []) if id in every and id not in here]
    named = {"the systems" if len(systems) > 1 else "the system": systems, "scores called": metrics}
    parts = [f"{what} {', '.join(names)}" for what, names in named.items() if names]
    told = [f"This address asks for {title}, which is not available here. {why[title]}" for title in lacking]
    if parts:
        told.append(
            f"This address refers to {' and '.join(parts)}, uploaded by another visitor. Only they can see their "
            "uploads. To see this view, upload the same files on the page My system."
        )
    return " ".join(told)
