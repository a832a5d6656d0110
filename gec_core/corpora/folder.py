"""The corpus folder.

    source.txt                       one tokenised sentence a line (may be left out if there is gold)
    references/*.txt                 corrected sentences, one file a reference
    gold.m2 or gold.xml              gold edits (M2, or the XML of I-measure)
    systems/*.txt                    outputs, one file a system, named after it
    judgments.xml or judgments.csv   rankings by people
    human.tsv                        a ranking by people as plain scores
    corpus.toml                      title (or name), language, licence, citation, notice

At least one of references and gold is needed, the rest is optional. Every file may be compressed
(`source.txt.gz`).
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gec_core.corpora import judgments
from gec_core.corpora.assemble import assemble
from gec_core.corpora.text import ANY, Limits, TextFile
from gec_core.errors import CorpusError
from gec_core.types import Corpus, CorpusInfo, Judgments

SOURCE = "source.txt"
GOLD = ("gold.m2", "gold.xml")
JUDGMENTS = {"judgments.xml": judgments.read_rankings, "judgments.csv": judgments.read_pairs}
HUMAN = "human.tsv"
INFO = "corpus.toml"
REFERENCES = "references"
SYSTEMS = "systems"
INFO_KEYS = ("title", "name", "language", "licence", "citation", "notice")
_TEXT = re.compile(r"(?P<stem>[^.].*)\.txt(\.gz)?")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class CorpusFolder:
    """A folder laid out as above, what the corpus is called, and what messages call the folder."""

    path: Path
    name: str
    label: str
    limits: Limits = ANY

    @classmethod
    def at(cls, path: str | Path) -> CorpusFolder:
        return cls(Path(path), Path(path).resolve().name, str(path))

    def load(self) -> Corpus:
        """The corpus, or an error that names the file that is not right."""
        return assemble(
            self.name,
            source=self.one_of(SOURCE),
            references=list(self.texts(REFERENCES).values()),
            gold=self.one_of(*GOLD),
            systems=self.texts(SYSTEMS),
            judgments=self._read_judgments(),
            human=_read(self.one_of(HUMAN), judgments.read_scores),
            info=_read(self.one_of(INFO), _read_info),
        )

    def file(self, path: Path) -> TextFile:
        return TextFile(path, f"{self.label}/{path.relative_to(self.path).as_posix()}", self.limits)

    def one_of(self, *names: str) -> TextFile | None:
        """The file that has one of these names, compressed or not; two of them would contradict each other."""
        found = [self.path / variant for name in names for variant in (name, f"{name}.gz")]
        found = [path for path in found if path.is_file()]
        if len(found) > 1:
            raise self.file(found[1]).error(f"{found[0].name} is there, too. Keep one of the two.")
        return self.file(found[0]) if found else None

    def texts(self, folder: str) -> dict[str, TextFile]:
        """The text files of a subfolder by their names without endings; ref2 comes before ref10."""
        files: dict[str, TextFile] = {}
        for path in sorted((self.path / folder).glob("*"), key=lambda path: _natural(path.name)):
            if match := _TEXT.fullmatch(path.name):
                if match["stem"] in files:
                    raise self.file(path).error(f"{match['stem']}.txt is there, too. Keep one of the two.")
                files[match["stem"]] = self.file(path)
        return files

    def _read_judgments(self) -> Judgments | None:
        file = self.one_of(*JUDGMENTS)
        return JUDGMENTS[file.path.name.removesuffix(".gz")](file) if file else None


def is_corpus(path: Path) -> bool:
    """Whether a folder looks like a corpus: it has sources."""
    return any(os.path.isfile(path / f"{name}{gz}") for name in (SOURCE, *GOLD) for gz in ("", ".gz"))


def not_a_corpus(label: str) -> CorpusError:
    return CorpusError(f"{label}: not a corpus folder. There is neither {SOURCE} nor {' nor '.join(GOLD)} in it.")


def read_info(folder: Path) -> CorpusInfo:
    """What a corpus says about itself, without reading the rest of it."""
    return _read(CorpusFolder.at(folder).one_of(INFO), _read_info) or CorpusInfo()


def parse_toml(file: TextFile) -> dict[str, object]:
    try:
        return tomllib.loads(file.text())
    except (ValueError, RecursionError) as problem:
        raise file.error(f"not a TOML file: {problem}.") from None


def _read(file: TextFile | None, reader: Callable[[TextFile], Value]) -> Value | None:
    return reader(file) if file else None


def _read_info(file: TextFile) -> CorpusInfo:
    values = parse_toml(file)
    said: dict[str, str] = {}
    for key in INFO_KEYS:
        value = values.get(key, "")
        if not isinstance(value, str):
            raise file.error(f"{key} is {value!r}; expected text in quotes.")
        said[key] = value
    title = said.pop("name")
    said["title"] = said["title"] or title
    return CorpusInfo(**{key: value for key, value in said.items() if value})


def _natural(name: str) -> list[str | int]:
    """A sorting key under which numbers inside names count as numbers."""
    return [int(part) if index % 2 else part for index, part in enumerate(re.split(r"([0-9]+)", name))]
