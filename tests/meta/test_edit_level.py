"""Credits of edits beside people's verdicts, on a corpus small enough to check by hand."""

from dataclasses import replace

import numpy as np
import pytest

from gec_core.api.corpus import corpus as make_corpus
from gec_core.errors import MissingInput
from gec_core.explain.credit import edit_credits
from gec_core.meta.edit_level import EditAgreement, agreement_seconds, edit_agreement, judged_edits
from gec_core.metrics import create
from gec_core.store import MemoryStore
from gec_core.types import Corpus, Edit, EditVerdict

SOURCE = "He go to school every days and he like it ."
REFERENCE = "He goes to school every day and he likes it ."
OUTPUT = "He goes to school every days and she likes it ."


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    made = make_corpus(sources=[SOURCE], references=[[REFERENCE]], systems={"one": [OUTPUT], "same": [OUTPUT]})
    goes, she, likes = Edit(1, 2, "goes"), Edit(7, 8, "she"), Edit(8, 9, "likes")
    verdicts = (
        EditVerdict(0, "ann", ("one", "same"), goes, True),
        EditVerdict(0, "bob", ("one", "same"), goes, True),
        EditVerdict(0, "ann", ("one", "same"), she, True),
        EditVerdict(0, "bob", ("one", "same"), she, False),
        EditVerdict(0, "cid", ("one", "same"), she, True),
        EditVerdict(0, "ann", ("one", "same"), likes, False),
        EditVerdict(0, "ann", ("one", "same"), Edit(7, 9, "she likes"), True),
        EditVerdict(0, "ann", ("elsewhere",), goes, False),
    )
    return replace(made, verdicts=verdicts)


@pytest.fixture(scope="module")
def found(corpus: Corpus) -> EditAgreement:
    return edit_agreement(corpus, create("sentm2", {}), judged_edits(corpus))


def test_verdicts_belong_to_the_edits_that_errant_reads(corpus: Corpus) -> None:
    judged = judged_edits(corpus)
    assert [(each.edit.correction, each.accepted, each.refused) for each in judged.edits] == [
        ("goes", 2, 0),
        ("she", 2, 1),
        ("likes", 0, 1),
    ]
    assert judged.unmatched == 1  # the one that joins two edits
    assert judged.verdicts == 6
    assert [each.systems for each in judged.edits] == [("one", "same")] * 3


def test_credits_are_those_of_the_sentence_page(corpus: Corpus, found: EditAgreement) -> None:
    beside = edit_credits(create("sentm2", {}), corpus.sentences[0], OUTPUT)
    assert found.credits.tolist() == pytest.approx([edit.value for edit in beside.edits])
    assert found.credits[0] > 0 > found.credits[1]


def test_accuracy_counts_verdicts_with_the_sign_of_the_credit(found: EditAgreement) -> None:
    overall = found.overall
    assert (overall.accepted, overall.refused, overall.right, overall.right_refused) == (4, 2, 3, 1)
    assert overall.accuracy == 3 / 6
    assert overall.balanced == pytest.approx((2 / 4 + 1 / 2) / 2)
    pairs = [(up, down) for up in [0, 0, 1, 1] for down in [1, 2]]
    credits = found.credits
    expected = np.mean([(credits[up] > credits[down]) + (credits[up] == credits[down]) / 2 for up, down in pairs])
    assert overall.auc == pytest.approx(expected)


def test_a_credit_of_0_is_neither_right_nor_a_mistake(found: EditAgreement) -> None:
    neutral = replace(found, credits=np.zeros(3))
    assert (neutral.overall.right, neutral.overall.neutral, neutral.overall.auc) == (0, 6, 0.5)
    assert neutral.mistakes() == []


def test_mistakes_go_against_most_judges(found: EditAgreement) -> None:
    assert {(each.edit.correction, credit > 0) for each, credit in found.mistakes()} == {
        ("she", False),
        ("likes", True),
    }
    sizes = [abs(credit) for _, credit in found.mistakes()]
    assert sizes == sorted(sizes, reverse=True)


def test_types_with_few_verdicts_are_left_out(found: EditAgreement) -> None:
    assert [(each.name, each.verdicts) for each in found.by_type(fewest=3)] == [("PRON", 3), ("VERB:SVA", 3)]
    assert found.by_type() == []


def test_what_is_known_takes_no_time(corpus: Corpus) -> None:
    store, metric = MemoryStore(1 << 20), create("gleu", {})
    judged = judged_edits(corpus)
    assert agreement_seconds(corpus, metric, judged, store) > 0
    edit_agreement(corpus, metric, judged, store=store)
    assert agreement_seconds(corpus, metric, judged, store) == 0


def test_a_corpus_without_verdicts_is_told(corpus: Corpus) -> None:
    with pytest.raises(MissingInput, match="no verdicts on single edits"):
        judged_edits(replace(corpus, verdicts=()))
