# mypy: disable-error-code="union-attr"
"""What would turn the order of two systems around, checked by scoring again."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from conftest import sentence
from test_gap_edits import random_corpus

from gec_core.human import expanded, rank
from gec_core.meta.counterfactuals import (
    accepted_edits,
    fewest_sentences,
    order,
    with_accepted,
    without_group,
)
from gec_core.meta.edit_fates import pair_edits, read_edits
from gec_core.meta.gap import compare
from gec_core.meta.gap_credits import SystemOutput
from gec_core.meta.gap_sentences import metric_gap, people_gap
from gec_core.meta.gap_systems import group_map
from gec_core.meta.gap_words import told
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.types import Corpus, Edit, Judgment, Judgments, Ranked


def without(corpus: Corpus, lines: tuple[int, ...]) -> Corpus:
    kept = [line for line in range(len(corpus)) if line not in lines]
    systems = {name: tuple(outputs[line] for line in kept) for name, outputs in corpus.systems.items()}
    return Corpus("less", tuple(corpus.sentences[line] for line in kept), systems)


@pytest.mark.parametrize("id", ["m2", "gleu", "imeasure", "sentm2", "bleu", "length"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_fewest_sentences_turn_the_order_when_scored_again(id: str, seed: int) -> None:
    corpus, metric = random_corpus(seed, sentences=12), create(id, {})
    column = score(corpus, [metric]).columns[0]
    found = fewest_sentences(metric_gap(column, "A", "B"), column)
    if found is None:
        return
    assert found.flips
    again = score(without(corpus, found.sentences), [metric]).columns[0].values
    assert (again["A"], again["B"]) == pytest.approx(found.after)
    one_less = score(without(corpus, found.sentences[:-1]), [metric]).columns[0].values
    assert order((one_less["A"], one_less["B"])) == order(found.before)


def test_level_systems_have_no_order_to_turn() -> None:
    corpus = Corpus("same", (sentence("a b", "a c"),), {"A": ("a c",), "B": ("a c",)})
    column = score(corpus, [create("m2", {})]).columns[0]
    assert fewest_sentences(metric_gap(column, "A", "B"), column) is None


def test_a_single_sentence_cannot_be_left_out() -> None:
    corpus = Corpus("one", (sentence("a b", "a c"),), {"A": ("a c",), "B": ("a b",)})
    column = score(corpus, [create("m2", {})]).columns[0]
    assert fewest_sentences(metric_gap(column, "A", "B"), column) is None


def test_without_a_group_texts_are_scored_again() -> None:
    corpus = Corpus(
        "groups",
        (sentence("he go home .", "he goes home ."), sentence("fine .", "fine .")),
        {"A": ("he goes home .", "fine ."), "B": ("he go to home .", "so fine .")},
    )
    texts = read_edits(corpus, ["A", "B"])
    edits = pair_edits(corpus, "A", "B", texts)
    metric = create("sentm2", {})
    values = score(corpus, [metric]).columns[0].values
    before = {metric.signature: (values["A"], values["B"])}
    (found,) = without_group(corpus, [metric], edits, texts, "fate", "missed", before=before)
    assert found.edits == (1, 0)
    changed = replace(corpus, systems={"A": ("he go home .", "fine ."), "B": corpus.systems["B"]})
    assert found.after == pytest.approx(tuple(score(changed, [metric]).columns[0].values.values()))
    assert not found.flips  # A still leads by leaving the second sentence alone


class Verdict(NamedTuple):
    sentence: int
    systems: tuple[str, ...]
    edit: Edit
    accepted: bool


def test_wrong_edits_that_people_accepted_count_as_right() -> None:
    corpus = Corpus(
        "verdicts",
        (sentence("he go home .", "he goes home ."), sentence("a big dogs", "a big dog")),
        {"A": ("he goes home .", "a big dogs"), "B": ("he went home .", "big dogs")},
    )
    texts = read_edits(corpus, ["A", "B"])
    edits = pair_edits(corpus, "A", "B", texts)
    verdicts = [
        Verdict(0, ("B",), Edit(1, 2, "went", "R:VERB:TENSE"), True),
        Verdict(0, ("B",), Edit(1, 2, "went"), True),
        Verdict(0, ("B",), Edit(1, 2, "went"), False),
        Verdict(1, ("B",), Edit(0, 1, ""), True),
        Verdict(0, ("A",), Edit(1, 2, "goes"), True),  # in a reference anyway
        Verdict(1, ("A",), Edit(2, 3, "dog"), False),
    ]
    accepted = accepted_edits(verdicts)
    assert accepted == {
        SystemOutput("B", 0): [Edit(1, 2, "went")],
        SystemOutput("B", 1): [Edit(0, 1, "")],
        SystemOutput("A", 0): [Edit(1, 2, "goes")],
    }
    metrics = [create(id, {}) for id in ("sentm2", "gleu", "length")]
    columns = score(corpus, metrics).columns
    before = {column.metric.signature: (column.values["A"], column.values["B"]) for column in columns}
    found = with_accepted(corpus, metrics, edits, texts, accepted, before=before)
    assert [each.side for each in found] == ["sentm2", "gleu"]  # the ratio of lengths has no reference
    assert all(each.edits == (0, 2) for each in found)
    assert found[0].before == pytest.approx((0.5, 0.0))
    assert found[0].flips
    by_hand = Corpus(
        "by hand",
        (
            sentence("he go home .", "he goes home .", "he went home ."),
            sentence("a big dogs", "a big dog", "big dog"),
        ),
        corpus.systems,
    )
    again = score(by_hand, metrics[:2]).columns
    for each, column in zip(found, again, strict=True):
        assert each.after == pytest.approx((column.values["A"], column.values["B"]))
    assert "counted as right, the order turns around" in told(found[0], "SentM²")


def test_without_accepted_wrong_edits_nothing_is_scored() -> None:
    corpus = random_corpus(2)
    texts = read_edits(corpus, ["A", "B"])
    edits = pair_edits(corpus, "A", "B", texts)
    assert with_accepted(corpus, [create("m2", {})], edits, texts, {}, before={}) == []


def test_people_change_sides_without_some_sentences() -> None:
    def prefers(line: int, *names: str) -> Judgment:
        return Judgment(line, "one", tuple(Ranked((name,), place) for place, name in enumerate(names, 1)))

    judgments = Judgments((prefers(0, "A", "B"), prefers(1, "A", "B"), prefers(2, "B", "A")))
    pairs = expanded(judgments)
    found = fewest_sentences(people_gap(pairs, rank(pairs, "ew"), "A", "B", sentences=3), None)
    assert found.sentences == (0,)
    assert found.after == (0.5, 0.5)
    assert found.flips


@pytest.mark.parametrize("id", ["m2", "gleu", "sentm2"])
@pytest.mark.parametrize("by", ["type", "fate", "operation", "length"])
def test_groups_of_all_systems_sum_to_their_distance_from_the_mean_system(id: str, by: Any) -> None:
    corpus = random_corpus(9, sentences=8)
    found = group_map(corpus, score(corpus, [create(id, {})]).columns[0], by)
    assert found.contributions.shape == (3, len(found.groups))
    assert found.residual < 1e-9
    if id != "gleu":
        assert found.rest == pytest.approx(np.zeros(3), abs=1e-12)


def test_a_comparison_tells_what_it_could_not_do() -> None:
    corpus = random_corpus(2)
    found = compare(corpus, "A", "B", [create("m2", {}), create("sentm2", {})], human=["ew"])
    assert [side.gap.side for side in found.sides] == ["m2", "sentm2"]
    assert "no judgments" in found.problems["ew"]
    assert len(found.words) >= 3
