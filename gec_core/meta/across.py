"""Metrics across corpora: how well each agrees with people on every corpus, set of judgments and set of systems.

A view is one human ranking of one set of systems. Rankings and pairs are ranked by TrueSkill or Expected Wins, ratings
by their means; a corpus whose texts are not here is compared with published rankings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from gec_core.corpora.catalogue import short_title
from gec_core.errors import MissingInput
from gec_core.human.ranking import Interval, Method, Ranking, interval, places
from gec_core.human.sources import MEAN, NAMES, available, published, ranking_for
from gec_core.meta.correlation import FEWEST, Coefficient, Correlation, Scores, correlate
from gec_core.types import ALL_SYSTEMS, Array, Corpus

Measure = Literal["pearson", "spearman", "kendall", "accuracy"]
MEASURES: Mapping[Measure, str] = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's ρ",
    "kendall": "Kendall's τ",
    "accuracy": "Pairwise accuracy",
}
SAMPLES = 1000


@dataclass(frozen=True)
class View:
    """One human ranking of one set of systems of a corpus."""

    corpus: Corpus
    """With the set of judgments that the ranking is made from."""
    human: str
    """The set of judgments and the method, `edit/ts`, or the id of a published ranking."""
    method: str
    """The name of the ranking, as `ranking_for` takes it."""
    systems: str
    """The name of the set of systems."""

    @property
    def title(self) -> str:
        """The names that commands take."""
        return view_title(self.corpus.name, self.human, self.systems)

    @property
    def label(self) -> str:
        """What pages and figures call it."""
        chosen = self.corpus.judgment_sets.get(self.corpus.chosen_set)
        parts = [label_of(self.corpus.name, self.human, chosen.title if chosen else "")]
        return " · ".join([*parts, *([self.systems] if self.systems in self.corpus.system_sets else [])])

    @property
    def without(self) -> tuple[str, ...]:
        """The systems that are not in the set."""
        kept = self.corpus.system_set(self.systems)
        return tuple(name for name in self.corpus.systems if name not in kept)


@dataclass(frozen=True)
class Cell:
    """One metric in one view."""

    view: View
    metric: str
    n: int
    values: Mapping[str, float | None]
    """By measure."""
    intervals: Mapping[str, Interval]
    reason: str
    """Why there are no values; empty if there are."""
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By system: its place by people and by the metric, in the view; equal scores share the better one."""

    @property
    def misplaced(self) -> list[str]:
        """The two systems that people and the metric place furthest apart, by two places or more."""
        gaps = {system: abs(ours - theirs) for system, (theirs, ours) in self.places.items()}
        far = sorted(gaps, key=lambda system: (-gaps[system], self.places[system]))
        return [system for system in far[:2] if gaps[system] > 1]

    def as_dict(self) -> dict[str, object]:
        """The row of `gec-lens across --format json`; `low` and `high` are those of Pearson's r."""
        r = self.intervals["pearson"]
        named = {"corpus": self.view.corpus.name, "human": self.view.human, "systems": self.view.systems}
        row: dict[str, object] = {**named, "metric": self.metric, "n": self.n, "pearson": self.values["pearson"]}
        row |= {"low": r.low, "high": r.high}
        return row | {measure: self.values[measure] for measure in ("spearman", "kendall", "accuracy")}


def view_title(corpus: str, human: str, systems: str) -> str:
    """A view in one line, in the names that commands take."""
    return " · ".join([corpus, human, *([systems] if systems != ALL_SYSTEMS else [])])


def label_of(corpus: str, human: str, title: str = "") -> str:
    """What people call a ranking of a corpus: `SEEDA · edit-based, TrueSkill`.

    Args:
        corpus: The name of the corpus.
        human: The ranking, as in `View.human`.
        title: The title of its set of judgments, if it has one.
    """
    if human in published():
        return f"{short_title(corpus)} · {published()[human].label}"
    id, _, method = human.rpartition("/")
    aspect = title.endswith(f", {id}")  # one aspect of several that were rated
    judged = id if aspect or not title else title.removeprefix("rankings of ").removesuffix(" rankings")
    made = "mean rating" if method == MEAN else NAMES.get(method, method)
    return f"{short_title(corpus)} · {f'{judged}, {made}' if id else made}"


def views(corpus: Corpus, method: Method = "ts") -> Iterator[View]:
    """All views of a corpus, with this method where people ranked outputs."""
    sets = list(dict.fromkeys([*corpus.system_sets, *([] if corpus.system_sets else [ALL_SYSTEMS])]))
    for judged, human, name in _rankings(corpus, method):
        for systems in sets:
            yield View(judged, human, name, systems)


def _rankings(corpus: Corpus, method: Method) -> Iterator[tuple[Corpus, str, str]]:
    for id in corpus.judgment_sets:
        judged = corpus.judged_by(id)
        name = MEAN if judged.ratings is not None else method
        yield judged, f"{id}/{name}" if len(corpus.judgment_sets) > 1 else name, name
    if corpus.judgment_sets:
        return
    if corpus.judgments:
        yield corpus, method, method
        return
    other = "ew" if method == "ts" else "ts"
    for id in available(corpus):
        if not (id in published() and published()[id].order_only) and not id.endswith(f"-{other}"):
            yield corpus, id, id


def cells(
    view: View, scores: Mapping[str, Scores], *, samples: int = SAMPLES, seed: int = 0, ranking: Ranking | None = None
) -> list[Cell]:
    """The agreement of each metric with people in one view.

    Args:
        view: The view.
        scores: The score of each system, by metric.
        samples: Bootstrap samples over systems behind the intervals.
        seed: The seed of the ranking and of the bootstrap.
        ranking: The human ranking of the view, if it is known already.
    """
    people = (ranking or ranking_for(view.corpus, view.method, seed=seed)).scores
    return [_cell(view, metric, values, people, samples, seed) for metric, values in scores.items()]


def pairwise_accuracy(metric: Array, human: Array) -> Array:
    """The share of pairs of systems that a metric orders as people do, for every row.

    Pairs that people tie are left out; a tie of the metric counts as wrong. NaN where no pair is left.
    """
    left, right = np.triu_indices(metric.shape[1], k=1)
    theirs = np.sign(human[:, left] - human[:, right])
    ours = np.sign(metric[:, left] - metric[:, right])
    counted = (theirs != 0).sum(axis=1)
    right_ones = ((theirs == ours) & (theirs != 0)).sum(axis=1).astype(np.float64)
    return np.divide(right_ones, counted, out=np.full(len(metric), np.nan), where=counted > 0)


def ordered(found: Sequence[Cell], measure: Measure, by: Literal["mean", "worst"]) -> list[str]:
    """The metrics from best to worst by their mean or their worst value over the views that all of them have.

    Where there is no such view, each metric counts with those that it has.
    """
    by_metric: dict[str, dict[str, float]] = {}
    for cell in found:
        if (value := cell.values[measure]) is not None:
            by_metric.setdefault(cell.metric, {})[cell.view.title] = value
    if not by_metric:
        raise MissingInput("No metric has a value. Choose other corpora or metrics.")
    shared = set.intersection(*(set(values) for values in by_metric.values()))
    summary = {
        metric: (min if by == "worst" else _mean)(
            [value for view, value in values.items() if view in shared or not shared]
        )
        for metric, values in by_metric.items()
    }
    return sorted(summary, key=lambda metric: (-summary[metric], metric))


def moves(found: Sequence[Cell], measure: Measure) -> dict[str, tuple[float, float]]:
    """The lowest and the highest value of each metric over the views."""
    by_metric: dict[str, list[float]] = {}
    for cell in found:
        if (value := cell.values[measure]) is not None:
            by_metric.setdefault(cell.metric, []).append(value)
    return {metric: (min(values), max(values)) for metric, values in by_metric.items()}


def swaps(metric: Scores, human: Scores) -> list[tuple[str, str]]:
    """The pairs of systems that a metric orders against people: the one that people prefer comes first."""
    common = sorted(set(metric) & set(human), key=lambda name: -human[name])
    return [(a, b) for a, b in combinations(common, 2) if human[a] > human[b] and metric[a] < metric[b]]


def _cell(view: View, metric: str, values: Scores, people: Scores, samples: int, seed: int) -> Cell:
    found: dict[str, Correlation] = {
        each: correlate(values, people, each, without=view.without) for each in get_args(Coefficient)
    }
    r = found["pearson"]
    told: dict[str, float | None] = {name: each.value for name, each in found.items()}
    intervals = {name: each.interval(samples=samples, seed=seed) for name, each in found.items()}
    told["accuracy"], intervals["accuracy"] = None, interval(np.full(samples, np.nan))
    if r.n >= FEWEST:
        told["accuracy"] = _defined(pairwise_accuracy(r.metric[None], r.human[None])[0])
        drawn = np.random.default_rng(seed).integers(r.n, size=(samples, r.n))
        intervals["accuracy"] = interval(pairwise_accuracy(r.metric[drawn], r.human[drawn]))
    both = zip(places(r.human).tolist(), places(r.metric).tolist(), strict=True)
    return Cell(view, metric, r.n, told, intervals, r.reason, dict(zip(r.systems, both, strict=True)))


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))
