"""The page *Overview*: the corpus in numbers, and findings with a small picture and a link each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from html import escape

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard import cache, navigation, url_state
from dashboard.components.comparison import ChosenScores, HumanRanking, comparison, ranks
from dashboard.components.disagreement import counterpart, side_scores, why_link
from dashboard.components.edits import text_table
from dashboard.components.exports import csv_button, picture, table
from dashboard.components.messages import plain
from dashboard.navigation import page
from gec_core import charts
from gec_core.charts import pictures
from gec_core.formatting import minus
from gec_core.human.agreement import JudgeAgreement, Together
from gec_core.meta.correlation import FEWEST
from gec_core.meta.findings import (
    most_contested_system,
    most_fragile_correlation,
    most_opposed_metrics,
    split_sentence,
    swaps,
)
from gec_core.types import Corpus

AGREEMENT = {
    "Raw agreement": "The share of two judges' answers about the same two outputs that are the same: first better, "
    "tie, second better. Of ratings: that are equal.",
    "Fleiss' kappa": "Agreement of all judges beyond chance; 0 is chance, 1 is perfect.",
    "Krippendorff's alpha": "1 minus observed over expected disagreement; two ratings by their squared difference.",
    "Between judges": "Cohen's kappa of two judges: the mean over all pairs of judges, weighted by their comparisons.",
    "Within judges": "Scott's pi of judges with themselves, where they saw the same outputs twice.",
}
MOST_CONTESTED = 50
"""Sentences on which judges are opposed that are listed."""


def show() -> None:
    """Draw the page."""
    st.title("Overview")
    found = comparison(as_chosen=True)
    corpus = found.corpus
    st.write(
        f"**{plain(corpus.info.title or corpus.name)}**: where metrics disagree with one another and with people. "
        "All findings are computed from the corpus and your choices in the sidebar."
    )

    st.page_link(page("tour"), label="New to these metrics? Take the tour.", icon=":material/tour:")
    with st.container(horizontal=True, gap="medium"):
        for label, value, told in cache.facts(corpus):
            st.metric(label, value, help=plain(told), width="content")

    st.subheader("Findings")
    findings(found)
    judges(corpus)


def findings(found: ChosenScores) -> None:
    """Draw the findings, two side by side."""
    incomplete = [name for name, scores in found.values.items() if len(scores) < len(found.kept)]
    if incomplete:
        st.caption(
            f"{plain(', '.join(incomplete))} does not score every system. A finding uses only metrics that score all "
            "the systems it compares."
        )
    drawn = [_opposed, _split] if found.human is None else [_opposed, _contested, _split, _fragile]
    places = [place for _ in range((len(drawn) + 1) // 2) for place in st.columns(2, gap="medium")]
    for place, draw in zip(places, drawn, strict=False):
        with place, st.container(border=True, height="stretch"):
            draw(found)


def judges(corpus: Corpus) -> None:
    """Draw how far the judges of the corpus agree: an upper limit of what can be asked of a metric."""
    found = cache.judge_agreement(corpus)
    if found is None:
        return
    st.subheader("The judges")
    together = found if isinstance(found, Together) else found.together
    figures = {"Raw agreement": together.raw, "Fleiss' kappa": together.fleiss, "Krippendorff's alpha": together.alpha}
    if isinstance(found, JudgeAgreement):
        figures |= {"Between judges": found.inter.kappa, "Within judges": found.intra.pi}
    with st.container(horizontal=True, gap="medium"):
        for label, value in figures.items():
            st.metric(label, "–" if value is None else minus(f"{value:.2f}"), help=AGREEMENT[label], width="content")
    if isinstance(found, Together):
        st.caption(f"{together.answers:,} ratings of {together.units:,} outputs.")
        return
    rows = [
        (each.name, each.comparisons, each.raw, each.kappa, each.pi) for each in found.by_judges if each.comparisons
    ]
    with st.expander(f"By pair of judges, and {len(found.contested)} sentences on which they are opposed"):
        frame = pd.DataFrame(rows, columns=["judges", "comparisons", "raw", "Cohen's kappa", "Scott's pi"])
        numbers = ["raw", "Cohen's kappa", "Scott's pi"]
        table(frame.astype(dict.fromkeys(numbers, float)))
        csv_button(frame, f"{corpus.name}-judges", "The agreement of judges, by pair of judges")
        if frame["Cohen's kappa"].isna().any():
            st.caption(
                "Cohen's kappa is of two judges: there is none of a judge with themselves, or where both always "
                "say the same."
            )
        if not found.contested:
            return
        st.markdown("Sentences on which one judge prefers one output and another judge the other:")
        selection = url_state.link({})
        st.dataframe(
            pd.DataFrame(
                [
                    {
                        "open": navigation.address("sentence", selection | {"sentence": [str(each.sentence)]}),
                        "sentence": each.sentence + 1,
                        "opposed": each.opposed,
                        "comparisons": each.comparisons,
                        "judges": ", ".join(each.judges),
                        "source": corpus.sentences[each.sentence].source,
                    }
                    for each in found.contested[:MOST_CONTESTED]
                ]
            ),
            hide_index=True,
            column_config={"open": st.column_config.LinkColumn("", display_text="open")},
        )


def _card(heading: str, text: str, page: str, link: str, query: dict[str, str] | None = None) -> None:
    st.markdown(f"**{heading}**")
    st.markdown(text)
    st.page_link(navigation.page(page), label=link, icon=":material/arrow_forward:", query_params=query)


def _complete(found: ChosenScores, systems: Collection[str]) -> dict[str, dict[str, float]]:
    """The scores of these systems under the metrics that score all of them, so that rankings can be compared."""
    return {
        name: {system: scores[system] for system in systems}
        for name, scores in found.values.items()
        if all(system in scores for system in systems)
    }


def _opposed(found: ChosenScores) -> None:
    values = _complete(found, found.kept)
    result = most_opposed_metrics(values)
    if result is None:
        st.markdown(_nothing_opposed(len(found.kept), len(values)))
        return
    order, rho = result.agreement.order, minus(f"{result.agreement.spearman.value:.2f}")
    _card(
        f"{plain(result.one)} and {plain(result.other)} disagree most",
        f"The correlation of their rankings is ρ = {rho}. They order {order.opposed} of {order.pairs} pairs of systems "
        "in opposite ways.",
        "rankings",
        "See all rankings",
    )
    ids = {name: metric.id for name, metric in found.metrics.items()}
    sides = ids[result.one], ids[result.other]
    if swapped := swaps(side_scores(found), [sides]):
        first, second = swapped[0].systems
        why_link(f"Why they swap {plain(first)} and {plain(second)}", first, second, sides)
    placed = ranks({name: values[name] for name in (result.one, result.other)})
    data = pd.DataFrame(placed).rename_axis("system")
    panels = partial(_ranks_for_a_paper, placed)
    what = f"The ranks of systems by {result.one} and {result.other}"
    picture(pictures.slopes(placed), "finding-opposed", what, data, panels=panels, index=True)


def _nothing_opposed(systems: int, metrics: int) -> str:
    """Why no two metrics disagree."""
    if systems < FEWEST:
        return f"**Too few systems to compare rankings.** At least {FEWEST} are needed."
    if metrics < 2:
        return "**No two metrics to compare.** Choose more in the sidebar."
    return "**No two metrics to compare.** They give the same score to every system."


def _contested(found: ChosenScores) -> None:
    human = _people(found)
    values = _complete(found, human.scores)
    if len(human.scores) < 2 or not values:
        st.markdown(
            "**Nothing to compare with people.** This needs at least two judged systems, and a metric that scores all "
            "of them."
        )
        return
    result = most_contested_system(values, human.scores)
    if result is None:
        st.markdown("**Every metric ranks every system as people do.**")
        return
    row = result.difference
    _card(
        f"People and {plain(result.metric)} disagree most about {plain(row.system)}",
        f"People place it at rank {row.human_ranks[0]}, {plain(result.metric)} at rank {row.metric_rank} of "
        f"{result.systems}.",
        "rankings",
        "See its rank under every metric",
        {"highlight": row.system},
    )
    side, scores = found.metrics[result.metric].id, side_scores(found)
    if side in scores:
        other, beside = counterpart(scores, side, row.system)
        why_link(f"Why {plain(result.metric)} ranks it there", row.system, other, (side, beside))
    placed = ranks({"people": human.scores, result.metric: values[result.metric]})
    drawn = pictures.slopes(placed, row.system)
    data = pd.DataFrame(placed).rename_axis("system")
    panels = partial(_ranks_for_a_paper, placed, row.system)
    what = f"The ranks of systems by people and {result.metric}"
    picture(drawn, "finding-contested", what, data, panels=panels, index=True)


def _split(found: ChosenScores) -> None:
    scores = {
        column.metric.title: cache.sentence_arrays(found.corpus, column.metric.signature, column)
        for column in found.on_sentences(found.kept).table.columns
    }
    result = split_sentence(
        {name: {system: values[system] for system in found.kept} for name, values in scores.items()}
    )
    if result is None:
        more = "Choose more metrics in the sidebar." if len(found.kept) > 1 else "This needs two systems."
        st.markdown(f"**The metrics agree on every sentence.** {more}")
        return
    st.markdown(f"**The metrics disagree most about sentence {result.sentence + 1}**")
    st.markdown(
        f"{_prefer(result.for_better)} {plain(result.better)}; {_prefer(result.for_worse)} {plain(result.worse)}."
    )
    if not found.corpus.has_texts:
        st.caption("Its text is not on this machine.")
        return
    texts = {"source": found.corpus.sentences[result.sentence].source} | {
        system: found.corpus.systems[system][result.sentence] for system in (result.better, result.worse)
    }
    text_table([(name, escape(text) or "<i>(empty)</i>") for name, text in texts.items()])
    st.page_link(
        navigation.page("sentence"),
        label="See why, edit by edit",
        icon=":material/arrow_forward:",
        query_params={"sentence": str(result.sentence), "system": result.better, "against": result.worse},
    )


def _prefer(names: Sequence[str]) -> str:
    """The names with a verb that fits their number."""
    if len(names) == 1:
        return f"{plain(names[0])} prefers"
    return f"{plain(', '.join(names[:-1]))} and {plain(names[-1])} prefer"


def _fragile(found: ChosenScores) -> None:
    human = _people(found)
    complete = _complete(found, human.scores)
    result = most_fragile_correlation(complete, human.scores)
    if result is None:
        st.markdown("**Too few systems to test how stable the correlations are.**")
        return
    with_it, without = (minus(f"{r:.2f}") for r in (result.value, result.value_without))
    _card(
        f"The correlation of {plain(result.metric)} depends on {plain(result.system)}",
        f"Its correlation with {plain(human.title)} is r = {with_it} over {len(human.scores)} systems, but {without} "
        f"without {plain(result.system)}.",
        "correlation",
        "See what each system contributes",
        {"view": "leave-one-out"},
    )
    values = complete[result.metric]
    drawn = pictures.points(values, human.scores, x=result.metric, y=human.title, left_out=[result.system])
    data = pd.DataFrame({result.metric: values, human.title: human.scores}).dropna().rename_axis("system")
    panels = partial(_scatter_for_a_paper, values, human, result.metric, result.system)
    what = f"{result.metric} and {human.title}, with {result.system} left out of the correlation"
    picture(drawn, "finding-fragile", what, data, panels=panels, index=True)


def _ranks_for_a_paper(placed: Mapping[str, Mapping[str, float]], highlight: str | None = None) -> list[go.Figure]:
    return [charts.bump_chart(placed, highlight)]


def _scatter_for_a_paper(values: Mapping[str, float], human: HumanRanking, metric: str, system: str) -> list[go.Figure]:
    return [charts.scatter(values, human.scores, x=metric, y=human.title, left_out=[system])]


def _people(found: ChosenScores) -> HumanRanking:
    assert found.human is not None  # these findings are drawn only with a human ranking
    return found.human
