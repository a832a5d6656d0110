"""`stress`: try to break metrics with changes whose true effect is known."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import add_corpus, corpus_from, number_from_0, whole_number
from gec_core.cli.output import add_format, group, print_json, print_rows
from gec_core.cli.scoring import (
    LEFT_OUT,
    add_imports,
    add_metrics,
    add_store,
    metrics_from,
    storing_with,
    tell_problems,
)
from gec_core.errors import OptionError
from gec_core.formatting import parse_names

if TYPE_CHECKING:
    from gec_core.meta.stress import StressResult
    from gec_core.metrics.base import Metric
    from gec_core.types import Corpus

COLUMNS = ["metric", "kind", "should", "cases", "right", "unmoved", "change"]


def add(commands: Any) -> None:
    command = commands.add_parser(
        "stress",
        help="try to break metrics",
        description="Change texts in ways whose true effect is known (a right edit undone, a word repeated, a negation "
        "added, …), and count how often the score of a metric moves the right way. Without --metric: all metrics that "
        "can run here and cost nothing.",
        allow_abbrev=False,
    )
    add_corpus(command)
    add_metrics(command, required=False)
    add_imports(command)
    add_store(command)
    options = group(command, "changes")
    options.add_argument("--kinds", metavar="A,B", help="only these kinds of change (default: all; --list shows them)")
    options.add_argument("--list", action="store_true", help="list the kinds of change and stop")
    options.add_argument(
        "--each", metavar="N", type=whole_number, default=100, help="the most cases of a kind (default: 100)"
    )
    options.add_argument("--seed", metavar="S", type=number_from_0, default=0, help="of the draw of cases")
    options.add_argument(
        "--examples", metavar="N", type=number_from_0, default=0, help="also print up to N failures of each kind"
    )
    add_format(command, ("table", "json", "tsv", "markdown"))
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.meta.stress import stress
    from gec_core.meta.stress_cases import KINDS

    if given.list:
        rows = [{"kind": kind, "should": effect, "change": change} for kind, (effect, change) in KINDS.items()]
        print_rows(rows, ["kind", "should", "change"], "tsv" if given.format == "tsv" else "table")
        return
    kinds = parse_names(given.kinds or "") or list(KINDS)
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise OptionError(f"--kinds {', '.join(unknown)}: there are {', '.join(KINDS)}.")
    asked = metrics_from(given) if given.metric or given.scores else []
    corpus = corpus_from(given)
    with storing_with(given) as how:
        found = stress(corpus, asked or _usual(corpus), each=given.each, seed=given.seed, kinds=kinds, **how)
    tell_problems(found.problems)
    if found.problems and asked:
        given.exit_code = LEFT_OUT
    _print(given, found, kinds)


def _usual(corpus: Corpus) -> list[Metric]:
    """The metrics that can run on this corpus here, without what costs money."""
    from gec_core.metrics import registry

    made = [cls() for cls in registry().values()]
    return [metric for metric in made if not metric.paid and not metric.obstacle(corpus.sentences[0])]


def _print(given: argparse.Namespace, found: StressResult, kinds: list[str]) -> None:
    rows = [row for card in found.cards for row in card.rows()]
    if given.format == "json":
        cards = [
            {"metric": card.metric, "signature": card.signature, "mean": card.mean, "rows": card.rows()}
            | {"failures": _failures(card.kinds, given.examples)}
            for card in found.cards
        ]
        print_json({"corpus": found.corpus, "fingerprint": found.fingerprint, "seed": given.seed, "cards": cards})
    elif given.format == "tsv":
        print_rows(rows, COLUMNS, "tsv")
    else:
        table = [{name: _share(value) for name, value in row.items()} for row in found.table()]
        columns = ["metric", "mean", *kinds]
        if given.format == "markdown":
            print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
            for row in table:
                print(f"| `{row['metric']}` | {' | '.join(str(row.get(name, '')) for name in columns[1:])} |")
        else:
            print_rows(table, columns, "table")
            print(f"\n{found.corpus} ({found.fingerprint}), seed {given.seed}: share of cases that move the right way;")
            print("–: no case. `stress --list` says what the kinds are.")
        for card in found.cards if given.examples and given.format == "table" else ():
            for failure in _failures(card.kinds, given.examples):
                print(
                    f"\n{card.metric}, {failure['kind']}: {failure['before_score']:.4f} → {failure['after_score']:.4f}"
                )
                print(f"  before: {failure['before']}\n  after:  {failure['after']}")


def _failures(kinds: Any, most: int) -> list[dict[str, Any]]:
    return [
        {
            "kind": result.kind,
            "sentence": each.case.line,
            "before": each.case.before,
            "after": each.case.after,
            "before_score": each.before,
            "after_score": each.after,
        }
        for result in kinds
        for each in result.failures()[:most]
    ]


def _share(value: object) -> object:
    """A share with two decimals, a dash where there is none."""
    return value if isinstance(value, str) else "–" if value is None else f"{value:.2f}"
