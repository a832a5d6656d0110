"""PT-M2 on the 13 systems of CoNLL-2014: edits scored one by one, and ours, on the same model and layer.

One by one, as the authors' code does it: two calls of the scorer for every edit of every output and annotator, and
each call sends its two sentences through the model. Edits are given on both sides. It is timed on sentences drawn
at random, with all their outputs, and extrapolated by the number of calls to all 1,312. Ours has nothing
remembered; for all sentences it is the command as a user types it, start-up and edit extraction included."""

import random
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks._common import conll14, parser, run, table
from gec_core import corpora
from gec_core.human import expanded, rank
from gec_core.meta.correlation import correlate
from gec_core.metrics.pt import PTM2
from gec_core.metrics.pt.weights import BertScorer, pairs_to_measure
from gec_core.metrics.readings import Reading, lattice_readings
from gec_core.models.encoder import Encoder, load_encoder
from gec_core.scoring import score
from gec_core.store import Store
from gec_core.types import Corpus, Pair

SECONDS = 60
"""Spent on the slow way."""


def one_by_one(encoder: Encoder, candidate: str, reference: str) -> float:
    """F of BERTScore, with both sentences sent through the model for it."""
    pieces = encoder.pieces([candidate, reference])
    if any(encoder.marks.issuperset(each.ids) for each in pieces):
        return 0.0
    vectors = encoder.unit_vectors(each.ids for each in pieces)
    cosines = vectors[pieces[0].ids] @ vectors[pieces[1].ids].T
    precision, recall = cosines.max(axis=1)[1:-1].mean(), cosines.max(axis=0)[1:-1].mean()
    return float(2 * precision * recall / (precision + recall))


def weights(encoder: Encoder, reading: Reading) -> list[float]:
    return [
        abs(
            one_by_one(encoder, reading.changed(edit), reading.reference)
            - one_by_one(encoder, reading.source, reading.reference)
        )
        for edit in reading.edits
    ]


@dataclass(frozen=True)
class Work:
    """What weighing these readings takes."""

    calls: int
    one_by_one: int
    distinct: int

    @classmethod
    def of(cls, found: Iterable[Reading]) -> "Work":
        calls = [
            pair
            for reading in found
            for edit in reading.edits
            for pair in ((reading.changed(edit), reading.reference), (reading.source, reading.reference))
        ]
        return cls(len(calls), sum(len(set(pair)) for pair in calls), len({text for pair in calls for text in pair}))


def all_readings(corpus: Corpus) -> list[list[list[Reading]]]:
    """For every sentence, for every system, one reading an annotator."""
    return [
        [lattice_readings(Pair(sentence, outputs[line]), 2)[0] for outputs in corpus.systems.values()]
        for line, sentence in enumerate(corpus.sentences)
    ]


def main(arguments: Sequence[str]) -> None:
    parser(__file__, __doc__).parse_args(arguments)
    corpus, metric = corpora.load(conll14()), PTM2()
    found = all_readings(corpus)
    scorer = metric.scorer
    assert isinstance(scorer, BertScorer)
    layer = scorer.similarity.layer
    encoder = load_encoder(metric.place, layer)
    order = random.Random(0).sample(range(len(corpus)), len(corpus))
    slow: list[float] = []
    sample: list[Reading] = []
    started = time.perf_counter()
    while (slow_seconds := time.perf_counter() - started) < SECONDS:
        here = [reading for outputs in found[order.pop()] for reading in outputs]
        slow += [weight for reading in here for weight in weights(encoder, reading)]
        sample += here
    started = time.perf_counter()
    measured = scorer.measure(pairs_to_measure(sample), None)
    fast = [each.value for reading in sample for each in metric.rule.weigh(reading, measured)]
    fast_seconds = time.perf_counter() - started
    some, all_of_them = Work.of(sample), Work.of(reading for each in found for outputs in each for reading in outputs)
    needed = Work.of(reading for each in found for outputs in each for reading in metric.needed(outputs))
    took = run(["score", "--corpus", str(conll14()), "--metric", metric.id])
    with tempfile.TemporaryDirectory() as cache:
        values = score(corpus, [metric], store=Store(Path(cache) / "scores.sqlite")).columns[0].values
    whole_seconds = slow_seconds * all_of_them.calls / some.calls
    rows = [
        ("sample", slow_seconds, fast_seconds, some.one_by_one, some.distinct),
        ("all, extrapolated", whole_seconds, took.seconds, all_of_them.one_by_one, needed.distinct),
    ]
    table(
        [metric.label, "one by one, s", "ours, s", "encoded one by one", "by ours", "times faster", "times fewer"],
        [[*row, row[1] / row[2], row[3] / row[4]] for row in rows],
    )
    apart = max(abs(one - other) for one, other in zip(slow, fast, strict=True))
    print(f"{layer} layers run; largest difference of a weight {apart:.0e}; {took.megabytes:,.0f} MB at most.")
    assert corpus.judgments is not None
    wins = rank(expanded(corpus.judgments), "ew").scores
    r, rho = (correlate(values, wins, each).value for each in ("pearson", "spearman"))
    print(f"Against Expected Wins: r = {r:.3f}, rho = {rho:.3f}.\n")
