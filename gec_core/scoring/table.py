"""Tables of scores: systems under metrics, with the statistics that the scores are made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gec_core.errors import UnknownMetric
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
        """The column of a metric, by its signature or, if it is unique, its id."""
        found = [each for each in self.columns if metric in (each.metric.signature, each.metric.id)]
        if len(found) != 1:
            known = ", ".join(each.metric.signature for each in self.columns)
            raise UnknownMetric(f"{len(found)} columns are called {metric!r}. There are: {known}.")
        return found[0]
