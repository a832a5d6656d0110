# mypy: disable-error-code="union-attr"
"""Scoring: every distinct pair once, the same numbers by every road."""

import gc
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import sentence
from hypothesis import given, settings
from hypothesis import strategies as st

from gec_core import scoring
from gec_core.errors import MissingInput, ModelError
from gec_core.metrics import create, registry
from gec_core.metrics.base import Metric, Score, stack
from gec_core.scoring import score
from gec_core.store import Store
from gec_core.types import Array, Corpus, Pair, Progress, Sentence

CHUNK = Metric.chunk
OVERLAP = ("m2", "sentm2", "imeasure", "gleu", "bleu", "green", "length", "constant")
words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=6).map(" ".join)
corpora = st.lists(st.tuples(words, words, words, words, words), min_size=1, max_size=4).map(
    lambda rows: Corpus(
        "made",
        tuple(sentence(source, *references) for source, *references, _, _ in rows),
        {"A": tuple(row[3] for row in rows), "B": tuple(row[4] for row in rows)},
    )
)


class Counting(Metric):
    """A metric that remembers what it was asked for."""

    id, name, family, summary, reads = "counting", "Counting", "test", "Counts.", "source"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Any] = []

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        self.asked += [(pair.sentence.source, pair.output) for pair in pairs]
        return [np.array([len(pair.output.split())], float) for pair in pairs]

    def aggregate(self, statistics: Array) -> Score:
        return Score(float(statistics.sum()))

    def sentence_scores(self, statistics: Array) -> Array:
        return statistics[:, 0]


def corpus_of(sources: list[str], **systems: Any) -> Corpus:
    return Corpus("made", tuple(sentence(source, source) for source in sources), systems)


def test_the_same_output_of_two_systems_is_scored_once() -> None:
    metric = Counting()
    table = score(corpus_of(["a", "b"], A=("x", "y"), B=("x", "z z")), [metric])
    assert sorted(metric.asked) == [("a", "x"), ("b", "y"), ("b", "z z")]
    assert table["counting"].values == {"A": 2.0, "B": 3.0}


def test_what_the_store_has_is_not_scored_again(tmp_path: Path) -> None:
    store, metric = Store(tmp_path / "scores.sqlite"), Counting()
    score(corpus_of(["a"], A=("x",)), [metric], store=store)
    score(corpus_of(["a"], A=("x",), B=("y",)), [metric], store=store)
    assert metric.asked == [("a", "x"), ("a", "y")]


def test_what_was_done_before_a_cancellation_stays(tmp_path: Path) -> None:
    class Cancelled(Exception):
        pass

    def cancel(progress: Progress) -> None:
        raise Cancelled

    store, metric = Store(tmp_path / "scores.sqlite"), Counting()
    sources = [f"s{index}" for index in range(3 * CHUNK)]
    corpus = corpus_of(sources, A=tuple(sources))
    with pytest.raises(Cancelled):
        score(corpus, [metric], store=store, on_progress=cancel)
    assert len(metric.asked) == CHUNK
    score(corpus, [metric], store=store)
    assert len(metric.asked) == 3 * CHUNK


def test_progress_runs_to_the_end() -> None:
    seen: list[Any] = []
    sources = [f"s{index}" for index in range(CHUNK + 1)]
    score(corpus_of(sources, A=tuple(sources)), [Counting()], on_progress=seen.append)
    assert [(progress.done, progress.total) for progress in seen] == [(CHUNK, CHUNK + 1), (CHUNK + 1, CHUNK + 1)]
    assert seen[-1].seconds_left == 0


def test_a_corpus_without_outputs_is_said() -> None:
    with pytest.raises(MissingInput, match="no system outputs"):
        score(corpus_of(["a"]), [Counting()])


def test_without_references_only_metrics_of_the_source_can_score() -> None:
    corpus = Corpus("bare", (Sentence("a b"),), {"A": ("a b c",)})
    assert score(corpus, [create("length")])["length"].values == {"A": 1.5}
    with pytest.raises(MissingInput, match="bare: GLEU needs references"):
        score(corpus, [create("gleu")])


class Broken(Counting):
    """A metric whose weights cannot be read."""

    id = "broken"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        raise ModelError("weights.safetensors is cut short.")


def test_a_metric_that_fails_does_not_stop_the_others() -> None:
    table = score(corpus_of(["a"], A=("x",)), [Broken(), Counting()])
    assert table["counting"].values == {"A": 1.0}
    assert table.problems == {"broken": "weights.safetensors is cut short."}


def test_if_nothing_is_left_the_error_is_raised() -> None:
    with pytest.raises(ModelError, match="cut short"):
        score(corpus_of(["a"], A=("x",)), [Broken()])


def test_workers_give_the_same_numbers() -> None:
    sources = [f"a b c w{index % 7}" for index in range(2 * CHUNK)]
    corpus = corpus_of(sources, A=tuple(f"a x c w{index % 5}" for index in range(2 * CHUNK)))
    metrics = [create(id) for id in OVERLAP]
    alone, together = score(corpus, metrics, workers=1), score(corpus, metrics, workers=2)
    for metric in metrics:
        assert alone[metric.id].values == together[metric.id].values


@settings(deadline=None)
@given(corpora)
def test_the_order_of_systems_changes_nothing(corpus: Corpus) -> None:
    turned = corpus.only(["B", "A"])
    for id in OVERLAP:
        metric = create(id)
        assert score(corpus, [metric])[id].values == score(turned, [metric])[id].values


@settings(deadline=None)
@given(corpora, st.randoms(use_true_random=False))
def test_the_order_of_sentences_changes_nothing_but_m2_and_drawn_references(corpus: Corpus, random: Any) -> None:
    """M2 chooses annotators one sentence after the other, and GLEU draws references so."""
    order = list(range(len(corpus)))
    random.shuffle(order)
    shuffled = replace(
        corpus,
        sentences=tuple(corpus.sentences[index] for index in order),
        systems={name: tuple(outputs[index] for index in order) for name, outputs in corpus.systems.items()},
    )
    metrics = [create(id) for id in OVERLAP if id not in ("m2", "gleu")] + [create("gleu", {"sampling": "exact"})]
    for metric in metrics:
        one, other = score(corpus, [metric]).columns[0], score(shuffled, [metric]).columns[0]
        for system in corpus.systems:
            assert one.values[system] == pytest.approx(other.values[system], abs=1e-12)
            assert one.sentence_scores(system)[order] == pytest.approx(other.sentence_scores(system), abs=1e-12)


@settings(deadline=None)
@given(corpora)
def test_the_statistics_of_a_corpus_are_those_of_its_sentences(corpus: Corpus) -> None:
    """Scoring sentences one by one and putting the rows together gives the score of the whole."""
    for id in OVERLAP:
        metric = create(id)
        whole = score(corpus, [metric]).columns[0].systems["A"]
        rows = np.vstack(
            [
                score(
                    replace(corpus, sentences=(each,), systems={"A": (corpus.systems["A"][index],)}, judgments=None),
                    [metric],
                )
                .columns[0]
                .systems["A"]
                .statistics
                for index, each in enumerate(corpus.sentences)
            ]
        )
        assert np.array_equal(rows, whole.statistics, equal_nan=True)
        assert metric.aggregate(rows).value == whole.score.value


@settings(deadline=None)
@given(corpora)
def test_every_sentence_has_a_finite_score_and_details(corpus: Corpus) -> None:
    for column in score(corpus, [create(id) for id in OVERLAP]).columns:
        for system in corpus.systems:
            assert np.isfinite(column.sentence_scores(system)).all()
            assert len(column.metric.sentence_details(column.systems[system].statistics)) == len(corpus)


@pytest.mark.parametrize("id", OVERLAP)
def test_a_400_token_sentence_with_an_unrelated_output_is_scored(id: str) -> None:
    """The worst case of every metric: finished within seconds, within memory."""
    source = " ".join(f"s{index}" for index in range(400))
    output = " ".join(f"h{index}" for index in range(400))
    reference = " ".join(f"r{index}" for index in range(400))
    corpus = Corpus("long", (sentence(source, reference),), {"A": (output,)})
    assert np.isfinite(score(corpus, [create(id)]).columns[0].values["A"])


def test_every_overlap_metric_is_in_the_registry() -> None:
    assert set(OVERLAP) <= set(registry())


def test_the_texts_of_a_corpus_are_forgotten_with_it() -> None:
    """Scoring remembers the pairs of the latest corpus; a visitor's must not stay longer than the visitor."""
    corpus = Corpus("gone", (sentence("a b", "a c"),), {"A": ("a c",)})
    score(corpus, [create("bleu")])
    assert scoring._latest_pairs._latest is not None
    del corpus
    gc.collect()
    assert scoring._latest_pairs._latest is None


def test_rows_of_different_lengths_make_one_table() -> None:
    table = stack([np.array([1.0, 2.0]), np.array([]), np.array([3.0])])
    assert np.array_equal(table, [[1, 2], [np.nan, np.nan], [3, np.nan]], equal_nan=True)  # type: ignore[arg-type]
    assert stack([]).shape == (0, 0)


def test_a_column_is_known_once_all_of_it_was_scored(tmp_path: Path) -> None:
    corpus = Corpus("made", (sentence("a b", "a c"), sentence("d e", "d e")), {"A": ("a c", "d e"), "B": ("a b", "d")})
    store, metric = Store(tmp_path / "scores.sqlite"), create("green")
    score(corpus.only(["A"]), [metric], store=store)
    assert scoring.known_column(corpus, metric, store) is None
    scored = score(corpus, [metric], store=store).columns[0]
    assert scoring.known_column(corpus, metric, store).values == scored.values
