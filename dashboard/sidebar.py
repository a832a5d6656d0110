"""The sidebar: the selection that all pages share."""

from __future__ import annotations

from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from dashboard import cache, glossary, session, url_state
from dashboard.components.messages import plain
from dashboard.session import AGGREGATE, CORPUS, HUMAN, JUDGMENTS, LEFT_OUT, METRICS, SENTENCES
from gec_core.corpora.checking import name_problem
from gec_core.corpora.selection import JUDGED, as_ranges, listed, positions
from gec_core.corpora.text import UPLOAD, TextFile
from gec_core.errors import GecLensError
from gec_core.human import published
from gec_core.human.ranking import AGGREGATES
from gec_core.store import incidents
from gec_core.types import ALL_SYSTEMS, Corpus

SYSTEM_SET, SET_NAME = "_system_set", "_set_name"
_SET_PROBLEM = "set-problem"
_WAY, _NUMBERS, _PROBLEM = "_sentences_way", "_sentences_numbers", "_sentences_problem"
BY_NUMBER = "numbers"
LONGEST = 4_000
"""Characters of a list of sentences that still fit into an address, with everything else in it."""


def draw() -> None:
    """Draw the selection, and say what of the address this visitor cannot see."""
    url_state.begin()
    if unknown := url_state.unknown():
        with st.container(key="unknown"):
            st.info(plain(unknown), icon=":material/visibility_off:")
    with st.sidebar:
        _choose_corpus()
        if not url_state.is_reading():
            session.restore_choices()
        _choose_judgments()
        _choose_sentences()
        _choose_human()
        _choose_metrics()
        _choose_aggregate()
        _choose_systems()
        st.multiselect(
            "Leave out",
            list(session.corpus().systems),
            key=LEFT_OUT,
            placeholder="no system",
            help="Compare metrics and people without these systems. Human scores are still based on all judgments.",
        )
        every = len(session.corpus().systems)
        if every:
            st.caption(f"{every - len(session.left_out())} of {every} systems are compared.")
        _name_set()
        for note in session.corpus().noted():
            st.caption(plain(note))
        if notice := session.corpus().info.notice:
            st.caption(plain(notice))
        for incident in incidents():
            st.warning(plain(incident), icon=":material/database:")
    _tell_sentences()
    _tell_left_out()
    _tell_marked()
    session.remember_choices()


def _tell_left_out() -> None:
    """Say above every page which systems are left out, and offer to take them back in."""
    systems, left_out = session.corpus().systems, session.left_out()
    if not left_out:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="left-out"):
        kept = len(systems) - len(left_out)
        st.markdown(f"**{kept} of {len(systems)} systems**, without {plain(', '.join(left_out))}", width="content")
        st.button("Take all back in", type="tertiary", on_click=_take_back)


def _tell_marked() -> None:
    """Say above every page why systems are marked: on a telephone, the sidebar with its notes is folded away."""
    corpus, left_out = session.corpus(), session.left_out()
    told = {
        system: "; ".join(note.text for note in corpus.notes.get(system, ()) if note.caution)
        for system in corpus.systems
        if system not in left_out
    }
    if any(told.values()):
        with st.container(key="marked"):
            for system, notes in told.items():
                if notes:
                    st.caption(f"**{plain(system)} †** {plain(notes)}.")


def _take_back() -> None:
    """Callback: leave no system out."""
    st.session_state[LEFT_OUT] = []


def _choose_corpus() -> None:
    uploaded = session.uploads().corpora
    names = [*cache.corpus_names(), *uploaded]
    if st.session_state.get(CORPUS) not in names:
        if asked := st.session_state.get(CORPUS):
            st.warning(
                f"There is no corpus {plain(asked)} here. If another visitor uploaded it on the page My system, only "
                "they can see it."
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


def _choose_judgments() -> None:
    """Offer the sets of judgments of a corpus that has several."""
    sets = session.corpus().judgment_sets
    if len(sets) < 2:
        st.session_state[JUDGMENTS] = None
        return
    if st.session_state.get(JUDGMENTS) not in sets:
        st.session_state[JUDGMENTS] = next(iter(sets))
    st.selectbox(
        "Judgments",
        list(sets),
        key=JUDGMENTS,
        format_func=lambda id: sets[id].title or id,
        help="People judged the outputs of this corpus several times. Rankings and agreement use this set.",
    )


def _choose_sentences() -> None:
    """Offer all sentences, those that people judged, or some by their numbers, typed or in a file."""
    whole = session.whole_corpus()
    if session.sentences() and session.corpus().lines is None:
        st.session_state[_PROBLEM] = _misread(whole, session.sentences())
        st.session_state[SENTENCES] = ""
    ways = {"": f"All {len(whole):,}", BY_NUMBER: "By their numbers"}
    if judged := len(cache.judged_sentences(whole)):
        ways = {"": ways[""], JUDGED: f"Judged by people: {judged:,}", BY_NUMBER: ways[BY_NUMBER]}
    chosen = session.sentences()
    kept = "" if url_state.is_reading() or st.session_state.get(_WAY) != BY_NUMBER else BY_NUMBER
    st.session_state[_WAY] = (chosen if chosen == JUDGED else BY_NUMBER) if chosen else kept
    st.selectbox(
        "Sentences",
        list(ways),
        key=_WAY,
        format_func=ways.__getitem__,
        on_change=_take_way,
        help="All pages but Across corpora and Judge then use these sentences only. Correlations are often published "
        "over the judged sentences.",
    )
    if st.session_state[_WAY] == BY_NUMBER:
        st.session_state[_NUMBERS] = chosen
        st.text_input(
            "Numbers of sentences",
            key=_NUMBERS,
            placeholder="1-100,205,300-",
            help="Counted from 1, with ranges.",
            on_change=_take_numbers,
        )
        key = session.upload_key(SENTENCES)
        label = "Or a file with one number per line"
        st.file_uploader(label, type=["txt"], key=key, on_change=_take_file, args=(key,))
    if problem := st.session_state.pop(_PROBLEM, ""):
        st.warning(plain(problem))


def _misread(whole: Corpus, what: str) -> str:
    """Say why these sentences cannot be chosen; empty if they can."""
    try:
        positions(whole, what)
    except GecLensError as problem:
        return f"{problem} All sentences are shown."
    if len(what) > LONGEST:
        return (
            f"A list of {len(what):,} characters does not fit into an address. Choose fewer sentences or longer "
            "ranges, or use --sentences FILE on the command line."
        )
    return ""


def _take_way() -> None:
    """Callback: choose all sentences or the judged ones; numbers are yet to come."""
    way = st.session_state[_WAY]
    st.session_state[SENTENCES] = way if way == JUDGED else ""


def _take_numbers() -> None:
    """Callback: choose the sentences whose numbers were typed."""
    _take(st.session_state[_NUMBERS].replace(" ", ""))


def _take(what: str) -> None:
    problem = _misread(session.whole_corpus(), what) if what else ""
    st.session_state[_PROBLEM] = problem
    st.session_state[SENTENCES] = "" if problem else what


def _take_file(key: str) -> None:
    """Callback: choose the sentences that an uploaded file lists."""
    given = st.session_state[key]
    if given is None:
        return
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "numbers.txt"
            path.write_bytes(given.getvalue())
            _take(as_ranges(listed(TextFile(path, given.name, UPLOAD), len(session.whole_corpus()))))
    except GecLensError as problem:
        st.session_state[_PROBLEM] = str(problem)


def _tell_sentences() -> None:
    """Say above every page how many sentences are chosen, and offer to take all."""
    part = session.corpus()
    if part.lines is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="part"):
        which = ", those judged by people" if session.sentences() == JUDGED else ""
        st.markdown(
            f"**{len(part):,} of {len(session.whole_corpus()):,} sentences**{which}, numbered from 1",
            width="content",
        )
        st.button("Take all sentences", type="tertiary", on_click=_take, args=("",))


def _choose_systems() -> None:
    """Offer the named sets of systems, those of the corpus and the visitor's own; a set decides what is left out."""
    corpus = session.corpus()
    own = {name: tuple(one for one in each if one in corpus.systems) for name, each in session.own_sets().items()}
    sets = own | {name: corpus.system_set(name) for name in corpus.system_sets}
    if not sets:
        return
    sets.setdefault(ALL_SYSTEMS, tuple(corpus.systems))
    left_out = set(st.session_state.get(LEFT_OUT, []))
    kept = [name for name in corpus.systems if name not in left_out]
    st.session_state[SYSTEM_SET] = next((name for name, each in sets.items() if set(each) == set(kept)), None)
    st.selectbox(
        "Systems",
        list(sets),
        key=SYSTEM_SET,
        placeholder="as chosen below",
        on_change=_take_set,
        args=(sets, tuple(corpus.systems)),
        format_func=lambda name: f"{name} (yours)" if name in own else name,
        help="A named set of systems. The others are left out, as if you had chosen them below.",
    )


def _take_set(sets: dict[str, tuple[str, ...]], systems: tuple[str, ...]) -> None:
    """Callback: leave out the systems that are not in the chosen set."""
    if (name := st.session_state[SYSTEM_SET]) in sets:
        st.session_state[LEFT_OUT] = [system for system in systems if system not in sets[name]]


def _name_set() -> None:
    """Let the visitor keep the systems that are not left out as a named set, or forget the chosen one of theirs."""
    left_out, chosen = session.left_out(), st.session_state.get(SYSTEM_SET)
    if chosen in session.own_sets():
        st.button(f"Forget the set {plain(chosen)}", on_click=session.remove_set, args=(chosen,), width="stretch")
        return
    if not left_out or chosen is not None:
        return
    kept = [name for name in session.corpus().systems if name not in left_out]
    with st.popover("Keep as a named set", width="stretch"):
        st.text_input("Name of the set", key=SET_NAME, max_chars=40)
        st.button("Keep", on_click=_keep_named, args=(kept,))
        if problem := session.kept(_SET_PROBLEM, ""):
            st.error(plain(problem))
        st.caption("Only you see it, in this corpus.")


def _keep_named(kept: list[str]) -> None:
    """Callback: keep the set under the name that was typed, or the reason why not."""
    name = str(st.session_state[SET_NAME]).strip()
    problem = name_problem(name, [*session.corpus().system_sets, ALL_SYSTEMS, *session.own_sets()])
    if not problem:
        session.keep_set(name, kept)
    session.keep(_SET_PROBLEM, problem)


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
                format_func=lambda id: plain(known[id].title),
                on_change=_take_family,
                args=(key, members),
            )
        if absent := session.unavailable_metrics():
            lines = "".join(f"<li><b>{escape(name)}</b> {escape(why)}</li>" for name, why in absent.items())
            st.html(f"<div class=lens-absent>Cannot run here:<ul>{lines}</ul></div>")
        with st.container(horizontal=True):
            for label, ids in (("Default", session.default_metrics()), ("All", list(known)), ("None", [])):
                st.button(label, key=f"{METRICS}: {label}", type="tertiary", on_click=_take_metrics, args=(ids,))
    st.caption(plain(", ".join(known[id].title for id in chosen) or "no metric"))


def _choose_aggregate() -> None:
    """Offer to make the metrics' scores of systems as human rankings are made."""
    if st.session_state.get(AGGREGATE) not in AGGREGATES:
        st.session_state[AGGREGATE] = "usual"
    st.selectbox(
        "Metrics' scores of systems",
        list(AGGREGATES),
        key=AGGREGATE,
        format_func=AGGREGATES.__getitem__,
        help="People's rankings are made from comparisons of single outputs. A metric can be treated in the same way: "
        "its sentence scores decide each comparison of two systems, and Expected Wins or TrueSkill ranks them (Goto et "
        "al. 2025). It holds for Overview, Rankings, Correlation and Across corpora.",
    )


def _take_family(key: str, members: list[str]) -> None:
    """Callback: take over the choice among the metrics of one family."""
    _take_metrics([id for id in session.metrics() if id not in members] + st.session_state[key])


def _take_metrics(ids: list[str]) -> None:
    st.session_state[METRICS] = ids
