import numpy as np
import pytest
import released
from conftest import needs_conll14

from gec_core.human import judge_agreement, unexpanded
from gec_core.human.agreement import JudgeAgreement, cohen, rating_agreement
from gec_core.types import Judgment, Judgments, Ranked, Ratings


def said(judge: str, sentence: int, preference: str) -> Judgment:
    first, second = {"<": (2, 1), "=": (1, 1), ">": (1, 2)}[preference]
    return Judgment(sentence, judge, (Ranked(("A",), first), Ranked(("B",), second)))


def agreement(*items: Judgment) -> JudgeAgreement:
    return judge_agreement(unexpanded(Judgments(items)))


def test_two_judges_on_the_same_outputs() -> None:
    found = agreement(
        said("ann", 0, ">"), said("bob", 0, ">"), said("ann", 1, "="), said("bob", 1, "<"), said("ann", 2, ">")
    )
    assert (found.inter.comparisons, found.inter.agreeing, found.inter.answers) == (2, 1, (2, 1, 1))
    assert found.inter.raw == 0.5
    assert found.inter.chance == pytest.approx((4 + 1 + 1) / 16)
    assert found.inter.pi == pytest.approx((0.5 - 0.375) / (1 - 0.375))
    assert found.inter.kappa == pytest.approx((0.5 - 1 / 4) / (1 - 1 / 4))
    assert found.inter.reason == ""


def test_cohens_kappa_takes_each_judges_own_answers_for_chance() -> None:
    """The example of Cohen's kappa on Wikipedia: 20 times both accept, 15 times neither, 5 and 10 times one does."""
    assert cohen(np.array([[20, 5], [10, 15]])) == pytest.approx(0.4)
    assert cohen(np.array([[45, 15], [25, 15]])) == pytest.approx(0.1304, abs=5e-5)
    assert cohen(np.array([[25, 35], [5, 35]])) == pytest.approx(0.2593, abs=5e-5)
    assert cohen(np.zeros((3, 3), dtype=int)) is None


def test_kappa_between_judges_is_the_mean_over_pairs_weighted_by_comparisons() -> None:
    """Ann and Bob: 3 of 4 alike, of each two thirds and the like by hand; Cid compares one output with Ann."""
    answers = {"ann": ">>=<>", "bob": ">==<", "cid": "    >"}
    found = agreement(
        *(said(judge, at, each) for judge, given in answers.items() for at, each in enumerate(given) if each != " ")
    )
    by_judges = {row.judges: row for row in found.by_judges}
    chance = (2 * 1 + 1 * 2 + 1 * 1) / 16
    assert by_judges["ann", "bob"].kappa == pytest.approx((3 / 4 - chance) / (1 - chance))
    assert by_judges["ann", "cid"].kappa is None, "both always say the same"
    assert found.inter.kappa == by_judges["ann", "bob"].kappa
    assert by_judges["ann", "bob"].name == "ann and bob"
    assert by_judges["ann", "ann"].name == "ann with themselves"
    more = agreement(
        *(said("ann", at, each) for at, each in enumerate(">>=<")),
        *(said("bob", at, each) for at, each in enumerate(">==<")),
        *(said("cid", at, each) for at, each in enumerate("><")),
    )
    rows = [row for row in more.by_judges if row.kappa is not None]
    assert [row.judges for row in rows] == [("ann", "bob"), ("ann", "cid"), ("bob", "cid")]
    expected = sum(row.kappa * row.comparisons for row in rows if row.kappa is not None) / 8
    assert more.inter.kappa == pytest.approx(expected)


def test_one_judge_who_saw_the_same_outputs_again() -> None:
    found = agreement(said("ann", 0, ">"), said("ann", 0, ">"), said("ann", 0, "="), said("ann", 1, "<"))
    assert (found.intra.comparisons, found.intra.agreeing, found.intra.answers) == (3, 1, (2, 1, 0))
    assert found.inter.comparisons == 0


def test_what_is_not_defined_is_said_so() -> None:
    found = agreement(said("ann", 0, ">"), said("bob", 0, ">"))
    assert (found.inter.raw, found.inter.kappa, found.inter.pi) == (1, None, None)
    assert found.inter.reason == "all answers are the same, so agreement is certain by chance"
    assert (found.intra.raw, found.intra.chance, found.intra.pi) == (None, None, None)
    assert found.intra.reason == "no two judgments of the same outputs"


def test_every_two_judges_have_a_row() -> None:
    found = agreement(said("bob", 0, ">"), said("ann", 0, ">"), said("cid", 0, "<"))
    assert [row.judges for row in found.by_judges] == [
        ("ann", "ann"),
        ("ann", "bob"),
        ("ann", "cid"),
        ("bob", "bob"),
        ("bob", "cid"),
        ("cid", "cid"),
    ]
    assert [row.agreeing for row in found.by_judges] == [0, 1, 0, 0, 0, 0]


def test_all_judges_at_once() -> None:
    """Worked by hand: units with the answers >>=, =<, and one that only one judge answered."""
    found = agreement(
        *(said(judge, 0, answer) for judge, answer in zip(("ann", "bob", "cid"), ">>=", strict=True)),
        said("ann", 1, "="),
        said("bob", 1, "<"),
        said("cid", 2, ">"),
    ).together
    assert (found.units, found.answers) == (2, 5)
    assert found.raw == pytest.approx((1 / 3 + 0) / 2)
    chance = (2 / 5) ** 2 + (2 / 5) ** 2 + (1 / 5) ** 2
    assert found.fleiss == pytest.approx((1 / 6 - chance) / (1 - chance))
    observed = (4 / 2 + 2 / 1) / 5
    expected = 2 * (2 * 2 + 2 * 1 + 2 * 1) / (5 * 4)
    assert found.alpha == pytest.approx(1 - observed / expected)


def test_a_judge_who_answers_twice_counts_once_together() -> None:
    found = agreement(said("ann", 0, ">"), said("ann", 0, "<"), said("bob", 0, ">")).together
    assert (found.units, found.answers, found.raw) == (1, 2, 1)


def test_sentences_on_which_judges_are_opposed() -> None:
    found = agreement(
        said("ann", 4, ">"), said("bob", 4, "<"), said("ann", 4, "<"), said("ann", 5, ">"), said("bob", 5, "=")
    )
    (contested,) = found.contested
    assert (contested.sentence, contested.comparisons, contested.opposed) == (4, 2, 1)
    assert contested.judges == ("ann", "bob")


def test_raters_agree_about_distinct_outputs() -> None:
    each = np.array([[[1.0, 1, 4], [2, 3, np.nan]], [[1, 1, 4], [4, 4, np.nan]]])
    ratings = Ratings(("A", "B"), np.nanmean(each, axis=2), 1, 4, each)
    found = rating_agreement(ratings, {"A": ["x", "y"], "B": ["x", "z"]})
    assert found is not None
    assert (found.units, found.answers) == (3, 7)
    assert found.raw == pytest.approx((1 / 3 + 0 + 1) / 3)
    observed = (2 * 2 * 9 / 2 + 2 * 1 / 1 + 0) / 7
    values = [1, 1, 4, 2, 3, 4, 4]
    expected = sum((a - b) ** 2 for a in values for b in values) / (7 * 6)
    assert found.alpha == pytest.approx(1 - observed / expected)
    assert rating_agreement(Ratings(("A",), np.ones((1, 2)), 1, 4), {"A": ["x", "y"]}) is None


@needs_conll14
def test_judges_of_conll14_agree_with_themselves_more_than_with_each_other() -> None:
    """The figures are our own: they keep the computation from changing unnoticed."""
    found = judge_agreement(unexpanded(released.judgments()))
    assert (found.inter.comparisons, found.intra.comparisons) == (30633, 1631)
    assert found.inter.pi == pytest.approx(0.299, abs=5e-4)
    assert found.intra.pi == pytest.approx(0.468, abs=5e-4)
    assert found.inter.kappa == pytest.approx(0.2993, abs=5e-4)
    assert found.intra.kappa is None
