"""Read and write the corpus folder.

    source.txt                       one tokenised sentence per line (optional if there is a gold file)
    references/*.txt                 corrected sentences, one file per reference
    gold.m2 or gold.xml              gold edits (M2, or the XML of I-measure)
    systems/*.txt                    outputs, one file per system, named after it
    judgments.xml or judgments.csv   rankings by people
    human/                           more sets of judgments (`judgment_sets` says which)
    human.tsv                        a ranking by people as plain scores
    corpus.toml                      title (or name), language, licence, citation, notice; [human.NAME] about a set of
                                     judgments; [systems] with named sets of systems: base = ["A", "B"]

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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from gec_core.corpora import edit_verdicts, imeasure_xml, judgment_sets, judgments, m2, ratings
from gec_core.corpora.assemble import assemble, gold_from_references
from gec_core.corpora.text import ANY, Limits, TextFile
from gec_core.errors import CorpusError
from gec_core.types import Corpus, CorpusInfo, Sentence

SOURCE = "source.txt"
GOLD = ("gold.m2", "gold.xml")
JUDGMENTS = ("judgments.xml", "judgments.csv")
HUMAN = "human.tsv"
INFO = "corpus.toml"
REFERENCES = "references"
SYSTEMS = "systems"
INFO_KEYS = ("title", "name", "language", "licence", "citation", "notice")
TABLES = (judgment_sets.FOLDER, SYSTEMS)
"""The tables of corpus.toml."""
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
        corpus = assemble(
            self.name,
            source=self.one_of(SOURCE),
            references=list(self.texts(REFERENCES).values()),
            gold=self.one_of(*GOLD),
            systems=self.texts(SYSTEMS),
            human=_read(self.one_of(HUMAN), judgments.read_scores),
            info=_read(self.one_of(INFO), _read_info),
        )
        people = self.read_human(corpus)
        first = next(iter(people.sets.values()), None)
        return replace(
            corpus,
            judgments=first.judgments if first else None,
            judgment_sets=people.sets,
            chosen_set=first.id if first else "",
            verdicts=people.verdicts,
            system_sets=self._system_sets(),
        )

    def read_human(self, corpus: Corpus) -> judgment_sets.HumanJudgments:
        """The sets of judgments and the verdicts on edits, which are checked against the texts of the corpus."""
        found, marked = judgment_sets.found_in(self.path)
        files = {judgment_sets.stem(path): self.file(path) for path in found}
        if usual := self.one_of(*JUDGMENTS):
            files = {judgment_sets.USUAL: usual} | files
        info = self.one_of(INFO)
        about = parse_toml(info).get(judgment_sets.FOLDER, {}) if info else {}
        return judgment_sets.read(
            files,
            {name: [(path.parent.name, self.file(path)) for path in paths] for name, paths in marked.items()},
            judgment_sets.read_about(info, about) if info else {},
            [sentence.source for sentence in corpus.sentences],
            corpus.systems,
        )

    def _system_sets(self) -> dict[str, tuple[str, ...]]:
        info = self.one_of(INFO)
        told = parse_toml(info).get(SYSTEMS, {}) if info else {}
        if not isinstance(told, dict) or not all(
            isinstance(each, list) and all(isinstance(name, str) for name in each) for each in told.values()
        ):
            assert info is not None
            raise info.error('systems must be a table of named sets, such as base = ["A", "B"].')
        return {name: tuple(each) for name, each in told.items()}

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
    files |= _human_files(corpus)
    if corpus.human:
        files[HUMAN] = judgments.write_scores(corpus.human)
    return files


def _human_files(corpus: Corpus) -> dict[str, str]:
    """The files of judgments and verdicts; corpus.toml names their sets, beginning with the chosen one."""
    files = {}
    sets = {id: each for id, each in corpus.judgment_sets.items() if id == corpus.chosen_set} | dict(
        corpus.judgment_sets
    )
    if corpus.judgments is not None and not sets:
        return {"judgments.xml": judgments.write_rankings(corpus.judgments)}
    for id, each in sets.items():
        name = f"{judgment_sets.FOLDER}/{file_name(id)}"
        if id == judgment_sets.USUAL and not each.ratings:
            files["judgments.xml"] = judgments.write_rankings(each.judgments)
        elif each.ratings:
            files[f"{name}.csv"] = ratings.write({"": each.ratings})
        else:
            files[f"{name}.xml"] = judgments.write_rankings(each.judgments)
    if corpus.verdicts:
        files[f"{judgment_sets.FOLDER}/edits.tsv"] = edit_verdicts.write_table(corpus.verdicts)
    if sets.keys() - {judgment_sets.USUAL} or any(each.title for each in sets.values()) or corpus.system_sets:
        systems = "".join(
            f"{_toml_string(name)} = [{', '.join(map(_toml_string, each))}]\n"
            for name, each in corpus.system_sets.items()
        )
        files[INFO] = info_text(corpus.info) + (f"\n[{SYSTEMS}]\n{systems}" if systems else "")
        files[INFO] += judgment_sets.about_toml(sets)
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
