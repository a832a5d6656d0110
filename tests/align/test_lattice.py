"""The edits that the MaxMatch lattice finds, on cases small enough to check by hand."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from maxmatch import original_edits

from gec_core.align import lattice, lattice_edges
from gec_core.align.edits import encode_gold
from gec_core.types import Annotation, Edit


def edits(
    source: str, hypothesis: str, *gold: Edit, max_unchanged: int = 2, most_nodes: int = lattice.MOST_NODES
) -> list[tuple[Any, Any, str, Any]]:
    """(start, end, correction, gold edits met) of each edit found, without unchanged words at its ends."""
    before, after = source.split(), hypothesis.split()
    encoded = encode_gold(before, after, [Annotation(0, gold)])
    rows, _ = lattice.best_edits(max_unchanged, most_nodes, *encoded)
    found = []
    for _, start, end, at, to, met in rows.tolist():
        while start < end and at < to and before[start] == after[at]:
            start, at = start + 1, at + 1
        while start < end and at < to and before[end - 1] == after[to - 1]:
            end, to = end - 1, to - 1
        found.append((start, end, " ".join(after[at:to]), met))
    return found


def test_equal_sentences_have_no_edits() -> None:
    assert edits("a b c", "a b c", Edit(1, 2, "x")) == []


def test_a_substitution_and_an_insertion() -> None:
    assert edits("a b c d e f", "a x c d e f y") == [(1, 2, "x", 0), (6, 6, "y", 0)]


def test_neighbouring_edits_are_joined_over_at_most_two_unchanged_words() -> None:
    assert edits("a b c d e", "x b c d y") == [(0, 1, "x", 0), (4, 5, "y", 0)]
    assert edits("a b c d", "x b c y") == [(0, 4, "x b c y", 0)]
    assert edits("a b c d", "x b c y", max_unchanged=1) == [(0, 1, "x", 0), (3, 4, "y", 0)]


def test_gold_edits_decide_how_much_is_joined() -> None:
    gold = Edit(0, 1, "x"), Edit(3, 4, "y")
    assert edits("a b c d", "x b c y", *gold) == [(0, 1, "x", 1), (3, 4, "y", 1)]
    assert edits("a b c d", "x b c y", Edit(0, 4, "x b c y")) == [(0, 4, "x b c y", 1)]


def test_the_gold_edit_of_figure_1() -> None:
    """(word -> a word) and (insert a) say the same; Felice and Briscoe (2015), Figure 1."""
    source, hypothesis = "You have missed word .", "You have missed a word ."
    assert edits(source, hypothesis, Edit(3, 4, "a word")) == [(3, 3, "a", 1)]
    assert edits(source, hypothesis, Edit(3, 3, "a")) == [(3, 3, "a", 1)]


def test_any_alternative_of_a_gold_edit_will_do() -> None:
    assert edits("a b", "a y", Edit(1, 2, "x", alternatives=("y", "z"))) == [(1, 2, "y", 1)]


def test_matching_is_case_sensitive() -> None:
    assert edits("a b", "a X", Edit(1, 2, "x")) == [(1, 2, "X", 0)]


def test_an_empty_hypothesis_deletes_everything() -> None:
    assert edits("a b", "", Edit(0, 2, "")) == [(0, 2, "", 1)]
    assert edits("", "a", Edit(0, 0, "a")) == [(0, 0, "a", 1)]
    assert edits("", "") == []


@pytest.mark.parametrize("most_nodes", [0, lattice.MOST_NODES])
def test_both_ways_through_the_lattice_agree(most_nodes: int) -> None:
    """The approximate search of large lattices gives the same on ordinary cases."""
    found = edits("a b c d e f", "x b c d d y z", Edit(0, 1, "x"), Edit(4, 4, "d"), most_nodes=most_nodes)
    assert found == [(0, 1, "x", 1), (4, 4, "d", 1), (4, 6, "y z", 0)]


@pytest.mark.parametrize("seed", range(60))
def test_random_cases_equal_the_original_procedure(seed: int) -> None:
    """Equal edits, ties included, for small alphabets, repeated words, overlapping gold edits and insertions."""
    random = Random(seed)
    source, hypothesis = (random.choices("abcdefg"[: random.randint(2, 7)], k=random.randint(0, 14)) for _ in range(2))
    gold = Annotation(
        0, tuple(sorted(random_edits(random, source, hypothesis), key=lambda edit: (edit.start, edit.end)))
    )
    max_unchanged = random.randint(0, 4)
    rows, exact = lattice.best_edits(max_unchanged, lattice.MOST_NODES, *encode_gold(source, hypothesis, [gold]))
    assert exact
    found = [(start, end, at, to) for _, start, end, at, to, _ in rows.tolist()]
    assert found == original_edits(source, hypothesis, gold.edits, max_unchanged)


def random_edits(random: Random, source: list[str], hypothesis: list[str]) -> Iterator[Edit]:
    for _ in range(random.randint(0, 6)):
        start, at = random.randint(0, len(source)), random.randint(0, len(hypothesis))
        end = min(len(source), start + random.choice([0, 0, 1, 1, 2]))
        words = hypothesis[at : at + random.randint(0, 2)]
        if words or end > start:
            yield Edit(start, end, " ".join(words))


def test_a_lattice_of_more_than_1500_nodes_equals_the_original_procedure() -> None:
    """Long texts that have little in common; two insertions at one place."""
    source, hypothesis = [f"s{index}" for index in range(40)], [f"h{index}" for index in range(41)]
    gold = Edit(3, 4, "h3"), Edit(10, 10, "h10"), Edit(10, 10, "h12"), Edit(20, 22, "h20 h21 h22")
    encoded = encode_gold(source, hypothesis, [Annotation(0, gold)])
    rows, exact = lattice.best_edits(2, lattice.MOST_NODES, *encoded)
    assert exact
    assert (lattice_edges.make_graph(encoded.source, encoded.hypothesis).number >= 0).sum() > 1500
    found = [(start, end, at, to) for _, start, end, at, to, _ in rows.tolist()]
    assert found == original_edits(source, hypothesis, gold, 2)


def test_unrelated_texts_of_400_tokens_stay_bounded() -> None:
    """An exact search would look at 12,800,000,000 pairs of nodes; the approximate one still finds the gold edit."""
    source, output = [f"s{index}" for index in range(400)], [f"h{index}" for index in range(400)]
    gold = [Annotation(0, (Edit(3, 4, "h3"),))]
    rows, complete = lattice.best_edits(2, lattice.MOST_NODES, *encode_gold(source, output, gold))
    assert not complete
    assert [0, 3, 4, 3, 4, 1] in rows.tolist()
