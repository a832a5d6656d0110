"""`rank`: rank systems by metrics beside people, and show which are ranked too high or too low."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gec_core.cli.human import add_ranking, ranking_from, tell_mismatch
from gec_core.cli.inputs import add_corpus, corpus_from
from gec_core.cli.output import add_format, print_json, print_rows
from gec_core.cli.scoring import add_aggregate, add_imports, add_metrics, add_scoring, metrics_from, table_from
from gec_core.errors import ScoreError

if TYPE_CHECKING:
    from gec_core.human import Ranking
    from gec_core.meta.agreement import RankDifferences


def add(commands: Any) -> None:
    command = commands.add_parser("rank", help="compare the rankings of metrics with people's", allow_abbrev=False)
    add_corpus(command)
    add_metrics(command)
    add_imports(command)
    add_aggregate(command)
    add_ranking(command, "--human")
    add_scoring(command)
    add_format(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.meta import rank_differences

    metrics = metrics_from(given)
    corpus = corpus_from(given)
    human = ranking_from(given, corpus)
    table = table_from(given, corpus, metrics)
    differences = {column.metric.id: rank_differences(column.values, human.scores) for column in table.columns}
    tell_mismatch(given, corpus, human)
    if not any(found.rows for found in differences.values()):
        raise ScoreError(f"{corpus.name} and the human ranking {human.method} have no system in common.")
    if given.format == "table":
        _print_table(differences, human)
        return
    rows = [
        {
            "metric": metric,
            "system": row.system,
            "rank": row.metric_rank,
            "human_rank": row.human_ranks[0],
            "arrow": row.arrow,
            "score": table[metric].values[row.system],
        }
        for metric, found in differences.items()
        for row in found.rows
    ]
    if given.format == "tsv":
        print_rows(rows, ["metric", "system", "rank", "human_rank", "arrow", "score"], "tsv")
        return
    print_json(
        {
            "corpus": corpus.name,
            "fingerprint": corpus.fingerprint,
            "human": human.method,
            "rows": rows,
            "sums": {metric: found.total for metric, found in differences.items()},
        }
    )


def _print_table(differences: dict[str, RankDifferences], human: Ranking) -> None:
    """Print one line per rank and one column per metric, each system with its distance from people's rank."""
    ranked = {row.system for found in differences.values() for row in found.rows}
    by_people = [system for system in human.systems if system in ranked]
    lines: list[dict[str, Any]] = [
        {"rank": str(place), human.method: system} for place, system in enumerate(by_people, 1)
    ]
    for metric, found in differences.items():
        for line, row in zip(lines, found.rows, strict=False):  # imported scores may lack systems
            line[metric] = f"{row.system} {row.arrow}"
    sums = {"rank": "sum"} | {metric: str(found.total) for metric, found in differences.items()}
    print_rows([*lines, sums], ["rank", *differences, human.method], "table")
