"""Write a corpus as a corpus folder or a zip file, completely or not at all."""

from __future__ import annotations

import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gec_core.corpora import folder, imeasure_xml, judgments, m2
from gec_core.corpora.assemble import gold_from_references
from gec_core.errors import CorpusError
from gec_core.types import Corpus, CorpusInfo, Sentence


def save(corpus: Corpus, target: str | Path) -> None:
    """Write the corpus into a new folder, all of it or nothing.

    It is read back before it counts as saved: what a format cannot express (a system name with a
    slash, a judge's ranking of a system whose name has a space) is refused rather than changed.
    """
    with new_folder(Path(target)) as staging:
        for name, text in _files(corpus).items():
            path = staging / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        written = folder.CorpusFolder(staging, corpus.name, str(target)).load()
        if written.fingerprint != corpus.fingerprint:
            raise CorpusError(f"{corpus.name}: a corpus folder cannot hold it without loss. Nothing was written.")


def zipped(corpus: Corpus) -> bytes:
    """The corpus folder as a zip file, to be unpacked or opened as it is; refuses what `save` refuses."""
    with tempfile.TemporaryDirectory(prefix="gec-lens-") as temporary:
        root = Path(temporary) / "corpus"
        save(corpus, root)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(path for path in root.rglob("*") if path.is_file()):
                archive.write(path, f"{_file_name(corpus.name)}/{path.relative_to(root).as_posix()}")
    return packed.getvalue()


def _files(corpus: Corpus) -> dict[str, str]:
    files = {
        folder.SOURCE: _text(sentence.source for sentence in corpus.sentences),
        folder.INFO: info_text(corpus.info),
    }
    for number, lines in enumerate(_references(corpus)):
        files[f"{folder.REFERENCES}/ref{number}.txt"] = _text(lines)
    for system, outputs in corpus.systems.items():
        files[f"{folder.SYSTEMS}/{_file_name(system)}.txt"] = _text(outputs)
    if any(sentence.errors is not None for sentence in corpus.sentences):
        files["gold.xml"] = imeasure_xml.write(corpus.sentences)
    elif not all(_is_derived(sentence) for sentence in corpus.sentences):
        files["gold.m2"] = m2.write(corpus.sentences)
    if corpus.judgments is not None:
        files["judgments.xml"] = judgments.write_rankings(corpus.judgments)
    if corpus.human:
        files[folder.HUMAN] = judgments.write_scores(corpus.human)
    return files


def _references(corpus: Corpus) -> Sequence[Sequence[str]]:
    try:
        return list(zip(*(sentence.references for sentence in corpus.sentences), strict=True))
    except ValueError:
        raise CorpusError(f"{corpus.name}: sentences with different numbers of references cannot be saved.") from None


def _is_derived(sentence: Sentence) -> bool:
    """Whether the gold edits say no more than the references do."""
    return sentence.annotations == gold_from_references(sentence.source, sentence.references)


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _file_name(system: str) -> str:
    if not system or Path(system).name != system or system.startswith(".") or "\\" in system:
        raise CorpusError(f"{system!r} cannot name a file. Rename the system: no slash, and no dot at the start.")
    return system


def info_text(info: CorpusInfo) -> str:
    """The text of a corpus.toml."""
    keys = [key for key in folder.INFO_KEYS if key != "name"]
    return "".join(f"{key} = {_toml_string(getattr(info, key))}\n" for key in keys)


def _toml_string(text: str) -> str:
    """JSON's string literals are TOML's, but for the delete character, which TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """An empty folder to fill, which becomes `target` when all went well and vanishes when not.

    It lies beside the target, so that renaming it is one step for anybody who looks.
    """
    if target.exists():
        raise CorpusError(f"{target} is already there. Choose another name, or remove it first.")
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
