"""A guess beside judges and metrics, small enough to be checked by hand."""

from typing import Any

import pytest
from _pytest.approx import Approx

from gec_core.meta.guess import (
    GuessAgreement,
    agreement,
    by_judges,
    by_scores,
    judged_outputs,
    judged_sentences,
    wins,
)
from gec_core.types import Corpus, Judgment, Judgments, Ranked, Sentence

GUESS = {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize(
    ("scores", "expected", "tau"),
    [
        ({"a": 3, "b": 2, "c": 1}, GuessAgreement(3, 0, 0), 1),
        ({"a": 1, "b": 2, "c": 3}, GuessAgreement(0, 3, 0), -1),
        ({"a": 3, "b": 1, "c": 2}, GuessAgreement(2, 1, 0), pytest.approx(1 / 3)),
        ({"a": 2, "b": 2, "c": 1}, GuessAgreement(2, 0, 1), 1),
        ({"a": 1, "b": 1, "c": 1}, GuessAgreement(0, 0, 3), None),
    ],
)
def test_pairs_are_ordered_alike_or_not(
    scores: dict[str, int], expected: GuessAgreement, tau: int | Approx[float] | None
) -> None:
    found = agreement(GUESS, by_scores(scores))
    assert found == expected
    assert found.tau == tau


def test_a_guess_may_tie() -> None:
    assert agreement({"a": 1, "b": 1, "c": 2}, by_scores({"a": 1, "b": 2, "c": 3})) == GuessAgreement(0, 2, 0)


def test_tallies_add_up() -> None:
    assert GuessAgreement(1, 2, 3) + GuessAgreement(4, 0, 1) == GuessAgreement(5, 2, 4)


def judged(*rankings: Any) -> Judgments:
    items = tuple(
        Judgment(0, f"judge {number}", tuple(Ranked(systems, rank) for systems, rank in ranking))
        for number, ranking in enumerate(rankings)
    )
    return Judgments(items)


def test_judges_speak_by_majority() -> None:
    """Two prefer A to B, one B to A; A and C are one each; nobody compared B and C."""
    judgments = judged(
        [(("A",), 1), (("B",), 2)],
        [(("A",), 1), (("B",), 2)],
        [(("A",), 2), (("B",), 1)],
        [(("A",), 1), (("C",), 2)],
        [(("A",), 2), (("C",), 1)],
    )
    preference = by_judges(judgments, 0, {"a": ["A"], "b": ["B"], "c": ["C"]})
    assert preference("a", "b") == 1
    assert preference("a", "c") == 0
    assert preference("b", "c") is None
    assert agreement(GUESS, preference) == GuessAgreement(1, 0, 1)
    assert wins(list(GUESS), preference) == {"a": 1, "b": -1, "c": 0}


def test_sentences_and_outputs_to_guess() -> None:
    judgments = judged([(("A", "D"), 1), (("B",), 2), (("C",), 3)], [(("A",), 1), (("B",), 2)])
    outputs = {"A": ("x",), "B": ("y",), "C": ("z",), "D": ("x",), "E": ("w",)}
    corpus = Corpus("c", (Sentence("s"),), outputs, judgments)
    assert judged_sentences(corpus) == [0]
    assert judged_outputs(corpus, 0) == {"x": ("A", "D"), "y": ("B",), "z": ("C",)}
    nobody = Corpus("c", (Sentence("s"),), outputs)
    assert judged_sentences(nobody) == []
    assert judged_outputs(nobody, 0) == {}
