"""Which columns of a sentence's grid are folded, and how a row of its cells becomes HTML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TypeVar

from gec_core.explain.grid import ClassCell, DecidingCell, Keep, SentenceGrid, TextCell, ValueCell
from gec_core.formatting import counted

SHORT = 10
"""Sentences of up to so many columns are shown in full."""
FEW_WORDS = 3
"""Runs of so many unchanged words are shown in full when folded."""
MOST_COLUMNS = 18
"""Where more columns would be shown, those that no output changes fold as well, then those that all change alike."""
FOLDS: tuple[Keep, ...] = ("texts", "outputs", "differences")
DENSE_FROM = 13
"""Columns from which folded runs show only how many words they have."""
Spanning = TypeVar("Spanning", TextCell, ClassCell, ValueCell, DecidingCell)


class GridLayout:
    """Which columns are folded, and how a row of cells becomes HTML.

    A folded run has one cell of the class s0, s1 … in every row; its own cells have the class w0, w1 …
    """

    def __init__(self, grid: SentenceGrid) -> None:
        self.columns = grid.columns
        self.runs = [(0, len(self.columns), False)]
        for keep in FOLDS if len(self.columns) > SHORT else ():
            self.runs = list(grid.runs(keep))
            if self._width() <= MOST_COLUMNS:
                break
        self.folds = [(start, end) for start, end, fold in self.runs if fold and end - start > 1]
        self.fold_of = {at: number for number, fold in enumerate(self.folds) for at in range(*fold)}
        self.dense = self._width() >= DENSE_FROM
        self.frames = {(cell.start, cell.end): _rank(cell, grid.deciding) for cell in grid.deciding}

    def _width(self) -> int:
        """How many columns are shown before anything is unfolded."""
        return sum(1 if fold else end - start for start, end, fold in self.runs)

    def cell(self, start: int, end: int, content: str, kind: str = "", style: str = "") -> str:
        """A cell under the columns [start, end), framed where an edit decides."""
        frame = next(((one, other) for one, other in self.frames if one <= start and end <= other), None)
        edges = (
            ("first" if start == frame[0] else "", "last" if end == frame[1] else "", self.frames[frame])
            if frame
            else ()
        )
        folded = f"w{self.fold_of[start]}" if start in self.fold_of else ""
        quiet = "quiet" if self.columns[start].quiet else "busy"
        kinds = " ".join(filter(None, (quiet, folded, kind, *edges)))
        styled = f' style="{style}"' if style else ""
        return f'<td class="{kinds}" colspan={end - start}{styled}>{content}</td>'

    def style(self) -> str:
        """The rules that fold and unfold the runs."""
        return "".join(
            f".lens-grid:has(#lens-fold-{number}:checked) .s{number}{{display:none}}"
            f".lens-grid:not(:has(#lens-fold-{number}:checked)) .w{number}{{display:none}}"
            for number in range(len(self.folds))
        )

    def head(self) -> str:
        parts = []
        for start, end, fold in self.runs:
            if fold and end - start > 1:
                number = self.fold_of[start]
                words = counted(end - start, "word")
                count = "" if self.dense or end - start <= FEW_WORDS else f"<small>{words}</small>"
                label = f'<label for="lens-fold-{number}" title="Show or hide {words}">{{}} {count}</label>'
                parts.append(f"<td class='quiet s{number}'>{label.format('▸')}</td>")
                parts.append(f"<td class='quiet w{number}' colspan={end - start}>{label.format('▾')}</td>")
            else:
                parts.append(f"<td class={'quiet' if fold else 'busy'} colspan={end - start}></td>")
        return "".join(parts)

    def row(
        self,
        cells: Sequence[Spanning],
        draw: Callable[[Spanning], str],
        folded: Callable[[int, int], str] = lambda start, end: "",
        empty: tuple[str, str] = ("", ""),
    ) -> str:
        """A row: cells under their columns, and one more for every folded run.

        Args:
            folded: Gives the content of the cell of a folded run.
            empty: The content and the class of a cell where the row has nothing.
        """
        by_start = {cell.start: cell for cell in cells}
        parts = []
        for start, end, _ in self.runs:
            if start in self.fold_of:
                parts.append(f"<td class='quiet s{self.fold_of[start]}'>{folded(start, end)}</td>")
            at = start
            while at < end:
                cell = by_start.get(at)
                parts.append(draw(cell) if cell else self.cell(at, at + 1, *empty))
                at = cell.end if cell else at + 1
        return "".join(parts)

    def folded_words(self, start: int, end: int) -> str:
        """A folded run of words of the source."""
        words = [column.token for column in self.columns[start:end] if column.token]
        if end - start == len(self.columns):
            return escape(" ".join(words))
        if self.dense:
            return f'<span title="{escape(" ".join(words), quote=True)}">…<small>{len(words)}</small></span>'
        return escape(" ".join(words) if len(words) <= FEW_WORDS else f"{words[0]} … {words[-1]}")


def _rank(cell: DecidingCell, cells: Sequence[DecidingCell]) -> str:
    """`main` where no other edit decides for the same output to more metrics, else `minor`."""
    most: dict[str, int] = {}
    for each in cells:
        for output, metrics in each.prefers:
            most[output] = max(most.get(output, 0), len(metrics))
    return "main" if any(len(metrics) == most[output] for output, metrics in cell.prefers) else "minor"
