"""Gold edits of several annotators, mixed for M2."""

from typing import Any

from conftest import sentence
from paper_examples import MACHINES, MACHINES_GOLD

from gec_core.metrics.base import Metric
from gec_core.metrics.m2 import M2
from gec_core.papers.variants import mixed
from gec_core.scoring import score
from gec_core.scoring.table import MetricScores
from gec_core.types import Corpus, Edit


def scored(corpus: Corpus, metric: Metric) -> MetricScores:
    return score(corpus, [metric], workers=1).columns[0]


def mix(source: str, gold: tuple[tuple[Edit, ...], ...] | list[list[Edit]], *outputs: str) -> Corpus:
    systems = {f"s{number}": (output,) for number, output in enumerate(outputs)}
    return mixed(Corpus("one", (sentence(source, source, gold=gold),), systems), scored)


def corrections(corpus: Corpus) -> list[tuple[Any, ...]]:
    (only,) = corpus.sentences
    return [tuple(edit.correction for edit in annotation.edits) for annotation in only.annotations]


def test_corrections_of_both_annotators_count() -> None:
    """Table 1 of Felice and Briscoe: 0.67 without mixing."""
    output = "These machines are designed to help people ."
    details = scored(mix(MACHINES, MACHINES_GOLD, output), M2()).systems["s0"].score.details
    assert (details["correct"], details["proposed"], details["gold"]) == (3, 3, 3)


def test_optional_errors_that_no_output_corrects_are_left_out() -> None:
    found = mix(MACHINES, MACHINES_GOLD, "These machines is designed for help people .", MACHINES)
    assert corrections(found) == [(), ("These",)]


def test_required_errors_keep_one_correction_for_all_that_nobody_makes() -> None:
    gold = [[Edit(0, 1, "x")], [Edit(0, 1, "y")], [Edit(0, 1, "z")]]
    assert corrections(mix("a b", gold, "z b")) == [("z",), ("x",)]
    assert corrections(mix("a b", gold, "a b")) == [("x",)]


def test_every_system_has_its_best_combination() -> None:
    gold = [[Edit(0, 1, "A"), Edit(2, 3, "C")], [Edit(0, 1, "X"), Edit(2, 3, "Z")]]
    found = scored(mix("a b c", gold, "A b Z", "X b C", "A b C"), M2())
    assert set(found.values.values()) == {1.0}


def test_sentences_without_edits_stay_as_they_are() -> None:
    assert corrections(mix("a b", [[], []], "a c")) == [()]
