"""What a system corrects and what changed between two: small corpora, counted by hand."""

import pytest
from conftest import sentence
from errant_cases import needs_errant
from made_metric import Mean, column

from gec_core.analysis import analyse, possible_corrections
from gec_core.analysis.changes import Tally, Verdicts, changes
from gec_core.analysis.correction import Correction, corrections
from gec_core.analysis.gains import TypeGain, type_gains
from gec_core.errors import CorpusError
from gec_core.meta.error_types import TypeCounts, types_metric
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.scoring.table import ScoreTable
from gec_core.types import Corpus

SENTENCES = (
    sentence("a b c", "a b c", "a b c"),  # free of errors
    sentence("d e f", "d x f", "d y f"),  # has errors
    sentence("g h i", "g h i", "g h j"),  # disputed
    sentence("k l m", "k l n", "k l n"),  # has errors
)
CORPUS = Corpus(
    "made",
    SENTENCES,
    {"EAGER": ("a b z", "d x f", "g h j", "k l z"), "LAZY": ("a b c", "d e f", "g h i", "k l n")},
)


def test_edits_and_sentences_are_counted_by_gold_edits():
    """EAGER: two edits of four are right; the z of the last sentence leaves its error missed."""
    sentences = {"error_free": 1, "with_errors": 2}
    eager, lazy = corrections(CORPUS)
    assert eager == Correction("EAGER", 4, 2, 1, error_free_changed=1, with_errors_untouched=0, **sentences)
    assert (eager.wrong, eager.overcorrected, eager.untouched) == (2, 1.0, 0.0)
    assert lazy == Correction("LAZY", 1, 1, 1, error_free_changed=0, with_errors_untouched=1, **sentences)
    assert (lazy.wrong, lazy.overcorrected, lazy.untouched) == (0, 0.0, 0.5)


def test_a_corpus_without_gold_edits_has_no_corrections():
    assert possible_corrections(Corpus("made", (sentence("a b"),), {"A": ("a b",)})) == ()


def test_shares_of_nothing_are_not_shares():
    row = Correction("A", 0, 0, 0, 0, 0, 0, 0)
    assert row.overcorrected is None
    assert row.untouched is None


class Other(Mean):
    id = "other"


def test_what_changed_is_counted_by_metric_and_sentence():
    """The first sets one of four pairs less far apart than the others, which are 1 apart; the second two of four."""
    given = column(EAGER=[0, 1, 0.5, 0], LAZY=[1, 0, 0.5, 1])
    other = column(Other(), EAGER=[1, 1, 0.5, 0], LAZY=[0, 0, 0.5, 0])
    found = changes(CORPUS, ScoreTable("made", "", (given, other)), "EAGER", "LAZY")
    assert found.tallies == (Tally("mean", 1, 2, 1), Tally("other", 2, 0, 2))
    assert [row.sentence for row in found.verdicts] == [0, 1, 2, 3]
    assert [row.firmness for row in found.verdicts] == [(0.5 - 0.25) / 2, (0.5 + 0.25) / 2, 0, -0.25 / 2]
    assert found.splits() == [Verdicts(0, ("other",), ("mean",), strength=0.25, firmness=0.125)]
    assert [row.sentence for row in found.better(9)] == [1, 0]
    assert [row.sentence for row in found.worse(9)] == [3]


def test_what_changed_turns_around_with_the_two():
    table = ScoreTable("made", "", (column(EAGER=[0, 1, 0.5, 0], LAZY=[1, 0, 0.5, 1]),))
    there, back = changes(CORPUS, table, "EAGER", "LAZY"), changes(CORPUS, table, "LAZY", "EAGER")
    assert [row.firmness for row in there.verdicts] == [-row.firmness for row in back.verdicts]
    assert (back.tallies[0].better, back.tallies[0].worse) == (2, 1)


def test_sentences_with_the_same_output_did_not_change():
    corpus = Corpus("made", SENTENCES[:2], {"A": ("a b c", "d x f"), "B": ("a b c", "d y f")})
    found = changes(corpus, ScoreTable("made", "", (column(A=[1, 1], B=[1, 0]),)), "A", "B")
    assert [row.sentence for row in found.verdicts] == [1]
    assert found.sentences == 2


@needs_errant
def test_types_gained_and_lost():
    """The first has the noun's number and a wrong article, the second the right article."""
    given = sentence("Two dog bark at cat .", "Two dogs bark at the cat .")
    corpus = Corpus("made", (given,), {"A": ("Two dogs bark at a cat .",), "B": ("Two dog bark at the cat .",)})
    found = type_gains(corpus, types_metric(), "A", "B")
    assert found == [
        TypeGain("NOUN:NUM", TypeCounts(1, 0, 0), TypeCounts(0, 0, 1)),
        TypeGain("DET", TypeCounts(0, 1, 1), TypeCounts(1, 0, 0)),
    ]
    assert [(gain.found, gain.overdone, gain.f(0.5)) for gain in found] == [(1, 0, 1.0), (-1, 1, -1.0)]


def test_a_system_is_compared_with_the_best_of_the_others_unless_told_otherwise():
    table = score(CORPUS, [create("m2")])
    found = analyse(CORPUS, table, "EAGER", samples=20)
    assert found.rival == "LAZY"
    assert found.metrics[0].difference("LAZY").p_randomisation is not None
    assert found.provenance.signatures == {"m2": create("m2").signature}
    assert (found.provenance.samples, found.provenance.fingerprint) == (20, CORPUS.fingerprint)


def test_a_system_alone_has_a_standing_but_nobody_to_compare_with():
    corpus = CORPUS.only(["LAZY"])
    found = analyse(corpus, score(corpus, [create("m2")]), "LAZY", samples=20)
    assert (found.rival, found.changes, found.gains) == (None, None, ())
    assert found.metrics[0].standing("LAZY").rank == 1


@pytest.mark.parametrize(("rival", "told"), [("EAGER", "compared with itself"), ("NOBODY", "no system NOBODY")])
def test_a_rival_that_is_none(rival, told):
    with pytest.raises(CorpusError, match=told):
        analyse(CORPUS, score(CORPUS, [create("m2")]), "EAGER", rival)
