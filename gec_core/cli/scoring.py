"""Arguments that name metrics, files of scores and how to compute, and the scores that they stand for."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import whole_number
from gec_core.cli.output import StatusLine, group, tell
from gec_core.errors import MissingInput, OptionError
from gec_core.formatting import parse_names

if TYPE_CHECKING:
    from gec_core.metrics.base import Metric
    from gec_core.scoring.imported import Imported
    from gec_core.scoring.table import ScoreTable
    from gec_core.store import Store
    from gec_core.types import Corpus

LEFT_OUT = 3
"""The exit code when a metric that was asked for was left out."""


def add_metrics(command: argparse.ArgumentParser, *, required: bool = True, one: bool = False) -> None:
    """--metric and --option."""
    options = group(command, "metrics")
    told = "metrics by id (`metrics` lists them); may be repeated" + (
        "" if required else " (default, without --scores: all on edits and n-grams that need no model)"
    )
    if one:
        told = "the metric by id (`metrics` lists them)"
    options.add_argument("--metric", metavar="ID" if one else "ID[,ID…]", action="append", default=[], help=told)
    options.add_argument(
        "--option", metavar="ID.KEY=VALUE", action="append", default=[], help="an option of a metric, such as m2.beta=1"
    )


def add_imports(command: argparse.ArgumentParser) -> None:
    """--scores."""
    group(command, "metrics").add_argument(
        "--scores",
        metavar="FILE",
        action="append",
        default=[],
        type=Path,
        help="a file of scores of another metric: TSV, CSV or JSON (docs/importing.md); may be repeated",
    )


def add_store(command: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """--no-store, in the group that `add_scoring` adds to."""
    options = group(command, "computation")
    options.add_argument("--no-store", action="store_true", help="neither use nor keep scores on this machine")
    return options


def add_scoring(command: argparse.ArgumentParser) -> None:
    """--workers, --scheduler and --no-store."""
    where = add_store(command).add_mutually_exclusive_group()
    where.add_argument(
        "--workers", metavar="N", type=whole_number, help="number of processes (default: as many as pay off)"
    )
    where.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="score on the workers of this Dask scheduler")


@contextmanager
def storing_with(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The store and the progress callback, as arguments of the library; problems of the store go to stderr."""
    from gec_core.store import Store

    store = None if given.no_store else Store()
    line = StatusLine()
    try:
        yield {"store": store, "on_progress": line.scoring}
    finally:
        line.close()
    for message in (store.notice, store.problem) if store else ():
        if message:
            tell(message)


@contextmanager
def scoring_with(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The same, and the workers."""
    with storing_with(given) as how:
        yield how | {"workers": given.scheduler or given.workers}


def table_from(given: argparse.Namespace, corpus: Corpus, metrics: list[Metric]) -> ScoreTable:
    """The scores that were asked for, computed or imported."""
    from gec_core.api.results import scored
    from gec_core.scoring.imported import Imported

    with scoring_with(given) as how:
        tell_costs(corpus, [metric for metric in metrics if metric.availability().ready], how["store"])
        table = scored(corpus, metrics, **how).table
    for column in table.columns:
        if column.truncation:
            tell(f"{column.metric.id}: {column.truncation}")
    for metric in metrics if not given.systems else ():
        if isinstance(metric, Imported):
            missing = [system for system in corpus.systems if system not in metric.scores.systems]
            for what, systems in (("no scores of", missing), (f"not in {corpus.name}:", metric.unknown(corpus))):
                if systems:
                    tell(f"{metric.file}, {metric.name}: {what} {', '.join(systems)}")
    tell_problems(table.problems)
    if table.problems and getattr(given, "metric", None):
        given.exit_code = LEFT_OUT
    return _aggregated(given, table)


def add_aggregate(command: argparse.ArgumentParser) -> None:
    """--aggregate."""
    group(command, "metrics").add_argument(
        "--aggregate",
        choices=["usual", "ew", "ts"],
        default="usual",
        help="scores of systems as the metric defines them (usual, the default), or from its sentence scores as people "
        "are ranked: Expected Wins (ew) or TrueSkill (ts)",
    )


def _aggregated(given: argparse.Namespace, table: ScoreTable) -> ScoreTable:
    """The table with scores of systems made as --aggregate says; metrics without sentence scores are left out."""
    from gec_core.human.ranking import aggregated

    if getattr(given, "aggregate", "usual") == "usual":
        return table
    kept = on_sentences(table, {system for column in table.columns for system in column.systems})
    columns = tuple(aggregated(column, given.aggregate, seed=given.seed) for column in kept.columns)
    return replace(kept, columns=columns)


def tell_costs(corpus: Corpus, metrics: Iterable[Metric], store: Store | None) -> None:
    """Say what scoring would cost besides time, for metrics that send paid requests."""
    from gec_core.scoring import missing_pairs

    for metric in metrics:
        if metric.paid and corpus.has_texts and (told := metric.costs(missing_pairs(corpus, metric, store), store)):
            tell(told)


def tell_problems(problems: Mapping[str, str]) -> None:
    """Say why metrics are left out, by their ids."""
    for id, problem in problems.items():
        tell(f"{id} is left out. {problem}")


def imported_from(given: argparse.Namespace) -> list[Imported]:
    """The metrics in the files that --scores names."""
    from gec_core.corpora.text import TextFile
    from gec_core.scoring.imported import read

    found: list[Imported] = []
    for path in given.scores:
        found += read(TextFile.at(path), [metric.id for metric in found])
    return found


def on_sentences(table: ScoreTable, systems: Iterable[str]) -> ScoreTable:
    """The table without the metrics that lack sentence scores of one of these systems; names them on stderr."""
    wanted = tuple(systems)
    for column in table.columns:
        if not column.has_sentences(wanted):
            lacking = [system for system in wanted if not column.has_sentences([system])]
            tell(f"{column.metric.id} is left out. It has no sentence scores of {', '.join(lacking)}.")
    kept = tuple(column for column in table.columns if column.has_sentences(wanted))
    if not kept:
        raise MissingInput("No metric is left that has sentence scores.")
    return replace(table, columns=kept)


def metrics_from(given: argparse.Namespace) -> list[Metric]:
    """The metrics asked for, each once, with their options; imported ones last."""
    from gec_core.metrics import create, registry

    ids = list(dict.fromkeys(name for text in given.metric for name in parse_names(text)))
    imported = imported_from(given) if "scores" in given else []
    if not ids and not imported:
        raise OptionError(f"Name a metric with --metric. There are: {', '.join(registry())}.")
    texts: dict[str, dict[str, str]] = {id: {} for id in ids}
    for text in given.option:
        target, equals, value = text.partition("=")
        id, dot, key = target.partition(".")
        if not (equals and dot and id and key):
            raise OptionError(f"--option {text}: write it as ID.KEY=VALUE, for example --option m2.beta=1.")
        if id not in texts:
            raise OptionError(f"--option {text}: {id} is not among the metrics asked for ({', '.join(ids)}).")
        texts[id][key] = value
    return [*(create(id, options) for id, options in texts.items()), *imported]
