"""What is selected. The only user of session state and of the address in the browser.

Everything that makes a view is in the address, so that an address reopens it: `?corpus=…&human=…&metrics=…`.
The address is read when it is not what this session wrote last (a first visit, a link, back and forward), and
written once at the end of every run in which the page or a choice changed, so that each is one step back. An
address that was read is left as it stands: writing it anew would be a step forward, and nobody got back.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard import services
from dashboard.components.messages import plain
from dashboard.components.metric_card import FAMILIES
from gec_core.errors import GecLensError
from gec_core.types import Corpus

_CORPUS, _HUMAN, _METRICS, _WITHOUT = "corpus", "human", "metrics", "without"
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
_OF_PAGE = "_of_page"
"""The choices of the page that is open."""


def sidebar() -> None:
    """The choices that hold for all pages."""
    st.session_state[_OF_PAGE] = []
    _read_address()
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
    """The corpus that all pages are about."""
    return services.load_corpus(st.session_state[_CORPUS])


def human() -> str | None:
    """The name of the human ranking to compare with; None if the corpus allows none."""
    name: str | None = st.session_state.get(_HUMAN)
    return name


def metrics() -> list[str]:
    """The ids of the chosen metrics, in the order of the lists."""
    chosen = st.session_state[_METRICS]
    return [id for id in services.metrics_for(corpus()) if id in chosen]


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


def of_page(name: str, options: Sequence[str], default: str) -> str:
    """The key of a widget of a page whose choice stands in the address, too; call it just before the widget."""
    asked = st.query_params.get(name)
    if asked in options and (st.session_state[_ADOPTED] or name not in st.session_state):
        st.session_state[name] = asked
    if st.session_state.get(name) not in options:
        st.session_state[name] = default
    st.session_state[_OF_PAGE].append(name)
    return name


def sentence() -> str:
    """The key of a number input: the sentence that the page is about, which stands in the address, too."""
    last = len(corpus()) - 1
    asked = st.query_params.get(_SENTENCE, "")
    if asked.isdecimal() and (st.session_state[_ADOPTED] or _SENTENCE not in st.session_state):
        st.session_state[_SENTENCE] = int(asked)
    st.session_state[_SENTENCE] = min(max(int(st.session_state.get(_SENTENCE, 0)), 0), last)
    st.session_state[_OF_PAGE].append(_SENTENCE)
    return _SENTENCE


def choose_sentence(number: int, system: str, against: str) -> None:
    """What the sentence page is to show when it is opened next."""
    st.session_state[_SENTENCE] = number
    st.session_state["system"] = system
    st.session_state["against"] = against


def step_sentence(by: int) -> None:
    """Callback: go on to another sentence."""
    st.session_state[_SENTENCE] = min(max(st.session_state[_SENTENCE] + by, 0), len(corpus()) - 1)


def write_address(page: str) -> None:
    """Put what is selected into the address, when this page is drawn."""
    try:
        chosen_metrics = _unusual()
    except (GecLensError, KeyError):
        return  # the corpus cannot be read, and the page says so
    chosen = human()
    address: dict[str, list[str]] = {
        _CORPUS: [st.session_state[_CORPUS]],
        _HUMAN: [chosen] if chosen else [],
        _METRICS: chosen_metrics,
        _WITHOUT: without(),
    } | {name: [str(st.session_state[name])] for name in st.session_state[_OF_PAGE] if name in st.session_state}
    address = {name: values for name, values in address.items() if values}
    if not st.session_state[_ADOPTED] and st.session_state.get(_LAST) != (page, address):
        st.query_params.from_dict(address)
    st.session_state[_LAST] = (page, address)
    st.session_state[_WRITTEN] = _address()


def _choose_corpus() -> None:
    names = services.corpus_names()
    if st.session_state.get(_CORPUS) not in names:
        if asked := st.session_state.get(_CORPUS):
            st.warning(f"There is no corpus {plain(asked)} on this machine.")
        st.session_state[_CORPUS] = names[0]
    st.selectbox("Corpus", names, key=_CORPUS, help="Folders named in the variable GEC_LENS_DATA are listed, too.")


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
    known = services.metrics_for(corpus())
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
                    format_func=lambda id: known[id].name,
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
    systems = corpus().systems if asked[_CORPUS][0] in services.corpus_names() else {}
    st.session_state[_WITHOUT] = [name for name in asked.get(_WITHOUT, []) if name in systems]


def _unusual() -> list[str]:
    """The chosen metrics as the address names them, unless they are those one begins with."""
    return (metrics() or [_NO_METRIC]) if metrics() != _usual() else []


def _usual() -> list[str]:
    """The metrics one begins with: the best known of each kind, of those that there are."""
    return [id for id in services.metrics_for(corpus()) if id in USUAL] or list(services.metrics_for(corpus()))


def _address() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}
