"""The judged corpora that can be downloaded besides CoNLL-2014: what their folders consist of.

Every file of a corpus folder is named with its place in its authors' repository. `sums.tsv` (data/corpora) has a
SHA-256 of each, after white space was made uniform in texts. Several of the repositories state no licence.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gec_core.corpora.ratings import RatedOutput, placed, read_tmu
from gec_core.corpora.text import TextFile
from gec_core.environment import bundled
from gec_core.types import CorpusInfo

_NO_LICENCE = "No licence is stated in the repository; the texts belong to their authors."
_GITHUB = "https://github.com"
_SEEDA = f"{_GITHUB}/tmu-nlp/SEEDA/archive/0c6c07f9.tar.gz"
_GMEG = f"{_GITHUB}/grammarly/GMEG/archive/83be7cd0.tar.gz"
_TMU = f"{_GITHUB}/tmu-nlp/TMU-GFM-Dataset/archive/e22b35502e0fcdbf79bfe2a2bc1771c7ad301786.tar.gz"
_CONLL14 = "https://www.comp.nus.edu.sg/~nlp/conll14st/conll14st-test-data.tar.gz"
_CHOLLAMPATT = f"{_GITHUB}/nusnlp/gecmetrics/archive/68414aaa2bbdc669daa6a63efa049d5e7cd7c282.tar.gz"
_BASE = (
    "BART",
    "BERT-fuse",
    "GECToR-BERT",
    "GECToR-ens",
    "LM-Critic",
    "PIE",
    "REF-M",
    "Riken-Tohoku",
    "T5",
    "TemplateGEC",
    "TransGEC",
    "UEDIN-MS",
)
SEEDA_SETS = {
    "base": _BASE,
    "+INPUT": (*_BASE, "INPUT"),
    "+fluency": (*_BASE, "REF-F", "GPT-3.5"),
    "all": (*_BASE, "INPUT", "REF-F", "GPT-3.5"),
}
_SEEDA_TOML = """
[human.edit]
title = "edit-based rankings"
citation = "Kobayashi et al. 2024"

[human.sent]
title = "sentence-based rankings"
citation = "Kobayashi et al. 2024"
"""
_GMEG_TOML = """
[human.ratings]
title = "ratings from 0 to 100"
citation = "Napoles et al. 2019"
names = { source = "INPUT" }
"""
_TMU_TOML = """
[human.gfm]
title = "ratings from 1 to 4"
citation = "Yoshimura et al. 2020"
"""
_OF_2014 = frozenset(
    ("AMU", "CAMB", "CUUI", "IITB", "INPUT", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU", "UFC", "UMC")
)
_OF_NAPOLES = _OF_2014 | {"src", "refmix1"}
_RAW = (".xml", ".csv")
"""Files that are kept as they are; white space is made uniform in the others."""


@dataclass(frozen=True)
class Member:
    """A file of a corpus folder: where it is published, and under which names it may be found on a machine."""

    archive: str
    path: str
    """Its path inside the archive, without the first folder."""
    also: tuple[str, ...] = ()
    """Other paths under which `corpora build` finds it."""


@dataclass(frozen=True)
class PublishedCorpus:
    """A corpus made from the files of one or more repositories."""

    info: CorpusInfo
    members: Mapping[str, Member]
    """By the name in the corpus folder."""
    toml: str = ""
    """The tables of corpus.toml about judgments."""
    system_sets: Mapping[str, tuple[str, ...]] | None = None
    folders: Mapping[str, Member] | None = None
    """Folders of files, by the name in the corpus folder."""
    make: Callable[[Path], None] = lambda folder: None
    """Makes files from those that were published."""


@dataclass(frozen=True)
class JudgedFile:
    """A published file of judgments, by which one that was cut off is recognised."""

    title: str
    kind: str
    judges: frozenset[str]
    systems: frozenset[str]
    items: int
    """Rankings, those without any output included."""


JUDGED = (
    JudgedFile(
        "the file of Grundkiewicz et al. 2015",
        "rankings",
        frozenset(f"annotator0{number}" for number in range(1, 9)),
        _OF_2014,
        2319,
    ),
    JudgedFile(
        "the file of Napoles et al. 2015",
        "rankings",
        frozenset(("annot1", "annot2", "annot3", "non-native")),
        _OF_NAPOLES,
        1534,
    ),
    JudgedFile(
        "the file of Napoles et al. 2015", "pairs", frozenset(("annot1", "annot2", "annot3")), _OF_NAPOLES, 1136
    ),
    JudgedFile(
        "SEEDA's file",
        "rankings",
        frozenset(("annotator1", "annotator2", "annotator3")),
        frozenset(SEEDA_SETS["all"]),
        600,
    ),
)


def sums(name: str) -> dict[str, str]:
    """The SHA-256 of every file of a corpus folder; of a folder, that of its names and sums."""
    return _all_sums().get(name, {})


def digest(path: Path) -> str:
    """The SHA-256 of a file, or of the names and sums of the files of a folder."""
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.is_file())
        lines = "".join(f"{each.relative_to(path).as_posix()} {digest(each)}\n" for each in files)
        return hashlib.sha256(lines.encode()).hexdigest()
    return hashlib.sha256(path.read_bytes()).hexdigest()


def is_raw(name: str) -> bool:
    """Whether a file is kept as it is."""
    return name.endswith(_RAW)


@cache
def _all_sums() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    path = bundled("data", "corpora", "sums.tsv")
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                found.setdefault(row["corpus"], {})[row["file"]] = row["sha256"]
    return found


def _seeda() -> PublishedCorpus:
    outputs = {f"systems/{name}.txt": Member(_SEEDA, f"outputs/all/{name}.txt") for name in sorted(SEEDA_SETS["all"])}
    return PublishedCorpus(
        CorpusInfo(
            title="SEEDA: 15 systems on CoNLL-2014, judged sentence by sentence and edit by edit",
            licence=_NO_LICENCE,
            citation="Kobayashi, Mita and Komachi 2024 (outputs and judgments); Ng et al. 2014 (test set)",
        ),
        {
            "gold.m2": Member(
                _CONLL14, "noalt/official-2014.combined.m2", ("conll14/gold.m2", "official-2014.combined.m2")
            ),
            "references/ref0.txt": Member(
                _CHOLLAMPATT, "data/conll14st-test/refs/conll14st-test.tok.trg0", ("conll14/references/ref0.txt",)
            ),
            "references/ref1.txt": Member(
                _CHOLLAMPATT, "data/conll14st-test/refs/conll14st-test.tok.trg1", ("conll14/references/ref1.txt",)
            ),
            "human/edit.xml": Member(_SEEDA, "data/judgments_edit.xml"),
            "human/sent.xml": Member(_SEEDA, "data/judgments_sent.xml"),
            **outputs,
        },
        _SEEDA_TOML,
        SEEDA_SETS,
        {"human/edits": Member(_SEEDA, "data/EditEval_Step1")},
    )


def _gmeg(domain: str, what: str) -> PublishedCorpus:
    texts = f"data/dev/{domain}"
    systems = {
        f"systems/{name}.txt": Member(_GMEG, f"{texts}/{name}")
        for name in ("amu", "lstm", "lstm-r", "marian", "nus", "transformer")
    }
    return PublishedCorpus(
        CorpusInfo(
            title=f"GMEG, {what}: six systems, rated from 0 to 100",
            licence=_NO_LICENCE,
            citation="Napoles, Nădejde and Tetreault 2019",
        ),
        {
            "source.txt": Member(_GMEG, f"{texts}/source"),
            "systems/INPUT.txt": Member(_GMEG, f"{texts}/source"),
            **systems,
            **{f"references/ref{number}.txt": Member(_GMEG, f"{texts}/ref{number}") for number in range(4)},
            "human/ratings.csv": Member(_GMEG, f"{texts}-segment-scores.csv"),
        },
        _GMEG_TOML,
    )


def _make_tmu(folder: Path) -> None:
    """The sources and outputs of TMU-GFM; sentences for which a system has no output are left out."""
    rows = read_tmu(TextFile(folder / "human" / "gfm.csv", "tmu-gfm-dataset.csv"))
    systems = sorted({name for row in rows for name in row.systems})
    kept: list[tuple[str, dict[str, RatedOutput]]] = [
        (source, by_system) for source, by_system in placed(rows) if len(by_system) == len(systems)
    ]
    (folder / "systems").mkdir()
    (folder / "source.txt").write_text("".join(f"{source}\n" for source, _ in kept), encoding="utf-8", newline="\n")
    for name in systems:
        text = "".join(f"{by_system[name].output}\n" for _, by_system in kept)
        (folder / "systems" / f"{name}.txt").write_text(text, encoding="utf-8", newline="\n")


PUBLISHED: Mapping[str, PublishedCorpus] = {
    "seeda": _seeda(),
    "gmeg-fce": _gmeg("fce", "learners' essays"),
    "gmeg-wiki": _gmeg("wiki", "Wikipedia"),
    "tmu-gfm": PublishedCorpus(
        CorpusInfo(
            title="TMU-GFM: five systems, rated for grammaticality, fluency and meaning",
            licence=_NO_LICENCE,
            citation="Yoshimura, Kaneko, Kajiwara and Komachi 2020",
            notice="Untokenised, without references. Of 1,381 sentences, 7 for which a system has no output are left "
            "out.",
        ),
        {"human/gfm.csv": Member(_TMU, "tmu-gfm-dataset.csv")},
        _TMU_TOML,
        make=_make_tmu,
    ),
}
