"""`disagree`: find outputs that two metrics, or a metric and people, order in opposite ways."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import add_corpus, corpus_from, whole_number
from gec_core.cli.output import SENTENCES_FROM_0, add_format, group, print_json, print_rows
from gec_core.cli.scoring import add_imports, add_scoring, imported_from, metrics_from, storing_with, table_from
from gec_core.errors import OptionError, ScoreError
from gec_core.formatting import parse_names

if TYPE_CHECKING:
    from gec_core.meta.disagreement import Disagreements, Tie
    from gec_core.meta.disagreement_counts import DisagreementCount
    from gec_core.metrics.base import Metric
    from gec_core.types import Corpus

JUDGES = "judges"
COLUMNS = ["sentence", "better_by_a", "better_by_b", "strength", "difference_a", "difference_b"]
SCORES = ["score_a_better", "score_a_worse", "score_b_better", "score_b_worse"]
TIED: dict[str | None, Tie] = {"a": "first", "b": "second"}
SHOWN = 5
"""How many lines each summary below a table has."""


def add(commands: Any) -> None:
    command = commands.add_parser(
        "disagree", help="find outputs that two metrics, or a metric and people, order oppositely", allow_abbrev=False
    )
    add_corpus(command)
    sides = group(command, "metrics")
    sides.add_argument("--a", metavar="ID", required=True, help="a metric (`metrics` lists them), or `judges`")
    sides.add_argument("--b", metavar="ID", required=True, help="another metric, or `judges`")
    sides.add_argument(
        "--option", metavar="ID.KEY=VALUE", action="append", default=[], help="an option of a metric, such as m2.beta=1"
    )
    add_imports(command)
    filters = group(command, "which disagreements")
    filters.add_argument(
        "--top", metavar="N", type=whole_number, default=20, help="list the N strongest (default: %(default)s)"
    )
    filters.add_argument("--shortest", metavar="N", type=whole_number, help="only sources of at least N tokens")
    filters.add_argument("--longest", metavar="N", type=whole_number, help="only sources of at most N tokens")
    filters.add_argument("--unanimous", action="store_true", help="only where all judges of the two outputs agree")
    filters.add_argument(
        "--type",
        metavar="T",
        help="only where the outputs differ in edits of this ERRANT type (M:DET; or DET for M:DET, R:DET and U:DET)",
    )
    filters.add_argument("--tied", choices=["a", "b"], help="instead list pairs that only this side scores equally")
    filters.add_argument("--by-type", action="store_true", help="also count disagreements by ERRANT type")
    add_scoring(command)
    add_format(command, note="sentences are counted from 0")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    sides = [given.a, given.b]
    if given.a == given.b:
        raise OptionError(f"--a {given.a} --b {given.b}: name two different metrics, or a metric and `{JUDGES}`.")
    # Strengths are computed among all systems, so --systems is a filter here.
    corpus = corpus_from(argparse.Namespace(**{**vars(given), "systems": []}))
    metrics = _metrics(given)
    found = _find(given, corpus, metrics).where(
        systems=parse_names(*given.systems) if given.systems else None,
        shortest=given.shortest,
        longest=given.longest,
        type=given.type,
        unanimous=given.unanimous,
        tied=TIED.get(given.tied),
    )
    rows = [each.as_dict() for each in found.top(given.top)]
    if given.format == "json":
        about: dict[str, Any] = {"corpus": corpus.name, "fingerprint": corpus.fingerprint}
        about |= {side: _about(id, metrics) for side, id in zip("ab", sides, strict=True)}
        print_json(about | {"counts": asdict(found.order), "rows": rows} | _summaries(found))
    elif given.format == "tsv":
        print_rows(rows, [*COLUMNS, *SCORES], "tsv")
    else:
        _print_table(found, rows)


def _metrics(given: argparse.Namespace) -> dict[str, Metric]:
    """The metrics among the two sides, by id."""
    sides = [side for side in (given.a, given.b) if side != JUDGES]
    imported: dict[str, Metric] = {metric.id: metric for metric in imported_from(given) if metric.id in sides}
    built_in = [side for side in sides if side not in imported]
    wanted = argparse.Namespace(metric=built_in, option=given.option)
    return imported | ({metric.id: metric for metric in metrics_from(wanted)} if built_in else {})


def _find(given: argparse.Namespace, corpus: Corpus, metrics: dict[str, Metric]) -> Disagreements:
    from gec_core.api.evaluation import disagreements
    from gec_core.api.results import Results

    table = table_from(given, corpus, list(metrics.values()))
    if table.problems:
        raise ScoreError("One of the two sides has no scores, so there is nothing to compare.")
    with storing_with(given) as how:
        by_type = bool(given.type or given.by_type)
        return disagreements(Results(corpus, table), given.a, given.b, by_type=by_type, **how)


def _about(id: str, metrics: dict[str, Metric]) -> dict[str, Any]:
    return {"metric": id, "signature": metrics[id].signature if id in metrics else None}


def _summaries(found: Disagreements) -> dict[str, Any]:
    from gec_core.meta import disagreement_counts as tallies

    return {
        "by_system": _tallies(tallies.by_system(found)),
        "by_systems": _tallies(tallies.by_systems(found)),
        "by_type": _tallies(tallies.by_type(found)),
    }


def _tallies(tallies: list[DisagreementCount]) -> list[dict[str, Any]]:
    return [
        {
            "what": " / ".join(each.what),
            "opposed": each.opposed,
            "pairs": each.pairs,
            "share": each.share,
            "for_a": each.for_first,
            "for_b": each.for_second,
        }
        for each in tallies
    ]


def _print_table(found: Disagreements, rows: list[dict[str, Any]]) -> None:
    print_rows(rows, COLUMNS, "table")
    order = found.order
    print(
        f"\na: {found.first.name}, b: {found.second.name}. {SENTENCES_FROM_0}\n"
        f"Of {order.pairs:,} pairs of different outputs they order {order.opposed:,} in opposite ways and "
        f"{order.alike:,} alike; one of them scores {order.one_tied:,} equally, both do so with {order.both_tied:,}."
    )
    if found.sided and any(found.sided):
        first, second, neither = found.sided
        print(
            f"Of those in opposite order that people compared, people agree {first:,} times with a and {second:,} "
            f"times with b; {neither:,} times they see no difference."
        )
    headings = {"by_system": "systems", "by_systems": "pairs of systems", "by_type": "error types"}
    for name, rows in _summaries(found).items():
        if rows:
            print(f"\nMost disputed {headings[name]} (for_a, for_b: how often each side prefers it)")
            print_rows(rows[:SHOWN], ["what", "opposed", "pairs", "share", "for_a", "for_b"], "table")
