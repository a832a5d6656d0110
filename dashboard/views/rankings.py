"""The page *Rankings*: ranks and scores side by side, as in Table 6 of Gong et al. (2022)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape

import pandas as pd
import streamlit as st

from dashboard import cache, glossary, session, url_state
from dashboard.components.comparison import ChosenScores, HumanRanking, comparison, rank_rows, ranks, tell_peers
from dashboard.components.controls import clickable, pick
from dashboard.components.disagreement import JUDGES, counterpart, open_why, side_scores, why_link
from dashboard.components.exports import ByCommand, csv_button, figure
from dashboard.components.messages import plain
from gec_core import charts
from gec_core.charts.paper import FIGURES, TABLES
from gec_core.formatting import minus
from gec_core.meta import rank_differences
from gec_core.meta.agreement import RankDifference
from gec_core.metrics.base import Metric

Values = Mapping[str, float]
BETWEEN = "\t"
NOBODY = "–"
"""The option that highlights no system."""
LARGE = 10
"""Scores from here on have one decimal."""
_SORT, _MARK, _WHY = "sort", "highlight", "why"
"""What a click does; the first two are choices in the address."""
_CLICKED = "clicked-rank"
"""The metric and the system of the rank that was clicked."""


def show() -> None:
    """Draw the page."""
    st.title("Rankings")
    st.write(
        "The same systems, ranked by people and by metrics. An arrow shows how many ranks higher (↑) or lower (↓) a "
        "metric places a system than people do. Click a rank to see why, a heading to sort by it, a name to highlight "
        "it."
    )
    found = comparison(as_chosen=True)
    cache.warm_models(found.metrics.values())
    if clicked := session.kept(_CLICKED, ""):
        session.keep(_CLICKED, "")
        _open_why(found, *clicked.split(BETWEEN))
    human, kept = found.human, found.kept
    everything = ({human.title: human.scores} if human else {}) | found.values
    left, right = st.columns(2)
    rankings = list(everything)
    sort_by = left.selectbox("Sort by", rankings, key=url_state.choice(_SORT, rankings, rankings[0]))
    names = [NOBODY, *kept]
    marked = right.selectbox("Highlight", names, key=url_state.choice(_MARK, names, NOBODY))
    ranking_table(
        found.values,
        (human.title, human.scores) if human else None,
        found.metrics,
        sort_by=sort_by,
        marked=marked,
        order_only=bool(human and human.order_only),
    )
    if marked in kept and len(kept) > 1:
        scores = side_scores(found)
        side = next((each for each in scores if each != JUDGES and marked in scores[each]), "")
        if side:
            other, beside = counterpart(scores, side, marked)
            why_link(f"Why {plain(marked)} is ranked differently", marked, other, dict.fromkeys((side, beside)))
    _tell_unjudged(found.unjudged)
    tell_peers(found)
    judged = human.scores if human else None
    command = ByCommand("ranking", found.for_papers) if human else None
    name = f"{found.corpus.name}-rankings"
    csv_button(ranking_frame(everything, judged), name, TABLES["ranking"], index=True, command=command)
    if len(everything) > 1:
        st.subheader("Ranks compared")
        placed = ranks(everything, judged)
        figure(
            charts.bump_chart(placed, marked if marked in kept else None),
            f"{found.corpus.name}-bump-chart",
            FIGURES["ranking"],
            pd.DataFrame(placed).rename_axis("system"),
            index=True,
            wide=True,
            command=command,
        )
    if human:
        _rank_ranges(found, human)


def _open_why(found: ChosenScores, side: str, system: str) -> None:
    """Open the page *Why* for the rank that was clicked, or say why it has no answer."""
    scores = side_scores(found)
    whole = {column.metric.id: column.metric.title for column in found.table.columns if not column.scores_sentences}
    if side in whole:
        st.info(
            f"{plain(whole[side])} has scores of whole systems only. Without scores of sentences nothing "
            f"can be said about why it puts {plain(system)} there."
        )
    elif system in scores.get(side, ()):
        other, beside = counterpart(scores, side, system)
        if other == system:
            st.info(f"There is no other system to compare {plain(system)} with.")
        else:
            open_why(system, other, dict.fromkeys((side, beside)))


def _tell_unjudged(systems: Sequence[str]) -> None:
    """Explain the ranks in brackets."""
    if not systems:
        return
    st.caption(
        f"No judge has seen {plain(', '.join(systems))}. Ranks in brackets are those that a system would take among "
        "the judged systems. All other ranks, the arrows, the sums and the chart include judged systems only."
    )


def _rank_ranges(found: ChosenScores, human: HumanRanking) -> None:
    """Draw the ranks of each system in bootstrap samples, if the ranking is computed from judgments."""
    ranked = cache.human_ranking(found.corpus, human.name, ranges=True)
    if not ranked.samples:
        return
    st.subheader("How certain the human ranks are", help=glossary.help("95% interval"))
    st.write(
        f"The bars cover the ranks by {human.title} in 95% of {ranked.samples:,} bootstrap samples of the judged "
        "items. If the bars of two systems overlap, other sentences might have swapped them."
    )
    rows = rank_rows(ranked, found.kept)
    data = pd.DataFrame(rows, columns=["system", "rank", "lowest", "highest"])
    what = f"The ranks by {human.title} in 95% of {ranked.samples:,} bootstrap samples of the judged items"
    if len(rows) < len(ranked.standings):
        among = f"among all {len(ranked.standings)} systems that were judged, those left out included"
        st.caption(f"These are ranks {among}.")
        what += f", {among}"
    figure(charts.intervals(rows, x="rank"), f"{found.corpus.name}-rank-ranges", what, data, shows=())


def ranking_frame(values: Mapping[str, Values], judged: Collection[str] | None = None) -> pd.DataFrame:
    """Return scores and ranks for download, one row per system; systems without judgments have no rank."""
    columns: dict[str, pd.Series] = {}
    for name, places in ranks(values, judged).items():
        columns |= {name: pd.Series(values[name]), f"{name} rank": pd.Series(places, dtype="Int64")}
    frame = pd.DataFrame(columns).rename_axis("system")
    if judged is not None:
        frame["judged"] = ["yes" if system in judged else "no" for system in frame.index]
    return frame


def ranking_table(
    values: Mapping[str, Values],
    human: tuple[str, Values] | None,
    metrics: Mapping[str, Metric],
    *,
    sort_by: str,
    marked: str | None,
    order_only: bool = False,
) -> None:
    """Draw the table of ranks and scores.

    Args:
        values: The scores of each metric, by its name.
        human: The title and the scores of the human ranking. A system without judgments gets the rank that it would
            take among the judged ones, in brackets.
        metrics: The metrics by name.
        sort_by: The ranking that puts the rows in order.
        marked: The system whose row is highlighted.
        order_only: Whether the human ranking has no scores to show.
    """
    everything = ({human[0]: human[1]} if human else {}) | dict(values)
    placed = ranks(everything, human[1] if human else None)
    compared = {name: rank_differences(scores, human[1]) for name, scores in values.items()} if human else {}
    rows = {name: {row.system: row for row in found.rows} for name, found in compared.items()}
    by = everything[sort_by]
    systems = sorted(
        {system for scores in everything.values() for system in scores},
        key=lambda system: (system not in by, -by.get(system, 0.0), system),
    )
    head = "".join(_heading(name, metrics.get(name), name == sort_by) for name in everything)
    body = ""
    for system in systems:
        cells = "".join(
            _cell(system, scores, placed[name], rows.get(name, {}).get(system), metrics.get(name), order_only)
            for name, scores in everything.items()
        )
        mark = " class=marked" if system == marked else ""
        told = "Remove the highlight" if system == marked else "Highlight"
        name = _button(escape(system + session.corpus().mark(system)), told, _MARK, NOBODY if mark else system)
        body += f"<tr{mark}><th scope=row>{name}</th>{cells}</tr>"
    sums = "".join(f"<td>{found.total}</td>" for found in compared.values())
    told = escape(glossary.help("Sum of distances"), quote=True)
    foot = f'<tfoot><tr><th scope=row title="{told}">sum of distances</th><td></td>{sums}</tr></tfoot>' if human else ""
    clickable(
        "<div class=lens-scroll tabindex=0><table class='lens-table lens-pinned lens-rankings'><thead><tr>"
        f"<th scope=col>system</th>{head}</tr></thead><tbody>{body}</tbody>{foot}</table></div>",
        key="rankings-table",
        on_pick=_take_click,
    )


def _take_click(picked: str) -> None:
    """Callback: sort or highlight, or open the page *Why* when this one is drawn."""
    what, *rest = picked.split(BETWEEN)
    if what == _WHY:
        session.keep(_CLICKED, BETWEEN.join(rest))
    elif what in (_SORT, _MARK):
        url_state.set_choice(what, rest[0])


def _button(html: str, title: str, *pick_parts: str) -> str:
    """Something to click that the keyboard reaches as well."""
    return (
        f'<button class=lens-name title="{escape(title, quote=True)}" {pick(BETWEEN.join(pick_parts))}>{html}</button>'
    )


def _heading(name: str, metric: Metric | None, is_sorted: bool) -> str:
    told = f"{metric.summary} Signature: {metric.signature}" if metric else "The human ranking."
    mark = " class=sorted aria-sort=ascending" if is_sorted else ""
    return f"<th scope=col{mark}>{_button(escape(name), f'Sort by this ranking. {told}', _SORT, name)}</th>"


def _cell(
    system: str,
    scores: Values,
    places: Mapping[str, int],
    beside: RankDifference | None,
    metric: Metric | None,
    order_only: bool,
) -> str:
    """Rank, arrow and score; `beside` compares the rank with people's, and the human ranking has no metric."""
    if system not in scores:
        return "<td>–</td>" if metric else "<td><span class=unjudged>not judged</span></td>"
    score = scores[system]
    rank = f"{places[system]}" if system in places else f"({1 + sum(scores[other] > score for other in places)})"
    why = f" {pick(BETWEEN.join([_WHY, metric.id if metric else JUDGES, system]))} title='Why?'"
    if metric is None and order_only:
        return f"<td{why}>{rank}</td>"
    arrow = ""
    if beside:
        kind = "up" if beside.raised > 0 else "down" if beside.raised < 0 else "same"
        arrow = f"<span class='arrow {kind}'>{beside.arrow}</span>"
    digits = 2 if metric and metric.percent else 3 if max(map(abs, scores.values())) < LARGE else 1
    shown = minus(f"{score:.{digits}f}")
    return f"<td{why}>{rank}{arrow}<span class=score>{shown}</span></td>"
