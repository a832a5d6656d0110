"""Choosing annotators by a rounded F: as it stands and compiled, both as Python rounds."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

import numba  # noqa: F401 - the compiled rule is taken only where numba is there already
import numpy as np
import pytest

from gec_core.metrics.annotators import COMPILE_FROM, by_errant, by_m2, choose, resampled_totals


def f_half(tp: int, fp: int, fn: int) -> float:
    """F0.5 as errant_compare computes it, before it is rounded."""
    p, r = tp / (tp + fp), tp / (tp + fn)
    return 1.25 * p * r / (0.25 * p + r)


def by_the_rule(annotators: Any) -> int:
    """The key of errant_compare, with Python's own rounding."""
    keys = [(round(f_half(tp, fp, fn), 4), tp, -fp, -fn) for tp, fp, fn in annotators]
    return keys.index(max(keys))


def rivals_of_halves() -> Iterator[Any]:
    """Counts whose F is a half of the fifth digit, each beside counts whose F is rounded to the digits around it."""
    grid = list(product(range(1, 80), range(0, 120, 3), range(0, 120, 3)))
    scores = [f_half(*counts) for counts in grid]
    rounded = defaultdict(list)
    for counts, score in zip(grid, scores, strict=True):
        rounded[round(score, 4)].append(counts)
    for counts, score in zip(grid, scores, strict=True):
        low, rest = divmod(score * 10_000, 1)
        if abs(rest - 0.5) < 1e-9:
            for near in (low / 10_000, (low + 1) / 10_000):
                found = rounded.get(near, ())
                yield from ((counts, other) for other in (*found[:2], *found[-2:]) if other != counts)


def test_f_is_rounded_as_python_rounds() -> None:
    assert round(f_half(43, 117, 117), 4) == 0.2687  # .26875, a little less in binary
    sentences = np.array(list(rivals_of_halves()), float)
    assert len(sentences) > 500
    expected = [by_the_rule(annotators) for annotators in sentences.tolist()]
    assert [int(choose(by_errant, sentences[[line]], 0.5)[0]) for line in range(len(sentences))] == expected
    totals = resampled_totals(by_errant, sentences, np.eye(len(sentences)), 0.5)
    assert totals == [tuple(each[index]) for each, index in zip(sentences, expected, strict=True)]


@pytest.mark.parametrize("rule", [by_m2, by_errant])
def test_the_compiled_rule_chooses_as_the_rule_itself(rule: Any) -> None:
    counts = np.random.default_rng(1).integers(0, 4, (COMPILE_FROM, 3, 3)).astype(float)
    chosen = [0] * len(counts)
    rule(counts.tolist(), [1.0] * len(counts), 0.25, chosen)
    assert choose(rule, counts, 0.5).tolist() == chosen
    assert len(set(chosen)) == 3
