"""The three-way alignment: the papers' examples, a slow and plain implementation, and the worst case."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gec_core.align import threeway
from gec_core.align.edits import encode
from gec_core.align.threeway import Alignment, Column, align3, fill, fits, tally, walk
from gec_core.align.threeway_band import band

MOVES = [(1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
words = st.lists(st.sampled_from("abc"), max_size=5)


def columns(source: str, hypothesis: str, reference: str) -> tuple[Column, ...]:
    """Columns as a paper prints them, `-` being a gap."""
    rows = [[None if token == "-" else token for token in row.split()] for row in (source, hypothesis, reference)]
    return tuple(map(Column, *rows))


def plain_align3(source: list[str], hypothesis: list[str], reference: list[str]) -> tuple[Column, ...]:
    """The definition, read from the end: the first move in the order of preference that is cheapest."""
    tokens = (source, hypothesis, reference)

    def before(cell: tuple[int, ...], move: tuple[int, ...]) -> tuple[tuple[int, ...], Column] | None:
        if any(go > at for go, at in zip(move, cell, strict=True)):
            return None
        shown = (row[at - 1] if go else None for row, go, at in zip(tokens, move, cell, strict=True))
        return tuple(at - go for go, at in zip(move, cell, strict=True)), Column(*shown)

    @cache
    def last(cell: tuple[int, ...]) -> tuple[int, Column | None, tuple[int, ...]]:
        if not any(cell):
            return 0, None, cell
        ways = [way for move in MOVES if (way := before(cell, move))]
        return min(((last(there)[0] + column.cost, column, there) for there, column in ways), key=lambda way: way[0])

    cell, found = tuple(map(len, tokens)), []
    while any(cell):
        _, column, cell = last(cell)
        found.append(column)
    return tuple(found[::-1])  # type: ignore[arg-type]


def distance(one: list[str], other: list[str]) -> int:
    """The cheapest alignment of two sequences."""
    costs = {(0, 0): 0}
    for i in range(len(one) + 1):
        for j in range(len(other) + 1):
            ways = [costs[i - 1, j] + 2] if i else []
            ways += [costs[i, j - 1] + 2] if j else []
            ways += [costs[i - 1, j - 1] + 3 * (one[i - 1] != other[j - 1])] if i and j else []
            costs[i, j] = min(ways, default=0)
    return costs[len(one), len(other)]


@pytest.mark.parametrize(
    ("shown", "detection", "correction"),
    [
        ("a a a", "TN", "TN"),
        ("a a b", "FN", "FN"),
        ("a a -", "FN", "FN"),
        ("a b a", "FP", "FP"),
        ("a b b", "TP", "TP"),
        ("a b c", "TP", "FPN"),
        ("a b -", "TP", "FPN"),
        ("a - a", "FP", "FP"),
        ("a - b", "TP", "FPN"),
        ("a - -", "TP", "TP"),
        ("- a a", "TP", "TP"),
        ("- a b", "TP", "FPN"),
        ("- a -", "FP", "FP"),
        ("- - a", "FN", "FN"),
    ],
)
def test_table_6_of_felice_and_briscoe(shown: str, detection: str, correction: str) -> None:
    (column,) = columns(*shown.split())
    assert (column.detection, column.correction) == (detection, correction)
    tokens = [[] if token == "-" else [token] for token in shown.split()]
    counts = tally(*encode(*tokens), np.array([[0, len(tokens[0]), 0, len(tokens[1]), 0, len(tokens[2])]]))  # type: ignore[arg-type, call-arg]
    assert tuple(counts[0]) == Alignment((column,)).counts


def test_gaps_are_kept_together_as_in_table_4() -> None:
    unaligned, aligned = columns("A B", "- C", "A -"), columns("A B", "C -", "A -")
    assert Alignment(aligned).cost < Alignment(unaligned).cost
    assert align3(["A", "B"], ["C"], ["A"]).columns == aligned


def test_table_5_has_alignments_of_the_same_cost_and_counts() -> None:
    source = "Their is wide spread usage of technology ."
    printed = [
        columns(source, *["There is widespread use - of technology ."] * 2),
        columns(source, *["There is widespread - use of technology ."] * 2),
    ]
    target = "There is widespread use of technology ."
    found = align3(source.split(), target.split(), target.split())
    for alignment in map(Alignment, printed):
        assert (alignment.cost, alignment.counts) == (found.cost, found.counts) == (22, (4, 4, 0, 0, 0))


def test_table_1_of_chollampatt_and_ng() -> None:
    printed = columns(
        "Thus , advice from - hospital plays the important role for this .",
        "Thus , advice from - hospital plays an important role for this .",
        "Thus , advice from the hospital plays an important role in this .",
    )
    found = align3(*([column[row] for column in printed if column[row]] for row in range(3)))  # type: ignore[arg-type]
    assert found.columns == printed
    assert found.counts == (1, 10, 0, 2, 0)


def test_cheapest_alignments_may_differ_in_their_counts_and_replacements_are_preferred() -> None:
    kept, replaced = (
        columns("a b c x - - -", "a b c x - - -", "- - - x d e f"),
        columns("a b c x", "a b c x", "x d e f"),
    )
    assert Alignment(kept).cost == Alignment(replaced).cost == 24
    assert Alignment(kept).counts != Alignment(replaced).counts
    assert align3([*"abcx"], [*"abcx"], [*"xdef"]).columns == replaced


@given(words, words, words)
def test_it_is_the_alignment_that_the_definition_says(
    source: list[str], hypothesis: list[str], reference: list[str]
) -> None:
    found = align3(source, hypothesis, reference)
    assert found.columns == plain_align3(source, hypothesis, reference)
    boxes = np.array([[0, len(source), 0, len(hypothesis), 0, len(reference)]])
    assert tuple(tally(*encode(source, hypothesis, reference), boxes)[0]) == found.counts  # type: ignore[arg-type, call-arg]


longer = st.lists(st.sampled_from("abcd"), max_size=12)


@given(longer, longer, longer)
def test_cells_that_are_left_out_do_not_matter(source: list[str], hypothesis: list[str], reference: list[str]) -> None:
    """The same way back through the cube, whether all of it is filled or only what a cheapest alignment can meet."""
    tokens = encode(source, hypothesis, reference)
    assert way_back(tokens, narrow=True) == way_back(tokens, narrow=False)


def way_back(tokens: Any, *, narrow: bool) -> Any:
    cube = np.full([len(each) + 1 for each in tokens], 255, np.uint8)
    fill(*tokens, cube, narrow)  # type: ignore[call-arg]
    return walk(cube).tolist()


@pytest.mark.parametrize("moved", [9, 16, 30])
def test_cells_far_from_the_diagonal_are_found_where_they_matter(moved: int) -> None:
    """The first words stand last in the one text, and the last ones first in the other."""
    source = [f"w{number}" for number in range(45)]
    tokens = encode(source, source[moved:] + source[:moved], source[-moved:] + source[:-moved])
    assert way_back(tokens, narrow=True) == way_back(tokens, narrow=False)


def test_of_similar_texts_few_cells_matter() -> None:
    source = [f"w{number}" for number in range(60)]
    hypothesis, reference = [*source[:20], "x", *source[21:]], [*source[:40], "y", *source[40:]]
    rows, by_source, by_hypothesis = band(*encode(source, hypothesis, reference), True)  # type: ignore[arg-type, call-arg]
    cells = sum(
        max(0, min(by_source[i, 1], by_hypothesis[j, 1]) - max(by_source[i, 0], by_hypothesis[j, 0]))
        for i in range(61)
        for j in range(*rows[i])
    )
    assert cells < 500
    assert align3(source, hypothesis, reference).counts == (0, 59, 1, 1, 0)


@given(words, words)
def test_with_two_equal_sequences_it_is_the_alignment_of_two(one: list[str], other: list[str]) -> None:
    for three in [(one, one, other), (one, other, one), (other, one, one)]:
        assert align3(*three).cost == 2 * distance(one, other)


def test_boxes_are_aligned_on_their_own() -> None:
    source, hypothesis, reference = [*"abcab"], [*"accb"], [*"bcaa"]
    counts = tally(*encode(source, hypothesis, reference), np.array([[0, 2, 0, 1, 0, 2], [2, 5, 1, 4, 2, 3]]))  # type: ignore[arg-type, call-arg]
    assert [tuple(row) for row in counts] == [
        align3(source[:2], hypothesis[:1], reference[:2]).counts,
        align3(source[2:], hypothesis[1:], reference[2:3]).counts,
    ]


@given(words, words, words)
def test_a_star_has_all_tokens_and_costs_no_less(
    source: list[str], hypothesis: list[str], reference: list[str]
) -> None:
    exact = align3(source, hypothesis, reference)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threeway, "CELL_LIMIT", 0)
        star = align3(source, hypothesis, reference)
    assert (exact.method, star.method) == ("exact", "star")
    assert star.cost >= exact.cost
    for row, tokens in enumerate((source, hypothesis, reference)):
        assert [column[row] for column in star.columns if column[row] is not None] == tokens
    assert all(any(column) for column in star.columns)


def test_400_unrelated_tokens_are_aligned_exactly() -> None:
    random = np.random.default_rng(0)
    three = [[f"{name}{number}" for number in random.integers(0, 9999, 400)] for name in "aab"]
    assert align3(*three).method == "exact"  # 64 million cells: in a loop that is not compiled, this does not end


def test_thousands_of_tokens_are_joined_at_the_source() -> None:
    assert not fits(2000, 2000, 2000)
    tokens = [str(number) for number in range(2000)]
    alignment = align3(tokens, [*tokens[:1000], "new", *tokens[1000:]], tokens[1:])
    assert alignment.method == "star"
    assert alignment.counts == (0, 1999, 1, 1, 0)
