"""`figure`: rankings and correlations as SVG, PDF or PNG for a paper, as the pages export them, without a browser."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from gec_core.cli.human import add_ranking
from gec_core.cli.inputs import add_corpus
from gec_core.cli.output import group, tell, write_file
from gec_core.cli.scoring import add_aggregate, add_metrics, add_scoring
from gec_core.cli.table import paper_scores
from gec_core.errors import CorpusError

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
    add_aggregate(command)
    add_scoring(command)
    options = group(command, "output")
    options.add_argument(
        "--out", metavar="FILE", type=Path, required=True, help=f"the file; its ending says what: {', '.join(FORMATS)}"
    )
    options.add_argument(
        "--coefficient",
        choices=("pearson", "spearman", "kendall"),
        default="pearson",
        help="of leave-one-out, top and metrics (default: %(default)s)",
    )
    options.add_argument("--width", choices=("column", "page"), default="column", help="default: %(default)s")
    options.add_argument(
        "--bibtex", metavar="FILE", type=Path, help="write the publications of the metrics and the corpus here"
    )
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Write the figure, and print its caption."""
    ending = given.out.suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        raise CorpusError(f"{given.out}: a figure is a file that ends in .svg, .pdf or .png.")
    from gec_core.charts.files import figure_file
    from gec_core.charts.paper import FIGURES

    found = paper_scores(given, beside_people=True)
    caption = found.caption(FIGURES[given.which])
    drawn = found.panels(given.which, given.coefficient)
    write_file(given.out, figure_file(drawn, ending, given.width, caption=[*caption, *found.made_with]))
    if given.bibtex:
        write_file(given.bibtex, f"{found.bibtex()}\n".encode())
    tell(f"{given.out} is written.")
    print("\n".join([" ".join(caption), *found.made_with]))
