"""The verdict on two systems, in words that the numbers bear out."""

import pytest

import gec_core as gec
from gec_core.formatting import minus
from gec_core.meta.gap import Comparison
from gec_core.meta.gap_sentences import people_gaps
from gec_core.meta.gap_words import verdict


@pytest.fixture(scope="module")
def swap() -> Comparison:
    """CoNLL-2014 without its texts: from scores and credits that come with the project."""
    return gec.compare("conll14", "NTHU", "UFC", ["m2", "ptm2"], store=False, counterfactuals=False)


def test_the_verdict_tells_orders_reason_and_margins(swap: Comparison) -> None:
    orders, reason, apart, margins = swap.words
    assert orders == "M² puts NTHU above UFC by 0.2208 (5th and 10th); PT-M² puts it below by 0.0079 (12th and 7th)."
    assert reason.endswith("NTHU 36% of what the matching ones earn under M², 106% under PT-M².")
    assert apart.startswith("M² favours NTHU more than PT-M² does, mostly through PREP edits")
    assert margins == (
        "Of 804 sentences with different outputs, 27 speak for different systems under M² and PT-M²: the swap comes "
        "from the size of margins."
    )


def test_people_are_told_by_their_comparisons_of_the_two() -> None:
    corpus = gec.corpora.load("demo")
    (people,), problems = people_gaps(corpus, "CAREFUL", "EAGER", ["ew"])
    assert not problems
    assert people.votes is not None
    won, lost = (int(each.sum()) for each in people.votes)
    told, *_ = verdict([(people, None)], "type")
    assert f"in {max(won, lost)} of {won + lost} comparisons of the two" in told
    assert people.gap == pytest.approx((won - lost) / (won + lost))


def test_the_reason_is_what_the_groups_sum_to(swap: Comparison) -> None:
    for side, share in zip(swap.sides, ("36%", "106%"), strict=True):
        assert side.edits is not None
        fates = {group.name: group.contribution for group in side.edits.groups("fate")}
        right, wrong = fates["missed"] + fates["reference"], fates["error"] + fates["elsewhere"]
        assert right + wrong == pytest.approx(side.gap.gap, abs=1e-9)
        assert f"{-100 * wrong / right:.0f}%" == share


def test_numbers_of_groups_are_those_of_the_table(swap: Comparison) -> None:
    row = swap.frame().loc["PREP"]
    assert minus(f"({row['m2']:+.4f} against {row['ptm2']:+.4f})") in swap.words[2]
