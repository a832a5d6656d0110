from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from gec_core.meta.aumann_shapley import gradient, mean_gradient


def smooth(sums: Any) -> Any:
    return np.ones((*sums.shape[:-1], 1))


def one_line(function: Any, start: ArrayLike, end: ArrayLike, kinks: Any = smooth) -> tuple[Any, float]:
    found = mean_gradient(function, kinks, np.array([start], float), np.array([end], float))
    return found.gradients[0], found.added


def test_a_product_is_shared_by_the_mean_of_the_other_factor() -> None:
    prices, added = one_line(lambda sums: sums[..., 0] * sums[..., 1], [1, 2], [3, 10])
    assert prices == pytest.approx([6, 2], abs=1e-12)  # the means of 2…10 and of 1…3
    assert added < 1e-12


def test_the_sum_holds_for_a_quotient() -> None:
    start, end = np.array([3.0, 40.0]), np.array([17.0, 55.0])
    prices, _ = one_line(lambda sums: sums[..., 0] / sums[..., 1], start, end)
    assert prices @ (end - start) == pytest.approx(17 / 55 - 3 / 40, abs=1e-14)


def test_a_kink_is_where_the_line_is_cut() -> None:
    def function(sums: Any) -> Any:
        return np.minimum(sums[..., 0], sums[..., 1])

    def kink(sums: Any) -> Any:
        return (sums[..., 0] - sums[..., 1])[..., None]

    # The first is smaller on the first third of the way from (0, 1) to (3, 1.5).
    prices, added = one_line(function, [0, 1], [3, 1.5], kink)
    assert prices == pytest.approx([0.4, 0.6], abs=1e-12)
    assert added < 1e-12


def test_a_root_at_an_end_is_reached() -> None:
    prices, added = one_line(lambda sums: (sums[..., 0] * sums[..., 1]) ** 0.25, [0, 0], [16, 1])
    assert added < 1e-8
    assert prices == pytest.approx([1 / 16, 1], abs=1e-7)  # f = 2·√u, half of it from each


def test_a_jump_goes_along_the_line() -> None:
    """0/0 is defined as 1: nothing of it can be reached by gradients."""

    def function(sums: Any) -> Any:
        top, bottom = sums[..., 0], sums[..., 1]
        return np.where(bottom == 0, 1.0, top / np.where(bottom == 0, 1, bottom))

    prices, added = one_line(function, [0, 0], [0, 8])
    assert added == pytest.approx(1)
    assert prices[1] == pytest.approx(-1 / 8)
    assert abs(prices[0]) < 1


def test_equal_sums_have_the_gradient_there() -> None:
    prices, _ = one_line(lambda sums: sums[..., 0] ** 2, [3, 1], [3, 1])
    assert prices == pytest.approx([6, 0])


def test_gradients_of_many_places() -> None:
    places = np.random.default_rng(0).uniform(1, 2, (5000, 3))
    found = gradient(lambda sums: np.prod(sums, axis=-1), places)
    assert found == pytest.approx(np.prod(places, axis=1)[:, None] / places)


def test_what_neither_has_any_of_has_no_price_if_it_would_be_infinite() -> None:
    prices, _ = one_line(lambda sums: sums[..., 0] + np.sqrt(sums[..., 1]), [1, 0], [2, 0])
    assert prices == pytest.approx([1, 0])


def test_a_level_line_still_gets_the_mean_gradient() -> None:
    """The sum is right with any number of nodes; the price of what does not change takes as many as elsewhere."""
    prices, added = one_line(lambda sums: sums[..., 0] / (1 + sums[..., 1]), [0, 3], [0, 40])
    assert prices == pytest.approx([np.log(41 / 4) / 37, 0], rel=1e-9)
    assert added == 0
