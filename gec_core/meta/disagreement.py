"""Where two metrics, or a metric and the judges, order two outputs of a sentence in opposite ways.

How strongly they disagree is told on each one's own scale. A difference of scores counts as much as the share
of all pairs of different outputs that the same side sets less far apart: .9 means that nine of ten pairs are
closer. The strength of a disagreement is the smaller of both shares, so neither side is indifferent where it is
high. Judges set two outputs as far apart as the places they gave them, on the mean over all judges who compared
the two. Ties are no disagreement, whoever ties; they are counted, and `where` can ask for those that one side ties
and the other does not, whose strength is the share of the side that does not.

Where there are judgments, what the judges think of a pair is told even if neither side is theirs: it says who of
the two is right.

Systems with the same output on a sentence are one output there, so that each pair of outputs is listed once; a
filter on systems comes first, so an output that only one of those kept has stays, whoever else has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gec_core.align import errant_types
from gec_core.errors import MissingInput, ScoreError
from gec_core.meta.agreement import OrderAgreement
from gec_core.meta.sides import Opinions, Side, TypeTable, one_of_each, same_outputs, side_of
from gec_core.types import Array, Corpus, Flags, Integers

Tie = Literal["first", "second"]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one side thinks of two outputs of a sentence."""

    better: tuple[str, ...]
    """The systems with the output that this side prefers; empty if it sees no difference."""
    difference: float
    """By how much it prefers it: points of the metric, or places."""
    share: float
    """The share of pairs of outputs that it sets less far apart."""
    better_score: float | None = None
    worse_score: float | None = None
    """What a metric gives them; None for judges."""
    votes: tuple[int, int, int] | None = None
    """Judges who prefer it (without a difference: the first output), who prefer the other one, who compared the two;
    None for metrics."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two outputs of one sentence that the two sides do not order alike (or do, for comparison)."""

    sentence: int
    strength: float
    outputs: tuple[tuple[str, ...], tuple[str, ...]]
    """The systems with each output, of those asked for; the first is the better one to the first side, if it has a
    preference."""
    first: Opinion
    second: Opinion
    judges: Opinion | None = None
    """What people think; None where nobody compared the two."""


@dataclass(frozen=True, eq=False)
class Disagreements:
    """All pairs of outputs that both sides compared, and what they make of them.

    Filters narrow down what is listed and counted; strengths stay those among all pairs.
    """

    first: Side
    second: Side
    systems: tuple[str, ...]
    same_as: Integers
    """Systems × sentences: the first system with the same output."""
    lengths: Integers | None
    """Tokens of each source; None where the texts are not here."""
    shares: tuple[Array, Array]
    counted: Flags
    """Pairs of systems × sentences that filters have left, of those with different outputs that both compared."""
    types: Mapping[str, TypeTable]
    """In which pairs outputs differ in edits of each error type; empty where edits have no types."""
    judges: Side | None = None
    """What people think of all pairs; None where nobody judged."""
    kept: Flags | None = None
    """The systems that filters have left; None: all."""
    tied: Tie | None = None
    """List pairs that this side sees no difference in, and the other one does, rather than those in opposite order."""

    @cached_property
    def ends(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The two systems of every pair."""
        return np.triu_indices(len(self.systems), k=1)

    @cached_property
    def opposed(self) -> Flags:
        """Where the two differences have opposite signs; comparisons with NaN are false."""
        return self.counted & (self.first.differences * self.second.differences < 0)

    @cached_property
    def distinct(self) -> Flags:
        """One pair of systems for every pair of different outputs, of the systems that filters have left."""
        return one_of_each(self.same_as, self.kept)

    @cached_property
    def listed(self) -> Flags:
        """What is asked for, each pair of outputs once: in opposite order, or tied by one side."""
        one, other = self.first.differences, self.second.differences
        if self.tied is None:
            return self.opposed & self.distinct
        tied, decided = (one, other) if self.tied == "first" else (other, one)
        return self.counted & self.distinct & (tied == 0) & (decided != 0)

    @cached_property
    def order(self) -> OrderAgreement:
        """How often the two agree and disagree on pairs of different outputs."""
        chosen = self.counted & self.distinct
        one, other = (np.sign(side.differences[chosen]) for side in (self.first, self.second))
        untied = np.abs(one) + np.abs(other)
        return OrderAgreement(
            alike=int((one * other > 0).sum()),
            opposed=int((one * other < 0).sum()),
            one_tied=int((untied == 1).sum()),
            both_tied=int((untied == 0).sum()),
        )

    @cached_property
    def sided(self) -> tuple[int, int, int] | None:
        """Of the opposed pairs that people compared: those in which they go with the first side, with the second, or
        with neither. None where nobody judged, or judges are one of the two."""
        if self.judges is None or self.judges in (self.first, self.second):
            return None
        agreed = (self.judges.differences * self.first.differences)[self.opposed & self.distinct]
        return int((agreed > 0).sum()), int((agreed < 0).sum()), int((agreed == 0).sum())

    def __len__(self) -> int:
        return int(self.listed.sum())

    def where(
        self,
        *,
        systems: Collection[str] | None = None,
        shortest: int | None = None,
        longest: int | None = None,
        type: str | None = None,
        unanimous: bool = False,
        tied: Tie | None = None,
    ) -> Disagreements:
        """Only pairs of these systems, on sources of this length, about this error type, on which all judges agree.

        A type may be one of ERRANT's (`M:DET`) or what several have in common (`DET`).
        """
        keep, kept = self.counted.copy(), self.kept
        if systems is not None:
            self._check(systems, self.systems, "system")
            wanted = np.isin(self.systems, list(systems))
            kept = wanted if kept is None else kept & wanted
            keep &= (wanted[self.ends[0]] & wanted[self.ends[1]])[:, None]
        if shortest is not None or longest is not None:
            if self.lengths is None:
                raise MissingInput("The texts of the corpus are not here, so sentences cannot be chosen by length.")
            keep &= (self.lengths >= (shortest or 0)) & (self.lengths <= (longest or np.inf))
        if type is not None:
            about = [table.differ for name, table in self.types.items() if type in (name, errant_types.group(name))]
            if not about:
                self._check([type], self.types, "error type")
            keep &= np.any(about, axis=0)
        if unanimous:
            if self.judges is None or self.judges.unanimous is None:
                raise MissingInput("Nobody judged this corpus, so there are no judges to agree.")
            keep &= self.judges.unanimous
        return replace(self, counted=keep, kept=kept, tied=tied)

    def _check(self, wanted: Iterable[str], known: Iterable[str], what: str) -> None:
        if unknown := [name for name in wanted if name not in known]:
            raise ScoreError(f"No {what} {', '.join(unknown)} here. There are: {', '.join(known) or 'none'}.")

    def top(self, count: int | None = None) -> list[Disagreement]:
        """The strongest disagreements; equally strong ones by the product of both shares, then by sentence."""
        pairs, sentences = np.nonzero(self.listed)
        strengths = self._strengths[pairs, sentences]
        products = self.shares[0][pairs, sentences] * self.shares[1][pairs, sentences]
        strongest = np.lexsort((pairs, sentences, -products, -strengths))[:count]
        return [self._disagreement(int(pairs[each]), int(sentences[each])) for each in strongest]

    def alike(self, count: int, *, seed: int = 0) -> list[Disagreement]:
        """Some pairs that both sides order alike, drawn at random: what disagreements stand out from."""
        both = self.first.differences * self.second.differences > 0
        pairs, sentences = np.nonzero(self.counted & self.distinct & both)
        drawn = np.random.default_rng(seed).permutation(len(pairs))[:count]
        return [self._disagreement(int(pairs[each]), int(sentences[each])) for each in drawn]

    @cached_property
    def _strengths(self) -> Array:
        return np.minimum(*self.shares) if self.tied is None else np.maximum(*self.shares)

    def _disagreement(self, pair: int, sentence: int) -> Disagreement:
        ends = [self._sharing(int(end[pair]), sentence) for end in self.ends]
        if self.first.differences[pair, sentence] < 0:
            ends.reverse()
        sides = zip((self.first, self.second), self.shares, strict=True)
        first, second = (self._opinion(side, pair, sentence, float(share[pair, sentence])) for side, share in sides)
        judged = self.judges is not None and not np.isnan(self.judges.differences[pair, sentence])
        return Disagreement(
            sentence,
            float(self._strengths[pair, sentence]),
            (ends[0], ends[1]),
            first,
            second,
            self._opinion(self.judges, pair, sentence, np.nan) if self.judges and judged else None,
        )

    def _opinion(self, side: Side, pair: int, sentence: int, share: float) -> Opinion:
        difference = float(side.differences[pair, sentence])
        better, worse = int(self.ends[0][pair]), int(self.ends[1][pair])
        if difference < 0:
            better, worse = worse, better
        found = Opinion(self._sharing(better, sentence) if difference else (), abs(difference), share)
        if side.scores is not None:
            more, less = side.scores[[better, worse], sentence].tolist()
            found = replace(found, better_score=more, worse_score=less)
        if side.votes is not None:
            first, second, compared = side.votes[:, pair, sentence].tolist()
            found = replace(found, votes=(second, first, compared) if difference < 0 else (first, second, compared))
        return found

    def _sharing(self, system: int, sentence: int) -> tuple[str, ...]:
        """All systems with the same output as this one, of those that filters have left."""
        column = self.same_as[:, sentence]
        sharing = column == column[system]
        return tuple(
            self.systems[each] for each in np.flatnonzero(sharing if self.kept is None else sharing & self.kept)
        )


def disagreements(
    corpus: Corpus,
    first: Opinions,
    second: Opinions,
    *,
    types: Mapping[str, TypeTable] | None = None,
) -> Disagreements:
    """Set two sides against each other; with `types` (see `type_tables`) told apart by error type, too."""
    same_as = same_outputs(corpus)
    one, other = (side_of(corpus, same_as, *given) for given in (first, second))
    left, right = np.triu_indices(len(same_as), k=1)
    different = same_as[left] != same_as[right]
    distinct = one_of_each(same_as)
    shares = one.shares(distinct), other.shares(distinct)
    return Disagreements(
        first=one,
        second=other,
        systems=tuple(corpus.systems),
        same_as=same_as,
        lengths=np.array([len(each.tokens) for each in corpus.sentences]) if corpus.has_texts else None,
        shares=shares,
        counted=different & ~np.isnan(one.differences) & ~np.isnan(other.differences),
        types=types or {},
        judges=_judges_of(corpus, same_as, one, other),
    )


def _judges_of(corpus: Corpus, same_as: Integers, *sides: Side) -> Side | None:
    """What the judges of the corpus think, be they one of the two sides or not."""
    theirs = next((side for side in sides if side.votes is not None), None)
    if theirs is not None or corpus.judgments is None:
        return theirs
    return side_of(corpus, same_as, "the judges", corpus.judgments)


@dataclass(frozen=True, slots=True)
class Tally:
    """How often the two sides disagree on one kind of pairs, and who is for it."""

    what: tuple[str, ...]
    """A system, two systems, or an error type."""
    opposed: int
    pairs: int
    """All pairs of different outputs of this kind that both sides compared."""
    for_first: int
    """Of those opposed, how many the first side decides in favour of the system (of two the one named first), or
    of the output with more edits of the type."""
    for_second: int
    """How many the second side does; with types the others have as many edits on either side."""

    @property
    def share(self) -> float:
        return self.opposed / self.pairs

    @property
    def at_least(self) -> float:
        """The lower end of the share's 95% interval (Wilson 1927): few pairs do not make a large share certain."""
        z = 1.96
        middle = self.share + z * z / (2 * self.pairs)
        spread = z * sqrt(self.share * (1 - self.share) / self.pairs + (z / (2 * self.pairs)) ** 2)
        return (middle - spread) / (1 + z * z / self.pairs)


def by_systems(found: Disagreements) -> list[Tally]:
    """Every two systems, those first on which the two sides disagree most, as far as that is certain (`at_least`)."""
    opposed, pairs = (flags.sum(axis=1) for flags in (found.opposed, found.counted))
    ahead = (found.opposed & (found.first.differences > 0)).sum(axis=1)
    names = [(found.systems[one], found.systems[other]) for one, other in zip(*found.ends, strict=True)]
    numbers = (opposed.tolist(), pairs.tolist(), ahead.tolist(), (opposed - ahead).tolist())
    return _ranked(map(Tally, names, *numbers))


def by_system(found: Disagreements) -> list[Tally]:
    """Every system, beside all others; most disputed first."""
    left, right = found.ends
    better = found.opposed & (found.first.differences > 0), found.opposed & (found.first.differences < 0)
    return _ranked(
        Tally(
            (name,),
            int(found.opposed[involved].sum()),
            int(found.counted[involved].sum()),
            int(better[0][left == number].sum() + better[1][right == number].sum()),
            int(better[1][left == number].sum() + better[0][right == number].sum()),
        )
        for number, name in enumerate(found.systems)
        for involved in [(left == number) | (right == number)]
    )


def by_type(found: Disagreements) -> list[Tally]:
    """Every error type that two outputs differ in, most disputed first."""
    opposed, counted = found.opposed & found.distinct, found.counted & found.distinct
    sign = np.sign(found.first.differences)
    return _ranked(
        Tally(
            (name,),
            int((opposed & table.differ).sum()),
            int((counted & table.differ).sum()),
            int((opposed & (sign * table.ahead > 0)).sum()),
            int((opposed & (sign * table.ahead < 0)).sum()),
        )
        for name, table in found.types.items()
    )


def _ranked(tallies: Iterable[Tally]) -> list[Tally]:
    found = [tally for tally in tallies if tally.pairs]
    return sorted(found, key=lambda tally: (-tally.at_least, -tally.pairs, tally.what))
