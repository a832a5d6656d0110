"""Scores that come with the project: every metric that can run here, on a corpus, into data/precomputed.

    python -m tools.precompute conll14 [--metrics m2,gleu] [--out FOLDER]

What the store has is not computed again, so an interrupted run goes on where it was. Numbers only: no text.
"""

import argparse
import time
from pathlib import Path

from gec_core import corpora, precomputed
from gec_core.cli.output import StatusLine
from gec_core.metrics import registry
from gec_core.scoring import distinct_rows
from gec_core.store import Store


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--metrics", help="only these (default: all that can run here)")
    parser.add_argument("--out", type=Path, default=precomputed.FOLDER)
    given = parser.parse_args()
    corpus = corpora.load(given.corpus)
    wanted = given.metrics.split(",") if given.metrics else list(registry())
    metrics = [registry()[id]() for id in wanted]
    metrics = [metric for metric in metrics if metric.availability().ready]
    rows, about, keys = {}, {}, {}
    for metric in metrics:
        signature = metric.statistics_signature
        if signature in rows:
            about[signature]["metrics"].append(metric.id)
            continue
        started = time.monotonic()
        line = StatusLine()
        keys[metric.reads], rows[signature] = distinct_rows(corpus, metric, store=Store(), on_progress=line.scoring)
        line.close()
        seconds = time.monotonic() - started
        about[signature] = {"metrics": [metric.id], "seconds_of_last_run": round(seconds, 1)}
        print(f"{metric.id}: {len(rows[signature]):,} distinct rows in {seconds:.1f} s", flush=True)
    precomputed.write(given.out / corpus.name, corpus, keys, rows, about)


if __name__ == "__main__":
    main()
