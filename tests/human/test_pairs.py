from itertools import groupby
from typing import Any

import numpy as np
import pytest
import released
from conftest import GOLDEN, needs_conll14

from gec_core.errors import CorpusError, ScoreError
from gec_core.human import expanded, unexpanded
from gec_core.human.pairs import Pairs, from_scores
from gec_core.types import Judgment, Judgments, Ranked

JUDGMENTS = Judgments(
    (
        Judgment(7, "ann", (Ranked(("C",), 2), Ranked(("A", "D"), 1), Ranked(("B",), 2))),
        Judgment(8, "bob", ()),
        Judgment(9, "ann", (Ranked(("D", "B"), 3),)),
    )
)


def listed(pairs: Pairs) -> list[tuple[int, int, str, str, str, int]]:
    """The pairs in the shape of the released CSV files."""
    return [
        (item + 1, sentence, pairs.judges[judge], pairs.systems[first], pairs.systems[second], relation)
        for item, sentence, judge, first, second, relation in zip(
            *(getattr(pairs, name).tolist() for name in ("item", "sentence", "judge", "first", "second", "relation")),
            strict=True,
        )
    ]


def test_expanded_pairs_every_two_systems_of_an_item() -> None:
    pairs = expanded(JUDGMENTS)
    assert listed(pairs) == [
        (1, 7, "ann", "A", "B", -1),
        (1, 7, "ann", "A", "C", -1),
        (1, 7, "ann", "A", "D", 0),
        (1, 7, "ann", "B", "C", 0),
        (1, 7, "ann", "B", "D", 1),
        (1, 7, "ann", "C", "D", 1),
        (3, 9, "ann", "B", "D", 0),
    ]
    assert pairs.identical.tolist() == [False, False, True, False, False, False, True]
    assert (len(pairs), pairs.ties, pairs.items) == (7, 3, 3)


def test_unexpanded_takes_the_first_system_of_a_place() -> None:
    assert listed(unexpanded(JUDGMENTS)) == [
        (1, 7, "ann", "A", "B", -1),
        (1, 7, "ann", "A", "C", -1),
        (1, 7, "ann", "B", "C", 0),
    ]


def test_unexpanded_with_a_seed_draws_the_system_of_a_place() -> None:
    drawn = {tuple(listed(unexpanded(JUDGMENTS, seed=seed))[0]) for seed in range(20)}
    assert drawn == {(1, 7, "ann", "A", "B", -1), (1, 7, "ann", "B", "C", 0)}
    assert listed(unexpanded(JUDGMENTS, seed=3)) == listed(unexpanded(JUDGMENTS, seed=3))


def test_no_judgments_give_no_pairs() -> None:
    assert len(expanded(Judgments(()))) == 0
    assert len(unexpanded(Judgments((Judgment(0, "ann", ()),)))) == 0


def test_a_system_ranked_twice_in_an_item_is_named() -> None:
    twice = Judgments((Judgment(4, "ann", (Ranked(("A", "B"), 1), Ranked(("B",), 2))),))
    with pytest.raises(CorpusError, match=r"Judgment 1 \(of ann, sentence 5\) ranks B more than once"):
        expanded(twice)


def test_pairs_among_some_systems() -> None:
    assert listed(expanded(JUDGMENTS).among(["B", "D"])) == [(1, 7, "ann", "B", "D", 1), (3, 9, "ann", "B", "D", 0)]


def test_a_place_is_represented_by_a_system_that_is_among_those_chosen() -> None:
    """A and D share an output: without A, D stands for it, and nothing is lost."""
    assert listed(unexpanded(JUDGMENTS).among("BCD")) == [(1, 7, "ann", "B", "C", 0)]
    assert listed(unexpanded(JUDGMENTS.among("BCD"))) == [
        (1, 7, "ann", "B", "C", 0),
        (1, 7, "ann", "B", "D", 1),
        (1, 7, "ann", "C", "D", 1),
    ]
    assert listed(expanded(JUDGMENTS.among("BD"))) == listed(expanded(JUDGMENTS).among("BD"))
    assert len(JUDGMENTS.among("X").items) == 3


def test_pairs_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        expanded(JUDGMENTS).relation[0] = 1


def test_a_metric_judges_every_sentence() -> None:
    pairs = from_scores({"B": [0.5, 1.0], "A": [0.5, 2.0], "C": [0.9, 1.0]})
    assert listed(pairs) == [
        (1, 0, "metric", "A", "B", 0),
        (1, 0, "metric", "A", "C", 1),
        (1, 0, "metric", "B", "C", 1),
        (2, 1, "metric", "A", "B", -1),
        (2, 1, "metric", "A", "C", -1),
        (2, 1, "metric", "B", "C", 0),
    ]


def test_infinite_scores_compare_and_missing_ones_do_not() -> None:
    assert from_scores({"A": [np.inf], "B": [np.inf]}).relation.tolist() == [0]
    with pytest.raises(ScoreError, match=r"B: sentence 2 has no score"):
        from_scores({"A": [1.0, 1.0], "B": [1.0, np.nan]})
    with pytest.raises(ScoreError, match="different numbers of sentence scores: 1, 2"):
        from_scores({"A": [1.0], "B": [1.0, 2.0]})


@needs_conll14
def test_pair_counts_of_conll14_by_judge() -> None:
    judgments = released.judgments()
    for row in released.rows(GOLDEN / "pair_counts.tsv"):
        mine = judgments if row["judge"] == "Total" else judgments.by([f"annotator0{row['judge']}"])
        every, some = expanded(mine), unexpanded(mine)
        found = [len(mine.items), len(some), some.ties, len(every), every.ties]
        columns = ("items", "unexpanded", "unexpanded_ties", "expanded", "expanded_ties")
        assert found == [int(row[column]) for column in columns], row["judge"]


@needs_conll14
def test_expanded_pairs_of_conll14_are_the_released_ones() -> None:
    assert listed(expanded(released.judgments())) == released.pairs_csv("expanded")


@needs_conll14
def test_unexpanded_pairs_of_conll14_are_the_released_ones_but_for_the_representatives() -> None:
    judgments = released.judgments()
    first_named = {
        (number, name): place.systems[0]
        for number, item in enumerate(judgments.items, start=1)
        for place in item.ranked
        for name in place.systems
    }

    def with_first_named(row: Any) -> tuple[Any, Any, Any, str, str, Any]:
        number, sentence, judge, one, other, relation = row
        one, other = first_named[number, one], first_named[number, other]
        return (number, sentence, judge, *((one, other, relation) if one < other else (other, one, -relation)))

    theirs = [
        row
        for _, item in groupby(released.pairs_csv("unexpanded"), key=lambda row: row[0])
        for row in sorted(map(with_first_named, item))
    ]
    assert listed(unexpanded(judgments)) == theirs
