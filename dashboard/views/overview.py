"""Findings in words, each with a small picture and a link to the page that shows it in full."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pandas as pd
import streamlit as st

from dashboard import cache, navigation
from dashboard.charts import pictures
from dashboard.components.comparison import Comparison, Human, comparison, ranks
from dashboard.components.exports import picture
from dashboard.components.messages import plain
from dashboard.navigation import page
from gec_core.formatting import minus
from gec_core.meta.correlation import FEWEST
from gec_core.meta.findings import (
    most_contested_system,
    most_fragile_correlation,
    most_opposed_metrics,
    split_sentence,
)


def show() -> None:
    """Draw the page."""
    st.title("Overview")
    found = comparison()
    corpus = found.corpus
    st.write(
        f"**{plain(corpus.info.title or corpus.name)}**: who disagrees about what. "
        "Every finding below is computed from the corpus and from the choices in the sidebar."
    )

    st.page_link(page("tour"), label="New to these metrics? Take the tour", icon=":material/tour:")
    with st.container(horizontal=True, gap="medium"):
        for label, value, told in cache.facts(corpus):
            st.metric(label, value, help=plain(told), width="content")

    st.subheader("What stands out")
    findings(found)


def findings(found: Comparison) -> None:
    """All findings that there are, two beside each other."""
    partial = [name for name, scores in found.values.items() if len(scores) < len(found.kept)]
    if partial:
        st.caption(
            f"Not every system has a score by {plain(', '.join(partial))}. A finding goes by the metrics that score "
            "all the systems it compares."
        )
    drawn = [_opposed, _split] if found.human is None else [_opposed, _contested, _split, _fragile]
    places = [place for _ in range((len(drawn) + 1) // 2) for place in st.columns(2, gap="medium")]
    for place, draw in zip(places, drawn, strict=False):
        with place, st.container(border=True, height="stretch"):
            draw(found)


def _card(heading: str, text: str, page: str, link: str, query: dict[str, str] | None = None) -> None:
    st.markdown(f"**{heading}**")
    st.markdown(text)
    st.page_link(navigation.page(page), label=link, icon=":material/arrow_forward:", query_params=query)


def _complete(found: Comparison, systems: Collection[str]) -> dict[str, dict[str, float]]:
    """The scores of these systems under the metrics that score all of them: only such rankings can be compared."""
    return {
        name: {system: scores[system] for system in systems}
        for name, scores in found.values.items()
        if all(system in scores for system in systems)
    }


def _opposed(found: Comparison) -> None:
    values = _complete(found, found.kept)
    result = most_opposed_metrics(values)
    if result is None:
        st.markdown(_nothing_opposed(len(found.kept), len(values)))
        return
    order, rho = result.agreement.order, minus(f"{result.agreement.spearman.value:.2f}")
    _card(
        f"{plain(result.one)} and {plain(result.other)} disagree most",
        f"Their rankings of the systems correlate with ρ = {rho}; they order "
        f"{order.opposed} of {order.pairs} pairs of systems in opposite ways.",
        "rankings",
        "See all rankings",
    )
    placed = ranks({name: values[name] for name in (result.one, result.other)})
    picture(pictures.slopes(placed), "finding-opposed", pd.DataFrame(placed).rename_axis("system"), index=True)


def _nothing_opposed(systems: int, metrics: int) -> str:
    """Why there are no two metrics that disagree."""
    if systems < FEWEST:
        return f"**Too few systems to compare rankings.** At least {FEWEST} are needed."
    if metrics < 2:
        return "**No two metrics to compare.** Choose more in the sidebar."
    return "**No two metrics to compare.** They give the same score to every system."


def _contested(found: Comparison) -> None:
    human = _people(found)
    values = _complete(found, human.scores)
    if len(human.scores) < 2 or not values:
        st.markdown(
            "**Nothing to compare with people.** At least two judged systems are needed, and a metric that scores all "
            "of them."
        )
        return
    result = most_contested_system(values, human.scores)
    if result is None:
        st.markdown("**Every metric ranks every system as people do.**")
        return
    row = result.difference
    _card(
        f"{plain(row.system)} is seen most differently",
        f"People put it on rank {row.human_ranks[0]}, {plain(result.metric)} on rank {row.metric_rank} "
        f"of {result.systems}.",
        "rankings",
        "Follow it through the rankings",
        {"highlight": row.system},
    )
    placed = ranks({"people": human.scores, result.metric: values[result.metric]})
    drawn = pictures.slopes(placed, row.system)
    picture(drawn, "finding-contested", pd.DataFrame(placed).rename_axis("system"), index=True)


def _split(found: Comparison) -> None:
    scores = {
        column.metric.name: cache.sentence_arrays(found.corpus, column.metric.signature, column)
        for column in found.on_sentences(found.kept).table.columns
    }
    result = split_sentence(
        {name: {system: values[system] for system in found.kept} for name, values in scores.items()}
    )
    if result is None:
        more = "Choose more of them in the sidebar." if len(found.kept) > 1 else "That takes two systems."
        st.markdown(f"**No sentence splits the metrics.** {more}")
        return
    st.markdown(f"**Sentence {result.sentence} splits the metrics**")
    st.markdown(
        f"{_prefer(result.for_better)} {plain(result.better)}; {_prefer(result.for_worse)} {plain(result.worse)}."
    )
    if not found.corpus.has_texts:
        st.caption("Its text is not on this machine.")
        return
    for label, text in (
        ("source", found.corpus.sentences[result.sentence].source),
        (result.better, found.corpus.systems[result.better][result.sentence]),
        (result.worse, found.corpus.systems[result.worse][result.sentence]),
    ):
        st.caption(plain(label))
        st.text(text or "(empty)")
    st.page_link(
        navigation.page("sentence"),
        label="See why, edit by edit",
        icon=":material/arrow_forward:",
        query_params={"sentence": str(result.sentence), "system": result.better, "against": result.worse},
    )


def _prefer(names: Sequence[str]) -> str:
    """Who prefers something: one, or several."""
    if len(names) == 1:
        return f"{plain(names[0])} prefers"
    return f"{plain(', '.join(names[:-1]))} and {plain(names[-1])} prefer"


def _fragile(found: Comparison) -> None:
    human = _people(found)
    complete = _complete(found, human.scores)
    result = most_fragile_correlation(complete, human.scores)
    if result is None:
        st.markdown("**Too few systems to say how firm the correlations are.**")
        return
    with_it, without = (minus(f"{r:.2f}") for r in (result.value, result.value_without))
    _card(
        f"{plain(result.metric)} hangs on {plain(result.system)}",
        f"Its correlation with {plain(human.title)} is r = {with_it} over {len(human.scores)} systems, and "
        f"{without} without {plain(result.system)}.",
        "correlation",
        "Leave systems out yourself",
        {"view": "leave-one-out"},
    )
    values = complete[result.metric]
    drawn = pictures.points(values, human.scores, x=result.metric, y=human.title, left_out=[result.system])
    data = pd.DataFrame({result.metric: values, human.title: human.scores}).dropna().rename_axis("system")
    picture(drawn, "finding-fragile", data, index=True)


def _people(found: Comparison) -> Human:
    assert found.human is not None  # these findings are drawn only with a human ranking
    return found.human
