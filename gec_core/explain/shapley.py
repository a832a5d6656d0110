"""Shapley values: what each player of a game contributes, on average over all orders of joining.

A coalition is a number whose bit p is set if player p is in it. Exactly, the values of all coalitions are
needed. For larger games orders are drawn at random, each together with its reverse, which makes the mean far
steadier than as many independent orders; the spread of these pairs says how far the mean may be off. In either
case the values of all players add up to what the whole is worth beyond nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import factorial

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Order = tuple[int, ...]
FEWEST_PAIRS = 4
"""Orders with their reverses that are drawn at least, or nothing could be said about the error."""


def exact(values: Array) -> Array:
    """The Shapley value of each player, from the values of all coalitions in the order of their numbers."""
    players = len(values).bit_length() - 1
    coalitions = np.arange(len(values))
    sizes = sum((coalitions >> player & 1 for player in range(players)), np.zeros_like(coalitions))
    orders = [factorial(size) * factorial(players - size - 1) for size in range(players)]
    weights = np.array(orders) / factorial(players)
    found = np.empty(players)
    for player in range(players):
        without = coalitions[(coalitions >> player & 1) == 0]
        found[player] = weights[sizes[without]] @ (values[without | 1 << player] - values[without])
    return found


def draw_orders(players: int, coalitions: int, seed: int) -> list[Order]:
    """Random orders, each followed by its reverse, that need no more than so many coalitions in all.

    At least `FEWEST_PAIRS` pairs are drawn, whatever they need.
    """
    random = np.random.default_rng(seed)
    orders: list[Order] = []
    needed: set[int] = set()
    while True:
        order: Order = tuple(random.permutation(players).tolist())
        needed |= {*joining(order), *joining(order[::-1])}
        if len(needed) > coalitions and len(orders) >= 2 * FEWEST_PAIRS:
            return orders
        orders += [order, order[::-1]]


def joining(order: Order) -> Iterator[int]:
    """The coalitions from nobody to everybody, as players join in this order."""
    return accumulate((1 << player for player in order), initial=0)


def sampled(orders: Sequence[Order], values: Mapping[int, float]) -> tuple[Array, Array]:
    """The estimated Shapley value of each player, and its standard error, from orders as `draw_orders` gives them."""
    gains = np.empty((len(orders), len(orders[0])))
    for row, order in zip(gains, orders, strict=True):
        row[list(order)] = np.diff([values[coalition] for coalition in joining(order)])
    pairs = (gains[::2] + gains[1::2]) / 2
    return pairs.mean(axis=0), pairs.std(axis=0, ddof=1) / np.sqrt(len(pairs))
