"""Arguments that name a corpus, files of outputs or a number, and what they stand for."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from gec_core.cli.output import group, tell
from gec_core.errors import CorpusError, CorpusWarning, JudgingError, MissingInput
from gec_core.formatting import parse_names

if TYPE_CHECKING:
    from gec_core.corpora.prepare import Handling, Prepared
    from gec_core.types import Corpus, Note


MOST = 1_000_000
"""The most samples, runs or rows that can be asked for; more are a typing error."""


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
        "--fill-missing",
        action="store_true",
        help="take the source where a file of outputs lacks a sentence, has an empty output or a refusal",
    )
    options.add_argument(
        "--verbatim",
        action="store_true",
        help="take outputs as they are, with numbers, labels, fences and explanations around them",
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
        corpus = with_sessions(corpus, given.judgments).judged_by(given.judgments)
    if given.systems:
        # What --hyp adds was asked for, too.
        wanted = list(dict.fromkeys([*parse_names(*given.systems), *outputs]))
        if not wanted:
            raise MissingInput("--systems names no system. Write the names with commas between them: --systems A,B.")
        corpus = corpus.only(wanted)
    for caution in corpus.cautions:
        tell(caution)
    for problem in mismatches(corpus.only([name for name in corpus.systems if name not in outputs])):
        tell(problem)
    return chosen_sentences(given, corpus)


def with_sessions(corpus: Corpus, wanted: str = "") -> Corpus:
    """The corpus with what was collected on the page Judge of this machine as further sets of judgments.

    Raises:
        JudgingError: The wanted set is a session that still collects.
    """
    from gec_core.judging.database import JudgingDatabase
    from gec_core.judging.results import PREFIX, joined

    try:
        database = JudgingDatabase()
    except JudgingError:  # a folder that cannot be written has no sessions
        return corpus
    sessions = database.sessions()
    if any(wanted == f"{PREFIX}{one.id}" and one.closed is None for one in sessions):
        raise JudgingError(f"{wanted} is still open. Its owner closes it on the page Judge, under Manage.")
    return joined(corpus, [(one, database.answers(one)) for one in sessions if one.closed is not None])


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
            raise CorpusError(f"{warning.args[0]} --strict refuses such a file.") from None


def handling(given: argparse.Namespace) -> Handling:
    """How the arguments say that files are to be read."""
    from gec_core.corpora.prepare import Handling

    return Handling(given.tokenise, given.column, given.fill_missing, given.verbatim)


def need_texts(corpus: Corpus, why: str) -> None:
    """Refuse a corpus of which only scores are on this machine; `why` says what is not possible without texts."""
    if not corpus.has_texts:
        raise MissingInput(f"{corpus.name}: {why}. {corpus.info.notice}")


def _tell_raw_sources(given: argparse.Namespace, corpus: Corpus) -> None:
    from gec_core.corpora.prepare import raw_sources

    if given.tokenise is None and given.source and raw_sources([each.source for each in corpus.sentences]):
        tell(f"{given.source}: the sources are not tokenised. Metrics compare tokens: add --tokenise like-source.")


def with_outputs(corpus: Corpus, argument: str, files: dict[str, Path], given: argparse.Namespace) -> Corpus:
    """The corpus with the outputs in these files added as systems, read as the arguments say."""
    from gec_core.corpora.prepare import prepare
    from gec_core.corpora.suspicions import suspicions
    from gec_core.corpora.uploads import outputs_file, with_systems

    if files:
        need_texts(corpus, "no system can be added to it")
    for name, path in files.items():
        if name in corpus.systems:
            raise CorpusError(f"{argument} {name}={path}: {corpus.name} has a system {name}; use another name.")
    if not files:
        return corpus
    read = {}
    for name, path in files.items():
        with outputs_file(path) as file:
            read[name] = prepare(file, corpus, handling(given))
    for name, done in read.items():
        for text in done.told:
            tell(f"{name}: {text}.")
        for note in done.notes:
            if note.text not in done.told:
                tell(f"{name}: {note.text}.{_advice(note, done)}")
        if not done.raw:
            for problem in suspicions(name, corpus, done.lines):
                tell(problem)
    lines = {name: done.lines for name, done in read.items()}
    return with_systems(corpus, lines, {name: done.notes for name, done in read.items()})


def _advice(note: Note, done: Prepared) -> str:
    """What to add to the command because of a note."""
    from gec_core.corpora.prepare import NOT_TOKENISED

    if not note.caution:
        return ""
    if note.text.startswith(NOT_TOKENISED):
        return " Add --tokenise like-source."
    return " Add --fill-missing to take the source instead." if done.unanswered and "sentence" in note.text else ""


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
