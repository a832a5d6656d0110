"""`figure`: rankings and correlations as SVG, PDF or PNG for a paper, as the pages export them, without a browser."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from gec_core.cli.human import add_ranking, ranking_from
from gec_core.cli.inputs import add_corpus, add_metrics, add_scoring, corpus_from, metrics_from, table_from
from gec_core.cli.output import group, tell
from gec_core.cli.table import caption_of, write_file
from gec_core.errors import CorpusError
from gec_core.formatting import minus

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from gec_core.human.ranking import Ranking
    from gec_core.scoring.table import ScoreTable

WHICH = {
    "ranking": "the ranks of all systems, a line each",
    "correlation": "a panel for each metric: systems by its score and by people, with r and ρ",
    "leave-one-out": "correlations with all systems and without each of them",
    "top": "correlations among the best systems only",
    "metrics": "correlations of metrics with one another",
}
FORMATS = ("svg", "pdf", "png")


def add(commands: Any) -> None:
    command = commands.add_parser(
        "figure",
        help="a figure for a paper",
        description="Draw a figure as SVG, PDF or PNG at the width of a column or a page. With --bibtex, the "
        "publications of the metrics are written beside it; the caption is printed, and is in the file's metadata.\n\n"
        + "\n".join(f"{name:14} {what}" for name, what in WHICH.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument("which", choices=list(WHICH), help="what to draw")
    add_corpus(command)
    add_metrics(command)
    add_ranking(command, "--human")
    add_scoring(command)
    options = group(command, "output")
    options.add_argument(
        "--out", metavar="FILE", type=Path, required=True, help=f"the file; its ending says what: {', '.join(FORMATS)}"
    )
    options.add_argument("--width", choices=("column", "page"), default="column", help="default: %(default)s")
    options.add_argument("--bibtex", metavar="FILE", type=Path, help="write the publications of the metrics here")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Write the figure, and print its caption."""
    ending = given.out.suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        raise CorpusError(f"{given.out}: a figure is a file that ends in .svg, .pdf or .png.")
    from gec_core.analysis.paper import bibtex
    from gec_core.charts.files import figure_file

    metrics = metrics_from(given)
    corpus = corpus_from(given)
    human = ranking_from(given, corpus)
    scores = table_from(given, corpus, metrics)
    caption = caption_of(f"{given.which.replace('-', ' ').capitalize()}: {WHICH[given.which]},", scores, human)
    write_file(given.out, figure_file(panels(given.which, scores, human), ending, given.width, caption=caption))
    if given.bibtex:
        entries = bibtex(column.metric.citation for column in scores.columns)
        write_file(given.bibtex, f"{entries}\n".encode())
    tell(f"{given.out} is written.")
    print(" ".join(caption))


def panels(which: str, scores: ScoreTable, human: Ranking) -> list[go.Figure]:
    """The figures of one kind, side by side in the file."""
    from gec_core import charts
    from gec_core.meta import Coefficient, common_systems, correlate

    values = {column.metric.name: column.values for column in scores.columns}
    if which == "ranking":
        placed = {human.method: _ranks(human.scores)} | {name: _ranks(each) for name, each in values.items()}
        return [charts.bump_chart(placed)]
    if which == "metrics":
        names = list(values)
        grid = [[correlate(values[one], values[other], "pearson").value for other in names] for one in names]
        texts = [["–" if cell is None else minus(f"{cell:.2f}") for cell in row] for row in grid]
        return [charts.heatmap(grid, texts, names, low=-1, high=1, colours=charts.DIVERGING, bar="r")]
    kinds = get_args(Coefficient)
    kept = {name: common_systems(human.scores, each) for name, each in values.items()}
    if which == "correlation":
        drawn = []
        for name, each in values.items():
            r, rho = (correlate(_among(each, kept[name]), _among(human.scores, kept[name]), kind) for kind in kinds[:2])
            told = f"r = {_told(r.value)}, ρ = {_told(rho.value)}"
            drawn.append(charts.scatter(each, human.scores, x=name, y=human.method, told=told))
        return drawn
    return [_influence(which, values, human)]


def _influence(which: str, values: dict[str, Any], human: Ranking) -> go.Figure:
    """How the correlations depend on the systems that are counted."""
    from gec_core import charts
    from gec_core.meta import common_systems, correlate
    from gec_core.meta.correlation import FEWEST

    if which == "leave-one-out":
        without: dict[str, dict[str, float]] = {}
        whole: dict[str, float | None] = {}
        for name, each in values.items():
            kept = common_systems(human.scores, each)
            found = {
                system: correlate(
                    _among(each, set(kept) - {system}), _among(human.scores, set(kept) - {system}), "pearson"
                ).value
                for system in kept
            }
            without[name] = {system: value for system, value in found.items() if value is not None}
            whole[name] = correlate(_among(each, kept), _among(human.scores, kept), "pearson").value
        return charts.strips(without, whole, x="Pearson's r")
    lines: dict[str, dict[int, float | None]] = {}
    for name, each in values.items():
        order = [system for system in human.systems if system in each]
        lines[name] = {
            count: correlate(_among(each, order[:count]), _among(human.scores, order[:count]), "pearson").value
            for count in range(FEWEST, len(order) + 1)
        }
    return charts.curves(lines, x="best systems by people", y="Pearson's r")


def _among(scores: Any, systems: Any) -> dict[str, float]:
    return {system: score for system, score in scores.items() if system in systems}


def _ranks(scores: Any) -> dict[str, float]:
    """Competition ranks: systems with the same score share one."""
    return {system: 1.0 + sum(other > score for other in scores.values()) for system, score in scores.items()}


def _told(value: float | None) -> str:
    return "–" if value is None else minus(f"{value:.3f}")
