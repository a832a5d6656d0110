"""Tables for papers: escaped, rounded, bold where largest, with their provenance."""

import csv
import io
import shutil
import subprocess
from pathlib import Path

import pytest

from gec_core.analysis.paper import PaperTable, latex_text, provenance

HOSTILE = r"A_1 & 50% of $x^2$ #{~} \input{/etc/passwd} <b> | M² −↑"
TABLE = PaperTable(
    ["system", "F | 0.5", "n"],
    [[HOSTILE, 0.5, 3], ["=cmd()", -0.25, None], ["C", None, 12]],
    ["What it shows.", "100% of it."],
    best=frozenset({1}),
)


def test_latex_is_escaped_rounded_and_bold() -> None:
    lines = TABLE.latex().splitlines()
    assert r"\begin{tabular}{lrr}" in lines
    assert r"=cmd() & \ensuremath{-}0.250 & -- \\" in lines
    assert r"\textbf{0.500} & 3 \\" in lines[6]
    assert r"\textbackslash{}input\{/etc/passwd\}" in lines[6]
    assert r"\caption{What it shows. 100\% of it.}" in lines


def test_no_letter_of_a_name_is_a_command() -> None:
    assert latex_text("a\nb\\end{table}") == r"a b\textbackslash{}end\{table\}"


def test_markdown_has_one_cell_per_cell() -> None:
    head, marks, first, *_ = TABLE.markdown().splitlines()
    assert head == r"| system | F \| 0.5 | n |"
    assert marks == "| --- | ---: | ---: |"
    assert first.replace(r"\|", "").count("|") == 4
    assert "<b>" not in first


def test_csv_keeps_digits_and_says_where_they_come_from() -> None:
    rows = list(csv.reader(io.StringIO(TABLE.csv())))
    assert rows[2] == ["'=cmd()", "-0.25", ""]
    assert rows[-1] == ["# 100% of it."]


def test_a_caption_has_what_one_needs_to_make_it_again() -> None:
    said = provenance("Scores", "demo", left_out=["B"], human="Expected Wins", signatures={"M²": "m2|v1"})
    assert said[:4] == ["Scores on demo.", "Human ranking: Expected Wins.", "Left out: B.", "M²: m2|v1."]
    assert said[-1].startswith("GEC Lens ")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX on this machine")
def test_latex_compiles(tmp_path: Path) -> None:
    document = (
        r"\documentclass[twocolumn]{article}\usepackage[T1]{fontenc}\usepackage{booktabs}\begin{document}"
        + TABLE.latex()
        + r"\end{document}"
    )
    (tmp_path / "paper.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
