"""`reproduce`: compare the published figures of six papers with ours, with a verdict on each."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from gec_core.cli.output import add_format, print_json, print_rows
from gec_core.cli.scoring import add_scoring, scoring_with

if TYPE_CHECKING:
    from gec_core.papers import Reproduction, Row

PAPERS = ("chollampatt2018", "felice2015", "gong2022", "islam2021", "asano2017", "kobayashi2024")
ALL = "all"
COLUMNS = ["paper", "table", "row", "column", "published", "ours", "verdict", "why"]


def add(commands: Any) -> None:
    command = commands.add_parser("reproduce", help="compare published figures with ours", allow_abbrev=False)
    command.add_argument(
        "paper",
        metavar="PAPER",
        nargs="?",
        choices=[*PAPERS, ALL],
        default=ALL,
        help=f"{', '.join(PAPERS)}, or all (the default)",
    )
    command.add_argument(
        "--corpus",
        metavar="DIR|NAME",
        required=True,
        help="CoNLL-2014 (its folder, or the name conll14); seeda for kobayashi2024",
    )
    add_scoring(command)
    add_format(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.corpora.catalogue import located
    from gec_core.papers import reproduce

    with scoring_with(given) as how, located(given.corpus) as folder:
        found = reproduce(given.paper, folder.load(), folder=folder.path, **how)
    if given.format == "json":
        about = {"corpus": found.corpus, "fingerprint": found.fingerprint, "counts": found.counts}
        print_json(about | {"summary": found.summary, "rows": [row.as_dict() for row in found.rows]})
    elif given.format == "tsv":
        print_rows([row.as_dict() | {"published": row.cell.published} for row in found.rows], COLUMNS, "tsv")
        print(found.summary, file=sys.stderr)
    else:
        _print_table(found)


def _print_table(found: Reproduction) -> None:
    """Print one line per figure, then the notes that explain differences, then the counts."""
    causes = dict.fromkeys(row.cause for row in found.rows if row.cause)
    notes = {cause: number for number, cause in enumerate(causes, 1)}
    lines = [
        {
            "paper": row.cell.paper,
            "table": row.cell.table,
            "row": row.cell.row,
            "column": row.cell.column,
            "published": row.cell.published,
            "ours": _like_published(row),
            "verdict": row.verdict,
            "note": f"[{notes[row.cause]}]" if row.cause else "",
        }
        for row in found.rows
    ]
    print_rows(lines, [*COLUMNS[:-1], "note"], "table")
    print()
    for cause, number in notes.items():
        print(f"[{number}] {cause}")
    print(f"\n{found.summary}")


def _like_published(row: Row) -> str:
    """Our value with as many decimals as the published one."""
    from gec_core.papers.rows import decimals

    if row.ours is None:
        return "–"
    if not isinstance(row.ours, float):
        return str(row.ours)
    digits = decimals(row.cell.published)
    return f"{row.ours:.{digits or 3}f}" if digits or not row.ours.is_integer() else f"{row.ours:.0f}"
