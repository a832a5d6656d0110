"""The cells of the cube of a three-way alignment that a cheapest alignment can pass through (Carrillo and Lipman 1988).

A three-way alignment costs at least as much as its three pairwise alignments at their cheapest. So an alignment
through the cell (i, j, k) costs at least T(i, j) + T(i, k) + T(j, k), where T is the least cost of aligning two
of the sequences through a cell. Cells where this exceeds the cost of a known alignment, here that of hypothesis and
reference joined at the source's tokens, are excluded. No cheapest alignment is lost.

T is computed near the diagonal only (Ukkonen 1985): to go more than `reach` diagonals beyond those of the two
ends and back takes that many gaps each way. The reach grows until that costs more than any alignment that matters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gec_core.align.edits import TokenIds
from gec_core.compiled import compiled

GAP = 2
MISMATCH = 3
_REACH = 8
"""The reach that is tried first."""
_FAR = np.int32(1 << 29)

Costs = NDArray[np.int32]
Ranges = NDArray[np.int64]
"""The first column and the one after the last, for each row."""


@compiled
def band(source: TokenIds, hypothesis: TokenIds, reference: TokenIds, narrow: bool) -> tuple[Ranges, Ranges, Ranges]:
    """The hypothesis positions for each source position, and the reference positions for each position of either.

    The ranges contain all cells that matter; if not `narrow`, all cells.
    """
    rows, height, width = len(source) + 1, len(hypothesis) + 1, len(reference) + 1
    if not narrow:
        return _everything(rows, height), _everything(rows, width), _everything(height, width)
    reach = _REACH
    while True:
        before_sh, before_sr = costs(source, hypothesis, reach), costs(source, reference, reach)
        before_hr = costs(hypothesis, reference, reach)
        least_sh, least_sr, least_hr = before_sh[-1, -1], before_sr[-1, -1], before_hr[-1, -1]
        known = least_sh + least_sr + _joined(source, hypothesis, reference, before_sh, before_sr)
        slack = known - least_sh - least_sr - least_hr
        needed = max(
            _needed(rows, height, least_sh + slack),
            _needed(rows, width, least_sr + slack),
            _needed(height, width, least_hr + slack),
        )
        if needed <= reach:
            break
        reach = needed
    return (
        _within(before_sh, costs(source[::-1], hypothesis[::-1], reach), least_sh + slack, reach),
        _within(before_sr, costs(source[::-1], reference[::-1], reach), least_sr + slack, reach),
        _within(before_hr, costs(hypothesis[::-1], reference[::-1], reach), least_hr + slack, reach),
    )


@compiled
def _needed(rows: int, columns: int, most: int) -> int:
    """The reach that contains every pairwise alignment that costs at most `most`."""
    return max(0, (most // GAP - abs(rows - columns)) // 2)


@compiled
def _near(i: int, rows: int, columns: int, reach: int) -> tuple[int, int]:
    """The columns of a row that are within reach: the first, and the one after the last."""
    first, last = i + min(0, columns - rows) - reach, i + max(0, columns - rows) + reach
    return max(0, first), min(columns, last + 1)


@compiled
def _everything(rows: int, columns: int) -> Ranges:
    found = np.zeros((rows, 2), np.int64)
    found[:, 1] = columns
    return found


@compiled
def costs(one: TokenIds, other: TokenIds, reach: int) -> Costs:
    """The least cost of aligning every prefix of one with every prefix of the other, within reach.

    Cells beyond are uninitialised, apart from a border of `_FAR`.
    """
    rows, columns = len(one) + 1, len(other) + 1
    found = np.empty((rows, columns), np.int32)
    found[0] = GAP * np.arange(columns)
    for i in range(1, rows):
        first, last = _near(i, rows, columns, reach)
        if last < columns:
            found[i, last] = _FAR
        start = max(first, 1)
        found[i, start - 1] = _FAR if first else GAP * i
        above, here, others = found[i - 1, start - 1 : last], found[i, start - 1 : last], other[start - 1 : last - 1]
        for j in range(len(others)):
            pair = 0 if one[i - 1] == others[j] else MISMATCH
            here[j + 1] = min(above[j] + pair, above[j + 1] + GAP, here[j] + GAP)
    return found


@compiled
def _within(before: Costs, after: Costs, most: int, reach: int) -> Ranges:
    """For each row the columns from the first to the last cell that an alignment of this cost can pass through."""
    rows, columns = before.shape
    found = np.zeros((rows, 2), np.int64)
    for i in range(rows):
        for j in range(*_near(i, rows, columns, reach)):
            if before[i, j] + after[rows - 1 - i, columns - 1 - j] <= most:
                if found[i, 1] == 0:
                    found[i, 0] = j
                found[i, 1] = j + 1
    return found


@compiled
def _opposite(one: TokenIds, other: TokenIds, before: Costs) -> Ranges:
    """The range of the other sequence aligned with each token of one in a cheapest alignment; empty for a gap.

    The last row is the end of the other.
    """
    found = np.empty((len(one) + 1, 2), np.int64)
    i, j = len(one), len(other)
    found[i, :] = j
    while i or j:
        if i and j and before[i, j] == before[i - 1, j - 1] + (0 if one[i - 1] == other[j - 1] else MISMATCH):
            i, j = i - 1, j - 1
            found[i, 0], found[i, 1] = j, j + 1
        elif i and before[i, j] == before[i - 1, j] + GAP:
            i -= 1
            found[i, :] = j
        else:
            j -= 1
    return found


@compiled
def _joined(source: TokenIds, hypothesis: TokenIds, reference: TokenIds, before_sh: Costs, before_sr: Costs) -> int:
    """The cost of hypothesis against reference when both are aligned with the source."""
    h, r = _opposite(source, hypothesis, before_sh), _opposite(source, reference, before_sr)
    total = at_h = at_r = 0
    for i in range(len(source) + 1):
        while at_h < h[i, 0] or at_r < r[i, 0]:  # inserted before this token
            if at_h < h[i, 0] and at_r < r[i, 0]:
                total += 0 if hypothesis[at_h] == reference[at_r] else MISMATCH
                at_h, at_r = at_h + 1, at_r + 1
            else:
                total += GAP
                at_h, at_r = (at_h + 1, at_r) if at_h < h[i, 0] else (at_h, at_r + 1)
        has_h, has_r = h[i, 1] > h[i, 0], r[i, 1] > r[i, 0]
        if has_h and has_r:
            total += 0 if hypothesis[at_h] == reference[at_r] else MISMATCH
        elif has_h or has_r:
            total += GAP
        at_h, at_r = h[i, 1], r[i, 1]
    return total
