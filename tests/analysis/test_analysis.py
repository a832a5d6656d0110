"""Analyses: the rival they choose, the parts they compute and when, and the command that repeats them."""

import shlex

import pytest
from conftest import sentence
from made_corpus import CORPUS
from made_metric import column

from gec_core.analysis import Analysis, analyse, page, report
from gec_core.analysis.analysis import SOURCE, command, source_alone, usual_rival, with_source
from gec_core.analysis.sections import summary
from gec_core.cli import parser
from gec_core.errors import CorpusError
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.scoring.table import ScoreTable
from gec_core.types import Corpus


def test_the_usual_rival_is_the_best_of_the_others() -> None:
    table = ScoreTable("made", "", (column(A=[9, 9], B=[1, 1], C=[2, 2]), column(A=[0, 0], B=[1, 1], C=[5, 5])))
    assert usual_rival(table, "A") == "C"
    assert usual_rival(table, "C") == "A"
    assert usual_rival(ScoreTable("made", "", (column(A=[1, 2]),)), "A") is None


def test_a_system_is_compared_with_the_best_of_the_others_unless_told_otherwise() -> None:
    table = score(CORPUS, [create("m2")])
    found = analyse(CORPUS, table, "EAGER", samples=20)
    assert found.rival == "LAZY"
    assert found.metrics[0].difference("LAZY").p_randomisation is not None
    assert found.provenance.signatures == {"m2": create("m2").signature}
    assert (found.provenance.samples, found.provenance.fingerprint) == (20, CORPUS.fingerprint)


def test_a_system_alone_has_a_standing_but_nobody_to_compare_with() -> None:
    corpus = CORPUS.only(["LAZY"])
    found = analyse(corpus, score(corpus, [create("m2")]), "LAZY", samples=20)
    assert (found.rival, found.comparison, found.gains) == (None, None, ())
    assert found.metrics[0].standing("LAZY").rank == 1


def test_the_unchanged_source_is_a_baseline_and_no_peer_of_a_system_that_is_alone() -> None:
    corpus = CORPUS.only(["LAZY"])
    peers = create("gotoscorer", {"weights": "systems"})
    table = score(corpus, [create("m2"), peers])
    baseline = source_alone(corpus)
    assert baseline is not None
    both = with_source(table, score(baseline, [create("m2"), peers]))
    found = analyse(corpus, both, "LAZY", samples=20)
    assert found.rival == SOURCE
    assert [each.metric.id for each in found.metrics] == ["m2"]
    assert found.metrics[0].difference(SOURCE).difference == table["m2"].values["LAZY"] - 0.0
    assert [(row.system, row.rank, row.systems) for row in found.metrics[0].standings] == [("LAZY", 1, 1)]
    assert "depend on the other systems" in found.provenance.problems["gotoscorer"]
    assert (found.provenance.systems, found.provenance.fingerprint) == (("LAZY",), corpus.fingerprint)
    told = page(report(found))
    assert "4 sentences, 1 system, compared with the unchanged source" in told
    assert "ranks" not in str(summary(found).prose)
    assert with_source(score(corpus, [peers]), score(baseline, [peers])).columns[0].values.keys() == {"LAZY"}


def test_a_corpus_with_several_systems_has_no_baseline() -> None:
    assert source_alone(CORPUS) is None
    with pytest.raises(CorpusError, match="no system the unchanged source"):
        analyse(CORPUS, score(CORPUS, [create("m2")]), "EAGER", SOURCE)


@pytest.mark.parametrize(("rival", "told"), [("EAGER", "compared with itself"), ("NOBODY", "no system NOBODY")])
def test_a_rival_that_is_none(rival: str, told: str) -> None:
    with pytest.raises(CorpusError, match=told):
        analyse(CORPUS, score(CORPUS, [create("m2")]), "EAGER", rival)


def test_a_corpus_without_gold_edits_has_no_corrections() -> None:
    corpus = Corpus("made", (sentence("a b"),), {"A": ("a b",)})
    table = ScoreTable("made", "", (column(A=[1]),))
    assert Analysis(corpus, table, "A", None).corrections == ()


def test_parts_are_computed_when_they_are_read() -> None:
    found = Analysis(CORPUS, score(CORPUS, [create("m2")]), "EAGER", "LAZY", samples=5)
    assert not {"metrics", "gains", "corrections", "comparison"} & set(vars(found))
    assert found.corrections is found.corrections
    assert "metrics" not in vars(found)


def test_it_says_how_to_make_it_anew() -> None:
    corpus = Corpus("made up", (sentence("a b", "a c"), sentence("d", "d")), {"A": ("a c", "d"), "B": ("a b", "d")})
    table = score(corpus, [create("m2", {"beta": "1"}), create("gleu")])
    asked = command(analyse(corpus, table, "A", samples=7, seed=3)).removeprefix("python -m gec_core ")
    given = parser().parse_args(shlex.split(asked))
    assert (given.corpus, given.system, given.against) == ("made up", ["A"], "B")
    assert (given.metric, given.option, given.samples, given.seed) == (["m2,gleu"], ["m2.beta=1.0"], 7, 3)
