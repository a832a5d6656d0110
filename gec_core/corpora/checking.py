"""Check a corpus and the names in it; summarise it in numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Literal

from gec_core.corpora import folder, suspicions
from gec_core.corpora.catalogue import located
from gec_core.corpora.folder import CorpusFolder
from gec_core.corpora.text import counted
from gec_core.errors import CorpusError
from gec_core.types import Corpus


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to know about a corpus: errors keep it from being loaded, warnings do not."""

    level: Literal["error", "warning"]
    message: str


def check(where: str | Path) -> list[Finding]:
    """Everything that can be said against a corpus folder, zip file or name in the catalogue."""
    try:
        with located(where) as found:
            corpus = found.load()
            warnings = [*_ignored(found), *oddities(corpus), *without_systems(corpus)]
    except CorpusError as problem:
        return [Finding("error", str(problem))]
    return [Finding("warning", message) for message in warnings]


def _ignored(found: CorpusFolder) -> Iterator[str]:
    """What lies in the folder and is not read."""
    for name in (folder.REFERENCES, folder.SYSTEMS):
        read = {file.path for file in found.texts(name).values()}
        for path in sorted((found.path / name).glob("[!.]*")):
            if path not in read:
                yield f"{name}/{path.name} is not read: file names there end in .txt or .txt.gz."
    if info := found.one_of(folder.INFO):
        for key in sorted(set(folder.parse_toml(info)) - set(folder.INFO_KEYS)):
            yield f"{folder.INFO}: {key!r} has no meaning. There are: {', '.join(folder.INFO_KEYS)}."


def oddities(corpus: Corpus) -> Iterator[str]:
    """What is odd about a corpus that can be loaded."""
    yield from _empty(corpus)
    yield from _identical(corpus)
    yield from _untouched(corpus)
    yield from suspicions.mismatches(corpus)
    yield from _without_outputs(corpus)


def _empty(corpus: Corpus) -> Iterator[str]:
    texts = {"source": [sentence.source for sentence in corpus.sentences], **corpus.systems}
    for name, lines in texts.items():
        empty = [number for number, line in enumerate(lines, 1) if not line]
        if empty:
            yield f"{name}: {counted(len(empty), 'empty line')}, the first is line {empty[0]}."


def _identical(corpus: Corpus) -> Iterator[str]:
    same: dict[tuple[str, ...], list[str]] = {}
    for name, outputs in corpus.systems.items():
        same.setdefault(outputs, []).append(name)
    for names in same.values():
        if len(names) > 1:
            yield f"{' and '.join(names)} have the same output for every sentence."


def _untouched(corpus: Corpus) -> Iterator[str]:
    pairs = [(reference, sentence.source) for sentence in corpus.sentences for reference in sentence.references]
    if pairs and all(reference == source for reference, source in pairs):
        yield "Every reference equals its source: nothing is there to correct."


def without_systems(corpus: Corpus) -> Iterator[str]:
    """A corpus without systems is none the worse for it, but there is nothing to score."""
    if not corpus.systems:
        yield f"There are no system outputs to score: put one file a system into {folder.SYSTEMS}/."


def _without_outputs(corpus: Corpus) -> Iterator[str]:
    judged = corpus.judgments.systems if corpus.judgments else ()
    for speaks, names in (("The judgments speak", judged), (f"{folder.HUMAN} speaks", corpus.human or ())):
        missing = sorted(set(names) - set(corpus.systems))
        if missing:
            yield f"{speaks} of {', '.join(missing)}, for which there are no outputs."


LONGEST = 60
RESERVED = frozenset({"–", "-", "source", "reference", "references", "judges", "the judges", "people"})
"""Words that stand for something else in lists, tables or on the command line."""
_ENDINGS = (".gz", ".zip", ".txt", ".tsv", ".csv", ".json", ".m2", ".out", ".hyp", ".pred", ".tok")
_FORBIDDEN = '/\\\t"'


def suggest_name(file: str, taken: Collection[str] = ()) -> str:
    """A name made from that of a file, unlike those that are taken."""
    name = PureWindowsPath(PurePosixPath(file).name).name
    while name.lower().endswith(_ENDINGS):
        name = name[: name.rindex(".")]
    kept = "".join(" " if character in _FORBIDDEN or not character.isprintable() else character for character in name)
    base = " ".join(kept.split()).lstrip(".")[: LONGEST - 4].strip() or "mine"
    numbered = (base if number == 1 else f"{base}-{number}" for number in range(1, len(taken) + len(RESERVED) + 3))
    return next(name for name in numbered if not name_problem(name, taken))


def name_problem(name: str, taken: Collection[str] = ()) -> str:
    """What speaks against a name; empty if it will do. Names become file names, on any machine."""
    if not name.strip():
        return "Give it a name."
    if name != " ".join(name.split()) or any(character in _FORBIDDEN for character in name) or not name.isprintable():
        return f"{name!r}: leave out slashes, quotation marks, line ends, and spaces at the ends."
    if name.startswith("."):
        return f"{name!r}: a name does not begin with a dot."
    if len(name) > LONGEST:
        return f"{name[:20]!r}…: {len(name)} characters; a name has at most {LONGEST}."
    if name.casefold() in RESERVED:
        return f"{name!r} has a meaning of its own here. Choose another name."
    if name.casefold() in {one.casefold() for one in taken}:
        return f"There is already one called {name!r}. Choose another name."
    return ""


@dataclass(frozen=True, slots=True)
class Summary:
    """How much of everything a corpus has."""

    sentences: int
    tokens: int
    references: int
    """References a sentence."""
    annotators: int
    edits: int
    """Gold edits of all annotators together."""
    systems: int
    judgments: int
    judges: int


def summarise(corpus: Corpus) -> Summary:
    """Count what is in a corpus."""
    annotations = [annotation for sentence in corpus.sentences for annotation in sentence.annotations]
    return Summary(
        sentences=len(corpus),
        tokens=sum(len(sentence.tokens) for sentence in corpus.sentences),
        references=len(corpus.sentences[0].references),
        annotators=len({annotation.annotator for annotation in annotations}),
        edits=sum(len(annotation.edits) for annotation in annotations),
        systems=len(corpus.systems),
        judgments=len(corpus.judgments.items) if corpus.judgments else 0,
        judges=len(corpus.judgments.judges) if corpus.judgments else 0,
    )
