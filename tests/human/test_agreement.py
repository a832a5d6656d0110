import pytest
import released
from conftest import needs_conll14

from gec_core.human import judge_agreement, unexpanded
from gec_core.human.agreement import JudgeAgreement
from gec_core.types import Judgment, Judgments, Ranked


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
    assert found.inter.kappa == pytest.approx((0.5 - 0.375) / (1 - 0.375))
    assert found.inter.reason == ""


def test_one_judge_who_saw_the_same_outputs_again() -> None:
    found = agreement(said("ann", 0, ">"), said("ann", 0, ">"), said("ann", 0, "="), said("ann", 1, "<"))
    assert (found.intra.comparisons, found.intra.agreeing, found.intra.answers) == (3, 1, (2, 1, 0))
    assert found.inter.comparisons == 0


def test_what_is_not_defined_is_said_so() -> None:
    found = agreement(said("ann", 0, ">"), said("bob", 0, ">"))
    assert (found.inter.raw, found.inter.kappa) == (1, None)
    assert found.inter.reason == "all answers are the same, so agreement is certain by chance"
    assert (found.intra.raw, found.intra.chance, found.intra.kappa) == (None, None, None)
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


@needs_conll14
def test_judges_of_conll14_agree_with_themselves_more_than_with_each_other() -> None:
    """The figures are our own: they keep the computation from changing unnoticed."""
    found = judge_agreement(unexpanded(released.judgments()))
    assert (found.inter.comparisons, found.intra.comparisons) == (30633, 1631)
    assert found.inter.kappa == pytest.approx(0.299, abs=5e-4)
    assert found.intra.kappa == pytest.approx(0.468, abs=5e-4)
