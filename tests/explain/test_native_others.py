"""Explanations of the I-measure, of n-grams, of ERRANT's edits, and of metrics that have only numbers."""

import json

import pytest
from conftest import sentence
from errant_cases import needs_errant
from fixed_scorer import Fixed
from hypothesis import given
from hypothesis import strategies as st

from gec_core.explain.blocks import Columns, Edits, Facts, NGrams
from gec_core.metrics import create, registry
from gec_core.metrics.base import Availability
from gec_core.types import Pair

texts = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)


def classes(explanation):
    (block,) = explanation.all(Columns)
    return [(line.source, line.hypothesis, line.reference, line.correction) for line in block.columns]


def facts(explanation, title):
    return next(block.values for block in explanation.all(Facts) if block.title == title)


def test_table_1_of_chollampatt_and_ng():
    found = create("imeasure").explain(
        sentence(
            "Thus , advice from hospital plays the important role for this .",
            "Thus , advice from the hospital plays an important role in this .",
        ),
        "Thus , advice from hospital plays an important role for this .",
    )
    assert [column for column in classes(found) if column[3] != "TN"] == [
        (None, None, "the", "FN"),
        ("the", "an", "an", "TP"),
        ("for", "for", "in", "FN"),
    ]
    assert len(classes(found)) == 13
    assert facts(found, "Correction")["weighted accuracy (%)"] == pytest.approx(100 * 12 / 14)
    assert facts(found, "Correction")["weighted accuracy of the source (%)"] == pytest.approx(100 * 10 / 13)
    assert found.score == pytest.approx(facts(found, "Correction")["improvement (%)"])


def test_table_5_of_felice_and_briscoe():
    target = "There is widespread use of technology ."
    found = create("imeasure").explain(sentence("Their is wide spread usage of technology .", target), target)
    assert [column[3] for column in classes(found)].count("TP") == 4
    assert {column[3] for column in classes(found)} == {"TP", "TN"}
    assert (found.score, found.reference, found.annotator) == (100, target, 0)


@pytest.mark.parametrize(
    ("source", "output", "reference", "expected"),
    [
        ("a b", "a b", "a b", "TN"),
        ("a b", "a b", "a c", "FN"),
        ("a b", "a c", "a b", "FP"),
        ("a b", "a c", "a c", "TP"),
        ("a b", "a c", "a d", "FPN"),
        ("a b", "a", "a b", "FP"),
        ("a b", "a", "a", "TP"),
        ("a", "a b", "a", "FP"),
        ("a", "a b", "a b", "TP"),
        ("a", "a", "a b", "FN"),
        ("a b", "a", "a c", "FPN"),
        ("a b", "a c", "a", "FPN"),
    ],
)
def test_table_6_of_felice_and_briscoe(source, output, reference, expected):
    *_, (_, _, _, found) = classes(create("imeasure").explain(sentence(source, reference), output))
    assert found == expected


def test_mixed_references_have_no_annotator():
    found = create("imeasure", {"mode": "mix"}).explain(sentence("a b c", "x b c", "a b y"), "x b y")
    assert (found.annotator, found.reference, found.score) == (None, "x b y", 100)


def test_gleu_by_hand():
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


def test_new_words_that_are_rewarded_are_told_from_old_ones():
    (block,) = create("gleu").explain(sentence("a b c", "a x c"), "a x c").all(NGrams)
    assert [(each.text, each.what) for each in block.orders[0].rewarded] == [("a", "kept"), ("x", "new"), ("c", "kept")]


@given(texts, texts, st.lists(texts, min_size=1, max_size=3))
def test_gleus_n_grams_are_those_it_counted(source, output, references):
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


@given(texts, texts.filter(bool), st.lists(texts.filter(bool), min_size=1, max_size=3))
def test_bleus_n_grams_are_those_it_counted(source, output, references):
    metric = create("bleu")
    given = sentence(source, *references)
    (row,) = metric.statistics([Pair(given, output)])
    (block,) = metric.explain(given, output).all(NGrams)
    assert [order.top for order in block.orders] == row[2:6].tolist()
    assert [order.bottom for order in block.orders] == row[6:].tolist()


@given(texts, texts, st.lists(texts, min_size=1, max_size=3))
def test_greens_n_grams_are_those_it_counted(source, output, references):
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


@needs_errant
def test_errants_edits_have_types():
    found = create("errant").explain(
        sentence("Two dog bark at cat .", "Two dogs bark at the cat ."), "Two dogs bark in cat ."
    )
    (block,) = found.all(Edits)
    assert [(line.correction, line.verdict, line.type, line.weight) for line in block.edits] == [
        ("dogs", "correct", "R:NOUN:NUM", 1),
        ("in", "wrong", "R:PREP", 1),
        ("the", "missed", "M:DET", 1),
    ]
    assert (found.reference, found.annotator) == ("Two dogs bark at the cat .", 0)


@needs_errant
@pytest.mark.parametrize("references", ["gold", "auto"])
@pytest.mark.parametrize("mode", ["span", "detection"])
def test_errants_counts_are_its_edits(references, mode):
    given = sentence("Two dog bark at cat .", "Two dogs bark at the cat .", "A dog barks at a cat .")
    found = create("errant", {"references": references, "mode": mode}).explain(given, "Two dogs barks at a cat .")
    (block,) = found.all(Edits)
    verdicts = [line.verdict for line in block.edits]
    counts = facts(found, "Counts")
    assert [verdicts.count(name) for name in ("correct", "wrong", "missed")] == [
        counts[name] for name in ("tp", "fp", "fn")
    ]


@needs_errant
def test_gotoscorer_weighs_by_what_the_peers_did():
    """Nobody else corrected `dog`, one of two others inserted `the`; and nobody else touched `at`."""
    given = sentence("Two dog bark at cat .", "Two dogs bark at the cat .")
    peers = ["Two dog bark at the cat .", "Two dog bark at cat ."]
    found = create("gotoscorer").explain(given, "Two dogs bark in the cat .", peers=peers)
    (block,) = found.all(Edits)
    assert {line.correction: line.weight for line in block.edits} == {
        "dogs": pytest.approx(2 / 3),
        "in": pytest.approx(1 / 3),
        "the": pytest.approx(1 / 3),
    }
    counts = facts(found, "Counts")
    assert counts["tp"] == pytest.approx(1)
    assert counts["fp"] == pytest.approx(1 / 3)


@needs_errant
@pytest.mark.parametrize("references", ["gold", "auto"])
def test_pterrant_shows_types_weights_and_the_texts_that_were_compared(references):
    given = sentence("Two dog bark at cat .", "Two dogs bark at the cat .")
    metric = create("pterrant", {"references": references})
    metric.scorer = Fixed({given.source: 0.5, "Two dogs bark at cat .": 0.8, "Two dog bark at the cat .": 0.7})
    metric.scorer.values["Two dog bark in cat ."] = 0.4
    metric.availability = lambda: Availability(ready=True)
    found = metric.explain(given, "Two dogs bark in cat .")
    (block,) = found.all(Edits)
    assert [(line.correction, line.verdict, line.type, line.value) for line in block.edits] == [
        ("dogs", "correct", "R:NOUN:NUM", 0.8),
        ("in", "wrong", "R:PREP", 0.4),
        ("the", "missed", "M:DET", 0.7),
    ]
    assert [line.weight for line in block.edits] == pytest.approx([0.3, 0.1, 0.2])
    assert block.edits[0].changed == "Two dogs bark at cat ."
    assert facts(found, "Weights")["source beside the reference (S, R)"] == 0.5
    assert found.score == pytest.approx(5 / 7)
    assert (found.reference, found.annotator) == (given.references[0], 0 if references == "gold" else None)


def test_a_metric_without_an_explanation_of_its_own_shows_its_numbers():
    found = create("length").explain(sentence("a b"), "a b c")
    assert found.blocks == (Facts("What the score is made of", {"output_tokens": 3, "source_tokens": 2}),)
    assert create("constant").explain(sentence("a b"), "a b c").blocks == ()


def test_every_quick_metric_can_be_explained_and_carried_as_json():
    given = sentence("Two dog bark at cat .", "Two dogs bark at the cat .")
    quick = [id for id, cls in registry().items() if cls.family in ("overlap", "sanity") or id in ("m2", "sentm2")]
    for id in quick:
        for output in ("Two dogs bark at the cat .", given.source, ""):
            found = create(id).explain(given, output)
            carried = json.loads(json.dumps(found.as_dict()))
            assert carried["metric"] == id
            assert [block["kind"] for block in carried["blocks"]] == [block.kind for block in found.blocks]
