"""The verdict on two systems, in words that the numbers bear out."""

import re

import pytest

import gec_core as gec
from gec_core.cli import main
from gec_core.formatting import minus
from gec_core.meta import gap_words
from gec_core.meta.gap import Comparison
from gec_core.meta.gap_sentences import people_gaps
from gec_core.meta.gap_words import MATCHING, NOT_MATCHING, SHARED_EVENLY, by_match, verdict
from gec_core.metrics import create


@pytest.fixture(scope="module")
def swap() -> Comparison:
    """CoNLL-2014 without its texts: from scores and credits that come with the project."""
    return gec.compare("conll14", "NTHU", "UFC", ["m2", "ptm2"], store=False, counterfactuals=False)


def test_the_verdict_tells_orders_reason_and_margins(swap: Comparison) -> None:
    """A metric on a substitute model is told with it."""
    pt = create("ptm2").title
    orders, reason, apart, margins = swap.words
    assert orders == f"M² puts NTHU above UFC by 0.2208 (5th and 10th); {pt} puts it below by 0.0079 (12th and 7th)."
    assert reason.endswith(f"NTHU 36% of what the matching ones earn under M², 106% under {pt}.")
    assert apart.startswith(f"In standard deviations over the systems, {pt} counts PREP edits (")
    assert ") more against NTHU, and DET edits (" in apart
    assert apart.endswith(") less for it, than M² does.")
    assert margins == (
        f"Of 804 sentences with different outputs, 27 speak for different systems under M² and {pt}: the swap comes "
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


def test_high_costs_are_told_as_times_also_beside_people(monkeypatch: pytest.MonkeyPatch) -> None:
    found = gec.compare("demo", "EAGER", "INPUT", "m2", human="ew", counterfactuals=False)
    shares = []
    for side in found.sides:
        assert side.edits is not None
        right, wrong = (sum(group.contribution for group in groups) for groups in by_match(side.edits))
        shares.append(-wrong / right)
    ours, theirs = (f"{100 * share:.0f}%" for share in shares)
    assert found.words[1] == (
        "Edits that match a reference speak for EAGER, all others for INPUT: the others cost EAGER "
        f"{ours} of what the matching ones earn under M², {theirs} under people."
    )
    monkeypatch.setattr(gap_words, "TIMES", 0.0)
    ours, theirs = (f"{share:.1f} times" for share in shares)
    told = verdict([(side.gap, side.edits) for side in found.sides], "type")[1]
    assert told.endswith(f"EAGER {ours} what the matching ones earn under M², {theirs} under people.")


def test_a_cost_beside_next_to_nothing_is_not_told() -> None:
    """People saw nothing in the matching edits by which REPEAT is ahead: the others would cost it 119 times as much."""
    found = gec.compare("demo", "REPEAT", "CAREFUL", "m2", human="ew", counterfactuals=False)
    assert not any(text.startswith("Edits that match") for text in found.words)


def test_numbers_of_groups_are_those_of_the_table(swap: Comparison) -> None:
    row = swap.frame().loc["PREP"]
    m2, ptm2 = (row[side.gap.side] / side.gap.spread for side in swap.sides)
    assert minus(f"({ptm2:+.2f} against {m2:+.2f})") in swap.words[2]


def test_words_speak_of_the_first_system_as_signs_do() -> None:
    back = gec.compare("conll14", "UFC", "NTHU", ["m2", "ptm2"], store=False, counterfactuals=False)
    assert ") more for UFC, and DET edits (" in back.words[2]
    assert back.words[2].endswith(") less against it, than M² does.")
    assert "PREP edits (+0.78 against +0.05)" in back.words[2]


def test_sentences_alone_are_those_that_count() -> None:
    found = gec.compare("conll14", "NTHU", "UFC", ["m2", "ptm2"], level="sentence", store=False, counterfactuals=False)
    assert re.match(r"Of \d+ sentences that count, 27 speak for different systems", found.words[-1])


def test_the_table_has_what_the_verdict_says_of_matching_edits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "--corpus", "conll14", "--systems", "NTHU,UFC", "--metric", "m2,ptm2", "--top", "1"]) == 0
    printed = capsys.readouterr().out
    for place, share in ((0, 36), (1, 106)):
        right, wrong = (
            float(re.findall(r"[+−]\d\.\d+", line)[place].replace("−", "-"))
            for name in (MATCHING, NOT_MATCHING)
            for line in printed.splitlines()
            if line.startswith(name)
        )
        assert round(-100 * wrong / right) == share


def test_an_edit_that_turns_from_against_to_for_is_told_so() -> None:
    words = gec.compare("demo", "FLUENT", "CAREFUL", "gleu", human="ew", counterfactuals=False).words
    parting = next(text for text in words if text.startswith("In standard deviations"))
    assert re.search(r"people count OTHER edits \(.*\) for FLUENT, where GLEU counts them against it\.$", parting)


def test_people_beside_two_metrics_stay_in_the_verdict() -> None:
    """Both metrics have the order of people, so that the other sentences are about the metrics."""
    found = gec.compare("demo", "NOARTICLE", "EAGER", ["m2", "gleu"], human="ew", counterfactuals=False)
    (told,) = (text for text in found.words if text.startswith("People agree with M² on the order of the two; "))
    frame, (m2, _, people) = found.frame(), (side.gap for side in found.sides)
    frame = frame[[m2.side, people.side]].loc[[name for name in frame.index if f"{name}" != "no edit"]]
    deviations = frame / [m2.spread, people.spread]
    widest = (deviations[m2.side] - deviations[people.side]).abs().idxmax()
    numbers = minus(f"{deviations.loc[widest, people.side]:+.2f} against {deviations.loc[widest, m2.side]:+.2f}")
    assert f"they differ most from it on {widest} edits ({numbers} standard deviations)." in told
    assert told.endswith(SHARED_EVENLY)


def test_a_published_ranking_has_an_order_but_no_groups() -> None:
    ranking = "chollampatt2018-ew"
    three = gec.compare("conll14", "NTHU", "UFC", ["m2", "ptm2"], human=ranking, store=False, counterfactuals=False)
    assert "People (Expected Wins, as released) disagree with M² on the order of the two." in three.words
    two = gec.compare("conll14", "NTHU", "UFC", "m2", human=ranking, store=False, counterfactuals=False)
    assert not any("people (Expected Wins, as released) count" in text for text in two.words)
    assert any(text.startswith("Under M², NTHU gains most from ") for text in two.words)
