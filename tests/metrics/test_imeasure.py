# mypy: disable-error-code="attr-defined, comparison-overlap"
"""I-measure: the papers' examples, the conventions at the edges, and the original's counts."""

import csv
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from conftest import CONLL14, GOLDEN, PUBLISHED, golden, needs_conll14, score_one, sentence
from hypothesis import given
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

from gec_core import corpora
from gec_core.align import threeway
from gec_core.metrics import create
from gec_core.metrics.base import Metric
from gec_core.metrics.blocks import Columns, Explanation, Facts
from gec_core.metrics.imeasure import lattice
from gec_core.metrics.imeasure.counts import rates
from gec_core.metrics.imeasure.lattice import clusters_cleanly
from gec_core.scoring import score
from gec_core.scoring.table import MetricScores
from gec_core.types import Annotation, Corpus, Edit, ErrorGroup, Pair, Sentence

NOMIX = create("imeasure")
MIX = create("imeasure", {"mode": "mix"})
DESIGN_GOLD = [(Edit(0, 1, "Machines"), Edit(1, 2, "are"), Edit(2, 3, "designed"))]
TO_HELP = "These machines are designed to help people ."
texts = st.lists(st.sampled_from("abc"), min_size=1, max_size=6).map(" ".join)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0, 6, 0, 4), (1.00, 0.00, 0.60, 0.60)),
        ((4, 5, 1, 0), (0.80, 1.00, 0.90, 0.87)),
        ((1, 6, 0, 3), (1.00, 0.25, 0.70, 0.73)),
        ((1, 5, 1, 3), (0.50, 0.25, 0.60, 0.58)),
        ((4, 0, 6, 0), (0.40, 1.00, 0.40, 0.40)),
    ],
    ids=["baseline", "S1", "S2", "S3", "S4"],
)
def test_table_8_of_felice_and_briscoe(
    counts: tuple[int, int, int, int], expected: tuple[float, float, float, float]
) -> None:
    found = rates(np.array([*counts, 0, 6, 4]), "correction")
    assert tuple(round(float(rate), 2) for rate in (found.p, found.r, found.acc, found.wacc)) == expected
    assert (found.wacc_base, found.acc_base) == (0.6, 0.6)


@pytest.mark.parametrize(
    ("counts", "improvement"),
    [
        ((4, 6, 0, 0, 0, 6, 4), 1),  # 100% improvement
        ((1, 6, 0, 3, 0, 6, 4), (8 / 11 - 6 / 10) / (4 / 10)),  # relative improvement
        ((0, 6, 0, 4, 0, 6, 4), 0),  # no change
        ((0, 5, 1, 4, 0, 6, 4), (5 / 11) / (6 / 10) - 1),  # relative degradation
        ((0, 0, 6, 4, 0, 6, 4), -1),  # 100% degradation
        ((0, 6, 0, 0, 0, 6, 0), 1),  # nothing to do, and nothing done
        ((0, 0, 0, 4, 0, 0, 4), 0),  # nothing right before, nothing after
    ],
)
def test_table_9_of_felice_and_briscoe(counts: tuple[int, int, int, int, int, int, int], improvement: float) -> None:
    assert rates(np.array(counts), "correction").i == pytest.approx(improvement, abs=1e-12)


def test_detection_asks_for_the_place_only() -> None:
    found = rates(np.array([1, 5, 3, 4, 2, 7, 5]), "detection")
    assert (found.tp, found.tn, found.fp, found.fn, found.fpn) == (3, 5, 1, 2, 0)
    assert found.wacc == (2 * 3 + 5) / (2 * (3 + 1) + 5 + 2)


@pytest.mark.parametrize(
    ("source", "gold", "output", "counts", "expected"),
    [
        (MACHINES, MACHINES_GOLD, TO_HELP, (2, 4, 1, 1), (8 / 11 - 5 / 8) / (3 / 8)),
        (
            MACHINE,
            [(Edit(0, 1, "Machines"), Edit(1, 3, "are designed"))],
            "Machine is designed to help people .",
            (1, 4, 0, 2),
            (6 / 8 - 4 / 7) / (3 / 7),
        ),
    ],
    ids=["table 1", "table 2"],
)
def test_tables_1_and_2_of_felice_and_briscoe(
    source: str,
    gold: tuple[tuple[Edit, ...], ...] | list[tuple[Edit, Edit]],
    output: str,
    counts: tuple[int, int, int, int],
    expected: float,
) -> None:
    found = score_one(NOMIX, sentence(source, gold=gold), output)
    correction = found.details["correction"]
    assert tuple(correction[name] for name in ("tp", "tn", "fp", "fn")) == counts
    assert found.value == correction["i"] == pytest.approx(100 * expected)


def test_table_3_the_first_output_is_the_better_one() -> None:
    given_ = sentence(MACHINE, gold=DESIGN_GOLD)
    outputs = "The machine is designed for helping people .", "Machines is a design on the helping of the people ."
    first, second = (score_one(NOMIX, given_, output).value for output in outputs)
    assert second < first


@pytest.mark.parametrize(
    ("source", "references", "output", "expected"),
    [
        (QUIZZES, [QUIZZES_REFERENCE], QUIZZES, 0.00),
        (QUIZZES, [QUIZZES_REFERENCE], QUIZZES_MAKING, -4.00),
        (STUDENT, [STUDENT_HAS, STUDENTS_HAVE], STUDENT_HAS, 100.00),
        (STUDENT, [STUDENT_HAS, STUDENTS_HAVE], STUDENTS_HAVE, 100.00),
        (STUDENT, [STUDENT_HAS, STUDENTS_HAVE], STUDENTS_HAS, -6.11),
    ],
)
def test_table_4_of_chollampatt_and_ng(source: str, references: list[str], output: str, expected: float) -> None:
    assert round(score_one(NOMIX, sentence(source, *references), output).value, 2) == expected


def test_mixing_corrections_of_several_annotators_as_in_table_1() -> None:
    assert score_one(NOMIX, sentence(MACHINES, gold=MACHINES_GOLD), TO_HELP).value < 30
    assert score_one(MIX, sentence(MACHINES, gold=MACHINES_GOLD), TO_HELP).value == 100


def test_errors_that_a_person_grouped_are_not_mixed_within() -> None:
    first, second = MACHINES_GOLD
    agreement = ErrorGroup((Annotation(0, first[:2]), Annotation(1, second[:1])), required=True)
    verb = ErrorGroup((Annotation(0, first[2:]), Annotation(1, second[1:])), required=True)
    annotations = (Annotation(0, first), Annotation(1, second))
    grouped = Sentence(MACHINES, annotations=annotations, errors=(agreement, verb))
    assert score_one(MIX, grouped, TO_HELP).value == 100
    neither = "These machine are designed to help people ."
    assert score_one(MIX, grouped, neither).value < 100
    assert score_one(MIX, sentence(MACHINES, gold=MACHINES_GOLD), neither).value == 100


def test_an_error_is_optional_unless_every_annotator_corrects_it() -> None:
    edit = (Edit(0, 1, "b"),)
    assert score_one(MIX, sentence("a x", gold=[edit, edit]), "a x").value == 0
    assert score_one(MIX, sentence("a x", gold=[edit, ()]), "a x").value == 100


@pytest.mark.parametrize("mode", ["nomix", "mix"])
def test_alternative_corrections_count_unless_compatible_with_the_original(mode: str) -> None:
    given_ = sentence("he go home", gold=[(Edit(1, 2, "goes", alternatives=("went", "has gone")),)])
    free, compat = (create("imeasure", {"mode": mode, "compat": compat}) for compat in ("false", "true"))
    for output, expected in [("he goes home", 100), ("he has gone home", 100), ("he go home", 0)]:
        assert score_one(free, given_, output).value == expected
    assert score_one(compat, given_, "he goes home").value == 100
    assert score_one(compat, given_, "he has gone home").value < 0


def test_all_choices_of_alternative_corrections_are_references_of_the_annotator() -> None:
    ways = Edit(0, 1, "b", alternatives=("c",)), Edit(2, 3, "b", alternatives=("c",))
    given_ = sentence("a x a", gold=[(), ways])
    for output in ("b x b", "b x c", "c x b", "c x c"):
        details = NOMIX.sentence_details(np.array(NOMIX.statistics([Pair(given_, output)])))[0]
        assert details["correction"]["i"] == 100
        assert details["annotator"] == 1


def test_compat_splits_punctuation_off_corrections() -> None:
    given_ = sentence("known the", gold=[(Edit(0, 2, "known,the"),)])
    assert score_one(create("imeasure", {"compat": "true"}), given_, "known , the").value == 100
    assert score_one(create("imeasure", {"compat": "false"}), given_, "known,the").value == 100


@pytest.mark.parametrize(
    ("source", "reference", "output", "expected"),
    [
        ("a b", "a c", "", -100),
        ("", "", "", 100),
        ("", "a", "a", 100),
        ("", "", "a", -100),
        ("", "a", "", 0),
        ("a", "a", "", -100),
    ],
)
@pytest.mark.parametrize("metric", [NOMIX, MIX], ids=["nomix", "mix"])
def test_nothing_is_a_sentence_too(metric: Metric, source: str, reference: str, output: str, expected: int) -> None:
    assert score_one(metric, sentence(source, reference), output).value == expected


def test_a_sentence_without_annotators_is_right_as_it_is() -> None:
    for metric in (NOMIX, MIX):
        row = metric.statistics([Pair(Sentence("a b"), "a b")])
        assert metric.sentence_scores(np.array(row)) == [100]


@given(texts, texts)
def test_the_reference_is_perfect_and_the_source_no_improvement(source: str, reference: Any) -> None:
    given_ = sentence(source, reference)
    assert score_one(NOMIX, given_, reference).value == 100
    assert score_one(NOMIX, given_, source).value == (100 if source == reference else 0)


@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=4))
def test_corpus_counts_are_the_sum_of_sentence_counts(items: Any) -> None:
    pairs = [Pair(sentence(source, reference), output) for source, reference, output in items]
    rows = np.array(NOMIX.statistics(pairs))
    sentences = [details["correction"] for details in NOMIX.sentence_details(rows)]
    total = NOMIX.aggregate(rows).details["correction"]
    for name in ("tp", "tn", "fp", "fn", "fpn"):
        assert total[name] == sum(details[name] for details in sentences)
    assert list(NOMIX.sentence_scores(rows)) == [details["i"] for details in sentences]


def test_beta_changes_f_only_and_not_what_is_stored() -> None:
    given_ = sentence(MACHINES, gold=MACHINES_GOLD)
    half, one = (create("imeasure", {"beta": beta}) for beta in ("0.5", "1"))
    assert half.statistics_signature == one.statistics_signature
    assert half.signature != one.signature
    assert MIX.statistics_signature != NOMIX.statistics_signature
    first, second = (
        score_one(metric, given_, "These machines is designed for help people .") for metric in (half, one)
    )
    assert first.value == second.value
    assert second.details["correction"]["f"] == pytest.approx(100 * 2 * (1 / 3) / (1 + 1 / 3))
    assert first.details["correction"]["f"] == pytest.approx(100 * 1.25 * (1 / 3) / (0.25 + 1 / 3))


@pytest.mark.parametrize("metric", [NOMIX, MIX], ids=["nomix", "mix"])
def test_the_alignment_shown_is_the_one_that_was_counted(metric: Metric) -> None:
    given_ = sentence(MACHINES, gold=MACHINES_GOLD)
    for output in (TO_HELP, MACHINES, "This machine help people", ""):
        (row,) = metric.statistics([Pair(given_, output)])
        assert metric.alignment(given_, output).counts == tuple(row[:5])


def test_too_many_combinations_leave_the_annotators_own_references(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice, "COMBINATION_LIMIT", 1)
    monkeypatch.setattr("gec_core.metrics.imeasure.search.FEW", 0)
    given_ = sentence("a a a", gold=[(Edit(0, 1, "b"), Edit(1, 2, "b"), Edit(2, 3, "b")), ()])
    details = score_one(MIX, given_, "b a b").details
    assert details["references"] == "reduced"
    assert details["correction"] == score_one(NOMIX, given_, "b a b").details["correction"]
    assert score_one(NOMIX, given_, "b a b").details["references"] == "exact"


def test_a_cube_too_large_makes_the_alignment_a_star(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threeway, "CELL_LIMIT", 10)
    for metric in (NOMIX, MIX):
        found = score_one(metric, sentence(MACHINES, gold=MACHINES_GOLD[:1]), TO_HELP)
        assert found.details["alignment"] == "star"
        assert found.value == pytest.approx(100 * (8 / 11 - 5 / 8) / (3 / 8))


@pytest.mark.parametrize(("metric", "references"), [(NOMIX, "exact"), (MIX, "reduced")], ids=["nomix", "mix"])
def test_400_tokens_are_aligned_exactly_even_with_an_unrelated_output(metric: Metric, references: str) -> None:
    source = " ".join(f"s{number}" for number in range(400))
    unrelated = " ".join(f"h{number}" for number in range(400))
    gold = [tuple(Edit(start, start + 1, f"r{start}") for start in range(offset, 400, 8)) for offset in (0, 4)]
    for output, expected in [(unrelated, references), (source, "exact")]:
        details = score_one(metric, sentence(source, gold=gold), output).details
        assert (details["alignment"], details["references"]) == ("exact", expected)


@pytest.fixture(scope="module")
def nomix_table(conll14: Corpus) -> MetricScores:
    return score(conll14, [create("imeasure", {"compat": "true", "beta": "1"})])["imeasure"]


@pytest.fixture(scope="module")
def mix_table(conll14: Corpus) -> MetricScores:
    return score(conll14, [create("imeasure", {"mode": "mix", "compat": "true"})])["imeasure"]


def differences(details: dict[str, float], row: dict[str, str], columns: dict[str, str]) -> list[str]:
    """The columns of a golden row that are not met: counts to the integer, rates as printed."""
    close = {name: 0.00501 if isinstance(details[name], float) else 0 for name in columns}
    return [name for name, column in columns.items() if abs(details[name] - float(row[column])) > close[name]]


COUNTS = {"tp": "TP", "tn": "TN", "fp": "FP", "fn": "FN", "fpn": "FPN", "wacc": "WAcc", "wacc_base": "WAcc_b"}
TOTALS = COUNTS | {"p": "P", "r": "R", "f": "F1", "acc": "Acc", "acc_base": "Acc_b", "i": "I"}


@needs_conll14
def test_the_originals_counts_of_all_systems(nomix_table: MetricScores) -> None:
    rows = golden("imeasure_system.tsv")
    assert len(rows) == 26
    for row in rows:
        details = nomix_table.systems[row["system"]].score.details
        assert not differences(details[row["aspect"].lower()], row, TOTALS), row


@needs_conll14
def test_the_originals_counts_of_all_sentences(nomix_table: MetricScores) -> None:
    found = {
        name: nomix_table.metric.sentence_details(scored.statistics) for name, scored in nomix_table.systems.items()
    }
    rows = golden("imeasure_sentence.tsv")
    assert len(rows) == 17056
    wrong = []
    for row in rows:
        details = found[row["system"]][int(row["sid0"])]
        wrong += differences(details["correction"], row, COUNTS | {"i": "I_cor"})
        wrong += differences(details["detection"], row, {"i": "I_det"})
    assert not wrong


@needs_conll14
def test_the_originals_counts_of_mixed_references(mix_table: MetricScores) -> None:
    found = {name: mix_table.metric.sentence_details(scored.statistics) for name, scored in mix_table.systems.items()}
    rows = [row for row in golden("imeasure_mix_subset_sentence.tsv") if row["mode"] == "mix"]
    assert len(rows) == 2 * len((GOLDEN / "imeasure_mix_subset_ids1.txt").read_text().split())
    for row in rows:
        details = found[row["system"]][int(row["sid1"]) - 1]
        assert not differences(details["correction"], row, COUNTS | {"i": "I_cor"}), row


@needs_conll14
def test_mixing_is_exact_for_all_outputs_and_never_worse(nomix_table: MetricScores, mix_table: MetricScores) -> None:
    for system, scored in mix_table.systems.items():
        assert scored.score.details["references"] == scored.score.details["alignment"] == "exact"
        mixed = rates(scored.statistics[:, :7], "correction").wacc
        own = rates(nomix_table.systems[system].statistics[:, :7], "correction").wacc
        assert (mixed >= own).all()


@needs_conll14
def test_table_11_of_felice_and_briscoe_as_near_as_its_selection_is_described(conll14: Corpus) -> None:
    corpus = corpora.from_files(m2=CONLL14 / "gold-with-alternatives.m2")
    kept = [index for index, given_ in enumerate(corpus.sentences) if clusters_cleanly(given_)]
    assert len(kept) == 739  # the paper has 711
    systems = {name: tuple(outputs[index] for index in kept) for name, outputs in conll14.systems.items()}
    selection = Corpus("selection", tuple(corpus.sentences[index] for index in kept), systems)
    found = score(selection, [create("imeasure", {"mode": "mix", "compat": "true"})])["imeasure"].systems
    with open(PUBLISHED / "felice2015_table11.tsv", encoding="utf-8", newline="") as file:
        published = {
            row["system"].replace("BASELINE", "INPUT"): float(row["i"]) for row in csv.DictReader(file, delimiter="\t")
        }
    distances = [abs(found[system].score.value - value) for system, value in published.items()]
    assert len(distances) == 13
    assert np.mean(distances) < 0.11
    assert max(distances) < 0.27


def classes(explanation: Explanation) -> list[tuple[Any, Any, Any, Any]]:
    (block,) = explanation.all(Columns)
    return [(line.source, line.hypothesis, line.reference, line.correction) for line in block.columns]


def facts(explanation: Explanation, title: str) -> Mapping[str, Any]:
    return next(block.values for block in explanation.all(Facts) if block.title == title)


def test_table_1_of_chollampatt_and_ng() -> None:
    found = NOMIX.explain(HOSPITAL, HOSPITAL_AN)
    assert [column for column in classes(found) if column[3] != "TN"] == [
        (None, None, "the", "FN"),
        ("the", "an", "an", "TP"),
        ("for", "for", "in", "FN"),
    ]
    assert len(classes(found)) == 13
    assert facts(found, "Correction")["weighted accuracy (%)"] == pytest.approx(100 * 12 / 14)
    assert facts(found, "Correction")["weighted accuracy of the source (%)"] == pytest.approx(100 * 10 / 13)
    assert found.score == pytest.approx(facts(found, "Correction")["improvement (%)"])


def test_table_5_of_felice_and_briscoe() -> None:
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
def test_table_6_of_felice_and_briscoe(source: str, output: str, reference: str, expected: str) -> None:
    *_, (_, _, _, found) = classes(create("imeasure").explain(sentence(source, reference), output))
    assert found == expected


def test_mixed_references_have_no_annotator() -> None:
    found = create("imeasure", {"mode": "mix"}).explain(sentence("a b c", "x b c", "a b y"), "x b y")
    assert (found.annotator, found.reference, found.score) == (None, "x b y", 100)


def test_the_i_measure_with_its_numbers_filled_in() -> None:
    """Table 1 of Chollampatt and Ng (2018): one column rightly changed, two errors left, ten columns kept."""
    *_, accuracy, baseline, improvement = NOMIX.steps(HOSPITAL, HOSPITAL_AN)
    assert accuracy.formulas[1] == "WAcc = (2·1 + 10) / (2·(1 + 0) + 10 + 2 − 3·0/2) = 12 / 14 = 0.8571"
    assert baseline.formulas == ("WAcc of the source = TN / (TN + FN) = 10 / 13 = 0.7692",)
    assert improvement.value == pytest.approx(100 * (12 / 14 - 10 / 13) / (3 / 13))


@pytest.mark.parametrize(
    ("output", "told", "value"),
    [
        ("a b c d", "as good as the source", 0),
        ("x b c", "worse than the source", 100 * (2 / 5.5 / 0.75 - 1)),
        ("a b c e", "better", 100),
    ],
)
def test_the_i_measure_says_which_formula_it_takes(output: str, told: str, value: float) -> None:
    """`x b c` has two columns kept, one wrongly changed, one changed otherwise than the reference: 2 / 5.5."""
    last = NOMIX.steps(sentence("a b c d", "a b c e"), output)[-1]
    assert told in last.text
    assert last.value == pytest.approx(value, abs=1e-9)
