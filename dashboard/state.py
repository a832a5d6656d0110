"""What is selected on all pages, and the address in the browser.

Of session state there are three other users: `sidebar` draws what is selected here, `choices` are those of single
pages, and `visit` holds what the visitor brought along.

Everything that makes a view is in the address, so that an address reopens it: `?corpus=…&human=…&metrics=…`.
The address is read when it is not what this session wrote last (a first visit, a link, back and forward), and
written once at the end of every run in which the page or a choice changed, so that each is one step back. An
address that was read is left as it stands: writing it anew would be a step forward, and nobody got back. What one
types is no step of its own: the browser puts it into the address in place of what stood there (`typed_address`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

from dashboard import choices, services
from dashboard.components.messages import plain
from dashboard.visit import own
from gec_core.errors import GecLensError
from gec_core.metrics.base import Metric
from gec_core.types import Corpus

CORPUS, HUMAN, METRICS, WITHOUT, _MINE = "corpus", "human", "metrics", "without", "mine"
USUAL = ("m2", "sentm2", "errant", "imeasure", "gleu", "bleu", "green", "scribendi", "ptm2")
_NO_METRIC = "none"
_SENTENCE = "sentence"
ERRORS_OF, ERROR_TYPE = "errors_of", "type"
"""The cell of the table of error types that is looked into."""
_WRITTEN = "_written"
"""The address as the last run left it."""
_TYPED = "_typed"
"""The address as the browser has it after typing; the server may hear of either."""
_LAST = "_last"
"""The page and the choices of the last run."""
_CLICKED = "_clicked"
"""The point of a figure that was clicked."""
_STRANGE = "_strange"
"""What the address names and this visitor does not have, in words."""


def corpus() -> Corpus:
    """The corpus that all pages are about, with the systems that the visitor added."""
    return own().complete(corpus_as_it_came())


def corpus_as_it_came() -> Corpus:
    """The same corpus without systems that the visitor added."""
    name = st.session_state[CORPUS]
    return own().corpora.get(name) or services.load_corpus(name)


def own_systems() -> tuple[str, ...]:
    """The systems that the visitor added to this corpus."""
    return own().added(corpus().name)


def own_or_first(systems: Sequence[str]) -> str:
    """The system to begin with: one that the visitor added, or else the first."""
    mine = own_systems()
    return next((system for system in systems if system in mine), systems[0])


def known_metrics() -> dict[str, Metric]:
    """The metrics that there are for this corpus, by id; imported ones last."""
    return services.metrics_for(corpus()) | own().metrics_for(corpus())


def human() -> str | None:
    """The name of the human ranking to compare with; None if the corpus allows none."""
    name: str | None = st.session_state.get(HUMAN)
    return name


def metrics() -> list[str]:
    """The ids of the chosen metrics, in the order of the lists."""
    chosen = st.session_state[METRICS]
    return [id for id in known_metrics() if id in chosen]


def without() -> list[str]:
    """Systems to leave out."""
    left_out: list[str] = st.session_state[WITHOUT]
    return left_out


def leave_out_clicked(figure: str) -> None:
    """Callback of a figure whose points are systems: leave out the one that was clicked, or take it back in."""
    clicked = [point["customdata"] for point in st.session_state[figure].selection.points if "customdata" in point]
    for system in (one[0] if isinstance(one, list) else one for one in clicked):
        left_out = st.session_state[WITHOUT]
        st.session_state[WITHOUT] = (
            [name for name in left_out if name != system] if system in left_out else [*left_out, system]
        )


def choose_error_type(figure: str) -> None:
    """Callback of the table of error types: look into the cell that was clicked."""
    for point in st.session_state[figure].selection.points:
        if "customdata" in point:
            st.session_state[ERROR_TYPE], st.session_state[ERRORS_OF] = point["customdata"][:2]


def sentence() -> str:
    """The key of a number input: the sentence that the page is about, which stands in the address, too."""
    return choices.number(_SENTENCE, len(corpus()) - 1)


def chosen_sentence() -> tuple[int, str, str]:
    """The sentence that the page is about, and the systems whose outputs are, as far as these are chosen by now."""
    asked = [st.query_params.get(name, "") if choices.adopted() else None for name in ("system", "against")]
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
    st.session_state[CORPUS] = name
    st.session_state[WITHOUT] = []


def choose_metrics(ids: Sequence[str]) -> None:
    """Callback: show these metrics, too."""
    st.session_state[METRICS] = [*st.session_state[METRICS], *ids]


def write_address(page: str) -> None:
    """Put what is selected into the address, when this page is drawn."""
    choices.end()
    try:
        address = _chosen()
    except (GecLensError, KeyError):
        return  # the corpus cannot be read, and the page says so
    if not choices.adopted() and st.session_state.get(_LAST, (page,))[0] != page:
        st.session_state.pop(_STRANGE, None)
    if not choices.adopted() and st.session_state.get(_LAST) != (page, address):
        st.query_params.from_dict(address)
    st.session_state[_LAST] = (page, address)
    st.session_state[_WRITTEN] = _address()
    st.session_state[_TYPED] = None


def typed_address() -> str:
    """The query that the browser is to put into the address while one types; empty when the run will write it."""
    if not choices.in_fragment():
        return ""
    st.session_state[_TYPED] = _chosen()
    return urlencode(st.session_state[_TYPED], doseq=True)


def _chosen() -> dict[str, list[str]]:
    """The address of what is selected now."""
    return {name: values for name, values in (_common() | choices.in_address()).items() if values}


def _common() -> dict[str, list[str]]:
    """The part of the address that all pages have."""
    chosen = human()
    return {
        CORPUS: [st.session_state[CORPUS]],
        HUMAN: [chosen] if chosen else [],
        METRICS: _unusual(),
        WITHOUT: without(),
        _MINE: list(own_systems()),
    }


def begin() -> None:
    """A run begins: read the address, if somebody else than the last run wrote it."""
    asked = _address()
    ours = [st.session_state.get(name) for name in (_WRITTEN, _TYPED)]
    choices.begin(adopted=CORPUS in asked and asked not in ours)
    if not choices.adopted():
        return
    st.session_state[CORPUS] = asked[CORPUS][0]
    st.session_state[HUMAN] = next(iter(asked.get(HUMAN, [])), None)
    st.session_state[METRICS] = asked.get(METRICS)
    known = asked[CORPUS][0] in (*services.corpus_names(), *own().corpora)
    systems = corpus().systems if known else {}
    st.session_state[WITHOUT] = [name for name in asked.get(WITHOUT, []) if name in systems]
    st.session_state[_STRANGE] = _strange(asked) if known else ""


def strange() -> str:
    """What the address is about and this visitor cannot see, in words; empty if there is nothing."""
    told: str = st.session_state.get(_STRANGE, "")
    return told


def _strange(asked: dict[str, list[str]]) -> str:
    """What the address is about and this visitor cannot see, in words; empty if there is nothing."""
    systems = [name for name in asked.get(_MINE, []) if name not in corpus().systems]
    known = {*services.all_metrics(), *own().imported, _NO_METRIC}
    metrics = [id for id in asked.get(METRICS, []) if id not in known]
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
    return (metrics() or [_NO_METRIC]) if metrics() != usual() else []


def usual() -> list[str]:
    """The metrics one begins with: the best known of each kind, of those that there are."""
    known = known_metrics()
    return [id for id in known if id in USUAL] or list(known)


def _address() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}
