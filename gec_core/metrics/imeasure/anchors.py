"""Source tokens at which the alignments of all references of a lattice can be cut apart.

A source token outside all slots occurs in every reference. It is an *anchor* when every cheapest alignment of every
reference puts it into one column with the same token of the hypothesis. What lies between two anchors can then be
aligned separately, whatever was chosen elsewhere: the preferred alignment of the whole consists of the preferred
alignments of the parts.

Anchors are proven without enumerating the references. For a place in the reference and a cell
c = (source position, hypothesis position), let F(c) be the least cost of aligning what lies before.
Choose a cell c* for each of some places. For two of them, u before v, and the reference tokens q between
them, let K(a, c) be the least cost of getting from cell a at u to cell c at v. Then

    F_v(c) - F_v(c*_v)  >=  min over a of [F_u(a) - F_u(c*_u) + K(a, c)]  -  K(c*_u, c*_v),

since F_v(c) is the least F_u(a) + K(a, c), and F_v(c*_v) is at most F_u(c*_u) + K(c*_u, c*_v). So bounds
on F(c) - F(c*) that hold for all references pass from place to place, the least over all q being taken.
From right to left they bound the costs of the rest. A token with its hypothesis token is an anchor if,
by these bounds, every other way past that reference token is dearer.

The bounds hold whatever the cells are, and are tight while c*_v is best reached through c*_u. Where it
is not (by the bound for c*_v itself, which should be 0), an earlier place is tried in place of u.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.align.edits import TokenIds
from gec_core.align.threeway_band import GAP, MISMATCH
from gec_core.compiled import compiled

_GAPS = 2 * GAP
_FAR = np.int32(1 << 29)
_REACH = 3
"""The number of places back that a bound may start from."""

Ints = NDArray[np.int64]
Costs = NDArray[np.int32]
"""Costs by cell, with a border of `_FAR` in front: cell (i, j) is at [i + 1, j + 1]."""


class Cut(NamedTuple):
    """The position of an anchor, or of a candidate, in the source and in the hypothesis."""

    source: int
    hypothesis: int


class TokenSequences(NamedTuple):
    """Token sequences one after the other; the i-th is tokens[ends[i]:ends[i + 1]]."""

    tokens: TokenIds
    ends: Ints

    def mirrored(self) -> TokenSequences:
        return TokenSequences(self.tokens[::-1].copy(), (self.ends[-1] - self.ends)[::-1].copy())


Between = Callable[[int, int], TokenSequences | None]
"""Gives the alternatives for the source tokens [start, end), or None if there are too many."""


def anchors(source: TokenIds, hypothesis: TokenIds, candidates: Sequence[Cut], between: Between) -> list[Cut]:
    """Select the candidates that are proven to be anchors.

    Candidates are equal tokens outside all slots, from left to right.
    """
    rows, columns = len(source), len(hypothesis)

    def mirrored_between(start: int, end: int) -> TokenSequences | None:
        texts = between(rows - end, rows - start)
        return texts and texts.mirrored()

    mirror = {cut: Cut(rows - 1 - cut.source, columns - 1 - cut.hypothesis) for cut in candidates}
    twins = list(mirror.values())[::-1]
    after = dict(_bounds(source[::-1].copy(), hypothesis[::-1].copy(), twins, mirrored_between))
    return [
        cut
        for cut, before in _bounds(source, hypothesis, candidates, between)
        if mirror[cut] in after and _only_way(source, hypothesis, *cut, before, after[mirror[cut]])
    ]


def _bounds(
    source: TokenIds, hypothesis: TokenIds, cuts: Sequence[Cut], between: Between
) -> Iterator[tuple[Cut, Costs]]:
    """For the place before a cut's token, a lower bound on how much more than the cut each cell costs."""
    chain = [(Cut(-1, -1), _start(source, hypothesis))]
    for cut in cuts:
        bounds = None
        for back, (origin, known) in enumerate(chain[::-1]):
            texts = between(origin.source + 1, cut.source)
            if texts is None:
                break
            bounds, loss = _next_bounds(source, hypothesis, *origin, *cut, *texts, known)
            if loss == 0:
                chain = [*chain[: len(chain) - back], (cut, bounds)][-_REACH:]
                break
        if bounds is not None:
            yield cut, bounds


@compiled
def _start(source: TokenIds, hypothesis: TokenIds) -> Costs:
    """The cost of reaching every cell without any reference token."""
    costs = np.empty((len(source) + 2, len(hypothesis) + 2), np.int32)
    for i in range(costs.shape[0]):
        for j in range(costs.shape[1]):
            if i < 2 or j < 2:
                costs[i, j] = _GAPS * (i + j - 2) if i and j else _FAR
            else:
                pair = 0 if source[i - 2] == hypothesis[j - 2] else MISMATCH
                costs[i, j] = min(costs[i - 1, j - 1] + pair, costs[i - 1, j], costs[i, j - 1]) + _GAPS
    return costs


@compiled
def _next_bounds(
    source: TokenIds,
    hypothesis: TokenIds,
    top: int,
    left: int,
    bottom: int,
    right: int,
    tokens: TokenIds,
    ends: Ints,
    bounds: Costs,
) -> tuple[Costs, int]:
    """The bounds before the token of a cut (bottom, right), from those of another (top, left).

    Between them are the other cut's own token, if it is not the start, and one of the texts. The second
    result is the bound for the cut itself.
    """
    i, j = max(top, 0), max(left, 0)
    s, h = source[i:bottom], hypothesis[j:right]
    far, near = _layers(bounds), _layers(_start(s, h))
    if top >= 0:
        _pass(source, hypothesis, source[top], far[1], far[0])
        _pass(s, h, source[top], near[1], near[0])
    least = bounds.copy()
    for text in range(len(ends) - 1):
        now = 0
        for index in range(ends[text], ends[text + 1]):
            then = 2 if now == 1 else 1
            _pass(source, hypothesis, tokens[index], far[now], far[then])
            _pass(s, h, tokens[index], near[now], near[then])
            now = then
        straight = near[now, -1, -1]
        for i in range(1, least.shape[0]):
            for j in range(1, least.shape[1]):
                if text == 0 or far[now, i, j] - straight < least[i, j]:
                    least[i, j] = far[now, i, j] - straight
    return least, least[bottom + 1, right + 1]


@compiled
def _layers(costs: Costs) -> NDArray[np.int32]:
    """Three copies: the common start of all texts, and two to alternate between."""
    layers = np.empty((3, costs.shape[0], costs.shape[1]), np.int32)
    for layer in range(3):
        for i in range(costs.shape[0]):
            for j in range(costs.shape[1]):
                layers[layer, i, j] = costs[i, j]
    return layers


@compiled
def _pass(source: TokenIds, hypothesis: TokenIds, token: int, before: Costs, after: Costs) -> None:
    """Advance the costs by one reference token."""
    int32: Any = np.int32
    pair, gaps = int32(MISMATCH), int32(_GAPS)
    width = len(hypothesis) + 1
    best = np.empty(width, np.int32)
    h = np.empty(width, np.int32)
    for j in range(width):
        h[j] = hypothesis[j - 1] if j else -1
    for i in range(len(source) + 1):
        s = int32(source[i - 1]) if i else int32(-2)
        sr = int32(0) if s == token else pair
        above, here, above_after, here_after = before[i], before[i + 1], after[i], after[i + 1]
        for j in range(width):
            hr = int32(0) if h[j] == token else pair
            sh = int32(0) if h[j] == s else pair
            least = min(int32(above[j] + sr + hr + sh), int32(above_after[j] + sh + gaps))
            least = min(least, int32(above[j + 1] + sr + gaps))
            least = min(least, int32(above_after[j + 1] + gaps))
            least = min(least, int32(here[j] + hr + gaps))
            best[j] = min(least, int32(here[j + 1] + gaps))
        cost = _FAR
        for j in range(width):
            cost = min(best[j], int32(cost + gaps))
            here_after[j + 1] = cost


@compiled
def _only_way(source: TokenIds, hypothesis: TokenIds, row: int, column: int, before: Costs, after: Costs) -> bool:
    """Say whether all ways past the cut's reference token cost more than its column.

    `before` holds bounds for what precedes the token, `after`, from right to left, for what follows.
    """
    rows, columns, token = len(source), len(hypothesis), source[row]
    for i in range(rows + 1):
        sr = 0 if i < rows and source[i] == token else MISMATCH
        for j in range(columns + 1):
            hr = 0 if j < columns and hypothesis[j] == token else MISMATCH
            sh = 0 if i < rows and j < columns and source[i] == hypothesis[j] else MISMATCH
            m, n = rows - i, columns - j  # from the right; behind the border, this cell is at [m + 1, n + 1]
            way = min(after[m + 1, n + 1], after[m, n + 1] + sr, after[m + 1, n] + hr) + _GAPS
            if i != row or j != column:
                way = min(way, after[m, n] + sr + hr + sh)
            if before[i + 1, j + 1] + way <= 0:
                return False
    return True
