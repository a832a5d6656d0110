"""ERRANT's alignment, compiled: Damerau-Levenshtein over tokens with linguistic costs (Felice et al. 2016).

A replacement costs the more, the less the two tokens have in common: nothing if only case differs, else
.499 for another lemma, .25 or .5 for another part of speech, and the share of characters that differ. Tokens
in another order (case ignored) are one transposition of k + 1 tokens, at cost k. Of equally cheap steps the
first is taken: transposition, replacement, insertion, deletion.

Costs are added up in the same order as in the `errant` package, so that every comparison of two of them
comes out as it does there.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from gec_core.align.errant_parse import OPEN

MATCH, REPLACE, INSERT, DELETE = 0, 1, 2, 3
"""The steps of an alignment; larger numbers are transpositions of that many tokens, plus TRANSPOSE."""
TRANSPOSE = 2
OTHER_LEMMA = 0.499
OTHER_POS = 0.5
OTHER_OPEN_POS = 0.25


@njit(cache=True, nogil=True)
def align(source, output):  # type: ignore[no-untyped-def]
    """The steps from source to output, first to last. Both are given as `errant_parse.Tokens`.

    Equal tokens at the end are matched whatever comes before them (equal tokens at the beginning are not).
    """
    rows, columns = len(source.orth), len(output.orth)
    while rows and columns and source.orth[rows - 1] == output.orth[columns - 1]:
        rows -= 1
        columns -= 1
    steps = _walk(_fill(source, output, rows + 1, columns + 1))
    return np.concatenate((steps, np.full(len(source.orth) - rows, MATCH, np.int32)))


@njit(cache=True, nogil=True)
def _fill(source, output, rows, columns):  # type: ignore[no-untyped-def]
    """For every pair of prefixes (of fewer tokens than rows and columns) the last step of the cheapest alignment."""
    cost = np.empty((rows, columns))
    step = np.empty((rows, columns), np.int32)
    for i in range(rows):
        cost[i, 0], step[i, 0] = i, DELETE
    for j in range(columns):
        cost[0, j], step[0, j] = j, INSERT
    here, there, balance = _shared_numbers(source.lower[: rows - 1], output.lower[: columns - 1])
    scratch = np.empty(1 + np.max(np.diff(output.at)) if columns > 1 else 1, np.int32)
    for i in range(rows - 1):
        for j in range(columns - 1):
            if source.orth[i] == output.orth[j]:
                cost[i + 1, j + 1], step[i + 1, j + 1] = cost[i, j], MATCH
                continue
            best, taken = np.inf, 0
            size = _transposed(cost, here, there, balance, i, j)
            if size:
                best, taken = cost[i - size, j - size] + size, size + 1 + TRANSPOSE
            replaced = cost[i, j] + _replacement(source, output, i, j, scratch)
            if replaced < best:
                best, taken = replaced, REPLACE
            if cost[i + 1, j] + 1 < best:
                best, taken = cost[i + 1, j] + 1, INSERT
            if cost[i, j + 1] + 1 < best:
                best, taken = cost[i, j + 1] + 1, DELETE
            cost[i + 1, j + 1], step[i + 1, j + 1] = best, taken
    return step


@njit(cache=True, nogil=True)
def _replacement(source, output, i, j, scratch):  # type: ignore[no-untyped-def]
    """What it costs to replace source token i by output token j."""
    if source.lower[i] == output.lower[j]:
        return 0.0
    lemma = 0.0 if source.lemma[i] == output.lemma[j] else OTHER_LEMMA
    pos = 0.0
    if source.pos[i] != output.pos[j]:
        pos = OTHER_OPEN_POS if source.flags[i] & output.flags[j] & OPEN else OTHER_POS
    one = source.letters[source.at[i] : source.at[i + 1]]
    other = output.letters[output.at[j] : output.at[j + 1]]
    together = len(one) + len(other)
    return lemma + pos + (together - 2 * common_letters(one, other, scratch)) / together


@njit(cache=True, nogil=True)
def common_letters(one, other, scratch):  # type: ignore[no-untyped-def]
    """The length of the longest common subsequence of letters."""
    scratch[: len(other) + 1] = 0
    for letter in one:
        diagonal = 0
        for k in range(len(other)):
            above = scratch[k + 1]
            if letter == other[k]:
                scratch[k + 1] = diagonal + 1
            elif scratch[k] > above:
                scratch[k + 1] = scratch[k]
            diagonal = above
    return scratch[len(other)]


@njit(cache=True, nogil=True)
def _shared_numbers(source, output):  # type: ignore[no-untyped-def]
    """Small numbers for the tokens that both have, -1 for the others; and room to count them in."""
    here = np.full(len(source), -1, np.int32)
    there = np.full(len(output), -1, np.int32)
    count = 0
    for i in range(len(source)):
        if here[i] >= 0:
            continue
        for j in range(len(output)):
            if source[i] == output[j]:
                there[j] = here[i] = count
        if here[i] >= 0:
            for k in range(i + 1, len(source)):
                if source[k] == source[i]:
                    here[k] = count
            count += 1
    return here, there, np.zeros(count, np.int32)


@njit(cache=True, nogil=True)
def _transposed(cost, here, there, balance, i, j):  # type: ignore[no-untyped-def]
    """The least k such that the k + 1 tokens up to i and up to j are the same in another order; 0 if none.

    The search goes back until the two match anyway, or until a token comes up that the other side lacks.
    `balance` counts how often each token was seen here, less how often there; it is left at zero.
    """
    unbalanced = 0
    found = 0
    k = 0
    while i >= k and j >= k:
        if k and cost[i - k + 1, j - k + 1] == cost[i - k, j - k]:
            break
        one, other = here[i - k], there[j - k]
        if one < 0 or other < 0:
            break
        unbalanced += 1 if balance[one] >= 0 else -1
        balance[one] += 1
        unbalanced += 1 if balance[other] <= 0 else -1
        balance[other] -= 1
        if k and unbalanced == 0:
            found = k
            k += 1
            break
        k += 1
    for back in range(k):
        balance[here[i - back]] = 0
        balance[there[j - back]] = 0
    return found


@njit(cache=True, nogil=True)
def _walk(step):  # type: ignore[no-untyped-def]
    """The steps that lead to the last cell."""
    i, j = step.shape[0] - 1, step.shape[1] - 1
    steps = np.empty(i + j, np.int32)
    first = len(steps)
    while i or j:
        taken = step[i, j]
        size = taken - TRANSPOSE if taken > DELETE else 1
        if taken != INSERT:
            i -= size
        if taken != DELETE:
            j -= size
        first -= 1
        steps[first] = taken
    return steps[first:]
