# mypy: disable-error-code="comparison-overlap, union-attr"
"""M2 and SentM2: the papers' examples, the conventions at the edges, and the original's counts."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import golden, needs_conll14, score_one, sentence
from hypothesis import example, given
from hypothesis import strategies as st
from paper_examples import (
    HOSPITAL,
    HOSPITAL_AN,
    MACHINE,
    MACHINES,
    MACHINES_GOLD,
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
from gec_core.metrics.blocks import Edits, Explanation, Facts, Table
from gec_core.scoring import pair_keys, score
from gec_core.store import Store
from gec_core.types import Annotation, Array, Corpus, Edit, Pair, Sentence

DESIGN_GOLD = [(Edit(0, 1, "Machines"), Edit(1, 2, "are"), Edit(2, 3, "designed"))]


@pytest.mark.parametrize(
    ("source", "gold", "output", "expected"),
    [
        (MACHINES, MACHINES_GOLD, "These machines are designed to help people .", (0.67, 0.67, 0.67)),
        (
            MACHINE,
            [(Edit(0, 1, "Machines"), Edit(1, 3, "are designed"))],
            "Machine is designed to help people .",
            (0.00, 0.00, 0.00),
        ),
        (MACHINE, DESIGN_GOLD, "The machine is designed for helping people .", (0.33, 0.33, 0.33)),
        (MACHINE, DESIGN_GOLD, "Machines is a design on the helping of the people .", (0.50, 0.33, 0.45)),
    ],
    ids=["table 1", "table 2", "table 3, first", "table 3, second"],
)
def test_tables_1_to_3_of_felice_and_briscoe(
    source: str,
    gold: tuple[tuple[Edit, ...], ...] | list[tuple[Edit, Edit]] | list[tuple[Edit, Edit, Edit]],
    output: str,
    expected: tuple[float, float, float],
) -> None:
    details = score_one(create("m2"), sentence(source, gold=gold), output).details
    assert tuple(round(details[name], 2) for name in "prf") == expected


@pytest.mark.parametrize(
    ("source", "references", "output", "expected"),
    [
        (QUIZZES, [QUIZZES_REFERENCE], QUIZZES, 0.000),
        (QUIZZES, [QUIZZES_REFERENCE], QUIZZES_MAKING, 0.000),
        (STUDENT, [STUDENT_HAS, STUDENTS_HAVE], STUDENT_HAS, 1.000),
        (STUDENT, [STUDENT_HAS, STUDENTS_HAVE], STUDENTS_HAVE, 1.000),
        (STUDENT, [STUDENT_HAS, STUDENTS_HAVE], STUDENTS_HAS, 0.556),
    ],
)
def test_table_4_of_chollampatt_and_ng(source: str, references: list[str], output: str, expected: float) -> None:
    assert round(score_one(create("m2"), sentence(source, *references), output).value, 3) == expected


def test_nothing_proposed_where_nothing_is_wrong_is_perfect() -> None:
    score = score_one(create("m2"), Sentence("a b", ("a b",), (Annotation(0),)), "a b")
    assert (score.details["p"], score.details["r"], score.value) == (1.0, 1.0, 1.0)


def test_a_wrong_edit_where_nothing_is_wrong_scores_0() -> None:
    assert score_one(create("sentm2"), Sentence("a b", ("a b",), (Annotation(0),)), "a x").value == 0.0


def rows(*sentences: Any) -> Array:
    """Statistics of sentences, each a list of (correct, proposed, gold), one an annotator."""
    return stack([np.array([1, *np.ravel(counts)], float) for counts in sentences])


def test_the_annotator_is_chosen_by_the_score_so_far() -> None:
    """Alone, the second annotator is better for the last sentence; after the first sentence, the first is."""
    last = [(1, 2, 1), (2, 2, 8)]
    assert create("m2", {"sentence": "chosen"}).sentence_details(rows(last))[0]["annotator"] == 1
    first = [(0, 9, 0)]
    assert create("m2", {"sentence": "chosen"}).sentence_details(rows(first, last))[1]["annotator"] == 1
    many = [(0, 0, 90)]
    assert create("m2", {"sentence": "chosen"}).sentence_details(rows(many, last))[1]["annotator"] == 1


def test_ties_between_annotators_go_to_fewer_edits_then_to_the_first() -> None:
    nothing_right = [(0, 3, 3), (0, 2, 3), (0, 2, 3)]
    assert create("m2", {"sentence": "chosen"}).sentence_details(rows(nothing_right))[0]["annotator"] == 1


def test_overlapping_gold_edits_of_one_annotator_are_counted_each() -> None:
    """As in the original: it matches edits one by one, so that of two overlapping ones at most one can be met."""
    given = sentence("A b c .", gold=[(Edit(0, 2, "q"), Edit(1, 3, "r"))])
    for output in ("q c .", "A r ."):
        found = score_one(create("m2"), given, output)
        assert found.details["r"] == pytest.approx(0.5), output
        assert found.details["p"] == 1, output


def test_sentence_definitions() -> None:
    counts = rows([(1, 1, 1), (0, 1, 2)])
    assert create("m2", {"sentence": "max"}).sentence_scores(counts) == [1.0]
    assert create("m2", {"sentence": "chosen"}).sentence_scores(counts) == [1.0]
    assert create("m2", {"sentence": "last"}).sentence_scores(counts) == [0.0]


def test_the_last_annotator_is_the_last_one_of_the_sentence() -> None:
    counts = rows([(1, 1, 1)], [(1, 1, 1), (0, 1, 2)])
    assert create("m2", {"sentence": "last"}).sentence_scores(counts).tolist() == [1.0, 0.0]


def test_sentm2_is_the_mean_of_the_sentence_scores() -> None:
    counts = rows([(1, 1, 1)], [(0, 1, 2)])
    assert create("sentm2").aggregate(counts).value == 0.5


words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=7).map(" ".join)


@given(words, words)
def test_doing_nothing_scores_0_unless_nothing_is_wrong(source: str, reference: Any) -> None:
    expected = 1.0 if source == reference else 0.0
    assert score_one(create("m2"), sentence(source, reference), source).value == expected


@example("b b c", "a a b a b")  # the "a" to be inserted before the second "b" stands in the reference three times
@given(words, words)
def test_the_reference_is_perfect(source: str, reference: Any) -> None:
    """But for gold insertions of something that the output has more than once: the scorer marks one, maybe another."""
    given = sentence(source, reference)
    score = score_one(create("m2"), given, reference).value
    inserted = [edit.correction.split() for edit in given.annotations[0].edits if edit.start == edit.end]
    assert score == 1.0 or any(occurrences(words, reference.split()) > 1 for words in inserted)


def occurrences(few: list[str], many: Any) -> Any:
    return sum(many[start : start + len(few)] == few for start in range(len(many)))


@given(words, words, words, st.integers(0, 4))
def test_counts_stay_within_their_bounds(source: str, reference: Any, output: str, max_unchanged: Any) -> None:
    metric = create("m2", {"max_unchanged": str(max_unchanged)})
    (row,) = metric.statistics([Pair(sentence(source, reference), output)])
    _, correct, proposed, gold = row
    assert 0 <= correct <= min(proposed, gold)


@needs_conll14
def test_corpus_counts_equal_the_original(conll14: Corpus) -> None:
    column = score(conll14, [create("m2")]).columns[0]
    table = golden("m2_system.tsv")
    assert len(table) == 13
    for row in table:
        details = column.systems[row["system"]].score.details
        assert [details[name] for name in ("correct", "proposed", "gold")] == [
            int(row[name]) for name in ("correct", "proposed", "gold")
        ], row["system"]
        assert details["f"] == pytest.approx(float(row["F0.5"]), abs=1e-10)
        assert details["linear_lattices"] == 0


@needs_conll14
def test_sentence_counts_and_scores_equal_the_original(conll14: Corpus) -> None:
    table = golden("m2_sentence.tsv")
    assert len(table) == 17_056
    columns = {
        definition: score(conll14, [create("m2", {"sentence": definition})]).columns[0]
        for definition in ("max", "chosen", "last")
    }
    scores = {
        definition: {system: column.sentence_scores(system) for system in conll14.systems}
        for definition, column in columns.items()
    }
    for row in table:
        system, line = row["system"], int(row["sid0"])
        statistics = columns["max"].systems[system].statistics[line, 1:].reshape(-1, 3)
        counts = statistics[~np.isnan(statistics[:, 0])].T.astype(int).tolist()
        assert counts == [[int(n) for n in row[name].split(",")] for name in ("correct", "proposed", "gold")]
        for definition, name in (("max", "F_max"), ("chosen", "F_chosen"), ("last", "F_last_annotator")):
            assert scores[definition][system][line] == pytest.approx(float(row[name]), abs=1e-12), row


@needs_conll14
def test_mean_sentence_scores_equal_the_original(conll14: Corpus) -> None:
    values = score(conll14, [create("sentm2")]).columns[0].values
    for row in golden("m2_system.tsv"):
        assert values[row["system"]] == pytest.approx(float(row["mean_sentF_max"]), abs=5e-7)


def verdicts(explanation: Explanation) -> list[tuple[Any, Any, Any]]:
    (block,) = explanation.all(Edits)
    return [(line.original, line.correction, line.verdict) for line in block.edits]


def facts(explanation: Explanation) -> dict[Any, Any]:
    return {name: value for block in explanation.all(Facts) for name, value in block.values.items()}


def test_matched_wrong_and_missed_edits() -> None:
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


def test_the_annotator_who_counts_is_named_with_their_reference() -> None:
    """Table 1 of Felice and Briscoe: the second annotator has `machine` and `to`."""
    given = Sentence(MACHINES, (), tuple(Annotation(7 + number, edits) for number, edits in enumerate(MACHINES_GOLD)))
    found = create("m2").explain(given, "This machine is designed to help people .")
    assert (found.annotator, found.reference) == (8, "This machine is designed to help people .")
    assert verdicts(found) == [("machines", "machine", "correct"), ("for", "to", "correct")]


def test_edits_are_shown_without_unchanged_words_at_their_ends() -> None:
    """M² reads `c d` off the lattice as one edit, of which only the first word changed."""
    found = create("m2").explain(sentence("a b c d", "a x c y"), "a x z d")
    assert verdicts(found) == [("b", "x", "correct"), ("c", "z", "wrong"), ("d", "y", "missed")]


def test_an_alternative_that_was_met_is_the_one_that_is_shown_with_its_type() -> None:
    gold = Annotation(0, (Edit(1, 2, "x", "Wform", ("y",)), Edit(2, 2, "q", "ArtOrDet")))
    (block,) = create("m2").explain(Sentence("a b c", (), (gold,)), "a y c").all(Edits)
    assert [(edit.correction, edit.verdict, edit.type) for edit in block.edits] == [
        ("y", "correct", "Wform"),
        ("q", "missed", "ArtOrDet"),
    ]


def test_an_untouched_sentence_has_nothing_but_missed_edits() -> None:
    assert verdicts(create("sentm2").explain(sentence("a b", "a c"), "a b")) == [("b", "c", "missed")]
    assert verdicts(create("sentm2").explain(sentence("a b", "a b"), "a b")) == []


def test_the_path_through_the_lattice() -> None:
    path = next(step for step in create("m2").steps(HOSPITAL, HOSPITAL_AN) if "lattice" in step.title)
    (table,) = path.blocks
    assert isinstance(table, Table)
    assert table.rows == (
        ("keep", "Thus , advice from hospital plays", ""),
        ("edit", "the → an", "a gold edit"),
        ("keep", "important role for this .", ""),
    )


def test_m2_compares_annotators() -> None:
    of = sentence("a b c", "a x c", "y b z")
    choice = next(step for step in create("m2").steps(of, "a x c") if "annotator" in step.title)
    (table,) = choice.blocks
    assert table.rows == (("1", "1", "1", "1", "1", "chosen"), ("2", "0", "1", "2", "0", ""))


def test_rows_of_large_lattices_from_earlier_versions_are_computed_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "scores.sqlite")
    metric = create("m2")
    corpus = Corpus("one", (sentence("a b c", "a x c"),), {"it": ("a x c",)})
    (key,) = pair_keys(corpus, metric.reads)["it"]
    store.put(metric.statistics_signature, {key: np.array([0.0, 0, 9, 9])})
    (column,) = score(corpus, [metric], store=store).columns
    assert column.values == {"it": 1.0}
    assert store.get(metric.statistics_signature, [key])[key].tolist() == [1, 1, 1, 1]


def test_an_approximate_score_says_so() -> None:
    metric = create("m2")
    found = metric.aggregate(np.array([[-1.0, 1, 1, 1], [1.0, 1, 1, 1]]))
    assert metric.caveat(found.details) == "approximate in 1 sentence, whose lattices are too large"
    assert metric.caveat({"linear_lattices": 0}) == ""
