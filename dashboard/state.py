"""What is selected. The only user of the address in the browser and, beside visit.py, of session state.

Everything that makes a view is in the address, so that an address reopens it: `?corpus=…&human=…&metrics=…`.
The address is read when it is not what this session wrote last (a first visit, a link, back and forward), and
written once at the end of every run in which the page or a choice changed, so that each is one step back. An
address that was read is left as it stands: writing it anew would be a step forward, and nobody got back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from dashboard import services
from dashboard.components.messages import plain
from dashboard.components.metric_card import FAMILIES
from dashboard.visit import own
from gec_core.errors import GecLensError
from gec_core.metrics.base import Metric
from gec_core.types import Corpus

_CORPUS, _HUMAN, _METRICS, _WITHOUT, _MINE = "corpus", "human", "metrics", "without", "mine"
USUAL = ("m2", "sentm2", "errant", "imeasure", "gleu", "bleu", "green", "scribendi", "ptm2")
_NO_METRIC = "none"
_SENTENCE = "sentence"
ERRORS_OF, ERROR_TYPE = "errors_of", "type"
"""The cell of the table of error types that is looked into."""
_WRITTEN = "_written"
"""The address as the last run left it."""
_LAST = "_last"
"""The page and the choices of the last run."""
_ADOPTED = "_adopted"
"""Whether this run took its choices from the address."""
_PASSED_ON = "_passed_on"
"""What the link to this page said and its address keeps."""
_CLICKED = "_clicked"
"""The point of a figure that was clicked."""
_OF_PAGE = "_of_page"
"""The choices of the page that is open."""
_STRANGE = "_strange"
"""What the address names and this visitor does not have, in words."""
Value = TypeVar("Value")


def sidebar() -> None:
    """The choices that hold for all pages."""
    st.session_state[_OF_PAGE] = []
    _read_address()
    if strange := st.session_state.get(_STRANGE):
        st.info(strange, icon=":material/visibility_off:")
    with st.sidebar:
        _choose_corpus()
        _choose_human()
        _choose_metrics()
        st.multiselect(
            "Leave out",
            list(corpus().systems),
            key=_WITHOUT,
            placeholder="no system",
            help="Metrics and people are compared without these systems. People's scores are those from all judgments.",
        )
        if notice := corpus().info.notice:
            st.caption(plain(notice))


def corpus() -> Corpus:
    """The corpus that all pages are about, with the systems that the visitor added."""
    return own().complete(corpus_as_it_came())


def corpus_as_it_came() -> Corpus:
    """The same corpus without systems that the visitor added."""
    name = st.session_state[_CORPUS]
    return own().corpora.get(name) or services.load_corpus(name)


def own_systems() -> tuple[str, ...]:
    """The systems that the visitor added to this corpus."""
    return own().added(corpus().name)


def known_metrics() -> dict[str, Metric]:
    """The metrics that there are for this corpus, by id; imported ones last."""
    return services.metrics_for(corpus()) | own().metrics_for(corpus())


def human() -> str | None:
    """The name of the human ranking to compare with; None if the corpus allows none."""
    name: str | None = st.session_state.get(_HUMAN)
    return name


def metrics() -> list[str]:
    """The ids of the chosen metrics, in the order of the lists."""
    chosen = st.session_state[_METRICS]
    return [id for id in known_metrics() if id in chosen]


def without() -> list[str]:
    """Systems to leave out."""
    left_out: list[str] = st.session_state[_WITHOUT]
    return left_out


def leave_out_clicked(figure: str) -> None:
    """Callback of a figure whose points are systems: leave out the one that was clicked, or take it back in."""
    clicked = [point["customdata"] for point in st.session_state[figure].selection.points if "customdata" in point]
    for system in (one[0] if isinstance(one, list) else one for one in clicked):
        left_out = st.session_state[_WITHOUT]
        st.session_state[_WITHOUT] = (
            [name for name in left_out if name != system] if system in left_out else [*left_out, system]
        )


def choose_error_type(figure: str) -> None:
    """Callback of the table of error types: look into the cell that was clicked."""
    for point in st.session_state[figure].selection.points:
        if "customdata" in point:
            st.session_state[ERROR_TYPE], st.session_state[ERRORS_OF] = point["customdata"][:2]


def of_page(name: str, options: Sequence[str], default: str, same: Mapping[str, str] | None = None) -> str:
    """The key of a widget of a page whose choice stands in the address, too; call it just before the widget.

    `same` says which option stands for names that are none.
    """
    asked = st.query_params.get(name)
    if asked is not None and (st.session_state[_ADOPTED] or name not in st.session_state):
        st.session_state[name] = asked
    chosen = st.session_state.get(name, default)
    chosen = (same or {}).get(chosen, chosen)
    st.session_state[name] = chosen if chosen in options else default
    st.session_state[_OF_PAGE].append(name)
    return name


def several(name: str, options: Sequence[str]) -> str:
    """The key of a widget in which several can be chosen, and which stands in the address; call it just before."""
    if st.session_state[_ADOPTED] or name not in st.session_state:
        st.session_state[name] = st.query_params.get_all(name)
    st.session_state[name] = [each for each in st.session_state[name] if each in options]
    st.session_state[_OF_PAGE].append(name)
    return name


def number(name: str, last: int, *, first: int = 0) -> str:
    """The key of a number up to `last` that stands in the address, too; call it just before what uses it."""
    asked = st.query_params.get(name, "")
    if asked.isdecimal() and (st.session_state[_ADOPTED] or name not in st.session_state):
        st.session_state[name] = int(asked)
    st.session_state[name] = min(max(int(st.session_state.get(name, first)), first), last)
    st.session_state[_OF_PAGE].append(name)
    return name


def span(name: str, last: int) -> str:
    """The key of a slider from one number to another, from 0 to `last`; in the address unless it is all of it."""
    low, _, high = st.query_params.get(name, "").partition("-")
    if (st.session_state[_ADOPTED] or name not in st.session_state) and low.isdecimal() and high.isdecimal():
        st.session_state[name] = (int(low), int(high))
    low_end, high_end = st.session_state.get(name, (0, last))
    st.session_state[name] = (min(low_end, last), min(max(high_end, low_end), last))
    if st.session_state[name] != (0, last):
        st.session_state[_OF_PAGE].append(name)
    return name


def passed_on(names: Sequence[str]) -> dict[str, list[str]]:
    """What a link to this page says under these names; it stays in the address as it is."""
    if st.session_state[_ADOPTED]:
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


def value(key: str) -> int:
    """The number of that key."""
    return int(st.session_state[key])


def go(name: str, to: int | str) -> None:
    """Callback: set the choice of that name."""
    st.session_state[name] = to


def sentence() -> str:
    """The key of a number input: the sentence that the page is about, which stands in the address, too."""
    return number(_SENTENCE, len(corpus()) - 1)


def asked(name: str) -> list[str]:
    """What a link gives under that name, in the run in which it is opened."""
    return st.query_params.get_all(name) if st.session_state[_ADOPTED] else []


def kept(name: str, default: Value) -> Value:
    """What a page keeps for this visitor under that name, besides what its widgets hold."""
    value: Value = st.session_state.get(f"_kept_{name}", default)
    return value


def keep(name: str, value: object) -> None:
    """Keep it, until the visitor leaves."""
    st.session_state[f"_kept_{name}"] = value


def chosen_sentence() -> tuple[int, str, str]:
    """The sentence that the page is about, and the systems whose outputs are, as far as these are chosen by now."""
    asked = [st.query_params.get(name, "") if st.session_state[_ADOPTED] else None for name in ("system", "against")]
    system, against = (
        st.session_state.get(name, "") if value is None else value
        for name, value in zip(("system", "against"), asked, strict=True)
    )
    return st.session_state[_SENTENCE], system, against


def go_to_sentence(number: int, system: str = "", against: str = "") -> None:
    """Callback: show another sentence, with these outputs side by side if they are given."""
    st.session_state[_SENTENCE] = min(max(number, 0), len(corpus()) - 1)
    if system:
        st.session_state["system"], st.session_state["against"] = system, against


def link(more: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The address of a page with these choices, under those that hold for all pages."""
    return {name: values for name, values in (_common() | dict(more)).items() if values}


def open_clicked(figure: str) -> None:
    """Callback of a figure whose points are pairs of outputs: open the sentence of the one that was clicked."""
    for point in st.session_state[figure].selection.points:
        if "customdata" in point:
            st.session_state[_CLICKED] = point["customdata"]


def clicked() -> tuple[int, str, str] | None:
    """The sentence and the outputs that were clicked in the last run, once."""
    point = st.session_state.pop(_CLICKED, None)
    return (int(point[0]), str(point[1]), str(point[2])) if point else None


def choose_corpus(name: str | None) -> None:
    """Callback: go on with another corpus; with the first there is if None."""
    st.session_state[_CORPUS] = name
    st.session_state[_WITHOUT] = []


def choose_metrics(ids: Sequence[str]) -> None:
    """Callback: show these metrics, too."""
    st.session_state[_METRICS] = [*st.session_state[_METRICS], *ids]


def write_address(page: str) -> None:
    """Put what is selected into the address, when this page is drawn."""
    try:
        address = _common()
    except (GecLensError, KeyError):
        return  # the corpus cannot be read, and the page says so
    for name in st.session_state[_OF_PAGE]:
        if name in st.session_state:
            address |= _parts(name, st.session_state[name])
    address = {name: values for name, values in address.items() if values}
    if not st.session_state[_ADOPTED] and st.session_state.get(_LAST, (page,))[0] != page:
        st.session_state.pop(_STRANGE, None)
    if not st.session_state[_ADOPTED] and st.session_state.get(_LAST) != (page, address):
        st.query_params.from_dict(address)
    st.session_state[_LAST] = (page, address)
    st.session_state[_WRITTEN] = _address()


def _common() -> dict[str, list[str]]:
    """The part of the address that all pages have."""
    chosen = human()
    return {
        _CORPUS: [st.session_state[_CORPUS]],
        _HUMAN: [chosen] if chosen else [],
        _METRICS: _unusual(),
        _WITHOUT: without(),
        _MINE: list(own_systems()),
    }


def _parts(name: str, value: Any) -> dict[str, list[str]]:
    """A choice of a page as it stands in the address."""
    if name == _PASSED_ON:
        return dict(value)
    if isinstance(value, list):
        return {name: value}
    if isinstance(value, tuple):
        return {name: ["-".join(map(str, value))]}
    return {name: [str(value)] if value != "" else []}


def _choose_corpus() -> None:
    mine = own().corpora
    names = [*services.corpus_names(), *mine]
    if st.session_state.get(_CORPUS) not in names:
        if asked := st.session_state.get(_CORPUS):
            st.warning(
                f"There is no corpus {plain(asked)} on this machine. If it was brought along on the page My system, "
                "only who brought it sees it, and only until they leave."
            )
        st.session_state[_CORPUS] = names[0]
    st.selectbox(
        "Corpus",
        names,
        key=_CORPUS,
        format_func=lambda name: f"{name} (yours)" if name in mine else name,
        help="Folders named in the variable GEC_LENS_DATA are listed, too. Bring your own on the page My system.",
    )


def _choose_human() -> None:
    titles = services.human_rankings(corpus())
    if not titles:
        st.session_state[_HUMAN] = None
        st.caption("Nobody judged this corpus: there is no human ranking to compare with.")
        return
    if st.session_state.get(_HUMAN) not in titles:
        st.session_state[_HUMAN] = next(iter(titles))
    st.selectbox(
        "Human ranking",
        list(titles),
        key=_HUMAN,
        format_func=titles.__getitem__,
        help="What the metrics are compared with: computed from the judgments of the corpus, or as published.",
    )


def _choose_metrics() -> None:
    """One button that opens the metrics by family, with what is chosen below it."""
    known = known_metrics()
    chosen = st.session_state.get(_METRICS)
    if chosen is None:
        chosen = _usual()
    chosen = st.session_state[_METRICS] = [id for id in known if id in chosen]
    with st.popover(f"Metrics: {len(chosen)} of {len(known)}", key="metrics-picker", width="stretch"):
        for family, title in FAMILIES.items():
            members = [id for id, metric in known.items() if metric.family == family]
            if members:
                key = f"{_METRICS}-{family}"
                st.session_state[key] = [id for id in members if id in chosen]
                st.pills(
                    title,
                    members,
                    selection_mode="multi",
                    key=key,
                    format_func=lambda id: plain(known[id].name),
                    on_change=_take_family,
                    args=(key, members),
                )
        with st.container(horizontal=True):
            for label, ids in (("The usual", _usual()), ("All", list(known)), ("None", [])):
                st.button(label, key=f"{_METRICS}: {label}", type="tertiary", on_click=_take_metrics, args=(ids,))
    st.caption(plain(", ".join(known[id].name for id in chosen) or "no metric"))


def _take_family(key: str, members: list[str]) -> None:
    """Callback: what is chosen among the metrics of one family."""
    _take_metrics([id for id in metrics() if id not in members] + st.session_state[key])


def _take_metrics(ids: list[str]) -> None:
    st.session_state[_METRICS] = ids


def _read_address() -> None:
    asked = _address()
    st.session_state[_ADOPTED] = _CORPUS in asked and asked != st.session_state.get(_WRITTEN)
    if not st.session_state[_ADOPTED]:
        return
    st.session_state[_CORPUS] = asked[_CORPUS][0]
    st.session_state[_HUMAN] = next(iter(asked.get(_HUMAN, [])), None)
    st.session_state[_METRICS] = asked.get(_METRICS)
    known = asked[_CORPUS][0] in (*services.corpus_names(), *own().corpora)
    systems = corpus().systems if known else {}
    st.session_state[_WITHOUT] = [name for name in asked.get(_WITHOUT, []) if name in systems]
    st.session_state[_STRANGE] = _strange(asked) if known else ""


def _strange(asked: dict[str, list[str]]) -> str:
    """What the address is about and this visitor cannot see, in words; empty if there is nothing."""
    systems = [name for name in asked.get(_MINE, []) if name not in corpus().systems]
    known = {*services.all_metrics(), *own().imported, _NO_METRIC}
    metrics = [id for id in asked.get(_METRICS, []) if id not in known]
    parts = [
        f"{what} {', '.join(plain(name) for name in names)}"
        for what, names in (("the systems" if len(systems) > 1 else "the system", systems), ("scores called", metrics))
        if names
    ]
    if not parts:
        return ""
    return (
        f"This address is about {' and '.join(parts)}, brought along by a visitor. Only who brought something sees it, "
        "and only until they leave. To see this view, add the same files on the page My system."
    )


def _unusual() -> list[str]:
    """The chosen metrics as the address names them, unless they are those one begins with."""
    return (metrics() or [_NO_METRIC]) if metrics() != _usual() else []


def _usual() -> list[str]:
    """The metrics one begins with: the best known of each kind, of those that there are."""
    known = known_metrics()
    return [id for id in known if id in USUAL] or list(known)


def _address() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}
