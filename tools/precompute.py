"""Scores that come with the project: every metric that can run here, on a corpus, into data/precomputed.

    python -m tools.precompute conll14 [--metrics m2,gleu] [--out FOLDER]
    python -m tools.precompute conll14 --papers [--out FOLDER]

The second is about what `reproduce` scores besides: other references, rewrites, other options, worked examples, as
far as that takes time. It writes FOLDER/conll14-papers.

What the store or the project has is not computed again, so an interrupted run goes on where it was, and a metric
that was added is the only one that takes time. Numbers only: no text.
"""

import argparse
import time
from pathlib import Path
from typing import Any

from gec_core.cli.output import StatusLine
from gec_core.corpora.catalogue import located
from gec_core.metrics import registry
from gec_core.metrics.base import Metric
from gec_core.metrics.errant import Errant
from gec_core.papers import PAPERS
from gec_core.papers.bench import Bench
from gec_core.scoring import distinct_rows, missing, precomputed
from gec_core.store import Store
from gec_core.types import Array, Corpus

SLOW = 0.002
"""Seconds a pair from which on rows are worth shipping."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--metrics", help="only these (default: all that can run here)")
    parser.add_argument("--papers", action="store_true", help="what `reproduce` needs, instead")
    parser.add_argument("--out", type=Path, default=precomputed.FOLDER)
    given = parser.parse_args()
    with located(given.corpus) as folder:
        corpus = folder.load()
        if given.papers:
            precompute_papers(corpus, folder.path, given.out)
        else:
            precompute(corpus, given.metrics.split(",") if given.metrics else list(registry()), given.out)


def precompute(corpus: Corpus, wanted: list[str], out: Path) -> None:
    """The metrics of these ids as they are without options, and with ERRANT what error types are counted from."""
    store, before = Store(), precomputed.all_precomputed(out).get(corpus.name)
    asked: list[Metric] = [registry()[id]() for id in wanted]
    if Errant.id in wanted:
        asked.append(Errant(Errant.Options(references="auto")))
    metrics = [metric for metric in asked if metric.availability().ready]
    rows, about, keys = {}, {}, {}
    for metric in metrics:
        signature = metric.statistics_signature
        if signature in rows:
            about[signature]["metrics"].append(metric.id)
            continue
        lacking = missing(corpus, metric, store)
        started = time.monotonic()
        line = StatusLine()
        keys[metric.reads], rows[signature] = distinct_rows(corpus, metric, store=store, on_progress=line.scoring)
        line.close()
        seconds = round(time.monotonic() - started, 1)
        print(f"{metric.id}: {len(rows[signature]):,} distinct rows, {lacking:,} of them new, {seconds} s", flush=True)
        measured = lacking == len(rows[signature])
        earlier = before.seconds(signature) if before else None
        about[signature] = {"metrics": [metric.id], "seconds": seconds if measured else earlier}
    precomputed.write(out / corpus.name, corpus, keys, rows, about)


def precompute_papers(corpus: Corpus, folder: Path, out: Path) -> None:
    """What the papers' figures take besides that."""
    store, shipped = Store(), precomputed.all_precomputed(out)[corpus.name]
    line = StatusLine()
    bench = Bench(corpus, folder, store, line.scoring, None)
    for paper, figures in PAPERS.items():
        print(f"{paper}: {sum(1 for _ in figures(bench))} figures", flush=True)
    line.close()
    rows: dict[str, dict[bytes, Array]] = {}
    about: dict[str, dict[str, Any]] = {}
    for scored, metric in bench.seen:
        if metric.pace < SLOW:
            continue
        signature = metric.statistics_signature
        _, found = distinct_rows(scored, metric, store=store)
        known = shipped.rows(signature) if shipped.has(signature) else {}
        rows.setdefault(signature, {}).update({key: row for key, row in found.items() if key not in known})
        about[signature] = {"metrics": [metric.id]}
    rows = {signature: found for signature, found in rows.items() if found}
    precomputed.write(out / f"{corpus.name}-papers", corpus, {}, rows, about)


if __name__ == "__main__":
    main()
