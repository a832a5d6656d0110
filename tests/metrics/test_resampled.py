"""Scores of resampled corpora from statistics: for every metric what scoring the repeated rows gives."""

from collections.abc import Sequence

import numpy as np
import pytest
from conftest import sentence

from gec_core import corpora
from gec_core.errors import MissingInput
from gec_core.human.ranking import item_weights
from gec_core.metrics import create, registry
from gec_core.metrics.base import Metric, Score
from gec_core.scoring import score
from gec_core.store import Store
from gec_core.types import Array, Corpus, Pair

OPTIONS = [
    *((id, {}) for id in registry()),
    ("m2", {"beta": "1"}),
    ("sentm2", {"sentence": "chosen"}),
    ("senterrant", {"sentence": "chosen"}),
    ("errant", {"mode": "token"}),
    ("gleu", {"sampling": "exact"}),
    ("ptm2", {"level": "corpus", "weights": "one"}),
]


@pytest.fixture(scope="module")
def demo() -> Corpus:
    return corpora.load("demo")


@pytest.mark.parametrize(("id", "options"), OPTIONS, ids=str)
def test_resampling_statistics_is_scoring_the_repeated_rows(demo: Corpus, id: str, options: dict[str, str]) -> None:
    metric = create(id, options)
    try:
        column = score(demo, [metric], store=Store())[id]
    except MissingInput as problem:
        pytest.skip(str(problem))
    samples = item_weights(len(demo), 5, 3)
    # GLEU's resamples are free of the noise of drawing references, so they are to be compared with the expectation.
    reference = create("gleu", {"sampling": "exact"}) if id == "gleu" else metric
    for system in ("EAGER", "FLUENT"):
        rows = column.systems[system].statistics
        expected = [reference.aggregate(np.repeat(rows, times, axis=0)).value for times in samples.astype(int)]
        assert metric.resampled(rows, samples) == pytest.approx(expected, abs=1e-6 if id == "gleu" else 1e-12)


def test_a_metric_that_says_nothing_about_it_can_be_resampled() -> None:
    class Longest(Metric):
        id, name, family, summary, reads = "longest", "Longest", "test", "The longest output.", "source"

        def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
            return [np.array([len(output)], float) for _, output in pairs]

        def aggregate(self, statistics: Array) -> Score:
            return Score(float(statistics.max()))

        def sentence_scores(self, statistics: Array) -> Array:
            return statistics[:, 0]

    rows = np.array([[1.0], [5.0], [3.0]])
    assert Longest().resampled(rows, np.array([[1, 1, 1], [2, 0, 1], [3, 0, 0]])).tolist() == [5, 3, 1]


def test_annotators_are_chosen_anew_along_each_sample() -> None:
    """By hand. Sentence 0: nothing proposed; its annotators have no edit, and one. Sentence 1: one edit, which
    annotator 0 has, and annotator 1 with three more. Sentence 2: one wrong edit beside one gold edit of annotator 0,
    and none of annotator 1. Alone, sentence 2 is worth 0 with either; the tie goes to the fewer edits in all.
    """
    metric = create("m2")
    rows = np.array([[1, 0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1, 4], [1, 0, 1, 1, 0, 1, 0]], float)
    samples = np.array([[1, 1, 1], [0, 0, 1], [0, 2, 1], [3, 0, 0]])
    # 1/2 right of 2 proposed, 1 gold: P .5, R 1; nothing right; 2 of 3 proposed, 2 gold; all fine.
    expected = [1.25 * 0.5 / (0.25 * 0.5 + 1), 0, 1.25 * (2 / 3) / (0.25 * 2 / 3 + 1), 1]
    assert metric.resampled(rows, samples) == pytest.approx(expected)


def test_few_references_are_tried_in_all_combinations() -> None:
    given = sentence("a b c d e", "a b c d e", "a b x d e")
    corpus = Corpus("made", (given,), {"A": ("a b c d e",)})
    rows = score(corpus, [create("gleu")])["gleu"].systems["A"].statistics
    exact = create("gleu", {"sampling": "exact"})
    expected = exact.aggregate(np.repeat(rows, 3, axis=0)).value
    assert create("gleu").resampled(rows, np.array([[3.0]])) == pytest.approx([expected])


def test_with_one_reference_there_is_nothing_to_choose() -> None:
    given = tuple(sentence(text, "a b c d e") for text in ("a b c d e", "a b x d e", "c d e"))
    corpus = Corpus("made", given, {"A": ("a b c d e", "a b x d e", "c d e f g")})
    rows = score(corpus, [create("gleu")])["gleu"].systems["A"].statistics
    samples = np.array([[1.0, 1, 1], [3, 0, 0], [1, 0, 2]])
    expected = [create("gleu").aggregate(np.repeat(rows, times, axis=0)).value for times in samples.astype(int)]
    assert create("gleu").resampled(rows, samples) == pytest.approx(expected)
