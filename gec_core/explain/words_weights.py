"""Which edits metrics weigh differently, in plain words.

Only metrics that count edits have weights: 1 for all in M² and ERRANT, what a model says in PT-M². Of all pairs
of edits that either output has, the one is told that the metrics weigh most differently against each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    @property
    def spread(self) -> float:
        logs = [log(ratio) if 0 < ratio < inf else inf if ratio else -inf for ratio in self.ratios.values()]
        return max(logs) - min(logs) if max(logs) > min(logs) else 0.0


def weights_in_words(metrics: Sequence[Explained], names: tuple[str, str], tokens: Sequence[str]) -> str:
    """The greatest difference between metrics in how they weigh two edits; empty if they all weigh alike."""
    weighed = {name: lines for name, explanations in metrics if (lines := _made(explanations))}
    edits = dict.fromkeys(key for lines in weighed.values() for key in lines)
    contrasts = [found for pair in combinations(edits, 2) if (found := _contrast(*pair, weighed))]
    best = max(contrasts, key=lambda found: found.spread, default=None)
    if best is None or best.spread < log(WORTH_TELLING):
        return ""
    makers = {key: _makers(key, metrics, names) for key in (best.one.key, best.other.key)}
    return _tell(best, makers, tokens)


def _made(explanations: tuple[Explanation, Explanation]) -> dict[Key, EditLine]:
    """The edits that either output has."""
    lines = (line for one in explanations for block in one.all(Edits) for line in block.edits)
    return {line.key: line for line in lines if line.verdict != "missed"}


def _contrast(one: Key, other: Key, weighed: Mapping[str, Mapping[Key, EditLine]]) -> _Contrast | None:
    both = {name: (lines[one], lines[other]) for name, lines in weighed.items() if one in lines and other in lines}
    both = {name: lines for name, lines in both.items() if any(line.weight for line in lines)}
    if len(both) < 2:
        return None
    ratios = {name: first.weight / second.weight if second.weight else inf for name, (first, second) in both.items()}
    return _Contrast(*next(iter(both.values())), ratios)


def _makers(key: Key, metrics: Sequence[Explained], names: tuple[str, str]) -> tuple[str, ...]:
    """Whose output has the edit."""
    return tuple(
        name
        for place, name in enumerate(names)
        if any(key in _made((explanations[place],) * 2) for _, explanations in metrics)
    )


def _tell(found: _Contrast, makers: Mapping[Key, tuple[str, ...]], tokens: Sequence[str]) -> str:
    alike = [name for name, ratio in found.ratios.items() if 1 / ALIKE <= ratio <= ALIKE]
    clauses = []
    if alike:
        what = "corrections" if {found.one.verdict, found.other.verdict} == {"correct"} else "edits"
        clauses.append(f"{joined(alike)} {'counts' if len(alike) == 1 else 'count'} both {what} alike")
    heavier = found.one
    for name, ratio in found.ratios.items():
        if name in alike:
            continue
        heavier, lighter = (found.one, found.other) if ratio > 1 else (found.other, found.one)
        factor = ratio if ratio > 1 else 1 / ratio if ratio else inf
        more = f"{times(factor)} the weight of" if factor < inf else "all the weight, and none to"
        clauses.append(f"{name} gives {named(heavier, tokens)} {more} {named(lighter, tokens)}")
    tail = f", and only {makers[heavier.key][0]} made it" if len(makers[heavier.key]) == 1 else ""
    return "; ".join(clauses) + f"{tail}."
