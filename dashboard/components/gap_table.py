"""The gap between two systems as a table of groups of edits with diverging bars, one column per side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from dashboard.components.controls import pick
from gec_core.meta.gap import GapSide
from gec_core.meta.gap_edits import NO_EDIT, By, Group
from gec_core.meta.gap_sentences import Gap
from gec_core.meta.gap_words import (
    MATCHING,
    NOT_MATCHING,
    Unit,
    amount,
    amount_text,
    by_match,
    points,
    share_text,
    signed,
)

SHOWN = 10
"""Groups that are listed by themselves; the others are summed."""
ROOM = 64
"""Percent of the width of the table for the bars of all sides."""
OTHERS = "…"
"""The name of the row that sums the other groups."""
BETWEEN = "\t"
"""Between the group and the side in what a click reports."""
HEADS: dict[By, str] = {
    "type": "error type",
    "fate": "what became of the edit",
    "operation": "operation",
    "length": "length of the source",
}


@dataclass(frozen=True)
class GroupRow:
    """A group of edits under every side that is split."""

    name: str
    label: str
    edits: tuple[int, int]
    groups: tuple[tuple[Group, ...], ...]
    """For each side the groups that the row sums: one, or all the others."""

    def contribution(self, side: int) -> float:
        """What the row contributes to the gap of a side."""
        return sum(group.contribution for group in self.groups[side])


def group_rows(sides: Sequence[GapSide], by: By, *, everything: bool = False) -> list[GroupRow]:
    """Return the groups in the order of the table: the largest first, or by length; what no edit contributes last.

    Args:
        sides: The sides that are split into edits.
        by: What edits are grouped by.
        everything: Whether to list all groups, rather than sum the small ones.
    """
    by_side = [{group.name: group for group in side.edits.groups(by)} for side in sides if side.edits]
    names = list(dict.fromkeys(name for groups in by_side for name in groups))
    rows = [_row([[groups[name]] if name in groups else [] for groups in by_side]) for name in names]
    if by != "length":
        rows.sort(key=lambda row: (row.name == NO_EDIT, -_size(row, sides)))
    if everything or len(rows) <= SHOWN + 1:
        return rows
    shown = [row for row in rows if row.name != NO_EDIT][:SHOWN]
    rest = [row for row in rows if row not in shown and row.name != NO_EDIT]
    summed = GroupRow(
        OTHERS,
        f"{len(rest)} other groups",
        (sum(row.edits[0] for row in rest), sum(row.edits[1] for row in rest)),
        tuple(tuple(group for row in rest for group in row.groups[side]) for side in range(len(by_side))),
    )
    return [*shown, summed, *(row for row in rows if row.name == NO_EDIT)]


def _row(groups: Sequence[Sequence[Group]]) -> GroupRow:
    some = next(group for each in groups for group in each)
    edits = next((group.edits for each in groups for group in each if any(group.edits)), (0, 0))
    return GroupRow(some.name, some.label, edits, tuple(map(tuple, groups)))


def _size(row: GroupRow, sides: Sequence[GapSide]) -> float:
    return max(
        abs(amount(row.contribution(place), side.gap, "deviations")) for place, side in enumerate(sides) if side.edits
    )


def gap_table(
    sides: Sequence[GapSide], rows: Sequence[GroupRow], by: By, unit: Unit, chosen: tuple[str, str] = ("", "")
) -> str:
    """Return the table as HTML, whose rows and bars can be clicked.

    Args:
        sides: The sides that are split into edits.
        rows: The groups.
        by: What edits are grouped by.
        unit: What the numbers are in. Bars of points are as long as in standard deviations.
        chosen: The group and the side that are marked.
    """
    drawn: Unit = "deviations" if unit == "points" else unit
    lengths = [
        abs(amount(row.contribution(place), side.gap, drawn)) for row in rows for place, side in enumerate(sides)
    ]
    longest = max(lengths, default=0.0) or 1.0
    first, second = sides[0].gap.systems
    head = "".join(_side_head(side.gap, ROOM // len(sides)) for side in sides)
    body = "".join(_group(row, sides, unit, drawn, longest, chosen) for row in rows)
    feet = _foot("sum = the gap, exactly", None, sides, [side.gap.gap for side in sides], unit)
    feet += _match_feet(sides, unit) if by != "fate" else ""
    return (
        "<table class='lens-table lens-gap'><thead><tr>"
        f"<th scope=col>{HEADS[by]}</th><th scope=col class=n>edits {escape(first)}</th>"
        f"<th scope=col class=n>edits {escape(second)}</th>{head}</tr></thead><tbody>{body}</tbody>"
        f"<tfoot>{feet}</tfoot></table>"
    )


def _match_feet(sides: Sequence[GapSide], unit: Unit) -> str:
    """Rows on the edits that match a reference and on all others, of which the verdict speaks; none without fates."""
    split = [by_match(side.edits) for side in sides if side.edits]
    feet = ""
    for place, name in enumerate((MATCHING, NOT_MATCHING)):
        groups = [each[place] for each in split]
        if not all(groups):
            return ""
        counts = (sum(group.edits[0] for group in groups[0]), sum(group.edits[1] for group in groups[0]))
        feet += _foot(name, counts, sides, [sum(group.contribution for group in each) for each in groups], unit)
    return feet


def _foot(
    name: str, edits: tuple[int, int] | None, sides: Sequence[GapSide], values: Sequence[float], unit: Unit
) -> str:
    """A row below the groups: numbers without bars."""
    cells = "".join(
        f"<td data-side='{escape(side.gap.name, quote=True)}'><span class=lens-sum>"
        f"{amount_text(value, side.gap, unit)}</span></td>"
        for value, side in zip(values, sides, strict=True)
    )
    part = "" if edits is None else " class=part"
    return f"<tr{part}><th scope=row>{name}</th>{_counts(edits, sides[0].gap.systems)}{cells}</tr>"


def _counts(edits: tuple[int, int] | None, systems: tuple[str, str]) -> str:
    """The edits of each system; a narrow screen, which shows no heads, names the systems beside them."""
    if edits is None:
        return "<td></td><td></td>"
    return "".join(
        f"<td class=n data-system='{escape(system, quote=True)}'>{count:,}</td>"
        for system, count in zip(systems, edits, strict=True)
    )


def _side_head(gap: Gap, width: int) -> str:
    told = (
        f"{gap.label}: {gap.systems[0]} {points(gap.scores[0], gap)}, {gap.systems[1]} {points(gap.scores[1], gap)}. "
        f"{gap.signature}"
    )
    wins = "" if gap.votes is None else ", wins less losses"
    return (
        f"<th scope=col class=side style='width:{width}%' title='{escape(told, quote=True)}'>{escape(gap.label)}"
        f"<span class=score>gap {points(gap.gap, gap, sign=True)}{wins}</span></th>"
    )


def _group(
    row: GroupRow, sides: Sequence[GapSide], unit: Unit, drawn: Unit, longest: float, chosen: tuple[str, str]
) -> str:
    cells = "".join(
        _lane(row, place, side.gap, unit, amount(row.contribution(place), side.gap, drawn) / longest, chosen)
        for place, side in enumerate(sides)
    )
    code = f" <small>{escape(row.name)}</small>" if row.groups and row.name != row.label and _has_code(row) else ""
    name = f"{escape(row.label)}{code}"
    if row.name != NO_EDIT:
        name = f"<button type=button class=lens-name {pick(row.name + BETWEEN)}>{name}</button>"
    mark = " class=marked" if row.name == chosen[0] else ""
    return f"<tr{mark}><th scope=row>{name}</th>{_counts(row.edits, sides[0].gap.systems)}{cells}</tr>"


def _has_code(row: GroupRow) -> bool:
    """Whether the name of the group says something beside its label."""
    groups = [group for each in row.groups for group in each]
    return row.name not in (OTHERS, NO_EDIT) and groups[0].by in ("type", "operation")


def _lane(row: GroupRow, place: int, gap: Gap, unit: Unit, share: float, chosen: tuple[str, str]) -> str:
    """One bar, on the right for the first system; its number is on the other side of the axis."""
    value = row.contribution(place)
    text = amount_text(value, gap, unit)
    name = escape(gap.name, quote=True)
    if not row.groups[place]:
        return f"<td data-side='{name}'></td>"
    kind = "for" if value >= 0 else "against"
    bar = f"<span class='bar {kind}' style='width:{46 * min(abs(share), 1):.2f}%'></span>"
    inside = f"{bar}<span class='lab {kind}'>{text}</span>"
    told = escape(f"{gap.name}, {row.label}: {_told(row, place, gap)}", quote=True)
    if row.name == NO_EDIT:
        return f"<td data-side='{name}'><span class=lens-lane title='{told}'>{inside}</span></td>"
    pressed = " aria-pressed=true" if chosen == (row.name, gap.side) else ""
    return (
        f"<td data-side='{name}'><button type=button class=lens-lane{pressed} title='{told}' "
        f"{pick(row.name + BETWEEN + gap.side)}>{inside}</button></td>"
    )


def _told(row: GroupRow, place: int, gap: Gap) -> str:
    """All that is known of a bar: points, deviations, share, what each system's edits contribute, and its error."""
    value = row.contribution(place)
    parts = [sum(group.parts[system] for group in row.groups[place]) for system in (0, 1)]
    told = f"{points(value, gap, sign=True)} points"
    if gap.spread:
        told += f", {signed(value / gap.spread, 2)} standard deviations"
    if gap.gap:
        told += f", {share_text(value / gap.gap)} of the gap"
    if any(parts):
        told += f"; edits of {gap.systems[0]} {points(parts[0], gap, sign=True)}, of {gap.systems[1]} "
        told += points(parts[1], gap, sign=True)
    error = sum(group.error**2 for group in row.groups[place]) ** 0.5
    return f"{told}; standard error {error:.1g}" if error else told
