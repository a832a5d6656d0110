"""Folders of the corpora that people judged, laid out as the project's, from the files that their authors published."""

import shutil
from pathlib import Path

import pytest
from conftest import SHARED

DATA = SHARED / "data"
needs_judged = pytest.mark.skipif(
    not (DATA / "seeda").is_dir(), reason="the judged corpora are not here (looked for ../shared/data)"
)


def seeda(folder: Path, outputs: str = "all") -> Path:
    """SEEDA without its verdicts on edits; `outputs` names the folder of outputs."""
    copy(DATA / "conll14" / "gold.m2", folder / "gold.m2")
    copy(DATA / "conll14" / "references", folder / "references")
    copy(DATA / "seeda" / "outputs" / outputs, folder / "systems")
    for part in ("edit", "sent"):
        copy(DATA / "seeda" / "data" / f"judgments_{part}.xml", folder / "human" / f"{part}.xml")
    return folder


def conll14(folder: Path, judgments: Path, name: str) -> Path:
    """CoNLL-2014's outputs with one file of judgments."""
    copy(DATA / "conll14" / "source.txt", folder / "source.txt")
    copy(DATA / "conll14" / "systems", folder / "systems")
    copy(judgments, folder / "human" / name)
    (folder / "corpus.toml").write_text(f'[human.{Path(name).stem}]\nnames = {{ src = "INPUT" }}\n', encoding="utf-8")
    return folder


def gmeg(folder: Path, domain: str) -> Path:
    """One domain of GMEG."""
    texts = DATA / "gmeg" / "data" / "dev" / domain
    for name in ("amu", "lstm", "lstm-r", "marian", "nus", "transformer"):
        copy(texts / name, folder / "systems" / f"{name}.txt")
    copy(texts / "source", folder / "systems" / "INPUT.txt")
    copy(texts / "source", folder / "source.txt")
    copy(texts.parent / f"{domain}-segment-scores.csv", folder / "human" / "ratings.csv")
    (folder / "corpus.toml").write_text('[human.ratings]\nnames = { source = "INPUT" }\n', encoding="utf-8")
    return folder


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        target.mkdir(exist_ok=True)
        for path in source.iterdir():
            shutil.copyfile(path, target / path.name)
    else:
        shutil.copyfile(source, target)
