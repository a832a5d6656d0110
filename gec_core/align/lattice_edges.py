"""The nodes and edges of MaxMatch's lattice: edges of single tokens, and edges joined from them.

Nodes are cells (i, j): i source tokens read, j hypothesis tokens written. Numbered row by row they are in
topological order. Tokens are integers (see `edits.encode_gold`).

The scorer takes the nodes k in topological order and joins each edge into k with each edge out of k, if the result is
shorter than what was found before and has at most `max_unchanged` unchanged words. No edge out of k has been joined
before. So the joined edges into a node are the edges into its up to three neighbours, each extended by a token: first
those into the diagonal neighbour, then by deletion, then by insertion. Two rows of cells are in memory at a time;
a matrix of all edges takes gigabytes.

A joined edge is one integer: its length (bits 16 to 31), its unchanged words (bits 8 to 15), and the neighbours through
which it was found (bits 0 to 2). The first node of a joined edge is called its tail. In an exact search all nodes are
tails; tail_at[node] is the number of tails before the node.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gec_core.compiled import compiled

SMALL_COST = 0.001
_DIAGONAL, _DELETE, _INSERT, _ON_PATH = 1, 2, 4, 8
_TOKEN, _WORD = np.int32(1 << 16), np.int32(1 << 8)
_WORDS, _FOUND = np.int32(0xFF00), np.int32(0xFF)
_KEPT = 1 << 20
_NONE = np.int32(32000 << 16)


class Graph(NamedTuple):
    """The cells and single-token edges of the union of two Levenshtein graphs."""

    number: Any
    """The node of each cell; -1: not a node."""
    cells: Any
    """The cell of each node."""
    row_at: Any
    """The first node of each row."""
    before: Any
    """The neighbours of each node: by a diagonal, by a deletion, by an insertion; -1: no such edge."""
    times: Any
    """In how many graphs each of these edges lies."""
    equal: Any
    """Whether the tokens before the cell are equal, so that its diagonal changes nothing."""


class Joined(NamedTuple):
    """The joined edges of a graph."""

    count: Any
    """How many edges there are, each as often as it was found."""
    kept: Any
    """Whether the edges are kept, because they are few; otherwise they are to be joined again, row by row."""
    rows: Any
    """If so, the edges into the nodes of each row; see `edges_into_row` for `low` and `at`."""
    low: Any
    at: Any


@compiled
def _steps(source, hypothesis, substitution):  # type: ignore[no-untyped-def]
    """For each cell on a cheapest path, the steps by which cheapest paths enter it, and a bit for the cell itself."""
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
            steps[i, j] = (diagonal == best) * _DIAGONAL + (delete == best) * _DELETE + (insert == best) * _INSERT
    steps[n, m] |= _ON_PATH
    for i in range(n, -1, -1):
        for j in range(m, -1, -1):
            if not steps[i, j] & _ON_PATH:
                steps[i, j] = 0
                continue
            if steps[i, j] & _DIAGONAL:
                steps[i - 1, j - 1] |= _ON_PATH
            if steps[i, j] & _DELETE:
                steps[i - 1, j] |= _ON_PATH
            if steps[i, j] & _INSERT:
                steps[i, j - 1] |= _ON_PATH
    return steps


@compiled
def make_graph(source, hypothesis):  # type: ignore[no-untyped-def]
    """Unite the graph with substitutions at cost 1 and the graph with substitutions at cost 2."""
    first, second = _steps(source, hypothesis, 1), _steps(source, hypothesis, 2)
    number = np.full(first.shape, -1, np.int32)
    row_at = np.zeros(len(source) + 2, np.int32)
    count = 0
    for i in range(len(source) + 1):
        for j in range(len(hypothesis) + 1):
            if first[i, j] | second[i, j]:
                number[i, j] = count
                count += 1
        row_at[i + 1] = count
    cells = np.empty((count, 2), np.int32)
    before = np.full((count, 3), -1, np.int32)
    times = np.zeros((count, 3), np.int32)
    equal = np.zeros(count, np.bool_)
    for i in range(len(source) + 1):
        for j in range(len(hypothesis) + 1):
            node = number[i, j]
            if node < 0:
                continue
            cells[node] = i, j
            equal[node] = i > 0 and j > 0 and source[i - 1] == hypothesis[j - 1]
            for kind in range(3):
                times[node, kind] = (first[i, j] >> kind & 1) + (second[i, j] >> kind & 1)
                if times[node, kind]:
                    before[node, kind] = number[i - (kind < 2), j - (kind != 1)]
    return Graph(number, cells, row_at, before, times, equal)


@compiled
def _extend(edges, old, step, most_words, neighbour):  # type: ignore[no-untyped-def]
    """Extend the edges into a neighbour by the edge from there; keep those shorter than what was found before."""
    for index in range(len(old)):
        new = np.int32((old[index] & ~_FOUND) + step)
        edge = edges[index]
        shorter = (np.int32(new >> 16) < np.int32(edge >> 16)) & (np.int32(new & _WORDS) <= most_words)
        edges[index] = np.int32(new | (edge & _FOUND) | neighbour) if shorter else edge


@compiled
def edges_into_row(row, above, graph, tail_at, max_unchanged, low, at):  # type: ignore[no-untyped-def]
    """The edges into the nodes of one row, given those into the row above.

    Those into `node` begin at at[node] of the array, one for each tail from low[node] to the last one before the node.
    Both arrays are filled in for this row.
    """
    nodes = range(graph.row_at[row], graph.row_at[row + 1])
    room = 0
    for node in nodes:
        low[node] = tail_at[node]
        for neighbour in graph.before[node]:
            if neighbour >= 0:
                low[node] = min(low[node], low[neighbour])
        at[node] = room
        room += tail_at[node] - low[node]
    edges = np.full(room, _NONE, np.int32)
    for node in nodes:
        first, mine = low[node], edges[at[node] : at[node] + tail_at[node] - low[node]]
        for kind, neighbour in enumerate(graph.before[node]):
            if neighbour >= 0 and tail_at[neighbour] < tail_at[neighbour + 1]:
                mine[tail_at[neighbour] - first] = _TOKEN + _WORD * (kind == 0 and graph.equal[node])
        for kind, neighbour in enumerate(graph.before[node]):
            if neighbour >= 0:
                begin, size = low[neighbour] - first, tail_at[neighbour] - low[neighbour]
                old = edges if kind == 2 else above
                step = np.int32(_TOKEN + _WORD * (kind == 0 and graph.equal[node]))
                theirs = old[at[neighbour] : at[neighbour] + size]
                _extend(mine[begin : begin + size], theirs, step, np.int32(max_unchanged * _WORD), np.int32(1 << kind))
        skipped = 0
        while skipped < len(mine) and mine[skipped] == _NONE:
            skipped += 1
        low[node] += skipped
        at[node] += skipped
    return edges


@compiled
def _times(edge):  # type: ignore[no-untyped-def]
    """How often a joined edge was found; 0 for edges of unchanged words only, which are not used, and for no edge."""
    found = np.int32((edge & 1) + (edge >> 1 & 1) + (edge >> 2 & 1))
    return found if np.int32(edge >> 16) != np.int32(edge >> 8 & 255) else np.int32(0)


@compiled
def join_edges(graph, tail_at, max_unchanged, most):  # type: ignore[no-untyped-def]
    """Join the edges of a graph. If there are more than `most` pairs of nodes to look at, the count is -1."""
    low, at = np.zeros(len(tail_at), np.int32), np.zeros(len(tail_at), np.int64)
    edges = np.zeros(0, np.int32)
    rows = [edges for _ in range(0)]
    count, pairs = np.int64(graph.times.sum()), 0
    for row in range(len(graph.row_at) - 1):
        edges = edges_into_row(row, edges, graph, tail_at, max_unchanged, low, at)
        pairs += len(edges)
        if pairs > most:
            count = np.int64(-1)
            break
        if pairs <= _KEPT:
            rows.append(edges)
        for edge in edges:
            count += _times(edge)
    return Joined(count, pairs <= _KEPT, rows, low, at)


@compiled
def weigh(edges):  # type: ignore[no-untyped-def]
    """The weights of joined edges that match no gold edit; infinite where there is no such edge."""
    weights = np.empty(len(edges))
    for index in range(len(edges)):
        times = _times(edges[index])
        weight = np.float64(np.int32(edges[index] >> 16))
        weight += SMALL_COST if times > 0 else 0.0
        weight += SMALL_COST if times > 1 else 0.0
        weight += SMALL_COST if times > 2 else 0.0
        weights[index] = weight if times > 0 else np.inf
    return weights


@compiled
def weigh_singles(node, graph, weights):  # type: ignore[no-untyped-def]
    """Fill in the weights of the edges from the neighbours that match no gold edit; infinite: no such edge."""
    for kind in range(3):
        weights[kind] = 1.0 if graph.times[node, kind] else np.inf
        if kind > 0 or not graph.equal[node]:
            for _ in range(graph.times[node, kind]):
                weights[kind] += SMALL_COST


@compiled
def found_through(edge):  # type: ignore[no-untyped-def]
    """The kind of neighbour through which a joined edge was found first."""
    return 0 if edge & 1 else 1 if edge & 2 else 2
