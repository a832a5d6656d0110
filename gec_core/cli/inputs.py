"""What several commands share: which corpus, which systems, which metrics, and scoring them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_core.cli.output import StatusLine
from gec_core.errors import CorpusError, MissingInput, OptionError
from gec_core.formatting import parse_names

if TYPE_CHECKING:
    from gec_core.metrics.base import Metric
    from gec_core.scoring.imported import Imported
    from gec_core.scoring.table import ScoreTable
    from gec_core.types import Corpus


MOST = 1_000_000
"""More samples, runs or rows than this are a slip of the finger."""


def add_corpus(command: argparse.ArgumentParser) -> None:
    """--corpus, or loose files."""
    group = command.add_argument_group("what to look at")
    group.add_argument(
        "--corpus", metavar="DIR|NAME", help="a corpus folder, a zip of one, or a name from `corpora list`"
    )
    group.add_argument(
        "--systems",
        metavar="A,B",
        action="append",
        default=[],
        help="only these systems; may be repeated, and names with a comma go in double quotes: '\"A,B\",C'",
    )
    group.add_argument("--source", metavar="FILE", type=Path, help="source sentences, one a line")
    group.add_argument(
        "--hyp",
        metavar="NAME=FILE",
        action="append",
        default=[],
        help="outputs of a system, one a line; with --corpus they are added to its systems",
    )
    group.add_argument("--ref", metavar="FILE", action="append", default=[], type=Path, help="references, one a line")
    group.add_argument(
        "--m2", metavar="FILE", type=Path, help="gold edits (with the sources, if --source is not given)"
    )


def corpus_from(given: argparse.Namespace) -> Corpus:
    """The corpus that the arguments name, with the systems asked for; tells of differing tokenisation."""
    from gec_core import corpora
    from gec_core.corpora.suspicions import mismatches
    from gec_core.scoring.precomputed import open_corpus

    loose = given.source or given.ref or given.m2
    if (given.corpus and loose) or not (given.corpus or loose or given.hyp):
        raise CorpusError(
            "Say which corpus: either --corpus DIR|NAME, or --source, --hyp, --ref and --m2. Of these, only --hyp goes "
            "with --corpus: it adds a system."
        )
    outputs = named_files("--hyp", given.hyp)
    if given.corpus:
        corpus = with_outputs(open_corpus(given.corpus), "--hyp", outputs)
    else:
        corpus = corpora.from_files(source=given.source, hypotheses=outputs, references=given.ref, m2=given.m2)
    if given.systems:
        corpus = corpus.only(parse_names(*given.systems))
    for problem in mismatches(corpus):
        print(f"gec_core: {problem}", file=sys.stderr)
    return corpus


def with_outputs(corpus: Corpus, argument: str, files: dict[str, Path]) -> Corpus:
    """The corpus with the outputs in these files, by system, added to it."""
    from gec_core.corpora.text import TextFile
    from gec_core.corpora.uploads import fitting_lines, with_systems

    if files and not corpus.has_texts:
        raise MissingInput(
            f"{corpus.name}: its texts are not on this machine, so nothing can be added to it. "
            f"`python -m gec_core corpora fetch {corpus.name}` gets them."
        )
    for name, path in files.items():
        if name in corpus.systems:
            raise CorpusError(f"{argument} {name}={path}: {corpus.name} has a system {name}; use another name.")
    if not files:
        return corpus
    return with_systems(corpus, {name: fitting_lines(TextFile.at(path), corpus) for name, path in files.items()})


def named_files(argument: str, texts: list[str]) -> dict[str, Path]:
    """What was given as NAME=FILE, each name once."""
    files: dict[str, Path] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise CorpusError(f"{argument} {text}: write it as NAME=FILE, for example {argument} mine=outputs.txt.")
        if name in files:
            raise CorpusError(f"{argument} {text}: there is already a system {name}; give this one another name.")
        files[name] = Path(path)
    return files


def whole_number(text: str) -> int:
    """An argument that counts something."""
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {MOST:,}")
    return int(text)


def number_from_0(text: str) -> int:
    """An argument that counts from 0 on: a seed, a sentence."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 on")
    return int(text)


def add_metrics(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    """--metric and --option."""
    group = command.add_argument_group("how to score")
    told = "metrics, see `metrics`" + (
        "" if required else " (default, without --scores: all on edits and n-grams that need no model)"
    )
    group.add_argument("--metric", metavar="ID[,ID…]", action="append", default=[], help=told)
    group.add_argument(
        "--option", metavar="ID.KEY=VALUE", action="append", default=[], help="an option of a metric, e.g. m2.beta=1"
    )


def add_imports(command: argparse.ArgumentParser) -> None:
    """--scores."""
    command.add_argument(
        "--scores",
        metavar="FILE",
        action="append",
        default=[],
        type=Path,
        help="scores of a metric that is not built in, TSV, CSV or JSON (docs/importing.md); may be repeated",
    )


def add_store(command: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """--no-store, in the group that `add_scoring` adds to."""
    group = command.add_argument_group("the machine")
    group.add_argument("--no-store", action="store_true", help="neither read nor keep scores on this machine")
    return group


def add_scoring(command: argparse.ArgumentParser) -> None:
    """--workers, --scheduler and --no-store."""
    group = add_store(command)
    where = group.add_mutually_exclusive_group()
    where.add_argument("--workers", metavar="N", type=whole_number, help="processes (default: as many as pay off)")
    where.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="score on the workers of this Dask scheduler")


@contextmanager
def storing_with(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The store and who is told of progress, as arguments of the library; complaints about the store go to stderr."""
    from gec_core.store import Store

    store = None if given.no_store else Store()
    line = StatusLine()
    try:
        yield {"store": store, "on_progress": line.scoring}
    finally:
        line.close()
    if store and store.problem:
        print(f"gec_core: {store.problem}", file=sys.stderr)


@contextmanager
def scoring_with(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The same, and where to score."""
    with storing_with(given) as how:
        yield how | {"workers": given.scheduler or given.workers}


def table_from(given: argparse.Namespace, corpus: Corpus, metrics: list[Metric]) -> ScoreTable:
    """The scores that were asked for: computed, and imported."""
    from gec_core.scoring import score
    from gec_core.scoring.imported import Imported
    from gec_core.scoring.table import ScoreTable

    imported = [metric for metric in metrics if isinstance(metric, Imported)]
    columns = [metric.column(corpus) for metric in imported]
    for metric in imported if not given.systems else ():
        missing = [system for system in corpus.systems if system not in metric.scores.systems]
        for what, systems in (("no scores of", missing), (f"not in {corpus.name}:", metric.unknown(corpus))):
            if systems:
                print(f"gec_core: {metric.file}, {metric.name}: {what} {', '.join(systems)}", file=sys.stderr)
    table = ScoreTable(corpus.name, corpus.fingerprint, ())
    if len(imported) < len(metrics):
        with scoring_with(given) as how:
            table = score(corpus, [metric for metric in metrics if metric not in imported], **how)
    tell_problems(table.problems)
    return replace(table, columns=(*table.columns, *columns))


def tell_problems(problems: Mapping[str, str]) -> None:
    """Why metrics are left out, by their ids."""
    for id, problem in problems.items():
        print(f"gec_core: {id} is left out. {problem}", file=sys.stderr)


def imported_from(given: argparse.Namespace) -> list[Imported]:
    """The metrics in the files of scores."""
    from gec_core.corpora.text import TextFile
    from gec_core.scoring.imported import read

    found: list[Imported] = []
    for path in given.scores:
        found += read(TextFile.at(path), [metric.id for metric in found])
    return found


def on_sentences(table: ScoreTable, systems: Iterable[str]) -> ScoreTable:
    """The table without metrics that lack sentence scores of one of these systems; says which."""
    wanted = tuple(systems)
    for column in table.columns:
        if not column.has_sentences(wanted):
            lacking = [system for system in wanted if not column.has_sentences([system])]
            print(
                f"gec_core: {column.metric.id} is left out. It has no sentence scores of {', '.join(lacking)}.",
                file=sys.stderr,
            )
    kept = tuple(column for column in table.columns if column.has_sentences(wanted))
    if not kept:
        raise MissingInput("No metric is left that has sentence scores.")
    return replace(table, columns=kept)


def metrics_from(given: argparse.Namespace) -> list[Metric]:
    """The metrics asked for, each once, with their options; imported ones last, where the command takes them."""
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
