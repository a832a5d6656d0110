"""N-grams of a source, a hypothesis and a reference, counted side by side."""

from __future__ import annotations

import numpy as np
from numba import njit

ORDERS = 4
MOST_WORDS = 55_000
"""Distinct words that a number of 63 bits can tell apart in n-grams of four."""


@njit(cache=True, nogil=True)
def _counts(texts, order, words):  # type: ignore[no-untyped-def]
    """How often each distinct n-gram stands in each text: one row an n-gram, one column a text."""
    size = 0
    for text in texts:
        size += max(0, len(text) - order + 1)
    keys = np.empty(size, np.int64)
    owner = np.empty(size, np.int8)
    filled = 0
    for number, text in enumerate(texts):
        for start in range(len(text) - order + 1):
            key = np.int64(0)
            for offset in range(order):
                key = key * words + text[start + offset]
            keys[filled] = key
            owner[filled] = number
            filled += 1
    ranked = np.argsort(keys)
    counts = np.zeros((size, len(texts)), np.int32)
    row = -1
    for position in range(size):
        index = ranked[position]
        if position == 0 or keys[index] != keys[ranked[position - 1]]:
            row += 1
        counts[row, owner[index]] += 1
    return counts[: row + 1]


@njit(cache=True, nogil=True)
def gleu_statistics(source, hypothesis, reference, words):  # type: ignore[no-untyped-def]
    """|H|, |R|, then for each order the n-grams of H that are rewarded and how many there are.

    Rewarded: those shared with R, less those shared with S of a kind that R does not have; at least 0.
    """
    row = np.empty(2 + 2 * ORDERS)
    row[0] = len(hypothesis)
    row[1] = len(reference)
    for order in range(1, ORDERS + 1):
        rewarded = 0
        counts = _counts((source, hypothesis, reference), order, words)
        for index in range(len(counts)):
            in_source, in_hypothesis, in_reference = counts[index]
            rewarded += min(in_hypothesis, in_reference)
            if in_reference == 0:
                rewarded -= min(in_hypothesis, in_source)
        row[2 * order] = max(rewarded, 0)
        row[2 * order + 1] = max(len(hypothesis) - order + 1, 0)
    return row


@njit(cache=True, nogil=True)
def green_statistics(source, hypothesis, reference, words):  # type: ignore[no-untyped-def]
    """For each order: n-grams rightly kept, deleted or inserted; wrongly changed; wrongly left alone."""
    row = np.zeros(3 * ORDERS)
    for order in range(1, ORDERS + 1):
        counts = _counts((source, hypothesis, reference), order, words)
        for index in range(len(counts)):
            in_source, in_hypothesis, in_reference = counts[index]
            kept = min(in_source, in_hypothesis, in_reference)
            deleted = max(0, in_source - max(in_hypothesis, in_reference))
            inserted = max(0, min(in_hypothesis, in_reference) - in_source)
            overdone = max(0, min(in_source, in_reference) - in_hypothesis)
            overdone += max(0, in_hypothesis - max(in_source, in_reference))
            missed = max(0, min(in_source, in_hypothesis) - in_reference)
            missed += max(0, in_reference - max(in_source, in_hypothesis))
            row[3 * order - 3] += kept + deleted + inserted
            row[3 * order - 2] += overdone
            row[3 * order - 1] += missed
    return row
