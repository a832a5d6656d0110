"""The three made-up judges of the demo corpus, and the rule by which they rank outputs.

    liking = - errors left - 2 · damage - change · (tokens changed) + rewriting · (1 for a free rewrite) + noise

`change`, `rewriting` and the spread of the noise are a judge's taste. Damage counts double, since a new
error annoys more than one that was there before. A judge sees up to five different outputs, ranks them by
liking, and gives two the same place when their likings differ too little to notice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from rapidfuzz.distance import Levenshtein

from gec_core.types import Judgment, Ranked
from tools.demo.systems import Output

PLACES = 5
NOTICEABLE = 0.5
DAMAGE = 2.0


@dataclass(frozen=True)
class Judge:
    """A made-up judge: what is judged, how reliably, and to what taste."""

    name: str
    change: float
    """What every changed token costs: high for a judge who wants minimal corrections."""
    rewriting: float
    """What a free rewrite is worth: high for a judge who wants fluent sentences."""
    noise: float
    share: float = 0.8
    """The share of the sentences that the judge gets to see."""
    again: int = 6
    """How many of the items the judge ranks a second time."""

    def likes(self, source: str, output: Output, random: Random) -> float:
        changed = Levenshtein.distance(source.split(), output.text.split())
        return (
            -output.errors_left
            - DAMAGE * output.damage
            - self.change * changed
            + self.rewriting * output.rewritten
            + random.gauss(0, self.noise)
        )


JUDGES = (
    Judge("judge-a-made-up", change=0.12, rewriting=0.3, noise=0.5),
    Judge("judge-b-made-up", change=0.0, rewriting=1.5, noise=0.6),
    Judge("judge-c-made-up", change=0.03, rewriting=0.8, noise=0.9),
)


def judge_all(sources: Sequence[str], outputs: Mapping[str, Sequence[Output]], seed: int) -> list[Judgment]:
    """Every judge's rankings, in the order in which they were given; the repeated ones come last."""
    return [item for judge in JUDGES for item in _session(judge, sources, outputs, seed)]


def _session(
    judge: Judge, sources: Sequence[str], outputs: Mapping[str, Sequence[Output]], seed: int
) -> list[Judgment]:
    random = Random(f"{seed}/{judge.name}")
    seen = sorted(random.sample(range(len(sources)), round(judge.share * len(sources))))
    shown = {sentence: _shown(sentence, outputs, random) for sentence in seen}
    again = random.sample([sentence for sentence in seen if len(shown[sentence]) > 1], judge.again)
    return [
        Judgment(sentence, judge.name, _ranked(judge, sources[sentence], shown[sentence], random))
        for sentence in [*seen, *again]
    ]


def _shown(
    sentence: int, outputs: Mapping[str, Sequence[Output]], random: Random
) -> list[tuple[tuple[str, ...], Output]]:
    """Up to five different outputs of a sentence, each with all the systems it comes from."""
    systems: dict[str, list[str]] = {}
    for name in sorted(outputs):
        systems.setdefault(outputs[name][sentence].text, []).append(name)
    different = [(tuple(names), outputs[names[0]][sentence]) for names in systems.values()]
    return random.sample(different, min(PLACES, len(different)))


def _ranked(
    judge: Judge, source: str, shown: Sequence[tuple[tuple[str, ...], Output]], random: Random
) -> tuple[Ranked, ...]:
    """The outputs in the order shown, each with its place."""
    likings = [judge.likes(source, output, random) for _, output in shown]
    ranks: list[int] = [0] * len(shown)
    rank, best_of_place = 0, float("inf")
    for index in sorted(range(len(shown)), key=lambda index: -likings[index]):
        if best_of_place - likings[index] > NOTICEABLE:
            rank, best_of_place = rank + 1, likings[index]
        ranks[index] = rank
    return tuple(Ranked(names, rank) for (names, _), rank in zip(shown, ranks, strict=True))
