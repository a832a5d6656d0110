"""The expectation of GLEU over all choices of one reference per sentence.

Draws of the original need statistics only, and so does the expectation. Both read rows with ten numbers per reference:
|H|, |R|, then rewarded and all n-grams of H for n = 1 to 4. `gec_core.metrics.gleu` says in which three ways the
expectation is found.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache, partial
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_core.metrics.ngrams import ORDERS
from gec_core.metrics.sums import Sums
from gec_core.types import Array

WIDTH = 10
"""Numbers per reference: |H|, |R|, then rewarded and all n-grams of H for n = 1 to 4."""
SEED_STEP = 101
MOST_CHOICES = 4096
BY_REFERENCE = [1, 2, 4, 6, 8]
"""The numbers that depend on the reference: |R| and the rewarded n-grams."""
QUANTILES, FEWER = 2000, 100
"""Points at which the normal distribution of |R| is evaluated: for one corpus, and for each of many."""
FARTHEST, POINTS = 8, 24
"""Standard deviations of |R| that a smooth expectation goes to, and its points on either side of the kink."""
STEADY = 4
"""Standard deviations by which a sum of rewarded n-grams must exceed 0 for means and covariances to suffice."""
DRAWS, ROUNDS = 500, 40
"""Draws of references at a time where they do not suffice, and how many times for one corpus."""
TOGETHER = 100
"""The number of resampled corpora that are computed together."""


def reference_blocks(statistics: Array) -> tuple[Array, NDArray[np.intp]]:
    """Sentences × references × numbers, 0 where a sentence has fewer references; and how many references it has."""
    blocks = statistics.reshape(len(statistics), -1, WIDTH)
    sizes = np.sum(~np.isnan(blocks[:, :, 0]), axis=1)
    return np.nan_to_num(blocks), sizes


def present(blocks: Array, sizes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Say for each sentence which of the references it has."""
    found: NDArray[np.bool_] = np.arange(blocks.shape[1]) < sizes[:, None]
    return found


def gleu_scores(totals: Array) -> Array:
    """Compute GLEU from statistics in the last axis; it is 0 when any of them is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        brevity = np.minimum(0, 1 - totals[..., 1] / totals[..., 0])
        precision = np.log(totals[..., 2::2] / totals[..., 3::2]).mean(axis=-1)
        scores: Array = np.where((totals == 0).any(axis=-1), 0.0, np.exp(brevity + precision))
    return scores


def drawn(blocks: Array, draws: NDArray[np.integer[Any]]) -> Array:
    """Compute GLEU for each row of drawn references."""
    totals = np.tile(blocks[:, 0].sum(axis=0), (len(draws), 1))
    for reference in range(1, blocks.shape[1]):
        totals += (draws == reference).astype(np.float64) @ (blocks[:, reference] - blocks[:, 0])
    return gleu_scores(totals)


def expected_sums(systems: Sequence[Array]) -> Sums:
    """How the expectation follows from sums over sentences, for systems with these statistics.

    The difference to scores from drawn references, which have noise of their own, is the rest.
    """
    rest = "references drawn at random instead of the expectation over all choices"
    blocks, sizes = reference_blocks(systems[0])
    by_choice = partial(
        Sums,
        partial(_count_blocks, blocks.shape[1]),
        gleu_scores,
        kinks=_longer,
        references=blocks.shape[1],
        rest=rest,
        variant="choices",
    )
    if np.sum(np.log(sizes)) <= np.log(MOST_CHOICES):
        ways = np.cumprod(sizes)
        return by_choice(choices=np.arange(ways[-1])[:, None] // (ways // sizes) % sizes)
    found = [moments(*reference_blocks(statistics)) for statistics in systems]
    if all(steady(*(each.sum(axis=0, keepdims=True) for each in pair))[0] for pair in found):
        return Sums(_count_moments, _expected_of_sums, smooth=_smoothly_expected, rest=rest, variant="moments")
    drawn_references = [(_chances(len(sizes), seed) * sizes).astype(np.int16) for seed in range(ROUNDS)]
    return by_choice(choices=np.concatenate(drawn_references))


def _count_blocks(references: int, states: Array, statistics: Array) -> Array:
    """The numbers of every reference, as if each sentence had so many."""
    blocks, _ = reference_blocks(statistics)
    filled = np.zeros((len(blocks), references, WIDTH))
    filled[:, : blocks.shape[1]] = blocks
    return filled.reshape(len(blocks), -1)


def _longer(totals: Array) -> Array:
    """Above 0 where outputs are longer than references, which ends the brevity penalty."""
    return (totals[..., 0] - totals[..., 1])[..., None]


_UPPER = np.triu_indices(len(BY_REFERENCE))


def _count_moments(states: Array, statistics: Array) -> Array:
    """Of every sentence the means of its numbers, and the covariances of those that vary, each once."""
    means, covariances = moments(*reference_blocks(statistics))
    return np.hstack([means, covariances[:, *_UPPER]])


def _sums_of_moments(totals: Array) -> tuple[Array, Array]:
    """Means and covariances of corpora from sums of `_count_moments`."""
    covariances = np.zeros((len(totals), len(BY_REFERENCE), len(BY_REFERENCE)), totals.dtype)
    covariances[:, *_UPPER] = totals[:, WIDTH:]
    covariances[:, *_UPPER[::-1]] = totals[:, WIDTH:]
    return totals[:, :WIDTH], covariances


def _expected_of_sums(totals: Array) -> Array:
    return expected_score(*_sums_of_moments(totals), 1, QUANTILES)


def _smoothly_expected(totals: Array) -> Array:
    """The same, within 1e-6, from few points on either side of where the brevity penalty begins: it is smooth."""
    means, covariances = _sums_of_moments(totals)
    spread = np.sqrt(covariances[:, 0, 0])
    begins = np.divide(means[:, 0] - means[:, 1], spread, out=np.zeros_like(spread), where=spread != 0)
    begins = np.where(np.abs(begins.real) < FARTHEST, begins, FARTHEST * np.sign(begins.real))[:, None]
    points, weights = _legendre()
    shares = (1 + points) / 2
    deviations = np.hstack([-FARTHEST + shares * (begins + FARTHEST), begins + shares * (FARTHEST - begins)])
    widths = np.hstack([weights / 2 * (begins + FARTHEST), weights / 2 * (FARTHEST - begins)])
    density = np.exp(-(deviations**2) / 2) / np.sqrt(2 * np.pi)
    expected: Array = np.sum(_given_length(means, covariances, 1, deviations) * density * widths, axis=1)
    return expected


@lru_cache(maxsize=1)
def _legendre() -> tuple[Array, Array]:
    legendre: Any = np.polynomial.legendre
    points, weights = legendre.leggauss(POINTS)
    return points, weights


@lru_cache(maxsize=8)
def draw_references(sizes: tuple[int, ...], iterations: int, draw: str) -> NDArray[np.int16]:
    """Draw references: iterations × sentences, counted from 0."""
    draws = np.empty((iterations, len(sizes)), np.int16)
    for iteration in range(iterations):
        seed = iteration * SEED_STEP
        if draw == "python2":
            # Seeded with an array, numpy's Mersenne twister equals that of the standard library.
            draws[iteration] = np.random.RandomState([seed]).random_sample(len(sizes)) * np.array(sizes)
        else:
            twister = random.Random(seed)
            draws[iteration] = [twister.randint(0, size - 1) for size in sizes]
    return draws


@lru_cache(maxsize=1)
def _chances(sentences: int, seed: int) -> Array:
    """Random numbers below 1 that choose references, draws × sentences; the same for all corpora of this size."""
    return np.random.default_rng(seed).random((DRAWS, sentences))


def expectation(blocks: Array, sizes: NDArray[np.intp], rounds: int = ROUNDS) -> tuple[float, float]:
    """Compute mean and standard deviation of GLEU over all choices of one reference per sentence."""
    if np.sum(np.log(sizes)) <= np.log(MOST_CHOICES):
        totals = np.zeros((1, WIDTH))
        for block, size in zip(blocks, sizes, strict=True):
            totals = (totals[:, None] + block[None, :size]).reshape(-1, WIDTH)
        scores = gleu_scores(totals)
        return float(scores.mean()), float(scores.std())
    means, covariances = (moment.sum(axis=0, keepdims=True) for moment in moments(blocks, sizes))
    if not steady(means, covariances)[0]:
        chosen = ((_chances(len(sizes), seed) * sizes).astype(np.int16) for seed in range(rounds))
        scores = np.concatenate([drawn(blocks, draws) for draws in chosen])
        return float(scores.mean()), float(scores.std())
    first, second = (float(expected_score(means, covariances, power, QUANTILES)[0]) for power in (1, 2))
    return first, max(0.0, second - first**2) ** 0.5


def moments(blocks: Array, sizes: NDArray[np.intp]) -> tuple[Array, Array]:
    """The means of each sentence's numbers over its references, and the covariances of those that vary."""
    weights = present(blocks, sizes) / sizes[:, None]
    means = np.einsum("sr,srk->sk", weights, blocks)
    centred = (blocks - means[:, None])[..., BY_REFERENCE]
    return means, np.einsum("sr,srk,srl->skl", weights, centred, centred)


def steady(means: Array, covariance: Array) -> NDArray[np.bool_]:
    """Say for which corpora no likely choice of references brings a sum of rewarded n-grams near 0."""
    spreads = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2)[:, 1:])
    found: NDArray[np.bool_] = np.all(means[:, 2::2] >= STEADY * spreads, axis=1)
    return found


def expected_score(means: Array, covariance: Array, power: int, quantiles: int) -> Array:
    """Compute the expectation of GLEU^power of corpora whose summed statistics have these means and covariances.

    Only |R| and the rewarded n-grams depend on the reference drawn. |R|, where the brevity penalty has its kink, is
    integrated over its normal distribution; for each value of |R|, the rest, a smooth function of the rewarded n-grams,
    is expanded to second order around their conditional means. Valid for `steady` sums only.
    """
    expected = np.mean(_given_length(means, covariance, power, _normal_midpoints(quantiles)), axis=1)
    return np.where((means == 0).any(axis=1), 0.0, expected)


def _given_length(means: Array, covariance: Array, power: int, deviations: Array) -> Array:
    """The expectation of GLEU^power where |R| is so many standard deviations from its mean: corpora × deviations."""
    spread = np.sqrt(covariance[:, 0, 0])[:, None]
    slope = np.divide(covariance[:, 1:, 0], spread, out=np.zeros_like(means[:, 2::2]), where=spread > 0)
    left = covariance[:, 1:, 1:] - slope[:, :, None] * slope[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        counts = means[:, None, 2::2] + deviations[..., None] * slope[:, None]
        exponent = power / len(ORDERS)
        smooth = np.prod(counts / means[:, None, 3::2], axis=-1) ** exponent
        inverse = 1 / counts
        curve = exponent**2 * left - exponent * left * np.eye(len(ORDERS))
        bend = np.sum((inverse @ curve) * inverse, axis=-1)
        brevity = np.exp(power * np.minimum(0, 1 - (means[:, 1:2] + spread * deviations) / means[:, :1]))
        expected: Array = brevity * smooth * (1 + bend / 2)
    return expected


def parts(samples: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Split the samples into parts that fit into memory."""
    return np.array_split(samples, max(1, -(-len(samples) // TOGETHER)))


@lru_cache(maxsize=2)
def _normal_midpoints(count: int) -> Array:
    """Equally probable points of the standard normal distribution."""
    normal = NormalDist()
    return np.array([normal.inv_cdf((index + 0.5) / count) for index in range(count)])
