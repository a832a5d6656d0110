"""`types`: precision and recall of systems by error type."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from gec_core.cli.inputs import add_corpus, corpus_from
from gec_core.cli.output import add_format, group, print_json, print_rows, tell
from gec_core.cli.scoring import add_scoring, scoring_with

MIXED = (
    "Gold edits have types of another scheme than ERRANT's, which outputs have: the wrong edits of a type stand apart "
    "from the correct and missed ones, so that precision and recall by type mean nothing. Use --references auto."
)
COLUMNS = ("system", "type", "tp", "fp", "fn", "p", "r", "f")


def add(commands: Any) -> None:
    command = commands.add_parser(
        "types",
        help="count errors by ERRANT type",
        description="Count errors by ERRANT type. As in ERRANT, precision is 1 for types of which a system made no "
        "edit, and recall is 1 for types of which the annotator has none.",
        allow_abbrev=False,
    )
    add_corpus(command)
    options = group(command, "error types")
    options.add_argument(
        "--level",
        choices=["type", "group", "operation"],
        default="type",
        help="R:NOUN:NUM (type, the default), NOUN:NUM (group), or R (operation)",
    )
    options.add_argument(
        "--references",
        choices=["auto", "gold"],
        default="auto",
        help="gold edits: the references as ERRANT annotates them (auto, the default), or as people did (gold)",
    )
    options.add_argument("--beta", metavar="B", default="0.5", help="weight of recall in F (default: %(default)s)")
    options.add_argument(
        "--difficulty",
        action="store_true",
        help="instead: how few of the systems correct the errors of each type (GoToScorer's weights)",
    )
    add_scoring(command)
    add_format(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    if given.difficulty:
        _print_difficulty(given)
        return
    from gec_core.meta.error_types import errors_by_type, gold_has_errant_types
    from gec_core.metrics.errant import Errant

    metric = Errant(Errant.Options.parse({"references": given.references, "beta": given.beta}, owner="errant"))
    corpus = corpus_from(given)
    with scoring_with(given) as how:
        found = errors_by_type(corpus, metric, given.level, **how)
    rows = [
        {
            "system": system,
            "type": type_,
            "tp": counts.tp,
            "fp": counts.fp,
            "fn": counts.fn,
            "p": counts.p,
            "r": counts.r,
            "f": counts.f(metric.options.beta),
        }
        for system, types in found.items()
        for type_, counts in types.items()
    ]
    mixed = given.references == "gold" and corpus.has_texts and not gold_has_errant_types(corpus)
    if given.format == "json":
        head = {"corpus": corpus.name, "fingerprint": corpus.fingerprint, "signature": metric.signature}
        print_json(head | ({"note": MIXED} if mixed else {}) | {"rows": rows})
        return
    if mixed and given.format != "table":
        tell(MIXED)
    print_rows(rows, COLUMNS, given.format)
    if given.format == "table":
        print(f"\n{corpus.name} ({corpus.fingerprint})\n  {metric.signature}")
        if mixed:
            print(f"  {MIXED}")


def _print_difficulty(given: argparse.Namespace) -> None:
    from gec_core.meta.error_types import difficulty_by_type
    from gec_core.metrics.gotoscorer import GoToScorer

    metric = GoToScorer(GoToScorer.Options.parse({"references": given.references}, owner="gotoscorer"))
    corpus = corpus_from(given)
    with scoring_with(given) as how:
        found = difficulty_by_type(corpus, metric, given.level, **how)
    rows = [asdict(each) for each in found]
    if given.format == "json":
        head = {"corpus": corpus.name, "fingerprint": corpus.fingerprint, "signature": metric.signature}
        print_json(head | {"rows": rows})
        return
    print_rows(rows, ("type", "mean", "deviation", "count"), given.format)
    if given.format == "table":
        print(f"\n{corpus.name} ({corpus.fingerprint})\n  {metric.signature}")
