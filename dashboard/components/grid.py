"""The grid of a sentence as HTML: a table, and for narrow screens the same edit by edit.

Everything from a corpus is escaped. Runs of unchanged words fold and unfold by hidden checkboxes, without JavaScript.
Blue helps the output that an edit stands in, orange hurts it; numbers have signs, and classes have names and borders of
their own, so that colour is never the only sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import TypeVar

from dashboard.components.edits import change, shade
from gec_core.explain.grid import (
    ClassCell,
    GridColumn,
    GridEntry,
    MetricRow,
    OutputBlock,
    SentenceGrid,
    TextCell,
    TextRow,
    ValueCell,
    WordRow,
)
from gec_core.formatting import counted, joined, minus

CLASSES = {
    "TP": "corrected as in the reference",
    "FP": "changed without need",
    "FN": "not changed, but should be",
    "FPN": "changed, but not as in the reference",
    "TN": "rightly kept",
}
FEW_WORDS = 3
"""Runs of so many unchanged words are shown in full when folded."""
DENSE_FROM = 15
"""Columns from which folded runs show only how many words they have."""
FEW_NAMES = 2
"""So many metrics that chose a reference are named; of more, the number is given."""
Spanning = TypeVar("Spanning", TextCell, ClassCell, ValueCell)


def grid_html(grid: SentenceGrid) -> str:
    """Return the grid as a table for wide screens and as a list of edits for narrow ones."""
    layout = _Layout(grid)
    direction = "rtl" if grid.right_to_left else "ltr"
    boxes = "".join(
        f'<input type=checkbox class="lens-fold" id="lens-fold-{number}" aria-label="Show {_count(end - start)}">'
        for number, (start, end) in enumerate(layout.folds)
    )
    return (
        f"<div class=lens-grid dir={direction}><style>{layout.style()}</style>{boxes}"
        f"<div class=lens-scroll tabindex=0><table class=lens-grid-table>{_table(grid, layout)}</table></div>"
        f"<div class=lens-stack>{''.join(_site(grid, *site) for site in grid.sites())}</div></div>"
    )


def legend_html() -> str:
    """Return what colours, classes and bars mean."""
    blue, orange = (f'<span class=lens-shade style="{shade(sign)}">{name}</span>' for sign, name in COLOURS)
    kinds = " ".join(f"{_chip(name)} {escape(meaning)};" for name, meaning in CLASSES.items())
    return (
        f"<p class=lens-note>{blue} helps the output that the edit stands in, {orange} hurts it, each row on its own "
        "scale. The credits of a row sum to the score minus that of the source. "
        f"<span class=lens-bar style='width:1.6rem'></span> the weight that the metric itself gives an edit. {kinds} "
        "grey: unchanged words; ▸ unfolds them.</p>"
    )


COLOURS = ((0.6, "Blue"), (-0.6, "orange"))  # not full: the words on them are dimmed


class _Layout:
    """Which columns are folded, and how a row of cells becomes HTML."""

    def __init__(self, grid: SentenceGrid) -> None:
        self.columns = grid.columns
        self.runs = list(grid.runs())
        self.folds = [(start, end) for start, end, quiet in self.runs if quiet and end - start > 1]
        shown = sum(1 if quiet else end - start for start, end, quiet in self.runs)
        self.dense = shown >= DENSE_FROM

    def style(self) -> str:
        """The rules that fold and unfold the runs."""
        return "".join(
            f".lens-grid:has(#lens-fold-{number}:checked) .s{number}{{display:none}}"
            f".lens-grid:not(:has(#lens-fold-{number}:checked)) .w{number}{{display:none}}"
            for number in range(len(self.folds))
        )

    def head(self) -> str:
        parts = []
        for start, end, quiet in self.runs:
            if quiet and end - start > 1:
                number = self.folds.index((start, end))
                told = f'title="Show or hide {_count(end - start)}"'
                label = f'<label for="lens-fold-{number}" {told}>{{}}</label>'
                parts.append(f"<td class='quiet s{number}'>{label.format('▸')}</td>")
                parts.append(f"<td class='quiet w{number}' colspan={end - start}>{label.format('▾')}</td>")
            else:
                parts.append(f"<td class={'quiet' if quiet else 'busy'} colspan={end - start}></td>")
        return "".join(parts)

    def row(
        self,
        cells: Sequence[Spanning],
        draw: Callable[[Spanning], str],
        quiet: Callable[[int, int], tuple[str, Sequence[str]]] = lambda start, end: ("", ()),
        empty: str = "<td class=busy></td>",
    ) -> str:
        """A row: cells under their columns, and in quiet runs a folded text and one for each word."""
        by_start = {cell.start: cell for cell in cells}
        parts = []
        for start, end, is_quiet in self.runs:
            if is_quiet:
                parts.append(self._quiet(start, end, *quiet(start, end)))
                continue
            at = start
            while at < end:
                cell = by_start.get(at)
                parts.append(draw(cell) if cell else empty)
                at = cell.end if cell else at + 1
        return "".join(parts)

    def _quiet(self, start: int, end: int, folded: str, words: Sequence[str]) -> str:
        words = words or [""] * (end - start)
        if end - start == 1:
            return f"<td class=quiet>{words[0]}</td>"
        number = self.folds.index((start, end))
        wide = "".join(f"<td class='quiet w{number}'>{word}</td>" for word in words)
        return f"<td class='quiet s{number}'>{folded}</td>{wide}"

    def folded_words(self, start: int, end: int) -> tuple[str, Sequence[str]]:
        """A run of unchanged words, folded and word by word."""
        words = [column.token or "" for column in self.columns[start:end]]
        shown = [escape(word) for word in words]
        if self.dense and len(words) > 1:
            return f'<span title="{escape(" ".join(words), quote=True)}">…{len(words)}…</span>', shown
        if len(words) <= FEW_WORDS:
            return " ".join(shown), shown
        return f"{shown[0]} … {shown[-1]} <small>({_count(len(words))})</small>", shown


def _table(grid: SentenceGrid, layout: _Layout) -> str:
    weights = _largest_weights(grid.outputs)
    words = _largest_words([grid.source, *(block.text for block in grid.outputs)])
    rows = [f"<tr class=head><td></td>{layout.head()}<th scope=col class=total>score</th></tr>"]
    rows += [_text_row(layout, grid.source, "source"), *_word_rows(layout, grid.source, words)]
    for reference in grid.references:
        rows.append(_text_row(layout, reference, "reference", _chosen(reference, grid.outputs), _told(reference)))
    for block in grid.outputs:
        rows.append(_text_row(layout, block.text, "output"))
        rows.append(_class_row(layout, block))
        for row in block.metrics:
            rows += _metric_rows(layout, row, weights.get(row.metric, 0.0), named=len(grid.references) > 1)
            own = [each for each in block.text.words if each.metric == row.metric]
            rows += [_word_row(layout, each, words[each.metric, each.measure]) for each in own]
    return f"<tbody>{''.join(rows)}</tbody>"


def _text_row(layout: _Layout, row: TextRow, kind: str, note: str = "", title: str = "") -> str:
    told = f'<small title="{escape(title, quote=True)}">{escape(note)}</small>' if note else ""
    cells = layout.row(row.cells, _text_cell, layout.folded_words, "<td class='busy gap'>·</td>")
    head = f"<th scope=row class=name><bdi>{escape(row.name)}</bdi>{told}</th>"
    return f"<tr class={kind}>{head}{cells}<td class=total></td></tr>"


def _text_cell(cell: TextCell) -> str:
    shown = change(cell.before.split(), cell.after) if cell.changed else escape(cell.after)
    return f"<td class=busy colspan={cell.end - cell.start}>{shown}</td>"


def _class_row(layout: _Layout, block: OutputBlock) -> str:
    if not block.classes:
        return ""
    types = {(cell.start, cell.end): cell.type for cell in block.text.cells}

    def draw(cell: ClassCell) -> str:
        type = types.get((cell.start, cell.end), "")
        told = f"<small>{escape(type)}</small>" if type else ""
        return f"<td class=busy colspan={cell.end - cell.start}>{' '.join(map(_chip, cell.classes))}{told}</td>"

    head = f"<th scope=row class=name>class, type<small>{escape(block.reference)}</small></th>"
    return f"<tr class=classes>{head}{layout.row(block.classes, draw)}<td class=total></td></tr>"


def _chip(kind: str) -> str:
    title = escape(CLASSES.get(kind, ""), quote=True)
    return f'<span class="lens-class {kind.lower()}" title="{title}">{kind}</span>'


def _metric_rows(layout: _Layout, row: MetricRow, heaviest: float, *, named: bool) -> list[str]:
    """The row of credits and, if the metric weighs edits, that of weights; `named` adds the reference it chose."""
    reference = f"<small>{escape(row.reference)}</small>" if row.reference and named else ""
    head = f"<th scope=row class=name>{escape(row.metric)}{reference}</th>"
    if row.score is None:
        return [f"<tr class='metric waiting'>{head}{layout.row((), _text_cell)}<td class=total>…</td></tr>"]
    title = f"the source: {score_text(row.source_score or 0.0, row.percent)}"
    error = f"<small title='standard error of a credit'>± {row.error:.1g}</small>" if row.error else ""
    total = f'<td class=total title="{escape(title, quote=True)}">{score_text(row.score, row.percent)}{error}</td>'
    rows = [f"<tr class=metric>{head}{layout.row(row.credits, lambda cell: _credit_cell(cell, row))}{total}</tr>"]
    if row.weights:
        cells = layout.row(row.weights, lambda cell: _weight_cell(cell, heaviest))
        rows.append(f"<tr class=weight><th scope=row class=name>weight</th>{cells}<td class=total></td></tr>")
    return rows


def _credit_cell(cell: ValueCell, row: MetricRow) -> str:
    largest = row.largest or 1.0
    value = sum(entry.value for entry in cell.entries if entry.kind == "credit")
    style = shade(value / largest) if any(entry.kind == "credit" for entry in cell.entries) else ""
    return f'<td class="busy credit" style="{style}" colspan={cell.end - cell.start}>{_credits(cell.entries, row)}</td>'


def _credits(entries: Sequence[GridEntry], row: MetricRow) -> str:
    """The credits of a cell, and how many edits of the annotator the output lacks."""
    shown = [_credit(entry, row) for entry in entries if entry.kind == "credit"]
    if missed := [entry for entry in entries if entry.kind == "missed"]:
        title = "; ".join(f"The annotator has {entry.edit}, the output has not." for entry in missed)
        count = f"{len(missed)} missed" if len(missed) > 1 else "missed"
        shown.append(f'<span class=missed title="{escape(title, quote=True)}">{count}</span>')
    return " ".join(shown)


def _credit(entry: GridEntry, row: MetricRow) -> str:
    title = f"{row.metric}, {entry.edit}: {minus(f'{entry.value:+.4f}')}"
    return f'<span title="{escape(title, quote=True)}">{credit_text(entry.value, row)}</span>'


def _weight_cell(cell: ValueCell, heaviest: float) -> str:
    shown = " ".join(_weight(entry, heaviest) for entry in cell.entries)
    return f"<td class=busy colspan={cell.end - cell.start}>{shown}</td>"


def _weight(entry: GridEntry, heaviest: float) -> str:
    wide = 2.4 * entry.value / heaviest if heaviest else 0.0
    verdict = entry.edit.verdict or ""
    title = f"{entry.edit} ({verdict}): weight {entry.value:.4f}"
    return (
        f'<span class="lens-weight {verdict}" title="{escape(title, quote=True)}">'
        f"<span class=lens-bar style='width:{max(wide, 0.1):.2f}rem'></span>{entry.value:.2g}</span>"
    )


def _word_rows(layout: _Layout, text: TextRow, largest: Mapping[tuple[str, str], float]) -> list[str]:
    return [_word_row(layout, row, largest[row.metric, row.measure]) for row in text.words]


def _word_row(layout: _Layout, row: WordRow, largest: float) -> str:
    by_start = {cell.start: cell for cell in row.cells}
    cells = tuple(TextCell(cell.start, cell.end, "", "") for cell in row.cells)

    def draw(cell: TextCell) -> str:
        values = by_start[cell.start].values
        style = _grey(max(values), largest)
        return f'<td class=busy colspan={cell.end - cell.start} style="{style}">{_spaced(values)}</td>'

    def quiet(start: int, end: int) -> tuple[str, Sequence[str]]:
        known = [by_start[at].values if at in by_start else () for at in range(start, end)]
        return "", [_spaced(values) for values in known]

    head = f"<th scope=row class=name><small>{escape(row.metric)}: {escape(row.measure)}</small></th>"
    return f"<tr class=words>{head}{layout.row(cells, draw, quiet)}<td class=total></td></tr>"


def _spaced(values: Iterable[float]) -> str:
    return " ".join(minus(f"{value:.2f}" if abs(value) < 1 else f"{value:.1f}") for value in values)


def _grey(value: float, largest: float) -> str:
    share = int(28 * value / largest) if largest else 0
    return f"background: color-mix(in srgb, currentColor {max(share, 0)}%, transparent)"


def _site(grid: SentenceGrid, start: int, end: int) -> str:
    """One place of the sentence on a narrow screen: what every text has there, and every metric's numbers."""
    before = _context(grid.columns[:start])
    after = _context(grid.columns[end:], last=False)
    words = " ".join(column.token for column in grid.columns[start:end] if column.token) or "·"
    parts = [f"<h4>{escape(before)} <mark>{escape(words)}</mark> {escape(after)}</h4>"]
    parts += [f"<p><b>{escape(each.name)}</b> {_within(each, start, end)}</p>" for each in grid.references]
    for block in grid.outputs:
        kinds = [kind for cell in block.classes if _inside(cell, start, end) for kind in cell.classes]
        chips = " ".join(_chip(kind) for kind in dict.fromkeys(kinds))
        parts.append(f"<p><b><bdi>{escape(block.text.name)}</bdi></b> {_within(block.text, start, end)} {chips}</p>")
        lines = "".join(_stacked(row, start, end) for row in block.metrics)
        if lines:
            parts.append(f"<table>{lines}</table>")
    return f"<section>{''.join(parts)}</section>"


def _stacked(row: MetricRow, start: int, end: int) -> str:
    entries = [entry for cell in row.credits if _inside(cell, start, end) for entry in cell.entries]
    if not entries:
        return ""
    weights = [entry for cell in row.weights if _inside(cell, start, end) for entry in cell.entries]
    told = f" <small>weight {', '.join(f'{entry.value:.2g}' for entry in weights)}</small>" if weights else ""
    value = sum(entry.value for entry in entries if entry.kind == "credit")
    style = shade(value / (row.largest or 1.0)) if any(entry.kind == "credit" for entry in entries) else ""
    shown = _credits(entries, row)
    return f'<tr><th scope=row>{escape(row.metric)}</th><td class=credit style="{style}">{shown}{told}</td></tr>'


def _context(columns: Sequence[GridColumn], *, last: bool = True) -> str:
    """A few words before or after a place."""
    words = [column.token for column in columns if column.token]
    few = words[-FEW_WORDS:] if last else words[:FEW_WORDS]
    more = len(words) > FEW_WORDS
    return " ".join((["…"] if more and last else []) + few + (["…"] if more and not last else []))


def _within(row: TextRow, start: int, end: int) -> str:
    cells = [cell for cell in row.cells if _inside(cell, start, end)]
    return " ".join(change(cell.before.split(), cell.after) if cell.changed else escape(cell.after) for cell in cells)


def _inside(cell: TextCell | ClassCell | ValueCell, start: int, end: int) -> bool:
    return start <= cell.start and cell.end <= end


def score_text(value: float, percent: bool) -> str:
    """A score with two decimals; one for metrics in percent."""
    return minus(f"{value:.1f}" if percent else f"{value:.2f}")


def credit_text(value: float, row: MetricRow) -> str:
    """A credit with a sign: one decimal in percent, two otherwise, three where all of the row are small."""
    digits = 1 if row.percent else 2 if row.largest >= 0.1 else 3
    text = f"{value:+.{digits}f}"
    return minus(text) if float(text) else "0"


def _largest_weights(blocks: Iterable[OutputBlock]) -> dict[str, float]:
    """The largest weight under each metric in any output, the scale of the bars."""
    found: dict[str, float] = {}
    for block in blocks:
        for row in block.metrics:
            values = [abs(entry.value) for cell in row.weights for entry in cell.entries]
            found[row.metric] = max([found.get(row.metric, 0.0), *values])
    return found


def _largest_words(texts: Iterable[TextRow]) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    for text in texts:
        for row in text.words:
            values = [abs(value) for cell in row.cells for value in cell.values]
            key = row.metric, row.measure
            found[key] = max([found.get(key, 0.0), *values])
    return found


def _told(reference: TextRow) -> str:
    return f"chosen by {', '.join(reference.chosen_by)}"


def _chosen(reference: TextRow, blocks: Sequence[OutputBlock]) -> str:
    """Who compares with this reference, in few words: the metrics, or for which of the outputs most do."""
    if not reference.chosen_by:
        return ""
    takers = [[row.metric for row in block.metrics if row.reference == reference.name] for block in blocks]
    named = [block.text.name for block, who in zip(blocks, takers, strict=True) if who]
    few = (
        joined(reference.chosen_by) if len(reference.chosen_by) <= FEW_NAMES else f"{len(reference.chosen_by)} metrics"
    )
    return f"{few}, for {named[0]}" if len(blocks) > 1 and len(named) == 1 else f"chosen by {few}"


def _count(words: int) -> str:
    return counted(words, "word")
