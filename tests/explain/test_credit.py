# mypy: disable-error-code="comparison-overlap, func-returns-value"
"""Credits of edits: cases by hand, the axioms on every overlap metric, sampling, and the store."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_models
from conftest import needs_conll14, sentence
from errant_cases import needs_errant, no_pipeline  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st
from tiny_encoder import save_tiny_bert

from gec_core import corpora
from gec_core.align.edits import diff_edits
from gec_core.explain import credit
from gec_core.explain.credit import CreditDifference, Credits, edit_credits, edits_read_by, most_exact, output_edits
from gec_core.metrics import create, registry
from gec_core.metrics.base import Metric, Score
from gec_core.metrics.blocks import ValuedEdit
from gec_core.store import Store
from gec_core.types import Array, Corpus, Edit, Pair

OVERLAP = ("m2", "imeasure", "gleu", "bleu", "green")
DOGS = sentence("Two dog bark at cat .", "Two dogs bark at the cat .")
token_differences = pytest.mark.usefixtures("no_pipeline")


def adds_up(found: Credits) -> bool:
    return sum(edit.value for edit in found.edits) == pytest.approx(found.score - found.source_score, abs=1e-9)


@token_differences
def test_a_right_and_a_wrong_edit_by_hand() -> None:
    """F: only the right edit 5/6, only the wrong one 0, both 1/2 (P = R = 1/2)."""
    found = edit_credits(create("m2"), DOGS, "Two dogs bark in cat .")
    assert [(edit.start, edit.end, edit.correction) for edit in found.edits] == [(1, 2, "dogs"), (3, 4, "in")]
    assert [edit.value for edit in found.edits] == pytest.approx([(5 / 6 + 1 / 2) / 2, (0 + 1 / 2 - 5 / 6) / 2])
    assert (found.score, found.source_score, found.error, found.exact) == (pytest.approx(0.5), 0.0, 0.0, True)


@token_differences
def test_an_output_without_edits() -> None:
    found = edit_credits(create("m2"), DOGS, DOGS.source)
    assert found == Credits(score=0.0, source_score=0.0, error=0.0, edits=(), exact=True)


@token_differences
@pytest.mark.parametrize("id", OVERLAP)
def test_edits_that_do_the_same_get_the_same(id: str) -> None:
    """Both are right, and stand in as many n-grams, none of which has both."""
    corrected = "a b c X d e f Y g h i"
    first, second = edit_credits(create(id), sentence("a b c x d e f y g h i", corrected), corrected).edits
    assert first.value == pytest.approx(second.value, abs=1e-12)
    assert first.value > 0


@token_differences
def test_an_edit_that_changes_nothing_gets_nothing() -> None:
    """A word for a word leaves the length as it is."""
    found = edit_credits(create("length"), sentence("a b c d e"), "x b c e")
    assert [(edit.correction, edit.value) for edit in found.edits] == [("x", 0.0), ("", pytest.approx(-0.2))]


@token_differences
@pytest.mark.parametrize("id", OVERLAP)
@given(st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=8).map(" ".join), min_size=4, max_size=4))
def test_credits_add_up_on_any_texts(id: str, texts: list[str]) -> None:
    source, output, *references = texts
    assert adds_up(edit_credits(create(id), sentence(source, *references), output))


@token_differences
@pytest.mark.parametrize("id", registry())
def test_credits_add_up_on_the_demo_corpus(id: str) -> None:
    """Of every metric that can run without ERRANT; a few short outputs have to do for those with a model."""
    corpus, metric = corpora.load("demo"), create(id)
    if not metric.availability().ready:
        pytest.skip(metric.availability().how)
    outputs = {(line, outputs[line]) for outputs in corpus.systems.values() for line in range(0, len(corpus), 2)}
    chosen = sorted(outputs)
    if metric.own_process or metric.pace > 0.005:
        chosen = [each for each in chosen if len(diff_edits(corpus.sentences[each[0]].source, each[1])) == 2][:3]
    for line, output in chosen:
        peers = [outputs[line] for outputs in corpus.systems.values() if outputs[line] != output]
        found = edit_credits(metric, corpus.sentences[line], output, peers=peers)
        assert adds_up(found), (line, output)
        assert found.exact


@needs_conll14
@token_differences
@pytest.mark.parametrize("id", OVERLAP)
def test_credits_add_up_on_conll14(id: str, conll14: Corpus) -> None:
    """300 outputs with two to seven edits, of sentences of any length."""
    outputs = [
        (line, output)
        for outputs in conll14.systems.values()
        for line, output in enumerate(outputs)
        if 2 <= len(diff_edits(conll14.sentences[line].source, output)) <= 7
    ]
    chosen = np.random.default_rng(0).choice(len(outputs), 300, replace=False)
    for line, output in (outputs[index] for index in chosen):
        assert adds_up(edit_credits(create(id), conll14.sentences[line], output)), (line, output)


MANY = sentence(
    " ".join(f"a{number} b{number}" for number in range(9)), " ".join(f"x{number} b{number}" for number in range(9))
)
MANY_RIGHT = " ".join(f"{'x' if number % 3 else 'y'}{number} b{number}" for number in range(9))


@token_differences
@pytest.mark.parametrize("id", OVERLAP)
def test_with_too_many_edits_orders_are_sampled_and_the_error_is_told(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = edit_credits(create(id), MANY, MANY_RIGHT)
    monkeypatch.setattr(credit, "MOST_TEXTS", 200)
    sampled = edit_credits(create(id), MANY, MANY_RIGHT)
    assert (exact.exact, exact.error, sampled.exact) == (True, 0.0, False)
    assert sampled.error > 0
    assert adds_up(sampled)
    off = [abs(one.value - other.value) for one, other in zip(exact.edits, sampled.edits, strict=True)]
    assert max(off) < 4 * sampled.error
    assert sampled == edit_credits(create(id), MANY, MANY_RIGHT) != edit_credits(create(id), MANY, MANY_RIGHT, seed=1)


@pytest.mark.parametrize(("pace", "edits"), [(0.0001, 11), (0.0005, 11), (0.002, 9), (0.005, 8), (0.01, 7), (0.2, 6)])
def test_how_many_edits_are_exact_depends_on_the_pace(pace: float, edits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = create("m2")
    monkeypatch.setattr(type(metric), "pace", pace)
    assert most_exact(metric) == edits


@token_differences
def test_each_text_is_scored_once_in_one_batch_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metric, store, batches = create("gleu"), Store(tmp_path / "scores.sqlite"), []
    gather = metric.gather
    monkeypatch.setattr(metric, "gather", lambda pairs, store: batches.append(pairs) or gather(pairs, store))
    found = edit_credits(metric, DOGS, "Two dogs bark at a cat .", store=store)
    assert [sorted(pair.output for pair in batch) for batch in batches] == [
        ["Two dog bark at a cat .", "Two dog bark at cat .", "Two dogs bark at a cat .", "Two dogs bark at cat ."]
    ]
    assert edit_credits(metric, DOGS, "Two dogs bark at a cat .", store=store) == found
    assert len(batches) == 1


@token_differences
def test_progress_is_told() -> None:
    seen: list[Any] = []
    edit_credits(create("m2"), DOGS, "Two dogs bark at a cat .", on_progress=seen.append)
    assert (seen[-1].what, seen[-1].done, seen[-1].total) == ("M²", 4, 4)


@token_differences
def test_annotators_chosen_over_a_corpus_are_chosen_for_the_sentence() -> None:
    both = sentence("a b c", "a x c", "a b y")
    for output in ("a x c", "a b y", "a x y"):
        assert edit_credits(create("m2", {"sentence": "chosen"}), both, output) == edit_credits(
            create("m2"), both, output
        )


def edit(start: int, end: int, original: str, correction: str, type: str, value: float) -> ValuedEdit:
    return ValuedEdit(start, end, original, correction, type, value=value)


def test_the_difference_of_two_outputs() -> None:
    one = Credits(0.7, 0.1, 0.0, (edit(0, 1, "a", "x", "T", 0.4), edit(2, 2, "", "y", "U", 0.2)), True)
    other = Credits(0.4, 0.1, 0.01, (edit(0, 1, "a", "x", "T", 0.5), edit(3, 4, "d", "", "V", -0.2)), False)
    found = CreditDifference(one, other)
    assert [(edit.correction, edit.type, *found.credits(edit)) for edit in found.edits] == [
        ("x", "T", 0.4, 0.5),
        ("y", "U", 0.2, None),
        ("", "V", None, -0.2),
    ]
    assert [edit.value for edit in found.edits] == pytest.approx([-0.1, 0.2, 0.2])
    assert found.value == pytest.approx(0.3) == sum(edit.value for edit in found.edits)
    assert (found.baseline, found.error, found.exact) == (0.0, 0.01, False)


def test_the_same_word_inserted_twice_in_one_place_is_one_edit_of_the_difference() -> None:
    twice = Credits(0.5, 0.0, 0.0, (edit(1, 1, "", "x", "", 0.2), edit(1, 1, "", "x", "", 0.3)), True)
    found = CreditDifference(twice, replace(twice, score=0.0, edits=()))
    (only,) = found.edits
    assert (found.credits(only), only.value) == ((0.5, None), 0.5)


@token_differences
@pytest.mark.parametrize("id", OVERLAP)
def test_differences_add_up(id: str) -> None:
    corpus, metric = corpora.load("demo"), create(id)
    for line in range(0, len(corpus), 10):
        eager, fluent = (
            edit_credits(metric, corpus.sentences[line], corpus.systems[name][line]) for name in ("EAGER", "FLUENT")
        )
        found = CreditDifference(eager, fluent)
        assert sum(edit.value for edit in found.edits) == pytest.approx(found.value, abs=1e-9)


class AmongPeers(Metric):
    """The length of an output, less the mean length of all outputs."""

    id = "among-peers"
    name = "Among peers"
    family = "sanity"
    summary = ""
    reads = "source"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return [np.array([float(len(output.split()))]) for _, output in pairs]

    def digest(self, statistics: Any) -> dict[Any, Any]:
        mean = np.mean(list(statistics.values()), axis=0)
        return {system: rows - mean for system, rows in statistics.items()}

    def aggregate(self, statistics: Array) -> Score:
        return Score(float(statistics.mean()))

    def sentence_scores(self, statistics: Array) -> Array:
        return statistics[:, 0]


@token_differences
def test_a_metric_that_looks_at_other_systems_sees_them() -> None:
    """Lengths 5 and 3 and a third system's 4, on a source of 4: A has 5 − 4, its source would have 4 − 11/3."""
    given = sentence("a b c d")
    one = edit_credits(AmongPeers(), given, "a b c d e", peers=["a b c", "a b c d"])
    other = edit_credits(AmongPeers(), given, "a b c", peers=["a b c d e", "a b c d"])
    assert (one.score, one.source_score) == (pytest.approx(1), pytest.approx(1 / 3))
    found = CreditDifference(one, other)
    assert found.baseline == pytest.approx(2 / 3)
    assert sum(edit.value for edit in found.edits) + found.baseline == pytest.approx(found.value) == 2


@token_differences
@pytest.mark.parametrize("id", OVERLAP)
def test_eight_edits_need_one_batch_of_at_most_256_texts(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So they take 300 ms on an idle machine."""
    source = "a0 b c d a1 e f g a2 h i j a3 k l m a4 n o p a5 q r s a6 t u v a7 w x y z ."
    output = source.replace("a", "A")
    metric, batches = create(id), list[list[str]]()
    original = type(metric).statistics

    def statistics(self: Metric, pairs: Sequence[Pair]) -> Sequence[Array]:
        batches.append([pair.output for pair in pairs])
        return original(self, pairs)

    monkeypatch.setattr(type(metric), "statistics", statistics)
    assert len(edit_credits(metric, sentence(source, output, source.replace("a", "B")), output).edits) == 8
    assert len(batches) == 1
    assert len(batches[0]) == len(set(batches[0])) == 256


@needs_errant
def test_edits_are_errants_where_it_can_run() -> None:
    edits = output_edits("Two dog bark at cat .", "Two dogs bark at the cat .")
    assert [(edit.start, edit.end, edit.correction, edit.type) for edit in edits] == [
        (1, 2, "dogs", "R:NOUN:NUM"),
        (4, 4, "the", "M:DET"),
    ]
    assert edits_read_by().startswith("errant:")


@needs_errant
@pytest.mark.parametrize("id", ["errant", "senterrant", "gotoscorer"])
def test_credits_of_the_errant_family_add_up(id: str, tmp_path: Path) -> None:
    corpus, metric, store = corpora.load("demo"), create(id), Store(tmp_path / "scores.sqlite")
    for line in range(0, len(corpus), 8):
        outputs = {name: outputs[line] for name, outputs in corpus.systems.items()}
        for name, output in outputs.items():
            peers = [other for system, other in outputs.items() if system != name]
            assert adds_up(edit_credits(metric, corpus.sentences[line], output, peers=peers, store=store))


@token_differences
def test_edits_are_merged_differences_of_tokens_elsewhere() -> None:
    assert output_edits("a b c d", "a x y d") == (Edit(1, 3, "x y"),)
    assert edits_read_by() == "token differences"


@pytest.fixture(scope="module")
def lm(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_models.causal_lm(tmp_path_factory.mktemp("explain") / "tiny"))


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_bert(tmp_path_factory.mktemp("explain") / "bert"))


@pytest.mark.parametrize("id", ["scribendi", "bertscore", "ptm2"])
def test_credits_of_models_add_up(id: str, lm: str, bert: str) -> None:
    metric = create(id, {"model": lm if id == "scribendi" else bert})
    found = edit_credits(metric, sentence("a b c d e f .", "a g c h e f .", "a g c d ."), "a g d h .")
    assert found.exact
    assert len(found.edits) >= 2
    assert sum(edit.value for edit in found.edits) == pytest.approx(found.score - found.source_score, abs=1e-9)
