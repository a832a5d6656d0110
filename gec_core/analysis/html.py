"""A report as one HTML file, and a zip file of it with its numbers (CSV for tables, JSON for programs).

The HTML file has its figures inside, no scripts, and loads nothing from elsewhere; it prints, too.

Values become HTML here and in `svg`, and are escaped on the way, once.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from gec_core.analysis import svg
from gec_core.analysis.document import (
    Paragraph,
    Piece,
    Plot,
    Report,
    Section,
    SectionTable,
    SentenceExample,
    StackedPlot,
    TableColumn,
    cell_text,
)
from gec_core.formatting import spreadsheet_cell

STYLE = Path(__file__).with_name("style.css")
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_TAGS = {"strong": "b", "code": "code"}
_LEFT = ("text", "code", "names", "verdict", "sentence")
"""Kinds of cells that are aligned to the left; the others are numbers."""


def page(report: Report) -> str:
    """The whole file."""
    shown = [section for section in report.sections if not section.missing]
    title, about = escape(report.title), _paragraphs(report.subtitle, "about")
    links = "".join(f'<a href="#{section.id}">{escape(section.title)}</a>' for section in shown)
    linked = {example.sentence for section in shown for example in section.examples}
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f'<meta http-equiv=Content-Security-Policy content="{POLICY}">'
        f"<title>{title} · GEC Lens</title><style>{STYLE.read_text(encoding='utf-8')}</style></head><body>"
        f"<header><h1>{title}</h1>{about}{_summary(report.summary)}<nav>{links}</nav></header>"
        f"<main>{''.join(_section(section, linked) for section in shown)}</main>"
        f"<footer><p class=note>Made by GEC Lens {escape(report.about['version'])}.</p></footer></body></html>\n"
    )


def _summary(section: Section) -> str:
    """The summary stands under the title, with its prose as a list."""
    items = "".join(f"<li>{_text(each)}</li>" for each in section.prose)
    parts = _paragraphs(section.warnings, "warning") + (f"<ul>{items}</ul>" if items else "")
    return f'<section id="{section.id}"><h2>{escape(section.title)}</h2>{parts}{_body(section, set())}</section>'


def _section(section: Section, linked: set[int]) -> str:
    parts = _paragraphs(section.warnings, "warning") + _paragraphs(section.prose) + _body(section, linked)
    return f'<section id="{section.id}"><h2>{escape(section.title)}</h2>{parts}</section>'


def _body(section: Section, linked: set[int]) -> str:
    """What follows the prose; figures and tables that there are for every metric come last, side by side."""
    metric_tables = "".join(f"<div>{_titled(table, linked)}</div>" for table in section.tables if table.metric)
    parts = (
        _figures(plot for plot in section.figures if not plot.metric),
        *(_titled(table, linked) for table in section.tables if not table.metric),
        _figures(plot for plot in section.figures if plot.metric),
        f"<div class=tables>{metric_tables}</div>" if metric_tables else "",
        _paragraphs(section.notes, "note"),
        *map(sentence, section.examples),
        f"<pre><code>{escape(section.code)}</code></pre>" if section.code else "",
    )
    return "".join(parts)


def _text(paragraph: Paragraph) -> str:
    parts = []
    for run in paragraph.runs:
        tag, words = _TAGS.get(run.style), escape(run.text)
        if run.style == "link":
            parts.append(f"<a href='{escape(run.text, quote=True)}'>{words}</a>")
        else:
            parts.append(f"<{tag}>{words}</{tag}>" if tag else words)
    return "".join(parts)


def _paragraphs(paragraphs: Iterable[Paragraph], kind: str = "") -> str:
    opening = f"<p class={kind}>" if kind else "<p>"
    return "".join(f"{opening}{_text(each)}</p>" for each in paragraphs)


def _figures(plots: Iterable[Plot]) -> str:
    drawn = "".join(
        f"<figure><figcaption><b>{escape(plot.title)}</b>{_unit(plot)}</figcaption>{svg.draw(plot)}</figure>"
        for plot in plots
    )
    return f"<div class=figures>{drawn}</div>" if drawn else ""


def _unit(plot: Plot) -> str:
    if isinstance(plot, StackedPlot):
        return svg.legend(plot)
    return "" if plot.metric or plot.unit in plot.title.lower() else f", {escape(plot.unit)}"


def _titled(table: SectionTable, linked: set[int]) -> str:
    title = f"<h3>{escape(table.title)}</h3>" if table.title else ""
    return f"{title}{_paragraphs(table.prose)}{_table(table, linked)}"


def _table(table: SectionTable, linked: set[int]) -> str:
    shown = [place for place, column in enumerate(table.columns) if column.kind != "passage"]
    columns = [table.columns[place] for place in shown]
    heads = "".join(f"<th scope=col{_class(column)}>{escape(column.name)}</th>" for column in columns)
    body = []
    for place, row in enumerate(table.rows[: table.brief]):
        role = table.roles[place] if table.roles else "other"
        opening = "<tr>" if role == "other" else f"<tr class={role}>"
        first, *cells = (_cell(column, row[at], linked) for at, column in zip(shown, columns, strict=True))
        rest = "".join(f"<td{_class(column)}>{cell}</td>" for cell, column in zip(cells, columns[1:], strict=True))
        body.append(f"{opening}<th scope=row>{first}</th>{rest}</tr>")
    return f"<div class=scroll><table><thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"


def _class(column: TableColumn) -> str:
    return " class=wrap" if column.kind in ("names", "code") else "" if column.kind in _LEFT else " class=n"


def _cell(column: TableColumn, value: Any, linked: set[int]) -> str:
    words = escape(cell_text(column, value))
    match column.kind:
        case "sentence" if value in linked:
            return f'<a href="#s{words}">{words}</a>'
        case "code":
            return f"<code>{words}</code>"
        case "share":
            share, _, counts = words.partition(" ")
            return f"{share} <span class=sub>{counts}</span>"
        case "verdict" if value in ("better", "worse"):
            return f"<span class={value}>{words}</span>"
        case "change" if value.verdict in ("better", "worse"):
            return f"<span class={value.verdict}>{words}</span>"
    return words


def sentence(example: SentenceExample) -> str:
    """A sentence with its texts and their scores."""
    number = example.sentence + 1
    terms = "".join(f"<dt>{escape(name)}</dt><dd>{changes(pieces)}</dd>" for name, pieces in example.texts)
    reasons = "; ".join(example.reasons)
    return (
        f'<article class=sentence id="s{number}"><h3>Sentence {number} <span class=sub>{escape(reasons)}</span></h3>'
        f"<dl>{terms}</dl>{_table(example.scores, set())}</article>"
    )


def changes(pieces: Iterable[Piece]) -> str:
    """A text as the changes it makes: deleted words struck through, inserted ones underlined."""
    tags = {"deleted": "del", "inserted": "ins"}
    parts = []
    for piece in pieces:
        tag, words = tags.get(piece.change), escape(piece.text)
        parts.append(f"<{tag}>{words}</{tag}>" if tag else words)
    return " ".join(part for part in parts if part) or "<i>(empty)</i>"


_WHEN = (1980, 1, 1, 0, 0, 0)
"""A fixed time, so that the same report gives the same file."""


def bundle(report: Report) -> bytes:
    """The bytes of the zip file."""
    numbers = {name: rows for section in report.sections for name, rows in section.data.items() if rows}
    files = {"report.html": page(report)}
    files["numbers.json"] = json.dumps(
        {"about": dict(report.about)} | numbers, ensure_ascii=False, indent=1, allow_nan=False
    )
    files |= {f"{name}.csv": _csv(rows) for name, rows in numbers.items()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _csv(rows: list[dict[str, Any]]) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: spreadsheet_cell(_joined(value)) for name, value in row.items()} for row in rows)
    return written.getvalue()


def _joined(value: Any) -> Any:
    """Lists as words with spaces between, None as an empty cell."""
    return " ".join(value) if isinstance(value, tuple | list) else value
