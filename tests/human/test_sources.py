from dataclasses import replace

import numpy as np
import pytest
import released
from conftest import PUBLISHED, needs_conll14

from gec_core.errors import MissingInput, ScoreError
from gec_core.human import published, published_ranking
from gec_core.human.sources import available, ranking_for
from gec_core.types import Corpus, JudgmentSet, Ratings, Sentence


def test_published_rankings_of_conll14_have_thirteen_systems() -> None:
    found = {id: one for id, one in published().items() if one.corpus == "conll14"}
    printed = {"grundkiewicz2015-ew", "grundkiewicz2015-ts"}
    assert set(found) == {"chollampatt2018-ew", "chollampatt2018-ts", "napoles2015"} | printed
    assert {len(one.ranking.standings) for one in found.values()} == {13}


def test_a_ranking_of_another_corpus_is_never_offered() -> None:
    outputs = dict.fromkeys(["INPUT", "BART", "T5", "amu", "nus", "AMU"], ("a",))
    for name in ("seeda", "gmeg-fce", "gmeg-wiki", "conll14"):
        corpus = Corpus(name, (Sentence("a"),), outputs)
        assert {published()[id].corpus for id in available(corpus)} == {name}
        with pytest.raises(MissingInput, match="ranks the systems of tmu-gfm, not of"):
            ranking_for(corpus, "yoshimura2020-meaning")
    assert not available(Corpus("mine", (Sentence("a"),), outputs))


def test_shipped_means_are_not_offered_beside_the_ratings_themselves() -> None:
    outputs = dict.fromkeys(("amu", "nus"), ("a", "b"))
    ratings = Ratings(("amu", "nus"), np.array([[1.0, 2], [3, 4]]), 0, 100)
    rated = JudgmentSet("ratings", "ratings", "ratings", ratings.ranked("mean"), ratings)
    sentences = (Sentence("a"), Sentence("b"))
    assert "napoles2019-fce" in available(Corpus("gmeg-fce", sentences, outputs))
    corpus = Corpus("gmeg-fce", sentences, outputs, rated.judgments, None, judgment_sets={"ratings": rated})
    assert list(available(replace(corpus, chosen_set="ratings"))) == ["mean", "ew", "ts"]


def test_scores_and_orders() -> None:
    wins = published_ranking("chollampatt2018-ew")
    assert wins.ranking.systems[:2] == ("AMU", "RAC")
    assert not wins.order_only
    order = published_ranking("napoles2015")
    assert order.ranking.systems[:2] == ("CAMB", "AMU")
    assert order.order_only


@pytest.mark.parametrize(("method", "most"), [("ew", 0.001), ("ts", 0.002)])
def test_what_was_printed_differs_little_from_what_was_released(method: str, most: float) -> None:
    printed, released_ = (
        published_ranking(f"{paper}-{method}").ranking for paper in ("grundkiewicz2015", "chollampatt2018")
    )
    assert printed.systems == released_.systems
    differences = [abs(printed.scores[name] - released_.scores[name]) for name in printed.systems]
    assert 0 < max(differences) < most + 1e-9


def test_an_unknown_one_is_named() -> None:
    with pytest.raises(ScoreError, match=r"No published ranking 'x'\. There are: chollampatt2018-ew"):
        published_ranking("x")


@needs_conll14
def test_they_are_what_was_published() -> None:
    assert published_ranking("chollampatt2018-ew").ranking.scores == released.human_scores("expected_wins")
    assert published_ranking("chollampatt2018-ts").ranking.scores == released.human_scores("trueskill")
    table = released.rows(PUBLISHED / "islam2021_table5.tsv")
    assert published_ranking("napoles2015").ranking.systems == tuple(row["human_napoles2015"] for row in table)
