"""Gold edits in MaxMatch's lattice: which edits match them, and the weights of the edges that they decide.

Tokens are integers (see `edits.encode_gold`). Beware: in a function with a list comprehension, numba drops writes to an
array that is an element of a named tuple.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gec_core.align.lattice_edges import SMALL_COST
from gec_core.compiled import compiled


class Golds(NamedTuple):
    """One annotator's gold edits.

    Edit g replaces the source tokens of spans[g] and has the corrections gold_at[g] to gold_at[g + 1], of which
    c is words[word_at[c] : word_at[c + 1]].
    """

    spans: Any
    gold_at: Any
    word_at: Any
    words: Any


class GoldWeights(NamedTuple):
    """The weights of edges that gold edits decide, if there are such edges."""

    at: Any
    """Where each annotator's begin; the rest is in the order of the last nodes."""
    last: Any
    first: Any
    weight: Any


@compiled
def is_correction(hypothesis, start, end, gold, golds):  # type: ignore[no-untyped-def]
    """Whether hypothesis[start:end] is one of the corrections of this gold edit."""
    _, gold_at, word_at, words = golds
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


@compiled
def gold_nodes(hypothesis, graph, golds):  # type: ignore[no-untyped-def]
    """The pairs of nodes between which the hypothesis has the correction of a gold edit."""
    found = [(np.int32(0), np.int32(0)) for _ in range(0)]
    for gold in range(len(golds.spans)):
        start, end = golds.spans[gold]
        for alternative in range(golds.gold_at[gold], golds.gold_at[gold + 1]):
            size = golds.word_at[alternative + 1] - golds.word_at[alternative]
            for at in range(len(hypothesis) - size + 1):
                here, there = graph.number[start, at], graph.number[end, at + size]
                if 0 <= here < there and is_correction(hypothesis, at, at + size, gold, golds):
                    found.append((here, there))
    return found


@compiled
def count_matches(edits, hypothesis, golds):  # type: ignore[no-untyped-def]
    """How often each edit, from left to right, matches a gold edit that comes after the last one matched."""
    matches = np.zeros(len(edits), np.int32)
    following = 0
    for index in range(len(edits)):
        start, end, at, to = edits[index]
        for gold in range(following, len(golds.spans)):
            if (
                golds.spans[gold, 0] == start
                and golds.spans[gold, 1] == end
                and is_correction(hypothesis, at, to, gold, golds)
            ):
                matches[index] += 1
                following = gold + 1
    return matches


@compiled
def _insertions(graph, place):  # type: ignore[no-untyped-def]
    """The insertions (at, to) at one place of the source, with repetitions, from left to right."""
    found = [(np.int32(0), np.int32(0)) for _ in range(0)]
    nodes = graph.number[place]
    for at in range(len(nodes)):
        to = at + 1
        while to < len(nodes) and nodes[to - 1] >= 0 and nodes[to] >= 0 and graph.before[nodes[to], 2] >= 0:
            found.append((np.int32(at), np.int32(to)))
            if to == at + 1 and graph.times[nodes[to], 2] == 2:
                found.append(found[-1])
            to += 1
    return found


@compiled
def _weigh_insertions(edges, weight, hypothesis, here, golds, bonus):  # type: ignore[no-untyped-def]
    """Set the weights of the insertions at one place of the source, where each gold insertion may be made once.

    `edges` are the insertions (at, to), with repetitions, from left to right, `here` the gold edits at this place.
    The ends are tried in turn; after a match, insertions that cannot follow it are skipped.
    """
    left, right = 0, len(edges) - 1
    gold_left, gold_right = 0, len(here) - 1
    current = left
    while left <= right:
        at, to = edges[current]
        from_left = current == left
        matched = False
        for step in range(gold_right - gold_left + 1):
            index = gold_left + step if from_left else gold_right - step
            if is_correction(hypothesis, at, to, here[index], golds):
                matched = True
                weight[at, to] = bonus
                if from_left:
                    gold_left = index + 1
                else:
                    gold_right = index - 1
                break
        if not matched:
            weight[at, to] += SMALL_COST
        if from_left:
            left += 1
            if matched:
                while left < len(edges) and edges[left][0] != to:
                    weight[edges[left]] += SMALL_COST
                    left += 1
                current = left
            else:
                current = right
        else:
            right -= 1
            if matched:
                while right >= 0 and edges[right][1] != at:
                    weight[edges[right]] += SMALL_COST
                    right -= 1
                current = right
            else:
                current = left


@compiled
def _place_weights(place, hypothesis, graph, golds, bonus, edges):  # type: ignore[no-untyped-def]
    """Append the insertions (last node, first node, weight) at a place of the source that has gold insertions."""
    nodes, insertions = graph.number[place], _insertions(graph, place)
    weight = np.zeros((len(nodes), len(nodes)))
    for at, to in insertions:
        weight[at, to] = to - at
    here = [gold for gold in range(len(golds.spans)) if golds.spans[gold, 0] == golds.spans[gold, 1] == place]
    _weigh_insertions(insertions, weight, hypothesis, here, golds, bonus)
    for at, to in insertions:
        edges.append((nodes[to], nodes[at], weight[at, to]))


@compiled
def weigh_golds(hypothesis, graph, annotators, bonus):  # type: ignore[no-untyped-def]
    """The weights that the gold edits of all annotators give to edges, where a gold edit weighs `bonus`."""
    at = np.zeros(len(annotators) + 1, np.int64)
    found = [(np.int32(0), np.int32(0), 0.0) for _ in range(0)]
    for annotator in range(len(annotators)):
        golds = annotators[annotator]
        edges = [(np.int32(0), np.int32(0), 0.0) for _ in range(0)]
        for first, last in gold_nodes(hypothesis, graph, golds):
            if graph.cells[first, 0] != graph.cells[last, 0]:
                edges.append((last, first, bonus))
        for gold in range(len(golds.spans)):
            place = golds.spans[gold, 0]
            if place == golds.spans[gold, 1]:
                _place_weights(place, hypothesis, graph, golds, bonus, edges)
        edges.sort()
        found.extend([edges[index] for index in range(len(edges)) if index == 0 or edges[index] != edges[index - 1]])
        at[annotator + 1] = len(found)
    last, first, weight = np.empty(len(found), np.int32), np.empty(len(found), np.int32), np.empty(len(found))
    for index in range(len(found)):
        last[index], first[index], weight[index] = found[index]
    return GoldWeights(at, last, first, weight)


@compiled
def exchange_weights(golds, begin, end, neighbours, low, tail_at, singles, weights):  # type: ignore[no-untyped-def]
    """Replace the weights of edges by those that gold edits decide, `begin` to `end`; a second call restores `weights`.

    `singles` are the weights of the edges from the neighbours of their last node, `weights` those of joined edges.
    """
    for index in range(begin, end):
        first = golds.first[index]
        for kind in range(3):
            if neighbours[kind] == first:
                singles[kind] = golds.weight[index]
        tail = tail_at[first] - low
        if tail >= 0 and tail_at[first] < tail_at[first + 1] and weights[tail] < np.inf:
            weights[tail], golds.weight[index] = golds.weight[index], weights[tail]
