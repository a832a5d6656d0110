"""Corpora from files and typed text; references derived from gold edits and back."""

import pytest
from conftest import CONLL14, needs_conll14

from gec_core.align.edits import apply_edits
from gec_core.corpora import m2
from gec_core.corpora.assemble import (
    MOST_TOKENS,
    gold_from_references,
    references_from_gold,
    typed_corpus,
    typed_sentence,
)
from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError
from gec_core.types import Annotation, Edit, Sentence


def test_one_reference_an_annotator_of_the_corpus() -> None:
    both = Sentence("a b", annotations=(Annotation(0, (Edit(0, 1, "x"),)), Annotation(1, (Edit(1, 2, ""),))))
    assert references_from_gold([both]) == [("x b", "a")]


def test_who_did_not_see_a_sentence_repeats_its_first_annotator() -> None:
    both = Sentence("a b", annotations=(Annotation(0), Annotation(2, (Edit(2, 2, "c"),))))
    second_only = Sentence("d", annotations=(Annotation(2, (Edit(0, 1, "e"),)),))
    assert references_from_gold([both, second_only]) == [("a b", "a b c"), ("e", "e")]


def test_overlapping_edits_are_made_from_last_to_first() -> None:
    edits = (Edit(0, 2, "x"), Edit(1, 2, "y z"))
    sentence = Sentence("a b c", annotations=(Annotation(0, edits),))
    assert references_from_gold([sentence]) == [("x z c",)]


def test_gold_from_references() -> None:
    assert gold_from_references("a b c", ["a x c d", "a b c"]) == (
        Annotation(0, (Edit(1, 2, "x"), Edit(3, 3, "d"))),
        Annotation(1),
    )


@needs_conll14
@pytest.mark.parametrize("number", [0, 1])
def test_conll14_references_are_those_of_gong_et_al(number: int) -> None:
    gold = m2.read(TextFile.at(CONLL14 / "gold.m2"))
    published = TextFile.at(CONLL14 / "references-um" / f"ref{number}.txt").lines()
    assert [references[number] for references in references_from_gold(gold)] == published


@needs_conll14
def test_conll14_references_survive_becoming_edits() -> None:
    sources = TextFile.at(CONLL14 / "source.txt").lines()
    references = TextFile.at(CONLL14 / "references" / "ref1.txt").lines()
    for source, reference in zip(sources, references, strict=True):
        [annotation] = gold_from_references(source, [reference])
        assert apply_edits(source, annotation.edits) == reference


def test_gold_edits_come_from_the_references() -> None:
    sentence = typed_sentence(" a  b\nc ", ["a x c", "", "a b c"])
    assert sentence.source == "a b c"
    assert sentence.references == ("a x c", "a b c")
    assert [annotation.edits for annotation in sentence.annotations] == [(Edit(1, 2, "x"),), ()]


def test_outputs_that_are_not_typed_yet_are_left_out() -> None:
    corpus = typed_corpus(typed_sentence("a b", []), {"One": "a  c", "Two": "  "})
    assert corpus.systems == {"One": ("a c",)}
    assert not corpus.sentences[0].references


def test_a_source_is_needed() -> None:
    with pytest.raises(CorpusError, match="no source yet"):
        typed_sentence("  ", ["a"])


def test_a_text_may_be_too_long() -> None:
    long = "a " * (MOST_TOKENS + 1)
    with pytest.raises(CorpusError, match="The source has 151 tokens; at most 150 fit"):
        typed_sentence(long, [])
    with pytest.raises(CorpusError, match="Reference 2 has 151 tokens"):
        typed_sentence("a", ["b", long])
    with pytest.raises(CorpusError, match="Mine has 151 tokens"):
        typed_corpus(typed_sentence("a", []), {"Mine": long})
