"""The procedure of the original MaxMatch scorer: a dictionary of all edges, and Bellman-Ford sweeps over them."""

from collections.abc import Sequence
from itertools import product

from gec_core.types import Edit

Cell = tuple[int, int]
Edge = tuple[Cell, Cell]
SMALL_COST = 0.001


def original_edits(
    source: Sequence[str], hypothesis: Sequence[str], gold: Sequence[Edit], max_unchanged: int
) -> list[tuple[int, int, int, int]]:
    """The edits (start, end, at, to) on the shortest path, those of the original scorer."""
    length: dict[Edge, int] = {}
    unchanged: dict[Edge, int] = {}
    graphs = [levenshtein_edges(source, hypothesis, substitution) for substitution in (1, 2)]
    edges = sorted(edge for graph in graphs for edge in graph)
    for (start, at), (end, to) in edges:
        length[(start, at), (end, to)] = 1
        unchanged[(start, at), (end, to)] = start < end and at < to and source[start] == hypothesis[at]
    nodes = sorted({(0, 0), *(cell for edge in edges for cell in edge)})
    for middle in nodes:
        before = [(first, middle) for first in nodes if (first, middle) in length]
        after = [(middle, last) for last in nodes if (middle, last) in length]
        for left, right in product(before, after):
            joined = left[0], right[1]
            total, words = length[left] + length[right], unchanged[left] + unchanged[right]
            if total < length.get(joined, 1 << 30) and words <= max_unchanged:
                length[joined], unchanged[joined] = total, words
                edges.append(joined)
    edges = [edge for edge in edges if length[edge] == 1 or unchanged[edge] < length[edge]]
    path = shortest_path(edges, weights(edges, length, unchanged, hypothesis, gold), nodes[-1])
    changes = [edge for edge in path if unchanged[edge] < length[edge]]
    return [(start, end, at, to) for (start, at), (end, to) in changes]


def levenshtein_edges(source: Sequence[str], hypothesis: Sequence[str], substitution: int) -> set[Edge]:
    """The edges of single tokens on cheapest paths."""
    steps: dict[Cell, list[Cell]] = {}
    cost = {(0, 0): 0}
    for i, j in product(range(len(source) + 1), range(len(hypothesis) + 1)):
        ways = {(i - 1, j): 1, (i, j - 1): 1}
        if i and j:
            ways[i - 1, j - 1] = 0 if source[i - 1] == hypothesis[j - 1] else substitution
        totals = {cell: cost[cell] + price for cell, price in ways.items() if cell in cost}
        if totals:
            cost[i, j] = min(totals.values())
            steps[i, j] = [cell for cell, total in totals.items() if total == cost[i, j]]
    found: set[Edge] = set()
    waiting = [(len(source), len(hypothesis))]
    while waiting:
        last = waiting.pop()
        new = {(first, last) for first in steps.get(last, [])} - found
        found |= new
        waiting += [first for first, _ in new]
    return found


def weights(
    edges: Sequence[Edge],
    length: dict[Edge, int],
    unchanged: dict[Edge, int],
    hypothesis: Sequence[str],
    gold: Sequence[Edit],
) -> dict[Edge, float]:
    """Gold edits weigh minus the number of edges, other edits a little more than their length."""
    weight = {edge: float(length[edge]) for edge in edges}
    places = {edit.start for edit in gold if edit.start == edit.end}
    for edge in edges:
        if edge[0][0] == edge[1][0] and edge[0][0] in places:
            continue
        if any(matches(edge, edit, hypothesis) for edit in gold):
            weight[edge] = -float(len(edges))
        elif unchanged[edge] < length[edge]:
            weight[edge] += SMALL_COST
    for place in sorted(places):
        here = sorted(edge for edge in edges if edge[0][0] == edge[1][0] == place)
        golds = [edit for edit in gold if edit.start == edit.end == place]
        weigh_insertions(here, golds, weight, hypothesis, -float(len(edges)))
    return weight


def matches(edge: Edge, edit: Edit, hypothesis: Sequence[str]) -> bool:
    (start, at), (end, to) = edge
    same_words = any(correction.split() == list(hypothesis[at:to]) for correction in edit.corrections)
    return (edit.start, edit.end) == (start, end) and same_words


def weigh_insertions(
    edges: list[Edge], golds: list[Edit], weight: dict[Edge, float], hypothesis: Sequence[str], bonus: float
) -> None:
    """Let each gold insertion at a place mark one insertion; the ends are tried in turn."""
    left, right, from_left = 0, len(edges) - 1, True
    current = 0
    while left <= right:
        edge, from_left = edges[current], current == left
        order = range(len(golds)) if from_left else range(len(golds) - 1, -1, -1)
        match = next((index for index in order if matches(edge, golds[index], hypothesis)), None)
        if match is None:
            weight[edge] += SMALL_COST
        else:
            weight[edge] = bonus
            golds = golds[match + 1 :] if from_left else golds[:match]
        if from_left:
            left += 1
            while match is not None and left < len(edges) and edges[left][0] != edge[1]:
                weight[edges[left]] += SMALL_COST
                left += 1
            current = right if match is None else left
        else:
            right -= 1
            while match is not None and right >= 0 and edges[right][1] != edge[0]:
                weight[edges[right]] += SMALL_COST
                right -= 1
            current = left if match is None else right


def shortest_path(edges: Sequence[Edge], weight: dict[Edge, float], end: Cell) -> list[Edge]:
    """Bellman-Ford over the edges in the order in which they were found."""
    distance, before = {(0, 0): 0.0}, dict[Cell, Cell]()
    changed = True
    while changed:
        changed = False
        for first, last in edges:
            way = distance.get(first, float("inf")) + weight[first, last]
            if way < distance.get(last, float("inf")):
                distance[last], before[last], changed = way, first, True
    path: list[Edge] = []
    while end in before:
        path.append((before[end], end))
        end = before[end]
    return path[::-1]
