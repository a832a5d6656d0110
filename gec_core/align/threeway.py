"""Three-way alignment of source, hypothesis and reference with the least sum of pairwise costs (I-measure).

In a column of the alignment each of the three has a token or a gap; a pair of equal tokens costs
0, a token against a gap 2, two different tokens 3, two gaps 0. The cheapest alignment of all prefixes
is found by dynamic programming over a cube of (source, hypothesis, reference) positions.

Several alignments may be cheapest, and they do not always give the same counts: a b c x against
x d e f costs 12 both with four replacements and with x kept and six gaps. So the choice is part of the
definition. Read from the end, the first cheapest of these is taken: all three advance; source
and hypothesis; source and reference; hypothesis and reference; source; hypothesis; reference. When
two of the three are equal this is the cheapest alignment of two sequences, without a special case.

A cube of more than `CELL_LIMIT` cells is not filled; the source is then aligned with each of the other
two by edit distance, and the two alignments are joined at the source's tokens ("star").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from gec_core.align.edits import TokenIds, encode
from gec_core.align.threeway_band import GAP, MISMATCH, band
from gec_core.compiled import compiled

BAND_FROM = 20_000
"""The number of cells above which finding those that matter first saves time."""
CELL_LIMIT = 150_000_000
"""The largest cube that is filled, at one byte and about one nanosecond per cell."""

# Costs and moves share one number in the inner loop, cost * 8 + move: its least value is the cheapest
# move, and among those the first in the order of preference.
_MOVES = 8
_FAR = np.int32(1 << 30)
_ADVANCES = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
"""Which of source, hypothesis and reference each move advances, in the order of preference."""

Correction = Literal["TP", "TN", "FP", "FN", "FPN"]
Detection = Literal["TP", "TN", "FP", "FN"]


class Column(NamedTuple):
    """One column of an alignment; None is a gap."""

    source: str | None
    hypothesis: str | None
    reference: str | None

    @property
    def correction(self) -> Correction:
        """The column's class (Table 6 of Felice and Briscoe); FPN counts as FP and as FN, too."""
        if self.source == self.hypothesis:
            return "TN" if self.hypothesis == self.reference else "FN"
        if self.source == self.reference:
            return "FP"
        return "TP" if self.hypothesis == self.reference else "FPN"

    @property
    def detection(self) -> Detection:
        """The class for detection, where any change of a token that needs one is right."""
        correction = self.correction
        return "TP" if correction == "FPN" else correction

    @property
    def cost(self) -> int:
        return sum(
            0 if one == other else GAP if one is None or other is None else MISMATCH
            for one, other in ((self[0], self[1]), (self[0], self[2]), (self[1], self[2]))
        )


@dataclass(frozen=True, slots=True)
class Alignment:
    """Source, hypothesis and reference in columns."""

    columns: tuple[Column, ...]
    method: Literal["exact", "star"] = "exact"

    @property
    def cost(self) -> int:
        return sum(column.cost for column in self.columns)

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        """TP, TN, FP, FN and FPN for correction."""
        classes = [column.correction for column in self.columns]
        both = classes.count("FPN")
        return (
            classes.count("TP"),
            classes.count("TN"),
            classes.count("FP") + both,
            classes.count("FN") + both,
            both,
        )


def align3(source: Sequence[str], hypothesis: Sequence[str], reference: Sequence[str]) -> Alignment:
    """The cheapest alignment of the three; the "star" alignment where the cube would be too large."""
    if not fits(len(source), len(hypothesis), len(reference)):
        return Alignment(tuple(_star(source, hypothesis, reference)), "star")
    moves = trace(*encode(source, hypothesis, reference))
    rows = [iter(source), iter(hypothesis), iter(reference)]
    return Alignment(
        tuple(
            Column(*(next(row) if go else None for row, go in zip(rows, _ADVANCES[move], strict=True)))
            for move in moves
        )
    )


def fits(source: int, hypothesis: int, reference: int) -> bool:
    """Whether three sequences of these lengths can be aligned exactly."""
    return (source + 1) * (hypothesis + 1) * (reference + 1) <= CELL_LIMIT


def _star(source: Sequence[str], hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[Column]:
    """Two edit-distance alignments with the source, joined at its tokens."""
    other, inserted = zip(*(_against(source, tokens) for tokens in (hypothesis, reference)), strict=True)
    for index in range(len(source) + 1):
        for pair in zip_longest(inserted[0][index], inserted[1][index]):
            yield Column(None, *pair)
        if index < len(source):
            yield Column(source[index], other[0][index], other[1][index])


def _against(source: Sequence[str], tokens: Sequence[str]) -> tuple[list[str | None], list[Sequence[str]]]:
    """The token aligned with each source token, and the tokens inserted before each (and after the last)."""
    opposite: list[str | None] = [None] * len(source)
    inserted: list[Sequence[str]] = [()] * (len(source) + 1)
    for code in Levenshtein.opcodes(source, tokens):
        run = tokens[code.dest_start : code.dest_end]
        if code.tag == "insert":
            inserted[code.src_start] = run
        elif code.tag != "delete":
            opposite[code.src_start : code.src_end] = run
    return opposite, inserted


@compiled
def tally(source: TokenIds, hypothesis: TokenIds, references: TokenIds, boxes: NDArray[np.int64]) -> NDArray[np.int64]:
    """TP, TN, FP, FN and FPN of many alignments at once.

    A box is (source start and end, hypothesis start and end, reference start and end): the three
    spans to be aligned with one another. Tokens at the end that all three share are counted without
    being aligned: matching them costs nothing and is preferred to all else.
    """
    counts = np.zeros((len(boxes), 5), np.int64)
    space = np.empty(0, np.uint8)
    for index in range(len(boxes)):
        box = boxes[index]
        s, h, r = source[box[0] : box[1]], hypothesis[box[2] : box[3]], references[box[4] : box[5]]
        while len(s) and len(h) and len(r) and s[-1] == h[-1] == r[-1]:
            s, h, r = s[:-1], h[:-1], r[:-1]
            counts[index, 1] += 1
        size = (len(s) + 1) * (len(h) + 1) * (len(r) + 1)
        if size > len(space):
            space = np.empty(size, np.uint8)
        cube = space[:size].reshape((len(s) + 1, len(h) + 1, len(r) + 1))
        fill(s, h, r, cube, size > BAND_FROM)
        _classify(s, h, r, walk(cube), counts[index])
    return counts


@compiled
def trace(source: TokenIds, hypothesis: TokenIds, reference: TokenIds) -> NDArray[np.uint8]:
    """The moves of the preferred alignment, from the first column to the last."""
    cube = np.empty((len(source) + 1, len(hypothesis) + 1, len(reference) + 1), np.uint8)
    fill(source, hypothesis, reference, cube, cube.size > BAND_FROM)
    return walk(cube)


@compiled
def fill(source: TokenIds, hypothesis: TokenIds, reference: TokenIds, cube: NDArray[np.uint8], narrow: bool) -> None:
    """Fill the cube with the preferred last move of an alignment of the prefixes that end in each cell.

    With `narrow`, cells that no cheapest alignment passes through are skipped (see `threeway_band`); the path back
    from the last cell never enters them. Costs are needed for two planes only; a border of `_FAR` marks the outside.
    """
    int32: Any = np.int32
    height, width = len(hypothesis) + 1, len(reference) + 1
    rows, by_source, by_hypothesis = band(source, hypothesis, reference, narrow)
    previous = np.empty((height + 1, width + 1), np.int32)
    current = np.empty((height + 1, width + 1), np.int32)
    for j in range(height + 1):
        for k in range(width + 1):
            previous[j, k] = current[j, k] = _FAR
    best = np.empty(width, np.int32)
    r = np.empty(width, np.int32)
    for k in range(width):
        r[k] = reference[k - 1] if k else -1
    pair = int32(MISMATCH * _MOVES)
    gaps = 2 * GAP * _MOVES
    for i in range(len(source) + 1):
        s = int32(source[i - 1]) if i else int32(-2)
        if i > 1:  # what this plane held two tokens ago
            for j in range(rows[i - 2, 0], rows[i - 2, 1]):
                for k in range(by_source[i - 2, 0], by_source[i - 2, 1]):
                    current[j + 1, k + 1] = _FAR
        for j in range(rows[i, 0], rows[i, 1]):
            h = int32(hypothesis[j - 1]) if j else int32(-3)
            sh = int32(0) if s == h else pair
            both, only_s, only_h, here = previous[j], previous[j + 1], current[j], current[j + 1]
            first, last = max(by_source[i, 0], by_hypothesis[j, 0]), min(by_source[i, 1], by_hypothesis[j, 1])
            for k in range(first, last):
                sr = int32(0) if s == r[k] else pair
                hr = int32(0) if h == r[k] else pair
                least = min(int32(both[k] + sh + sr + hr), int32(both[k + 1] + sh + gaps + 1))
                least = min(least, int32(only_s[k] + sr + gaps + 2))
                least = min(least, int32(only_h[k] + hr + gaps + 3))
                least = min(least, int32(only_s[k + 1] + gaps + 4))
                best[k] = min(least, int32(only_h[k + 1] + gaps + 5))
            if i == 0 and j == 0:
                best[0] = 0
            cost = _FAR
            for k in range(first, last):
                least = min(best[k], int32(cost + gaps + 6))
                cube[i, j, k] = least & (_MOVES - 1)
                cost = int32(least & -_MOVES)
                here[k + 1] = cost
        previous, current = current, previous


@compiled
def walk(cube: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The moves that lead to the last cell of a filled cube, first to last."""
    i, j, k = cube.shape[0] - 1, cube.shape[1] - 1, cube.shape[2] - 1
    moves = np.empty(i + j + k, np.uint8)
    first = len(moves)
    while i or j or k:
        move = cube[i, j, k]
        i -= _ADVANCES[move, 0]
        j -= _ADVANCES[move, 1]
        k -= _ADVANCES[move, 2]
        first -= 1
        moves[first] = move
    return moves[first:]


@compiled
def _classify(
    source: TokenIds, hypothesis: TokenIds, reference: TokenIds, moves: NDArray[np.uint8], counts: NDArray[np.int64]
) -> None:
    """Add up the columns by class: TP, TN, FP, FN, FPN (see `Column.correction`)."""
    i = j = k = 0
    for move in moves:
        s = h = r = -1
        if _ADVANCES[move, 0]:
            s = source[i]
            i += 1
        if _ADVANCES[move, 1]:
            h = hypothesis[j]
            j += 1
        if _ADVANCES[move, 2]:
            r = reference[k]
            k += 1
        if s == h:
            counts[1 if h == r else 3] += 1
        elif s == r:
            counts[2] += 1
        elif h == r:
            counts[0] += 1
        else:
            counts[2] += 1
            counts[3] += 1
            counts[4] += 1
