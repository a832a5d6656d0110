"""Turn uploaded files into system outputs or into a corpus.

Uploads come from anybody: sizes, lines and tokens are limited, file names cannot leave their folder, and the size of
all files together after unpacking is limited before any of them is read. A file that cannot be read is refused by
name, with the line and what to do; one that looks like a mistake comes with a warning.
"""

from __future__ import annotations

import gzip
import re
import tempfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Literal

from gec_core.corpora import checking, m2, suspicions
from gec_core.corpora.archive import extracted
from gec_core.corpora.assemble import assemble
from gec_core.corpora.checking import Finding, oddities, without_systems
from gec_core.corpora.folder import CorpusFolder, is_corpus, not_a_corpus
from gec_core.corpora.prepare import (
    AS_IS,
    NOT_TOKENISED,
    Handling,
    MissingOutputs,
    Prepared,
    prepare,
    raw_sources,
    tokenised_texts,
)
from gec_core.corpora.text import UPLOAD, Budget, TextFile, tsv_columns
from gec_core.corpora.tokenise import Choice
from gec_core.errors import CorpusError
from gec_core.formatting import counted
from gec_core.types import Corpus, CorpusInfo, Note

Role = Literal["outputs", "source", "reference", "pairs", "gold", "corpus"]
ROLES: dict[Role, str] = {
    "outputs": "outputs of a system",
    "source": "sources",
    "reference": "a reference",
    "pairs": "sources and references (TSV)",
    "gold": "gold edits (M2)",
    "corpus": "a corpus folder (zip)",
}
OUTPUT_ENDINGS = tuple(
    f".{ending}{gz}" for ending in ("txt", "jsonl", "ndjson", "json", "csv", "tsv", "parquet") for gz in ("", ".gz")
)
MOST_FILES = 50
LARGE = 20_000_000
"""Bytes above which uploads are read one after another: reading takes a few times their size in memory."""
_one_at_a_time = Lock()
_NO_MEMORY = "These files take more memory than the server has. Upload fewer or smaller ones."
_SOURCE_WORDS = frozenset({"source", "sources", "src", "input", "orig", "original", "originals"})
_REFERENCE_WORDS = frozenset(
    {"reference", "references", "ref", "refs", "target", "targets", "tgt", "trg", "corrected", "gold"}
)
_OUTPUT_WORDS = ("hyp", "out", "system", "pred")


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file: its name and its content."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Outputs:
    """One uploaded file of outputs; `lines` is None if it was refused.

    Files that are refused together, as too many or too large, are one entry without a name.
    """

    file: str
    name: str
    """A name suggested for the system."""
    lines: tuple[str, ...] | None
    tokens: int = 0
    unchanged: float = 0.0
    """The share of lines that equal their source."""
    findings: tuple[Finding, ...] = ()
    prepared: Prepared | None = None
    """What was done to the lines."""
    fillable: bool = False
    """Whether outputs are missing, empty or refusals, so that the source can stand for them."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What stays beside the scores."""
        return self.prepared.notes if self.prepared else ()


@dataclass(frozen=True, slots=True)
class UploadedCorpus:
    """An uploaded corpus; `corpus` is None if it was refused. Outputs from single files are kept apart from it."""

    corpus: Corpus | None
    outputs: tuple[Outputs, ...] = ()
    findings: tuple[Finding, ...] = ()
    raw: bool = False
    """Whether the sources seem not to be tokenised."""


def guess_role(file: str) -> Role:
    """The probable role of a file, by its name."""
    name = Path(file).name.lower().removesuffix(".gz")
    if name.endswith(".zip"):
        return "corpus"
    if name.endswith((".m2", ".xml")):
        return "gold"
    if name.endswith(".tsv") and not any(word in name for word in _OUTPUT_WORDS):
        return "pairs"
    words = set(re.findall("[a-z]+", name))
    if words & _SOURCE_WORDS:
        return "source"
    return "reference" if words & _REFERENCE_WORDS else "outputs"


def read_outputs(
    uploads: Sequence[Upload], corpus: Corpus, how: Mapping[str, Handling] | None = None
) -> tuple[Outputs, ...]:
    """Read system outputs, and check each against the corpus that it is for; `how` says by file how to read it."""
    try:
        with ExitStack() as opened:
            found: list[TextFile | Outputs] = []
            for file in opened.enter_context(on_disk(uploads)):
                try:
                    found += _texts_of(file, opened)
                except CorpusError as problem:
                    found.append(_refused(file.name, str(problem)))
            return _read_outputs(found, corpus, how or {})
    except CorpusError as problem:
        return (_refused("", str(problem)),)
    except MemoryError:
        return (_refused("", _NO_MEMORY),)


def read_corpus(
    uploads: Sequence[Upload],
    roles: Sequence[Role],
    name: str,
    how: Mapping[str, Handling] | None = None,
    tokenise: Choice | None = None,
    language: str = "",
) -> UploadedCorpus:
    """Read a corpus from files with known roles.

    Args:
        uploads: The files.
        roles: What each of them is.
        name: The name of the corpus.
        how: How to read a file of outputs, by its name.
        tokenise: How to tokenise sources and references.
        language: The code of its language; guessed by default. A corpus folder says its own in corpus.toml.
    """
    try:
        with on_disk(uploads) as files:
            by_role: dict[Role, list[TextFile]] = {role: [] for role in ROLES}
            for file, role in zip(files, roles, strict=True):
                by_role[role].append(file)
            if by_role["corpus"]:
                return _from_zip(files, by_role["corpus"][0], name)
            return _from_files(by_role, name, how or {}, tokenise, CorpusInfo(language=language))
    except CorpusError as problem:
        return UploadedCorpus(None, findings=(Finding("error", str(problem)),))
    except MemoryError:
        return UploadedCorpus(None, findings=(Finding("error", _NO_MEMORY),))


def with_systems(
    corpus: Corpus, systems: Mapping[str, Sequence[str]], notes: Mapping[str, Sequence[Note]] | None = None
) -> Corpus:
    """The corpus with these systems after its own, and with notes about them."""
    return replace(
        corpus,
        systems={**corpus.systems, **{name: tuple(lines) for name, lines in systems.items()}},
        notes={**corpus.notes, **{name: tuple(each) for name, each in (notes or {}).items() if each}},
    )


@contextmanager
def outputs_file(path: Path) -> Iterator[TextFile]:
    """A file of outputs on this machine; of a zip file, the only one in it.

    Raises:
        CorpusError: A zip file has no or several files of outputs.
    """
    with ExitStack() as opened:
        found = list(_texts_of(TextFile.at(path), opened))
        if len(found) > 1:
            names = ", ".join(file.path.name for file in found)
            raise CorpusError(f"{path}: {len(found)} files are in it ({names}). Unpack it and name one per system.")
        yield found[0]


@contextmanager
def on_disk(uploads: Sequence[Upload]) -> Iterator[list[TextFile]]:
    """The uploads as files in a temporary folder, removed after the `with` block.

    Raises:
        CorpusError: They are too many or too large.
    """
    if (total := sum(len(upload.data) for upload in uploads)) > UPLOAD.bytes:
        raise CorpusError(f"{total / 1e6:,.0f} MB in all; upload at most {UPLOAD.bytes / 1e6:.0f} MB at a time.")
    zips = [upload.name for upload in uploads if upload.name.lower().endswith(".zip")]
    if len(uploads) > MOST_FILES or len(zips) > 1:
        raise CorpusError(
            f"{counted(len(uploads), 'file')}, {len(zips)} of them zip files; upload at most {MOST_FILES} files "
            "and one zip file at a time."
        )
    with (
        _one_at_a_time if total > LARGE else nullcontext(),
        tempfile.TemporaryDirectory(prefix="gec-lens-upload-") as temporary,
    ):
        files = []
        for number, upload in enumerate(uploads):
            path = Path(temporary) / str(number) / _file_name(upload.name)
            path.parent.mkdir()
            path.write_bytes(upload.data)
            files.append(TextFile(path, upload.name, UPLOAD))
        _refuse_bombs(files)
        yield files


def _read_outputs(
    files: Sequence[TextFile | Outputs], corpus: Corpus, how: Mapping[str, Handling]
) -> tuple[Outputs, ...]:
    """Read the files that have not been refused already."""
    taken = list(corpus.systems)
    read: list[Outputs] = []
    for file in files:
        one = file if isinstance(file, Outputs) else _read_one(file, corpus, taken, how)
        taken.append(one.name)
        read.append(one)
    for place, message in suspicions.same_outputs([(one.file, one.lines) for one in read]):
        one = read[place]
        read[place] = replace(one, findings=(*one.findings, Finding("warning", message)))
    return tuple(read)


def _read_one(file: TextFile, corpus: Corpus, taken: Collection[str], how: Mapping[str, Handling]) -> Outputs:
    try:
        done = prepare(file, corpus, how.get(file.name, AS_IS))
    except MissingOutputs as problem:
        return replace(_refused(file.name, str(problem)), fillable=True)
    except CorpusError as problem:
        return _refused(file.name, str(problem))
    lines = done.lines
    name = checking.suggest_name(file.name, taken)
    told = [f"{file.name}: {each}." for each in done.told]
    if (plain := checking.suggest_name(file.name)) != name:
        told.append(f"{file.name}: there is already a system {plain}, so this one is called {name}.")
    told += [f"{file.name}: {note.text}." for note in done.notes if note.caution and note.text not in done.told
             and not note.text.startswith(NOT_TOKENISED)]  # fmt: skip
    told += suspicions.suspicions(file.name, corpus, lines)
    same = sum(line == sentence.source for line, sentence in zip(lines, corpus.sentences, strict=True))
    tokens = sum(len(line.split()) for line in lines)
    findings = tuple(Finding("warning", message) for message in told)
    return Outputs(file.name, name, lines, tokens, same / len(corpus), findings, done, bool(done.unanswered))


def _refused(file: str, message: str) -> Outputs:
    return Outputs(file, "", None, findings=(Finding("error", message),))


def _from_zip(files: Sequence[TextFile], file: TextFile, name: str) -> UploadedCorpus:
    if len(files) > 1:
        raise file.error("a corpus folder is uploaded alone. Remove the other files, or put them into the folder.")
    with extracted(file) as found:
        if not is_corpus(found.path):
            raise not_a_corpus(found.label)
        _refuse_bombs(_files_in(found))
        corpus = replace(found, name=name).load()
        outside = map(str, checking.edits_left_out(found))
    _refuse_too_large(corpus)
    warnings = [*outside, *oddities(corpus), *without_systems(corpus), *_without_references(corpus)]
    return UploadedCorpus(corpus, findings=tuple(Finding("warning", message) for message in warnings))


def _from_files(
    by_role: Mapping[Role, Sequence[TextFile]],
    name: str,
    how: Mapping[str, Handling],
    tokenise: Choice | None,
    info: CorpusInfo,
) -> UploadedCorpus:
    for role in ("source", "pairs", "gold"):
        if len(by_role[role]) > 1:
            raise by_role[role][1].error(
                f"{by_role[role][0].name} is {ROLES[role]}, too. A corpus has one such file: remove one."
            )
    if by_role["source"] and by_role["pairs"]:
        raise by_role["pairs"][0].error(f"{by_role['source'][0].name} has the sources, too. Remove one of the two.")
    source: TextFile | None = next(iter(by_role["source"]), None)
    references = list(by_role["reference"])
    for table in by_role["pairs"]:
        first, *others = tsv_columns(table)
        source, references = first, [*others, *references]
    if source is None and not by_role["gold"]:
        raise CorpusError("There are no sources. Say which file has them, or upload gold edits (M2).")
    gold = next(iter(by_role["gold"]), None)
    source, references, notes = tokenised_texts(source, references, gold, tokenise)
    corpus = assemble(name, source=source, references=references, gold=gold, systems={}, info=info, notes=notes)
    _refuse_too_large(corpus)
    outputs = _read_outputs(by_role["outputs"], corpus, how)
    warnings = [str(each) for file in by_role["gold"] for each in m2.left_out(file)]
    warnings += [*oddities(corpus), *_without_references(corpus)]
    warnings += without_systems(corpus) if not outputs else ()
    warnings += _names_swapped(source, by_role["outputs"])
    warnings += [f"{note.text}." for note in notes]
    raw = gold is None and raw_sources([sentence.source for sentence in corpus.sentences])
    return UploadedCorpus(corpus, outputs, tuple(Finding("warning", message) for message in warnings), raw)


def _refuse_too_large(corpus: Corpus) -> None:
    """Apply the limits to formats that are not read line by line."""
    if len(corpus) > (UPLOAD.sentences or 0):
        raise CorpusError(f"{corpus.name}: {len(corpus):,} sentences; an upload may have at most {UPLOAD.sentences:,}.")
    for number, sentence in enumerate(corpus.sentences, 1):
        if len(sentence.tokens) > (UPLOAD.tokens or 0):
            raise CorpusError(
                f"{corpus.name}: sentence {number} has {len(sentence.tokens):,} tokens; a sentence may have at most "
                f"{UPLOAD.tokens:,}."
            )


def _without_references(corpus: Corpus) -> Iterator[str]:
    if not corpus.sentences[0].references:
        yield "There are no references and no gold edits: only metrics that need neither can score this corpus."


def _names_swapped(source: TextFile | None, outputs: Sequence[TextFile]) -> Iterator[str]:
    if source is not None and Path(source.name).name.lower().startswith(_OUTPUT_WORDS):
        for file in outputs:
            if guess_role(file.name) == "source":
                yield f"{source.name} is given as the sources and {file.name} as outputs. Are the two swapped?"


def _refuse_bombs(files: Sequence[TextFile]) -> None:
    """Hold all files together to the limit of one: many small bombs are a large one."""
    if sum(_unpacked_size(file) for file in files) > UPLOAD.bytes:
        raise CorpusError(
            f"All files together unpack to more than {UPLOAD.bytes / 1e6:.0f} MB. Upload fewer at a time."
        )


def _unpacked_size(file: TextFile) -> int:
    """The size of a file after unpacking; 0 if it is damaged, which its reader reports."""
    packed = file.path.stat().st_size
    if file.path.suffix.lower() != ".gz":
        return packed
    budget = Budget(file.name, packed, UPLOAD.bytes)
    try:
        with gzip.open(file.path) as stream:
            return sum(len(piece) for piece in budget.read(stream))
    except (CorpusError, OSError, EOFError, zlib.error):
        return 0


def _file_name(name: str) -> str:
    """The name with its suffix, without characters that a file system refuses."""
    kept = "".join("_" if character in "/\\" or not character.isprintable() else character for character in name)
    return kept.encode()[-100:].decode(errors="ignore").lstrip(".") or "file"


def _texts_of(file: TextFile, opened: ExitStack) -> Iterator[TextFile]:
    """The file itself, or the text files in it if it is a zip file."""
    if file.path.suffix.lower() != ".zip":
        yield file
        return
    inside = opened.enter_context(extracted(file))
    if is_corpus(inside.path):
        raise file.error("this is a corpus folder, not outputs. Upload it as a corpus of your own.")
    _refuse_bombs(_files_in(inside))
    found = sorted(path for path in inside.path.rglob("*") if path.name.lower().endswith(OUTPUT_ENDINGS))
    if not found:
        raise file.error(
            "has no text files; expected one file per system: .txt, .jsonl, .json, .csv, .tsv or .parquet."
        )
    for path in found:
        yield inside.file(path)


def _files_in(found: CorpusFolder) -> list[TextFile]:
    """Every file of a folder, at any depth."""
    return [found.file(path) for path in found.path.rglob("*") if path.is_file()]
