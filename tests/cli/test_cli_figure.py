"""`figure` writes what pages export, without a browser."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from gec_core.cli import main
from gec_core.cli.figure import WHICH

QUICK = ["--corpus", "demo", "--metric", "m2,gleu"]


@pytest.mark.parametrize("which", WHICH)
def test_every_kind_has_its_names_and_its_caption(
    which: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "f.svg"
    assert main(["figure", which, *QUICK, "--out", str(made)]) == 0
    root = ElementTree.parse(made).getroot()
    assert root.tag.endswith("svg")
    assert float(root.attrib["width"].removesuffix("pt")) == pytest.approx(3.03 * 72)
    drawn = made.read_text(encoding="utf-8")
    assert "Human ranking: Expected Wins (ew)." in drawn
    out = capsys.readouterr().out
    assert "GLEU: gleu" in out
    for name in ("M²", "GLEU"):
        assert f"<!-- {name}" in drawn or name in drawn


def test_other_formats_widths_and_publications(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending, start in (("pdf", b"%PDF-"), ("png", b"\x89PNG")):
        made = tmp_path / f"f.{ending}"
        books = tmp_path / "f.bib"
        asked = [*QUICK, "--width", "page", "--out", str(made), "--bibtex", str(books)]
        assert main(["figure", "correlation", *asked]) == 0
        assert made.read_bytes().startswith(start)
    assert Image.open(tmp_path / "f.png").width == pytest.approx(6.3 * 300, abs=1)
    assert Image.open(tmp_path / "f.png").convert("RGB").getpixel((0, 0)) == (255, 255, 255)
    assert books.read_text(encoding="utf-8").startswith("@inproceedings{dahlmeier2012,")
    assert (
        "author = {Napoles, Courtney and Sakaguchi, Keisuke and Post, Matt and Tetreault, Joel},\n  year = {2016}"
        in books.read_text(encoding="utf-8")
    )


@pytest.mark.parametrize(("name", "told"), [("f.gif", ".svg, .pdf or .png"), ("no/f.png", "cannot be written")])
def test_what_cannot_be_written_is_told(
    name: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["figure", "ranking", *QUICK, "--out", str(tmp_path / name)]) == 2
    assert told in capsys.readouterr().err
