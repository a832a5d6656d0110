import pytest
import released
from conftest import PUBLISHED, needs_conll14

from gec_core.meta import rank_differences


def test_arrows_say_how_much_higher_or_lower_the_metric_puts_a_system():
    found = rank_differences({"A": 0.1, "B": 0.9, "C": 0.5}, {"A": 3.0, "B": 2.0, "C": 1.0, "unscored": 9.0})
    assert [(row.system, row.metric_rank, row.human_ranks, row.arrow) for row in found.rows] == [
        ("B", 1, (2,), "↑1"),
        ("C", 2, (3,), "↑1"),
        ("A", 3, (1,), "↓2"),
    ]
    assert found.total == 4


def test_systems_with_the_same_score_share_the_better_rank():
    found = rank_differences({"A": 1.0, "B": 1.0, "C": 0.0}, {"A": 3.0, "B": 2.0, "C": 1.0})
    assert [(row.system, row.metric_rank, row.arrow) for row in found.rows] == [
        ("A", 1, "✓"),
        ("B", 1, "↑1"),
        ("C", 3, "✓"),
    ]
    assert found.total == 1


def test_of_several_human_rankings_the_nearest_counts():
    one, other = {"A": 3, "B": 2, "C": 1}, {"A": 1, "B": 3, "C": 2}
    found = rank_differences({"A": 1, "B": 2, "C": 3}, one, other)
    assert [(row.system, row.human_ranks, row.arrow) for row in found.rows] == [
        ("C", (3, 2), "↑1"),
        ("B", (2, 1), "✓"),
        ("A", (1, 3), "✓"),
    ]


def test_no_common_systems_no_differences():
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
def test_table_6_of_gong_et_al(metric, total, arrows):
    *table, deltas = released.rows(PUBLISHED / "gong2022_table6.tsv")
    order, wins, skill = (
        {row[column]: -float(row["rank"]) for row in table} for column in (metric, "human_ew", "human_ts")
    )
    found = rank_differences(order, wins, skill)
    assert [row.arrow for row in found.rows] == arrows.split()
    assert found.total == total == int(deltas[metric])
