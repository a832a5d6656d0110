"""The published figures of five papers beside ours, each with a verdict.

`reproduce("all", corpus)` computes every figure that the tables in data/published have and compares it at
the precision in which it is printed. A figure is equal; or it differs, and why is said (once, next to the
code that decides it); or it is missing, and what it would take is said. A metric that is not there yet makes
its figures missing, and joins by getting into the registry: the tables name metrics by id and options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from gec_core.errors import CorpusError, OptionError
from gec_core.human import published_ranking
from gec_core.papers import asano2017, chollampatt2018, felice2015, gong2022, islam2021
from gec_core.papers.bench import PUBLISHED, Bench
from gec_core.papers.rows import Cell, Reproduction, Row, Verdict
from gec_core.scoring.parallel import Workers
from gec_core.store import Store
from gec_core.types import Corpus, Progress, ignore

__all__ = ["ALL", "PAPERS", "Cell", "Reproduction", "Row", "Verdict", "reproduce"]

PAPERS: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "chollampatt2018": chollampatt2018.rows,
    "felice2015": felice2015.rows,
    "gong2022": gong2022.rows,
    "islam2021": islam2021.rows,
    "asano2017": asano2017.rows,
}
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
    """The figures of a paper, or of `all`, on CoNLL-2014.

    `folder` is where the corpus lies: some papers used other references or gold edits than the official ones
    (see `gec_core.papers.variants`), which may lie beside them.
    """
    if paper != ALL and paper not in PAPERS:
        raise OptionError(f"No paper {paper!r}. There are: {', '.join(PAPERS)}, or {ALL}.")
    _check(corpus)
    bench = Bench(corpus, folder, store, on_progress, workers)
    wanted = PAPERS.values() if paper == ALL else [PAPERS[paper]]
    return Reproduction(corpus.name, corpus.fingerprint, tuple(row for rows in wanted for row in rows(bench)))


def _check(corpus: Corpus) -> None:
    """The papers are about the systems of one shared task, so other corpora have nothing to show."""
    absent = [name for name in published_ranking(PUBLISHED["ew"]).ranking.systems if name not in corpus.systems]
    if absent or len(corpus) != SENTENCES:
        raise CorpusError(
            f"{corpus.name}: {len(corpus)} sentences and {len(corpus.systems)} systems, but the published figures are "
            f"about the {SENTENCES:,} sentences and 13 systems of CoNLL-2014"
            + (f" (there is no {', '.join(absent)})" if absent else "")
            + ". Get it with `python -m gec_core corpora fetch conll14`."
        )
