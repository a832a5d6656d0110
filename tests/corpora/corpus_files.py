"""Corpora made of a few lines, for the tests of this folder."""

from collections.abc import Mapping
from pathlib import Path

from gec_core.corpora.text import TextFile

M2 = """S This machines is old .
A 1 2|||Nn|||machine|||REQUIRED|||-NONE-|||0
A 0 1|||SVA|||These|||REQUIRED|||-NONE-|||1
A 2 3|||SVA|||are|||REQUIRED|||-NONE-|||1

S Fine .

"""

SMALL = {
    "source.txt": "This machines is old .\nFine .\n",
    "gold.m2": M2,
    "systems/A.txt": "This machine is old .\nFine .\n",
    "systems/B.txt": "These machines are old .\nFine !\n",
}


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The files, in the folder, which is made if need be."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def text_file(folder: Path, content: str | bytes, name: str = "a.txt") -> TextFile:
    """One file, which messages call by its bare name."""
    write(folder, {name: content})
    return TextFile(folder / name, name)
