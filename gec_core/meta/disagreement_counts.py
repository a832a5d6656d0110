"""Disagreements counted by system, pair of systems and error type, and which output each side prefers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from gec_core.meta.disagreement import Disagreements


@dataclass(frozen=True, slots=True)
class DisagreementCount:
    """The number of disagreements on one kind of pairs, and which output each side prefers."""

    what: tuple[str, ...]
    """A system, two systems, or an error type."""
    opposed: int
    pairs: int
    """All pairs of different outputs of this kind that both sides compared."""
    for_first: int
    """The opposed pairs in which the first side prefers the system (of two, the first), or the output with more
    edits of the type."""
    for_second: int
    """The same for the second side; in the other pairs both outputs have equally many edits of the type."""

    @property
    def share(self) -> float:
        return self.opposed / self.pairs

    @property
    def at_least(self) -> float:
        """The lower end of the share's 95% interval (Wilson 1927), which is low where there are few pairs."""
        z = 1.96
        middle = self.share + z * z / (2 * self.pairs)
        spread = z * sqrt(self.share * (1 - self.share) / self.pairs + (z / (2 * self.pairs)) ** 2)
        return (middle - spread) / (1 + z * z / self.pairs)


def by_systems(found: Disagreements) -> list[DisagreementCount]:
    """Counts for every two systems, by `at_least`: first those on which the two sides surely disagree most."""
    opposed, pairs = (flags.sum(axis=1) for flags in (found.opposed, found.counted))
    ahead = (found.opposed & (found.first.differences > 0)).sum(axis=1)
    names = [(found.systems[one], found.systems[other]) for one, other in zip(*found.ends, strict=True)]
    numbers = (opposed.tolist(), pairs.tolist(), ahead.tolist(), (opposed - ahead).tolist())
    return _ranked(map(DisagreementCount, names, *numbers))


def by_system(found: Disagreements) -> list[DisagreementCount]:
    """Counts for every system against all others; most disputed first."""
    left, right = found.ends
    better = found.opposed & (found.first.differences > 0), found.opposed & (found.first.differences < 0)
    return _ranked(
        DisagreementCount(
            (name,),
            int(found.opposed[involved].sum()),
            int(found.counted[involved].sum()),
            int(better[0][left == number].sum() + better[1][right == number].sum()),
            int(better[1][left == number].sum() + better[0][right == number].sum()),
        )
        for number, name in enumerate(found.systems)
        for involved in [(left == number) | (right == number)]
    )


def by_type(found: Disagreements) -> list[DisagreementCount]:
    """Counts for every error type in which two outputs differ; most disputed first."""
    opposed, counted = found.opposed & found.distinct, found.counted & found.distinct
    sign = np.sign(found.first.differences)
    return _ranked(
        DisagreementCount(
            (name,),
            int((opposed & table.differ).sum()),
            int((counted & table.differ).sum()),
            int((opposed & (sign * table.ahead > 0)).sum()),
            int((opposed & (sign * table.ahead < 0)).sum()),
        )
        for name, table in found.types.items()
    )


def _ranked(tallies: Iterable[DisagreementCount]) -> list[DisagreementCount]:
    found = [tally for tally in tallies if tally.pairs]
    return sorted(found, key=lambda tally: (-tally.at_least, -tally.pairs, tally.what))
