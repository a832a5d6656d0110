"""Turn uploaded files into system outputs or into a corpus.

Nothing is taken on trust: sizes, lines and tokens are limited, zip files are unpacked as those of strangers are, and
every file is either read or refused by name, with the line and what to do. What can be read but looks like a mistake
comes with a warning.

A first line that says `source` and so on is a heading. Tabs divide columns and nothing else; there are no quotes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from gec_core.corpora import archive, checking, folder, suspicions
from gec_core.corpora.archive import Upload, files_in, on_disk, refuse_bombs, texts_of
from gec_core.corpora.assemble import assemble
from gec_core.corpora.checking import Finding, oddities, without_systems
from gec_core.corpora.text import UPLOAD, TextFile, counted, quote
from gec_core.errors import CorpusError
from gec_core.types import Corpus

Role = Literal["outputs", "source", "reference", "pairs", "gold", "corpus"]
ROLES: dict[Role, str] = {
    "outputs": "outputs of a system",
    "source": "sources",
    "reference": "a reference",
    "pairs": "sources and references (TSV)",
    "gold": "gold edits (M2)",
    "corpus": "a corpus folder (zip)",
}
_NO_MEMORY = "Reading these files takes more memory than there is here. Bring fewer or smaller ones."
_SOURCE_WORDS = frozenset({"source", "sources", "src", "input", "orig", "original", "originals"})
_REFERENCE_WORDS = frozenset(
    {"reference", "references", "ref", "refs", "target", "targets", "tgt", "trg", "corrected", "gold"}
)
_OUTPUT_WORDS = ("hyp", "out", "system", "pred")


@dataclass(frozen=True, slots=True)
class Outputs:
    """What was understood of one file of outputs; `lines` is None if it was refused.

    Files that are refused together, as too many or too large, are one without a name.
    """

    file: str
    name: str
    """What the system might be called."""
    lines: tuple[str, ...] | None
    tokens: int = 0
    unchanged: float = 0.0
    """The share of lines that equal their source."""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnCorpus:
    """What was understood of the files of a corpus; `corpus`, without outputs from loose files, is None if refused."""

    corpus: Corpus | None
    outputs: tuple[Outputs, ...] = ()
    findings: tuple[Finding, ...] = ()


def guess_role(file: str) -> Role:
    """What a file most probably is, by its name."""
    name = Path(file).name.lower().removesuffix(".gz")
    if name.endswith(".zip"):
        return "corpus"
    if name.endswith((".m2", ".xml")):
        return "gold"
    if name.endswith(".tsv"):
        return "pairs"
    words = set(re.findall("[a-z]+", name))
    if words & _SOURCE_WORDS:
        return "source"
    return "reference" if words & _REFERENCE_WORDS else "outputs"


def read_outputs(uploads: Sequence[Upload], corpus: Corpus) -> tuple[Outputs, ...]:
    """The outputs in these files, each checked against the corpus that they are for."""
    try:
        with ExitStack() as opened:
            found: list[TextFile | Outputs] = []
            for file in opened.enter_context(on_disk(uploads)):
                try:
                    found += texts_of(file, opened)
                except CorpusError as problem:
                    found.append(_refused(file.name, str(problem)))
            return _read_outputs(found, corpus)
    except CorpusError as problem:
        return (_refused("", str(problem)),)
    except MemoryError:
        return (_refused("", _NO_MEMORY),)


def read_corpus(uploads: Sequence[Upload], roles: Sequence[Role], name: str) -> OwnCorpus:
    """A corpus made of these files, each of which is what its role says."""
    try:
        with on_disk(uploads) as files:
            by_role: dict[Role, list[TextFile]] = {role: [] for role in ROLES}
            for file, role in zip(files, roles, strict=True):
                by_role[role].append(file)
            if by_role["corpus"]:
                return _from_zip(files, by_role["corpus"][0], name)
            return _from_files(by_role, name)
    except CorpusError as problem:
        return OwnCorpus(None, findings=(Finding("error", str(problem)),))
    except MemoryError:
        return OwnCorpus(None, findings=(Finding("error", _NO_MEMORY),))


def with_systems(corpus: Corpus, systems: Mapping[str, Sequence[str]]) -> Corpus:
    """The corpus with these systems added, after its own."""
    return replace(corpus, systems={**corpus.systems, **{name: tuple(lines) for name, lines in systems.items()}})


def fitting_lines(file: TextFile, corpus: Corpus) -> tuple[str, ...]:
    """The outputs in a file, one a sentence of the corpus; blank lines at the end do not count."""
    return tuple(_fitting(file, corpus)[0])


def _read_outputs(files: Sequence[TextFile | Outputs], corpus: Corpus) -> tuple[Outputs, ...]:
    """The outputs in these files; some may have been refused already."""
    taken = list(corpus.systems)
    read: list[Outputs] = []
    for file in files:
        one = file if isinstance(file, Outputs) else _read_one(file, corpus, taken)
        taken.append(one.name)
        read.append(one)
    for place, message in suspicions.same_outputs([(one.file, one.lines) for one in read]):
        one = read[place]
        read[place] = replace(one, findings=(*one.findings, Finding("warning", message)))
    return tuple(read)


def _read_one(file: TextFile, corpus: Corpus, taken: Collection[str]) -> Outputs:
    try:
        lines, told = _fitting(file, corpus)
    except CorpusError as problem:
        return _refused(file.name, str(problem))
    name = checking.suggest_name(file.name, taken)
    if (plain := checking.suggest_name(file.name)) != name:
        told.append(f"{file.name}: there is already a system {plain}, so this one is called {name}.")
    told += suspicions.suspicions(file.name, corpus, lines)
    same = sum(line == sentence.source for line, sentence in zip(lines, corpus.sentences, strict=True))
    tokens = sum(len(line.split()) for line in lines)
    findings = tuple(Finding("warning", message) for message in told)
    return Outputs(file.name, name, tuple(lines), tokens, same / len(corpus), findings)


def _fitting(file: TextFile, corpus: Corpus) -> tuple[list[str], list[str]]:
    """The lines, one a sentence, and what was done to get there."""
    lines = file.lines()
    extra = len(lines) - len(corpus)
    if extra > 0 and not any(lines[-extra:]):
        return lines[:-extra], [f"{file.name}: {counted(extra, 'blank line')} at the end, left out."]
    if extra:
        problem = f"{counted(len(lines), 'line')}, but {corpus.name} has {counted(len(corpus), 'sentence')}."
        if len(lines) <= 1 and file.text().count("\r") > 1:
            raise file.error(f"{problem} Lines end in carriage returns: save it with line feeds (Unix line ends).")
        where = suspicions.out_of_step(corpus.sentences, lines)
        raise file.error(f"{problem} {where or 'Every sentence needs its output, on the same line.'}")
    return lines, []


def _refused(file: str, message: str) -> Outputs:
    return Outputs(file, "", None, findings=(Finding("error", message),))


def _from_zip(files: Sequence[TextFile], file: TextFile, name: str) -> OwnCorpus:
    if len(files) > 1:
        raise file.error("a corpus folder comes alone. Leave out the other files, or put them into the folder.")
    with archive.extracted(file) as found:
        if not folder.is_corpus(found.path):
            raise folder.not_a_corpus(found.label)
        refuse_bombs(files_in(found))
        corpus = replace(found, name=name).load()
    _refuse_too_large(corpus)
    warnings = [*oddities(corpus), *without_systems(corpus), *_without_references(corpus)]
    return OwnCorpus(corpus, findings=tuple(Finding("warning", message) for message in warnings))


def _from_files(by_role: Mapping[Role, Sequence[TextFile]], name: str) -> OwnCorpus:
    for role in ("source", "pairs", "gold"):
        if len(by_role[role]) > 1:
            raise by_role[role][1].error(f"{by_role[role][0].name} is {ROLES[role]}, too. A corpus has one such file.")
    if by_role["source"] and by_role["pairs"]:
        raise by_role["pairs"][0].error(f"{by_role['source'][0].name} has the sources already. Leave one of them out.")
    source: TextFile | None = next(iter(by_role["source"]), None)
    references = list(by_role["reference"])
    for table in by_role["pairs"]:
        first, *others = columns(table)
        source, references = first, [*others, *references]
    if source is None and not by_role["gold"]:
        raise CorpusError("There are no sources. Say which file has them, or bring gold edits (M2).")
    corpus = assemble(name, source=source, references=references, gold=next(iter(by_role["gold"]), None), systems={})
    _refuse_too_large(corpus)
    outputs = _read_outputs(by_role["outputs"], corpus)
    warnings = [*oddities(corpus), *_without_references(corpus)]
    warnings += without_systems(corpus) if not outputs else ()
    warnings += _names_swapped(source, by_role["outputs"])
    return OwnCorpus(corpus, outputs, tuple(Finding("warning", message) for message in warnings))


def _refuse_too_large(corpus: Corpus) -> None:
    """For formats that are not read line by line."""
    if len(corpus) > (UPLOAD.sentences or 0):
        raise CorpusError(
            f"{corpus.name}: {len(corpus):,} sentences; more than {UPLOAD.sentences:,} are not read here."
        )
    for number, sentence in enumerate(corpus.sentences, 1):
        if len(sentence.tokens) > (UPLOAD.tokens or 0):
            raise CorpusError(
                f"Sentence {number} has {len(sentence.tokens):,} tokens; more than {UPLOAD.tokens:,} are not read here."
            )


def _without_references(corpus: Corpus) -> Iterator[str]:
    if not corpus.sentences[0].references:
        yield "There are no references and no gold edits: only metrics that need neither can score this corpus."


def _names_swapped(source: TextFile | None, outputs: Sequence[TextFile]) -> Iterator[str]:
    if source is not None and Path(source.name).name.lower().startswith(_OUTPUT_WORDS):
        for file in outputs:
            if guess_role(file.name) == "source":
                yield f"{source.name} is given as the sources and {file.name} as outputs. Are the two swapped?"


_HEADINGS = ("source", "src", "input", "original")


@dataclass(frozen=True, slots=True)
class TsvColumn(TextFile):
    """One column of such a file, which passes for a file of its own."""

    cells: tuple[str, ...] = ()

    def _split(self, per_sentence: int) -> list[str]:
        return list(self.cells)


def columns(file: TextFile) -> list[TsvColumn]:
    """The columns of a file, which is read once; refuses a file that has but one, or too many."""
    lines = file.raw_lines(per_sentence=1)
    wanted = _width(file, lines[0] if lines else "")
    for number, line in enumerate(lines, 1):
        if (width := line.count("\t") + 1) != wanted:
            raise file.error(
                f"{counted(width, 'column')} instead of {wanted} as in the first line. Found {quote(line)}; "
                "expected the source, a tab, and a reference (or several, each after a tab).",
                number,
            )
    rows = [line.split("\t") for line in lines]
    if _is_heading(rows[0]):
        del rows[0]
    by_column = zip(*rows, strict=True) if rows else [()] * wanted
    return [TsvColumn(file.path, file.name, file.limits, cells) for cells in by_column]


def _width(file: TextFile, first: str) -> int:
    """How many columns the first line has."""
    count, most = first.count("\t") + 1, file.limits.references
    if count < 2:
        raise file.error(
            f"found {quote(first)}; expected the source, a tab, and a reference. Sources alone go into a .txt file.", 1
        )
    if most is not None and count > most + 1:
        raise file.error(f"{count:,} columns; the source and more than {most} references are not read here.", 1)
    return count


def _is_heading(cells: list[str]) -> bool:
    return cells[0].strip().lower() in _HEADINGS and all(len(cell.split()) <= 2 for cell in cells)
