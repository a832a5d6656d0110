"""`table`: scores, rankings and correlations as LaTeX, Markdown or CSV, with a caption that says how they were made."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_core.cli.human import add_ranking, ranking_from
from gec_core.cli.inputs import add_corpus, add_metrics, add_scoring, corpus_from, metrics_from, table_from
from gec_core.cli.output import group
from gec_core.errors import CorpusError
from gec_core.formatting import minus

if TYPE_CHECKING:
    from gec_core.analysis.paper import PaperTable
    from gec_core.human.ranking import Ranking
    from gec_core.scoring.table import ScoreTable

WHICH = ("scores", "ranking", "correlation")


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
    add_scoring(command)
    options = group(command, "output")
    options.add_argument("--format", choices=("latex", "markdown", "csv"), default="latex", help="default: latex")
    options.add_argument("--out", metavar="FILE", type=Path, help="write to this file instead of stdout")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Print the table, or write it to --out."""
    metrics = metrics_from(given)
    corpus = corpus_from(given)
    human = ranking_from(given, corpus) if given.which != "scores" else None
    scores = table_from(given, corpus, metrics)
    text = _made(given, scores, human).text(given.format)
    if given.out is None:
        sys.stdout.write(text)
    else:
        write_file(given.out, text.encode())


def write_file(path: Path, content: bytes) -> None:
    """Write what --out names."""
    try:
        path.write_bytes(content)
    except OSError as problem:
        raise CorpusError(f"{path}: cannot be written ({problem.strerror}).") from None


def caption_of(what: str, scores: ScoreTable, human: Ranking | None) -> list[str]:
    """The sentences that say where the numbers come from."""
    from gec_core.analysis.paper import provenance

    columns = {column.metric.name: column for column in scores.columns}
    return provenance(
        what,
        scores.corpus,
        human=human.method if human else "",
        left_out=[system for system in human.systems if system not in scores.columns[0].values] if human else (),
        signatures={name: column.metric.signature for name, column in columns.items()},
        citations={name: column.metric.citation for name, column in columns.items()},
    )


def _made(given: argparse.Namespace, scores: ScoreTable, human: Ranking | None) -> PaperTable:
    from gec_core.analysis.paper import PaperTable

    columns = {column.metric.name: column for column in scores.columns}
    titles = {"scores": "Scores", "ranking": "Rankings", "correlation": "Correlation with people"}
    caption = caption_of(titles[given.which], scores, human)
    if given.which == "scores":
        systems = sorted(scores.columns[0].values, key=lambda system: -scores.columns[0].values[system])
        rows = [[system, *(column.values.get(system) for column in columns.values())] for system in systems]
        return PaperTable(["system", *columns], rows, caption, 4, frozenset(range(1, len(columns) + 1)))
    assert human is not None
    if given.which == "correlation":
        return PaperTable(["metric", "r", "ρ", "τ"], _correlations(scores, human), caption, 3, frozenset({1, 2, 3}))
    return PaperTable(["rank", "people", *columns], _ranks(scores, human), caption)


def _correlations(scores: ScoreTable, human: Ranking) -> list[list[Any]]:
    from gec_core.meta import common_systems, correlate

    rows = []
    for column in scores.columns:
        kept = common_systems(human.scores, column.values)
        people = {system: human.scores[system] for system in kept}
        values = [correlate(column.values, people, kind).value for kind in ("pearson", "spearman", "kendall")]
        rows.append([column.metric.name, *values])
    return rows


def _ranks(scores: ScoreTable, human: Ranking) -> list[list[Any]]:
    from gec_core.meta.agreement import rank_differences

    found = [rank_differences(column.values, human.scores) for column in scores.columns]
    people = [system for system in human.systems if any(system == row.system for each in found for row in each.rows)]
    rows: list[list[Any]] = [
        [place + 1, system, *(f"{each.rows[place].system} {each.rows[place].arrow}" for each in found)]
        for place, system in enumerate(people)
        if all(place < len(each.rows) for each in found)
    ]
    return [*rows, ["sum", "", *(minus(str(each.total)) for each in found)]]
