"""M² and PT-M² explained: verdicts, trimmed edits, the chosen annotator, and what edits weigh."""

import pytest
from conftest import sentence
from fixed_scorer import Fixed
from papers import MACHINES, MACHINES_GOLD
from tiny_encoder import needs_encoder

from gec_core.explain.blocks import Edits, Facts
from gec_core.metrics import create
from gec_core.metrics.base import Availability
from gec_core.papers.examples import CASES
from gec_core.types import Annotation, Edit, Sentence


def verdicts(explanation):
    (block,) = explanation.all(Edits)
    return [(line.original, line.correction, line.verdict) for line in block.edits]


def facts(explanation):
    return {name: value for block in explanation.all(Facts) for name, value in block.values.items()}


def test_matched_wrong_and_missed_edits():
    found = create("m2").explain(
        sentence("Two dog bark at cat .", "Two dogs bark at the cat ."), "Two dogs barks at cat ."
    )
    assert verdicts(found) == [("dog", "dogs", "correct"), ("bark", "barks", "wrong"), ("", "the", "missed")]
    assert (found.metric, found.score) == ("m2", pytest.approx(0.5))
    assert found.signature.startswith("m2|v1|beta:0.5")
    assert {name: facts(found)[name] for name in ("correct", "proposed", "gold", "precision", "recall")} == {
        "correct": 1,
        "proposed": 2,
        "gold": 2,
        "precision": 0.5,
        "recall": 0.5,
    }


def test_the_annotator_who_counts_is_named_with_their_reference():
    """Table 1 of Felice and Briscoe: the second annotator has `machine` and `to`."""
    given = Sentence(MACHINES, (), tuple(Annotation(7 + number, edits) for number, edits in enumerate(MACHINES_GOLD)))
    found = create("m2").explain(given, "This machine is designed to help people .")
    assert (found.annotator, found.reference) == (8, "This machine is designed to help people .")
    assert verdicts(found) == [("machines", "machine", "correct"), ("for", "to", "correct")]


def test_edits_are_shown_without_unchanged_words_at_their_ends():
    """M² reads `c d` off the lattice as one edit, of which only the first word changed."""
    found = create("m2").explain(sentence("a b c d", "a x c y"), "a x z d")
    assert verdicts(found) == [("b", "x", "correct"), ("c", "z", "wrong"), ("d", "y", "missed")]


def test_an_alternative_that_was_met_is_the_one_that_is_shown_with_its_type():
    gold = Annotation(0, (Edit(1, 2, "x", "Wform", ("y",)), Edit(2, 2, "q", "ArtOrDet")))
    (block,) = create("m2").explain(Sentence("a b c", (), (gold,)), "a y c").all(Edits)
    assert [(line.correction, line.verdict, line.type) for line in block.edits] == [
        ("y", "correct", "Wform"),
        ("q", "missed", "ArtOrDet"),
    ]


def test_an_untouched_sentence_has_nothing_but_missed_edits():
    assert verdicts(create("sentm2").explain(sentence("a b", "a c"), "a b")) == [("b", "c", "missed")]
    assert verdicts(create("sentm2").explain(sentence("a b", "a b"), "a b")) == []


def ptm2(values):
    """The metric with a scorer that needs no model."""
    metric = create("ptm2")
    metric.scorer = Fixed(values)
    metric.availability = lambda: Availability(ready=True)
    return metric


def test_weights_come_with_the_texts_that_were_compared():
    metric = ptm2({"a b c d": 0.5, "a x c d": 0.8, "a b z d": 0.4, "a b c y": 0.7})
    found = metric.explain(sentence("a b c d", "a x c y"), "a x z d")
    (block,) = found.all(Edits)
    assert [(line.correction, line.verdict, line.changed) for line in block.edits] == [
        ("x", "correct", "a x c d"),
        ("z", "wrong", "a b z d"),
        ("y", "missed", "a b c y"),
    ]
    assert [line.weight for line in block.edits] == pytest.approx([0.3, 0.1, 0.2])
    assert [line.value for line in block.edits] == [0.8, 0.4, 0.7]
    assert facts(found)["source beside the reference (S, R)"] == 0.5
    assert facts(found)["weight of proposed edits"] == pytest.approx(0.4)
    assert found.score == pytest.approx(5 / 7)


def test_weights_that_make_no_difference_are_said_to():
    found = ptm2({"a b": 0.5, "a c": 0.8}).explain(sentence("a b", "a c"), "a c")
    assert "the same whatever the edits weigh" in facts(found)["note"]
    assert create("ptm2", {"weights": "one"}).explain(sentence("a b", "a c"), "a c").score == 1


@needs_encoder
def test_table_8_of_gong_et_al():
    """`entirely` weighs most, more than twice as much as `skills`, which M² counts alike."""
    (block,) = create("ptm2").explain(CASES["skills"].sentence, CASES["skills"].hypotheses["NTHU"]).all(Edits)
    weights = {line.correction: line.weight for line in block.edits}
    assert [(line.original, line.verdict) for line in block.edits] == [
        ("entire", "correct"),
        ("the", "wrong"),
        ("skill", "correct"),
    ]
    assert weights["entirely"] > 2 * weights["skills"]
    assert weights["entirely"] > weights[""]


@needs_encoder
def test_table_3_of_gong_et_al():
    """`an` brings the sentence closer to the reference, `replaced` takes it away."""
    found = create("ptm2").explain(CASES["substituted"].sentence, CASES["substituted"].hypotheses["AMU"])
    (block,) = found.all(Edits)
    before = facts(found)["source beside the reference (S, R)"]
    assert [(line.correction, line.verdict, line.value > before) for line in block.edits] == [
        ("an", "correct", True),
        ("replaced", "wrong", False),
    ]
