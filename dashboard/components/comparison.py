"""The scores that most pages show: the chosen metrics beside the chosen human ranking, without the systems left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from dashboard import cache, session
from dashboard.components.messages import end_page, plain
from dashboard.components.progress import waiting_metrics
from gec_core.charts.paper import PaperScores, cited, named
from gec_core.human import Ranking, published
from gec_core.human.ranking import AGGREGATES, from_scores
from gec_core.metrics.base import Metric
from gec_core.scoring.table import ScoreTable
from gec_core.types import Corpus


@dataclass(frozen=True)
class HumanRanking:
    """A human ranking with its title."""

    name: str
    title: str
    ranking: Ranking
    scores: dict[str, float]
    """Of the systems that have outputs and are not left out."""
    all_scores: dict[str, float]
    """Of the systems that have outputs, left out or not."""

    @property
    def order_only(self) -> bool:
        """Whether the ranking was published without scores; `scores` then only put the systems in order."""
        return self.name in published() and published()[self.name].order_only


@dataclass(frozen=True)
class ChosenScores:
    """The scores of the chosen metrics, and the human ranking to compare them with."""

    corpus: Corpus
    table: ScoreTable
    human: HumanRanking | None
    left_out: tuple[str, ...]
    waiting: tuple[Metric, ...] = ()
    """The chosen metrics that are not scored yet."""

    @property
    def metrics(self) -> dict[str, Metric]:
        """The metrics that are scored, by name."""
        return {column.metric.title: column.metric for column in self.table.columns}

    @property
    def all_values(self) -> dict[str, dict[str, float]]:
        """Scores of all systems, by the name of the metric."""
        return {column.metric.title: dict(column.values) for column in self.table.columns}

    @property
    def values(self) -> dict[str, dict[str, float]]:
        """Scores of the systems that are not left out, by the name of the metric."""
        return {
            name: {system: value for system, value in values.items() if system not in self.left_out}
            for name, values in self.all_values.items()
        }

    @property
    def kept(self) -> list[str]:
        """The systems that are not left out."""
        return [system for system in self.corpus.systems if system not in self.left_out]

    @property
    def unjudged(self) -> list[str]:
        """The systems that are neither left out nor in the human ranking."""
        return [system for system in self.kept if self.human and system not in self.human.scores]

    @property
    def for_papers(self) -> PaperScores:
        """The scores as tables and figures of papers take them."""
        human = self.human
        if human is None:
            left_out, notes = self.left_out, self.corpus.notes
            return PaperScores(named(self.corpus), self.metrics, self.values, left_out=left_out, notes=notes)
        unscored = (system for system in human.ranking.systems if system not in self.kept)
        return PaperScores(
            named(self.corpus),
            self.metrics,
            self.values,
            human=human.name,
            people=human.title,
            judged=human.scores,
            left_out=tuple(dict.fromkeys([*unscored, *self.left_out])),
            notes=self.corpus.notes,
            citation=cited(self.corpus),
        )

    def on_sentences(self, systems: Sequence[str]) -> ChosenScores:
        """Keep the metrics that scored every sentence of these systems; imported scores may lack some."""
        columns = tuple(column for column in self.table.columns if column.has_sentences(systems))
        return replace(self, table=replace(self.table, columns=columns))


def chosen_systems(corpus: Corpus) -> list[str]:
    """Name the systems that are not left out; end the page if there are none."""
    if not corpus.systems:
        st.info("This corpus has no system outputs. Add one file per system to its folder `systems`.")
        end_page()
    kept = [system for system in corpus.systems if system not in session.left_out()]
    if not kept:
        st.info("All systems are left out. Take some back in under “Leave out” in the sidebar.")
        end_page()
    return kept


def comparison(*, as_chosen: bool = False) -> ChosenScores:
    """Return the scores that are ready, and draw the progress of the others; end the page if there are none.

    Args:
        as_chosen: Whether the scores of systems are made as the sidebar says; otherwise as metrics define them.
    """
    corpus, left_out = session.corpus(), tuple(session.left_out())
    chosen_systems(corpus)
    if not session.metrics():
        st.info("Choose at least one metric in the sidebar.")
        end_page()
    scored = cache.scores(corpus, session.metrics(), session.uploads().metrics_for(corpus))
    waiting_metrics(corpus, scored.waiting)
    if not scored.table.columns:
        end_page()
    for column in scored.table.columns:
        if column.truncation:
            st.caption(f"{plain(column.metric.title)}: {column.truncation}")
    table = _aggregated(corpus, scored.table) if as_chosen else scored.table
    return ChosenScores(corpus, table, _human(corpus, left_out), left_out, scored.waiting)


def _aggregated(corpus: Corpus, table: ScoreTable) -> ScoreTable:
    """The table with scores of systems made as the sidebar says, which is told; metrics that cannot keep theirs."""
    how = session.aggregate()
    if how == "usual" or len(corpus.systems) < 2:
        return table
    kept = [column.metric.title for column in table.columns if not column.has_sentences(corpus.systems)]
    st.caption(
        f"Scores of systems are {AGGREGATES[how].replace('its', 'their')}, as human rankings are made."
        + (f" {plain(', '.join(kept))} lacks sentence scores and keeps its own." if kept else "")
    )
    columns = [
        column if column.metric.title in kept else cache.aggregated(corpus, column, how) for column in table.columns
    ]
    return replace(table, columns=tuple(columns))


def with_sentences(found: ChosenScores, systems: Sequence[str]) -> ChosenScores:
    """Keep the metrics that scored every sentence of these systems, name the others; end the page if none is left."""
    fewer = found.on_sentences(systems)
    if left := [name for name in found.metrics if name not in fewer.metrics]:
        st.caption(
            f"Not shown here: {plain(', '.join(left))}. The imported scores do not cover every sentence of these "
            f"{len(systems)} systems."
        )
    if not fewer.table.columns:
        st.info("None of the chosen metrics has sentence scores. Choose another one in the sidebar.")
        end_page()
    return fewer


def with_people(found: ChosenScores) -> HumanRanking:
    """Return the human ranking; end the page if there is none."""
    if found.human is None:
        st.info(
            "This corpus has no human judgments to compare the metrics with. Add `judgments.xml`, `judgments.csv` or "
            "`human.tsv` to its folder; the README describes their formats."
        )
        end_page()
    return found.human


def tell_unjudged(found: ChosenScores, judged: Collection[str]) -> None:
    """Name the systems that do not appear because no judge saw them, such as uploaded ones."""
    if unjudged := [system for system in found.kept if system not in judged]:
        st.caption(f"Not shown: {plain(', '.join(unjudged))}, which no judge has seen.")


def tell_peers(found: ChosenScores) -> None:
    """Name the metrics whose scores depend on systems that are left out."""
    weighed = [name for name, metric in found.metrics.items() if metric.by_peers]
    if weighed and found.left_out:
        st.caption(
            f"{plain(', '.join(weighed))} weights edits by how many systems got them right. The weights come from all "
            f"{len(found.corpus.systems)} systems, including {plain(', '.join(found.left_out))}."
        )


def _human(corpus: Corpus, left_out: tuple[str, ...]) -> HumanRanking | None:
    name = session.human()
    if name is None:
        return None
    ranking = cache.human_ranking(corpus, name)
    scores = {system: score for system, score in ranking.scores.items() if system in corpus.systems}
    return HumanRanking(
        name,
        cache.human_rankings(corpus)[name],
        ranking,
        {system: score for system, score in scores.items() if system not in left_out},
        scores,
    )


def ranks(values: Mapping[str, Mapping[str, float]], among: Collection[str] | None = None) -> dict[str, dict[str, int]]:
    """Return the rank of each system in each ranking, 1 for the best; equal scores share the better rank.

    Args:
        values: The scores of each ranking.
        among: The systems to rank, for example those that people judged; all of them if None.
    """
    placed = {}
    for name, scores in values.items():
        ranked = {system: score for system, score in scores.items() if among is None or system in among}
        placed[name] = {standing.system: standing.rank for standing in from_scores(ranked, name).standings}
    return placed


def rank_rows(ranking: Ranking, systems: Collection[str]) -> list[tuple[str, float, float, float]]:
    """Return system, rank and the range of ranks in bootstrap samples, for a chart of intervals."""
    return [
        (each.system, each.rank, each.rank_low or each.rank, each.rank_high or each.rank)
        for each in ranking.standings
        if each.system in systems
    ]
