"""What is wrong with a corpus, and what is merely odd about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gec_core.corpora import folder, tokenisation
from gec_core.corpora.folder import CorpusFolder
from gec_core.corpora.locate import located
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
    yield from tokenisation.mismatches(corpus)
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
