"""Error types, over- and under-correction: small corpora, counted by hand."""

import pytest
from conftest import sentence
from errant_cases import needs_errant
from made_corpus import CORPUS

from gec_core.analysis.errors import CorrectionCounts, TypeGain, correction_counts, type_gains
from gec_core.errors import MissingInput
from gec_core.meta.error_types import TypeCounts, types_metric
from gec_core.types import Corpus


def test_edits_and_sentences_are_counted_by_gold_edits() -> None:
    """EAGER: two edits of four are right; the z of the last sentence leaves its error missed."""
    sentences = {"error_free": 1, "with_errors": 2}
    eager, lazy = correction_counts(CORPUS)
    assert eager == CorrectionCounts("EAGER", 4, 2, 1, error_free_changed=1, with_errors_untouched=0, **sentences)
    assert (eager.wrong, eager.overcorrected, eager.untouched) == (2, 1.0, 0.0)
    assert lazy == CorrectionCounts("LAZY", 1, 1, 1, error_free_changed=0, with_errors_untouched=1, **sentences)
    assert (lazy.wrong, lazy.overcorrected, lazy.untouched) == (0, 0.0, 0.5)


def test_a_corpus_without_gold_edits_has_no_counts() -> None:
    with pytest.raises(MissingInput):
        correction_counts(Corpus("made", (sentence("a b"),), {"A": ("a b",)}))


def test_shares_of_nothing_are_not_shares() -> None:
    row = CorrectionCounts("A", 0, 0, 0, 0, 0, 0, 0)
    assert row.overcorrected is None
    assert row.untouched is None


@needs_errant
def test_types_gained_and_lost() -> None:
    """The first has the noun's number and a wrong article, the second the right article."""
    given = sentence("Two dog bark at cat .", "Two dogs bark at the cat .")
    corpus = Corpus("made", (given,), {"A": ("Two dogs bark at a cat .",), "B": ("Two dog bark at the cat .",)})
    found = type_gains(corpus, types_metric(), "A", "B")
    assert found == [
        TypeGain("NOUN:NUM", TypeCounts(1, 0, 0), TypeCounts(0, 0, 1)),
        TypeGain("DET", TypeCounts(0, 1, 1), TypeCounts(1, 0, 0)),
    ]
    assert [(gain.correct, gain.wrong, gain.f(0.5)) for gain in found] == [(1, 0, 1.0), (-1, 1, -1.0)]
