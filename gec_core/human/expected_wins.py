"""Expected Wins (Bojar et al. 2013): how probably a system beats a random opponent on a random sentence.

The mean, over the opponents of a system, of wins / (wins + losses). Ties say nothing, nor do opponents
that were never told apart from it. A system without any decided comparison has no score.
"""

from __future__ import annotations

import numpy as np

from gec_core.human.pairs import FIRST_BETTER, TIE, Array, Integers, Pairs


def expected_wins(pairs: Pairs) -> dict[str, float]:
    """The score of every system that won or lost at least once."""
    scores = resampled(pairs, np.ones((1, pairs.items)))[0]
    return {name: float(score) for name, score in zip(pairs.systems, scores, strict=True) if not np.isnan(score)}


def resampled(pairs: Pairs, weights: Array) -> Array:
    """The scores when items count as often as `weights` says: a row a sample, a column a system, NaN for none."""
    decided = pairs.where(pairs.relation != TIE)
    cells = _winner_and_loser(decided)
    size = len(pairs.systems)
    wins = [np.bincount(cells, row[decided.item], minlength=size * size) for row in weights]
    return _mean_win_rate(np.array(wins, dtype=np.float64).reshape(len(weights), size, size))


def _winner_and_loser(decided: Pairs) -> Integers:
    """The two systems of each pair as the cell of a table that has the winner's row and the loser's column."""
    first_won = decided.relation == FIRST_BETTER
    winner = np.where(first_won, decided.first, decided.second)
    loser = np.where(first_won, decided.second, decided.first)
    return winner * len(decided.systems) + loser


def _mean_win_rate(wins: Array) -> Array:
    """The mean over the opponents met; the last two axes are winner and loser."""
    met = wins + wins.swapaxes(-1, -2)
    rates = np.divide(wins, met, out=np.zeros_like(wins), where=met > 0)
    opponents = (met > 0).sum(axis=-1)
    return np.divide(rates.sum(axis=-1), opponents, out=np.full(wins.shape[:-1], np.nan), where=opponents > 0)
