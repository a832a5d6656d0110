"""Shapley values: games that can be solved by hand, their definition, and how good the estimate is."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gec_core.explain import credit
from gec_core.types import Array

games = st.integers(0, 5).flatmap(
    lambda players: st.lists(st.floats(-100, 100), min_size=2**players, max_size=2**players)
)


def by_definition(values: Any) -> Array:
    """The mean gain of each player over all orders."""
    players = len(values).bit_length() - 1
    orders = list(permutations(range(players)))
    gains = np.zeros(players)
    for order in orders:
        coalition = 0
        for player in order:
            gains[player] += values[coalition | 1 << player] - values[coalition]
            coalition |= 1 << player
    return gains / len(orders)


def test_gloves() -> None:
    """Player 0 has a left glove, 1 and 2 have right ones; a pair is worth 1."""
    values = np.array([0, 0, 0, 1, 0, 1, 0, 1], float)
    assert credit.exact_values(values) == pytest.approx([2 / 3, 1 / 6, 1 / 6])


def test_one_player_and_none() -> None:
    assert credit.exact_values(np.array([3.0, 5.0])).tolist() == [2.0]
    assert credit.exact_values(np.array([3.0])).tolist() == []


@given(games)
def test_it_is_the_mean_over_all_orders(values: Any) -> None:
    found = credit.exact_values(np.array(values))
    assert found == pytest.approx(by_definition(values), abs=1e-9)
    assert found.sum() == pytest.approx(values[-1] - values[0], abs=1e-9)


def test_orders_come_with_their_reverse_and_need_no_more_coalitions_than_allowed() -> None:
    orders = credit.draw_orders(12, 200, seed=3)
    assert [order[::-1] for order in orders[::2]] == orders[1::2]
    assert len({coalition for order in orders for coalition in credit.joining(order)}) <= 200
    assert len(orders) > 2 * credit.FEWEST_PAIRS
    assert orders == credit.draw_orders(12, 200, seed=3) != credit.draw_orders(12, 200, seed=4)


def test_some_orders_are_drawn_however_few_coalitions_are_allowed() -> None:
    assert len(credit.draw_orders(40, 10, seed=0)) == 2 * credit.FEWEST_PAIRS


def test_players_join_one_by_one() -> None:
    assert list(credit.joining((1, 0, 2))) == [0b000, 0b010, 0b011, 0b111]


def test_in_a_sum_the_estimate_is_certain() -> None:
    worth = np.array([0.5, -1.0, 2.0, 0.0, 3.0])
    values = {
        coalition: sum(worth[player] for player in range(5) if coalition >> player & 1) for coalition in range(32)
    }
    found, error = credit.sampled_values(credit.draw_orders(5, 20, seed=0), values)
    assert found == pytest.approx(worth)
    assert error == pytest.approx(np.zeros(5))


@pytest.mark.parametrize("seed", range(5))
def test_the_estimate_is_off_by_about_its_error_and_adds_up(seed: int) -> None:
    """Of 50 estimates, nearly all should lie within three standard errors; these are estimates themselves."""
    values = np.random.default_rng(seed).normal(size=1024)
    found, error = credit.sampled_values(credit.draw_orders(10, 400, seed), dict(enumerate(values)))
    assert found.sum() == pytest.approx(values[-1] - values[0])
    off = np.abs(found - credit.exact_values(values)) / error
    assert (off < 3).mean() >= 0.8
    assert 0.3 < off.mean() < 2
