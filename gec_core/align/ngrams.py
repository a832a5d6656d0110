"""N-gram counts of a source, a hypothesis and references: the statistics of GLEU, GREEN and BLEU."""

from __future__ import annotations

import numpy as np

from gec_core.compiled import compiled

ORDERS = 4


@compiled
def gleu_statistics(texts, ends, words):  # type: ignore[no-untyped-def]
    """The row of GLEU: |H|, |R|, then for each order the rewarded n-grams of H and the number of its n-grams.

    Rewarded are n-grams shared with R, minus those shared with S that R does not have; at least 0.
    """
    row = np.empty(2 + 2 * ORDERS)
    row[0] = ends[1] - ends[0]
    row[1] = ends[2] - ends[1]
    for order in range(1, ORDERS + 1):
        rewarded = 0
        counts = _counts(texts, ends, order, words)
        for index in range(len(counts)):
            in_source, in_hypothesis, in_reference = counts[index]
            rewarded += min(in_hypothesis, in_reference)
            if in_reference == 0:
                rewarded -= min(in_hypothesis, in_source)
        row[2 * order] = max(rewarded, 0)
        row[2 * order + 1] = max(row[0] - order + 1, 0)
    return row


@compiled
def green_statistics(texts, ends, words):  # type: ignore[no-untyped-def]
    """The row of GREEN, for each order: n-grams correctly kept, deleted or inserted; wrongly changed; missed."""
    row = np.zeros(3 * ORDERS)
    for order in range(1, ORDERS + 1):
        counts = _counts(texts, ends, order, words)
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


@compiled
def bleu_statistics(texts, ends, words):  # type: ignore[no-untyped-def]
    """The row of BLEU: |H|, the closest reference length (the shorter of two), then for each order the n-grams of H
    that some reference has as often, then for each order the number of n-grams of H.
    """
    row = np.zeros(2 + 2 * ORDERS)
    length = closest = ends[0]
    distance = -1
    for number in range(1, len(ends)):
        its = ends[number] - ends[number - 1]
        if distance < 0 or abs(its - length) < distance or (abs(its - length) == distance and its < closest):
            distance, closest = abs(its - length), its
    row[0], row[1] = length, closest
    for order in range(1, ORDERS + 1):
        counts = _counts(texts, ends, order, words)
        for index in range(len(counts)):
            if counts[index, 0]:
                row[1 + order] += min(counts[index, 0], counts[index, 1:].max())
        row[1 + ORDERS + order] = max(length - order + 1, 0)
    return row


@compiled
def _counts(texts, ends, order, words):  # type: ignore[no-untyped-def]
    """The count of each distinct n-gram in each text: one row per n-gram, one column per text.

    The texts follow one another in one array; `ends` says where each of them ends.
    """
    keys = np.empty(len(texts), np.int64)
    owner = np.empty(len(texts), np.int32)
    filled = begin = 0
    for number, end in enumerate(ends):
        for start in range(begin, end - order + 1):
            key = np.int64(0)
            for offset in range(order):
                key = key * words + texts[start + offset]
            keys[filled] = key
            owner[filled] = number
            filled += 1
        begin = end
    ranked = np.argsort(keys[:filled])
    counts = np.zeros((filled, len(ends)), np.int32)
    row = -1
    for position in range(filled):
        index = ranked[position]
        if position == 0 or keys[index] != keys[ranked[position - 1]]:
            row += 1
        counts[row, owner[index]] += 1
    return counts[: row + 1]
