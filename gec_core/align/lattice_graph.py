"""The Levenshtein graphs under the edit lattice of M2, gold edits in them, and a path in linear time.

`linear_edits` is for lattices that are too large to be joined: long texts that have little in common. It follows the
rule of `lattice` (as many gold edits as possible, then few steps, then few edits, each over at most `max_unchanged`
unchanged words) in one sweep over the cells, in time and memory proportional to their number. The one difference: it
lets two insertions at the same place match the same gold insertion while it searches; counting matches does not.

Gold edits are arrays: edit g replaces the source tokens of spans[g] and has the corrections gold_at[g] to
gold_at[g + 1], of which c is words[word_at[c] : word_at[c + 1]].
"""

from __future__ import annotations

import numpy as np
from numba import njit

SMALL_COST = 0.001
"""The cost of an edit that is not in the gold edits."""
DIAGONAL, DELETE, INSERT, ON_PATH = 1, 2, 4, 8
_CLOSE, _GOLD = 16, 32


@njit(cache=True, nogil=True)
def graph_steps(source, hypothesis, substitution):  # type: ignore[no-untyped-def]
    """For each cell on a cheapest path, the steps by which cheapest paths enter it, as bits.

    DIAGONAL (equal tokens or a substitution), DELETE, INSERT; and ON_PATH if the cell is on a path.
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
            steps[i, j] = (diagonal == best) * DIAGONAL + (delete == best) * DELETE + (insert == best) * INSERT
    steps[n, m] |= ON_PATH
    for i in range(n, -1, -1):
        for j in range(m, -1, -1):
            if not steps[i, j] & ON_PATH:
                continue
            if steps[i, j] & DIAGONAL:
                steps[i - 1, j - 1] |= ON_PATH
            if steps[i, j] & DELETE:
                steps[i - 1, j] |= ON_PATH
            if steps[i, j] & INSERT:
                steps[i, j - 1] |= ON_PATH
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
    """The number of gold edits that each edit, from left to right, matches after the last gold edit matched."""
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


@njit(cache=True, nogil=True)
def linear_edits(source, hypothesis, first, second, max_unchanged, spans, gold_at, word_at, words):  # type: ignore[no-untyped-def]
    """The edits (start, end, at, to) that match one annotator's gold edits best, from left to right."""
    steps = np.zeros(first.shape, np.uint8)
    for i in range(first.shape[0]):
        for j in range(first.shape[1]):
            for graph in (first, second):
                if graph[i, j] & ON_PATH:
                    steps[i, j] |= graph[i, j]
    arcs = _gold_arcs(steps, source, hypothesis, max_unchanged, spans, gold_at, word_at, words)
    move, came_from = _sweep(steps, source, hypothesis, max_unchanged, arcs)
    edits = [(np.int32(0), np.int32(0), np.int32(0), np.int32(0)) for _ in range(0)]
    i, j, state = len(source), len(hypothesis), 0
    end, to = i, j
    while move[i, j, state] != 0:
        step, previous = move[i, j, state], came_from[i, j, state]
        if step == _CLOSE:
            end, to, state = i, j, previous
            continue
        if step == _GOLD:
            start, at, _, _ = arcs[previous]
            edits.append((start, np.int32(i), at, np.int32(j)))
            i, j = start, at
            continue
        opened = state > 0 and previous == 0
        if step != INSERT:
            i -= 1
        if step != DELETE:
            j -= 1
        state = previous
        if opened:
            edits.append((np.int32(i), np.int32(end), np.int32(j), np.int32(to)))
    return edits[::-1]


@njit(cache=True, nogil=True)
def _reaches(steps, source, hypothesis, start, end, at, to, max_unchanged):  # type: ignore[no-untyped-def]
    """Whether a path leads from cell (start, at) to (end, to) over at most `max_unchanged` unchanged words."""
    fewest = np.full((end - start + 1, to - at + 1), 1 << 20, np.int32)
    fewest[0, 0] = 0
    for i in range(start, end + 1):
        for j in range(at, to + 1):
            best = fewest[i - start, j - at]
            if i > start and steps[i, j] & DELETE:
                best = min(best, fewest[i - start - 1, j - at])
            if j > at and steps[i, j] & INSERT:
                best = min(best, fewest[i - start, j - at - 1])
            if i > start and j > at and steps[i, j] & DIAGONAL:
                best = min(best, fewest[i - start - 1, j - at - 1] + (source[i - 1] == hypothesis[j - 1]))
            fewest[i - start, j - at] = best
    return fewest[-1, -1] <= max_unchanged


@njit(cache=True, nogil=True)
def _gold_arcs(steps, source, hypothesis, max_unchanged, spans, gold_at, word_at, words):  # type: ignore[no-untyped-def]
    """The edits (start, at, end, to) of the lattice that match a gold edit, in the order of their first cell."""
    arcs = [(np.int32(0), np.int32(0), np.int32(0), np.int32(0)) for _ in range(0)]
    for gold in range(len(spans)):
        start, end = spans[gold]
        for alternative in range(gold_at[gold], gold_at[gold + 1]):
            size = word_at[alternative + 1] - word_at[alternative]
            for at in range(len(hypothesis) - size + 1):
                to = at + size
                if (
                    steps[start, at] & ON_PATH
                    and steps[end, to] & ON_PATH
                    and (start, at) != (end, to)
                    and is_correction(hypothesis, at, to, gold, gold_at, word_at, words)
                    and _reaches(steps, source, hypothesis, start, end, at, to, max_unchanged)
                ):
                    arcs.append((start, np.int32(at), end, np.int32(to)))
    arcs.sort()
    return arcs


@njit(cache=True, nogil=True)
def _sweep(steps, source, hypothesis, max_unchanged, arcs):  # type: ignore[no-untyped-def]
    """The cheapest path to every state: (cell, 0) outside an edit, (cell, 1 + u) inside one with u unchanged words."""
    n, m = len(source), len(hypothesis)
    cost = np.full((n + 1, m + 1, max_unchanged + 2), np.inf)
    move = np.zeros(cost.shape, np.uint8)
    came_from = np.zeros(cost.shape, np.int32)
    cost[0, 0, 0] = 0.0
    bonus = -4.0 * (n + m + 1)
    following = 0
    for i in range(n + 1):
        for j in range(m + 1):
            if not steps[i, j] & ON_PATH:
                continue
            for state in range(1, max_unchanged + 2):
                if cost[i, j, state] < cost[i, j, 0]:
                    cost[i, j, 0] = cost[i, j, state]
                    move[i, j, 0] = _CLOSE
                    came_from[i, j, 0] = state
            for bit, to_i, to_j in ((INSERT, i, j + 1), (DELETE, i + 1, j), (DIAGONAL, i + 1, j + 1)):
                if to_i > n or to_j > m or not steps[to_i, to_j] & ON_PATH or not steps[to_i, to_j] & bit:
                    continue
                same = bit == DIAGONAL and source[i] == hypothesis[j]
                for state in range(max_unchanged + 2):
                    target, price = state, 1.0
                    if same and state > 0:
                        target = state + 1
                    elif not same and state == 0:
                        target, price = 1, 1.0 + SMALL_COST
                    if target < max_unchanged + 2 and cost[i, j, state] + price < cost[to_i, to_j, target]:
                        cost[to_i, to_j, target] = cost[i, j, state] + price
                        move[to_i, to_j, target] = bit
                        came_from[to_i, to_j, target] = state
            while following < len(arcs) and arcs[following][0] == i and arcs[following][1] == j:
                _, _, end, to = arcs[following]
                if cost[i, j, 0] + bonus < cost[end, to, 0]:
                    cost[end, to, 0] = cost[i, j, 0] + bonus
                    move[end, to, 0] = _GOLD
                    came_from[end, to, 0] = following
                following += 1
    return move, came_from
