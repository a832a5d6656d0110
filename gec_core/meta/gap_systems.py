"""Which groups of edits pull which systems up or down: all systems against the system with the mean counts.

The system with the mean counts ("the mean system" below) has, in every sentence, the mean of what the systems have of
each summed number. Its score is not the mean of the scores: a score such as F0.5 is not linear in its counts. A
system's score less that of the mean system is split as the gap of two systems is (gec_core.meta.gap_sentences); an edit
contributes its credit, and the mean system has a share of every system's edits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gec_core.meta.aumann_shapley import mean_gradient, reach
from gec_core.meta.edit_fates import MadeEdit, edits_with_matches, read_edits
from gec_core.meta.gap_edits import By, credit_seconds, credits_of, group_name
from gec_core.metrics.sums import Sums
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Array, Corpus, Progress, ignore


@dataclass(frozen=True, eq=False)
class GroupMap:
    """What each group of edits contributes to each system's distance from the mean system."""

    by: By
    systems: tuple[str, ...]
    groups: tuple[str, ...]
    """The group with the largest contributions first."""
    contributions: Array
    """Systems × groups."""
    rest: Array
    """For each system what no edit contributes."""
    scores: Array
    mean: float
    """The score of the mean system, which is not the mean of `scores`."""

    @property
    def residual(self) -> float:
        """The largest difference between a system's distance and the sum of its contributions: rounding."""
        sums = self.contributions.sum(axis=1) + self.rest
        return float(np.abs(self.scores - self.mean - sums).max(initial=0.0))


def group_map(
    corpus: Corpus,
    column: MetricScores,
    by: By,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> GroupMap:
    """Split the distance of every system from the mean system by groups of edits.

    Args:
        corpus: The corpus.
        column: The scores of its systems under one metric.
        by: What edits are grouped by.
        store: Where edits and credits are looked up and kept.
        on_progress: Told how far the work is.

    Raises:
        MissingInput: Credits are not known, and cannot be computed here.
    """
    systems = tuple(column.systems)
    sums, states, numbers = _counted(column)
    texts = read_edits(corpus, systems, store, on_progress) if corpus.has_texts else None
    lengths, read = edits_with_matches(corpus, systems, texts)
    sizes = {place: len(edits) for place, edits in read.items() if edits}
    credits = credits_of(corpus, column.metric, sums, states, sizes, texts, store=store, on_progress=on_progress)
    start = sums.totals(np.mean(numbers, axis=0))
    ends = [sums.totals(own) for own in numbers]
    slopes = np.array([_slopes(sums, start, end) for end in ends])

    # What the edits of each system do to the numbers: systems × sentences (or one row for all) × numbers, by group.
    shape = len(systems), *slopes.shape[1:]
    done: dict[str, Array] = {}
    unmade = np.array([own.sum(axis=0, keepdims=True) if shape[1] == 1 else own for own in numbers])
    for place, edits in read.items():
        at, line = systems.index(place.system), place.line if shape[1] > 1 else 0
        for edit, credit in zip(edits, credits[place].edits if edits else (), strict=True):
            name = group_name(MadeEdit(place, edit, edit.match), by, int(lengths[place.line]))
            done.setdefault(name, np.zeros(shape))[at, line] += credit
            unmade[at, line] -= credit
    split = {name: _against_mean(slopes, each) for name, each in done.items()}
    order = sorted(split, key=lambda name: (-float(np.abs(split[name]).sum()), name))
    scores = np.array(list(column.values.values()))
    drawn = scores - [np.mean(sums.score(end)) for end in ends]
    return GroupMap(
        by=by,
        systems=systems,
        groups=tuple(order),
        contributions=np.column_stack([split[name] for name in order]) if order else np.zeros((len(systems), 0)),
        rest=_against_mean(slopes, unmade) + drawn,
        scores=scores,
        mean=float(np.mean(sums.score(start))),
    )


def map_seconds(corpus: Corpus, column: MetricScores, store: Store) -> float:
    """Estimate how long `group_map` computes credits; 0 if all of them are known. The edits must be read already.

    Raises:
        MissingInput: Credits are not known, and cannot be computed here.
    """
    systems = tuple(column.systems)
    sums, states, _ = _counted(column)
    if corpus.has_texts:
        sizes = {place: len(edits) for place, edits in read_edits(corpus, systems, store).items()}
    else:
        sizes = {place: len(edits) for place, edits in edits_with_matches(corpus, systems, None)[1].items() if edits}
    return credit_seconds(corpus, column.metric, sums, states, sizes, store)


def _counted(column: MetricScores) -> tuple[Sums, dict[str, Array], tuple[Array, ...]]:
    """How the score follows from sums, and for each system the states and the numbers of its sentences."""
    statistics = [scored.statistics for scored in column.systems.values()]
    sums = column.metric.sums(statistics)
    states, numbers = zip(*map(sums.of_system, statistics), strict=True)
    return sums, dict(zip(column.systems, states, strict=True)), numbers


def _slopes(sums: Sums, start: Array, end: Array) -> Array:
    """The prices on the way from the mean system to a system."""
    found = mean_gradient(sums.smooth or sums.score, sums.kinks, start, end).gradients
    return sums.slopes(reach(found, end - start, sums.score(end) - sums.score(start)))


def _against_mean(slopes: Array, done: Array) -> Array:
    """For each system the worth of what was done by it, less the mean over all systems, at its own prices."""
    found: Array = np.sum(slopes * (done - done.mean(axis=0)), axis=(1, 2))
    return found
