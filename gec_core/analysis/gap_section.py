"""Why a system and its rival score differently: the groups of edits that make the gap, under every metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gec_core.analysis.analysis import Analysis
from gec_core.analysis.document import Section, SectionTable, TableColumn, paragraph
from gec_core.analysis.system_sections import NO_RIVAL
from gec_core.meta.gap import GapSide
from gec_core.meta.gap_words import verdict

NOT_SPLIT = (
    "The credits of edits are not known. The page Why, or the command `why`, computes them; after that, this section "
    "has them."
)


def why(found: Analysis) -> Section:
    """The gap between the system and its rival by error type, under every metric whose credits are known."""
    if found.rival is None:
        return Section("why", missing=NO_RIVAL)
    sides = [side for side in found.sides if side.edits]
    if not sides:
        return Section("why", missing=NOT_SPLIT)
    groups = [{group.name: group for group in side.edits.groups("type")} for side in sides if side.edits]
    names = sorted(
        dict.fromkeys(name for each in groups for name in each),
        key=lambda name: -max(_size(side, each, name) for side, each in zip(sides, groups, strict=True)),
    )
    rows: list[tuple[Any, ...]] = []
    for name in names:
        some = next(each[name] for each in groups if name in each)
        values = [each[name].contribution if name in each else 0.0 for each in groups]
        rows.append((f"{some.label} ({name})" if some.label != name else name, *some.edits, *values))
    edits = [sum(row[place] for row in rows) for place in (1, 2)]
    rows.append(("sum: the gap", *edits, *(side.gap.gap for side in sides)))
    columns = (
        TableColumn("error type"),
        TableColumn(f"edits of {found.system}", "count"),
        TableColumn(f"edits of {found.rival}", "count"),
        *(TableColumn(side.gap.name, "signed") for side in sides),
    )
    words = verdict([(side.gap, side.edits) for side in sides[:2]], "type")
    return Section(
        "why",
        prose=(
            paragraph(
                "What the edits of {system} and {rival} contribute to the difference of their scores, by error type. "
                "Above 0 speaks for {system}, below for {rival}; each column sums to the difference exactly.",
                system=found.system,
                rival=found.rival,
            ),
            paragraph("{words}", words=" ".join(words)),
        ),
        tables=(SectionTable("why", columns, tuple(rows)),),
        data={"gap-groups": [row for side in sides for row in _numbers(side)]},
    )


def _size(side: GapSide, groups: Mapping[str, Any], name: str) -> float:
    return abs(groups[name].contribution) / (side.gap.spread or 1.0) if name in groups else 0.0


def _numbers(side: GapSide) -> list[dict[str, Any]]:
    """The groups of a side, for the file of numbers."""
    assert side.edits is not None
    return [
        {
            "metric": side.gap.side,
            "group": group.name,
            "contribution": group.contribution,
            "edits_of_system": group.edits[0],
            "edits_of_rival": group.edits[1],
        }
        for group in side.edits.groups("type")
    ]
