"""ERRANT's edits: small cases by hand, and the same as the official package everywhere else."""

import random
from pathlib import Path
from typing import Any

import pytest
from conftest import needs_conll14
from errant_cases import needs_errant
from hypothesis import given, settings
from hypothesis import strategies as st

from gec_core.align import errant_edits
from gec_core.align.edits import apply_edits
from gec_core.align.errant_edits import TextPair, edit_types, edits_of
from gec_core.align.errant_pipeline import load
from gec_core.store import Store
from gec_core.types import Corpus, Edit

pytestmark = needs_errant

WORDS = ["the", "The", "a", "cat", "cats", "CAT", "sat", "sit", "sitting", "on", "in", "to", "mat", "'s", "-", ",", "."]
sentences = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("He go home .", "He go home .", ()),
        ("He go home .", "He goes home .", (Edit(1, 2, "goes", "R:VERB:SVA"),)),
        ("I saw cat .", "I saw the cat .", (Edit(2, 2, "the", "M:DET"),)),
        ("I saw the this cat .", "I saw this cat .", (Edit(2, 3, "", "U:DET"),)),
        ("Two dog bark .", "Two dogs bark .", (Edit(1, 2, "dogs", "R:NOUN:NUM"),)),
        ("i like it .", "I like it .", (Edit(0, 1, "I", "R:ORTH"),)),
        ("He only has one .", "He has only one .", (Edit(1, 3, "has only", "R:WO"),)),
        ("It is fine .", "", (Edit(0, 4, "", "U:OTHER"),)),
    ],
)
def test_by_hand(source: str, output: str, expected: tuple[Edit, ...]) -> None:
    assert edit_types(source, output) == expected


def test_white_space_is_no_edit() -> None:
    assert edit_types("He  goes home . ", "He goes home .") == ()


def test_an_empty_source() -> None:
    (edit,) = edit_types("", "Fine .")
    assert (edit.start, edit.end, edit.correction) == (0, 0, "Fine .")


def official(source: str, output: str) -> tuple[Edit, ...]:
    """What the package gives when sentences are parsed and aligned one by one, as its commands do."""
    annotator = load()
    edits = annotator.annotate(annotator.parse(source), annotator.parse(output))
    return tuple(
        Edit(edit.o_start, edit.o_end, " ".join(token.text for token in edit.c_toks), edit.type) for edit in edits
    )


@settings(deadline=None, max_examples=150)
@given(sentences, sentences)
def test_the_alignment_is_the_official_one(source: str, output: str) -> None:
    """Case, lemmas, reorderings: words are chosen so that everything that has a cost of its own comes up."""
    from gec_core.align.errant_alignment import TRANSPOSE, align
    from gec_core.align.errant_pipeline import parse, tokens

    docs = parse([source, output])
    steps = align(tokens(docs[source]), tokens(docs[output])).tolist()
    theirs = [step for step, *_ in load().align(docs[source], docs[output]).align_seq]
    assert ["MSID"[step] if step < 4 else f"T{step - TRANSPOSE}" for step in steps] == theirs


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(sentences, sentences), max_size=5))
def test_edits_are_the_official_ones_and_lead_to_the_output(pairs: Any) -> None:
    for pair, edits in edits_of(TextPair(*pair) for pair in pairs).items():
        assert apply_edits(pair.source, edits) == pair.output
        if pair.source != pair.output:
            assert edits == official(pair.source, pair.output)


@needs_conll14
def test_edits_of_real_outputs_are_the_official_ones(conll14: Corpus) -> None:
    changed = sorted(
        {
            TextPair(sentence.source, outputs[line])
            for outputs in conll14.systems.values()
            for line, sentence in enumerate(conll14.sentences)
            if outputs[line] != sentence.source
        }
    )
    assert len(changed) == 6123
    sample = random.Random(5).sample(changed, 120)
    found = edits_of(sample)
    assert [found[pair] for pair in sample] == [official(*pair) for pair in sample]


def test_what_the_store_has_needs_no_pipeline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "scores.sqlite")
    pairs = [TextPair("Two dog bark .", "Two dogs bark ."), TextPair("a b", "a b")]
    first = edits_of(pairs, store)
    monkeypatch.setattr(errant_edits, "load", lambda: pytest.fail("the pipeline was loaded"))
    assert edits_of(pairs, store) == first
    assert first[pairs[0]] == (Edit(1, 2, "dogs", "R:NOUN:NUM"),)


@pytest.mark.parametrize("output", [[f"h{index}" for index in range(400)], [f"s{index}" for index in range(400)][::-1]])
def test_long_and_unrelated_sentences(output: list[str]) -> None:
    """The rules of the official package take hours for these."""
    source = " ".join(f"s{index}" for index in range(400))
    assert apply_edits(source, edit_types(source, " ".join(output))) == " ".join(output)
