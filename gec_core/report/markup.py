"""Small pieces of HTML. Whatever comes from outside is escaped here, once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from gec_core.align.edits import diff_edits
from gec_core.formatting import minus


def text(value: object) -> str:
    """Anything as text in HTML, attributes included."""
    return escape(str(value), quote=True)


def number(value: float | None, digits: int = 4) -> str:
    """As many digits as the command line prints."""
    return "–" if value is None else minus(f"{value:,.{digits}f}")


def signed(value: float, digits: int = 4) -> str:
    """With its sign, unless there is nothing to show one of."""
    shown = minus(f"{value:+,.{digits}f}")
    return shown.removeprefix("+") if not shown.strip("+0.,") else shown


def span(low: float, high: float, digits: int = 4) -> str:
    """From low to high; one number where they are the same."""
    return number(low, digits) if low == high else f"{number(low, digits)} to {number(high, digits)}"


def probability(p: float | None) -> str:
    return "–" if p is None else "&lt; 0.001" if p < 0.001 else f"{p:.3f}"


def percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    marks: Sequence[str] = (),
    words: Sequence[int] = (),
    prose: Sequence[int] = (),
) -> str:
    """A table of cells that are HTML already; `marks` are classes of rows.

    Columns hold numbers, but for the first, for `words`, and for `prose`, which may be broken into lines.
    """
    kinds = [" class=wrap" if at in prose else "" if at in (0, *words) else " class=n" for at in range(len(heads))]
    head = "".join(f"<th scope=col{kind}>{cell}</th>" for cell, kind in zip(heads, kinds, strict=True))
    body = []
    for place, row in enumerate(rows):
        first, *others = row
        mark = f' class="{marks[place]}"' if marks and marks[place] else ""
        cells = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(others, kinds[1:], strict=True))
        body.append(f"<tr{mark}><th scope=row>{first}</th>{cells}</tr>")
    return f"<div class=scroll><table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"


def section(id: str, title: str, *parts: str) -> str:
    return f'<section id="{id}"><h2>{title}</h2>{"".join(parts)}</section>'


def paragraph(html: str) -> str:
    return f"<p>{html}</p>"


def note(html: str) -> str:
    """How something is defined."""
    return f"<p class=note>{html}</p>"


def figure(svg: str, caption: str) -> str:
    return f"<figure><figcaption>{caption}</figcaption>{svg}</figure>"


def figures(*drawn: str) -> str:
    return f"<div class=figures>{''.join(drawn)}</div>"


def marked(source: str, output: str) -> str:
    """An output as the changes it makes: what is deleted struck through, what is inserted underlined."""
    tokens, parts, at = source.split(), [], 0
    for edit in diff_edits(source, output):
        parts.append(text(" ".join(tokens[at : edit.start])))
        if edit.start < edit.end:
            parts.append(f"<del>{text(' '.join(tokens[edit.start : edit.end]))}</del>")
        if edit.correction:
            parts.append(f"<ins>{text(edit.correction)}</ins>")
        at = edit.end
    parts.append(text(" ".join(tokens[at:])))
    return " ".join(part for part in parts if part) or "<i>(empty)</i>"
