"""GREEN, by hand and against the figure of the `gec-metrics` package."""

from typing import Any

import pytest
from conftest import needs_conll14, score_one, sentence
from hypothesis import given
from hypothesis import strategies as st

from gec_core.metrics import create
from gec_core.metrics.blocks import NGrams
from gec_core.scoring import score
from gec_core.types import Corpus, Pair


@pytest.mark.parametrize(
    ("source", "output", "reference", "unigrams"),
    [
        ("a", "a", "a", (1, 0, 0)),  # rightly kept
        ("a", "", "", (1, 0, 0)),  # rightly deleted
        ("", "a", "a", (1, 0, 0)),  # rightly inserted
        ("a", "", "a", (0, 1, 0)),  # wrongly deleted
        ("", "a", "", (0, 1, 0)),  # wrongly inserted
        ("a", "a", "", (0, 0, 1)),  # should have been deleted
        ("", "", "a", (0, 0, 1)),  # should have been inserted
        ("a a a", "a a", "a", (2, 0, 1)),  # one kept, one deleted, one still to delete
    ],
)
def test_what_happens_to_an_ngram(source: str, output: str, reference: str, unigrams: tuple[int, int, int]) -> None:
    (row,) = create("green").statistics([Pair(sentence(source, reference), output)])
    assert tuple(row[:3].astype(int)) == unigrams


def test_a_score_by_hand() -> None:
    """S = a b, R = a c, H = a d. Unigrams: a kept, b deleted; d overdone; c missed: P = R = 2/3.
    Bigrams: "a b" deleted; "a d" overdone; "a c" missed: P = R = 1/2. Longer ones: none, so 1."""
    expected = (2 / 3 * 1 / 2) ** (1 / 4)
    found = score_one(create("green"), sentence("a b", "a c"), "a d")
    assert found.value == pytest.approx(expected)
    assert found.details["tp"] == [2, 1, 0, 0]


def test_the_best_reference_is_taken() -> None:
    found = score_one(create("green"), sentence("a b", "x y", "a c"), "a c")
    assert found.value == 1.0


words = st.lists(st.sampled_from("abc"), max_size=7).map(" ".join)


@given(words, words)
def test_the_reference_is_perfect(source: str, reference: Any) -> None:
    assert score_one(create("green"), sentence(source, reference), reference).value == pytest.approx(1.0)


@needs_conll14
def test_the_figure_of_gec_metrics(conll14: Corpus) -> None:
    found = score(conll14.only(["AMU"]), [create("green")]).columns[0].values
    assert found["AMU"] == pytest.approx(0.796394, abs=5e-7)


@given(words, words, st.lists(words, min_size=1, max_size=3))
def test_greens_n_grams_are_those_it_counted(source: str, output: str, references: Any) -> None:
    metric = create("green")
    given = sentence(source, *references)
    rows = metric.statistics([Pair(given, output)])[0].reshape(len(references), 4, 3)
    found = metric.explain(given, output)
    (block,) = found.all(NGrams)
    assert found.reference in references
    counts = rows[references.index(found.reference)].tolist()
    for order, (right, overdone, missed) in zip(block.orders, counts, strict=True):
        assert sum(each.count for each in order.rewarded) == order.top == right
        assert sum(each.count for each in order.penalised) == order.bottom - order.top == overdone
        assert sum(each.count for each in order.other) == missed
