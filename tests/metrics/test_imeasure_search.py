"""Mixing corrections: clusters, lattices and the search for the best reference, beside going through them all."""

from collections.abc import Sequence
from itertools import product
from math import floor
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gec_core.align.edits import encode
from gec_core.align.threeway import align3
from gec_core.metrics import create
from gec_core.metrics.imeasure import search
from gec_core.metrics.imeasure.anchors import Cut, TokenSequences, anchors
from gec_core.metrics.imeasure.counts import best_choice, rates
from gec_core.metrics.imeasure.lattice import (
    Change,
    Slot,
    cluster,
    clusters_cleanly,
    first_correction,
    lattice,
    mixed_lattice,
    treebank_tokens,
)
from gec_core.metrics.imeasure.search import Search
from gec_core.types import Annotation, Edit, Pair, Sentence

LETTERS = "abcd"


@st.composite
def edits(draw: st.DrawFn, length: int) -> Edit:
    start = draw(st.integers(0, length))
    end = min(length, start + draw(st.integers(0, 3)))
    return Edit(start, end, " ".join(draw(st.lists(st.sampled_from(LETTERS), max_size=2))))


@st.composite
def sentences(draw: st.DrawFn, longest: int = 8) -> Sentence:
    """Short sentences of few words with overlapping edits by up to three annotators."""
    tokens = draw(st.lists(st.sampled_from(LETTERS), max_size=longest))
    annotators = draw(st.lists(st.lists(edits(len(tokens)), max_size=4), max_size=3))
    annotations = (Annotation(number, tuple(found)) for number, found in enumerate(annotators))
    return Sentence(" ".join(tokens), annotations=tuple(annotations))


def annotated(source: str, *gold: Sequence[Edit]) -> Sentence:
    return Sentence(source, annotations=tuple(Annotation(number, tuple(each)) for number, each in enumerate(gold)))


def all_references(sentence: Sentence) -> set[tuple[str, ...]]:
    """The original's way: every combination of alternatives, without equal spans, made from the end."""
    errors = []
    for group in cluster(sentence.annotations):
        ways: list[dict[Any, Any]] = [] if group.required else [{}]
        for annotation in group.alternatives:
            joined: dict[tuple[int, int], list[str]] = {}
            for edit in annotation.edits:
                joined.setdefault((edit.start, edit.end), []).extend(edit.correction.split())
            ways.append(joined)
        errors.append(ways)
    references = set()
    for choice in product(*errors):
        changes = {span: tokens for way in choice for span, tokens in way.items()}
        if len(changes) < sum(map(len, choice)):
            continue
        tokens = sentence.tokens
        for start, end in sorted(changes, reverse=True):
            changed = [*tokens[:start], *changes[start, end], *tokens[end:]]
            tokens = changed or tokens
        references.add(tuple(tokens))
    return references


def merit(source: Sequence[str], output: Sequence[str], reference: Sequence[str]) -> tuple[float, ...]:
    """What the original compares references by, written out again."""
    tp, tn, fp, fn, fpn = align3(source, output, reference).counts
    _, right, _, wrong, _ = align3(source, source, reference).counts
    base = right / (right + wrong) if right + wrong else 1.0
    key: list[float] = []
    for tp_, fp_, fn_, both in [(tp, fp, fn, fpn), (tp + fpn, fp - fpn, fn - fpn, 0)]:
        whole = 2 * (tp_ + fp_) + tn + fn_ - 1.5 * both
        wacc = (2 * tp_ + tn) / whole if whole else 1.0
        i = floor(wacc) if wacc == base else (wacc - base) / (1 - base) if wacc > base else wacc / base - 1
        columns = tp_ + tn + fp_ + fn_ - both
        key += [wacc, i, (tp_ + tn) / columns if columns else 1.0]
    return tuple(key)


def spoil(tokens: list[str], changes: Sequence[tuple[int, str]]) -> list[str]:
    """An output that is not quite this."""
    for place, token in changes:
        at = place % (len(tokens) + 1)
        tokens = [*tokens[:at], *([token] if token != "-" else []), *tokens[at + place % 2 :]]
    return tokens


@settings(max_examples=300)
@given(sentences())
@example(annotated("a a", [Edit(2, 2, "a b")], [], [Edit(1, 2, ""), Edit(0, 2, ""), Edit(0, 1, "a")]))
@example(annotated("c", [], [Edit(0, 1, "c b"), Edit(1, 1, "b")], [Edit(0, 1, "")]))
def test_a_lattice_has_the_references_that_the_original_makes(sentence: Sentence) -> None:
    references = all_references(sentence)
    assume(references)
    found = mixed_lattice(sentence, first_correction)
    assert set(found.write_out(0, len(found.source))) == references


@settings(max_examples=400, deadline=None)
@given(
    sentences(longest=12),
    st.integers(0, 99),
    st.lists(st.tuples(st.integers(0, 99), st.sampled_from([*LETTERS, "z", "-"])), max_size=3),
)
def test_the_best_mixed_reference_is_the_best_of_all(sentence: Sentence, start: Any, changes: Any) -> None:
    references = sorted(all_references(sentence))
    assume(references)
    source = sentence.tokens
    output = spoil([source, *map(list, references)][start % (len(references) + 1)], changes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "FEW", 0)  # look for anchors, however small it is
        found = Search(mixed_lattice(sentence, first_correction)).best(output)
    assert found.reference in references
    assert merit(source, output, found.reference) == max(merit(source, output, each) for each in references)
    baseline = align3(source, source, found.reference).counts
    assert found.counts == (*align3(source, output, found.reference).counts, baseline[1], baseline[3])


@settings(max_examples=200, deadline=None)
@given(sentences(), st.lists(st.sampled_from(LETTERS), max_size=8))
def test_mixing_never_lowers_weighted_accuracy(sentence: Sentence, output: str) -> None:
    """But for edits of one annotator with the same span, which the original may drop."""
    for annotation in sentence.annotations:
        assume(len({(edit.start, edit.end) for edit in annotation.edits}) == len(annotation.edits))
    pair = Pair(sentence, " ".join(output))
    own, mixed = (
        rates(np.array(create("imeasure", {"mode": mode}).statistics([pair]))[:, :7], "correction").wacc
        for mode in ("nomix", "mix")
    )
    assert mixed >= own


def test_many_optional_errors_are_mixed_at_once() -> None:
    source = [f"{word}{number}" for number in range(40) for word in ("wrong", "kept", "too")]
    gold = [
        [Edit(3 * number, 3 * number + 1, f"right{number}") for number in range(annotator, 40, 2)]
        for annotator in range(2)
    ]
    output = [token.replace("wrong", "right") if number % 4 else token for number, token in enumerate(source)]
    sentence = annotated(" ".join(source), *gold)
    mixed = mixed_lattice(sentence, first_correction)
    assert mixed.size == 2**40
    assert Search(mixed).best(output).reference == tuple(output)


def test_a_token_that_may_stand_in_two_places_is_no_anchor() -> None:
    source, hypothesis = encode(["a", "b", "c"], ["a", "a", "b", "c"])
    cuts = [Cut(0, 0), Cut(1, 2), Cut(2, 3)]

    def unchanged(start: int, end: int) -> TokenSequences:
        return TokenSequences(source[start:end], np.array([0, end - start]))

    assert anchors(source, hypothesis, cuts, unchanged) == cuts[1:]


def test_a_token_is_no_anchor_if_one_reference_has_it_elsewhere() -> None:
    source, hypothesis = encode(["a", "b", "c"], ["a", "b", "c"])

    def maybe_inserted(start: int, end: int) -> TokenSequences:
        kept = source[start:end]
        if start > 0:
            return TokenSequences(kept, np.array([0, len(kept)]))
        return TokenSequences(
            np.concatenate([kept, source[1:2], kept]), np.array([0, len(kept) + 1, 2 * len(kept) + 1])
        )

    cuts = [Cut(1, 1), Cut(2, 2)]
    assert anchors(source, hypothesis, cuts, maybe_inserted) == [Cut(2, 2)]


@given(
    st.lists(
        st.lists(st.tuples(*[st.integers(0, 3)] * 4, st.just(0), *[st.integers(0, 3)] * 2), min_size=1, max_size=3),
        min_size=1,
        max_size=4,
    )
)
def test_the_best_sum_is_the_best_of_all_sums(rows: Any) -> None:
    def accuracy(row: Sequence[int]) -> tuple[float, ...]:
        found = [rates(np.array(row), aspect) for aspect in ("correction", "detection")]
        return tuple(float(rate) for each in found for rate in (each.wacc, each.i, each.acc))

    rows = [[(1, 0, 0, 0, 0, 1, 0)], *rows]
    counts, choice = best_choice([{row: index for index, row in reversed([*enumerate(part)])} for part in rows])
    sums = [tuple(map(sum, zip(*parts, strict=True))) for parts in product(*rows)]
    assert accuracy(counts) == max(map(accuracy, sums))
    assert counts == tuple(map(sum, zip(*(part[index] for part, index in zip(rows, choice, strict=True)), strict=True)))


def test_overlapping_edits_are_alternatives_of_one_error() -> None:
    wide, inside, insertion, apart = Edit(1, 4, "x"), Edit(2, 3, "y"), Edit(2, 2, "z"), Edit(4, 4, "w")
    found = cluster([Annotation(0, (wide,)), Annotation(1, (inside, insertion, apart))])
    assert [[each.edits for each in error.alternatives] for error in found] == [
        [(wide,), (inside, insertion)],
        [(apart,)],
    ]
    assert [error.required for error in found] == [True, False]


def test_insertions_overlap_only_at_the_same_place_or_strictly_inside() -> None:
    first, second, before = Edit(2, 2, "a"), Edit(2, 2, "b"), Edit(1, 2, "c")
    found = cluster([Annotation(0, (first, before)), Annotation(1, (second,)), Annotation(2)])
    assert [[each.edits for each in error.alternatives] for error in found] == [[(before,)], [(first,), (second,)]]
    assert not any(error.required for error in found)


def test_corrections_of_one_span_by_one_annotator_are_joined() -> None:
    sentence = annotated("a b", [Edit(1, 1, "x"), Edit(1, 1, "y")])
    assert mixed_lattice(sentence, first_correction).slots == (Slot(1, 1, (("x", "y"),)),)


def test_a_combination_with_equal_spans_is_dropped() -> None:
    one, other = [(), (Change(1, 2, ("x",)),)], [(), (Change(1, 2, ("y",)),)]
    (slot,) = lattice(["a", "b", "c"], [one, other]).slots
    assert set(slot.alternatives) == {("b",), ("x",), ("y",)}


def test_when_all_combinations_have_equal_spans_the_source_is_left() -> None:
    assert lattice(["a", "b"], [[(Change(1, 2, ("x",)),)], [(Change(1, 2, ("y",)),)]]).slots == ()


def test_an_edit_that_would_leave_nothing_is_not_made() -> None:
    found = lattice(["a", "b"], [[(), (Change(0, 1, ()),)], [(), (Change(1, 2, ()),)]])
    assert set(found.write_out(0, 2)) == {("a", "b"), ("a",), ("b",)}


@pytest.mark.parametrize(
    ("gold", "clean"),
    [
        ([[], []], True),
        ([[Edit(0, 1, "x")], [Edit(0, 1, "y")]], True),
        ([[Edit(0, 1, "x"), Edit(2, 3, "y")], [Edit(0, 1, "y")]], True),
        ([[Edit(0, 1, "x")], [Edit(1, 2, "y")]], False),
        ([[Edit(0, 2, "x")], [Edit(0, 1, "y"), Edit(1, 2, "y")]], False),
    ],
    ids=["no edits", "one error", "one annotator's own error", "each has their own error", "two edits in an error"],
)
def test_clean_clusters_need_no_human_knowledge(gold: list[list[Edit]], clean: bool) -> None:
    assert clusters_cleanly(annotated("a b c", *gold)) is clean


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ""),
        ("has gone", "has gone"),
        ("known,the", "known , the"),
        ("on a common dilemma.", "on a common dilemma ."),
        ("1,000 at 3:15", "1,000 at 3:15"),
        ("the U.S. economy", "the U.S. economy"),
        ("friends ' activity", "friends ' activity"),
        ("it's John's; they don't", "it 's John 's ; they do n't"),
        ('he said "yes" (twice)', "he said `` yes '' ( twice )"),
        ("cannot wait...", "can not wait ..."),
    ],
)
def test_treebank_tokens(text: str, tokens: str) -> None:
    assert treebank_tokens(text) == tokens.split()
