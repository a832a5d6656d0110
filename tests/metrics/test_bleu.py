"""BLEU is sacrebleu's, from statistics that can be summed."""

from typing import Any

import numpy as np
import pytest
from conftest import sentence
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU, BLEUScore

from gec_core.errors import ScoreError
from gec_core.metrics import create
from gec_core.metrics.blocks import NGrams
from gec_core.scoring import score
from gec_core.types import Corpus, Pair

words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=9).map(" ".join)


@settings(deadline=None)  # the first call compiles
@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=5))
def test_equal_to_sacrebleu(triples: Any) -> None:
    corpus = Corpus(
        "made", tuple(sentence("s", a, b) for a, b, _ in triples), {"system": tuple(h for _, _, h in triples)}
    )
    column = score(corpus, [create("bleu")]).columns[0]
    outputs, references = corpus.systems["system"], [[a for a, _, _ in triples], [b for _, b, _ in triples]]
    whole = BLEU(tokenize="none").corpus_score(list(outputs), references)
    assert column.values["system"] == pytest.approx(whole.score / 100)
    single = [BLEU(tokenize="none", effective_order=True).sentence_score(h, [a, b]) for a, b, h in triples]
    assert column.sentence_scores("system") == pytest.approx([each.score / 100 for each in single], rel=1e-12)
    statistics = column.systems["system"].statistics
    assert column.systems["system"].score.details == as_told_by(whole)
    assert column.metric.sentence_details(statistics) == [as_told_by(each) for each in single]
    assert column.metric.resampled(statistics, np.ones((1, len(triples)))) == pytest.approx(whole.score / 100)


def as_told_by(theirs: BLEUScore) -> dict[str, Any]:
    """Our details from a score of sacrebleu's."""
    return {
        "bleu": pytest.approx(theirs.score / 100),
        "precisions": pytest.approx([each / 100 for each in theirs.precisions]),
        "brevity_penalty": pytest.approx(theirs.bp),
        "output_tokens": theirs.sys_len,
        "reference_tokens": theirs.ref_len,
    }


def test_an_empty_output_scores_0() -> None:
    corpus = Corpus("made", (sentence("a b", "a c"),), {"system": ("",)})
    column = score(corpus, [create("bleu")]).columns[0]
    assert column.values == {"system": 0.0}
    assert column.systems["system"].score.details == as_told_by(BLEU(tokenize="none").corpus_score([""], [["a c"]]))
    assert column.sentence_scores("system").tolist() == [0.0]


def test_counts_are_sacrebleus_to_the_last() -> None:
    references, output = ["a b c a b", "a b b c", "c c"], "a b a b b"
    found = BLEU(tokenize="none", effective_order=True).sentence_score(output, references)
    (row,) = create("bleu").statistics([Pair(sentence("s", *references), output)])
    assert row.tolist() == [found.sys_len, found.ref_len, *found.counts, *found.totals]


def test_a_sentence_with_more_words_than_can_be_told_apart_is_refused() -> None:
    many = " ".join(str(number) for number in range(55_001))
    with pytest.raises(ScoreError, match="55,002 distinct words"):
        create("bleu").statistics([Pair(sentence("s", "a"), many)])


@given(words, words, st.lists(words, min_size=1, max_size=3))
def test_bleus_n_grams_are_those_it_counted(source: str, output: str, references: Any) -> None:
    metric = create("bleu")
    given = sentence(source, *references)
    (row,) = metric.statistics([Pair(given, output)])
    (block,) = metric.explain(given, output).all(NGrams)
    assert [order.top for order in block.orders] == row[2:6].tolist()
    assert [order.bottom for order in block.orders] == row[6:].tolist()


def test_bleu_halves_what_is_missing() -> None:
    lines = create("bleu").steps(sentence("a b", "a c b d"), "a b")[1].formulas
    assert lines == ("p1 = 2 / 2 = 1", "p2 = 0 / 1 → 0.5 / 1 = 0.5")
