"""Scores computed step by step: the last step has the score, and the steps say how."""

import pytest
import tiny_models
from conftest import sentence
from errant_cases import needs_errant
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_encoder import needs_encoder, save_tiny_bert

from gec_core.explain.blocks import Tokens
from gec_core.explain.native import Case
from gec_core.explain.steps import Matrix, Table, shown, steps
from gec_core.metrics import create

texts = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)
some_text = st.lists(st.sampled_from("abcd"), min_size=1, max_size=9).map(" ".join)
HOSPITAL = sentence(
    "Thus , advice from hospital plays the important role for this .",
    "Thus , advice from the hospital plays an important role in this .",
)
ADVICE = "Thus , advice from hospital plays an important role for this ."


def taken(metric, of, output, **options):
    return steps(Case(create(metric, options), of, output))


@pytest.mark.parametrize("metric", ["m2", "sentm2", "imeasure", "gleu", "bleu", "green", "length"])
@settings(deadline=None, max_examples=50)  # the first example compiles the lattice
@given(source=some_text, output=texts, first=some_text, second=some_text)
def test_the_last_step_has_the_score(metric, source, output, first, second):
    case = Case(create(metric), sentence(source, first, second), output)
    assert steps(case)[-1].value == pytest.approx(case.score, abs=1e-9)


@needs_errant
@pytest.mark.parametrize("metric", ["errant", "senterrant", "gotoscorer"])
@pytest.mark.parametrize("output", [ADVICE, HOSPITAL.source, HOSPITAL.references[0], "Thus advices plays .", ""])
def test_the_last_step_has_the_score_of_typed_edits(metric, output):
    case = Case(create(metric), HOSPITAL, output, None, [ADVICE, HOSPITAL.source])
    assert steps(case)[-1].value == pytest.approx(case.score, abs=1e-12)


def test_the_i_measure_with_its_numbers_filled_in():
    """Table 1 of Chollampatt and Ng (2018): one column rightly changed, two errors left, ten columns kept."""
    *_, accuracy, baseline, improvement = taken("imeasure", HOSPITAL, ADVICE)
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
def test_the_i_measure_says_which_formula_it_takes(output, told, value):
    """`x b c` has two columns kept, one wrongly changed, one changed otherwise than the reference: 2 / 5.5."""
    last = taken("imeasure", sentence("a b c d", "a b c e"), output)[-1]
    assert told in last.text
    assert last.value == pytest.approx(value, abs=1e-9)


def test_the_path_through_the_lattice():
    path = next(step for step in taken("m2", HOSPITAL, ADVICE) if "lattice" in step.title)
    (table,) = path.pictures
    assert isinstance(table, Table)
    assert table.rows == (
        ("keep", "Thus , advice from hospital plays", ""),
        ("edit", "the → an", "a gold edit"),
        ("keep", "important role for this .", ""),
    )


def test_m2_compares_annotators():
    of = sentence("a b c", "a x c", "y b z")
    choice = next(step for step in taken("m2", of, "a x c") if "suits" in step.title)
    (table,) = choice.pictures
    assert table.rows == (("1", "1", "1", "1", "1", "chosen"), ("2", "0", "1", "2", "0", ""))


def test_bleu_halves_what_is_missing():
    lines = taken("bleu", sentence("a b", "a c b d"), "a b")[1].formulas
    assert lines == ("p1 = 2 / 2 = 1", "p2 = 0 / 1 → 0.5 / 1 = 0.5")


@pytest.mark.parametrize(("value", "text"), [(0.66666, "0.6667"), (-12.5, "−12.5"), (1e-9, "0"), (3, "3")])
def test_numbers_are_short(value, text):
    assert shown(value) == text


@pytest.fixture(scope="module")
def lm(tmp_path_factory):
    return str(tiny_models.causal_lm(tmp_path_factory.mktemp("steps") / "tiny"))


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return str(save_tiny_bert(tmp_path_factory.mktemp("steps") / "bert"))


@pytest.mark.parametrize("output", [ADVICE, HOSPITAL.source, "Thus Thus Thus"])
def test_scribendi_reads_twice_and_decides(lm, output):
    case = Case(create("scribendi", {"model": lm}), HOSPITAL, output)
    found = steps(case)
    assert found[-1].value == case.score
    perplexities = [step.value for step in found if step.title.startswith("Perplexity")]
    assert perplexities[0] == pytest.approx(case.details["ppl_source"], rel=1e-6)
    assert perplexities[-1] == pytest.approx(case.details["ppl_output"], rel=1e-6)


@needs_encoder
def test_bertscore_is_the_mean_of_the_largest_cosines(bert):
    case = Case(create("bertscore", {"model": bert}), HOSPITAL, ADVICE)
    compare, partners, f = steps(case)
    assert f.value == pytest.approx(case.score, abs=1e-9)
    (matrix,) = compare.pictures
    assert isinstance(matrix, Matrix)
    assert (len(matrix.rows), len(matrix.columns)) == (len(matrix.values), len(matrix.values[0]))
    precision, recall = (block for block in partners.pictures if isinstance(block, Tokens))
    for block, name in ((precision, "p"), (recall, "r")):
        mean = sum(token.value for token in block.tokens) / len(block.tokens)
        assert mean == pytest.approx(case.details[name], abs=1e-6)


@needs_encoder
def test_ptm2_weighs_what_m2_counts(bert):
    case = Case(create("ptm2", {"model": bert}), HOSPITAL, ADVICE)
    found = steps(case)
    assert found[-1].value == pytest.approx(case.score, abs=1e-9)
    weights = next(step for step in found if "weighs" in step.title)
    assert len(weights.formulas) == 1 + 3
