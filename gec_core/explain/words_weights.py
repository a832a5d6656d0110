"""Which edits metrics weigh differently, in plain words.

Only metrics that count edits have weights: 1 for all in M² and ERRANT, what a model says in PT-M². Of all pairs
of edits that the outputs have, one is told: rather two corrections than wrong edits, rather such that the heavier
one is in one output only, and among these the pair that the metrics weigh most differently against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, log

from gec_core.explain.blocks import EditLine, Edits, Explanation
from gec_core.explain.wording import joined, named, times

ALIKE = 1.1
"""Up to this ratio two edits weigh the same to a reader."""
WORTH_TELLING = 1.5
"""Metrics must differ by this factor in how they weigh the edits against each other."""

Key = tuple[int, int, str]
Explained = tuple[str, tuple[Explanation, Explanation]]
"""A metric's name and its explanations of both outputs."""


@dataclass(frozen=True, slots=True)
class _Contrast:
    """Two edits, and how many times the weight of the other each metric gives to the one."""

    one: EditLine
    other: EditLine
    ratios: Mapping[str, float]
    makers: Mapping[Key, tuple[str, ...]]
    """Whose outputs have them."""

    @property
    def spread(self) -> float:
        """By which factor metrics differ, as a logarithm."""
        logs = [log(ratio) if 0 < ratio < inf else inf if ratio else -inf for ratio in self.ratios.values()]
        return max(logs) - min(logs) if max(logs) > min(logs) else 0.0

    @property
    def heavier(self) -> EditLine:
        """The edit to which some metric gives far more weight than to the other."""
        return self.one if max(self.ratios.values(), key=_factor) > 1 else self.other

    @property
    def corrections(self) -> bool:
        return self.one.verdict == self.other.verdict == "correct"

    @property
    def merit(self) -> tuple[bool, bool, float]:
        """How much it is worth telling."""
        return self.corrections, len(self.makers[self.heavier.key]) == 1, self.spread


def _factor(ratio: float) -> float:
    """How many times the weight of the lighter edit the heavier one has."""
    return max(ratio, 1 / ratio) if ratio else inf


def weights_in_words(metrics: Sequence[Explained], names: tuple[str, str], tokens: Sequence[str]) -> str:
    """The difference between metrics in how they weigh two edits that tells most; empty if all weigh alike."""
    weighed = {name: lines for name, explanations in metrics if (lines := _made(explanations))}
    edits = dict.fromkeys(key for lines in weighed.values() for key in lines)
    makers = {key: _makers(key, metrics, names) for key in edits}
    contrasts = (_contrast(one, other, weighed, makers) for one, other in combinations(edits, 2))
    telling = [found for found in contrasts if found and found.spread >= log(WORTH_TELLING)]
    return _tell(max(telling, key=lambda found: found.merit), tokens) if telling else ""


def _made(explanations: Iterable[Explanation]) -> dict[Key, EditLine]:
    """The edits that any of the explained outputs has."""
    lines = (line for one in explanations for block in one.all(Edits) for line in block.edits)
    return {line.key: line for line in lines if line.verdict != "missed"}


def _contrast(
    one: Key,
    other: Key,
    weighed: Mapping[str, Mapping[Key, EditLine]],
    makers: Mapping[Key, tuple[str, ...]],
) -> _Contrast | None:
    both = {name: (lines[one], lines[other]) for name, lines in weighed.items() if one in lines and other in lines}
    both = {name: lines for name, lines in both.items() if any(line.weight for line in lines)}
    if len(both) < 2:
        return None
    ratios = {name: first.weight / second.weight if second.weight else inf for name, (first, second) in both.items()}
    return _Contrast(*next(iter(both.values())), ratios, makers)


def _makers(key: Key, metrics: Sequence[Explained], names: tuple[str, str]) -> tuple[str, ...]:
    """Whose output has the edit."""
    return tuple(
        name
        for place, name in enumerate(names)
        if any(key in _made([explanations[place]]) for _, explanations in metrics)
    )


def _tell(found: _Contrast, tokens: Sequence[str]) -> str:
    alike = [name for name, ratio in found.ratios.items() if 1 / ALIKE <= ratio <= ALIKE]
    clauses = []
    if alike:
        what = "corrections" if found.corrections else "edits"
        clauses.append(f"{joined(alike)} {'counts' if len(alike) == 1 else 'count'} both {what} alike")
    # The metric with the strongest opinion comes last, so that `it` is the edit which that one prefers.
    for name, ratio in sorted(found.ratios.items(), key=lambda item: _factor(item[1])):
        if name not in alike:
            heavier, lighter = (found.one, found.other) if ratio > 1 else (found.other, found.one)
            clauses.append(f"{name} gives {_more(named(heavier, tokens), named(lighter, tokens), _factor(ratio))}")
    makers = found.makers[found.heavier.key]
    return "; ".join(clauses) + (f", and only {makers[0]} made it." if len(makers) == 1 else ".")


def _more(heavier: str, lighter: str, factor: float) -> str:
    if factor == inf:
        return f"no weight to {lighter}, but some to {heavier}"
    return f"{heavier} {times(factor)} the weight of {lighter}"
