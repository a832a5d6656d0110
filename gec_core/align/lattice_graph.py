"""What both ways through the edit lattice start from: its cells and steps, and what counts as a gold edit.

Gold edits come as arrays: edit g replaces the source tokens of spans[g] and has the corrections gold_at[g] to
gold_at[g + 1], of which c is words[word_at[c] : word_at[c + 1]].
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def graph_steps(source, hypothesis, substitution):  # type: ignore[no-untyped-def]
    """For each cell on a cheapest path, the steps by which cheapest paths enter it.

    Bits: 1 diagonal (equal tokens or a substitution), 2 deletion, 4 insertion, 8 the cell is on a path.
    """
    n, m = len(source), len(hypothesis)
    cost = np.zeros((n + 1, m + 1), np.int32)
    steps = np.zeros((n + 1, m + 1), np.uint8)
    for i in range(n + 1):
        for j in range(m + 1):
            if i == 0 and j == 0:
                continue
            diagonal = delete = insert = 1 << 29
            if i > 0 and j > 0:
                diagonal = cost[i - 1, j - 1] + (0 if source[i - 1] == hypothesis[j - 1] else substitution)
            if i > 0:
                delete = cost[i - 1, j] + 1
            if j > 0:
                insert = cost[i, j - 1] + 1
            best = min(diagonal, delete, insert)
            cost[i, j] = best
            steps[i, j] = (diagonal == best) * 1 + (delete == best) * 2 + (insert == best) * 4
    steps[n, m] |= 8
    for i in range(n, -1, -1):
        for j in range(m, -1, -1):
            if not steps[i, j] & 8:
                continue
            if steps[i, j] & 1:
                steps[i - 1, j - 1] |= 8
            if steps[i, j] & 2:
                steps[i - 1, j] |= 8
            if steps[i, j] & 4:
                steps[i, j - 1] |= 8
    return steps


@njit(cache=True, nogil=True)
def is_correction(hypothesis, start, end, gold, gold_at, word_at, words):  # type: ignore[no-untyped-def]
    """Whether hypothesis[start:end] is one of the corrections of this gold edit."""
    for alternative in range(gold_at[gold], gold_at[gold + 1]):
        if word_at[alternative + 1] - word_at[alternative] != end - start:
            continue
        equal = True
        for offset in range(end - start):
            if words[word_at[alternative] + offset] != hypothesis[start + offset]:
                equal = False
                break
        if equal:
            return True
    return False


@njit(cache=True, nogil=True)
def count_matches(edits, hypothesis, spans, gold_at, word_at, words):  # type: ignore[no-untyped-def]
    """How often each edit, from left to right, meets a gold edit that comes after the last one met."""
    matches = np.zeros(len(edits), np.int32)
    following = 0
    for index in range(len(edits)):
        start, end, at, to = edits[index]
        for gold in range(following, len(spans)):
            if (
                spans[gold, 0] == start
                and spans[gold, 1] == end
                and is_correction(hypothesis, at, to, gold, gold_at, word_at, words)
            ):
                matches[index] += 1
                following = gold + 1
    return matches
