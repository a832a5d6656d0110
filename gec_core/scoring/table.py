"""Tables of scores: systems under metrics, with the statistics that the scores are made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gec_core.errors import UnknownMetric
from gec_core.formatting import counted, similar
from gec_core.metrics.base import Metric, Score
from gec_core.types import Array


@dataclass(frozen=True)
class Scored:
    """One system under one metric: its score, and one row of statistics per sentence."""

    score: Score
    statistics: Array


@dataclass(frozen=True)
class MetricScores:
    """All systems under one metric."""

    metric: Metric
    systems: Mapping[str, Scored]
    _sentences: dict[str, Array] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<scores of {counted(len(self.systems), 'system')} under {self.metric.signature}>"

    @property
    def values(self) -> dict[str, float]:
        """The corpus score of each system."""
        return {system: scored.score.value for system, scored in self.systems.items()}

    @property
    def scores_sentences(self) -> bool:
        """Whether any system has sentence scores."""
        return any(self.has_sentences([system]) for system in self.systems)

    def has_sentences(self, systems: Iterable[str]) -> bool:
        """Whether each of these systems has sentence scores; imported scores may lack them."""
        return all(system in self.systems and self.systems[system].statistics.size for system in systems)

    def unfit_to_resample(self, systems: Iterable[str]) -> str:
        """Why the scores of these systems cannot be bootstrapped over sentences; empty if they can."""
        if lacking := [system for system in systems if not self.has_sentences([system])]:
            return f"It has no sentence scores of {', '.join(lacking)}."
        if not self.metric.from_sentences:
            return (
                "Its scores of systems are not the means of its sentence scores, so these give no intervals or tests."
            )
        return ""

    @property
    def truncation(self) -> str:
        """What to say if texts were longer than the metric's model reads; empty if none was."""
        cut = sum(int(each.score.details.get("truncated") or 0) for each in self.systems.values())
        if not cut:
            return ""
        return f"{counted(cut, 'comparison')} had a text longer than the model reads; the rest of it was cut off."

    def sentence_scores(self, system: str) -> Array:
        """The score of each sentence of one system; cached."""
        if system not in self._sentences:
            scores = self.metric.sentence_scores(self.systems[system].statistics)
            scores.setflags(write=False)
            self._sentences[system] = scores
        return self._sentences[system]


@dataclass(frozen=True)
class ScoreTable:
    """Systems under several metrics, on one corpus."""

    corpus: str
    fingerprint: str
    columns: tuple[MetricScores, ...]
    problems: Mapping[str, str] = field(default_factory=dict)
    """Why a requested metric has no column, by its id."""

    def __getitem__(self, metric: str) -> MetricScores:
        """The column of a metric, by its signature or its name in tables (`column_name`)."""
        for column in self.columns:
            if metric in (column.metric.signature, self.column_name(column)):
                return column
        known = [self.column_name(column) for column in self.columns]
        raise UnknownMetric(f"No column {metric!r}. There are: {', '.join(known)}.{similar(metric, known)}")

    def column_name(self, column: MetricScores) -> str:
        """The id of a column's metric; `m2[beta=1.0]` where another column has this id and the usual options."""
        return distinct_name(column.metric, [each.metric.id for each in self.columns])


def distinct_name(metric: Metric, ids: Sequence[str]) -> str:
    """The id of a metric, with the options that were changed if several metrics have this id."""
    changed = ",".join(metric.options.changed()) if ids.count(metric.id) > 1 else ""
    return f"{metric.id}[{changed}]" if changed else metric.id
