"""`why`: why two systems swap, their gap split exactly into sentences, edits and groups of edits."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import add_corpus, corpus_from, whole_number
from gec_core.cli.output import add_format, group, print_json, tell
from gec_core.cli.scoring import (
    add_imports,
    add_metrics,
    add_scoring,
    metrics_from,
    storing_with,
    table_from,
    tell_problems,
)
from gec_core.errors import OptionError
from gec_core.formatting import duration, parse_names

if TYPE_CHECKING:
    from gec_core.meta.edit_fates import MadeEdit
    from gec_core.meta.gap import Comparison
    from gec_core.meta.gap_edits import EditGap, Group
    from gec_core.types import Progress

BY = ("type", "fate", "operation", "length")
SHOWN = 12
"""Groups that the text lists."""
LONG = 30.0
"""Seconds that are worth a warning before they are spent."""
MEASURED = 2.0
"""Seconds by which those that are left are estimated."""


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
        help="people as a side: wins less losses in their comparisons of the two, with the ranks of ew or ts; mean for "
        "ratings; or a set of judgments (SET, SET:ts)",
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
        if given.level == "edit":
            how["on_progress"] = _warning_of_length(how["on_progress"])
        found = compare_scored(
            corpus, first, second, columns, people=people, level=given.level, by=given.by, problems=problems, **how
        )
    tell_problems(found.problems)
    if given.format == "json":
        print_json(found.as_json(level=given.level, top=given.top, by=[given.by]))
    else:
        _print_text(found, 5 if given.top is None else given.top)


def _warning_of_length(on_progress: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """The callback, which also tells once of each metric that it will take long, by the rate of the last seconds.

    The rate of the whole run would not do: a model is loaded first, and what was read before is known at once.
    """
    began: dict[str, Progress] = {}
    told: set[str] = set()

    def follow(progress: Progress) -> None:
        on_progress(progress)
        what, left = progress.what, progress.total - progress.done
        before = began.setdefault(what, progress)
        seconds, done = progress.seconds - before.seconds, progress.done - before.done
        if what in told or seconds < MEASURED:
            return
        began[what] = progress
        if done > 0 and left * seconds / done > LONG:
            told.add(what)
            takes = duration(left * seconds / done)
            tell(f"{what}: {left:,} texts are still to be read, which takes about {takes}. --level sentence spares it.")

    return follow


def _pair(given: argparse.Namespace) -> tuple[str, str]:
    """The two systems that --systems names."""
    names = parse_names(*given.systems) if given.systems else []
    if len(names) != 2:
        raise OptionError(f"--systems {','.join(names) or '…'}: name two systems of the corpus, as in --systems A,B.")
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
        strongest = side.gap.strongest(top)
        print(f"\n{side.gap.label}: {_strongest(len(strongest), 'sentence')} (counted from 1)")
        for line in strongest:
            print(f"  sentence {line + 1}: {points(float(side.gap.contributions[line]), side.gap, sign=True)}")
        if side.edits and (edits := side.edits.strongest(top)):
            print(f"{side.gap.label}: {_strongest(len(edits), 'edit')}")
            for index in edits:
                worth = points(float(side.edits.contributions[index]), side.gap, sign=True)
                if error := float(side.edits.errors[index]):
                    worth += f" ± {points(error, side.gap)}"
                print(f"  {_edit(found, side.edits.edits.made[index])}: {worth}")
    if found.told:
        print("\nWhat would turn the order around (scored again; --format json lists the sentences):")
        for text in found.told:
            print(f"  {text}")


def _strongest(count: int, what: str) -> str:
    if not count:
        return f"no {what} contributes"
    return f"the {what} that contributes most" if count == 1 else f"the {count} {what}s that contribute most"


def _edit(found: Comparison, made: MadeEdit) -> str:
    """An edit on one line: where it is, what it changes as far as the texts are here, its type and fate."""
    from gec_core.meta.edit_fates import FATES

    (system, line), edit = made.place, made.edit
    place = f"sentence {line + 1}, {system}, "
    if found.corpus.has_texts and edit.correction is not None:
        place += f"“{' '.join(found.corpus.sentences[line].tokens[edit.start : edit.end])}” → “{edit.correction}”"
    else:
        place += f"before token {edit.start + 1}" if edit.start == edit.end else f"tokens {edit.start + 1}–{edit.end}"
    return f"{place} ({', '.join(filter(None, [edit.type, FATES[made.fate]]))})"


def _print_groups(found: Comparison) -> None:
    """One line per group, one column per side, with shares of each side's own gap."""
    from gec_core.meta.gap_words import points, signed

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
        label = name if found.by == "type" else some.label
        rows.append([label, str(some.edits[0]), str(some.edits[1]), *(_cell(groups.get(name)) for _, groups in sides)])
    left = [[each for name, each in groups.items() if name not in shown] for _, groups in sides]
    if any(left):
        cells = [f"{signed(sum(one.contribution for one in each), 4)}" for each in left]
        rows.append([f"{len(size) - len(shown)} others", "", "", *cells])
    rows.append(["the gap", "", "", *(signed(gap.gap, 4) for gap, _ in sides)])
    if found.by != "fate":
        rows += _by_match([side.edits for side in found.sides if side.edits])
    rows.append(["standard deviation over systems", "", "", *(points(gap.spread, gap) for gap, _ in sides)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print(
            "  ".join(
                cell.ljust(width) if not column else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
        )
    if any(gap.gap for gap, _ in sides):
        print("In brackets: shares of each side's own gap. They sum to 100%; a negative one speaks against that gap.")
    for gap, groups in sides:
        if error := max(each.error for each in groups.values()):
            print(
                f"{gap.name}: some outputs have too many edits for all orders of making them, so orders were drawn. "
                f"The standard error of a number above is at most {error:.1g}."
            )


def _by_match(split: list[EditGap]) -> list[list[str]]:
    """Rows on the edits that match a reference and on all others, of which the verdict speaks; none without fates."""
    from gec_core.meta.gap_words import MATCHING, NOT_MATCHING, by_match, share_text, signed

    rows = []
    for place, name in enumerate((MATCHING, NOT_MATCHING)):
        groups = [by_match(each)[place] for each in split]
        if not groups[0]:
            return []
        counts = [str(sum(group.edits[system] for group in groups[0])) for system in (0, 1)]
        totals = [sum(group.contribution for group in each) for each in groups]
        cells = [
            signed(total, 4) + (f" ({share_text(total / each.gap.gap)})" if each.gap.gap else "")
            for total, each in zip(totals, split, strict=True)
        ]
        rows.append([name, *counts, *cells])
    return rows


def _cell(found: Group | None) -> str:
    from gec_core.meta.gap_words import share_text, signed

    if found is None:
        return "·"
    share = f" ({share_text(found.share)})" if found.share is not None else ""
    return f"{signed(found.contribution, 4)}{share}"
