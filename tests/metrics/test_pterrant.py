"""PT-ERRANT: weights by hand, ERRANT when all weigh the same, controls, and what it says where something is missing."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import needs_conll14, score_one, sentence
from errant_cases import needs_errant, no_pipeline  # noqa: F401
from fixed_scorer import Fixed, edit_gains, edit_weights
from hypothesis import given
from hypothesis import strategies as st
from paper_examples import SKILL, SKILL_NTHU, SKILL_PKU, SKILL_REFERENCE
from tiny_encoder import needs_encoder, tiny_place

from gec_core.align import errant_edits
from gec_core.metrics import create
from gec_core.metrics.base import Availability, stack
from gec_core.metrics.bertscore.similarity import BertSimilarity
from gec_core.metrics.blocks import Edits, Facts, Table
from gec_core.metrics.errant import rows as errant_rows
from gec_core.metrics.pt import SOURCE_SCORE, reading
from gec_core.metrics.pt.family import Read
from gec_core.metrics.readings import Reading
from gec_core.models.places import Place
from gec_core.scoring import score
from gec_core.store import Store
from gec_core.types import Annotation, Corpus, Edit, Pair, Sentence

GIVEN = sentence("Two dog bark at cat .", "Two dogs bark at the cat .")
OUTPUT = "Two dogs barks at cat ."
VALUES = {
    "Two dog bark at cat .": 0.5,
    "Two dogs bark at cat .": 0.8,
    "Two dog barks at cat .": 0.4,
    "Two dog bark at the cat .": 0.7,
}


def pterrant(by: Fixed | None = None, /, **options: Any) -> Any:
    """The metric with these options, and with a scorer of the test's own if one is given."""
    metric: Any = create("pterrant", options)
    if by is not None:
        metric.scorer = by
        metric.availability = lambda: Availability(ready=True)
    return metric


@needs_errant
def test_weights_and_scores_by_hand() -> None:
    """Correct .3, proposed .4, gold .5: P = 3/4, R = 3/5, F = 1.25 · .45 / (.1875 + .6)."""
    metric = pterrant(Fixed(VALUES))
    (edits,) = edit_weights(metric, Pair(GIVEN, OUTPUT))
    assert [(edit.correction, edit.verdict) for edit in edits] == [
        ("dogs", "correct"),
        ("barks", "wrong"),
        ("the", "missed"),
    ]
    assert edit_gains(metric, Pair(GIVEN, OUTPUT)) == [pytest.approx([0.3, -0.1, 0.2])]
    (details,) = metric.sentence_details(stack(metric.statistics([Pair(GIVEN, OUTPUT)])))
    assert [details[name] for name in "prf"] == pytest.approx([0.75, 0.6, 5 / 7])
    assert [details[name] for name in ("correct", "proposed", "gold")] == [1, 2, 2]
    for level in ("sentence", "corpus"):
        assert score_one(pterrant(Fixed(VALUES), level=level), GIVEN, OUTPUT).value == pytest.approx(5 / 7)
    assert score_one(pterrant(Fixed(VALUES), inverse="true"), GIVEN, OUTPUT).value == pytest.approx(0.125 / 0.4625)


@needs_errant
def test_the_reference_is_what_the_edits_were_read_off() -> None:
    """As annotated, the source with the annotator's edits; `auto`, the reference, which may be another text."""
    gold = Annotation(0, (Edit(1, 2, "dogs", "R:NOUN:NUM"),))
    given = Sentence(GIVEN.source, GIVEN.references, (gold,))
    for references, expected in (("gold", "Two dogs bark at cat ."), ("auto", "Two dogs bark at the cat .")):
        (found,) = pterrant(references=references).readings([Pair(given, OUTPUT)], None)
        assert [each.reference for each in found.readings] == [expected]
        assert len(found.readings[0].gold) == (1 if references == "gold" else 2)


def test_an_edit_that_two_gold_edits_ask_for_counts_twice() -> None:
    twice = [Edit(1, 2, "x", "A"), Edit(1, 2, "x", "B")]
    found = reading("a b", "a x", [Edit(1, 2, "x", "C")], twice)
    assert (found.correct, len(found.proposed), len(found.gold)) == (2, 2, 2)


def test_errors_that_nobody_corrected_do_not_count() -> None:
    found = reading("a b c", "a b x", [Edit(2, 3, "x", "C")], [Edit(0, 1, "a", "UNK"), Edit(2, 3, "x", "C")])
    assert (found.correct, len(found.proposed), len(found.gold)) == (1, 1, 1)


def test_of_several_corrections_the_one_in_the_output_is_weighed() -> None:
    found = reading("a b", "a x", [Edit(1, 2, "y", "C")], [Edit(1, 2, "x", "C", ("y",))])
    assert found == Reading("a b", "a x", (Edit(1, 2, "y"),), (1,), (Edit(1, 2, "y"),))


spans = st.integers(0, 3).flatmap(lambda start: st.tuples(st.just(start), st.integers(start, 4)))
some_edits = st.lists(
    st.builds(
        lambda span, correction, kind, others: Edit(*span, correction, kind, tuple(others)),  # type: ignore[call-arg]
        spans,
        st.sampled_from(["", "x", "y"]),
        st.sampled_from(["R:NOUN", "UNK"]),
        st.lists(st.sampled_from(["x", "z"]), max_size=1),
    ),
    max_size=4,
)
made_edits = some_edits.map(
    lambda edits: [Edit(e.start, e.end, e.correction, e.type) for e in {(e.start, e.end): e for e in edits}.values()]
)


@given(st.lists(st.tuples(made_edits, st.lists(some_edits, min_size=1, max_size=2)), min_size=1, max_size=4))
def test_with_weights_of_1_it_is_errant_whatever_the_edits_are(sentences: Any) -> None:
    """No pipeline is asked: edits of an output have different spans, those of annotators are as they come."""
    rows = stack([errant_rows.encode(made, golds) for made, golds in sentences])
    read = [Read([reading("a b c d", "", made, gold) for gold in golds]) for made, golds in sentences]
    for level, other in (("sentence", "senterrant"), ("corpus", "errant")):
        ours, theirs = pterrant(weights="one", level=level), create(other)
        ours.readings = lambda pairs, store: read
        statistics = stack(ours.gather([None] * len(read), None))
        expected = theirs.digest({"": rows})[""]
        assert ours.aggregate(statistics).value == theirs.aggregate(expected).value
        assert ours.sentence_scores(statistics).tolist() == theirs.sentence_scores(expected).tolist()


@needs_conll14
@needs_errant
@pytest.mark.parametrize("references", ["gold", "auto"])
def test_with_weights_of_1_it_is_errant_on_the_real_corpus(conll14: Corpus, references: str) -> None:
    options = {"references": references}
    ours = [pterrant(weights="one", level=level, **options) for level in ("sentence", "corpus")]
    metrics = [*ours, create("senterrant", options), create("errant", options)]
    sentences, pooled, senterrant, errant = score(conll14, metrics, store=Store()).columns
    assert sentences.values == senterrant.values
    assert pooled.values == errant.values
    for system in conll14.systems:
        assert sentences.sentence_scores(system).tolist() == senterrant.sentence_scores(system).tolist()


@needs_errant
def test_permuted_weights_are_the_same_weights_in_another_order() -> None:
    def weights(**options: Any) -> list[Any]:
        return [edit.value for edit in edit_weights(pterrant(Fixed(VALUES), **options), Pair(GIVEN, OUTPUT))[0]]

    shuffled = [weights(weights="permuted", seed=str(seed)) for seed in range(9)]
    assert all(sorted(each) == sorted(weights()) for each in shuffled)
    assert len({tuple(each) for each in shuffled}) > 1


@pytest.fixture
def tiny(tmp_path: Path) -> Place:
    return tiny_place(tmp_path / "tiny")


@needs_errant
def test_identity_weighs_by_equal_word_pieces(tiny: Place) -> None:
    """Of three pieces the source shares two with the reference, with the edit all: 1 − 2/3."""
    metric = pterrant(model=str(tiny.path), weights="identity")
    (edits,) = edit_weights(metric, Pair(sentence("a b c", "a b d"), "a b d"))
    assert [edit.value for edit in edits] == pytest.approx([1 / 3])


@needs_errant
def test_an_empty_output_and_a_very_long_one(tiny: Place) -> None:
    metric = pterrant(model=str(tiny.path), level="corpus")
    gold = sentence("a b c", "a d c .")
    assert score_one(metric, gold, "").value == 0.0
    long = score_one(metric, gold, "a d c " + "x " * 2000)
    assert np.isfinite(long.value)
    assert long.details["truncated"] >= 1


@needs_errant
def test_what_was_found_is_kept(tmp_path: Path, tiny: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another beta asks for nothing anew; another level reads edits off the store, and comparisons, too."""
    store = Store(tmp_path / "store.sqlite")
    corpus = Corpus("made", (sentence("a b c", "a d c ."),), {"A": ("a d c",)})
    first = score(corpus, [pterrant(model=str(tiny.path))], store=store).columns[0].values
    again = pterrant(model=str(tiny.path), beta="1")
    again.readings = lambda pairs, store: pytest.fail("edits were asked for again")
    score(corpus, [again], store=store)
    monkeypatch.setattr(errant_edits, "_annotate", lambda pairs: pytest.fail("sentences were aligned again"))
    monkeypatch.setattr(BertSimilarity, "_rows", lambda self, pairs: pytest.fail("the model was used again"))
    pooled = score(corpus, [pterrant(model=str(tiny.path), level="corpus")], store=store).columns[0].values
    assert pooled == pytest.approx(first)


@needs_errant
def test_model_layer_and_pipeline_stand_in_the_signature(tiny: Place) -> None:
    metric = pterrant(model=str(tiny.path), references="auto")
    assert metric.signature.startswith(f"pterrant|v1|scorer:bert|model:tiny@{tiny.revision}|layer:2|")
    assert "|references:auto|errant:" in metric.signature
    assert metric.label == "PT-ERRANT · tiny"
    assert metric.reads == "references"
    assert pterrant(weights="one").label == "PT-ERRANT · weights: one"


@pytest.mark.usefixtures("no_pipeline")
def test_without_a_pipeline_it_says_what_to_install() -> None:
    for weights in ("model", "one"):
        found = pterrant(weights=weights).availability()
        assert not found.ready
        assert "Install: pip install" in found.how


@needs_encoder
@needs_errant
def test_table_8_puts_nthu_above_pku_where_errant_does_not() -> None:
    given = sentence(SKILL, SKILL_REFERENCE)
    nthu, pku = (score_one(create("senterrant"), given, output).value for output in (SKILL_NTHU, SKILL_PKU))
    assert nthu < pku
    nthu, pku = (score_one(pterrant(), given, output).value for output in (SKILL_NTHU, SKILL_PKU))
    assert nthu > pku


@needs_errant
@pytest.mark.parametrize("references", ["gold", "auto"])
def test_pterrant_shows_types_weights_and_the_texts_that_were_compared(references: str) -> None:
    given = sentence("Two dog bark at cat .", "Two dogs bark at the cat .")
    metric: Any = create("pterrant", {"references": references})
    metric.scorer = Fixed({given.source: 0.5, "Two dogs bark at cat .": 0.8, "Two dog bark at the cat .": 0.7})
    metric.scorer.values["Two dog bark in cat ."] = 0.4
    metric.availability = lambda: Availability(ready=True)
    found = metric.explain(given, "Two dogs bark in cat .")
    (block,) = found.all(Edits)
    assert [(edit.correction, edit.verdict, edit.type) for edit in block.edits] == [
        ("dogs", "correct", "R:NOUN:NUM"),
        ("in", "wrong", "R:PREP"),
        ("the", "missed", "M:DET"),
    ]
    assert [edit.value for edit in block.edits] == pytest.approx([0.3, 0.1, 0.2])
    (table,) = found.all(Table)
    assert table.rows[0] == ("dog → dogs", "Two dogs bark at cat .", "0.8", "0.3")
    (weights,) = found.all(Facts)
    assert weights.values[SOURCE_SCORE] == 0.5
    assert found.score == pytest.approx(5 / 7)
    assert (found.reference, found.annotator) == (given.references[0], 0 if references == "gold" else None)


@needs_errant
def test_steps_replace_counts_by_weights() -> None:
    metric = pterrant(Fixed(VALUES))
    found = metric.steps(GIVEN, OUTPUT)
    assert found[0].blocks[0].rows[0] == ("1–2", "dog → dogs", "R:NOUN:NUM")
    assert found[-1].value == pytest.approx(metric.explain(GIVEN, OUTPUT).score, abs=1e-9)
