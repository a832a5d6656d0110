"""The published figures of six papers compared with ours, each with a verdict.

`reproduce("all", corpus)` computes every figure of the tables in data/published and compares it at the printed
precision. A figure is equal; or it differs, with the cause (stated once, next to the code that decides it); or it is
missing, with what it would take. The tables name metrics by id and options, so a metric that is not in the registry
makes its figures missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from gec_core.environment import how_to_run
from gec_core.errors import CorpusError, OptionError
from gec_core.human import published_ranking
from gec_core.papers import asano2017, chollampatt2018, felice2015, gong2022, islam2021, kobayashi2024
from gec_core.papers.inputs import PUBLISHED, PaperInputs
from gec_core.papers.rows import PublishedFigure, Reproduction, Row
from gec_core.scoring.parallel import Workers
from gec_core.store import Store
from gec_core.types import Corpus, Progress, ignore

__all__ = ["ALL", "PAPERS", "PublishedFigure", "Reproduction", "Row", "Verdict", "papers_about", "reproduce"]

PAPERS: dict[str, Callable[[PaperInputs], Iterator[Row]]] = {
    "chollampatt2018": chollampatt2018.rows,
    "felice2015": felice2015.rows,
    "gong2022": gong2022.rows,
    "islam2021": islam2021.rows,
    "asano2017": asano2017.rows,
    "kobayashi2024": kobayashi2024.rows,
}
_SEEDA = ("kobayashi2024",)
"""The papers about SEEDA; the others are about CoNLL-2014."""
ALL = "all"
SENTENCES = 1312


def reproduce(
    paper: str,
    corpus: Corpus,
    *,
    folder: Path | None = None,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> Reproduction:
    """Compare the figures of a paper with ours.

    Args:
        paper: A name in `PAPERS`, or `all`.
        corpus: CoNLL-2014, or SEEDA for `kobayashi2024`; `all` takes the papers that are about it.
        folder: The corpus folder, for papers that used other references or gold edits (see `papers.variants`).
        store: Where statistics are looked up and kept.
        on_progress: Called after every chunk of scoring.
        workers: The number of processes, or the address of a Dask scheduler.

    Raises:
        OptionError: There is no such paper.
        CorpusError: The paper is about another corpus.
    """
    if paper != ALL and paper not in PAPERS:
        raise OptionError(f"No paper {paper!r}. There are: {', '.join(PAPERS)}, or {ALL}.")
    about = papers_about(corpus)
    if not about or (paper != ALL and paper not in about):
        raise CorpusError(_misfit(paper, corpus))
    inputs = PaperInputs(corpus, folder, store, on_progress, workers)
    wanted = [PAPERS[name] for name in about if paper in (name, ALL)]
    return Reproduction(corpus.name, corpus.fingerprint, tuple(row for rows in wanted for row in rows(inputs)))


def papers_about(corpus: Corpus) -> list[str]:
    """The papers whose figures are about the systems of this corpus."""
    if len(corpus) != SENTENCES:
        return []
    fits = [
        all(name in corpus.systems for name in published_ranking(ranking).ranking.systems)
        for ranking in (PUBLISHED["ew"], "kobayashi2024-edit-ew")
    ]
    return [name for name in PAPERS if fits[name in _SEEDA]]


def _misfit(paper: str, corpus: Corpus) -> str:
    """Why a corpus is not the one that the figures are about."""
    seeda = paper in _SEEDA
    ranked = published_ranking("kobayashi2024-edit-ew" if seeda else PUBLISHED["ew"]).ranking.systems
    absent = [name for name in ranked if name not in corpus.systems]
    what = "SEEDA" if seeda else "CoNLL-2014"
    return (
        f"{corpus.name}: {len(corpus)} sentences and {len(corpus.systems)} systems, but the published figures are "
        f"about the {SENTENCES:,} sentences and {len(ranked)} systems of {what}"
        + (f" (there is no {', '.join(absent)})" if absent else "")
        + f". Get it with `{how_to_run('corpora fetch ' + ('seeda' if seeda else 'conll14'))}`."
    )
