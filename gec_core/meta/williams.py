"""Williams test (Williams 1959; Graham and Baldwin 2014): does one metric correlate better than another?

Two correlations with the same human scores are not independent, because the metrics correlate with each
other. With r1, r2 those of the metrics with people, r3 that between the metrics, and n systems,

    t = (r1 - r2) sqrt( (n-1)(1+r3) / (2K (n-1)/(n-3) + ((r1+r2)/2)² (1-r3)³) )
    K = 1 - r1² - r2² - r3² + 2 r1 r2 r3

follows Student's t with n - 3 degrees of freedom. The p-value is one-tailed. The same formula is used on
Spearman's coefficients.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from gec_core.meta.correlation import Coefficient, Correlation, Scores, common_systems, correlate, counted

FEWEST = 4
"""With three systems there is no degree of freedom left."""


@dataclass(frozen=True, slots=True)
class Williams:
    """Whether the metric that correlates better does so significantly."""

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


def _test(with_people: Mapping[str, Correlation], between: Correlation) -> Williams:
    """The test for two metrics, given their correlations with people and with each other."""
    better, worse = sorted(with_people, key=lambda name: -_or_lowest(with_people[name].value))
    high, low = with_people[better], with_people[worse]
    result = Williams(better, worse, between.coefficient, between.n, high.value, low.value, between.value)
    if between.n < FEWEST:
        return replace(result, reason=f"{counted(between.n)} in common: the test needs at least {FEWEST}")
    if high.value is None or low.value is None or between.value is None:
        reasons = [f"{name}: {one.reason}" for name, one in with_people.items() if one.reason]
        return replace(result, reason="; ".join(reasons))
    t = statistic(high.value, low.value, between.value, between.n)
    if t is None:
        return replace(
            result, reason="the test is not defined for these correlations (one of them is perfect, or all are 0)"
        )
    return replace(result, t=t, p=_upper_tail(t, between.n - 3))


def statistic(better: float, worse: float, between: float, n: int) -> float | None:
    """Williams' t from the three correlations; None where it is not defined (metrics that correlate perfectly)."""
    if abs(between) > 1 - 1e-12:
        return None
    k = max(0.0, 1 - better**2 - worse**2 - between**2 + 2 * better * worse * between)
    bottom = 2 * k * (n - 1) / (n - 3) + ((better + worse) / 2) ** 2 * (1 - between) ** 3
    if bottom <= 0:
        return None
    return (better - worse) * math.sqrt((n - 1) * (1 + between) / bottom)


def _upper_tail(t: float, freedom: int) -> float:
    from scipy.special import stdtr

    return float(stdtr(freedom, -t))


def _or_lowest(value: float | None) -> float:
    return -math.inf if value is None else value
