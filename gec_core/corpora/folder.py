"""Read and write the corpus folder.

    source.txt                       one tokenised sentence per line (optional if there is a gold file)
    references/*.txt                 corrected sentences, one file per reference
    gold.m2 or gold.xml              gold edits (M2, or the XML of I-measure)
    systems/*.txt                    outputs, one file per system, named after it
    judgments.xml or judgments.csv   rankings by people
    human.tsv                        a ranking by people as plain scores
    corpus.toml                      title (or name), language, licence, citation, notice

Sources are needed, from source.txt or the gold file; the rest is optional. Every file may be compressed
(`source.txt.gz`).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gec_core.corpora import imeasure_xml, judgments, m2
from gec_core.corpora.assemble import assemble, gold_from_references
from gec_core.corpora.text import ANY, Limits, TextFile
from gec_core.errors import CorpusError
from gec_core.types import Corpus, CorpusInfo, Judgments, Sentence

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
    """A folder laid out as above, the name of the corpus, and the name of the folder in messages."""

    path: Path
    name: str
    label: str
    limits: Limits = ANY

    @classmethod
    def at(cls, path: str | Path) -> CorpusFolder:
        return cls(Path(path), Path(path).resolve().name, str(path))

    def load(self) -> Corpus:
        """Read the corpus.

        Raises:
            CorpusError: A file is missing or wrong; the message names it.
        """
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
        """The file that has one of these names, compressed or not.

        Raises:
            CorpusError: There are two of them.
        """
        found = [self.path / variant for name in names for variant in (name, f"{name}.gz")]
        found = [path for path in found if path.is_file()]
        if len(found) > 1:
            raise self.file(found[1]).error(f"there is {found[0].name}, too. Keep one of the two.")
        return self.file(found[0]) if found else None

    def texts(self, folder: str) -> dict[str, TextFile]:
        """The text files of a subfolder by their names without suffixes; ref2 comes before ref10."""
        files: dict[str, TextFile] = {}
        for path in sorted((self.path / folder).glob("*"), key=lambda path: _natural(path.name)):
            if match := _TEXT.fullmatch(path.name):
                if match["stem"] in files:
                    raise self.file(path).error(f"there is {match['stem']}.txt, too. Keep one of the two.")
                files[match["stem"]] = self.file(path)
        return files

    def _read_judgments(self) -> Judgments | None:
        file = self.one_of(*JUDGMENTS)
        return JUDGMENTS[file.path.name.removesuffix(".gz")](file) if file else None


def is_corpus(path: Path) -> bool:
    """Whether a folder looks like a corpus: it has a file of sources or gold edits."""
    return any(os.path.isfile(path / f"{name}{gz}") for name in (SOURCE, *GOLD) for gz in ("", ".gz"))


def not_a_corpus(label: str) -> CorpusError:
    """The error about a folder that is none."""
    return CorpusError(f"{label}: not a corpus folder. It has neither {SOURCE} nor {' nor '.join(GOLD)}.")


def read_info(folder: Path) -> CorpusInfo:
    """The content of corpus.toml, without reading the rest of the corpus."""
    return _read(CorpusFolder.at(folder).one_of(INFO), _read_info) or CorpusInfo()


def info_text(info: CorpusInfo) -> str:
    """The text of a corpus.toml."""
    keys = [key for key in INFO_KEYS if key != "name"]
    return "".join(f"{key} = {_toml_string(getattr(info, key))}\n" for key in keys)


def file_name(name: str) -> str:
    """The name of a system or corpus, if a file can have it."""
    if not name or Path(name).name != name or name.startswith(".") or "\\" in name:
        raise CorpusError(f"{name!r} cannot name a file. Rename it: no slash, and no dot at the start.")
    return name


def parse_toml(file: TextFile) -> dict[str, object]:
    try:
        return tomllib.loads(file.text())
    except (ValueError, RecursionError) as problem:
        raise file.error(f"not a TOML file ({problem}).") from None


def save(corpus: Corpus, target: str | Path) -> None:
    """Write a corpus into a new folder, completely or not at all.

    The folder is read back and compared: a corpus that the formats cannot express (a system name with a slash, a
    judge's ranking of a system whose name has a space) is refused rather than changed.

    Raises:
        CorpusError: The folder exists or cannot be written, or it cannot hold the corpus without loss.
    """
    with new_folder(Path(target)) as staging:
        for name, text in _files(corpus).items():
            path = staging / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        written = CorpusFolder(staging, corpus.name, str(target)).load()
        if written.fingerprint != corpus.fingerprint:
            raise CorpusError(f"{corpus.name}: a corpus folder cannot hold it without loss. Nothing was written.")


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """An empty folder to fill, which is renamed to `target` on success and removed on failure.

    It is made beside the target, so that renaming it is atomic.
    """
    if target.exists():
        raise CorpusError(f"{target}: already exists. Choose another name, or remove it first.")
    staging: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        yield staging
        staging.chmod(0o755)
        staging.rename(target)
    except OSError as problem:
        raise CorpusError(f"{target}: cannot be written ({problem.strerror}). Nothing was left behind.") from problem
    finally:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)


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
    """A sort key that compares numbers inside names as numbers."""
    return [int(part) if index % 2 else part for index, part in enumerate(re.split(r"([0-9]+)", name))]


def _files(corpus: Corpus) -> dict[str, str]:
    """The text of every file of the folder."""
    files = {SOURCE: _text(sentence.source for sentence in corpus.sentences), INFO: info_text(corpus.info)}
    for number, lines in enumerate(_references(corpus)):
        files[f"{REFERENCES}/ref{number}.txt"] = _text(lines)
    for system, outputs in corpus.systems.items():
        files[f"{SYSTEMS}/{file_name(system)}.txt"] = _text(outputs)
    if any(sentence.errors is not None for sentence in corpus.sentences):
        files["gold.xml"] = imeasure_xml.write(corpus.sentences)
    elif not all(_is_derived(sentence) for sentence in corpus.sentences):
        files["gold.m2"] = m2.write(corpus.sentences)
    if corpus.judgments is not None:
        files["judgments.xml"] = judgments.write_rankings(corpus.judgments)
    if corpus.human:
        files[HUMAN] = judgments.write_scores(corpus.human)
    return files


def _references(corpus: Corpus) -> Sequence[Sequence[str]]:
    try:
        return list(zip(*(sentence.references for sentence in corpus.sentences), strict=True))
    except ValueError:
        raise CorpusError(
            f"{corpus.name}: its sentences have different numbers of references, which a corpus folder cannot hold."
        ) from None


def _is_derived(sentence: Sentence) -> bool:
    """Whether the gold edits are the token differences of the references."""
    return sentence.annotations == gold_from_references(sentence.source, sentence.references)


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _toml_string(text: str) -> str:
    """A TOML string literal: JSON's, with the delete character escaped, too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
