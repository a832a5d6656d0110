"""A metric's own explanation of a score, block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from dashboard.components.edits import shade
from dashboard.components.messages import plain
from gec_core.formatting import minus
from gec_core.metrics.blocks import Block, Edits, Explanation, Facts, Matrix, NGrams, Table, Tokens

MARKS = {"correct": "✓ correct", "wrong": "✗ wrong", "missed": "○ missed"}


def explanations(found: Mapping[str, Explanation]) -> None:
    """Draw the explanations of one output or of several, in one tab per system."""
    if len(found) == 1:
        explanation(*found.values())
        return
    for tab, each in zip(st.tabs([plain(name) for name in found]), found.values(), strict=True):
        with tab:
            explanation(each)


def explanation(found: Explanation) -> None:
    """Draw an explanation without its alignment, which the page shows elsewhere."""
    for block in found.blocks:
        drawn = block_html(block)
        if drawn:
            st.markdown(f"**{plain(block.title)}**")
            st.html(f"<div class=lens-scroll>{drawn}</div>")


def block_html(block: Block) -> str:
    """Return a block as HTML; nothing for an alignment, which the sentence page draws itself."""
    if isinstance(block, Edits):
        rows = [
            (
                _place(e.start, e.end),
                str(e),
                MARKS.get(e.verdict or "", ""),
                e.type,
                f"{e.value:.3g}",
            )
            for e in block.edits
        ]
        return table_html(("token", "edit", "verdict", "type", block.measure), rows) if rows else "<p>No edits.</p>"
    if isinstance(block, NGrams):
        heads = ("n", "rewarded", "penalised", "others", "counts")
        return table_html(
            heads,
            [
                (str(o.order), *(_grams(part) for part in (o.rewarded, o.penalised, o.other)), f"{o.top} of {o.bottom}")
                for o in block.orders
            ],
        )
    if isinstance(block, Tokens):
        cells = "".join(
            f"<td>{escape(token.text)}<br><span class=score>{token.value:.2f}</span></td>" for token in block.tokens
        )
        return (
            f"<table class='lens-table lens-align' title='{escape(block.measure, quote=True)}'><tr>{cells}</tr></table>"
        )
    if isinstance(block, Facts):
        return table_html(("quantity", "value"), [(name, _value(value)) for name, value in block.values.items()])
    if isinstance(block, Table):
        return table_html(block.heads, block.rows)
    return _matrix_html(block) if isinstance(block, Matrix) else ""


def _matrix_html(matrix: Matrix) -> str:
    """Numbers as shades; the maximum of a row is bold, that of a column underlined."""
    best_row = [max(row, default=0.0) for row in matrix.values]
    best_column = [max(column) for column in zip(*matrix.values, strict=True)]
    head = "".join(f"<th scope=col>{escape(piece)}</th>" for piece in matrix.columns)
    body = ""
    for piece, row, most in zip(matrix.rows, matrix.values, best_row, strict=True):
        cells = "".join(_cosine(value, most, top) for value, top in zip(row, best_column, strict=True))
        body += f"<tr><th scope=row>{escape(piece)}</th>{cells}</tr>"
    return (
        f"<table class='lens-table lens-align'><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"
        "<p class=lens-note>Bold: the maximum of the row. Underlined: the maximum of the column.</p>"
    )


def _cosine(value: float, best_of_row: float, best_of_column: float) -> str:
    text = minus(f"{value:.2f}")
    text = f"<b>{text}</b>" if value == best_of_row else text
    text = f"<u>{text}</u>" if value == best_of_column else text
    return f'<td style="{shade(max(value, 0.0))}">{text}</td>'


def _place(start: int, end: int) -> str:
    """Where an edit is, with tokens counted from 1."""
    if start == end:
        return f"before {start + 1}"
    return f"{start + 1}" if end == start + 1 else f"{start + 1}–{end}"


def _grams(grams: Any) -> str:
    return ", ".join(f"{gram.text}{f' ×{gram.count}' if gram.count > 1 else ''}" for gram in grams) or "–"


def _value(value: Any) -> str:
    if isinstance(value, float):
        return minus(f"{value:.4g}")
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_value(each) for each in value)
    return str(value)


def table_html(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of plain texts."""
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td class=wrap>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table class=lens-table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
