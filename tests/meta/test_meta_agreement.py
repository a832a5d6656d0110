# mypy: disable-error-code="comparison-overlap"
"""Agreement on pairs of outputs under each convention on ties, of two metrics, and of ranks."""

import numpy as np
import pytest
import released
from conftest import GOLDEN, PUBLISHED, needs_conll14

from gec_core.errors import ScoreError
from gec_core.human import expanded, unexpanded
from gec_core.human.ranking import item_weights
from gec_core.meta import OrderAgreement, pair_agreement, rank_differences, sentence_agreement, system_agreement
from gec_core.meta.agreement import Ties, preferences
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


def test_preferences_are_signs_of_score_differences() -> None:
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
def test_conventions_on_ties(ties: Ties, agree: int, disagree: int, pairs: int) -> None:
    found = pair_agreement(PAIRS, SCORES, ties)
    assert (found.agree, found.disagree, found.pairs) == (agree, disagree, pairs)
    assert found.tau == (agree - disagree) / pairs
    assert found.accuracy == agree / pairs


def test_without_pairs_that_matter_there_is_no_tau() -> None:
    found = pair_agreement(expanded(Judgments((said(0, "="),))), SCORES, "NoTies")
    assert (found.tau, found.accuracy) == (None, None)
    assert found.tau_interval(samples=5).skipped == 5


def test_the_bootstrap_sums_items() -> None:
    found = pair_agreement(PAIRS, SCORES, "HTies")
    assert found.by_item.tolist() == [[1, 0, 1], [0, 1, 1], [0, 0, 1], [1, 0, 1], [0, 0, 1], [1, 0, 1], [0, 0, 1]]
    weights = item_weights(7, 200, 3)
    taus = weights @ [1, -1, 0, 1, 0, 1, 0] / 7
    interval = found.tau_interval(samples=200, seed=3)
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(taus, [0.025, 0.975])))
    assert interval == found.tau_interval(samples=200, seed=3)


def test_a_judged_system_without_scores_is_named() -> None:
    with pytest.raises(ScoreError, match="No sentence scores for B"):
        pair_agreement(PAIRS, {"A": SCORES["A"]}, "HTies")
    among = PAIRS.among(["A"])
    assert pair_agreement(among, {"A": SCORES["A"]}, "HTies").pairs == 0


def test_scores_of_too_few_sentences_are_refused() -> None:
    with pytest.raises(ScoreError, match=r"up to sentence 7, but there are scores of only 5"):
        pair_agreement(PAIRS, {name: scores[:5] for name, scores in SCORES.items()}, "HTies")


def test_an_unknown_convention_is_named() -> None:
    with pytest.raises(ScoreError, match="No convention 'WMT' for ties"):
        pair_agreement(PAIRS, SCORES, "WMT")  # type: ignore[arg-type]


@needs_conll14
def test_golden_numerators_and_denominators() -> None:
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
def test_representatives_do_not_matter() -> None:
    first, drawn = (unexpanded(released.judgments(), seed=seed) for seed in (None, 1))
    assert first.first.tolist() != drawn.first.tolist()
    for metric in released.METRICS:
        for ties in ("HTies", "NoTies", "Decided"):
            scores = released.sentence_scores(metric)
            assert pair_agreement(first, scores, ties) == pair_agreement(drawn, scores, ties)


@needs_conll14
def test_table_3_of_chollampatt_and_ng_from_released_scores() -> None:
    table = released.rows(PUBLISHED / "chollampatt2018_table3.tsv")
    assert len(table) == 12
    for row in table:
        pairs = SETS[row["set"]](released.judgments())
        found = pair_agreement(pairs, released.sentence_scores(NAMES[row["metric"]]), row["variant"])  # type: ignore[arg-type]
        assert f"{found.tau:.3f}" == row["tau"]


@needs_conll14
def test_the_printed_count_of_unexpanded_pairs_without_ties_is_that_without_ties_of_gleu() -> None:
    """The paper prints 14,584 for NoTies, but its values of tau have the denominator 14,822."""
    pairs = unexpanded(released.judgments())
    assert pair_agreement(pairs, released.sentence_scores("gleu"), "NoTies").pairs == 14822
    assert pair_agreement(pairs, released.sentence_scores("gleu"), "Decided").pairs == 14584


def test_two_metrics_over_systems() -> None:
    found = system_agreement({"A": 1, "B": 2, "C": 3, "D": 3}, {"A": 2, "B": 1, "C": 3, "D": 3, "E": 9})
    assert found.order == OrderAgreement(alike=4, opposed=1, one_tied=0, both_tied=1)
    assert found.kendall.value == pytest.approx((4 - 1) / 5)
    assert found.spearman.value == pytest.approx(1 - 1 / 4.5)


def test_two_metrics_over_sentences() -> None:
    one = {"A": [0.1, 0.5, 0.5], "B": [0.2, 0.5, 0.1]}
    other = {"A": [9, 1, 2], "B": [1, 1, 2], "unscored by the other": [0, 0, 0]}
    assert sentence_agreement(one, other) == OrderAgreement(alike=0, opposed=1, one_tied=1, both_tied=1)


def test_nothing_in_common() -> None:
    assert sentence_agreement({"A": [1.0]}, {"B": [1.0]}).pairs == 0
    found = system_agreement({"A": 1.0}, {"B": 1.0})
    assert (found.kendall.value, found.order.pairs) == (None, 0)


def test_scores_of_different_corpora_are_refused() -> None:
    with pytest.raises(ScoreError, match="scores of 1 sentences, the other of 2"):
        sentence_agreement({"A": [1.0], "B": [1.0]}, {"A": [1.0, 2.0], "B": [1.0, 2.0]})


def test_arrows_say_how_much_higher_or_lower_the_metric_puts_a_system() -> None:
    found = rank_differences({"A": 0.1, "B": 0.9, "C": 0.5}, {"A": 3.0, "B": 2.0, "C": 1.0, "unscored": 9.0})
    assert [(row.system, row.metric_rank, row.human_ranks, row.arrow) for row in found.rows] == [
        ("B", 1, (2,), "↑1"),
        ("C", 2, (3,), "↑1"),
        ("A", 3, (1,), "↓2"),
    ]
    assert found.total == 4


def test_systems_with_the_same_score_share_the_better_rank() -> None:
    found = rank_differences({"A": 1.0, "B": 1.0, "C": 0.0}, {"A": 3.0, "B": 2.0, "C": 1.0})
    assert [(row.system, row.metric_rank, row.arrow) for row in found.rows] == [
        ("A", 1, "✓"),
        ("B", 1, "↑1"),
        ("C", 3, "✓"),
    ]
    assert found.total == 1


def test_of_several_human_rankings_the_nearest_counts() -> None:
    one, other = {"A": 3, "B": 2, "C": 1}, {"A": 1, "B": 3, "C": 2}
    found = rank_differences({"A": 1, "B": 2, "C": 3}, one, other)
    assert [(row.system, row.human_ranks, row.arrow) for row in found.rows] == [
        ("C", (3, 2), "↑1"),
        ("B", (2, 1), "✓"),
        ("A", (1, 3), "✓"),
    ]


def test_no_common_systems_no_differences() -> None:
    assert rank_differences({"A": 1.0}, {"B": 1.0}).total == 0


@needs_conll14
@pytest.mark.parametrize(
    ("metric", "total", "arrows"),
    [
        ("bertscore", 53, "↑9 ↑4 ↑6 ↓1 ↑5 ✓ ↓6 ↓3 ↓5 ↓2 ↑2 ↓9 ↓1"),
        ("m2", 27, "↑1 ↑2 ↓2 ↑1 ↑7 ↓3 ✓ ↓1 ↑1 ↓2 ↑2 ↓3 ↓2"),
        ("sentm2", 21, "↑3 ↓1 ✓ ↑1 ↑7 ↓3 ✓ ✓ ↑1 ↓2 ↓2 ↓1 ✓"),
        ("pt_m2", 12, "✓ ↑2 ✓ ↓1 ✓ ✓ ↓1 ↑2 ✓ ↑2 ✓ ↓4 ✓"),
    ],
)
def test_table_6_of_gong_et_al(metric: str, total: int, arrows: str) -> None:
    *table, deltas = released.rows(PUBLISHED / "gong2022_table6.tsv")
    order, wins, skill = (
        {row[column]: -float(row["rank"]) for row in table} for column in (metric, "human_ew", "human_ts")
    )
    found = rank_differences(order, wins, skill)
    assert [row.arrow for row in found.rows] == arrows.split()
    assert found.total == total == int(deltas[metric])
