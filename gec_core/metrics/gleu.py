"""GLEU (Napoles et al. 2015, without tuning 2016): n-gram precision that dislikes keeping what should change.

With several references the original draws one a sentence, 500 times over, and reports the mean. The draws
need statistics only, so they cost a matrix product. `sampling=exact` is the expectation over all choices of
references instead, and so are the scores of resampled corpora. It is found in one of three ways:

- where choices are few, by going through all of them;
- where the summed statistics hardly depend on the choice, from their means and covariances (see `_expected`): on
  CoNLL-2014 within 1e-5 of a million draws, twenty times closer than 500 draws come; on slices of 13 to 100
  sentences within a hundredth of the spread of single draws;
- otherwise, which means few sentences with few n-grams in common, by draws of its own: 20,000 for
  `sampling=exact`, which leaves an error of a 140th of that spread, 500 for each of many resampled corpora (a 22nd).

`std` is then the spread of a single draw.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gec_core.metrics import options, register
from gec_core.metrics._ngram_rows import for_each_reference
from gec_core.metrics.base import Metric, Score
from gec_core.metrics.options import option
from gec_core.types import Array, Pair

WIDTH = 10
"""Numbers a reference: |H|, |R|, then rewarded and all n-grams of H for n = 1 to 4."""
SEED_STEP = 101
MOST_CHOICES = 4096
ORDERS = 4
BY_REFERENCE = [1, 2, 4, 6, 8]
"""Of the numbers, those that depend on the reference: |R| and the rewarded n-grams."""
QUANTILES, FEWER = 2000, 100
"""Points that the normal distribution of |R| is taken at: for one corpus, and for each of many."""
STEADY = 4
"""Standard deviations that a sum of rewarded n-grams must be away from 0 for means and covariances to do."""
DRAWS, ROUNDS = 500, 40
"""How often references are drawn at a time where these do not do, and how often that is done for one corpus."""
TOGETHER = 100
"""Resampled corpora that are looked at together."""


@register
class Gleu(Metric):
    id = "gleu"
    name = "GLEU"
    family = "overlap"
    order = 30
    summary = "N-grams shared with a reference, less those that should have been changed but were kept."
    citation = (
        "Napoles et al. 2015, Ground Truth for Grammatical Error Correction Metrics, ACL; 2016, GLEU Without Tuning"
    )
    reads = "references"

    @dataclass(frozen=True)
    class Options(options.Options):
        sampling: Literal["original", "exact"] = option(
            "original", "draw references as the original does, or take the expectation over all choices"
        )
        iterations: int = option(500, "how often references are drawn", least=1, most=100_000)
        draw: Literal["python2", "python3"] = option(
            "python2", "whose randint draws: that of the original's Python 2, or today's"
        )

    options: Options

    @property
    def statistics_signature(self) -> str:
        return f"gleu-counts|v{self.version}"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        from gec_core.align.ngrams import gleu_statistics

        return for_each_reference(pairs, gleu_statistics)

    def aggregate(self, statistics: Array) -> Score:
        blocks, sizes = _blocks(statistics)
        if self.options.sampling == "exact":
            mean, std = _expectation(blocks, sizes)
        else:
            scores = _drawn(blocks, _draws(tuple(sizes.tolist()), self.options.iterations, self.options.draw))
            mean, std = float(scores.mean()), float(scores.std())
        return Score(mean, {"std": std, "references": int(blocks.shape[1])})

    def resampled(self, statistics: Array, counts: Array) -> Array:
        """The expectation over all choices of references, whatever `sampling` says.

        Draws have a noise of their own, which must not pass for a difference between samples of sentences.
        """
        blocks, sizes = _blocks(statistics)
        if (sizes == 1).all():
            return _gleu(counts @ blocks[:, 0])
        means, covariances = _moments(blocks, sizes)
        sums, spreads = counts @ means, (counts @ covariances.reshape(len(blocks), -1)).reshape(-1, 5, 5)
        one_by_one = (counts @ np.log(sizes) <= np.log(MOST_CHOICES)) | ~_steady(sums, spreads)
        scores = np.empty(len(counts))
        for sample in np.flatnonzero(one_by_one):
            lines = np.repeat(np.arange(len(blocks)), counts[sample].astype(np.intp))
            scores[sample] = _expectation(blocks[lines], sizes[lines], rounds=1)[0]
        for part in _parts(np.flatnonzero(~one_by_one)):
            scores[part] = _expected(sums[part], spreads[part], 1, FEWER)
        return scores

    def sentence_scores(self, statistics: Array) -> Array:
        blocks, sizes = _blocks(statistics)
        scores = _gleu(np.where(blocks == 0, 1, blocks))
        means: Array = np.where(_present(blocks, sizes), scores, 0).sum(axis=1) / sizes
        return means

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        blocks, sizes = _blocks(statistics)
        scores = _gleu(np.where(blocks == 0, 1, blocks))
        return [
            {"by_reference": scores[line, :size].tolist(), "std": float(scores[line, :size].std())}
            for line, size in enumerate(sizes)
        ]


def _blocks(statistics: Array) -> tuple[Array, NDArray[np.intp]]:
    """Sentences × references × numbers, zero where a sentence has fewer references; and how many it has."""
    blocks = statistics.reshape(len(statistics), -1, WIDTH)
    sizes = np.sum(~np.isnan(blocks[:, :, 0]), axis=1)
    return np.nan_to_num(blocks), sizes


def _present(blocks: Array, sizes: NDArray[np.intp]) -> NDArray[np.bool_]:
    present: NDArray[np.bool_] = np.arange(blocks.shape[1]) < sizes[:, None]
    return present


def _gleu(totals: Array) -> Array:
    """GLEU from statistics in the last axis; 0 when any of them is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        brevity = np.minimum(0, 1 - totals[..., 1] / totals[..., 0])
        precision = np.log(totals[..., 2::2] / totals[..., 3::2]).mean(axis=-1)
        scores: Array = np.where((totals == 0).any(axis=-1), 0.0, np.exp(brevity + precision))
    return scores


def _drawn(blocks: Array, draws: NDArray[np.integer[Any]]) -> Array:
    """GLEU with each row of drawn references."""
    totals = np.tile(blocks[:, 0].sum(axis=0), (len(draws), 1))
    for reference in range(1, blocks.shape[1]):
        totals += (draws == reference).astype(np.float64) @ (blocks[:, reference] - blocks[:, 0])
    return _gleu(totals)


@lru_cache(maxsize=8)
def _draws(sizes: tuple[int, ...], iterations: int, draw: str) -> NDArray[np.int16]:
    """Iterations × sentences: the number of the reference drawn."""
    draws = np.empty((iterations, len(sizes)), np.int16)
    for iteration in range(iterations):
        seed = iteration * SEED_STEP
        if draw == "python2":
            # An array as the seed makes numpy's Mersenne twister the one of the standard library.
            draws[iteration] = np.random.RandomState([seed]).random_sample(len(sizes)) * np.array(sizes)
        else:
            twister = random.Random(seed)
            draws[iteration] = [twister.randint(0, size - 1) for size in sizes]
    return draws


@lru_cache(maxsize=1)
def _chances(sentences: int, seed: int) -> Array:
    """Draws × sentences: numbers below 1 that choose references, the same for all corpora of this size."""
    return np.random.default_rng(seed).random((DRAWS, sentences))


def _expectation(blocks: Array, sizes: NDArray[np.intp], rounds: int = ROUNDS) -> tuple[float, float]:
    """Mean and standard deviation of GLEU over all ways to choose one reference a sentence."""
    if np.sum(np.log(sizes)) <= np.log(MOST_CHOICES):
        totals = np.zeros((1, WIDTH))
        for block, size in zip(blocks, sizes, strict=True):
            totals = (totals[:, None] + block[None, :size]).reshape(-1, WIDTH)
        scores = _gleu(totals)
        return float(scores.mean()), float(scores.std())
    means, covariances = (moment.sum(axis=0, keepdims=True) for moment in _moments(blocks, sizes))
    if not _steady(means, covariances)[0]:
        chosen = ((_chances(len(sizes), seed) * sizes).astype(np.int16) for seed in range(rounds))
        scores = np.concatenate([_drawn(blocks, draws) for draws in chosen])
        return float(scores.mean()), float(scores.std())
    first, second = (float(_expected(means, covariances, power, QUANTILES)[0]) for power in (1, 2))
    return first, max(0.0, second - first**2) ** 0.5


def _moments(blocks: Array, sizes: NDArray[np.intp]) -> tuple[Array, Array]:
    """Of every sentence the means of its numbers over its references, and the covariances of those that vary."""
    weights = _present(blocks, sizes) / sizes[:, None]
    means = np.einsum("sr,srk->sk", weights, blocks)
    centred = (blocks - means[:, None])[..., BY_REFERENCE]
    return means, np.einsum("sr,srk,srl->skl", weights, centred, centred)


def _steady(means: Array, covariance: Array) -> NDArray[np.bool_]:
    """Which corpora are such that no likely choice of references brings a sum of rewarded n-grams near 0."""
    spreads = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2)[:, 1:])
    steady: NDArray[np.bool_] = np.all(means[:, 2::2] >= STEADY * spreads, axis=1)
    return steady


def _expected(means: Array, covariance: Array, power: int, quantiles: int) -> Array:
    """The expectation of GLEU^power of corpora whose summed statistics have these means and covariances.

    Only |R| and the rewarded n-grams depend on the reference drawn. |R|, where the brevity penalty has its
    kink, is integrated over its normal distribution; for each value of it, the rest, a smooth function of the
    rewarded n-grams, is expanded to second order around their conditional means. Only for `_steady` sums.
    """
    spread = np.sqrt(covariance[:, 0, 0])[:, None]
    slope = np.divide(covariance[:, 1:, 0], spread, out=np.zeros_like(means[:, 2::2]), where=spread > 0)
    left = covariance[:, 1:, 1:] - slope[:, :, None] * slope[:, None]
    deviations = _normal_midpoints(quantiles)
    with np.errstate(divide="ignore", invalid="ignore"):
        counts = means[:, None, 2::2] + deviations[:, None] * slope[:, None]
        exponent = power / ORDERS
        smooth = np.prod(counts / means[:, None, 3::2], axis=-1) ** exponent
        inverse = 1 / counts
        curve = exponent**2 * left - exponent * left * np.eye(ORDERS)
        bend = np.sum((inverse @ curve) * inverse, axis=-1)
        brevity = np.exp(power * np.minimum(0, 1 - (means[:, 1:2] + spread * deviations) / means[:, :1]))
        expected = np.mean(brevity * smooth * (1 + bend / 2), axis=1)
    return np.where((means == 0).any(axis=1), 0.0, expected)


def _parts(samples: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """The samples in parts that do not fill the memory when each is looked at closely."""
    return np.array_split(samples, max(1, -(-len(samples) // TOGETHER)))


@lru_cache(maxsize=2)
def _normal_midpoints(count: int) -> Array:
    """Equally probable points of the standard normal distribution."""
    normal = NormalDist()
    return np.array([normal.inv_cdf((index + 0.5) / count) for index in range(count)])
