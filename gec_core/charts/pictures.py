"""Small SVG figures for the first page, which need no plotting library in the browser.

Each mark has a title, which a browser shows when one opens the file and points at it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from gec_core.charts.correlation import fit
from gec_core.charts.style import GREY, INK, PALETTE, PAPER, Label, colour, place_labels
from gec_core.formatting import minus


class SvgPicture(NamedTuple):
    """An SVG image with a text for those who cannot see it."""

    svg: str
    alt: str

    @property
    def in_the_page(self) -> str:
        """The image with light text in the dark theme."""
        return self.svg.replace(
            "</style>", f" @media (prefers-color-scheme: dark) {{ text {{ fill: {PAPER} }} }}</style>"
        )


WIDTH = 390
NAMES = 112
"""Pixels for names, left and right of the lines."""
MOST_LETTERS = 15
ROW, TOP = 20, 34
_DASHES = ("", "7 4", "2 3", "8 3 2 3")


def slopes(ranks: Mapping[str, Mapping[str, float]], highlight: str | None = None) -> SvgPicture:
    """Draw two rankings side by side, with one line per system; lines that cross are pairs in opposite order.

    Args:
        ranks: The rank of each system in both rankings. Systems with the same rank share a row.
        highlight: A system whose line stands out.
    """
    (one, left), (other, right) = ranks.items()
    systems = sorted(left, key=lambda system: left[system])
    height = TOP + ROW * len(systems)
    parts = [
        _words(NAMES, 16, _short(one), anchor="middle", weight=600, title=one),
        _words(WIDTH - NAMES, 16, _short(other), anchor="middle", weight=600, title=other),
    ]
    for index, system in enumerate(systems):
        marked = highlight in (None, system)
        (x1, y1), (x2, y2) = (NAMES, _row(left[system])), (WIDTH - NAMES, _row(right[system]))
        stroke = colour(index) if marked else GREY
        told = escape(f"{system}: rank {left[system]:g} by {one}, {right[system]:g} by {other}")
        parts.append(
            f'<g stroke="{stroke}" fill="{stroke}"><title>{told}</title>'
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke-width="{4 if highlight == system else 2}" '
            f'stroke-dasharray="{_DASHES[index // len(PALETTE) % len(_DASHES)]}"/>'
            f'<circle cx="{x1}" cy="{y1}" r="4"/><circle cx="{x2}" cy="{y2}" r="4"/></g>'
        )
    for x, placed, anchor in ((NAMES - 10, left, "end"), (WIDTH - NAMES + 10, right, "start")):
        for rank in sorted(set(placed.values())):
            tied = [system for system in systems if placed[system] == rank]
            weight = 600 if highlight in tied else 400
            parts.append(_words(x, _row(rank) + 4, _short(", ".join(tied)), anchor, weight, title=", ".join(tied)))
    crossed = sum(
        (left[a] - left[b]) * (right[a] - right[b]) < 0 for at, a in enumerate(systems) for b in systems[at + 1 :]
    )
    alt = f"Ranks of {len(systems)} systems by {one} and by {other}; {crossed} pairs of lines cross."
    return _picture(height, alt, parts)


def points(
    scores: Mapping[str, float], human: Mapping[str, float], *, x: str, y: str, left_out: Sequence[str] = ()
) -> SvgPicture:
    """Draw systems by the score of a metric and of people, with a regression line; left-out systems are hollow."""
    systems = [system for system in human if system in scores]
    places = [(scores[system], human[system]) for system in systems]
    left, right, top, bottom = 46, WIDTH - 14, 12, 236
    across = _scale([place[0] for place in places], left, right)
    down = _scale([place[1] for place in places], bottom, top)
    parts = [f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="{GREY}"/>']
    if line := fit([place for system, place in zip(systems, places, strict=True) if system not in left_out]):
        (x1, x2), (y1, y2) = line
        ends = f'x1="{across(x1):.1f}" y1="{down(y1):.1f}" x2="{across(x2):.1f}" y2="{down(y2):.1f}"'
        parts.append(f'<line {ends} stroke="{GREY}" stroke-width="1.5" stroke-dasharray="3 4"/>')
    spots = place_labels(places, systems, width=right - left, height=bottom - top)
    for system, (across_, down_), spot in zip(systems, places, spots, strict=True):
        told = escape(f"{system}: {x} {minus(f'{across_:.4f}')}, {y} {minus(f'{down_:.4f}')}")
        cx, cy = across(across_), down(down_)
        inside = "none" if system in left_out else PALETTE[0]
        parts.append(
            f'<g><title>{told}</title><circle cx="{cx:.1f}" cy="{cy:.1f}" r="4.5" fill="{inside}" '
            f'stroke="{PALETTE[0]}" stroke-width="1.5"/>{_beside(cx, cy, _short(system), spot)}</g>'
        )
    xs, ys = zip(*places, strict=True)
    parts += [_words(across(end), bottom + 16, minus(f"{end:#.3g}"), "middle", size=11) for end in (min(xs), max(xs))]
    parts += [_words(left - 5, down(end) + 4, minus(f"{end:#.3g}"), "end", size=11) for end in (min(ys), max(ys))]
    parts.append(_words((left + right) / 2, bottom + 34, _short(x, 45), "middle"))
    parts.append(f'<g transform="rotate(-90)">{_words(-(top + bottom) / 2, 12, _short(y, 30), "middle")}</g>')
    return _picture(bottom + 42, f"{len(systems)} systems by {x} and {y}, with a line through them.", parts)


def _row(rank: float) -> float:
    return TOP + ROW * (rank - 0.5)


def _scale(values: Sequence[float], start: float, end: float) -> Callable[[float], float]:
    """Map values to positions, with the same margins as `place_labels`."""
    low, spread = min(values), (max(values) - min(values)) or 1
    return lambda value: start + (0.1 + 0.8 * (value - low) / spread) * (end - start)


def _beside(x: float, y: float, words: str, label: Label) -> str:
    """Text beside a point, at a place that `place_labels` gave."""
    at, line = (x + label.right, y - label.up), ""
    if label.far:
        line = f'<path d="M{x:.1f} {y:.1f}L{at[0]:.1f} {at[1]:.1f}" stroke="{GREY}" stroke-width="0.7"/>'
    return line + _words(at[0], at[1] + 4, words, "middle", size=12)


def _words(
    x: float, y: float, words: str, anchor: str = "start", weight: int = 400, *, size: int = 13, title: str = ""
) -> str:
    more = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" '
        f">{escape(words)}{more}</text>"
    )


def _short(words: str, most: int = MOST_LETTERS) -> str:
    return words if len(words) <= most else f"{words[: most - 1]}…"


def _picture(height: float, alt: str, parts: Sequence[str]) -> SvgPicture:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(alt)}" font-family="Source Sans, Helvetica, Arial, sans-serif">'
        f"<style>text {{ fill: {INK} }}</style>{''.join(parts)}</svg>"
    )
    return SvgPicture(svg, alt)
