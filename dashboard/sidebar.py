"""The sidebar: the selection that all pages share."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, glossary, session, url_state
from dashboard.components.messages import plain
from dashboard.session import CORPUS, HUMAN, LEFT_OUT, METRICS
from gec_core.human import published


def draw() -> None:
    """Draw the selection, and say what of the address this visitor cannot see."""
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
            help="Compare metrics and people without these systems. Human scores are still based on all judgments.",
        )
        if notice := session.corpus().info.notice:
            st.caption(plain(notice))


def _choose_corpus() -> None:
    uploaded = session.uploads().corpora
    names = [*cache.corpus_names(), *uploaded]
    if st.session_state.get(CORPUS) not in names:
        if asked := st.session_state.get(CORPUS):
            st.warning(
                f"There is no corpus {plain(asked)} here. If another visitor uploaded it on the page My system, only "
                "they can see it, until they leave."
            )
        st.session_state[CORPUS] = names[0]
    st.selectbox(
        "Corpus",
        names,
        key=CORPUS,
        format_func=lambda name: f"{name} (yours)" if name in uploaded else name,
        help="To add a corpus, upload it on the page My system, or put its folder into a folder that the environment "
        "variable GEC_LENS_DATA names.",
    )


def _choose_human() -> None:
    titles = cache.human_rankings(session.corpus())
    if not titles:
        st.session_state[HUMAN] = None
        st.caption("This corpus has no human judgments, so there is no human ranking to compare with.")
        return
    if st.session_state.get(HUMAN) not in titles:
        st.session_state[HUMAN] = next(iter(titles))
    st.selectbox(
        "Human ranking",
        list(titles),
        key=HUMAN,
        format_func=titles.__getitem__,
        help="The ranking that metrics are compared with: computed from the judgments of the corpus, or published."
        + "".join(f"\n- {title}: {plain(_explain(name, title))}" for name, title in titles.items()),
    )


def _explain(name: str, title: str) -> str:
    """What a human ranking is, or where it was published."""
    if name in published():
        return f"{published()[name].source}."
    return glossary.terms().get(title, "scores from human.tsv in the folder of the corpus.")


def _choose_metrics() -> None:
    """One button that opens the metrics by family, with the chosen ones listed below it."""
    known = session.known_metrics()
    chosen = st.session_state.get(METRICS)
    if chosen is None:
        chosen = session.default_metrics()
    chosen = st.session_state[METRICS] = [id for id in known if id in chosen]
    with st.popover(f"Metrics: {len(chosen)} of {len(known)}", key="metrics-picker", width="stretch"):
        for family, metrics in session.families(known.values()).items():
            members = [metric.id for metric in metrics]
            key = f"{METRICS}-{family}"
            st.session_state[key] = [id for id in members if id in chosen]
            st.pills(
                plain(session.family_title(family)),
                members,
                selection_mode="multi",
                key=key,
                format_func=lambda id: plain(known[id].name),
                on_change=_take_family,
                args=(key, members),
            )
        with st.container(horizontal=True):
            for label, ids in (("Default", session.default_metrics()), ("All", list(known)), ("None", [])):
                st.button(label, key=f"{METRICS}: {label}", type="tertiary", on_click=_take_metrics, args=(ids,))
    st.caption(plain(", ".join(known[id].name for id in chosen) or "no metric"))


def _take_family(key: str, members: list[str]) -> None:
    """Callback: take over the choice among the metrics of one family."""
    _take_metrics([id for id in session.metrics() if id not in members] + st.session_state[key])


def _take_metrics(ids: list[str]) -> None:
    st.session_state[METRICS] = ids
