"""The form that opens a session of judging."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from dashboard import cache, session
from dashboard.components.messages import end_page, plain, without_texts
from gec_core.errors import JudgingError
from gec_core.judging.database import JudgingDatabase, OwnedSession
from gec_core.judging.files import import_session
from gec_core.judging.next_item import judgeable, metric_splits
from gec_core.judging.session import INSTRUCTIONS, KINDS, MOST_OUTPUTS, Kind, Plan, Texts
from gec_core.types import Corpus

ORDERS = {
    "adaptive": "where an answer is most informative",
    "random": "at random",
}
MOST_PER_SENTENCE, MOST_ITEMS = 100, 2000
SENTENCES = 40
"""How many sentences a new session judges unless its owner says otherwise."""


def exported(database: JudgingDatabase) -> None:
    """Offer to open a session that was exported here or on another server."""
    with st.expander("Open an exported session"):
        given = st.file_uploader(
            "The zip file or session.json of a session", ["zip", "json"], key=session.upload_key("session")
        )
        if given is not None:
            st.button(
                "Open it", on_click=session.apply_upload, args=(lambda: _import(database, given),), type="primary"
            )
        if problem := session.upload_problem():
            st.error(plain(problem), icon=":material/error:")


def _import(database: JudgingDatabase, given: Any) -> None:
    enter(import_session(database, given.getvalue(), given.name))


def enter(made: OwnedSession) -> None:
    """Make a session the one that the page shows."""
    session.own_session(made.session.id, made.secret)
    session.keep("judging", (made.session.id, made.secret))


def form(database: JudgingDatabase, corpus: Corpus) -> OwnedSession | None:
    """Draw the form and return the session once it is opened."""
    if not corpus.has_texts:
        st.info(without_texts(corpus))
        end_page()
    if len(corpus.systems) < 2:
        st.info(
            "Judging compares outputs, and this corpus has fewer than two systems. Choose another one, or upload some."
        )
        end_page()
    kind = st.segmented_control(
        "Task", list(KINDS), format_func=KINDS.__getitem__, default="ranking", required=True, key="judge-kind"
    )
    with st.form("open-session"):
        title = st.text_input("Title, which judges see", f"Judging {corpus.name}", max_chars=120)
        systems = st.multiselect(
            "Systems", list(corpus.systems), [name for name in corpus.systems if name not in session.left_out()]
        )
        sentences, amounts = _amounts(corpus, kind or "ranking")
        marks = st.checkbox("Mark what each output changes", value=True, disabled=kind == "edits")
        predict = st.checkbox(
            "Judges first predict which metric comes nearest to their common ranking",
            help="Offers the metrics that are chosen in the sidebar. The predictions show when you reveal the results.",
        )
        instructions = st.text_area("Instructions", INSTRUCTIONS[kind or "ranking"], max_chars=2000)
        opened = st.form_submit_button("Open the session", type="primary")
    if not opened:
        return None
    if predict and not session.metrics():
        st.error("Choose metrics in the sidebar first: judges predict among them.", icon=":material/error:")
        return None
    try:
        plan = Plan(
            title=title,
            corpus=corpus.name,
            fingerprint=corpus.fingerprint,
            kind=kind or "ranking",
            systems=tuple(systems),
            sentences=tuple(range(len(corpus))),
            mark_changes=marks,
            instructions=instructions,
            predictions=tuple(session.known_metrics()[id].name for id in session.metrics()) if predict else (),
            seed=int(np.random.default_rng().integers(2**31)),
            **amounts,
        )
        return _opened(database, corpus, plan, sentences)
    except JudgingError as problem:
        st.error(plain(str(problem)), icon=":material/error:")
        return None


def _amounts(corpus: Corpus, kind: Kind) -> tuple[int, dict[str, Any]]:
    """Ask how many sentences to draw, and for the fields of the plan that say how much is asked and in which order."""
    left, middle, right = st.columns(3)
    sentences = left.number_input(
        "Sentences, drawn at random",
        1,
        len(corpus),
        min(SENTENCES, len(corpus)),
        help="Drawn from those with something to judge: outputs that differ, or edits.",
    )
    per_sentence = middle.number_input(
        "Judgments per sentence",
        1,
        MOST_PER_SENTENCE,
        3,
        help="From all judges together: 40 sentences with 3 judgments each are 120 judgments, which 3 judges share "
        "with 40 items each, and a class of 30 with 4 items each. You can ask for more later.",
    )
    items = right.number_input(
        "Items per judge, at most",
        1,
        MOST_ITEMS,
        min(SENTENCES, len(corpus)),
        help="After so many different items, a judge is done. Repeated ones come on top.",
    )
    left, middle, right = st.columns(3)
    outputs = left.number_input(
        "Outputs at a time", 2, MOST_OUTPUTS, min(MOST_OUTPUTS, len(corpus.systems)), disabled=kind == "edits"
    )
    order = middle.selectbox(
        "Next item",
        list(ORDERS),
        format_func=ORDERS.__getitem__,
        help="At random, sentences and systems are spread evenly. Otherwise judging begins in that way and then "
        "prefers systems whose order is still open, pairs that were rarely compared, and sentences on which the "
        "metrics split.",
    )
    repeat = right.number_input(
        "Repeat an item after every N items",
        0,
        100,
        10,
        help="Repeated items measure how far judges agree with themselves. 0: no repeated items.",
    )
    return int(sentences), {
        "outputs_per_item": int(outputs),
        "judgments_per_sentence": int(per_sentence),
        "items_per_judge": int(items),
        "repeat_every": int(repeat),
        "order": "random" if order == "random" else "adaptive",
    }


def _opened(database: JudgingDatabase, corpus: Corpus, plan: Plan, count: int) -> OwnedSession:
    """Open a session on so many sentences of the plan, drawn from those with something to judge."""
    offered = judgeable(plan, Texts.of(corpus, plan))
    drawn = np.random.default_rng().permutation(offered)[:count]
    if not len(drawn):
        raise JudgingError("There is nothing to judge: these systems have the same output for every sentence.")
    plan = replace(plan, sentences=tuple(sorted(int(index) for index in drawn)))
    texts = Texts.of(corpus, plan)
    return database.create(replace(plan, splits=_splits(corpus, texts)), texts)


def _splits(corpus: Corpus, texts: Texts) -> tuple[float, ...]:
    """How far the chosen metrics that are scored disagree about each sentence; empty if fewer than two are."""
    table = cache.scores(corpus, session.metrics(), session.uploads().metrics_for(corpus)).table
    arrays = [
        cache.sentence_arrays(corpus, column.metric.signature, column)
        for column in table.columns
        if column.has_sentences(list(texts.outputs))
    ]
    return metric_splits(arrays, texts) if len(arrays) > 1 else ()
