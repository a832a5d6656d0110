"""The grid of a sentence as HTML: a table, and for narrow screens the same edit by edit.

Everything from a corpus is escaped. Runs of unchanged words fold and unfold by hidden checkboxes, without JavaScript.
Blue helps the output that an edit stands in, orange hurts it; numbers have signs, and classes have names and borders of
their own, so that colour is never the only sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from dashboard.components.edits import CLASSES, change, class_chip, score_text, shade
from dashboard.components.grid_layout import FEW_WORDS, GridLayout
from gec_core.explain.grid import (
    ClassCell,
    DecidingCell,
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

WIDEST_BAR = 2.4
"""The length of the bar of the largest weight, in rem."""
FEW_NAMES = 2
"""So many metrics that chose a reference are named; of more, the number is given."""


def grid_html(grid: SentenceGrid) -> str:
    """Return the grid as a table for wide screens and as a list of edits for narrow ones."""
    layout = GridLayout(grid)
    direction = "rtl" if grid.right_to_left else "ltr"
    boxes = "".join(
        f'<input type=checkbox class=lens-fold id=lens-fold-{number} aria-label="Show {counted(end - start, "word")}">'
        for number, (start, end) in enumerate(layout.folds)
    )
    sites = "".join(_site(grid, *site) for site in _sites(grid, layout))
    return (
        f"<div class=lens-grid dir={direction}><style>{layout.style()}</style>{boxes}"
        f"<div class=lens-scroll tabindex=0><table class='lens-grid-table{' dense' if layout.dense else ''}'>"
        f"{_table(grid, layout)}</table></div>"
        f"<div class=lens-stack>{sites}{_scores(grid)}</div></div>"
    )


def legend_html(grid: SentenceGrid) -> str:
    """Return what colours, classes, bars and frames mean, as far as the grid has them."""
    blue, orange = (f'<span class=lens-shade style="{shade(sign)}">{name}</span>' for sign, name in COLOURS)
    kinds = "; ".join(f"{class_chip(name)} {escape(meaning)}" for name, meaning in CLASSES.items())
    bar = "<span class=lens-bar style='width:1.6rem'></span> the weight that the metric itself gives an edit. "
    frames = (
        "Framed: the edits that decide between two outputs, with a broken line those that decide for fewer metrics. "
    )
    folds = "Grey: unchanged or folded words; ▸ unfolds them."
    return (
        f"<p class=lens-note>{blue} helps the output that the edit stands in, {orange} hurts it, each row on its own "
        "scale. The credits of a row sum to the score minus that of the source. "
        f"{bar if any(row.weights for block in grid.outputs for row in block.metrics) else ''}{kinds}. "
        f"{frames if grid.deciding else ''}{folds}</p>"
    )


COLOURS = ((0.6, "Blue"), (-0.6, "orange"))  # not full: the words on them are dimmed


def _table(grid: SentenceGrid, layout: GridLayout) -> str:
    weights = _largest_weights(grid.outputs)
    words = _largest_words([grid.source, *(block.text for block in grid.outputs)])
    rows = [f"<tr class=head><td class=name></td>{layout.head()}<th scope=col class=total>score</th></tr>"]
    rows += [_deciding_row(layout, grid.deciding)] if grid.deciding else []
    rows += [_text_row(layout, grid.source, "source")]
    rows += [_word_row(layout, row, words[row.metric, row.measure], row.metric) for row in grid.source.words]
    for reference in grid.references:
        rows.append(_text_row(layout, reference, "reference", _chosen(reference, grid.outputs), _told(reference)))
    for number, block in enumerate(grid.outputs):
        rows.append(_text_row(layout, block.text, "output"))
        others = [] if number else grid.outputs[1:]  # also side by side, so that what differs is seen at once
        rows += [_text_row(layout, other.text, "beside") for other in others]
        rows.append(_class_row(layout, block, block.text.name if others else ""))
        for row in block.metrics:
            rows += _metric_rows(layout, row, weights.get(row.metric, 0.0), named=len(grid.references) > 1)
            own = [each for each in block.text.words if each.metric == row.metric]
            rows += [_word_row(layout, each, words[each.metric, each.measure]) for each in own]
    return f"<tbody>{''.join(rows)}</tbody>"


def _deciding_row(layout: GridLayout, cells: Sequence[DecidingCell]) -> str:
    """Which edits decide between two outputs, for which of them, and to how many metrics."""
    few = 0 if layout.dense else FEW_NAMES
    row = layout.row(cells, lambda cell: layout.cell(cell.start, cell.end, _decides(cell, few), "decides"))
    title = "The edit that contributes most to a metric's preference between the two outputs"
    return (
        f'<tr class=deciding><th scope=row class=name title="{title}">decides for</th>{row}<td class=total></td></tr>'
    )


def _decides(cell: DecidingCell, most_names: int = FEW_NAMES) -> str:
    """The outputs that an edit decides for, each with the metrics, or with their number if they are many."""
    shown = []
    for output, metrics in cell.prefers:
        few = joined(metrics) if len(metrics) <= most_names else counted(len(metrics), "metric").replace(" ", "\u00a0")
        told = f"{joined(metrics)} prefer{'s' if len(metrics) == 1 else ''} {output}, mostly because of this edit"
        name = f"<b><bdi>{escape(output)}</bdi></b> <small dir=ltr>{escape(few)}</small>"
        shown.append(f'<span title="{escape(told, quote=True)}">{name}</span>')
    return " ".join(shown)


def _text_row(layout: GridLayout, row: TextRow, kind: str, note: str = "", title: str = "") -> str:
    told = f'<small title="{escape(title, quote=True)}">{escape(note)}</small>' if note else ""
    cells = layout.row(row.cells, lambda cell: _text_cell(layout, cell), layout.folded_words, ("·", "gap"))
    head = f"<th scope=row class=name><bdi>{escape(row.name)}</bdi>{told}</th>"
    return f"<tr class={kind}>{head}{cells}<td class=total></td></tr>"


def _text_cell(layout: GridLayout, cell: TextCell) -> str:
    shown = change(cell.before.split(), cell.after) if cell.changed else escape(cell.after)
    return layout.cell(cell.start, cell.end, shown)


def _class_row(layout: GridLayout, block: OutputBlock, name: str) -> str:
    """The classes and types of an output's edits; `name` tells whose, where its words do not stand right above."""
    if not block.classes:
        return ""
    types = {(cell.start, cell.end): cell.type for cell in block.text.cells}
    loud = [cell for cell in block.classes if not layout.columns[cell.start].quiet]

    def draw(cell: ClassCell) -> str:
        type = types.get((cell.start, cell.end), "")
        told = f"<small>{escape(type).replace(':', ':<wbr>')}</small>" if type else ""
        return layout.cell(cell.start, cell.end, " ".join(map(class_chip, cell.classes)) + told)

    of = f"<b><bdi>{escape(name)}</bdi></b>: " if name else ""
    head = f"<th scope=row class=name><bdi dir=ltr>{of}class, type</bdi><small>{escape(block.reference)}</small></th>"
    return f"<tr class=classes>{head}{layout.row(loud, draw)}<td class=total></td></tr>"


def _metric_rows(layout: GridLayout, row: MetricRow, heaviest: float, *, named: bool) -> list[str]:
    """The row of credits and, if the metric weighs edits, that of weights; `named` adds the reference it chose."""
    reference = f"<small>{escape(row.reference)}</small>" if row.reference and named else ""
    head = f"<th scope=row class=name>{escape(row.metric)}{reference}</th>"
    if row.score is None:
        nothing: tuple[ValueCell, ...] = ()
        cells = layout.row(nothing, lambda cell: _credit_cell(layout, cell, row))
        return [f"<tr class='metric waiting'>{head}{cells}<td class=total>…</td></tr>"]
    title = f"the source: {score_text(row.source_score or 0.0, row.percent)}"
    error = f"<small title='standard error of a credit'>± {row.error:.1g}</small>" if row.error else ""
    total = f'<td class=total title="{escape(title, quote=True)}">{score_text(row.score, row.percent)}{error}</td>'
    cells = layout.row(row.credits, lambda cell: _credit_cell(layout, cell, row), lambda *run: _folded(row, *run))
    rows = [f"<tr class=metric>{head}{cells}{total}</tr>"]
    if row.weights:
        cells = layout.row(row.weights, lambda cell: _weight_cell(layout, cell, heaviest))
        rows.append(f"<tr class=weight><th scope=row class=name>weight</th>{cells}<td class=total></td></tr>")
    return rows


def _folded(row: MetricRow, start: int, end: int) -> str:
    """What a folded run hides: the sum of the credits, and edits of the annotator that the output lacks."""
    entries = [entry for cell in row.credits if _inside(cell, start, end) for entry in cell.entries]
    made = [entry for entry in entries if entry.kind == "credit"]
    if len(made) < 2:
        return _credits(entries, row)
    title = f"{row.metric}, {counted(len(made), 'folded edit')} in all"
    total = credit_text(sum(entry.value for entry in made), row)
    missed = _credits([entry for entry in entries if entry.kind != "credit"], row)
    return f'<span title="{escape(title, quote=True)}">{total}</span> {missed}'


def _credit_cell(layout: GridLayout, cell: ValueCell, row: MetricRow) -> str:
    return layout.cell(cell.start, cell.end, _credits(cell.entries, row), "credit", _shade(cell.entries, row))


def _shade(entries: Sequence[GridEntry], row: MetricRow) -> str:
    """The background of credits; none where they are so small that they are written as 0."""
    value = sum(entry.value for entry in entries if entry.kind == "credit")
    return "" if credit_text(value, row) == "0" else shade(value / (row.largest or 1.0))


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


def _weight_cell(layout: GridLayout, cell: ValueCell, heaviest: float) -> str:
    return layout.cell(cell.start, cell.end, " ".join(_weight(entry, heaviest) for entry in cell.entries))


def _weight(entry: GridEntry, heaviest: float) -> str:
    wide = WIDEST_BAR * entry.value / heaviest if heaviest else 0.0
    verdict = entry.edit.verdict or ""
    title = f"{entry.edit} ({verdict}): weight {entry.value:.4f}"
    return (
        f'<span class="lens-weight {verdict}" title="{escape(title, quote=True)}">'
        f"{entry.value:.2g}<span class=lens-bar style='width:{max(wide, 0.1):.2f}rem'></span></span>"
    )


def _word_row(layout: GridLayout, row: WordRow, largest: float, metric: str = "") -> str:
    """A model's numbers of all words; `metric` names the metric where the row does not stand under its credits."""
    by_start = {cell.start: cell for cell in row.cells}
    cells = tuple(TextCell(cell.start, cell.end, "", "") for cell in row.cells)

    def draw(cell: TextCell) -> str:
        values = by_start[cell.start].values
        return layout.cell(cell.start, cell.end, _spaced(values), style=_grey(max(values), largest))

    of = f' title="{escape(metric, quote=True)}"' if metric else ""
    head = f"<th scope=row class=name{of}>{escape(row.measure)}</th>"
    return f"<tr class=words>{head}{layout.row(cells, draw)}<td class=total></td></tr>"


def _spaced(values: Iterable[float]) -> str:
    return " ".join(minus(f"{value:.2f}" if abs(value) < 1 else f"{value:.1f}") for value in values)


def _grey(value: float, largest: float) -> str:
    share = int(28 * value / largest) if largest else 0
    return f"background: color-mix(in srgb, currentColor {max(share, 0)}%, transparent)"


def _sites(grid: SentenceGrid, layout: GridLayout) -> list[tuple[int, int]]:
    """The places of edits, first those that decide for most metrics: a narrow screen shows few at once."""
    main = [frame for frame, rank in layout.frames.items() if rank == "main"]
    return sorted(grid.sites(), key=lambda site: not any(site[0] <= start and end <= site[1] for start, end in main))


def _site(grid: SentenceGrid, start: int, end: int) -> str:
    """One place of the sentence on a narrow screen: what every text has there, and every metric's numbers."""
    before = _context(grid.columns[:start])
    after = _context(grid.columns[end:], last=False)
    words = " ".join(column.token for column in grid.columns[start:end] if column.token) or "·"
    parts = [f"<h4>{escape(before)} <mark>{escape(words)}</mark> {escape(after)}</h4>"]
    decides = [_decides(cell) for cell in grid.deciding if _inside(cell, start, end)]
    parts += [f"<p class=decides>decides for {each}</p>" for each in decides]
    parts += [f"<p><b>{escape(each.name)}</b> {_within(each, start, end)}</p>" for each in grid.references]
    for block in grid.outputs:
        kinds = [kind for cell in block.classes if _inside(cell, start, end) for kind in cell.classes]
        chips = " ".join(class_chip(kind) for kind in dict.fromkeys(kinds))
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
    shown, style = _credits(entries, row), _shade(entries, row)
    return f'<tr><th scope=row>{escape(row.metric)}</th><td class=credit style="{style}">{shown}{told}</td></tr>'


def _scores(grid: SentenceGrid) -> str:
    """The scores of the outputs, which on wide screens stand at the ends of the rows."""
    outputs = {block.text.name: {row.metric: row for row in block.metrics} for block in grid.outputs}
    names = dict.fromkeys(metric for rows in outputs.values() for metric in rows)
    head = "".join(f"<td><b><bdi>{escape(name)}</bdi></b></td>" for name in outputs)
    body = "".join(
        f"<tr><th scope=row>{escape(metric)}</th>"
        + "".join(f"<td>{_score(rows.get(metric))}</td>" for rows in outputs.values())
        + "</tr>"
        for metric in names
    )
    return f"<section class=scores><table><tr><th scope=row><b>score</b></th>{head}</tr>{body}</table></section>"


def _score(row: MetricRow | None) -> str:
    return "…" if row is None or row.score is None else score_text(row.score, row.percent)


def _context(columns: Sequence[GridColumn], *, last: bool = True) -> str:
    """A few words before or after a place."""
    words = [column.token for column in columns if column.token]
    few = words[-FEW_WORDS:] if last else words[:FEW_WORDS]
    more = len(words) > FEW_WORDS
    return " ".join((["…"] if more and last else []) + few + (["…"] if more and not last else []))


def _within(row: TextRow, start: int, end: int) -> str:
    cells = [cell for cell in row.cells if _inside(cell, start, end)]
    texts = (change(cell.before.split(), cell.after) if cell.changed else escape(cell.after) for cell in cells)
    return " ".join(texts) or "·"


def _inside(cell: TextCell | ClassCell | ValueCell | DecidingCell, start: int, end: int) -> bool:
    return start <= cell.start and cell.end <= end


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
