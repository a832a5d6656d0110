"""`table`: scores, rankings and correlations as LaTeX, Markdown or CSV, with a caption that says how they were made."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_core.cli.human import add_ranking, ranking_from, usual_ranking
from gec_core.cli.inputs import add_corpus, corpus_from
from gec_core.cli.output import group, write_file
from gec_core.cli.scoring import add_aggregate, add_metrics, add_scoring, metrics_from, table_from
from gec_core.errors import CorpusError

if TYPE_CHECKING:
    from gec_core.charts.paper import PaperScores

WHICH = ("scores", "ranking", "correlation")
SUFFIXES = {".tex": "latex", ".md": "markdown", ".csv": "csv"}
"""The format that the ending of --out says."""


def add(commands: Any) -> None:
    command = commands.add_parser(
        "table",
        help="a table for a paper",
        description="Print scores, rankings beside people's, or correlations with people, as LaTeX (booktabs), Markdown"
        " or CSV. The caption has the corpus, the human ranking, systems left out, signatures, citations and versions.",
        allow_abbrev=False,
    )
    command.add_argument("which", choices=WHICH, help="what to print")
    add_corpus(command)
    add_metrics(command)
    add_ranking(command, "--human")
    add_aggregate(command)
    add_scoring(command)
    options = group(command, "output")
    options.add_argument("--format", choices=tuple(SUFFIXES.values()), help="default: by the ending of --out, or latex")
    options.add_argument(
        "--out", metavar="FILE", type=Path, help="write to this file (.tex, .md, .csv) instead of stdout"
    )
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Print the table, or write it to --out."""
    form = format_from(given)
    text = paper_scores(given, beside_people=given.which != "scores").table(given.which).text(form)
    if given.out is None:
        sys.stdout.write(text)
    else:
        write_file(given.out, text.encode())


def format_from(given: argparse.Namespace) -> Any:
    """--format, or what the ending of --out says; LaTeX on stdout."""
    if given.format or given.out is None:
        return given.format or "latex"
    try:
        return SUFFIXES[given.out.suffix.lower()]
    except KeyError:
        raise CorpusError(
            f"{given.out}: a table is a file that ends in {', '.join(SUFFIXES)}. Rename it, or say --format."
        ) from None


def paper_scores(given: argparse.Namespace, *, beside_people: bool) -> PaperScores:
    """What the arguments ask for, as pages export it."""
    from gec_core.charts.paper import PaperScores, cited, named
    from gec_core.human.sources import available

    metrics = metrics_from(given)
    corpus = corpus_from(given)
    ranking = ranking_from(given, corpus) if beside_people else None
    columns = {column.metric.title: column for column in table_from(given, corpus, metrics).columns}
    values = {title: column.values for title, column in columns.items()}
    shown = {title: column.metric for title, column in columns.items()}
    if ranking is None:
        return PaperScores(named(corpus), shown, values, notes=corpus.notes, citation=cited(corpus))
    name = usual_ranking(given, corpus)
    return PaperScores(
        named(corpus),
        shown,
        values,
        human=name,
        people=available(corpus).get(name, ranking.method),
        judged={system: score for system, score in ranking.scores.items() if system in corpus.systems},
        left_out=[system for system in ranking.systems if system not in corpus.systems],
        notes=corpus.notes,
        citation=cited(corpus),
    )
