"""The tables that are carried, and what the causes claim about them alone."""

from typing import Any

import pytest
from conftest import PUBLISHED, needs_conll14

from gec_core.human import published_ranking
from gec_core.meta import correlate
from gec_core.papers.rows import FOLDER, table


@needs_conll14
def test_tables_are_carried_as_they_were_typed_in() -> None:
    for path in PUBLISHED.glob("*.tsv"):
        assert (FOLDER / path.name).read_text(encoding="utf-8") == path.read_text(encoding="utf-8"), path.name


def felice(number: int, column: str) -> dict[str, float]:
    rows = table(f"felice2015_table{number}")
    return {row["system"]: float(row[column]) for row in rows}


@pytest.mark.parametrize("record", table("felice2015_text"), ids=lambda record: record["value"])
def test_what_felice_and_briscoe_say_of_their_tables_follows_from_the_printed_columns(record: dict[str, Any]) -> None:
    columns = {"m2_f05": felice(10, "f05_original"), "f05": felice(11, "f05"), "i": felice(11, "i")}
    value = correlate(columns[record["one"]], columns[record["other"]], record["coefficient"]).value
    assert f"{value:.4f}" == record["value"]


def ranks(column: str) -> dict[str, float]:
    return {row[column]: -float(row["rank"]) for row in table("islam2021_table5")}


@pytest.mark.parametrize(
    ("metric", "column"), [("M2", "m2"), ("GLEU", "gleu"), ("Scribendi", "scribendi"), ("SOME", "some")]
)
def test_what_islam_and_magnanis_table_2_has_under_pearson_are_rank_correlations(metric: str, column: str) -> None:
    (record,) = (row for row in table("islam2021_tables") if row["table"] == "2" and row["metric"] == metric)
    value = correlate(ranks(column), published_ranking("napoles2015").ranking.scores, "spearman").value
    assert f"{value:.3f}" == record["pearson"]


def test_table_5_of_islam_and_magnani_repeats_the_order_of_felice_and_briscoes_table_11() -> None:
    names = [row["system"].replace("BASELINE", "INPUT") for row in table("felice2015_table11")]
    assert [row["i_measure"] for row in table("islam2021_table5")] == names
