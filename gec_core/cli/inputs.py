"""Options that several commands share, and what they stand for: corpus, systems, metrics, scoring."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_core.cli.output import StatusLine, group, tell
from gec_core.errors import CorpusError, CorpusWarning, JudgingError, MissingInput, OptionError
from gec_core.formatting import counted, parse_names

if TYPE_CHECKING:
    from gec_core.corpora.prepare import Handling
    from gec_core.metrics.base import Metric
    from gec_core.scoring.imported import Imported
    from gec_core.scoring.table import ScoreTable
    from gec_core.store import Store
    from gec_core.types import Corpus


MOST = 1_000_000
"""The most samples, runs or rows that can be asked for; more are a typing error."""


LEFT_OUT = 3
"""The exit code when a metric that was asked for was left out."""


def add_corpus(command: argparse.ArgumentParser) -> None:
    """--corpus, or loose files."""
    options = group(command, "corpus and systems")
    options.add_argument(
        "--corpus", metavar="DIR|NAME", help="a corpus folder, a zip file of one, or a name from `corpora list`"
    )
    options.add_argument(
        "--systems",
        metavar="A,B",
        action="append",
        default=[],
        help="only these systems; may be repeated; double quotes protect a comma in a name: '\"A,B\",C'",
    )
    options.add_argument(
        "--judgments",
        metavar="NAME",
        help="which set of human judgments, if the corpus has several (default: its first); finished sessions of "
        "the page Judge are sets, too (`judge list`)",
    )
    options.add_argument("--source", metavar="FILE", type=Path, help="source sentences, one per line")
    options.add_argument(
        "--hyp",
        metavar="NAME=FILE",
        action="append",
        default=[],
        help="outputs of a system: text with one per line, JSONL, JSON, CSV or TSV with a heading, parquet; with "
        "--corpus, a system to add to it; may be repeated",
    )
    options.add_argument(
        "--ref",
        metavar="FILE",
        action="append",
        default=[],
        type=Path,
        help="references, one per line; may be repeated, one file per annotator",
    )
    options.add_argument(
        "--m2", metavar="FILE", type=Path, help="gold edits; also the sources, if --source is not given"
    )
    options.add_argument(
        "--sentences",
        metavar="judged|FILE|RANGES",
        help="only these sentences: those with human judgments, those whose numbers a file lists, or 1-100,205,300-; "
        "counted from 1",
    )
    options.add_argument(
        "--strict", action="store_true", help="refuse gold edits outside their sentences instead of leaving them out"
    )
    options.add_argument(
        "--tokenise",
        metavar="HOW",
        choices=["like-source", "none", "treebank", "spacy", "characters"],
        help="tokenise the given files: like-source (as the sources are), none, treebank (Penn Treebank rules), "
        "spacy or characters (default: not at all, with a warning if outputs seem to need it)",
    )
    options.add_argument(
        "--fill-missing", action="store_true", help="take the source where a file of outputs lacks a sentence"
    )
    options.add_argument(
        "--column", metavar="NAME", default="", help="the column of outputs in JSONL, JSON, CSV, TSV and parquet files"
    )


def corpus_from(given: argparse.Namespace) -> Corpus:
    """The corpus that the arguments name, with the systems asked for; warns of differences in tokenisation."""
    from gec_core import corpora
    from gec_core.corpora.suspicions import mismatches
    from gec_core.scoring.precomputed import open_corpus

    loose = given.source or given.ref or given.m2
    if (given.corpus and loose) or not (given.corpus or loose or given.hyp):
        raise CorpusError(
            "Say which corpus: either --corpus DIR|NAME, or files with --source, --hyp, --ref and --m2. Of these, only "
            "--hyp goes with --corpus: it adds a system."
        )
    outputs = named_files("--hyp", given.hyp)
    with _refusing() if given.strict else nullcontext():
        if given.corpus:
            corpus = with_outputs(open_corpus(given.corpus), "--hyp", outputs, given)
        else:
            corpus = corpora.from_files(source=given.source, references=given.ref, m2=given.m2, how=handling(given))
            _tell_raw_sources(given, corpus)
            corpus = with_outputs(corpus, "--hyp", outputs, given)
            for note in corpus.notes.get("", ()):
                tell(note.text)
    if given.judgments:
        corpus = with_sessions(corpus).judged_by(given.judgments)
    if given.systems:
        # What --hyp adds was asked for, too.
        wanted = list(dict.fromkeys([*parse_names(*given.systems), *outputs]))
        if not wanted:
            raise MissingInput("--systems names no system. Write the names with commas between them: --systems A,B.")
        corpus = corpus.only(wanted)
    told = [name for name, notes in corpus.notes.items() if any(note.caution for note in notes)]
    for problem in mismatches(corpus.only([name for name in corpus.systems if name not in told])):
        tell(problem)
    return chosen_sentences(given, corpus)


def with_sessions(corpus: Corpus) -> Corpus:
    """The corpus with what was collected on the page Judge of this machine as further sets of judgments."""
    from gec_core.judging.database import JudgingDatabase
    from gec_core.judging.results import joined

    try:
        database = JudgingDatabase()
    except JudgingError:  # a folder that cannot be written has no sessions
        return corpus
    return joined(corpus, [(one, database.answers(one)) for one in database.sessions() if one.closed is not None])


def chosen_sentences(given: argparse.Namespace, corpus: Corpus) -> Corpus:
    """The part of the corpus that --sentences names, which is said on stderr; all of it without."""
    from gec_core.corpora.selection import select

    if not given.sentences:
        return corpus
    part = select(corpus, given.sentences)
    tell(f"{corpus.name}: {len(part):,} of {len(corpus):,} sentences, numbered anew from the first chosen one.")
    return part


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn warnings about files into errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", CorpusWarning)
        try:
            yield
        except CorpusWarning as warning:
            raise CorpusError(f"{warning} --strict refuses such a file.") from None


def handling(given: argparse.Namespace) -> Handling:
    """How the arguments say that files are to be read."""
    from gec_core.corpora.prepare import Handling

    return Handling(given.tokenise, given.column, given.fill_missing)


def _tell_raw_sources(given: argparse.Namespace, corpus: Corpus) -> None:
    from gec_core.corpora.prepare import raw_sources

    if given.tokenise is None and given.source and raw_sources([each.source for each in corpus.sentences]):
        tell(f"{given.source}: the sources are not tokenised. Metrics compare tokens: add --tokenise like-source.")


def with_outputs(corpus: Corpus, argument: str, files: dict[str, Path], given: argparse.Namespace) -> Corpus:
    """The corpus with the outputs in these files added as systems, read as the arguments say."""
    from gec_core.corpora.prepare import prepare
    from gec_core.corpora.text import TextFile
    from gec_core.corpora.uploads import with_systems

    if files and not corpus.has_texts:
        raise MissingInput(
            f"{corpus.name}: its texts are not on this machine, so no system can be added to it. "
            f"Download them with `python -m gec_core corpora fetch {corpus.name}`."
        )
    for name, path in files.items():
        if name in corpus.systems:
            raise CorpusError(f"{argument} {name}={path}: {corpus.name} has a system {name}; use another name.")
    if not files:
        return corpus
    read = {name: prepare(TextFile.at(path), corpus, handling(given)) for name, path in files.items()}
    for name, done in read.items():
        for text in done.told:
            tell(f"{name}: {text}.")
        for note in done.notes:
            if note.text not in done.told:
                advice = ". Add --tokenise like-source." if done.raw and note.caution else "."
                tell(f"{name}: {note.text}{advice}")
    lines = {name: done.lines for name, done in read.items()}
    return with_systems(corpus, lines, {name: done.notes for name, done in read.items()})


def named_files(argument: str, texts: list[str]) -> dict[str, Path]:
    """Arguments of the form NAME=FILE, by name."""
    files: dict[str, Path] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise CorpusError(f"{argument} {text}: write it as NAME=FILE, for example {argument} mine=outputs.txt.")
        if not name.isprintable():
            raise CorpusError(f"{argument} {text!r}: a name is text without line breaks or other control characters.")
        if name in files:
            raise CorpusError(f"{argument} {text}: there is already a system {name}; give this one another name.")
        files[name] = Path(path)
    return files


def whole_number(text: str) -> int:
    """Parse an argument that is a number of things."""
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {MOST:,}")
    return int(text)


def number_from_0(text: str) -> int:
    """Parse an argument that may be 0: a seed, the number of a sentence."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def samples_from_0(text: str) -> int:
    """Parse a number of bootstrap samples; 0 for none."""
    return 0 if text == "0" else whole_number(text)


def add_metrics(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    """--metric and --option."""
    options = group(command, "metrics")
    told = "metrics by id (`metrics` lists them); may be repeated" + (
        "" if required else " (default, without --scores: all on edits and n-grams that need no model)"
    )
    options.add_argument("--metric", metavar="ID[,ID…]", action="append", default=[], help=told)
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
        if cut := sum(int(each.score.details.get("truncated") or 0) for each in column.systems.values()):
            tell(
                f"{column.metric.id}: {counted(cut, 'comparison')} had a text longer than the model reads; the rest of "
                "it was cut off."
            )
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
        if corpus.has_texts and (told := metric.costs(missing_pairs(corpus, metric, store), store)):
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
