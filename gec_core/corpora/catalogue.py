"""The catalogue: corpora known by name, where they are on this machine, and where their files are published.

`demo` comes with the project. Others are in the folders named in GEC_LENS_DATA (each a corpus, or a folder of
corpora), or in the download folder of `corpora fetch`.

The addresses are those of the authors. An archive may be packed again without its texts changing, so checksums are
of the files of the corpus folder, with single spaces and Unix line ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gec_core.corpora import archive
from gec_core.corpora.folder import CorpusFolder, is_corpus, not_a_corpus, read_info
from gec_core.corpora.published_corpora import PUBLISHED
from gec_core.environment import bundled, data_folder, expanded, how_to_run
from gec_core.errors import CorpusError
from gec_core.types import CorpusInfo


@dataclass(frozen=True, slots=True)
class Download:
    """A file to download, and the files of the corpus folder that it contains."""

    address: str
    files: Mapping[str, str]
    """Name in the corpus folder: path inside the tar.gz, or empty for the downloaded file itself."""

    @property
    def file(self) -> str:
        """The name of the downloaded file."""
        return PurePosixPath(self.address).name


@dataclass(frozen=True, slots=True)
class Manifest:
    """A corpus that can be downloaded."""

    info: CorpusInfo
    downloads: tuple[Download, ...]
    copies_of_source: tuple[str, ...]
    """Files made from the source sentences of gold.m2, which are not published as files of their own."""
    sums: Mapping[str, str]
    """SHA-256 of every file of the corpus folder."""
    toml: str = ""
    """The tables of corpus.toml about judgments."""

    def by_hand(self) -> str:
        """Instructions for a person for whom the download does not work."""
        lines = [
            "By hand: download these, put the files into a folder with the name of the corpus, and set the variable",
            "GEC_LENS_DATA to that folder.",
        ]
        for download in self.downloads:
            files = (f"{member} as {file}" if member else f"as {file}" for file, member in download.files.items())
            lines += [f"  {download.address}", f"    {', '.join(files)}"]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Entry:
    """A corpus of the catalogue: its folder, or how to get it."""

    name: str
    title: str
    path: Path | None
    how: str = ""


_NUS = "https://www.comp.nus.edu.sg/~nlp/conll14st"
_GRUNDKIEWICZ = "https://raw.githubusercontent.com/grammatical/evaluation/c85e1bd4869a53af213f685528d0426a14fe5cad"
_CHOLLAMPATT = "https://raw.githubusercontent.com/nusnlp/gecmetrics/68414aaa2bbdc669daa6a63efa049d5e7cd7c282"
_NAPOLES = "https://raw.githubusercontent.com/cnap/gec-ranking/50b5032a4ef2444b9381fb47a55b3bac0654a6d7"
_SYSTEMS = ("AMU", "CAMB", "CUUI", "IITB", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU", "UFC", "UMC")

_CONLL14 = Manifest(
    info=CorpusInfo(
        title="CoNLL-2014 shared task: test set, system outputs and human judgments",
        licence=(
            "The texts belong to their authors: see https://www.comp.nus.edu.sg/~nlp/conll14st.html. No licence is "
            "stated in the repository of the judgments of Napoles et al. 2015."
        ),
        citation=(
            "Ng et al. 2014 (test set and outputs); Grundkiewicz et al. 2015 and Napoles et al. 2015 (judgments); "
            "Chollampatt and Ng 2018 (references)"
        ),
    ),
    downloads=(
        Download(
            f"{_NUS}/conll14st-test-data.tar.gz",
            {
                "gold.m2": "conll14st-test-data/noalt/official-2014.combined.m2",
                "gold-with-alternatives.m2": "conll14st-test-data/alt/official-2014.combined-withalt.m2",
            },
        ),
        Download(
            f"{_NUS}/official_submissions.tar.gz",
            {f"systems/{name}.txt": f"official_submissions/{name}" for name in _SYSTEMS},
        ),
        Download(f"{_GRUNDKIEWICZ}/data/judgments.xml", {"judgments.xml": ""}),
        Download(f"{_NAPOLES}/data/all_judgments.xml", {"human/napoles2015.xml": ""}),
        Download(f"{_CHOLLAMPATT}/data/conll14st-test/refs/conll14st-test.tok.trg0", {"references/ref0.txt": ""}),
        Download(f"{_CHOLLAMPATT}/data/conll14st-test/refs/conll14st-test.tok.trg1", {"references/ref1.txt": ""}),
    ),
    copies_of_source=("source.txt", "systems/INPUT.txt"),
    sums={
        "source.txt": "4c12b583dbd297f160a8fd0671ade1adadfccf3129aac630fc8e821c8a676f77",
        "gold.m2": "07771f4653844f2732e1d93a5711181995ff2ae0828016a276ad1e7335c96085",
        "gold-with-alternatives.m2": "319a9d0212800d0492c50bf248da497c594b52cab315e6a704daec6ea32071ed",
        "judgments.xml": "d0ea9fe14cf6a8e117fcd988e2724ae9b2530e88f5bb2de9bb73dc61e35c62de",
        "human/napoles2015.xml": "a3e2685fd6a237dd61e88ebc5f927a241b5c352724268b212467f931b8ecf799",
        "systems/AMU.txt": "aacf96d2a858e01d83177b4afd79dce7d037f0b99b699ac820847145e70643f6",
        "systems/CAMB.txt": "5f0f53b1fe80ddbc13a881b845583200a4aa00f6407ff4377684697da4f28648",
        "systems/CUUI.txt": "8fd509ddf73e97d2c44c17b3d0b5a3d108e88d5a8b079afe644c552197cf8e21",
        "systems/IITB.txt": "0d367b8a66b293e9566bc93e6668e8232f43e661f4b0f531bd13b3f5ccc73de3",
        "systems/INPUT.txt": "4c12b583dbd297f160a8fd0671ade1adadfccf3129aac630fc8e821c8a676f77",
        "systems/IPN.txt": "45bbae42c3d300d30435d4c882fbe573619324b81bd2c802a34ab82608195b6b",
        "systems/NTHU.txt": "c55c3b829a727f18f8385d3f74721d17e611f757b3a07ff62f12d059a33f9415",
        "systems/PKU.txt": "3e630be91a817856c4e98855211bdb7f30a5f6ba14c64edd19023f420fdb85b7",
        "systems/POST.txt": "f6e68c3de5f7f83b66739392b99d3c6251b2a7601ac753fed5e567f4d24ba865",
        "systems/RAC.txt": "5a1295db676d67fe127d5bc3c82e5598aa79cf46fd6602bfef6b45e68f8a75f5",
        "systems/SJTU.txt": "0d086ad62a551a4cfd494eaa6989e69aba95451f753ba8076ba822b408173bc7",
        "systems/UFC.txt": "ff8b728c990f00927ab2219620caa0121535a32c4797b864cf9bea9023be513c",
        "systems/UMC.txt": "04c12f7b4b1167acf98cfc04b2f8c78eda92355eb754a05a266b1f7ea2c04cfe",
        "references/ref0.txt": "e042e75283762c52a3859b387bed309be0511004b6dac169c8d110b35ef489c8",
        "references/ref1.txt": "3599bc0383a942ef5a819262c33afc58d56f0b81951edab904182bdc54232f1f",
    },
    toml="""
[human.judgments]
title = "rankings of Grundkiewicz et al. 2015"
citation = "Grundkiewicz et al. 2015"

[human.napoles2015]
title = "rankings of Napoles et al. 2015"
citation = "Napoles et al. 2015"
names = { src = "INPUT" }
without = ["non-native"]
""",
)

MANIFESTS: Mapping[str, Manifest] = {"conll14": _CONLL14}
_BUNDLED = bundled("data")
_TITLES = (
    {"demo": "Demonstration corpus"}
    | {name: manifest.info.title for name, manifest in MANIFESTS.items()}
    | {name: corpus.info.title for name, corpus in PUBLISHED.items()}
)


def short_title(name: str) -> str:
    """What a corpus is called in tables and charts: the beginning of its title, or its name."""
    return _TITLES.get(name, name).partition(":")[0].removesuffix(" shared task")


def entries() -> list[Entry]:
    """All corpora: first those that every installation knows, then the others by name."""
    found = _found()
    return [_entry(name, found.get(name)) for name in (*_TITLES, *sorted(set(found) - set(_TITLES)))]


def get(name: str) -> Entry | None:
    """The entry with this name, if there is one."""
    return next((entry for entry in entries() if entry.name == name), None)


def info(name: str) -> CorpusInfo | None:
    """What is known about a corpus that can be downloaded: title, licence, citation."""
    if name in PUBLISHED:
        return PUBLISHED[name].info
    return MANIFESTS[name].info if name in MANIFESTS else None


def system_sets(name: str) -> dict[str, tuple[str, ...]]:
    """The named sets of systems of a corpus that can be downloaded."""
    return dict(PUBLISHED[name].system_sets or {}) if name in PUBLISHED else {}


def download_folder() -> Path:
    """The folder into which `corpora fetch` downloads."""
    return data_folder() / "corpora"


@contextmanager
def located(where: str | Path) -> Iterator[CorpusFolder]:
    """The corpus folder that a path or name stands for; one from a zip file exists only inside the `with` block.

    A folder or file with that name comes before the catalogue, but only if it is a corpus.
    """
    path = expanded(where)
    if path.suffix.lower() == ".zip" and os.path.isfile(path):
        with archive.unpacked(path) as folder:
            yield folder
    elif is_corpus(path):
        yield CorpusFolder.at(path)
    elif (entry := get(str(where))) and entry.path:
        yield CorpusFolder.at(entry.path)
    else:
        raise _not_found(str(where), path, entry)


def _entry(name: str, path: Path | None) -> Entry:
    if path is not None:
        return Entry(name, _title(path) or _TITLES.get(name, name), path)
    how = "It comes with the project, whose data folder is incomplete here. Install GEC Lens again."
    if name in MANIFESTS or name in PUBLISHED:
        how = (
            f"Get it with `{how_to_run(f'corpora fetch {name}')}`, make it from files that you have with "
            f"`corpora build {name} --from FOLDER`, or set the variable GEC_LENS_DATA to a folder that has it."
        )
    return Entry(name, _TITLES[name], None, how)


def _title(path: Path) -> str:
    try:
        return read_info(path).title
    except CorpusError:
        return ""  # loading the corpus reports the problem; a list of corpora must not fail because of one of them


def _found() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for folder in _folders():
        for path in [folder] if is_corpus(folder) else _children(folder):
            found.setdefault(path.resolve().name, path)
    return found


def _folders() -> Iterator[Path]:
    yield _BUNDLED
    for name in os.environ.get("GEC_LENS_DATA", "").split(os.pathsep):
        if name:
            yield expanded(name)
    yield download_folder()


def _children(folder: Path) -> list[Path]:
    if not os.path.isdir(folder) or not os.access(folder, os.R_OK | os.X_OK):
        return []
    return sorted(path for path in folder.iterdir() if not path.name.startswith(".") and is_corpus(path))


def _not_found(where: str, path: Path, entry: Entry | None) -> CorpusError:
    if entry is not None:
        return CorpusError(f"The corpus {where} is not on this machine. {entry.how}")
    if os.path.isdir(path):
        return not_a_corpus(where)
    if os.path.isfile(path):
        return CorpusError(f"{where}: a corpus is a folder or a .zip of one. Give single files by --source and --hyp.")
    names = ", ".join(entry.name for entry in entries())
    return CorpusError(f"No corpus {where!r}: no such folder or zip file, and the catalogue has only {names}.")
