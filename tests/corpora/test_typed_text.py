"""A corpus from what somebody typed."""

import pytest

from gec_core.corpora.assemble import MOST_TOKENS, typed_corpus, typed_sentence
from gec_core.errors import CorpusError
from gec_core.types import Edit


def test_gold_edits_come_from_the_references():
    sentence = typed_sentence(" a  b\nc ", ["a x c", "", "a b c"])
    assert sentence.source == "a b c"
    assert sentence.references == ("a x c", "a b c")
    assert [annotation.edits for annotation in sentence.annotations] == [(Edit(1, 2, "x"),), ()]


def test_outputs_that_are_not_typed_yet_are_left_out():
    corpus = typed_corpus(typed_sentence("a b", []), {"One": "a  c", "Two": "  "})
    assert corpus.systems == {"One": ("a c",)}
    assert not corpus.sentences[0].references


def test_a_source_is_needed():
    with pytest.raises(CorpusError, match="no source yet"):
        typed_sentence("  ", ["a"])


def test_a_text_may_be_too_long():
    long = "a " * (MOST_TOKENS + 1)
    with pytest.raises(CorpusError, match="The source has 151 tokens; 150 fit"):
        typed_sentence(long, [])
    with pytest.raises(CorpusError, match="Reference 2 has 151 tokens"):
        typed_sentence("a", ["b", long])
    with pytest.raises(CorpusError, match="Mine has 151 tokens"):
        typed_corpus(typed_sentence("a", []), {"Mine": long})
