"""The gap between an uploaded system and CAMB on CoNLL-2014 under all overlap metrics, down to edits.

The uploaded system is made of edits of AMU and RAC, with some words changed, so that most of its outputs are new. Cold:
scores are there, credits are not. Warm: five times more, of which the median and the slowest. `news` is the longest
time between two reports of progress."""

import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from benchmarks._common import conll14, parser, table
from gec_core.align.edits import apply_edits
from gec_core.corpora.catalogue import located
from gec_core.meta.edit_fates import pair_edits, read_edits
from gec_core.meta.gap_credits import SystemOutput
from gec_core.meta.gap_edits import edit_gap
from gec_core.meta.gap_sentences import metric_gap
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Corpus, Edit, Progress

METRICS = ("m2", "sentm2", "errant", "senterrant", "gotoscorer", "imeasure", "gleu", "bleu", "green")
PAIR = ("MINE", "CAMB")
KEPT, CHANGED = 0.6, 0.45
"""The share of edits that are taken over, and of sentences in which a further word is changed."""


def main(arguments: Sequence[str]) -> None:
    parser(__file__, __doc__).parse_args(arguments)
    with located(str(conll14())) as folder:
        corpus = folder.load()
    with tempfile.TemporaryDirectory() as cache:
        store = Store(Path(cache) / "scores.sqlite")
        corpus = replace(corpus, systems={**corpus.systems, "MINE": _uploaded(corpus, store)})
        columns = score(corpus, [create(id, {}) for id in METRICS], store=store).columns
        cold, *warm = (_gaps(corpus, columns, store) for _ in range(6))
    warm.sort()
    timed = [("cold", cold, 8.0), ("warm, median", warm[len(warm) // 2], 0.5), ("warm, slowest", warm[-1], 0.5)]
    table(
        ["what", "seconds", "CPU seconds", "limit", "news"],
        [[name, run.seconds, run.busy, limit, run.news] for name, run, limit in timed],
    )


class Run(NamedTuple):
    seconds: float
    busy: float
    news: float


def _gaps(corpus: Corpus, columns: Sequence[MetricScores], store: Store) -> Run:
    """The time of the gap under all metrics, down to edits."""
    reports = [time.perf_counter()]

    def follow(_: Progress) -> None:
        reports.append(time.perf_counter())

    busy = time.process_time()
    texts = read_edits(corpus, PAIR, store, follow)
    edits = pair_edits(corpus, *PAIR, texts)
    for column in columns:
        found = edit_gap(corpus, metric_gap(column, *PAIR), edits, texts, store=store, on_progress=follow)
        assert abs(found.residual) < 1e-9, column.metric.id
    reports.append(time.perf_counter())
    news = max(after - before for before, after in pairwise(reports))
    return Run(reports[-1] - reports[0], time.process_time() - busy, news)


def _uploaded(corpus: Corpus, store: Store) -> tuple[str, ...]:
    """Outputs that nobody has scored yet."""
    draw, texts = random.Random(0), read_edits(corpus, ["AMU", "RAC"], store)
    outputs = []
    for line, sentence in enumerate(corpus.sentences):
        both = {edit for name in ("AMU", "RAC") for edit in texts.get(SystemOutput(name, line), ())}
        kept: list[Edit] = []
        for edit in sorted(both, key=lambda edit: (edit.start, edit.end, edit.correction)):
            if draw.random() < KEPT and (not kept or edit.start > kept[-1].end):
                kept.append(edit)
        words = apply_edits(sentence.source, kept).split()
        if draw.random() < CHANGED and len(words) > 2:
            words[draw.randrange(1, len(words) - 1)] += "s"
        outputs.append(" ".join(words))
    return tuple(outputs)
