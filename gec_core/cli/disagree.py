"""`disagree`: outputs that two metrics, or a metric and the judges, order in opposite ways."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import (
    add_corpus,
    add_imports,
    add_scoring,
    corpus_from,
    imported_from,
    metrics_from,
    storing_with,
    table_from,
    whole_number,
)
from gec_core.cli.output import FORMATS, print_json, print_rows
from gec_core.errors import MissingInput, OptionError, ScoreError
from gec_core.formatting import parse_names

if TYPE_CHECKING:
    from gec_core.meta.disagreement import Disagreement, Disagreements, Tally, Tie
    from gec_core.metrics.base import Metric
    from gec_core.types import Corpus

JUDGES = "judges"
COLUMNS = ["sentence", "better_by_a", "better_by_b", "strength", "difference_a", "difference_b"]
SCORES = ["score_a_better", "score_a_worse", "score_b_better", "score_b_worse"]
TIED: dict[str | None, Tie] = {"a": "first", "b": "second"}
SHOWN = 5
"""Lines of the summaries below a table."""


def add(commands: Any) -> None:
    command = commands.add_parser(
        "disagree", help="find outputs that two metrics, or people, order oppositely", allow_abbrev=False
    )
    add_corpus(command)
    group = command.add_argument_group("who disagrees")
    group.add_argument("--a", metavar="ID", required=True, help="a metric, see `metrics`, or `judges`")
    group.add_argument("--b", metavar="ID", required=True, help="another metric, or `judges`")
    group.add_argument(
        "--option", metavar="ID.KEY=VALUE", action="append", default=[], help="an option of a metric, e.g. m2.beta=1"
    )
    add_imports(command)
    group = command.add_argument_group("which disagreements")
    group.add_argument("--top", metavar="N", type=whole_number, default=20, help="how many (default: %(default)s)")
    group.add_argument("--shortest", metavar="N", type=whole_number, help="only sources of at least N tokens")
    group.add_argument("--longest", metavar="N", type=whole_number, help="only sources of at most N tokens")
    group.add_argument("--unanimous", action="store_true", help="only where all judges of the two outputs agree")
    group.add_argument(
        "--type",
        metavar="T",
        help="only where the outputs differ in an edit of this ERRANT type (M:DET, or DET for all)",
    )
    group.add_argument(
        "--tied", choices=["a", "b"], help="list pairs that this side sets equal and the other one does not, instead"
    )
    group.add_argument("--by-type", action="store_true", help="count disagreements by ERRANT type, too")
    add_scoring(command)
    command.add_argument("--format", choices=FORMATS, default="table")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    sides = [given.a, given.b]
    if given.a == given.b:
        raise OptionError(f"--a {given.a} --b {given.b}: name two different metrics, or a metric and `{JUDGES}`.")
    # Strengths are those among all systems, so --systems is a filter here.
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
    rows = [_row(each) for each in found.top(given.top)]
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
    from gec_core.explain.edits import corpus_edits
    from gec_core.meta.disagreement import disagreements
    from gec_core.meta.sides import of_systems, type_tables

    if JUDGES in (given.a, given.b) and corpus.judgments is None:
        raise MissingInput(f"{corpus.name} has no judgments (judgments.xml or judgments.csv).")
    opinions: dict[str, Any] = {JUDGES: corpus.judgments}
    table = table_from(given, corpus, list(metrics.values()))
    if table.problems:
        raise ScoreError("A side is missing, so there is nothing to compare.")
    with storing_with(given) as how:
        by_type = given.type or given.by_type
        types = type_tables(corpus, corpus_edits(corpus, **how)) if by_type else {}
    common = [name for name in corpus.systems if all(table[id].has_sentences([name]) for id in metrics)]
    if len(common) < 2:
        raise MissingInput(f"{given.a} and {given.b}: there are not two systems of which both have sentence scores.")
    for id in metrics:
        opinions[id] = {system: table[id].sentence_scores(system) for system in common}
    types = of_systems(types, corpus, common)
    return disagreements(corpus.only(common), (given.a, opinions[given.a]), (given.b, opinions[given.b]), types=types)


def _about(id: str, metrics: dict[str, Metric]) -> dict[str, Any]:
    return {"metric": id, "signature": metrics[id].signature if id in metrics else None}


def _row(found: Disagreement) -> dict[str, Any]:
    sides = (("a", found.first), ("b", found.second))
    row: dict[str, Any] = {
        "sentence": found.sentence,
        **{f"better_by_{side}": next(iter(opinion.better), None) for side, opinion in sides},
        "strength": found.strength,
        "outputs": found.outputs,
    }
    for side, opinion in sides:
        row |= {
            f"score_{side}_better": opinion.better_score,
            f"score_{side}_worse": opinion.worse_score,
            f"difference_{side}": opinion.difference,
            f"share_{side}": opinion.share,
            f"votes_{side}": opinion.votes,
            f"systems_{side}": opinion.better,
        }
    judges = found.judges
    return row | {"judges": {"systems": judges.better, "votes": judges.votes} if judges else None}


def _summaries(found: Disagreements) -> dict[str, Any]:
    from gec_core.meta import disagreement as tallies

    return {
        "by_system": _tallies(tallies.by_system(found)),
        "by_systems": _tallies(tallies.by_systems(found)),
        "by_type": _tallies(tallies.by_type(found)),
    }


def _tallies(tallies: list[Tally]) -> list[dict[str, Any]]:
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
        f"\na: {found.first.name}, b: {found.second.name}. Of {order.pairs:,} pairs of different outputs they order "
        f"{order.opposed:,} oppositely and {order.alike:,} alike; {order.one_tied:,} tie for one of them, "
        f"{order.both_tied:,} for both."
    )
    if found.sided and any(found.sided):
        first, second, neither = found.sided
        print(
            f"Of those in opposite order that people compared, they agree {first:,} times with a, {second:,} with b; ",
            end="",
        )
        print(f"{neither:,} times they see no difference.")
    headings = {"by_system": "systems", "by_systems": "pairs of systems", "by_type": "error types"}
    for name, rows in _summaries(found).items():
        if rows:
            print(f"\nMost disputed {headings[name]} (for_a: how often a is for it)")
            print_rows(rows[:SHOWN], ["what", "opposed", "pairs", "share", "for_a", "for_b"], "table")
