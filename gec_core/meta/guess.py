"""A visitor's ranking of the outputs of a sentence, compared with the judges and the metrics.

Every two outputs that the guess ranks differently are a pair. Another side orders it alike, the other way round, or
ties it; tau is (alike − opposed) / (alike + opposed), from −1 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from gec_core.explain.prose import count_votes
from gec_core.types import Corpus, Judgments

FEWEST = 3
"""The least number of outputs of a sentence to guess."""

Preference = Callable[[str, str], float | None]
"""The preference for the first of two outputs; negative for the second, 0 for a tie, None if not compared."""


@dataclass(frozen=True, slots=True)
class GuessAgreement:
    """The pairs that a guess orders, counted by how another side orders them."""

    alike: int = 0
    opposed: int = 0
    tied: int = 0
    """Pairs that the other side ties."""

    @property
    def tau(self) -> float | None:
        """None if the other side orders none of the pairs."""
        decided = self.alike + self.opposed
        return (self.alike - self.opposed) / decided if decided else None

    def __add__(self, other: GuessAgreement) -> GuessAgreement:
        return GuessAgreement(self.alike + other.alike, self.opposed + other.opposed, self.tied + other.tied)


def agreement(guess: Mapping[str, int], preference: Preference) -> GuessAgreement:
    """The agreement of a guess (ranks by output, 1 for the best) with preferences."""
    total = GuessAgreement()
    for one, other in combinations(guess, 2):
        ahead = guess[other] - guess[one]
        preferred = preference(one, other)
        if ahead and preferred is not None:
            product = ahead * preferred
            total += GuessAgreement(product > 0, product < 0, product == 0)
    return total


def by_scores(scores: Mapping[str, float]) -> Preference:
    """The preferences of a metric: the higher score."""
    return lambda one, other: scores[one] - scores[other]


def by_judges(judgments: Judgments, sentence: int, systems: Mapping[str, Sequence[str]]) -> Preference:
    """The preferences of the majority of judges who compared two outputs, each given by the systems that have it."""

    def preferred(one: str, other: str) -> float | None:
        votes = count_votes(judgments, sentence, systems[one], systems[other])
        return float(votes.first - votes.second) if sum(votes) else None

    return preferred


def wins(outputs: Sequence[str], preference: Preference) -> dict[str, float]:
    """The pairs that each output wins minus those it loses, which ranks them."""
    total = dict.fromkeys(outputs, 0.0)
    for one, other in combinations(outputs, 2):
        ahead = preference(one, other) or 0.0
        sign = (ahead > 0) - (ahead < 0)
        total[one] += sign
        total[other] -= sign
    return total


def judged_sentences(corpus: Corpus) -> list[int]:
    """The sentences for which a judge ranked enough different outputs."""
    items = corpus.judgments.items if corpus.judgments else ()
    return sorted({item.sentence for item in items if len(item.ranked) >= FEWEST})


def judged_outputs(corpus: Corpus, sentence: int) -> dict[str, tuple[str, ...]]:
    """The outputs of a judge's longest ranking of a sentence, each with the systems that have it."""
    items = [item for item in (corpus.judgments.items if corpus.judgments else ()) if item.sentence == sentence]
    ranked = max((item.ranked for item in items), key=len, default=())
    seen = {corpus.systems[place.systems[0]][sentence] for place in ranked if place.systems[0] in corpus.systems}
    sharing: dict[str, tuple[str, ...]] = {}
    for system, outputs in corpus.systems.items():
        if outputs[sentence] in seen:
            sharing[outputs[sentence]] = (*sharing.get(outputs[sentence], ()), system)
    return sharing
