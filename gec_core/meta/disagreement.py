"""Where two metrics, or a metric and the judges, order two outputs of a sentence in opposite ways.

How strongly they disagree is told on each one's own scale. A difference of scores counts as much as the share
of all pairs of different outputs that the same side sets less far apart: .9 means that nine of ten pairs are
closer. The strength of a disagreement is the smaller of both shares, so neither side is indifferent where it is
high. Judges set two outputs as far apart as the places they gave them, on the mean over all judges who compared
the two. Ties are no disagreement, whoever ties; they are counted.

Systems with the same output on a sentence are one output there, so that each pair of outputs is listed once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gec_core.errors import MissingInput, ScoreError
from gec_core.human.pairs import Array, Flags, Integers
from gec_core.meta.disagreement_sides import Opinions, Side, is_textless, one_of_each, same_outputs, side_of
from gec_core.meta.metric_agreement import OrderAgreement
from gec_core.types import Corpus, Edit

EditsOf = Mapping[tuple[str, str], Iterable[Edit]]
"""The typed edits of (source, output)."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one side thinks of a pair of outputs that it and the other side order oppositely."""

    better: tuple[str, ...]
    """The systems with the output that this side prefers."""
    difference: float
    """By how much it prefers it: points of the metric, or places."""
    share: float
    """The share of pairs of outputs that it sets less far apart."""
    better_score: float | None = None
    worse_score: float | None = None
    """What a metric gives them; None for judges."""
    votes: tuple[int, int, int] | None = None
    """Judges who prefer it, who prefer the other one, who compared the two; None for metrics."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two outputs of one sentence that the two sides order in opposite ways."""

    sentence: int
    strength: float
    first: Opinion
    second: Opinion


@dataclass(frozen=True, slots=True)
class Tally:
    """How often the two sides disagree on one kind of pairs."""

    what: tuple[str, ...]
    """Two systems, or an error type."""
    opposed: int
    pairs: int
    """All pairs of different outputs of this kind that both sides compared."""

    @property
    def share(self) -> float:
        return self.opposed / self.pairs


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
    strengths: Array
    shares: tuple[Array, Array]
    counted: Flags
    """Pairs of systems × sentences that filters have left, of those with different outputs that both compared."""
    types: Mapping[str, Flags]
    """For each error type the pairs × sentences in which one output has an edit of that type that the other lacks;
    empty where edits have no types."""

    @cached_property
    def ends(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The two systems of every pair."""
        return np.triu_indices(len(self.systems), k=1)

    @cached_property
    def _opposed(self) -> Flags:
        """Where the two differences have opposite signs; comparisons with NaN are false."""
        return self.counted & (self.first.differences * self.second.differences < 0)

    @cached_property
    def _listed(self) -> Flags:
        return one_of_each(self.same_as)

    @cached_property
    def order(self) -> OrderAgreement:
        """How often the two agree and disagree on pairs of different outputs."""
        chosen = self.counted & self._listed
        one, other = (np.sign(side.differences[chosen]) for side in (self.first, self.second))
        untied = np.abs(one) + np.abs(other)
        return OrderAgreement(
            alike=int((one * other > 0).sum()),
            opposed=int((one * other < 0).sum()),
            one_tied=int((untied == 1).sum()),
            both_tied=int((untied == 0).sum()),
        )

    def __len__(self) -> int:
        return self.order.opposed

    def where(
        self,
        *,
        systems: Collection[str] | None = None,
        shortest: int | None = None,
        longest: int | None = None,
        type: str | None = None,
        unanimous: bool = False,
    ) -> Disagreements:
        """Only pairs of these systems, on sources of this length, about this error type, on which all judges agree."""
        keep = self.counted.copy()
        if systems is not None:
            self._check(systems, self.systems, "system")
            wanted = np.isin(self.systems, list(systems))
            keep &= (wanted[self.ends[0]] & wanted[self.ends[1]])[:, None]
        if shortest is not None or longest is not None:
            if self.lengths is None:
                raise MissingInput("The texts of the corpus are not here, so sentences cannot be chosen by length.")
            keep &= (self.lengths >= (shortest or 0)) & (self.lengths <= (longest or np.inf))
        if type is not None:
            self._check([type], self.types, "error type")
            keep &= self.types[type]
        if unanimous:
            for side in (self.first, self.second):
                keep &= True if side.unanimous is None else side.unanimous
        return replace(self, counted=keep)

    def _check(self, wanted: Iterable[str], known: Iterable[str], what: str) -> None:
        if unknown := [name for name in wanted if name not in known]:
            raise ScoreError(f"No {what} {', '.join(unknown)} here. There are: {', '.join(known) or 'none'}.")

    def top(self, count: int | None = None) -> list[Disagreement]:
        """The strongest disagreements; equally strong ones by the product of both shares, then by sentence."""
        pairs, sentences = np.nonzero(self._opposed & self._listed)
        strengths = self.strengths[pairs, sentences]
        products = self.shares[0][pairs, sentences] * self.shares[1][pairs, sentences]
        strongest = np.lexsort((pairs, sentences, -products, -strengths))[:count]
        return [self._disagreement(int(pairs[each]), int(sentences[each])) for each in strongest]

    def by_systems(self) -> list[Tally]:
        """Every two systems, those first on which the two sides disagree on the largest share of outputs."""
        opposed, pairs = (flags.sum(axis=1).tolist() for flags in (self._opposed, self.counted))
        names = [(self.systems[one], self.systems[other]) for one, other in zip(*self.ends, strict=True)]
        return _ranked(map(Tally, names, opposed, pairs))

    def by_type(self) -> list[Tally]:
        """Every error type that two outputs differ in, most disputed first."""
        listed, opposed = self.counted & self._listed, self._opposed & self._listed
        return _ranked(
            Tally((name,), int((opposed & flags).sum()), int((listed & flags).sum()))
            for name, flags in self.types.items()
        )

    def _disagreement(self, pair: int, sentence: int) -> Disagreement:
        strength = float(self.strengths[pair, sentence])
        first, second = (self._opinion(place, pair, sentence) for place in range(2))
        return Disagreement(sentence, strength, first, second)

    def _opinion(self, place: int, pair: int, sentence: int) -> Opinion:
        side = (self.first, self.second)[place]
        difference = float(side.differences[pair, sentence])
        better, worse = int(self.ends[0][pair]), int(self.ends[1][pair])
        if difference < 0:
            better, worse = worse, better
        found = Opinion(self._sharing(better, sentence), abs(difference), float(self.shares[place][pair, sentence]))
        if side.scores is not None:
            more, less = side.scores[[better, worse], sentence].tolist()
            found = replace(found, better_score=more, worse_score=less)
        if side.votes is not None:
            first, second, compared = side.votes[:, pair, sentence].tolist()
            found = replace(found, votes=(second, first, compared) if difference < 0 else (first, second, compared))
        return found

    def _sharing(self, system: int, sentence: int) -> tuple[str, ...]:
        """All systems with the same output as this one."""
        column = self.same_as[:, sentence]
        return tuple(self.systems[each] for each in np.flatnonzero(column == column[system]))


def _ranked(tallies: Iterable[Tally]) -> list[Tally]:
    found = [tally for tally in tallies if tally.pairs]
    return sorted(found, key=lambda tally: (-tally.share, -tally.pairs, tally.what))


def disagreements(
    corpus: Corpus,
    first: Opinions,
    second: Opinions,
    *,
    edits: EditsOf | None = None,
) -> Disagreements:
    """Set two sides against each other.

    With `edits`, the typed edits of the outputs, disagreements are also told apart by error type.
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
        lengths=None if is_textless(corpus) else np.array([len(each.tokens) for each in corpus.sentences]),
        strengths=np.minimum(*shares),
        shares=shares,
        counted=different & ~np.isnan(one.differences) & ~np.isnan(other.differences),
        types=_types(corpus, edits) if edits is not None else {},
    )


def _types(corpus: Corpus, edits: EditsOf) -> dict[str, Flags]:
    """For each error type, in which pairs × sentences an edit of that type makes a difference."""
    left, right = np.triu_indices(len(corpus.systems), k=1)
    found: dict[str, Flags] = {}
    for line, sentence in enumerate(corpus.sentences):
        made = [
            {(edit.start, edit.end, edit.correction): edit.type for edit in edits[sentence.source, outputs[line]]}
            for outputs in corpus.systems.values()
        ]
        for edit, type_ in {edit: type_ for each in made for edit, type_ in each.items()}.items():
            has = np.array([edit in each for each in made])
            flags = found.setdefault(type_, np.zeros((len(left), len(corpus)), np.bool_))
            flags[:, line] |= has[left] != has[right]
    return dict(sorted(found.items()))
