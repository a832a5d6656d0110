"""Edits in HTML: marked in their text, aligned with a reference, or in a table with their credits.

Every token is escaped, and changes show without colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Protocol

import streamlit as st

from gec_core.align.threeway import Alignment
from gec_core.explain.blocks import Columns
from gec_core.explain.credit import Credit, Difference
from gec_core.explain.phrases import Span
from gec_core.formatting import minus
from gec_core.types import Edit

GAP = "·"


def marked(source: str, edits: Sequence[Edit], weights: Mapping[tuple[int, int, str], float] | None = None) -> str:
    """The source with its edits: what is deleted struck through, what is inserted underlined.

    `weights`, between -1 and 1, shade an edit: blue for good, orange for bad, the stronger the more.
    """
    tokens = source.split()
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts.append(escape(" ".join(tokens[at : edit.start])))
        parts.append(_shaded(tokens[edit.start : edit.end], edit, weights))
        at = max(at, edit.end)
    parts.append(escape(" ".join(tokens[at:])))
    return " ".join(part for part in parts if part) or "<i>(empty)</i>"


def change(before: Sequence[str], correction: str) -> str:
    """An edit: what is deleted struck through, what is inserted underlined."""
    old = f"<del>{escape(' '.join(before))}</del>" if before else ""
    new = f"<ins>{escape(correction)}</ins>" if correction else ""
    return f"<span class=lens-edit>{old}{new}</span>"


def _shaded(before: Sequence[str], edit: Edit, weights: Mapping[tuple[int, int, str], float] | None) -> str:
    weight = (weights or {}).get((edit.start, edit.end, edit.correction), 0.0)
    told = f"{edit.type}; " if edit.type else ""
    title = f"{told}credit {weight:+.2f} of the largest" if weights is not None else edit.type
    drawn = change(before, edit.correction)
    return f'<span class=lens-shade style="{shade(weight)}" title="{escape(title, quote=True)}">{drawn}</span>'


def shade(weight: float) -> str:
    """A background for a weight between -1 and 1."""
    if abs(weight) < 0.005:
        return ""
    colour = "#4A9BD4" if weight > 0 else "#E8853D"
    return f"background: color-mix(in srgb, {colour} {int(12 + 48 * min(1, abs(weight)))}%, transparent)"


def alignment_table(alignment: Alignment | Columns) -> str:
    """Source, output and reference in columns, with the class of each column below."""
    rows: list[tuple[str, list[str | None]]] = [
        ("source", [column.source for column in alignment.columns]),
        ("output", [column.hypothesis for column in alignment.columns]),
        ("reference", [column.reference for column in alignment.columns]),
    ]
    kinds = [column.correction for column in alignment.columns]
    body = "".join(
        f"<tr><th scope=row>{name}</th>"
        + "".join(_token(token, kind) for token, kind in zip(tokens, kinds, strict=True))
        + "</tr>"
        for name, tokens in rows
    )
    classes = "".join(f"<td class='kind {kind.lower()}'>{kind}</td>" for kind in kinds)
    return (
        f"<div class=lens-scroll><table class='lens-table lens-align'><tbody>{body}"
        f"<tr><th scope=row>class</th>{classes}</tr></tbody></table></div>"
    )


def _token(token: str | None, kind: str) -> str:
    shown = escape(token) if token is not None else f"<span class=gap title=gap>{GAP}</span>"
    return f"<td class={kind.lower()}>{shown}</td>"


NO_CREDITS = "Choose a metric without a model in the sidebar, or ask a model below, to see what the edits are worth."


class CreditedEdit(Span, Protocol):
    """An edit with what it is worth."""

    @property
    def type(self) -> str: ...
    @property
    def credit(self) -> float: ...


def credit_table(source: str, credits: Mapping[str, Credit]) -> None:
    """What each edit of an output adds to its score, by every metric."""
    edits = next(iter(credits.values())).edits if credits else ()
    if not edits:
        st.info("This output changes nothing." if credits else NO_CREDITS)
        return
    heads = [_edit(source, edit) for edit in edits]
    rows = [
        (name, found.edits, [_sum(found.score - found.source_score, found), *_digits(found.source_score, found.score)])
        for name, found in credits.items()
    ]
    _draw(heads, rows, ["sum", "source", "output"])


def difference_table(source: str, differences: Mapping[str, Difference], first: str, second: str) -> None:
    """What each edit contributes to the difference of two outputs' scores, by every metric."""
    edits = next(iter(differences.values())).edits if differences else ()
    if not edits:
        st.info("The two outputs have the same edits." if differences else NO_CREDITS)
        return
    heads = []
    for edit in edits:
        who = "both" if edit.first is not None and edit.second is not None else second if edit.first is None else first
        heads.append(f"{_edit(source, edit)}<span class=score>{escape(who)}</span>")
    rows = [
        (name, found.edits, [_sum(found.value, found), *_digits(found.first_score, found.second_score)])
        for name, found in differences.items()
    ]
    _draw(heads, rows, [f"{first} − {second}", first, second])


def _draw(
    heads: Sequence[str], rows: Iterable[tuple[str, Sequence[CreditedEdit], Sequence[str]]], ends: Sequence[str]
) -> None:
    """The table; cells of a row are shaded by their share of the largest."""
    head = "".join(f"<th scope=col class=wrap>{each}</th>" for each in heads)
    head += "".join(
        f"<th scope=col{' class=sum' if not at else ''}>{escape(each)}</th>" for at, each in enumerate(ends)
    )
    body = ""
    for name, edits, sums in rows:
        most = max(abs(edit.credit) for edit in edits) or 1
        cells = "".join(f'<td style="{shade(edit.credit / most)}">{_signed(edit.credit)}</td>' for edit in edits)
        cells += "".join(f"<td{' class=sum' if not at else ''}>{each}</td>" for at, each in enumerate(sums))
        body += f"<tr><th scope=row>{escape(name)}</th>{cells}</tr>"
    st.html(
        "<div class=lens-scroll tabindex=0><table class='lens-table lens-credits lens-pinned'><thead><tr>"
        f"<th scope=col>metric</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _edit(source: str, edit: CreditedEdit) -> str:
    """What is changed into what, with its type below."""
    told = f"<span class=score>{escape(edit.type)}</span>" if edit.type else ""
    return f"{change(source.split()[edit.start : edit.end], edit.correction)}{told}"


def _sum(value: float, found: Credit | Difference) -> str:
    return _signed(value) if found.exact else f"{_signed(value)} ± {found.error:.3f} an edit"


def _signed(value: float) -> str:
    """With a real minus, and a plain 0 for what is none."""
    return minus(f"{value:+.3f}") if abs(value) >= 0.0005 else "0"


def _digits(*values: float) -> list[str]:
    return [minus(f"{value:.3f}") for value in values]
