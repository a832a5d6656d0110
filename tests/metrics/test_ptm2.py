# mypy: disable-error-code="operator"
"""PT-M2: weights by hand, M2 when all weigh the same, and the first try's correlations."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, golden, needs_conll14, score_one, sentence
from fixed_scorer import Fixed, edit_gains, edit_weights
from hypothesis import given
from hypothesis import strategies as st
from released import human_scores
from tiny_encoder import needs_encoder, save_tiny_bart, tiny_place

from gec_core.meta.correlation import correlate
from gec_core.metrics import create
from gec_core.metrics.base import Availability, stack
from gec_core.metrics.blocks import Edits, Explanation, Facts, Table
from gec_core.metrics.pt import SOURCE_SCORE
from gec_core.metrics.pt.weights import SMALLEST
from gec_core.metrics.readings import lattice_readings
from gec_core.models.places import Place
from gec_core.papers.examples import CASES
from gec_core.scoring import score
from gec_core.types import Annotation, Corpus, Edit, Pair, Sentence

GIVEN = sentence("a b c d", "a x c y")
OUTPUT = "a x z d"
VALUES = {"a b c d": 0.5, "a x c d": 0.8, "a b z d": 0.4, "a b c y": 0.7}


def ptm2(by: Fixed | None = None, /, **options: Any) -> Any:
    """The metric with these options, and with a scorer of the test's own if one is given."""
    metric: Any = create("ptm2", options)
    if by is not None:
        metric.scorer = by
        metric.availability = lambda: Availability(ready=True)
    return metric


def test_weights_by_hand() -> None:
    metric = ptm2(Fixed(VALUES))
    (edits,) = edit_weights(metric, Pair(GIVEN, OUTPUT))
    assert [(edit.start, edit.end, edit.correction, edit.verdict) for edit in edits] == [
        (1, 2, "x", "correct"),
        (2, 4, "z d", "wrong"),  # M2's edits may carry unchanged words
        (3, 4, "y", "missed"),
    ]
    assert edit_gains(metric, Pair(GIVEN, OUTPUT)) == [pytest.approx([0.3, -0.1, 0.2])]
    assert [edit.value for edit in edits] == pytest.approx([0.3, 0.1, 0.2])


def test_precision_recall_and_f_by_hand() -> None:
    """Correct .3, proposed .4, gold .5: P = 3/4, R = 3/5, F = 1.25 · .45 / (.1875 + .6)."""
    metric = ptm2(Fixed(VALUES))
    (details,) = metric.sentence_details(stack(metric.statistics([Pair(GIVEN, OUTPUT)])))
    assert [details[name] for name in "prf"] == pytest.approx([0.75, 0.6, 5 / 7])
    assert [details[name] for name in ("correct", "proposed", "gold")] == [1, 2, 2]
    assert details["proposed_weight"] == pytest.approx(0.4)
    assert details["weighed"]
    for level in ("sentence", "corpus"):
        assert score_one(ptm2(Fixed(VALUES), level=level), GIVEN, OUTPUT).value == pytest.approx(5 / 7)


def test_inverse_weights_by_hand() -> None:
    """Weights 10/3, 10 and 5: P = 1/4, R = 2/5."""
    assert score_one(ptm2(Fixed(VALUES), inverse="true"), GIVEN, OUTPUT).value == pytest.approx(0.125 / 0.4625)


def test_the_inverse_of_nothing_is_large_but_finite() -> None:
    (edits,) = edit_weights(ptm2(Fixed(dict.fromkeys(VALUES, 0.5)), inverse="true"), Pair(GIVEN, OUTPUT))
    assert {edit.value for edit in edits} == {1 / SMALLEST}


def test_recall_counts_more_with_a_larger_beta() -> None:
    assert score_one(ptm2(Fixed(VALUES), beta="2"), GIVEN, OUTPUT).value == pytest.approx(5 * 0.45 / (4 * 0.75 + 0.6))


def test_differences_by_rounding_alone_weigh_nothing() -> None:
    nearly = dict.fromkeys(VALUES, 0.5) | {"a x c d": 0.5 + 1e-7}
    assert [edit.value for edit in edit_weights(ptm2(Fixed(nearly)), Pair(GIVEN, OUTPUT))[0]] == [0, 0, 0]


def test_where_all_weights_are_0_counts_are_used_if_asked() -> None:
    """Counts give P = R = 1/2; weights of 0 give 0/0 = 1 for both."""
    nothing = Fixed(dict.fromkeys(VALUES, 0.5))
    assert score_one(ptm2(nothing), GIVEN, OUTPUT).value == pytest.approx(0.5)
    assert score_one(ptm2(nothing, zero_fallback="false"), GIVEN, OUTPUT).value == 1.0
    assert score_one(ptm2(nothing, level="corpus"), GIVEN, OUTPUT).value == 1.0


def test_the_best_annotator_of_the_sentence_counts() -> None:
    """With the second annotator both edits are right, and the third one is missing."""
    second = Annotation(1, (Edit(0, 1, "q"), Edit(1, 2, "x"), Edit(2, 3, "z")))
    both = Sentence("a b c d", (), (*GIVEN.annotations, second))
    metric = ptm2(Fixed(VALUES | {"q b c d": 0.9}))
    (details,) = metric.sentence_details(stack(metric.statistics([Pair(both, OUTPUT)])))
    assert details["annotator"] == 1
    assert (details["p"], details["r"]) == pytest.approx((1.0, 0.4 / 0.8))


def test_the_corpus_score_pools_weights_of_annotators_chosen_as_m2_does_it() -> None:
    """The second sentence has no weight to speak of, so the first one decides."""
    little = sentence("e f", "g f")
    corpus = Corpus("made", (GIVEN, little), {"A": (OUTPUT, "e f")})
    values = VALUES | {"e f": 0.1, "g f": 0.1 + 1e-5}
    pooled = score(corpus, [ptm2(Fixed(values), level="corpus")]).columns[0].systems["A"].score
    assert pooled.details["p"] == pytest.approx(0.75)
    assert pooled.details["r"] == pytest.approx(0.3 / (0.5 + 1e-5))
    mean = score(corpus, [ptm2(Fixed(values))]).columns[0].values["A"]
    assert mean == pytest.approx((5 / 7 + 0) / 2)


def test_of_several_corrections_the_one_in_the_output_is_weighed() -> None:
    gold = Sentence("a b", (), (Annotation(0, (Edit(1, 2, "x", alternatives=("y",)),)),))
    (edits,) = edit_weights(ptm2(Fixed({"a b": 0.0, "a x": 1.0, "a y": 0.5})), Pair(gold, "a y"))
    assert [(edit.correction, edit.value, edit.verdict) for edit in edits] == [("y", 0.5, "correct")]


words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=6).map(" ".join)
cases = st.lists(st.tuples(words, words, words, words), min_size=1, max_size=4)


def made(rows: Any) -> Corpus:
    sentences = tuple(sentence(source, *references) for source, *references, _ in rows)
    return Corpus("made", sentences, {"A": tuple(row[-1] for row in rows)})


@given(cases, st.sampled_from(["0.5", "1", "2"]), st.integers(0, 3))
def test_with_weights_of_1_it_is_m2(rows: Any, beta: Any, max_unchanged: Any) -> None:
    options = {"beta": beta, "max_unchanged": str(max_unchanged)}
    for ours, theirs in (("sentence", "sentm2"), ("corpus", "m2")):
        metrics = [ptm2(weights="one", level=ours, **options), create(theirs, options)]
        left, right = score(made(rows), metrics).columns
        assert left.values == right.values
        assert left.sentence_scores("A").tolist() == right.sentence_scores("A").tolist()


@needs_conll14
def test_with_weights_of_1_it_is_m2_on_the_real_corpus(conll14: Corpus) -> None:
    ours = [ptm2(weights="one", level=level) for level in ("sentence", "corpus")]
    left, corpus_level, right, m2 = score(conll14, [*ours, create("sentm2"), create("m2")]).columns
    assert left.values == right.values
    assert corpus_level.values == m2.values
    for system in conll14.systems:
        assert left.sentence_scores(system).tolist() == right.sentence_scores(system).tolist()


@given(cases, st.sampled_from([1, 2, 10]))
def test_leaving_weights_out_does_not_change_a_sentence_score(rows: Any, tenths: Any) -> None:
    """The corpus level looks at everything; few different values make many weights 0."""
    lazy, full = ptm2(Fixed(tenths=tenths)), ptm2(Fixed(tenths=tenths), level="corpus")
    pairs = [Pair(each, output) for each, output in zip(made(rows).sentences, made(rows).systems["A"], strict=True)]
    found, expected = (metric.sentence_scores(stack(metric.statistics(pairs))) for metric in (lazy, full))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert set(lazy.scorer.asked) <= set(full.scorer.asked)


@pytest.mark.parametrize(
    ("output", "expected"),
    [("a b c d", 0.0), ("a x c y", 1.0), ("a b z d", 0.0)],
    ids=["unchanged", "perfect", "wrong"],
)
def test_sentences_that_are_decided_are_not_shown_to_the_model(output: str, expected: float) -> None:
    metric = ptm2(Fixed(VALUES))
    rows = stack(metric.statistics([Pair(GIVEN, output)]))
    assert metric.sentence_scores(rows).tolist() == [expected]
    assert metric.scorer.asked == []
    assert not metric.sentence_details(rows)[0]["weighed"]


def test_permuted_weights_are_the_same_weights_in_another_order() -> None:
    def weights(**options: Any) -> list[Any]:
        return [edit.value for edit in edit_weights(ptm2(Fixed(VALUES), **options), Pair(GIVEN, OUTPUT))[0]]

    shuffled = [weights(weights="permuted", seed=str(seed)) for seed in range(9)]
    assert all(sorted(each) == sorted(weights()) for each in shuffled)
    assert len({tuple(each) for each in shuffled}) > 1
    assert weights(weights="permuted", seed="3") == shuffled[3]


def test_an_edit_stands_on_its_own_and_the_reference_has_them_all() -> None:
    gold = Sentence("a b c", (), (Annotation(0, (Edit(0, 0, "x"), Edit(1, 2, ""), Edit(3, 3, "y"))),))
    (reading,), complete = lattice_readings(Pair(gold, "x a b c"), 2)
    assert complete
    assert reading.reference == "x a c y"
    assert [reading.changed(edit) for edit in reading.edits] == ["x a b c", "a c", "a b c y"]


@pytest.fixture
def tiny(tmp_path: Path) -> Place:
    return tiny_place(tmp_path / "tiny")


def test_identity_weighs_by_equal_word_pieces(tiny: Place) -> None:
    """Of three pieces the source shares two with the reference, with the edit all: 1 − 2/3; "A" is "a"."""
    metric = ptm2(model=str(tiny.path), weights="identity")
    (edits,) = edit_weights(metric, Pair(sentence("a b c", "A b d"), "A b d"))
    assert [edit.value for edit in edits] == pytest.approx([0, 1 / 3])


def test_an_empty_output_and_a_very_long_one(tiny: Place) -> None:
    metric = ptm2(model=str(tiny.path), level="corpus")
    gold = sentence("a b c", "a d c .")
    assert score_one(metric, gold, "").value == 0.0
    long = score_one(metric, gold, "a d c " + "x " * 2000)
    assert np.isfinite(long.value)
    assert long.details["truncated"] == 1


def test_a_sentence_without_annotated_edits(tiny: Place) -> None:
    metric = ptm2(model=str(tiny.path))
    fine = Sentence("a b", ("a b",), (Annotation(0),))
    assert score_one(metric, fine, "a b").value == 1.0
    assert score_one(metric, fine, "a c").value == 0.0


def test_the_model_and_the_layer_stand_in_the_signature(tiny: Place) -> None:
    metric = ptm2(model=str(tiny.path))
    assert f"scorer:bert|model:tiny@{tiny.revision}|layer:2" in metric.signature
    assert metric.label == "PT-M² · tiny"
    assert "layer:1" in ptm2(model=str(tiny.path), layer="1").signature
    assert ptm2(weights="one").label == "PT-M² · weights: one"
    assert "model" not in ptm2(weights="one").signature


def test_without_its_weights_it_says_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    ready = ptm2(scorer="bart").availability()
    assert not ready.ready
    assert "facebook/bart-base is not on this machine" in ready.how
    assert ptm2(weights="one").availability().ready


def test_listing_and_signing_import_no_model_library() -> None:
    code = (
        "import sys; from gec_core.metrics import registry\n"
        "for id in ('bertscore', 'ptm2'):\n"
        "    metric = registry()[id]()\n"
        "    metric.signature, metric.statistics_signature, metric.label, metric.availability()\n"
        "print([name for name in ('torch', 'transformers', 'numba') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout.strip() == "[]"


def test_bart_says_how_probable_the_candidate_is_after_the_reference(tmp_path: Path) -> None:
    bart = save_tiny_bart(tmp_path / "bart")
    given = sentence("a b c", "a d c")
    (gains,) = edit_gains(ptm2(model=str(bart), scorer="bart"), Pair(given, "a d c"))
    by_bart = create("bartscore", {"model": str(bart)})
    after, before = (score_one(by_bart, given, output).value for output in ("a d c", "a b c"))
    assert gains == pytest.approx([after - before])
    assert "scorer:bart|model:bart@" in ptm2(model=str(bart), scorer="bart").signature


@needs_encoder
@needs_conll14
def test_correlations_of_the_first_try(conll14: Corpus) -> None:
    """Layer 0 needs no layer to be run, so the whole corpus takes seconds. The first try used other batches, and
    with these come other roundings: figures may differ in the fourth digit, ranks may not."""
    table = {row["level"]: row for row in golden("ptm2_minilm_correlations.tsv") if row["variant"] == "PT-M2 L0 n"}
    for level in ("corpus", "sentence"):
        values = score(conll14, [ptm2(layer="0", level=level)]).columns[0].values
        for name, method in (("EW", "expected_wins"), ("TS", "trueskill")):
            human = human_scores(method)
            pearson, spearman = (correlate(values, human, each).value for each in ("pearson", "spearman"))
            assert pearson == pytest.approx(float(table[level][f"{name}_pearson"]), abs=5e-4)
            assert spearman == pytest.approx(float(table[level][f"{name}_spearman"]), abs=1e-6)
    sentm2, m2 = (column.values for column in score(conll14, [create("sentm2"), create("m2")]).columns)
    wins = human_scores("expected_wins")
    ours, sentences, edits = (correlate(each, wins, "pearson").value for each in (values, sentm2, m2))
    assert ours > sentences > edits


def facts(explanation: Explanation) -> dict[Any, Any]:
    return {name: value for block in explanation.all(Facts) for name, value in block.values.items()}


def test_the_explanation_has_weights_and_the_texts_that_were_compared() -> None:
    found = ptm2(Fixed(VALUES)).explain(GIVEN, OUTPUT)
    (block,) = found.all(Edits)
    assert [(edit.correction, edit.verdict) for edit in block.edits] == [
        ("x", "correct"),
        ("z", "wrong"),
        ("y", "missed"),
    ]
    assert [edit.value for edit in block.edits] == pytest.approx([0.3, 0.1, 0.2])
    (table,) = found.all(Table)
    assert table.rows == (
        ("b → x", "a x c d", "0.8", "0.3"),
        ("c → z", "a b z d", "0.4", "−0.1"),
        ("d → y", "a b c y", "0.7", "0.2"),
    )
    assert facts(found)[SOURCE_SCORE] == 0.5
    assert facts(found)["weight of proposed edits"] == pytest.approx(0.4)
    assert found.score == pytest.approx(5 / 7)


def test_weights_that_make_no_difference_are_said_to() -> None:
    found = ptm2(Fixed({"a b": 0.5, "a c": 0.8})).explain(sentence("a b", "a c"), "a c")
    assert "the same for all weights" in facts(found)["note"]
    assert create("ptm2", {"weights": "one"}).explain(sentence("a b", "a c"), "a c").score == 1


@needs_encoder
def test_table_8_of_gong_et_al() -> None:
    """`entirely` weighs most, more than twice as much as `skills`, which M² counts alike."""
    (block,) = create("ptm2").explain(CASES["skills"].sentence, CASES["skills"].hypotheses["NTHU"]).all(Edits)
    weights = {edit.correction: edit.value for edit in block.edits}
    assert [(edit.original, edit.verdict) for edit in block.edits] == [
        ("entire", "correct"),
        ("the", "wrong"),
        ("skill", "correct"),
    ]
    assert weights["entirely"] > 2 * weights["skills"]
    assert weights["entirely"] > weights[""]


@needs_encoder
def test_table_3_of_gong_et_al() -> None:
    """`an` brings the sentence closer to the reference, `replaced` takes it away."""
    found = create("ptm2").explain(CASES["substituted"].sentence, CASES["substituted"].hypotheses["AMU"])
    (block,) = found.all(Edits)
    assert [(edit.correction, edit.verdict) for edit in block.edits] == [("an", "correct"), ("replaced", "wrong")]
    (table,) = found.all(Table)
    assert [gain.startswith("−") for *_, gain in table.rows] == [False, True]


def test_steps_replace_counts_by_weights() -> None:
    *_, weights, sums, rates, f = ptm2(Fixed(VALUES)).steps(GIVEN, OUTPUT)
    assert weights.formulas[1:] == (
        "w(b → x) = |0.8 − 0.5| = 0.3",
        "w(c → z) = |0.4 − 0.5| = 0.1",
        "w(d → y) = |0.7 − 0.5| = 0.2",
    )
    assert sums.formulas == ("correct = 0.3", "proposed = 0.4", "gold = 0.5")
    assert rates.formulas[0] == "P = correct / proposed = 0.3 / 0.4 = 0.75"
    assert f.value == pytest.approx(5 / 7)
