"""The edit lattice of MaxMatch (Dahlmeier and Ng 2012): the edits that turn the source into the hypothesis.

The lattice is the union of two Levenshtein graphs over tokens (substitutions at cost 1 and at cost 2).
Adjacent edges are joined into longer edits as long as these cover at most `max_unchanged` unchanged
words. Gold edits are made so cheap that the shortest path takes as many of them as it can; every other
edit has a small cost, so that the path takes few.

The counts must equal those of the authors' scorer, so its order of operations is kept where it matters:
an edge that is in both graphs, or that was found twice while joining, has its small cost twice;
of equally short paths the one found first is taken; and of several insertions at one place each
gold insertion marks one, searched from both ends in turn.

Nodes are cells (i, j): i source tokens read, j hypothesis tokens written. Numbered row by row they are in
topological order. Tokens are integers (see `edits.encode_gold`); an edit is a pair of cells.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from gec_core.align.lattice_graph import (
    DELETE,
    DIAGONAL,
    INSERT,
    ON_PATH,
    SMALL_COST,
    count_matches,
    graph_steps,
    is_correction,
    linear_edits,
)

MOST_NODES = 1500
"""Larger lattices (long texts that have little in common) are not joined, since time grows with the cube of
this; `linear_edits` is used instead."""
_FAR = np.int16(32000)


@njit(cache=True, nogil=True)
def best_edits(max_unchanged, most_nodes, source, hypothesis, annotator_at, spans, gold_at, word_at, words):  # type: ignore[no-untyped-def]
    """The edits of the path that matches the gold edits best, for every annotator.

    Annotator a has the gold edits annotator_at[a] to annotator_at[a + 1]; edit g replaces spans[g] and has the
    corrections gold_at[g] to gold_at[g + 1], of which c is words[word_at[c] : word_at[c + 1]].

    Rows are (annotator, start, end, at, to, matches): source tokens [start, end) become hypothesis tokens
    [at, to), and `matches` gold edits make the same change. An edit may have unchanged words at its ends. Also
    returned: whether the lattice was joined, which it is up to `most_nodes` nodes.
    """
    first = graph_steps(source, hypothesis, 1)
    second = graph_steps(source, hypothesis, 2)
    number, cells = _number_nodes(first, second)
    nodes = len(cells)
    joined = nodes <= most_nodes
    length = np.full((nodes if joined else 0, nodes if joined else 0), _FAR, np.int16)
    unchanged = np.zeros(length.shape, np.int16)
    if joined:
        pairs = _base_edges(source, hypothesis, first, second, number, length, unchanged)
        _join_edges(pairs, length, unchanged, max_unchanged)
        pairs = [
            (here, there)
            for here, there in pairs
            if length[here, there] == 1 or unchanged[here, there] < length[here, there]
        ]
    found = [(np.int32(0), np.int32(0), np.int32(0), np.int32(0), np.int32(0), np.int32(0)) for _ in range(0)]
    for annotator in range(len(annotator_at) - 1):
        low, high = annotator_at[annotator], annotator_at[annotator + 1]
        golds = spans[low:high], gold_at[low : high + 1], word_at, words
        if joined:
            weight = _weigh(pairs, length, unchanged, cells, hypothesis, *golds)
            edits = _path_edits(_shortest_path(pairs, weight, nodes), length, unchanged, cells)
        else:
            edits = linear_edits(source, hypothesis, first, second, max_unchanged, *golds)
        matches = count_matches(edits, hypothesis, *golds)
        for index in range(len(edits)):
            start, end, at, to = edits[index]
            found.append((np.int32(annotator), start, end, at, to, matches[index]))
    rows = np.empty((len(found), 6), np.int32)
    for index in range(len(found)):
        for column, value in enumerate(found[index]):
            rows[index, column] = value
    return rows, joined


@njit(cache=True, nogil=True)
def _number_nodes(first, second):  # type: ignore[no-untyped-def]
    """The cells of either graph, in topological order, and the number of each cell (-1: not a node)."""
    number = np.full(first.shape, -1, np.int32)
    count = 0
    for i in range(first.shape[0]):
        for j in range(first.shape[1]):
            if (first[i, j] | second[i, j]) & ON_PATH:
                number[i, j] = count
                count += 1
    cells = np.empty((count, 2), np.int32)
    for i in range(first.shape[0]):
        for j in range(first.shape[1]):
            if number[i, j] >= 0:
                cells[number[i, j], 0] = i
                cells[number[i, j], 1] = j
    return number, cells


@njit(cache=True, nogil=True)
def _base_edges(source, hypothesis, first, second, number, length, unchanged):  # type: ignore[no-untyped-def]
    """The single-token edges in order, once per graph that has them; fills in their length and unchanged words."""
    pairs = [(np.int32(0), np.int32(0)) for _ in range(0)]
    for i in range(first.shape[0]):
        for j in range(first.shape[1]):
            if number[i, j] < 0:
                continue
            # In the order of the target's number: insertion, deletion, diagonal.
            for bit, to_i, to_j in ((INSERT, i, j + 1), (DELETE, i + 1, j), (DIAGONAL, i + 1, j + 1)):
                if to_i >= first.shape[0] or to_j >= first.shape[1]:
                    continue
                for steps in (first, second):
                    if steps[to_i, to_j] & ON_PATH and steps[to_i, to_j] & bit:
                        here, there = number[i, j], number[to_i, to_j]
                        pairs.append((here, there))
                        length[here, there] = 1
                        unchanged[here, there] = bit == DIAGONAL and source[i] == hypothesis[j]
    return pairs


@njit(cache=True, nogil=True)
def _join_edges(pairs, length, unchanged, max_unchanged):  # type: ignore[no-untyped-def]
    """Add the longer edits: at every node, each edge into it joined with each edge out of it."""
    nodes = len(length)
    outgoing = np.empty(nodes, np.int32)
    for k in range(nodes):
        count = 0
        for j in range(k + 1, nodes):
            if length[k, j] < _FAR:
                outgoing[count] = j
                count += 1
        for i in range(k):
            if length[i, k] >= _FAR:
                continue
            for position in range(count):
                j = outgoing[position]
                total = np.int16(length[i, k] + length[k, j])
                words = np.int16(unchanged[i, k] + unchanged[k, j])
                if total < length[i, j] and words <= max_unchanged:
                    length[i, j] = total
                    unchanged[i, j] = words
                    pairs.append((np.int32(i), np.int32(j)))


@njit(cache=True, nogil=True)
def _weigh(pairs, length, unchanged, cells, hypothesis, spans, gold_at, word_at, words):  # type: ignore[no-untyped-def]
    """The weight of every edge for one annotator's gold edits."""
    bonus = -float(len(pairs))
    weight = length.astype(np.float64)
    inserted_at = np.zeros(cells[-1, 0] + 1, np.bool_)
    for gold in range(len(spans)):
        if spans[gold, 0] == spans[gold, 1]:
            inserted_at[spans[gold, 0]] = True
    for here, there in pairs:
        start, end = cells[here, 0], cells[there, 0]
        if start == end and inserted_at[start]:
            continue
        matched = False
        for gold in range(len(spans)):
            if (
                spans[gold, 0] == start
                and spans[gold, 1] == end
                and is_correction(hypothesis, cells[here, 1], cells[there, 1], gold, gold_at, word_at, words)
            ):
                matched = True
                break
        if matched:
            weight[here, there] = bonus
        elif unchanged[here, there] < length[here, there]:
            weight[here, there] += SMALL_COST
    for place in np.flatnonzero(inserted_at):
        insertions = [(here, there) for here, there in pairs if cells[here, 0] == place and cells[there, 0] == place]
        insertions.sort()
        golds = [gold for gold in range(len(spans)) if spans[gold, 0] == place and spans[gold, 1] == place]
        _weigh_insertions(insertions, weight, cells, hypothesis, golds, gold_at, word_at, words, bonus)
    return weight


@njit(cache=True, nogil=True)
def _weigh_insertions(edges, weight, cells, hypothesis, golds, gold_at, word_at, words, bonus):  # type: ignore[no-untyped-def]
    """Set the weights of the insertions at one place of the source, where each gold insertion may be made once.

    `edges` are the insertions (with repetitions) from left to right, `golds` the gold edits at this place.
    The ends are tried in turn; after a match, insertions that cannot follow it are skipped.
    """
    left, right = 0, len(edges) - 1
    gold_left, gold_right = 0, len(golds) - 1
    current = left
    while left <= right:
        here, there = edges[current]
        from_left = current == left
        matched = False
        for step in range(gold_right - gold_left + 1):
            index = gold_left + step if from_left else gold_right - step
            if is_correction(hypothesis, cells[here, 1], cells[there, 1], golds[index], gold_at, word_at, words):
                matched = True
                weight[here, there] = bonus
                if from_left:
                    gold_left = index + 1
                else:
                    gold_right = index - 1
                break
        if not matched:
            weight[here, there] += SMALL_COST
        if from_left:
            left += 1
            if matched:
                while left < len(edges) and edges[left][0] != there:
                    weight[edges[left][0], edges[left][1]] += SMALL_COST
                    left += 1
                current = left
            else:
                current = right
        else:
            right -= 1
            if matched:
                while right >= 0 and edges[right][1] != here:
                    weight[edges[right][0], edges[right][1]] += SMALL_COST
                    right -= 1
                current = right
            else:
                current = left


@njit(cache=True, nogil=True)
def _shortest_path(pairs, weight, nodes):  # type: ignore[no-untyped-def]
    """The node before each node on the shortest path to it; of equal paths the one found first."""
    distance = np.full(nodes, np.inf)
    before = np.full(nodes, -1, np.int32)
    distance[0] = 0.0
    changed = True
    while changed:
        changed = False
        for here, there in pairs:
            through = distance[here] + weight[here, there]
            if through < distance[there]:
                distance[there] = through
                before[there] = here
                changed = True
    return before


@njit(cache=True, nogil=True)
def _path_edits(before, length, unchanged, cells):  # type: ignore[no-untyped-def]
    """The edits on the path that ends in the last node, from left to right."""
    nodes = [np.int32(len(cells) - 1)]
    while before[nodes[-1]] >= 0:
        nodes.append(before[nodes[-1]])
    edits = [(np.int32(0), np.int32(0), np.int32(0), np.int32(0)) for _ in range(0)]
    for index in range(len(nodes) - 1, 0, -1):
        here, there = nodes[index], nodes[index - 1]
        if unchanged[here, there] < length[here, there]:
            edits.append((cells[here, 0], cells[there, 0], cells[here, 1], cells[there, 1]))
    return edits
