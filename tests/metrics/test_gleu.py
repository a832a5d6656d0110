"""GLEU: by hand, as in the paper's example, and as the original computes it."""

import math
import random
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from conftest import golden, needs_conll14, score_one, sentence
from hypothesis import given
from hypothesis import strategies as st
from paper_examples import (
    QUIZZES,
    QUIZZES_MAKING,
    QUIZZES_REFERENCE,
    STUDENT,
    STUDENT_HAS,
    STUDENTS_HAS,
    STUDENTS_HAVE,
)

from gec_core.metrics import create
from gec_core.metrics.base import stack
from gec_core.metrics.blocks import Explanation, Facts, NGrams
from gec_core.metrics.gleu.expectation import draw_references, expectation, gleu_scores, reference_blocks
from gec_core.scoring import score
from gec_core.types import Array, Corpus, Pair


def test_statistics_by_hand() -> None:
    """H = a b c d e against R = a b x d e and S = a b y d e: nothing of S alone is kept."""
    (row,) = create("gleu").statistics([Pair(sentence("a b y d e", "a b x d e"), "a b c d e")])
    assert row.tolist() == [5, 5, 4, 5, 2, 4, 0, 3, 0, 2]


def test_keeping_what_should_change_is_penalised() -> None:
    """The y kept from S costs one unigram, the two bigrams around it two; R has neither."""
    (row,) = create("gleu").statistics([Pair(sentence("a b y d e", "a b x d e"), "a b y d e")])
    assert row.tolist() == [5, 5, 3, 5, 0, 4, 0, 3, 0, 2]


def test_a_kept_ngram_that_the_reference_has_elsewhere_is_not_penalised() -> None:
    """Only kinds of n-grams that R lacks altogether are penalised: the second a of S is not."""
    (row,) = create("gleu").statistics([Pair(sentence("a a b", "a b"), "a a b")])
    assert row.tolist()[2:4] == [2, 3]


@pytest.mark.parametrize(
    ("source", "references", "output", "expected"),
    [
        (QUIZZES, [QUIZZES_REFERENCE], QUIZZES, 0.392),
        (QUIZZES, [QUIZZES_REFERENCE], QUIZZES_MAKING, 0.735),
        (STUDENT, [STUDENT_HAS, STUDENTS_HAVE], STUDENT_HAS, 0.661),
        (STUDENT, [STUDENT_HAS, STUDENTS_HAVE], STUDENTS_HAVE, 0.656),
        (STUDENT, [STUDENT_HAS, STUDENTS_HAVE], STUDENTS_HAS, 0.776),
    ],
)
def test_table_4_of_chollampatt_and_ng(source: str, references: list[str], output: str, expected: float) -> None:
    """To the digit, since the draws are the original's."""
    assert round(score_one(create("gleu"), sentence(source, *references), output).value, 3) == expected


def test_the_exact_expectation_does_not_depend_on_the_order_of_the_references() -> None:
    metric = create("gleu", {"sampling": "exact"})
    one = score_one(metric, sentence(STUDENT, STUDENT_HAS, STUDENTS_HAVE), STUDENT_HAS)
    other = score_one(metric, sentence(STUDENT, STUDENTS_HAVE, STUDENT_HAS), STUDENT_HAS)
    assert one.value == pytest.approx(other.value, abs=1e-15)
    alone = [score_one(metric, sentence(STUDENT, each), STUDENT_HAS).value for each in (STUDENT_HAS, STUDENTS_HAVE)]
    assert one.value == pytest.approx(np.mean(alone))
    assert one.details["std"] == pytest.approx(np.std(alone))


def test_draws_are_those_of_the_standard_library() -> None:
    sizes = (2, 3, 1, 5) * 10
    for iteration in (0, 1, 499):
        twister = random.Random(iteration * 101)
        drawn = draw_references(sizes, 500, "python2")[iteration].tolist()
        assert drawn == [int(twister.random() * size) for size in sizes]
        twister.seed(iteration * 101)
        drawn = draw_references(sizes, 500, "python3")[iteration].tolist()
        assert drawn == [twister.randint(0, size - 1) for size in sizes]


def test_a_zero_count_makes_a_corpus_0_and_is_1_in_a_sentence() -> None:
    scored = score(Corpus("one", (sentence("a b", "a c"),), {"system": ("a c",)}), [create("gleu")]).columns[0]
    assert scored.values == {"system": 0.0}
    assert scored.sentence_scores("system") == [pytest.approx(math.exp(0.25 * math.log(2 * 1 * 1 * 1 / (2 * 1))))]


def test_an_empty_output_has_a_score() -> None:
    scored = score(Corpus("one", (sentence("a b", "a c"),), {"system": ("",)}), [create("gleu")]).columns[0]
    assert scored.values == {"system": 0.0}
    assert np.isfinite(scored.sentence_scores("system")).all()


def test_the_computed_expectation_agrees_with_a_million_draws() -> None:
    """Forty made-up sentences with two or three references: too many choices to enumerate."""
    rng = np.random.default_rng(7)
    sizes = rng.integers(2, 4, 40)
    blocks = np.zeros((40, 3, 10))
    for line, size in enumerate(sizes):
        length = rng.integers(10, 30)
        for reference in range(size):
            counts = [(int(length * rng.uniform(0.6, 0.9)) - n, length - n) for n in range(4)]
            blocks[line, reference] = [length, length + rng.integers(-3, 4), *np.ravel(np.array(counts))]
    chosen = (rng.random((1_000_000, 40), dtype=np.float32) * sizes).astype(np.int8)
    totals = sum((chosen == r).astype(np.float32) @ blocks[:, r].astype(np.float32) for r in range(3))
    draws = gleu_scores(np.asarray(totals, float))
    mean, std = expectation(blocks, sizes)
    assert mean == pytest.approx(draws.mean(), abs=4 * draws.std() / 1000)
    assert std == pytest.approx(draws.std(), rel=0.01)


def small_corpora() -> Iterator[Array]:
    """Corpora of made-up sentences with two references that have little in common, so that sums come near 0."""
    rng = np.random.default_rng(3)
    words = list("abcdefghijklmnop")

    def changed(text: list[Any], share: float) -> list[Any]:
        return [rng.choice(words) if rng.random() < share else word for word in text if rng.random() > share / 4]

    for size in (13, 14, 16, 20, 30) * 3:
        pairs = []
        for _ in range(size):
            source = list(rng.choice(words, rng.integers(5, 12)))
            references = [" ".join(changed(source, rng.choice([0.1, 0.6]))) for _ in range(2)]
            pairs.append(Pair(sentence(" ".join(source), *references), " ".join(changed(source, 0.3))))
        yield stack(create("gleu").statistics(pairs))


def scores_by_brute_force(blocks: Array, draws: int) -> Array:
    """GLEU of draws of one of two references a sentence."""
    chosen = np.random.default_rng(8).integers(2, size=(draws, len(blocks)))
    return gleu_scores(np.array([blocks[np.arange(len(blocks)), each].sum(axis=0) for each in chosen]))


def test_the_expectation_on_small_corpora_is_what_draws_give() -> None:
    for rows in small_corpora():
        blocks, sizes = reference_blocks(rows)
        draws = scores_by_brute_force(blocks, 5000)
        exact, std = expectation(blocks, sizes)
        noise = draws.std() / 5000**0.5
        assert exact == pytest.approx(draws.mean(), abs=5 * noise)
        assert std == pytest.approx(draws.std(), rel=0.1)
        (whole,) = create("gleu").resampled(rows, np.ones((1, len(rows))))
        assert whole == pytest.approx(draws.mean(), abs=4 * draws.std() / 500**0.5 + 4 * noise)


def test_resampled_small_corpora_have_scores() -> None:
    for rows in small_corpora():
        samples = np.random.default_rng(1).multinomial(len(rows), [1 / len(rows)] * len(rows), size=50).astype(float)
        found = create("gleu").resampled(rows, samples)
        assert ((found >= 0) & (found <= 1)).all()
        blocks = reference_blocks(np.repeat(rows, samples[7].astype(int), axis=0))[0]
        draws = scores_by_brute_force(blocks, 2000)
        assert found[7] == pytest.approx(draws.mean(), abs=5 * draws.std() / 500**0.5)
        assert found[7] == create("gleu").resampled(rows, samples[7:8])[0]  # whatever else is drawn beside it


words = st.lists(st.sampled_from("abc"), min_size=4, max_size=9).map(" ".join)


@given(words, words)
def test_the_reference_is_perfect(source: str, reference: Any) -> None:
    assert score_one(create("gleu"), sentence(source, reference), reference).value == pytest.approx(1.0)


@given(words, words, words)
def test_scores_lie_between_0_and_1(source: str, reference: Any, output: str) -> None:
    assert 0 <= score_one(create("gleu"), sentence(source, reference), output).value <= 1 + 1e-12


@needs_conll14
def test_corpus_scores_equal_the_original(conll14: Corpus) -> None:
    original, today = (
        score(conll14, [create("gleu", {"draw": draw})]).columns[0].systems for draw in ("python2", "python3")
    )
    table = golden("gleu_system.tsv")
    assert len(table) == 13
    for row in table:
        found = original[row["system"]].score
        assert f"{found.value:.6f}" == row["gleu_official_6dp"]
        assert found.value == pytest.approx(float(row["gleu_repr"]), abs=1e-12)
        assert found.details["std"] == pytest.approx(float(row["std_over_500"]), abs=1e-12)
        assert today[row["system"]].score.value == pytest.approx(float(row["gleu_if_py3_randint"]), abs=1e-12)


@needs_conll14
def test_sentence_scores_equal_the_original(conll14: Corpus) -> None:
    column = score(conll14, [create("gleu")]).columns[0]
    scores = {system: column.sentence_scores(system) for system in conll14.systems}
    table = golden("gleu_sentence.tsv")
    assert len(table) == 17_056
    for row in table:
        assert f"{scores[row['system']][int(row['sid0'])]:.6f}" == row["gleu_official_6dp"]


@needs_conll14
def test_single_references_equal_the_original(conll14: Corpus) -> None:
    column = score(conll14, [create("gleu")]).columns[0]
    for row in golden("gleu_system.tsv"):
        blocks, _ = reference_blocks(column.systems[row["system"]].statistics)
        for reference in (0, 1):
            expected = float(row[f"ref{reference}_only"])
            assert float(gleu_scores(blocks[:, reference].sum(axis=0))) == pytest.approx(expected, abs=1e-12)


texts = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)


def facts(explanation: Explanation, title: str) -> Mapping[str, Any]:
    return next(block.values for block in explanation.all(Facts) if block.title == title)


def test_gleu_by_hand() -> None:
    found = create("gleu").explain(sentence("a b c", "a x c"), "a b c d")
    (block,) = found.all(NGrams)
    one, two, *_ = block.orders
    assert [(each.text, each.what) for each in one.rewarded] == [("a", "kept"), ("c", "kept")]
    assert [each.text for each in one.penalised] == ["b"]
    assert [each.text for each in one.other] == ["d"]
    assert (one.top, one.bottom) == (1, 4)
    assert [each.text for each in two.penalised] == ["a b", "b c"]
    assert (two.top, two.bottom) == (0, 3)
    assert facts(found, "Reference 1")["brevity penalty"] == 1
    assert "every 0 counts as 1" in facts(found, "Reference 1")["note"]


def test_new_words_that_are_rewarded_are_told_from_old_ones() -> None:
    (block,) = create("gleu").explain(sentence("a b c", "a x c"), "a x c").all(NGrams)
    assert [(each.text, each.what) for each in block.orders[0].rewarded] == [("a", "kept"), ("x", "new"), ("c", "kept")]


@given(texts, texts, st.lists(texts, min_size=1, max_size=3))
def test_gleus_n_grams_are_those_it_counted(source: str, output: str, references: Any) -> None:
    metric = create("gleu")
    given = sentence(source, *references)
    (row,) = metric.statistics([Pair(given, output)])
    found = metric.explain(given, output)
    for block, counts in zip(found.all(NGrams), row.reshape(len(references), -1), strict=True):
        assert [(order.top, order.bottom) for order in block.orders] == [
            tuple(pair) for pair in counts[2:].reshape(4, 2)
        ]
        for order in block.orders:
            rewarded, penalised, other = (
                sum(each.count for each in group) for group in (order.rewarded, order.penalised, order.other)
            )
            assert order.top == max(rewarded - penalised, 0)
            assert order.bottom == rewarded + penalised + other
    by_reference = [facts(found, f"Reference {number + 1}")["GLEU"] for number in range(len(references))]
    assert found.score == pytest.approx(sum(by_reference) / len(references))
