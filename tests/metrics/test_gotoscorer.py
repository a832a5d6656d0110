"""GoToScorer by hand, on systems given as edits, and its explanation."""

import numpy as np
import pytest
from conftest import sentence
from errant_cases import needs_errant

from gec_core.metrics import create
from gec_core.metrics.base import stack
from gec_core.metrics.blocks import Edits, Facts
from gec_core.metrics.errant import rows as errant_rows
from gec_core.metrics.fscore import f_score
from gec_core.types import Edit

EASY, HARD, NEVER = Edit(0, 1, "He"), Edit(3, 4, "goes"), Edit(6, 6, "the")


def digest(gold, **systems):
    """The weighted counts of systems with these edits in one sentence with these gold edits."""
    rows = {name: stack([errant_rows.encode(edits, [gold])]) for name, edits in systems.items()}
    metric = create("gotoscorer")
    return {name: (found, metric.aggregate(found)) for name, found in metric.digest(rows).items()}


def test_three_systems_by_hand():
    """EASY is found by all (weight 0), HARD by one of three (2/3), NEVER by none (1).

    B replaces tokens 8 and 9 where nothing is wrong; C replaces token 9 in another way. Both are wrong there
    and A is right, so that each of the two edits weighs 2/3.
    """
    found = digest(
        [EASY, HARD, NEVER],
        A=[EASY, HARD],
        B=[EASY, Edit(8, 10, "x")],
        C=[EASY, Edit(9, 10, "y")],
    )
    assert {name: counts.tolist() for name, (counts, _) in found.items()} == {
        "A": [pytest.approx([2 / 3, 0, 1])],
        "B": [pytest.approx([0, 2 / 3, 2 / 3 + 1])],
        "C": [pytest.approx([0, 2 / 3, 2 / 3 + 1])],
    }
    score = found["A"][1]
    assert score.value == pytest.approx(f_score(1.0, (2 / 3) / (2 / 3 + 1), 0.5))
    assert score.details == pytest.approx(
        {"tp": 2 / 3, "fp": 0.0, "fn": 1.0, "p": 1.0, "r": 0.4, "f": 1.25 * 0.4 / (0.25 + 0.4)}
    )
    assert found["B"][1].value == 0.0


def test_weights_compare_spans_and_strings():
    """A makes the gold edit; B says the same elsewhere, C another thing in the same place: only A got it right."""
    found = digest([HARD], A=[HARD], B=[Edit(5, 6, "goes")], C=[Edit(3, 4, "went")])
    assert found["A"][0].tolist() == [pytest.approx([2 / 3, 0, 0])]


def test_a_wrong_edit_in_the_place_of_a_gold_edit_weighs_as_much_as_that():
    found = digest([HARD], A=[HARD], B=[HARD], C=[Edit(3, 4, "went")])
    assert found["C"][0].tolist() == [pytest.approx([0, 1 / 3, 1 / 3])]


def test_an_error_that_nobody_corrected_makes_no_place_hard():
    found = digest([Edit(2, 5, "", "UNK")], A=[Edit(3, 4, "x")], B=[], C=[])
    assert found["A"][0].tolist() == [pytest.approx([0, 1 / 3, 0])]


def test_insertions_beside_a_replacement_are_another_place():
    found = digest([], A=[Edit(3, 3, "x")], B=[Edit(3, 4, "y")], C=[])
    assert found["A"][0].tolist() == [pytest.approx([0, 1 / 3, 0])]


def test_what_everybody_does_right_counts_for_nothing():
    found = digest([EASY], A=[EASY], B=[EASY])
    assert found["A"][0].tolist() == [[0, 0, 0]]
    assert found["A"][1].value == 1.0


def test_every_annotator_has_weights_of_its_own():
    golds = [[EASY], [HARD]]
    rows = {
        name: stack([errant_rows.encode(edits, golds)])
        for name, edits in {"A": [EASY], "B": [HARD], "C": [HARD]}.items()
    }
    found = create("gotoscorer").digest(rows)
    assert found["A"].tolist() == [pytest.approx([2 / 3, 0, 0, 0, 1 / 3, 1 / 3])]
    assert found["B"].tolist() == [pytest.approx([0, 2 / 3, 2 / 3, 1 / 3, 0, 0])]


def test_the_order_of_systems_changes_nothing():
    systems = {"A": [EASY, HARD], "B": [EASY, Edit(8, 10, "x")], "C": []}
    one = digest([EASY, HARD, NEVER], **systems)
    other = digest([EASY, HARD, NEVER], **dict(reversed(systems.items())))
    assert all(np.array_equal(one[name][0], other[name][0]) for name in systems)


@needs_errant
def test_gotoscorer_weighs_by_what_the_peers_did():
    """Nobody else corrected `dog`, one of two others inserted `the`; and nobody else touched `at`."""
    given = sentence("Two dog bark at cat .", "Two dogs bark at the cat .")
    peers = ["Two dog bark at the cat .", "Two dog bark at cat ."]
    found = create("gotoscorer").explain(given, "Two dogs bark in the cat .", peers=peers)
    (block,) = found.all(Edits)
    assert {edit.correction: edit.value for edit in block.edits} == {
        "dogs": pytest.approx(2 / 3),
        "in": pytest.approx(1 / 3),
        "the": pytest.approx(1 / 3),
    }
    (counts,) = (block.values for block in found.all(Facts))
    assert counts["tp"] == pytest.approx(1)
    assert counts["fp"] == pytest.approx(1 / 3)
