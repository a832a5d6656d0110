import pytest
import released
from conftest import PUBLISHED, needs_conll14

from gec_core.errors import MissingInput, ScoreError
from gec_core.human import published, published_ranking
from gec_core.human.sources import available, ranking_for
from gec_core.types import Corpus, Sentence


def test_published_rankings_of_conll14_have_thirteen_systems() -> None:
    found = {id: one for id, one in published().items() if one.corpus == "conll14"}
    assert set(found) == {"grundkiewicz2015-ew", "grundkiewicz2015-ts", "napoles2015"}
    assert {len(one.ranking.standings) for one in found.values()} == {13}


def test_a_ranking_of_another_corpus_is_never_offered() -> None:
    outputs = dict.fromkeys(["INPUT", "BART", "T5", "amu", "nus", "AMU"], ("a",))
    for name in ("seeda", "gmeg-fce", "gmeg-wiki", "conll14"):
        corpus = Corpus(name, (Sentence("a"),), outputs)
        assert {published()[id].corpus for id in available(corpus)} == {name}
        with pytest.raises(MissingInput, match="ranks the systems of tmu-gfm, not of"):
            ranking_for(corpus, "yoshimura2020-meaning")
    assert not available(Corpus("mine", (Sentence("a"),), outputs))


def test_scores_and_orders() -> None:
    wins = published_ranking("grundkiewicz2015-ew")
    assert wins.ranking.systems[:2] == ("AMU", "RAC")
    assert not wins.order_only
    order = published_ranking("napoles2015")
    assert order.ranking.systems[:2] == ("CAMB", "AMU")
    assert order.order_only


def test_an_unknown_one_is_named() -> None:
    with pytest.raises(ScoreError, match=r"No published ranking 'x'\. There are: grundkiewicz2015-ew"):
        published_ranking("x")


@needs_conll14
def test_they_are_what_was_published() -> None:
    assert published_ranking("grundkiewicz2015-ew").ranking.scores == released.human_scores("expected_wins")
    assert published_ranking("grundkiewicz2015-ts").ranking.scores == released.human_scores("trueskill")
    table = released.rows(PUBLISHED / "islam2021_table5.tsv")
    assert published_ranking("napoles2015").ranking.systems == tuple(row["human_napoles2015"] for row in table)
