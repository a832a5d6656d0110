"""`score`: score systems under metrics, for the whole corpus or sentence by sentence."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import add_corpus, corpus_from
from gec_core.cli.output import SENTENCES_FROM_0, add_format, group, print_json, print_rows
from gec_core.cli.scoring import add_imports, add_metrics, add_scoring, metrics_from, on_sentences, table_from

if TYPE_CHECKING:
    from gec_core.metrics.base import Metric
    from gec_core.scoring.table import ScoreTable
    from gec_core.types import Corpus


def add(commands: Any) -> None:
    command = commands.add_parser("score", help="score systems under metrics", allow_abbrev=False)
    add_corpus(command)
    add_metrics(command)
    add_imports(command)
    add_scoring(command)
    group(command, "output").add_argument(
        "--level", choices=["system", "sentence"], default="system", help="one score per system (default) or sentence"
    )
    group(command, "computation").add_argument(
        "--dry-run", action="store_true", help="compute and send nothing; say how many outputs are new, and the cost"
    )
    add_format(command, note="sentences are counted from 0")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    metrics = metrics_from(given)
    corpus = corpus_from(given)
    if given.dry_run:
        _print_outlay(given, corpus, metrics)
        return
    table = table_from(given, corpus, metrics)
    if given.level == "sentence":
        table = on_sentences(table, corpus.systems)
    rows = _system_rows(table) if given.level == "system" else _sentence_rows(table)
    if given.format == "json":
        noted = {"notes": corpus.noted()} if corpus.noted() else {}
        print_json({"corpus": table.corpus, "fingerprint": table.fingerprint, **noted, "rows": rows})
    elif given.format == "tsv":
        sentence = ["sentence"] if given.level == "sentence" else []
        last = ["note"] if corpus.noted() else []
        rows = [row | {"note": " ".join(corpus.noted([row["system"]]))} for row in rows] if last else rows
        print_rows(rows, ["system", "metric", *sentence, "score", "signature", *last], "tsv")
    else:
        marked = [row | {"system": f"{row['system']}{corpus.mark(row['system'])}"} for row in rows]
        _print_table(table, marked, given.level)
        for note in corpus.noted():
            print(f"  {note}")


def _print_outlay(given: argparse.Namespace, corpus: Corpus, metrics: list[Metric]) -> None:
    """Print what scoring would take: outputs that are new, an estimate of seconds, costs in words."""
    from gec_core.scoring import missing_pairs
    from gec_core.store import Store

    store = None if given.no_store else Store()
    rows = []
    for metric in metrics:
        new = missing_pairs(corpus, metric, store)
        rows.append({"metric": metric.id, "new_outputs": len(new), "seconds": round(len(new) * metric.pace, 1)})
        rows[-1]["costs"] = metric.costs(new, store) if new and corpus.has_texts else ""
    if given.format == "json":
        print_json({"corpus": corpus.name, "rows": rows})
    else:
        print_rows(rows, ["metric", "new_outputs", "seconds", "costs"], given.format)


def _system_rows(table: ScoreTable) -> list[dict[str, Any]]:
    return [
        {
            "system": system,
            "metric": column.metric.id,
            "signature": column.metric.signature,
            "score": scored.score.value,
            "details": scored.score.details,
        }
        for column in table.columns
        for system, scored in column.systems.items()
    ]


def _sentence_rows(table: ScoreTable) -> list[dict[str, Any]]:
    rows = []
    for column in table.columns:
        for system, scored in column.systems.items():
            scores = column.sentence_scores(system).tolist()
            details = column.metric.sentence_details(scored.statistics)
            for sentence, (value, detail) in enumerate(zip(scores, details, strict=True)):
                rows.append(
                    {
                        "system": system,
                        "sentence": sentence,
                        "metric": column.metric.id,
                        "signature": column.metric.signature,
                        "score": value,
                        "details": detail,
                    }
                )
    return rows


def _print_table(table: ScoreTable, rows: list[dict[str, Any]], level: str) -> None:
    """Print one line per system (and sentence) and one column per metric, the best by the first metric on top."""
    lines: dict[tuple[Any, ...], dict[str, Any]] = {}
    heads = ["system"] if level == "system" else ["system", "sentence"]
    for row in rows:
        key = tuple(row[head] for head in heads)
        lines.setdefault(key, {head: row[head] for head in heads})[row["metric"]] = row["score"]
    metrics = [column.metric.id for column in table.columns]
    ordered = list(lines.values())
    if level == "system":
        ordered.sort(key=lambda line: -line.get(metrics[0], -math.inf))
    print_rows(ordered, [*heads, *metrics], "table")
    print(f"\n{table.corpus} ({table.fingerprint})")
    if level == "sentence":
        print(SENTENCES_FROM_0)
    for column in table.columns:
        print(f"  {column.metric.id}: {column.metric.signature}{' (in percent)' if column.metric.percent else ''}")
        for system, scored in column.systems.items():
            if caveat := column.metric.caveat(scored.score.details):
                print(f"    {system}: {caveat}")
