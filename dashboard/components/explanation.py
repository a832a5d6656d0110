"""A metric's own explanation of a score, block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from dashboard.components.messages import plain
from gec_core.explain.blocks import Block, Edits, Explanation, Facts, NGrams, Tokens

MARKS = {"correct": "✓ correct", "wrong": "✗ wrong", "missed": "○ missed"}


def explanations(found: Mapping[str, Explanation]) -> None:
    """Those of one output, or of several, a tab each, under the names of their systems."""
    if len(found) == 1:
        explanation(*found.values())
        return
    for tab, each in zip(st.tabs([plain(name) for name in found]), found.values(), strict=True):
        with tab:
            explanation(each)


def explanation(found: Explanation) -> None:
    """Everything but the alignment, which has a place of its own on the page."""
    for block in found.blocks:
        drawn = block_html(block)
        if drawn:
            st.markdown(f"**{plain(block.title)}**")
            st.html(f"<div class=lens-scroll>{drawn}</div>")


def block_html(block: Block) -> str:
    """The block as HTML; nothing for an alignment, which the sentence page draws itself."""
    if isinstance(block, Edits):
        rows = [
            (
                f"{e.start}–{e.end}",
                f"{e.original or '∅'} → {e.correction or '∅'}",
                MARKS[e.verdict],
                e.type or "",
                f"{e.weight:.3g}",
            )
            for e in block.edits
        ]
        return table_html(("place", "edit", "verdict", "type", "weight"), rows) if rows else "<p>No edits.</p>"
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
        return table_html(("what", "value"), [(name, _value(value)) for name, value in block.values.items()])
    return ""


def _grams(grams: Any) -> str:
    return ", ".join(f"{gram.text}{f' ×{gram.count}' if gram.count > 1 else ''}" for gram in grams) or "–"


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_value(each) for each in value)
    return str(value)


def table_html(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of plain text."""
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td class=wrap>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table class=lens-table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
