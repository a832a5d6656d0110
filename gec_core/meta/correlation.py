"""System-level correlation of a metric with people, and Williams' test for the difference of two correlations.

Pearson's r, Spearman's rho (r of the ranks, ties sharing their mean rank) and Kendall's tau-b, over the
systems that both have scored. With about ten systems a coefficient alone says little, so each comes
with a bootstrap interval over the systems and with its values when one system is left out.

Two correlations with the same human scores are not independent, because the metrics correlate with each
other. With r1 and r2 those of the metrics with people, r3 that between the metrics, and n systems,

    t = (r1 - r2) sqrt( (n-1)(1+r3) / (2K (n-1)/(n-3) + ((r1+r2)/2)² (1-r3)³) )
    K = 1 - r1² - r2² - r3² + 2 r1 r2 r3

follows Student's t with n - 3 degrees of freedom. The p-value is one-tailed. The same formula is used on
Spearman's coefficients.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from gec_core.errors import ScoreError
from gec_core.formatting import counted
from gec_core.human.ranking import Interval, interval
from gec_core.types import Array, Flags

Coefficient = Literal["pearson", "spearman", "kendall"]
Scores = Mapping[str, float]

FEWEST = 3
"""Two systems always correlate perfectly."""
FEWEST_FOR_WILLIAMS = 4
"""With three systems there is no degree of freedom left."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The coefficient without one system."""

    system: str
    value: float


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """The lowest and the highest value that leaving out one system gives; None if it is never defined."""

    low: LeftOut | None
    high: LeftOut | None


@dataclass(frozen=True)
class Correlation:
    """A coefficient over some systems, or the reason why there is none."""

    coefficient: Coefficient
    value: float | None
    reason: str
    """Why the coefficient is not defined; empty if it is."""
    systems: tuple[str, ...]
    """In the order of the human ranking, best first."""
    metric: Array = field(repr=False, compare=False)
    human: Array = field(repr=False, compare=False)

    @property
    def n(self) -> int:
        return len(self.systems)

    def interval(self, *, samples: int = 1000, seed: int = 0) -> Interval:
        """The bootstrap interval over systems; samples in which one side is constant are skipped and counted."""
        if samples < 1:
            raise ScoreError(f"A bootstrap needs at least one sample, not {samples}.")
        if self.value is None:
            return interval(np.full(samples, np.nan))
        drawn = np.random.default_rng(seed).integers(self.n, size=(samples, self.n))
        return interval(COEFFICIENTS[self.coefficient](self.metric[drawn], self.human[drawn]))

    def leave_one_out(self) -> LeaveOneOut:
        """The lowest and the highest coefficient without one system, and which system that is."""
        if self.n <= FEWEST:
            return LeaveOneOut(None, None)
        others = np.array([np.delete(np.arange(self.n), index) for index in range(self.n)])
        values = COEFFICIENTS[self.coefficient](self.metric[others], self.human[others])
        if np.isnan(values).all():
            return LeaveOneOut(None, None)
        low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
        return LeaveOneOut(
            LeftOut(self.systems[low], float(values[low])), LeftOut(self.systems[high], float(values[high]))
        )


@dataclass(frozen=True, slots=True)
class Window:
    """Adjacent systems in the human ranking, and the correlation over them."""

    first: int
    """The rank of the best of them."""
    last: int
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class Williams:
    """The test whether one metric correlates significantly better than another."""

    better: str
    worse: str
    coefficient: Coefficient
    n: int
    better_value: float | None
    worse_value: float | None
    between: float | None
    """The correlation of the two metrics with each other."""
    t: float | None = None
    p: float | None = None
    reason: str = ""
    """Why there is no p-value; empty if there is one."""


def correlate(
    metric: Scores,
    human: Scores,
    coefficient: Coefficient,
    *,
    without: Iterable[str] = (),
    top: int | None = None,
) -> Correlation:
    """Correlate a metric with people over the systems that both score.

    Args:
        metric: The scores of the metric by system.
        human: The scores by people by system.
        coefficient: `pearson`, `spearman` or `kendall`.
        without: Systems to leave out.
        top: Only the best systems according to people.
    """
    systems = common_systems(human, metric, without=without)
    if top is not None:
        if top < 1:
            raise ScoreError(f"The number of top systems is {top}; it must be at least 1.")
        systems = systems[:top]
    return _over(systems, metric, human, coefficient)


def windows(
    metric: Scores, human: Scores, coefficient: Coefficient, size: int, *, without: Iterable[str] = ()
) -> tuple[Window, ...]:
    """The coefficient over every `size` adjacent systems in the human ranking, from best to worst."""
    if size < 1:
        raise ScoreError(f"The window has {size} systems; it must have at least 1.")
    systems = common_systems(human, metric, without=without)
    return tuple(
        Window(start + 1, start + size, _over(systems[start : start + size], metric, human, coefficient))
        for start in range(len(systems) - size + 1)
    )


def williams(
    scores: Mapping[str, Scores], human: Scores, coefficient: Coefficient, *, without: Iterable[str] = ()
) -> tuple[Williams, ...]:
    """The test for every two of the metrics, over the systems that both of them and people have scored."""
    left_out = tuple(without)
    tests = []
    for one, other in combinations(scores, 2):
        systems = common_systems(human, scores[one], scores[other], without=left_out)
        first, second, people = ({name: side[name] for name in systems} for side in (scores[one], scores[other], human))
        with_people = {one: correlate(first, people, coefficient), other: correlate(second, people, coefficient)}
        tests.append(_test(with_people, correlate(first, second, coefficient)))
    return tuple(tests)


def common_systems(human: Scores, *others: Scores, without: Iterable[str] = ()) -> tuple[str, ...]:
    """The systems that all have scored, without those left out: by human score, best first, then by name."""
    out = set(without)
    if unknown := sorted(out - set(human).union(*others)):
        raise ScoreError(f"No system {', '.join(unknown)} to leave out. There are: {', '.join(sorted(human))}.")
    shared = set(human).intersection(*others) - out
    for name in sorted(shared):
        for scores in (human, *others):
            if not np.isfinite(scores[name]):
                raise ScoreError(f"{name} has the score {scores[name]}, which cannot be correlated. Leave it out.")
    return tuple(sorted(shared, key=lambda name: (-human[name], name)))


def williams_t(better: float, worse: float, between: float, n: int) -> float | None:
    """Williams' t from the three correlations; None where it is not defined (metrics that correlate perfectly)."""
    if abs(between) > 1 - 1e-12:
        return None
    k = max(0.0, 1 - better**2 - worse**2 - between**2 + 2 * better * worse * between)
    bottom = 2 * k * (n - 1) / (n - 3) + ((better + worse) / 2) ** 2 * (1 - between) ** 3
    if bottom <= 0:
        return None
    return (better - worse) * math.sqrt((n - 1) * (1 + between) / bottom)


def pearson(x: Array, y: Array) -> Array:
    """Pearson's r of every row; NaN where a row is constant."""
    varies = (np.ptp(x, axis=1) > 0) & (np.ptp(y, axis=1) > 0)  # a sum of squares is rarely 0 exactly
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    return _ratio((x * y).sum(axis=1), np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1)), varies)


def spearman(x: Array, y: Array) -> Array:
    """Spearman's rho of every row; NaN where a row is constant."""
    return pearson(_mean_ranks(x), _mean_ranks(y))


def kendall(x: Array, y: Array) -> Array:
    """Kendall's tau-b of every row; NaN where a row is constant."""
    x = np.sign(x[:, :, None] - x[:, None, :])
    y = np.sign(y[:, :, None] - y[:, None, :])
    product, left, right = ((a * b).sum(axis=(1, 2)) for a, b in ((x, y), (x, x), (y, y)))
    return _ratio(product, np.sqrt(left * right), left * right > 0)


COEFFICIENTS: dict[Coefficient, Callable[[Array, Array], Array]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def _over(systems: tuple[str, ...], metric: Scores, human: Scores, coefficient: Coefficient) -> Correlation:
    if coefficient not in get_args(Coefficient):
        raise ScoreError(f"No coefficient {coefficient!r}. There are: {', '.join(get_args(Coefficient))}.")
    x = np.array([metric[name] for name in systems], dtype=np.float64)
    y = np.array([human[name] for name in systems], dtype=np.float64)
    for side in (x, y):
        side.setflags(write=False)
    reason = _undefined(x, y)
    value = None if reason else float(COEFFICIENTS[coefficient](x[None], y[None])[0])
    return Correlation(coefficient, value, reason, systems, x, y)


def _undefined(metric: Array, human: Array) -> str:
    if len(metric) < FEWEST:
        return f"{counted(len(metric), 'system')} in common: a correlation needs at least {FEWEST}"
    if np.ptp(metric) == 0 or np.ptp(human) == 0:
        return "one side gives all systems the same score"
    return ""


def _mean_ranks(rows: Array) -> Array:
    """Ranks within each row, 1 for the lowest; equal values share the mean of their ranks."""
    below = (rows[:, None, :] < rows[:, :, None]).sum(axis=2)
    equal = (rows[:, None, :] == rows[:, :, None]).sum(axis=2)
    return below + (equal + 1) / 2


def _ratio(top: Array, bottom: Array, defined: Flags) -> Array:
    """top / bottom within [-1, 1], NaN where it is not defined."""
    return np.clip(np.divide(top, bottom, out=np.full_like(top, np.nan), where=defined), -1, 1)


def _test(with_people: Mapping[str, Correlation], between: Correlation) -> Williams:
    """The test for two metrics, given their correlations with people and with each other."""
    better, worse = sorted(with_people, key=lambda name: -_or_lowest(with_people[name].value))
    high, low = with_people[better], with_people[worse]
    result = Williams(better, worse, between.coefficient, between.n, high.value, low.value, between.value)
    if between.n < FEWEST_FOR_WILLIAMS:
        return replace(
            result, reason=f"{counted(between.n, 'system')} in common: the test needs at least {FEWEST_FOR_WILLIAMS}"
        )
    if high.value is None or low.value is None or between.value is None:
        reasons = [f"{name}: {one.reason}" for name, one in with_people.items() if one.reason]
        return replace(result, reason="; ".join(reasons))
    t = williams_t(high.value, low.value, between.value, between.n)
    if t is None:
        return replace(
            result, reason="the test is not defined for these correlations (one of them is perfect, or all are 0)"
        )
    return replace(result, t=t, p=_upper_tail(t, between.n - 3))


def _upper_tail(t: float, freedom: int) -> float:
    from scipy.special import stdtr

    return float(stdtr(freedom, -t))


def _or_lowest(value: float | None) -> float:
    return -math.inf if value is None else value
