import numpy as np
import pytest
import released
from conftest import GOLDEN, PUBLISHED, needs_conll14

from gec_core.errors import ScoreError
from gec_core.human import expanded, unexpanded
from gec_core.human.bootstrap import item_weights
from gec_core.meta import pair_agreement
from gec_core.meta.agreement import preferences
from gec_core.types import Judgment, Judgments, Ranked

SETS = {"expanded": expanded, "unexpanded": unexpanded}
NAMES = {"GLEU": "gleu", "I-measure": "imeasure", "M2": "m2score"}


def said(sentence: int, preference: str) -> Judgment:
    first, second = {"<": (2, 1), "=": (1, 1), ">": (1, 2)}[preference]
    return Judgment(sentence, "ann", (Ranked(("A",), first), Ranked(("B",), second)))


# Judge:  A>B A>B A>B A<B A<B A=B A=B
# Metric: A>B A<B A=B A<B A=B A=B A>B
PAIRS = expanded(Judgments(tuple(said(sentence, answer) for sentence, answer in enumerate(">>><<=="))))
SCORES = {"A": [1, 0, 0, 0, 0, 0, 1], "B": [0, 1, 0, 1, 0, 0, 0]}


def test_preferences_are_signs_of_score_differences():
    assert preferences(PAIRS, SCORES).tolist() == [-1, 1, 0, 1, 0, 0, -1]


@pytest.mark.parametrize(
    ("ties", "agree", "disagree", "pairs"),
    [
        ("HTies", 3, 1, 7),  # the two agreements and the common tie
        ("NoTies", 2, 1, 5),
        ("Decided", 2, 1, 3),
        ("SEEDA", 3, 2, 5),  # ties of the metric say that A is worse: wrong on the third, right on the fifth
    ],
)
def test_conventions_on_ties(ties, agree, disagree, pairs):
    found = pair_agreement(PAIRS, SCORES, ties)
    assert (found.agree, found.disagree, found.pairs) == (agree, disagree, pairs)
    assert found.tau == (agree - disagree) / pairs
    assert found.accuracy == agree / pairs


def test_without_pairs_that_matter_there_is_no_tau():
    found = pair_agreement(expanded(Judgments((said(0, "="),))), SCORES, "NoTies")
    assert (found.tau, found.accuracy) == (None, None)
    assert found.tau_interval(samples=5).skipped == 5


def test_the_bootstrap_sums_items():
    found = pair_agreement(PAIRS, SCORES, "HTies")
    assert found.by_item.tolist() == [[1, 0, 1], [0, 1, 1], [0, 0, 1], [1, 0, 1], [0, 0, 1], [1, 0, 1], [0, 0, 1]]
    weights = item_weights(7, 200, 3)
    taus = weights @ [1, -1, 0, 1, 0, 1, 0] / 7
    interval = found.tau_interval(samples=200, seed=3)
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(taus, [0.025, 0.975])))
    assert interval == found.tau_interval(samples=200, seed=3)
    low, high = np.quantile(weights @ [1, 0, 0, 1, 0, 1, 0] / 7, [0.025, 0.975])
    accuracy = found.accuracy_interval(samples=200, seed=3)
    assert (accuracy.low, accuracy.high) == (pytest.approx(low), pytest.approx(high))


def test_a_judged_system_without_scores_is_named():
    with pytest.raises(ScoreError, match="No sentence scores for B"):
        pair_agreement(PAIRS, {"A": SCORES["A"]}, "HTies")
    among = PAIRS.among(["A"])
    assert pair_agreement(among, {"A": SCORES["A"]}, "HTies").pairs == 0


def test_scores_of_too_few_sentences_are_refused():
    with pytest.raises(ScoreError, match=r"up to sentence 6 \(counted from 0\), but there are scores of only 5"):
        pair_agreement(PAIRS, {name: scores[:5] for name, scores in SCORES.items()}, "HTies")


def test_an_unknown_convention_is_named():
    with pytest.raises(ScoreError, match="No convention 'WMT' for ties"):
        pair_agreement(PAIRS, SCORES, "WMT")


@needs_conll14
def test_golden_numerators_and_denominators():
    golden = {
        row["metric"]: row for row in released.rows(GOLDEN / "kendall.tsv") if row["definition"].startswith("nusnlp")
    }
    for metric, file in (("gleu", "gleu"), ("imeasure", "imeasure"), ("m2", "m2score")):
        for pairs, column in ((expanded, "exp"), (unexpanded, "unexp")):
            for ties in ("HTies", "NoTies"):
                found = pair_agreement(pairs(released.judgments()), released.sentence_scores(file), ties)
                expected = golden[metric][f"{column}_{ties.lower()}_num/den"]
                assert f"{found.agree - found.disagree}/{found.pairs}" == expected


@needs_conll14
def test_representatives_do_not_matter():
    first, drawn = (unexpanded(released.judgments(), seed=seed) for seed in (None, 1))
    assert first.first.tolist() != drawn.first.tolist()
    for metric in released.METRICS:
        for ties in ("HTies", "NoTies", "Decided"):
            scores = released.sentence_scores(metric)
            assert pair_agreement(first, scores, ties) == pair_agreement(drawn, scores, ties)


@needs_conll14
def test_table_3_of_chollampatt_and_ng_from_released_scores():
    table = released.rows(PUBLISHED / "chollampatt2018_table3.tsv")
    assert len(table) == 12
    for row in table:
        pairs = SETS[row["set"]](released.judgments())
        found = pair_agreement(pairs, released.sentence_scores(NAMES[row["metric"]]), row["variant"])
        assert f"{found.tau:.3f}" == row["tau"]


@needs_conll14
def test_the_printed_count_of_unexpanded_pairs_without_ties_is_that_without_ties_of_gleu():
    """The paper prints 14,584 for NoTies, but its values of tau have the denominator 14,822."""
    pairs = unexpanded(released.judgments())
    assert pair_agreement(pairs, released.sentence_scores("gleu"), "NoTies").pairs == 14822
    assert pair_agreement(pairs, released.sentence_scores("gleu"), "Decided").pairs == 14584
