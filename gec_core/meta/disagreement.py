"""Disagreements: two metrics, or a metric and the judges, order two outputs of a sentence in opposite ways.

The strength of a disagreement is measured on each side's own scale. The share of a difference of scores is the
proportion of all pairs of different outputs with a smaller difference on the same side: .9 means that nine of ten
pairs are closer. The strength is the smaller of both shares, so that it is high only where both sides have a clear
preference. For judges, the difference is that of the ranks, averaged over all judges who compared the two. A tie is
not a disagreement; ties are counted, and `where` can select pairs that one side ties and the other does not, whose
strength is the share of the side that does not.

Where there are judgments, the judges' opinion of a pair is given even if they are neither side: it says which of
the two is right.

Systems with the same output on a sentence are one output there, so that each pair of outputs is listed once; a
filter on systems is applied first, so an output stays if at least one of the systems kept has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gec_core.align import errant_types
from gec_core.errors import MissingInput, ScoreError
from gec_core.meta.agreement import OrderAgreement
from gec_core.meta.sides import Opinions, Side, TypeTable, one_of_each, same_outputs, side_of
from gec_core.types import Array, Corpus, Flags, Integers

if TYPE_CHECKING:
    import pandas

Tie = Literal["first", "second"]
Order = Literal["strength", "contribution"]


@dataclass(frozen=True, slots=True)
class Opinion:
    """One side's opinion of two outputs of a sentence."""

    better: tuple[str, ...]
    """The systems with the output that this side prefers; empty for a tie."""
    difference: float
    """The difference of the two: points of the metric, or ranks."""
    share: float
    """The share of pairs of outputs with a smaller difference."""
    better_score: float | None = None
    worse_score: float | None = None
    """The scores of a metric; None for judges."""
    votes: tuple[int, int, int] | None = None
    """The number of judges who prefer it (in a tie: the first output), who prefer the other one, and who compared
    the two; None for metrics."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two outputs of one sentence that the two sides order differently (or alike, for comparison)."""

    sentence: int
    strength: float
    outputs: tuple[tuple[str, ...], tuple[str, ...]]
    """The selected systems with each output; the first output is the one that the first side prefers, if any."""
    first: Opinion
    second: Opinion
    judges: Opinion | None = None
    """The judges' opinion; None if no judge compared the two."""
    contribution: float = 0.0
    """The share of the whole disagreement of the two sides that is due to this pair (`Disagreements.contributions`)."""

    def as_dict(self) -> dict[str, Any]:
        """All values under the names that the command line gives them; a and b are the two sides."""
        row: dict[str, Any] = {
            "sentence": self.sentence,
            "better_by_a": next(iter(self.first.better), None),
            "better_by_b": next(iter(self.second.better), None),
            "strength": self.strength,
            "outputs": self.outputs,
        }
        for side, opinion in (("a", self.first), ("b", self.second)):
            row |= {
                f"score_{side}_better": opinion.better_score,
                f"score_{side}_worse": opinion.worse_score,
                f"difference_{side}": opinion.difference,
                f"share_{side}": opinion.share,
                f"votes_{side}": opinion.votes,
                f"systems_{side}": opinion.better,
            }
        judges = self.judges
        return row | {"judges": {"systems": judges.better, "votes": judges.votes} if judges else None}


@dataclass(frozen=True, eq=False)
class Disagreements:
    """All pairs of outputs that both sides compared, with the opinion of each.

    Filters restrict what is listed and counted; strengths stay those among all pairs.
    """

    first: Side
    second: Side
    systems: tuple[str, ...]
    same_as: Integers
    """Systems × sentences: the first system with the same output."""
    lengths: Integers | None
    """Tokens of each source; None without the texts."""
    shares: tuple[Array, Array]
    counted: Flags
    """Pairs of systems × sentences that pass the filters, of those with different outputs that both compared."""
    types: Mapping[str, TypeTable]
    """The pairs whose outputs differ in edits of each error type; empty where edits have no types."""
    judges: Side | None = None
    """The judges' opinion of all pairs; None without judgments."""
    kept: Flags | None = None
    """The systems that pass the filters; None for all."""
    tied: Tie | None = None
    """List pairs that this side ties and the other one does not, instead of those in opposite order."""

    def __repr__(self) -> str:
        sides = f"{self.first.name} and {self.second.name}"
        return f"<{sides}: {self.order.opposed:,} pairs of outputs in opposite order, {self.order.alike:,} alike>"

    @cached_property
    def ends(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The two systems of every pair."""
        return np.triu_indices(len(self.systems), k=1)

    @cached_property
    def opposed(self) -> Flags:
        """The pairs whose two differences have opposite signs; comparisons with NaN are false."""
        return self.counted & (self.first.differences * self.second.differences < 0)

    @cached_property
    def distinct(self) -> Flags:
        """One pair of systems for every pair of different outputs, of the systems that pass the filters."""
        return one_of_each(self.same_as, self.kept)

    @cached_property
    def listed(self) -> Flags:
        """The selected pairs, each pair of outputs once: in opposite order, or tied by one side."""
        one, other = self.first.differences, self.second.differences
        if self.tied is None:
            return self.opposed & self.distinct
        tied, decided = (one, other) if self.tied == "first" else (other, one)
        return self.counted & self.distinct & (tied == 0) & (decided != 0)

    @cached_property
    def order(self) -> OrderAgreement:
        """The agreement of the two sides on pairs of different outputs."""
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
        """The opposed pairs in which the judges agree with the first side, with the second, or with neither.

        None without judgments, or if the judges are one of the two sides.
        """
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
        involving: str | None = None,
        shortest: int | None = None,
        longest: int | None = None,
        type: str | None = None,
        unanimous: bool = False,
        tied: Tie | None = None,
    ) -> Disagreements:
        """Filter the pairs.

        Args:
            systems: Only pairs of these systems.
            involving: Only pairs of this system's output with another one.
            shortest: Only sources with at least so many tokens.
            longest: Only sources with at most so many tokens.
            type: Only pairs that differ in edits of this error type, with (`M:DET`) or without (`DET`) its operation.
            unanimous: Only pairs on which all judges agree.
            tied: List the pairs that this side ties, and the other does not.

        Raises:
            ScoreError: There is no such system or error type.
            MissingInput: The corpus lacks the texts or the judgments that a filter needs.
        """
        keep, kept = self.counted.copy(), self.kept
        if systems is not None:
            self._check(systems, self.systems, "system")
            wanted = np.isin(self.systems, list(systems))
            kept = wanted if kept is None else kept & wanted
            keep &= (wanted[self.ends[0]] & wanted[self.ends[1]])[:, None]
        if involving is not None:
            self._check([involving], self.systems, "system")
            own = self.same_as[self.systems.index(involving)]
            keep &= (self.same_as[self.ends[0]] == own) | (self.same_as[self.ends[1]] == own)
        if shortest is not None or longest is not None:
            if self.lengths is None:
                raise MissingInput("Sentences cannot be chosen by length without the texts of the corpus.")
            keep &= (self.lengths >= (shortest or 0)) & (self.lengths <= (longest or np.inf))
        if type is not None:
            about = [table.differ for name, table in self.types.items() if type in (name, errant_types.group(name))]
            if not about:
                self._check([type], self.types, "error type")
            keep &= np.any(about, axis=0)
        if unanimous:
            if self.judges is None or self.judges.unanimous is None:
                raise MissingInput("The corpus has no judgments, so pairs cannot be chosen by them.")
            keep &= self.judges.unanimous
        return replace(self, counted=keep, kept=kept, tied=tied)

    def _check(self, wanted: Iterable[str], known: Iterable[str], what: str) -> None:
        if unknown := [name for name in wanted if name not in known]:
            raise ScoreError(f"No {what} {', '.join(unknown)} here. There are: {', '.join(known) or 'none'}.")

    def top(self, count: int | None = None, *, by: Order = "strength") -> list[Disagreement]:
        """The strongest disagreements.

        Args:
            count: How many; all if None.
            by: `strength`, equally strong ones by the product of both shares; or `contribution`: how far a pair
                lowers the correlation of the two sides' differences over all pairs (for ties, the strength).
        """
        pairs, sentences = np.nonzero(self.listed)
        strengths = self._strengths[pairs, sentences]
        products = self.shares[0][pairs, sentences] * self.shares[1][pairs, sentences]
        first = -self.contributions[pairs, sentences] if by == "contribution" and self.tied is None else -strengths
        strongest = np.lexsort((pairs, sentences, -products, -strengths, first))[:count]
        return [self._disagreement(int(pairs[each]), int(sentences[each])) for each in strongest]

    def frame(self, count: int | None = None) -> pandas.DataFrame:
        """The strongest disagreements as a pandas table, with the systems that each side prefers; all if None."""
        import pandas

        columns = ["sentence", "strength", "systems_a", "systems_b", "difference_a", "difference_b"]
        return pandas.DataFrame([each.as_dict() for each in self.top(count)], columns=columns)

    def alike(self, count: int, *, seed: int = 0) -> list[Disagreement]:
        """Some pairs that both sides order alike, drawn at random, for comparison."""
        both = self.first.differences * self.second.differences > 0
        pairs, sentences = np.nonzero(self.counted & self.distinct & both)
        drawn = np.random.default_rng(seed).permutation(len(pairs))[:count]
        return [self._disagreement(int(pairs[each]), int(sentences[each])) for each in drawn]

    @cached_property
    def contributions(self) -> Array:
        """Pairs × sentences: the share of each pair in the whole disagreement of the two sides on this corpus.

        The two sides correlate by the sum, over all pairs of different outputs, of the products of their differences.
        Pairs in opposite order take from it; this is what a pair takes, as a share of what all of them take.
        """
        product = np.nan_to_num(self.first.differences * self.second.differences)
        whole = -product[(product < 0) & one_of_each(self.same_as)].sum()
        return np.maximum(-product, 0.0) / (whole or 1.0)

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
            float(self.contributions[pair, sentence]),
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
        """All systems with the same output as this one, of those that pass the filters."""
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
    """Compare two sides on all pairs of outputs.

    Args:
        corpus: The corpus with its system outputs.
        first: A name with sentence scores by system, or with judgments.
        second: The other side.
        types: Tables of error types (see `type_tables`), for filters and counts by type.
    """
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
    """The judges of the corpus as a side, whether they are one of the two or not."""
    theirs = next((side for side in sides if side.votes is not None), None)
    if theirs is not None or corpus.judgments is None:
        return theirs
    return side_of(corpus, same_as, "the judges", corpus.judgments)
