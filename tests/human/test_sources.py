import pytest
import released
from conftest import PUBLISHED, needs_conll14

from gec_core.errors import ScoreError
from gec_core.human import published, published_ranking


def test_all_published_rankings_have_thirteen_systems():
    assert set(published()) == {"grundkiewicz2015-ew", "grundkiewicz2015-ts", "napoles2015"}
    assert {len(one.ranking.standings) for one in published().values()} == {13}


def test_scores_and_orders():
    wins = published_ranking("grundkiewicz2015-ew")
    assert wins.ranking.systems[:2] == ("AMU", "RAC")
    assert not wins.order_only
    order = published_ranking("napoles2015")
    assert order.ranking.systems[:2] == ("CAMB", "AMU")
    assert order.order_only


def test_an_unknown_one_is_named():
    with pytest.raises(ScoreError, match=r"No published ranking 'x'\. There are: grundkiewicz2015-ew"):
        published_ranking("x")


@needs_conll14
def test_they_are_what_was_published():
    assert published_ranking("grundkiewicz2015-ew").ranking.scores == released.human_scores("expected_wins")
    assert published_ranking("grundkiewicz2015-ts").ranking.scores == released.human_scores("trueskill")
    table = released.rows(PUBLISHED / "islam2021_table5.tsv")
    assert published_ranking("napoles2015").ranking.systems == tuple(row["human_napoles2015"] for row in table)
