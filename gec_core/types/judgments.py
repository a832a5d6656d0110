"""What people said about outputs: rankings, ratings, and verdicts on single edits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from gec_core.errors import CorpusError
from gec_core.formatting import counted
from gec_core.types.base import Array, Edit, Note


@dataclass(frozen=True, slots=True)
class Ranked:
    """Systems with the same output, and the rank that a judge gave it (1 is best)."""

    systems: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judge's ranking of some outputs for one sentence (counted from 0)."""

    sentence: int
    judge: str
    ranked: tuple[Ranked, ...]


@dataclass(frozen=True)
class Judgments:
    """All rankings of the outputs of a corpus, in the order of the file."""

    items: tuple[Judgment, ...]

    def __repr__(self) -> str:
        return f"<{counted(len(self.items), 'ranking')} by {counted(len(self.judges), 'judge')}>"

    @cached_property
    def judges(self) -> tuple[str, ...]:
        return tuple(sorted({item.judge for item in self.items}))

    @cached_property
    def systems(self) -> tuple[str, ...]:
        return tuple(sorted({name for item in self.items for place in item.ranked for name in place.systems}))

    def at(self, place: Mapping[int, int]) -> Judgments:
        """The judgments of these sentences alone, given the new number of each."""
        return Judgments(
            tuple(replace(item, sentence=place[item.sentence]) for item in self.items if item.sentence in place)
        )

    def by(self, judges: Iterable[str]) -> Judgments:
        """The judgments of these judges alone."""
        wanted = set(judges)
        unknown = sorted(wanted - set(self.judges))
        if unknown:
            raise CorpusError(f"No judge {', '.join(unknown)}. There are: {', '.join(self.judges)}.")
        return Judgments(tuple(item for item in self.items if item.judge in wanted))

    def among(self, systems: Iterable[str]) -> Judgments:
        """The judgments as if only these systems had been ranked; items keep their numbers, even if nothing is left."""
        wanted = set(systems)
        return Judgments(tuple(replace(item, ranked=tuple(_among(item.ranked, wanted))) for item in self.items))


def _among(places: Iterable[Ranked], systems: Collection[str]) -> Iterator[Ranked]:
    """The places that belong to at least one of these systems, and only these."""
    for place in places:
        if kept := tuple(name for name in place.systems if name in systems):
            yield place if len(kept) == len(place.systems) else Ranked(kept, place.rank)


@dataclass(frozen=True, slots=True)
class EditVerdict:
    """One judge's verdict on a single edit of an output."""

    sentence: int
    """Counted from 0."""
    judge: str
    systems: tuple[str, ...]
    """The systems with exactly this output; empty if no system of the corpus has it."""
    edit: Edit
    accepted: bool


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of outputs on one aspect, higher is better."""

    systems: tuple[str, ...]
    values: Array
    """The mean rating, one row per system and one column per sentence; NaN where an output was not rated."""
    low: float
    high: float
    each: Array | None = None
    """The single ratings behind the means (systems, sentences, raters), NaN where there is none."""

    @property
    def means(self) -> dict[str, float]:
        """The mean of each system over its rated sentences."""
        return {
            name: float(row[~np.isnan(row)].mean())
            for name, row in zip(self.systems, self.values, strict=True)
            if not np.isnan(row).all()
        }

    def ranked(self, judge: str) -> Judgments:
        """The ratings as rankings, one per sentence with at least two rated systems; equal ratings share a rank."""
        items = []
        for sentence, column in enumerate(self.values.T):
            rated = np.flatnonzero(~np.isnan(column))
            if len(rated) < 2:
                continue
            levels = sorted(set(column[rated].tolist()), reverse=True)
            places = tuple(Ranked((self.systems[at],), levels.index(column[at]) + 1) for at in rated)
            items.append(Judgment(sentence, judge, places))
        return Judgments(tuple(items))


@dataclass(frozen=True)
class JudgmentSet:
    """One of the sets of judgments of a corpus."""

    id: str
    title: str
    kind: Literal["rankings", "pairs", "ratings"]
    judgments: Judgments
    """Rankings; those of ratings are derived from the mean rating of each output."""
    ratings: Ratings | None = None
    counted_from: int = 0
    """The number that the file gives to the first sentence."""
    evidence: str = ""
    """How this was found out, in words."""
    citation: str = ""
    remarks: tuple[Note, ...] = ()
    """What of the file is left out, and what seems to be missing."""

    def at(self, place: Mapping[int, int]) -> JudgmentSet:
        """The judgments of these sentences alone, given the new number of each."""
        ratings = self.ratings
        if ratings is not None:
            lines = list(place)
            each = None if ratings.each is None else ratings.each[:, lines]
            ratings = replace(ratings, values=ratings.values[:, lines], each=each)
        return replace(self, judgments=self.judgments.at(place), ratings=ratings)
