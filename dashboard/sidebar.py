"""The sidebar: the selection that all pages share."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, session, url_state
from dashboard.components.messages import plain
from dashboard.session import CORPUS, FAMILIES, HUMAN, LEFT_OUT, METRICS
from gec_core.human import published


def draw() -> None:
    """The choices that hold for all pages."""
    url_state.begin()
    if unknown := url_state.unknown():
        st.info(plain(unknown), icon=":material/visibility_off:")
    with st.sidebar:
        _choose_corpus()
        _choose_human()
        _choose_metrics()
        st.multiselect(
            "Leave out",
            list(session.corpus().systems),
            key=LEFT_OUT,
            placeholder="no system",
            help="Metrics and people are compared without these systems. People's scores are those from all judgments.",
        )
        if notice := session.corpus().info.notice:
            st.caption(plain(notice))


def _choose_corpus() -> None:
    mine = session.uploads().corpora
    names = [*cache.corpus_names(), *mine]
    if st.session_state.get(CORPUS) not in names:
        if asked := st.session_state.get(CORPUS):
            st.warning(
                f"There is no corpus {plain(asked)} on this machine. If it was brought along on the page My system, "
                "only who brought it sees it, and only until they leave."
            )
        st.session_state[CORPUS] = names[0]
    st.selectbox(
        "Corpus",
        names,
        key=CORPUS,
        format_func=lambda name: f"{name} (yours)" if name in mine else name,
        help="Folders named in the variable GEC_LENS_DATA are listed, too. Bring your own on the page My system.",
    )


def _choose_human() -> None:
    titles = cache.human_rankings(session.corpus())
    if not titles:
        st.session_state[HUMAN] = None
        st.caption("Nobody judged this corpus: there is no human ranking to compare with.")
        return
    if st.session_state.get(HUMAN) not in titles:
        st.session_state[HUMAN] = next(iter(titles))
    st.selectbox(
        "Human ranking",
        list(titles),
        key=HUMAN,
        format_func=titles.__getitem__,
        help="What the metrics are compared with: computed from the judgments of the corpus, or as published. "
        + " ".join(f"\n- {titles[name]}: {plain(published()[name].source)}." for name in titles if name in published()),
    )


def _choose_metrics() -> None:
    """One button that opens the metrics by family, with what is chosen below it."""
    known = session.known_metrics()
    chosen = st.session_state.get(METRICS)
    if chosen is None:
        chosen = session.default_metrics()
    chosen = st.session_state[METRICS] = [id for id in known if id in chosen]
    with st.popover(f"Metrics: {len(chosen)} of {len(known)}", key="metrics-picker", width="stretch"):
        for family, title in FAMILIES.items():
            members = [id for id, metric in known.items() if metric.family == family]
            if members:
                key = f"{METRICS}-{family}"
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
            for label, ids in (("The usual", session.default_metrics()), ("All", list(known)), ("None", [])):
                st.button(label, key=f"{METRICS}: {label}", type="tertiary", on_click=_take_metrics, args=(ids,))
    st.caption(plain(", ".join(known[id].name for id in chosen) or "no metric"))


def _take_family(key: str, members: list[str]) -> None:
    """Callback: what is chosen among the metrics of one family."""
    _take_metrics([id for id in session.metrics() if id not in members] + st.session_state[key])


def _take_metrics(ids: list[str]) -> None:
    st.session_state[METRICS] = ids
