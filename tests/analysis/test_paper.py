"""Tables for papers: escaped, rounded, bold where largest, with their provenance."""

import csv
import io
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import plotly.graph_objects as go
import pytest
from matplotlib.figure import Figure

from gec_core import charts, corpora
from gec_core.analysis.paper import PaperTable, latex_text, made_with, provenance
from gec_core.charts import files
from gec_core.charts.files import Width, figure_file
from gec_core.charts.paper import FIGURES, TABLES, PaperScores
from gec_core.corpora import catalogue
from gec_core.human.sources import ranking_for
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.types import Note

HOSTILE = r"A_1 & 50% of $x^2$ #{~} \input{/etc/passwd} <b> | M² −↑"
TABLE = PaperTable(
    ["system", "F | 0.5", "n"],
    [[HOSTILE, 0.5, 3], ["=cmd()", -0.25, None], ["C", None, 12]],
    ["What it shows.", "100% of it."],
    best=frozenset({1}),
)


def has_tex(*packages: str) -> bool:
    """Whether pdflatex is on this machine, with these packages."""
    if not (shutil.which("pdflatex") and shutil.which("kpsewhich")):
        return False
    return all(subprocess.run(["kpsewhich", f"{name}.sty"], capture_output=True).stdout for name in packages)


def test_latex_is_escaped_rounded_and_bold() -> None:
    lines = TABLE.latex().splitlines()
    assert r"\begin{tabular}{p{0.4\linewidth}rr}" in lines
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
    assert provenance("Scores", "demo", left_out=["B"], human="Expected Wins") == [
        "Scores on demo.",
        "Human ranking: Expected Wins.",
        "Left out: B.",
    ]
    noted = made_with([("M²", "m2|v1", "")])
    assert noted[0] == "M²: m2|v1."
    assert noted[-1].startswith("GEC Lens ")


def test_signatures_are_notes_outside_the_caption(found: PaperScores) -> None:
    table = found.table("scores")
    signature = found.metrics["M²"].signature
    assert signature not in " ".join(table.caption)
    assert any(line.startswith("% M²: ") and signature in line for line in table.latex().splitlines())
    assert signature.split("|")[0] in table.markdown().rsplit("\n\n", 1)[1]
    assert f"# M²: {signature}" in table.csv()


@pytest.mark.parametrize("what", FIGURES)
def test_systems_without_judgments_are_told_where_they_have_no_rank(found: PaperScores, what: str) -> None:
    assert found.judged
    partly = replace(found, judged={name: value for name, value in found.judged.items() if name != "EAGER"})
    sentence = "Without judgments, and so outside of the ranking: EAGER."
    assert (sentence in partly.caption(FIGURES[what])) is (what != "metrics")
    assert sentence not in found.caption(FIGURES[what])


def test_no_negative_zero_is_printed() -> None:
    assert PaperTable(["a"], [[-0.0001]]).markdown().splitlines()[2] == "| 0.000 |"


def test_correlations_are_headed_by_symbols_and_say_what_the_interval_is(found: PaperScores) -> None:
    table = found.table("correlation")
    assert table.heads[2:5] == ["r", "r, low", "r, high"]
    assert "95% intervals (bootstrap over systems)" in " ".join(table.caption)


def test_publications_of_corpora_have_titles_and_all_authors(found: PaperScores) -> None:
    known = catalogue.info("seeda")
    assert known
    entries = replace(found, citation=known.citation).bibtex()
    assert "title = {{Revisiting Meta-evaluation for Grammatical Error Correction}}" in entries
    assert "title = {{The CoNLL-2014 Shared Task on Grammatical Error Correction}}" in entries
    assert "author = {Kobayashi, Masamune and Mita, Masato and Komachi, Mamoru}" in entries
    assert " and others" not in entries
    known = catalogue.info("conll14")
    assert known
    assert "author = {Chollampatt, Shamil and Ng, Hwee Tou}" in replace(found, citation=known.citation).bibtex()
    assert "note = {An unknown corpus}" in replace(found, citation="An unknown corpus").bibtex()


def test_a_wide_table_goes_across_both_columns() -> None:
    assert PaperTable(["a"], [[1]]).latex().startswith("\\begin{table}\n")
    wide = PaperTable([f"metric {number}" for number in range(12)], [[0.5] * 12]).latex()
    assert wide.startswith("\\begin{table*}\n\\centering\n\\footnotesize\n")
    assert wide.endswith("\\end{table*}")


def test_letters_that_tex_cannot_print_are_dropped_or_told() -> None:
    told = PaperTable(["a"], [["\x1b[31m系統\u202e\tb"]]).latex().splitlines()
    assert told[1] == "% pdflatex lacks these letters; use lualatex and a font that has them: 系 統"
    assert "[31m系統 b \\\\" in told


@pytest.fixture(scope="module")
def found() -> PaperScores:
    """What the demo corpus gives."""
    corpus = corpora.load("demo")
    columns = {each.metric.title: each for each in score(corpus, [create(id) for id in ("m2", "gleu", "bleu")]).columns}
    return PaperScores(
        *("demo", {name: each.metric for name, each in columns.items()}),
        {name: each.values for name, each in columns.items()},
        human="ew",
        people="Expected Wins",
        judged=ranking_for(corpus, "ew").scores,
    )


def test_ranks_arrows_and_scores_are_in_one_table(found: PaperScores) -> None:
    table = found.table("ranking")
    assert table.heads == ["system", "Expected Wins", "M²", "GLEU", "BLEU"]
    assert all(re.fullmatch(r"\d+ (✓|[↑↓]\d+) −?\d+\.\d+", row[2]) for row in table.rows[:-1])
    assert len(table.bold) >= 4
    numbers = list(csv.DictReader(line for line in table.csv().splitlines() if not line.startswith("#")))
    assert [row["Expected Wins rank"] for row in numbers] == [str(place) for place in range(1, len(numbers) + 1)]


@pytest.mark.parametrize("which", ["scores", "ranking"])
def test_marks_and_their_reasons_are_in_tables_and_figures(found: PaperScores, which: str) -> None:
    noted = replace(found, notes={"FLUENT": (Note("not tokenised", caution=True),), "CAREFUL": (Note("filled"),)})
    table = noted.table(which)
    assert [row[0] for row in table.rows if "†" in row[0]] == ["FLUENT †"]
    assert r"FLUENT \textdagger{} &" in table.latex()
    assert "\nFLUENT," in table.csv()
    assert table.caption[-2:] == ["FLUENT †: not tokenised.", "CAREFUL: filled."]
    assert "FLUENT †" in str(noted.panels("ranking")[0])


@pytest.mark.skipif(not has_tex("lmodern", "booktabs", "geometry", "graphicx"), reason="no TeX, or not all of it")
def test_a_two_column_page_with_figures_and_tables_compiles(tmp_path: Path, found: PaperScores) -> None:
    tables = [TABLE, *map(found.table, TABLES)]
    widths: dict[str, Width] = {"ranking": "column", "correlation": "page"}
    for which, width in widths.items():
        (tmp_path / f"{which}.pdf").write_bytes(figure_file(found.panels(which), "pdf", width))
    document = (
        r"\documentclass[twocolumn,a4paper]{article}\usepackage[T1]{fontenc}\usepackage{booktabs,graphicx}"
        r"\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}"
        r"\usepackage[margin=2.5cm,columnsep=.6cm]{geometry}\begin{document}\raggedright "
        r"\begin{figure}\includegraphics{ranking.pdf}\end{figure}"
        r"\begin{figure*}\includegraphics{correlation.pdf}\end{figure*}"
        + "\n".join(table.latex() for table in tables)
        + r"\end{document}"
    )
    (tmp_path / "paper.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert not re.findall(r"Overfull \\hbox \((?:[2-9]\d|\d{3,})", done.stdout), done.stdout


def drawn_in_a_column(monkeypatch: pytest.MonkeyPatch, chart: go.Figure) -> Figure:
    kept: list[Figure] = []

    def keep(drawn: Figure, *_: object) -> bytes:
        kept.append(drawn)
        return b""

    monkeypatch.setattr(files, "_written", keep)
    figure_file([chart], "png")
    kept[0].draw_without_rendering()
    return kept[0]


def test_names_above_a_narrow_heatmap_do_not_touch(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["M²", "GLEU", "I-measure", "ERRANT"]
    grid = [[0.5] * 4] * 4
    chart = charts.heatmap(grid, [["0.50"] * 4] * 4, names, low=-1, high=1, colours=charts.DIVERGING, bar="r")
    panel = drawn_in_a_column(monkeypatch, chart).axes[0]
    assert [name.get_rotation() for name in panel.get_xticklabels()] == [45] * 4
    few = charts.heatmap(
        [[0.5] * 2] * 2, [["0.50"] * 2] * 2, names[:2], low=-1, high=1, colours=charts.DIVERGING, bar="r"
    )
    panel = drawn_in_a_column(monkeypatch, few).axes[0]
    assert [name.get_rotation() for name in panel.get_xticklabels()] == [0] * 2


def test_a_name_at_the_end_of_a_panel_stays_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    chart = charts.strips({"M²": {"NOARTICLES": -0.4, "B": 0.8}}, {"M²": 0.7}, x="r")
    panel = drawn_in_a_column(monkeypatch, chart).axes[0]
    (name,) = [text for text in panel.texts if "NOARTICLES" in text.get_text()]
    assert name.get_window_extent().x0 >= panel.get_window_extent().x0 - 0.5


def test_a_table_that_just_fits_into_a_column_is_small() -> None:
    row = ["CAMB", 0.3733, 0.5960, -5.3997, 0.3253]
    made = PaperTable(["system", "M²", "GLEU", "I-measure", "ERRANT"], [row], digits=4).latex()
    assert made.startswith("\\begin{table}\n\\centering\n\\footnotesize\n")
