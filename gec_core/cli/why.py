"""`why`: why two systems swap, their gap split exactly into sentences, edits and groups of edits."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import (
    add_corpus,
    add_imports,
    add_metrics,
    add_scoring,
    corpus_from,
    metrics_from,
    storing_with,
    table_from,
    tell_problems,
    whole_number,
)
from gec_core.cli.output import add_format, group, print_json
from gec_core.errors import OptionError
from gec_core.formatting import parse_names

if TYPE_CHECKING:
    from gec_core.meta.gap import Comparison
    from gec_core.meta.gap_edits import Group

BY = ("type", "fate", "operation", "length")
SHOWN = 12
"""Groups that the text lists."""


def add(commands: Any) -> None:
    command = commands.add_parser(
        "why", help="split the gap between two systems into sentences and edits", allow_abbrev=False
    )
    add_corpus(command)
    add_metrics(command, required=False)
    add_imports(command)
    split = group(command, "how to split")
    split.add_argument(
        "--human",
        metavar="NAME[,NAME…]",
        action="append",
        default=[],
        help="rankings by people as sides: ew, ts, mean, or a set of judgments (SET, SET:ts)",
    )
    split.add_argument("--by", choices=BY, default="type", help="what edits are grouped by (default: %(default)s)")
    split.add_argument(
        "--level", choices=["sentence", "edit"], default="edit", help="how far to split (default: %(default)s)"
    )
    split.add_argument(
        "--top", metavar="N", type=whole_number, help="list N sentences and edits per side (default: 5; json: all)"
    )
    add_scoring(command)
    add_format(command, ["text", "json"], note="JSON counts sentences from 0, text from 1")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.meta.gap import compare_scored
    from gec_core.meta.gap_sentences import people_gaps

    first, second = _pair(given)
    # Ranks are those among all systems, so --systems names two of them here.
    everything = argparse.Namespace(**{**vars(given), "systems": []})
    corpus = corpus_from(everything)
    rankings = parse_names(*given.human) if given.human else []
    metrics = metrics_from(given) if given.metric or given.scores or not rankings else []
    people, problems = people_gaps(corpus, first, second, rankings)
    columns = table_from(everything, corpus, metrics).columns if metrics else ()
    with storing_with(given) as how:
        found = compare_scored(
            corpus, first, second, columns, people=people, level=given.level, by=given.by, problems=problems, **how
        )
    tell_problems(found.problems)
    if given.format == "json":
        print_json(found.as_json(level=given.level, top=given.top, by=[given.by]))
    else:
        _print_text(found, 5 if given.top is None else given.top)


def _pair(given: argparse.Namespace) -> tuple[str, str]:
    """The two systems that --systems names."""
    names = parse_names(*given.systems) if given.systems else []
    if len(names) != 2:
        raise OptionError(f"--systems {','.join(names) or '…'}: name two systems, for example --systems NTHU,UFC.")
    return names[0], names[1]


def _print_text(found: Comparison, top: int) -> None:
    """A verdict, the groups side by side, the strongest sentences and edits, and what would turn the order around."""
    from gec_core.meta.gap_words import points

    print(" ".join(found.words))
    split = [side for side in found.sides if side.edits]
    for side in found.sides:
        if side.problem:
            print(f"\n{side.gap.label}: {side.problem}")
    if split:
        print()
        _print_groups(found)
    for side in found.sides:
        print(f"\n{side.gap.label}: {_numbered(side.gap.strongest(top))}")
        for line in side.gap.strongest(top):
            print(f"  sentence {line + 1}: {points(float(side.gap.contributions[line]), side.gap, sign=True)}")
    if found.told:
        print("\nWhat would turn the order around (scored again):")
        for text in found.told:
            print(f"  {text}")


def _numbered(lines: list[int]) -> str:
    if not lines:
        return "no sentence contributes"
    these = "sentence that contributes" if len(lines) == 1 else f"{len(lines)} sentences that contribute"
    return f"the {these} most (counted from 1)"


def _print_groups(found: Comparison) -> None:
    """One line per group, one column per side; shares are of each side's own gap."""
    from gec_core.meta.gap_words import signed

    sides = [
        (side.gap, {each.name: each for each in side.edits.groups(found.by)}) for side in found.sides if side.edits
    ]
    size: dict[str, float] = {}
    for gap, groups in sides:
        for name, each in groups.items():
            size[name] = max(size.get(name, 0.0), abs(each.contribution) / (gap.spread or 1.0))
    shown = sorted(size, key=lambda name: -size[name])[:SHOWN]
    first, second = found.systems
    rows = [[found.by, f"edits {first}", f"edits {second}", *(gap.label for gap, _ in sides)]]
    for name in shown:
        some = next(groups[name] for _, groups in sides if name in groups)
        rows.append(
            [name, str(some.edits[0]), str(some.edits[1]), *(_cell(groups.get(name), gap) for gap, groups in sides)]
        )
    left = [[each for name, each in groups.items() if name not in shown] for _, groups in sides]
    if any(left):
        cells = [f"{signed(sum(one.contribution for one in each), 4)}" for each in left]
        rows.append([f"{len(size) - len(shown)} others", "", "", *cells])
    rows.append(["the gap", "", "", *(signed(gap.gap, 4) for gap, _ in sides)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print(
            "  ".join(
                cell.ljust(width) if not column else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
        )


def _cell(found: Group | None, gap: Any) -> str:
    from gec_core.meta.gap_words import signed

    if found is None:
        return "·"
    share = f" ({signed(100 * found.share, 0)}%)" if found.share is not None else ""
    return f"{signed(found.contribution, 4)}{share}"
