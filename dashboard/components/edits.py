"""Sentences and their edits in HTML: texts with marked edits, alignments, and tables of credits.

Every token is escaped, and changes can be seen without colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from dashboard import cache
from dashboard.components.messages import plain
from gec_core.explain.credit import Credits
from gec_core.formatting import minus
from gec_core.metrics.blocks import Columns, ValuedEdit
from gec_core.types import Corpus, Edit

if TYPE_CHECKING:
    from gec_core.align.threeway import Alignment

GAP = "·"
FEW = 4
"""Unchanged words that are not worth leaving out."""


CLASSES = {
    "TP": "corrected as in the reference",
    "FP": "changed without need",
    "FN": "not changed, but should be",
    "FPN": "changed, but not as in the reference",
    "TN": "rightly kept",
}


def marked(
    source: str,
    edits: Sequence[Edit],
    weights: Mapping[tuple[int, int, str], float] | None = None,
    around: int | None = None,
) -> str:
    """Return the source with its edits: deleted tokens are struck through, inserted ones underlined.

    Args:
        source: The tokenised source.
        edits: The edits to mark.
        weights: A weight between -1 and 1 for each edit: blue for positive, orange for negative ones.
        around: How many unchanged words to show on either side of an edit; by default all.
    """
    tokens = source.split()
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts.append(_unchanged(tokens[at : edit.start], around if parts else 0, around))
        parts.append(_shaded(tokens[edit.start : edit.end], edit, weights))
        at = max(at, edit.end)
    parts.append(_unchanged(tokens[at:], around, 0 if parts else around))
    return " ".join(part for part in parts if part) or "<i>(empty)</i>"


def _unchanged(tokens: Sequence[str], first: int | None, last: int | None) -> str:
    """Words between two edits: all of them, or the first and the last ones if more than a few are left out."""
    if first is not None and last is not None and len(tokens) > first + last + FEW:
        tokens = [*tokens[:first], "…", *tokens[len(tokens) - last :]]
    return escape(" ".join(tokens))


def change(before: Sequence[str], correction: str) -> str:
    """Return one edit: deleted tokens are struck through, inserted ones underlined."""
    old = f"<del>{escape(' '.join(before))}</del>" if before else ""
    new = f"<ins>{escape(correction)}</ins>" if correction else ""
    return f"<span class=lens-edit>{old}{new}</span>"


def _shaded(before: Sequence[str], edit: Edit, weights: Mapping[tuple[int, int, str], float] | None) -> str:
    weight = (weights or {}).get((edit.start, edit.end, edit.correction), 0.0)
    told = f"{edit.type}; " if edit.type else ""
    share = minus(f"{weight:+.2f}")
    title = f"{told}{share} of the largest credit" if weights is not None else edit.type
    drawn = change(before, edit.correction)
    return f'<span class=lens-shade style="{shade(weight)}" title="{escape(title, quote=True)}">{drawn}</span>'


def shade(weight: float) -> str:
    """Return a background colour for a weight between -1 and 1."""
    if abs(weight) < 0.005:
        return ""
    colour = "#4A9BD4" if weight > 0 else "#E8853D"
    return f"background: color-mix(in srgb, {colour} {int(12 + 48 * min(1, abs(weight)))}%, transparent)"


def alignment_table(alignment: Alignment | Columns) -> str:
    """Return a table of source, output and reference, token by token, with the class of each column."""
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


NO_CREDITS = "To see the credits of the edits, choose a metric without a model in the sidebar, or ask a model below."


def credit_table(source: str, credits: Mapping[str, Credits]) -> None:
    """Draw the credit of each edit of an output, one row per metric."""
    edits = next(iter(credits.values())).edits if credits else ()
    if not edits:
        st.info("This output leaves the source unchanged." if credits else NO_CREDITS)
        return
    heads = [_edit(source, edit) for edit in edits]
    rows = [
        (name, found.edits, [_sum(found.score - found.source_score, found), *_digits(found.source_score, found.score)])
        for name, found in credits.items()
    ]
    _draw(heads, rows, ["sum", "source", "output"])


def _draw(
    heads: Sequence[str], rows: Iterable[tuple[str, Sequence[ValuedEdit], Sequence[str]]], ends: Sequence[str]
) -> None:
    """Draw the table, each row shaded on its own scale."""
    head = "".join(f"<th scope=col class=wrap>{each}</th>" for each in heads)
    head += "".join(
        f"<th scope=col{' class=sum' if not at else ''}>{escape(each)}</th>" for at, each in enumerate(ends)
    )
    body = ""
    for name, edits, sums in rows:
        most = max(abs(edit.value) for edit in edits) or 1
        cells = "".join(f'<td style="{shade(edit.value / most)}">{_signed(edit.value)}</td>' for edit in edits)
        cells += "".join(f"<td{' class=sum' if not at else ''}>{each}</td>" for at, each in enumerate(sums))
        body += f"<tr><th scope=row>{escape(name)}</th>{cells}</tr>"
    st.html(
        "<div class=lens-scroll tabindex=0><table class='lens-table lens-credits lens-pinned'><thead><tr>"
        f"<th scope=col>metric</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _edit(source: str, edit: ValuedEdit) -> str:
    """The heading of an edit: the change, and its type below."""
    told = f"<span class=score>{escape(edit.type)}</span>" if edit.type else ""
    return f"{change(source.split()[edit.start : edit.end], edit.correction)}{told}"


def _sum(value: float, found: Credits) -> str:
    return _signed(value) if found.exact else f"{_signed(value)} ± {found.error:.3f} per edit"


def _signed(value: float) -> str:
    """With a sign, except for 0."""
    return minus(f"{value:+.3f}") if abs(value) >= 0.0005 else "0"


def _digits(*values: float) -> list[str]:
    return [minus(f"{value:.3f}") for value in values]


def source_and_references(corpus: Corpus, index: int) -> None:
    """Draw the source and the references, with the edits of each."""
    sentence = corpus.sentences[index]
    rows = [("source", escape(sentence.source))]
    for number, reference in enumerate(sentence.references, 1):
        edits = cache.output_edits(sentence.source, reference)
        rows.append((f"reference {number}", marked(sentence.source, edits)))
    text_table(rows)


def text_table(rows: Sequence[tuple[str, str]]) -> None:
    """Draw named texts, which are HTML."""
    body = "".join(f"<tr><th scope=row>{escape(name)}</th><td class=wrap>{text}</td></tr>" for name, text in rows)
    st.html(f"<div class=lens-scroll><table class='lens-table lens-texts'><tbody>{body}</tbody></table></div>")


def judges(corpus: Corpus, index: int) -> None:
    """Draw the rankings of outputs that judges gave for this sentence."""
    judged = corpus.judgments.items if corpus.judgments else ()
    items = [item for item in judged if item.sentence == index and item.ranked]
    if not items:
        st.caption("No judge ranked outputs of this sentence.")
        return
    for item in items:
        places: dict[int, list[str]] = {}
        for ranked in item.ranked:
            places.setdefault(ranked.rank, []).append(", ".join(ranked.systems))
        order = "  >  ".join("  =  ".join(names) for _, names in sorted(places.items()))
        st.markdown(f"{plain(item.judge)}: {plain(order)}")


def class_chip(kind: str) -> str:
    """Return a class of the three-way alignment; each has a border of its own."""
    title = escape(CLASSES.get(kind, ""), quote=True)
    return f'<span class="lens-class {kind.lower()}" title="{title}">{kind}</span>'


def score_text(value: float, percent: bool) -> str:
    """A score with two decimals; one for metrics in percent."""
    return minus(f"{value:.1f}" if percent else f"{value:.2f}")
