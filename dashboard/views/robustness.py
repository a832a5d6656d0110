"""The page *Robustness*: changes of texts whose true effect is known, and LLM judges on trial."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from dashboard import cache, session, url_state
from dashboard.cache.gap import Pending
from dashboard.cache.stress import STRESS_CASES, stress_card, trial_card
from dashboard.components.controls import choose_view
from dashboard.components.exports import csv_button, figure, table
from dashboard.components.messages import end_page, plain, without_texts
from dashboard.components.progress import Offer, work_lines
from gec_core import charts
from gec_core.errors import GecLensError
from gec_core.explain.phrases import number
from gec_core.meta.judge_trial import Trial
from gec_core.meta.stress import Moved, StressCard
from gec_core.meta.stress_cases import KINDS
from gec_core.metrics.llm import LLMJudge
from gec_core.metrics.llm.endpoint import KEY, MODEL, URL
from gec_core.types import Corpus

SHOWN = 20
"""Failures in the list."""
JUDGED_SENTENCES = 20
"""Sentences that a judge is asked about at first."""
VIEWS = {"changes": "Changed texts", "trial": "LLM judges on trial"}
SHOULD = {"up": "rise", "down": "fall", "same": "stay the same"}


def show() -> None:
    """Draw the page."""
    st.title("Robustness")
    corpus = session.corpus()
    if choose_view(VIEWS, "changes") == "trial":
        _trial(corpus)
        return
    st.write(
        "Texts of this corpus, changed in ways whose true effect is known: a right edit undone, a word repeated, a "
        "negation added. A good metric moves the right way every time. A cell is the share of cases in which it does; "
        "an empty one has no case."
    )
    if not corpus.has_texts:
        st.info(without_texts(corpus))
        end_page()
    if not any(sentence.references for sentence in corpus.sentences):
        st.info("This corpus has no references, from which right and wrong texts are made.")
        end_page()
    if not session.metrics():
        st.info("Choose at least one metric in the sidebar.")
        end_page()
    known, cards, offers = session.known_metrics(), [], []
    with st.spinner("Changing texts …"):
        for id in session.metrics():
            try:
                found = stress_card(corpus, known[id])
            except GecLensError as problem:
                st.caption(f"{plain(known[id].title)} is left out. {plain(str(problem))}")
                continue
            if isinstance(found, Pending):
                offers.append(Offer(found.key, found.title, found.start, "Try"))
            else:
                cards.append(found)
    if cards:
        _heatmap(cards)
        _failures(cards)
    if offers:
        with st.container(border=True):
            st.markdown("**Not tried yet.** You can keep working; results appear when they are ready.")
            work_lines(tuple(offers))
    _about(corpus.name)


def _heatmap(cards: Sequence[StressCard]) -> None:
    """Draw metrics and kinds of change, the best metric on top."""
    ordered = sorted(cards, key=lambda card: -(card.mean or 0.0))
    rows = [[each.right for each in card.kinds] for card in ordered]
    names = [card.name for card in ordered]
    texts = [["" if value is None else f"{value:.0%}" for value in row] for row in rows]
    chart = charts.heatmap(
        rows, texts, list(KINDS), rows=names, low=0.0, high=1.0, colours=charts.DIVERGING, bar="moves the right way"
    )
    frame = pd.DataFrame(rows, index=names, columns=list(KINDS)).rename_axis("metric")
    frame.insert(0, "mean", [card.mean for card in ordered])
    what = "How often the score of each metric moves the right way, by kind of change"
    figure(chart, "robustness", what, frame, index=True, wide=True)


def _failures(cards: Sequence[StressCard]) -> None:
    """List cases in which the chosen metric fails, each with a link to the playground."""
    st.subheader("Failures")
    by_id = {card.metric: card for card in cards}
    with st.container(horizontal=True):
        key = url_state.choice("metric", list(by_id), cards[0].metric)
        chosen = by_id[st.selectbox("Metric", list(by_id), key=key, format_func=lambda id: by_id[str(id)].name)]
        tried = [each for each in chosen.kinds if each.cases]
        worst = min(tried, key=lambda each: each.right or 0.0).kind
        kinds = [each.kind for each in tried]
        kind = st.selectbox(
            "Change", kinds, key=url_state.choice("kind", kinds, worst), format_func=lambda each: KINDS[str(each)][1]
        )
    result = next(each for each in tried if each.kind == kind)
    should, what = KINDS[kind]
    failed = result.failures()
    st.write(
        f"**{plain(kind)}**: {what}. The score should {SHOULD[should]}; it does in "
        f"{result.cases - len(failed)} of {result.cases} cases."
    )
    if not failed:
        return
    frame = pd.DataFrame([_row(each, chosen.metric) for each in failed[:SHOWN]])
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            "open": st.column_config.LinkColumn("playground", display_text="open", help="both texts, every metric"),
            "before": st.column_config.TextColumn(width="large"),
            "after": st.column_config.TextColumn(width="large"),
        },
    )
    what = f"Changes of the kind “{kind}” after which {chosen.name} does not {SHOULD[should]}"
    csv_button(frame.drop(columns="open"), "robustness-failures", what)


def _row(moved: Moved, metric: str) -> dict[str, object]:
    case = moved.case
    query = {
        "source": [case.sentence.source],
        "output": list(dict.fromkeys([case.before, case.after])),
        "reference": list(case.sentence.references[:4]),
        "metrics": [metric],
    }
    return {
        "sentence": case.line + 1,
        "open": f"playground?{urlencode(query, doseq=True)}",
        "score before": number(moved.before),
        "score after": number(moved.after),
        "before": case.before,
        "after": case.after,
    }


def _trial(corpus: Corpus) -> None:
    """Draw the card of every LLM judge that has an endpoint, and offer to put the others on trial."""
    st.write(
        "An LLM judge may prefer what it reads first, or what is longer, and may answer the same question in two ways. "
        "On trial it is asked every question three times: as in scoring, with the outputs in the opposite order, and "
        "once more. People's agreement among themselves stands beside its agreement with people."
    )
    judges = [metric for metric in cache.all_metrics().values() if isinstance(metric, LLMJudge)]
    ready = [judge for judge in judges if judge.availability().ready]
    if not ready:
        st.info(plain(judges[0].availability().how))
        st.write("Start the dashboard with them:")
        st.code(
            f"export {URL}=https://SERVER/v1 {MODEL}=NAME {KEY}=…\ngec-lens run",
            language="bash",
        )
    elif not corpus.has_texts:
        st.info(without_texts(corpus))
        end_page()
    first = min(JUDGED_SENTENCES, len(corpus))
    if ready:
        key = url_state.number("first", len(corpus), first=1, default=first)
        first = int(st.number_input("Sentences, from the first one", 1, len(corpus), key=key, step=1, width=240))
    offers = []
    for judge in ready:
        found = trial_card(corpus, judge, first)
        if isinstance(found, Pending):
            offers.append(Offer(found.key, found.title, found.start, "Put on trial"))
        else:
            _trial_card(judge.title, found)
    if offers:
        work_lines(tuple(offers))
    with st.expander("On the command line"):
        st.write("`--dry-run` sends nothing, and says how much would be sent and what it would cost:")
        st.code(
            f"gec-lens trial --corpus {corpus.name} --metric llm-sentence --first {first} --dry-run", language="bash"
        )


def _trial_card(name: str, found: Trial) -> None:
    st.subheader(plain(name))
    st.caption(plain(found.signature))
    frame = pd.DataFrame(found.rows())
    table(frame)
    csv_button(frame, "trial", f"{name} on trial")


def _about(name: str) -> None:
    with st.expander("What is changed, and how to cite it"):
        st.markdown(
            "\n".join(f"- **{kind}**: {what}; should {SHOULD[effect]}" for kind, (effect, what) in KINDS.items())
        )
        st.caption(
            f"Up to {STRESS_CASES} cases of each kind, from sentences drawn with a seed. On the command line, with "
            "more cases and as a table for a paper:"
        )
        st.code(f"gec-lens stress --corpus {name} --each 100 --format markdown", language="bash")
