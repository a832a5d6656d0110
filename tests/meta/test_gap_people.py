"""People as sides of a comparison: rankings, ratings, sets of judgments by name."""

import numpy as np
import pytest
from conftest import sentence

from gec_core.errors import CorpusError
from gec_core.meta.counterfactuals import fewest_sentences
from gec_core.meta.gap import compare
from gec_core.meta.gap_people import people_gaps
from gec_core.meta.gap_sentences import EXACT, ratings_gap
from gec_core.types import Corpus, Judgment, Judgments, JudgmentSet, Ranked, Ratings

NAN = float("nan")
RATINGS = Ratings(("A", "B", "C"), np.array([[80.0, 60, NAN], [50, NAN, 70], [NAN, NAN, NAN]]), 0, 100)


def prefers(line: int, *names: str) -> Judgment:
    return Judgment(line, "one", tuple(Ranked((name,), place) for place, name in enumerate(names, 1)))


def judged() -> Corpus:
    rankings = Judgments((prefers(0, "A", "B"), prefers(1, "A", "B"), prefers(2, "B", "A")))
    sets = {
        "pairs": JudgmentSet("pairs", "Students", "rankings", rankings),
        "rated": JudgmentSet("rated", "", "ratings", RATINGS.ranked("mean"), RATINGS),
    }
    return Corpus(
        "judged",
        tuple(sentence(f"he go {word} .", f"he goes {word} .") for word in ("home", "out", "on")),
        {"A": ("he goes home .", "he went out .", "he go on ."), "B": ("he go home .", "he go out .", "he goes on .")},
        rankings,
        judgment_sets=sets,
        chosen_set="pairs",
    )


def test_ratings_contribute_the_difference_of_means() -> None:
    gap = ratings_gap(RATINGS, "A", "B", side="mean")
    assert gap.scores == (70, 60)
    assert gap.contributions == pytest.approx([40 - 25, 30, -35])
    assert abs(gap.residual) <= EXACT
    assert gap.ranks == (1, 2)
    assert fewest_sentences(gap, None) is None  # A leads as long as any of its outputs is rated


def test_systems_that_nobody_rated_have_no_gap() -> None:
    with pytest.raises(CorpusError, match="no system C"):
        ratings_gap(RATINGS, "A", "C", side="mean")


def test_sets_of_judgments_are_sides_by_name() -> None:
    gaps, problems = people_gaps(judged(), "A", "B", ["ew", "pairs", "pairs:ts", "rated", "rated:ew", "none"])
    assert [gap.side for gap in gaps] == ["ew", "pairs", "pairs:ts", "rated", "rated:ew"]
    assert gaps[0].contributions.tolist() == gaps[1].contributions.tolist() == gaps[2].contributions.tolist()
    assert gaps[1].label == "People (Students, Expected Wins)"
    assert gaps[3].label == "People (rated, Mean rating)"
    assert gaps[3].gap == 10
    assert "No human ranking 'none'" in problems["none"]


def test_edits_share_what_a_sentence_contributes_to_ratings() -> None:
    found = compare(judged(), "A", "B", [], human=["rated"], by="fate")
    (side,) = found.sides
    assert side.edits is not None
    assert abs(side.edits.residual) <= EXACT
    assert side.edits.contributions == pytest.approx([15, 30, -35])
    assert found.words[0] == "People (rated, Mean rating) put A above B by 10.00 (1st and 2nd)."
