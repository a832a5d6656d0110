"""The edit lattice of MaxMatch (Dahlmeier and Ng 2012): the edits that turn the source into the hypothesis.

The lattice is the union of two Levenshtein graphs over tokens (substitutions at cost 1 and at cost 2).
Adjacent edges are joined into longer edits as long as these cover at most `max_unchanged` unchanged
words. Gold edits are so cheap that the shortest path takes as many of them as it can; every other
edit has a small cost, so that the path takes few.

The counts must equal those of the authors' scorer, so its order of operations is kept where it matters:
an edge that is in both graphs, or that was found again, shorter, while joining, has its small cost once for
each time; of equally short paths the one found first is taken; and of several insertions at one place each
gold insertion marks one, searched from both ends in turn.

The scorer relaxes all edges in sweeps until nothing changes (Bellman-Ford). Here one pass over the nodes gives
the same result. A sweep has two halves: edges of single tokens, ordered by their first node; then joined edges,
ordered by the neighbour through which they were found. In both, an edge comes after all edges into its first
node. So the distance of a node after each half follows from the distances of the nodes before it. Only
distances that differ from the shortest one by rounding decide between paths; usually there is one.
"""

from __future__ import annotations

import numpy as np

from gec_core.align.lattice_edges import (
    SMALL_COST,
    edges_into_row,
    found_through,
    join_edges,
    make_graph,
    weigh,
    weigh_singles,
)
from gec_core.align.lattice_golds import Golds, count_matches, exchange_weights, gold_nodes, weigh_golds
from gec_core.compiled import compiled

MOST_NODES = 20_000
"""Lattices with at most this many nodes are searched exactly, and so are larger ones with as few pairs of nodes to
join. Time grows with the square of it; see `_anchors` for larger lattices."""
_ROUNDING = SMALL_COST / 2
"""Distances that differ by less are equal except for rounding."""
_LANES = 16
_LEAST_TAILS = 64
"""How many gold edits and unchanged words joined edits may begin at in any lattice that is too large."""


@compiled
def _anchors(graph, hypothesis, annotators, most):  # type: ignore[no-untyped-def]
    """Select the nodes at which joined edits may begin in a lattice that is too large: at most about 2 * `most`.

    An edit that begins elsewhere follows another edit that matches no gold edit, and can usually be joined with it, or
    begin after an unchanged word instead. So the first node, the ends of gold edits and the nodes after unchanged words
    give a path of the same length in all but rare cases. Returns how many of them come before each node.
    """
    is_gold = np.zeros(len(graph.cells), np.bool_)
    for golds in annotators:
        for here, there in gold_nodes(hypothesis, graph, golds):
            is_gold[here] = is_gold[there] = True
    is_unchanged = graph.equal & (graph.before[:, 0] >= 0)
    is_tail = np.zeros(len(graph.cells) + 1, np.bool_)
    is_tail[1] = True
    for nodes in (np.flatnonzero(is_gold), np.flatnonzero(is_unchanged)):
        is_tail[1 + nodes[:: 1 + len(nodes) // max(1, most)]] = True
    return np.cumsum(is_tail)


@compiled
def _shortest(distance, weights, lanes):  # type: ignore[no-untyped-def]
    """Find the shortest distance over an edge; in `lanes`, the shortest of those with the same index modulo _LANES.

    The processor works on all lanes at once, and only lanes with a short distance are searched for its edge.
    """
    lanes[:] = np.inf
    whole = len(weights) // _LANES * _LANES
    for begin in range(0, whole, _LANES):
        for lane in range(_LANES):
            way = distance[begin + lane] + weights[begin + lane]
            lanes[lane] = way if way < lanes[lane] else lanes[lane]
    for index in range(whole, len(weights)):
        lanes[index - whole] = min(lanes[index - whole], distance[index] + weights[index])
    return lanes.min()


@compiled
def _visit(annotator, first, weight, rank, single, history, entries, halves):  # type: ignore[no-untyped-def]
    """Note the distances of a node over one edge, one for each distance that the first node of the edge has had.

    `entries` are pairs (half, distance); those of a node are history[annotator, node, 0] to [..., 1]. Even halves
    visit edges of single tokens, odd ones joined edges. For each half, `halves` has the best distance, the rank of the
    edge within the half, and its first node; its last row has the first and the last half with a note.
    """
    for entry in range(history[annotator, first, 0], history[annotator, first, 1]):
        half, distance = entries[entry]
        half += half % 2 if single else 1 - half % 2
        distance += weight
        if distance < halves[half, 0] or (distance == halves[half, 0] and rank < halves[half, 1]):
            halves[half, 0], halves[half, 1], halves[half, 2] = distance, rank, first
        halves[-1, 0], halves[-1, 1] = min(halves[-1, 0], half), max(halves[-1, 1], half)


@compiled
def _settle(annotator, node, history, entries, halves, distance, came_from):  # type: ignore[no-untyped-def]
    """Append the history of a node, and set its distance and the node before it, from what was noted."""
    history[annotator, node, 0] = len(entries)
    shortest = np.inf
    for half in range(int(halves[-1, 0]), int(halves[-1, 1]) + 1):
        if halves[half, 0] < shortest:
            shortest = halves[half, 0]
            came_from[annotator, node] = int(halves[half, 2])
            entries.append((half, shortest))
        halves[half, 0] = np.inf
    distance[annotator, node] = shortest
    history[annotator, node, 1] = len(entries)
    halves[-1, 0], halves[-1, 1] = len(halves), -1


@compiled
def _shortest_paths(graph, joined, tail_at, max_unchanged, golds):  # type: ignore[no-untyped-def]
    """For each annotator the node before each node on the shortest path to it; of equal paths the one found first."""
    nodes, annotators = len(graph.cells), len(golds.at) - 1
    tails = np.flatnonzero(tail_at[1:] > tail_at[:-1])
    came_from = np.full((annotators, nodes), -1, np.int32)
    distance, tail_distance = np.zeros((annotators, nodes)), np.zeros((annotators, len(tails)))
    history, entries = np.zeros((annotators, nodes, 2), np.int64), [(0, 0.0)]
    history[:, 0, 1] = 1
    halves = np.full((graph.number.shape[0] + graph.number.shape[1] + 1, 3), np.inf)
    halves[-1, 0], halves[-1, 1] = len(halves), -1
    next_gold, singles, lanes = golds.at.copy(), np.empty(3), np.empty(_LANES)
    low, at, edges = joined.low, joined.at, np.zeros(0, np.int32)
    for row in range(len(graph.row_at) - 1):
        again = row, edges, graph, tail_at, max_unchanged, low, at
        edges = joined.rows[row] if joined.kept else edges_into_row(*again)
        all_weights = weigh(edges)
        for annotator in range(annotators):
            for node in range(max(1, graph.row_at[row]), graph.row_at[row + 1]):
                begin = end = next_gold[annotator]
                while end < golds.at[annotator + 1] and golds.last[end] == node:
                    end += 1
                next_gold[annotator] = end
                start, tail, size = at[node], low[node], tail_at[node] - low[node]
                weights, so_far = all_weights[start : start + size], tail_distance[annotator, tail : tail + size]
                weigh_singles(node, graph, singles)
                exchange_weights(golds, begin, end, graph.before[node], tail, tail_at, singles, weights)
                limit = _shortest(so_far, weights, lanes)
                for kind in range(3):
                    limit = min(limit, distance[annotator, graph.before[node, kind]] + singles[kind])
                limit += _ROUNDING
                for kind in range(3):
                    first = graph.before[node, kind]
                    if distance[annotator, first] + singles[kind] <= limit:
                        _visit(annotator, first, singles[kind], first, True, history, entries, halves)
                for lane in range(_LANES):
                    for index in range(lane, size if lanes[lane] <= limit else 0, _LANES):
                        if so_far[index] + weights[index] <= limit:
                            through = graph.before[node, found_through(edges[start + index])]
                            rank = np.int64(through) * len(tails) + tail + index
                            first = tails[tail + index]
                            _visit(annotator, first, weights[index], rank, False, history, entries, halves)
                _settle(annotator, node, history, entries, halves, distance, came_from)
                exchange_weights(golds, begin, end, graph.before[node], tail, tail_at, singles, weights)
                if tail_at[node] < tail_at[node + 1]:
                    tail_distance[annotator, tail_at[node]] = distance[annotator, node]
    return came_from


@compiled
def _path_edits(came_from, graph):  # type: ignore[no-untyped-def]
    """The edits (start, end, at, to) on the path that ends in the last node, from left to right."""
    edits = [(np.int32(0), np.int32(0), np.int32(0), np.int32(0)) for _ in range(0)]
    last = len(came_from) - 1
    while came_from[last] >= 0:
        first = came_from[last]
        if not (graph.equal[last] and graph.before[last, 0] == first):
            edits.append((graph.cells[first, 0], graph.cells[last, 0], graph.cells[first, 1], graph.cells[last, 1]))
        last = first
    return edits[::-1]


@compiled
def best_edits(max_unchanged, most_nodes, source, hypothesis, annotator_at, spans, gold_at, word_at, words):  # type: ignore[no-untyped-def]
    """For every annotator the edits of the path that matches the gold edits best.

    Annotator a has the gold edits annotator_at[a] to annotator_at[a + 1]; see Golds for the rest.

    Rows are (annotator, start, end, at, to, matches): source tokens [start, end) become hypothesis tokens
    [at, to), and so many gold edits match. An edit may have unchanged words at its ends. Also returned:
    whether the search was exact, as it is in lattices of at most `most_nodes` nodes, and in larger ones with no more
    pairs of nodes to join.
    """
    graph = make_graph(source, hypothesis)
    nodes = len(graph.cells)
    annotators = [
        Golds(spans[annotator_at[index] : annotator_at[index + 1]], gold_at[annotator_at[index] :], word_at, words)
        for index in range(len(annotator_at) - 1)
    ]
    most = np.int64(most_nodes) * most_nodes // 2
    tail_at = np.arange(nodes + 1)
    joined = join_edges(graph, tail_at, max_unchanged, most)
    exact = joined.count >= 0
    if not exact:
        tail_at = _anchors(graph, hypothesis, annotators, max(_LEAST_TAILS, most // nodes))
        joined = join_edges(graph, tail_at, max_unchanged, np.int64(1) << 60)
    golds = weigh_golds(hypothesis, graph, annotators, -float(joined.count))
    came_from = _shortest_paths(graph, joined, tail_at, max_unchanged, golds)
    found = [(np.int32(0), np.int32(0), np.int32(0), np.int32(0), np.int32(0), np.int32(0)) for _ in range(0)]
    for annotator in range(len(annotators)):
        edits = _path_edits(came_from[annotator], graph)
        matches = count_matches(edits, hypothesis, annotators[annotator])
        for index in range(len(edits)):
            start, end, at, to = edits[index]
            found.append((np.int32(annotator), start, end, at, to, matches[index]))
    rows = np.empty((len(found), 6), np.int32)
    for index in range(len(found)):
        for column, value in enumerate(found[index]):
            rows[index, column] = value
    return rows, exact
