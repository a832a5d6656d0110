"""Text in HTML: every token escaped, changes marked so that they show without colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from gec_core.align.threeway import Alignment
from gec_core.explain.blocks import Columns
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
