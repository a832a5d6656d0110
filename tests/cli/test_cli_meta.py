"""`human`, `rank` and `meta`: the rows that programs read, and what cannot be computed."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import CONLL14, golden, needs_conll14

from gec_core.cli import main


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code = main([*arguments, "--format", "json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Three systems of which two were judged, and a judged one that has no outputs."""
    (tmp_path / "systems").mkdir()
    (tmp_path / "references").mkdir()
    (tmp_path / "source.txt").write_text("a b\nc d\n")
    (tmp_path / "references" / "r.txt").write_text("a x\nc d\n")
    for name, text in {"A": "a x\nc d\n", "B": "a b\nc d\n", "UNJUDGED": "a y\nc d\n"}.items():
        (tmp_path / "systems" / f"{name}.txt").write_text(text)
    (tmp_path / "judgments.xml").write_text(
        '<r><ranking-item src-id="0" user="j"><translation rank="1" system="A"/>'
        '<translation rank="2" system="B"/><translation rank="3" system="GONE"/></ranking-item></r>'
    )
    return tmp_path


def test_rows_of_human(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "human", "--corpus", "demo", "--bootstrap", "50")
    assert set(found["rows"][0]) == {"system", "score", "rank", "rank_low", "rank_high", "cluster"}
    assert [row["rank"] for row in found["rows"]] == list(range(1, 8))
    assert found["rows"][0]["system"] == "FLUENT"


def test_a_system_that_was_not_judged_is_kept_without_a_score(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    found = answer(capsys, "human", "--corpus", str(small), "--bootstrap", "5")
    assert [(row["system"], row["score"]) for row in found["rows"]] == [
        ("A", 1.0),
        ("B", 0.5),
        ("GONE", 0.0),
        ("UNJUDGED", None),
    ]


def test_mismatches_are_named(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    assert main(["human", "--corpus", str(small)]) == 0
    told = capsys.readouterr().err
    assert "without outputs" in told
    assert "GONE" in told
    assert "never judged, so without a human score: UNJUDGED" in told


def test_some_systems_keep_the_ranks_they_have_among_all(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    found = answer(capsys, "human", "--corpus", "demo", "--systems", "INPUT", "--systems", "FLUENT", "--bootstrap", "5")
    assert [(row["system"], row["rank"]) for row in found["rows"]] == [("FLUENT", 1), ("INPUT", 5)]
    assert main(["human", "--corpus", "demo", "--systems", "INPUT"]) == 0
    assert "without outputs" not in capsys.readouterr().err


def test_a_ranking_from_a_file(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    (small / "mine.tsv").write_text("A\t1\nB\t3\nUNJUDGED\t2\n")
    found = answer(capsys, "human", "--corpus", str(small), "--method", str(small / "mine.tsv"))
    assert [(row["system"], row["rank"]) for row in found["rows"]] == [("B", 1), ("UNJUDGED", 2), ("A", 3)]


def test_one_judge_alone(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "human", "--corpus", "demo", "--judges", "judge-a-made-up", "--bootstrap", "5")
    assert len(found["rows"]) == 7


def test_the_same_seed_gives_the_same_trueskill(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("human", "--corpus", "demo", "--method", "ts", "--runs", "3", "--bootstrap", "3", "--seed")
    assert answer(capsys, *command, "4") == answer(capsys, *command, "4")
    assert answer(capsys, *command, "4") != answer(capsys, *command, "5")


def test_rank_sums_the_differences(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "rank", "--corpus", "demo", "--metric", "m2,gleu", "--human", "ew")
    for metric, total in found["sums"].items():
        rows = [row for row in found["rows"] if row["metric"] == metric]
        assert sum(abs(row["rank"] - row["human_rank"]) for row in rows) == total


def test_rank_as_a_table_ends_with_the_sum(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", "--corpus", "demo", "--metric", "m2,gleu"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("sum")


def test_rows_of_meta_at_system_level(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "meta", "--corpus", "demo", "--metric", "m2,gleu", "--human", "ew", "--window", "4")
    row = found["rows"][0]
    assert {"metric", "human", "pearson", "spearman", "kendall", "n", "pearson_low", "pearson_high"} <= set(row)
    assert row["pearson_low"] <= row["pearson"] <= row["pearson_high"]
    assert {"better", "worse", "coefficient", "p"} <= set(found["williams"][0])
    assert [(row["first"], row["last"]) for row in found["windows"][:4]] == [(1, 4), (2, 5), (3, 6), (4, 7)]


def test_systems_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    everything = answer(capsys, "meta", "--corpus", "demo", "--metric", "m2")["rows"][0]
    fewer = answer(capsys, "meta", "--corpus", "demo", "--metric", "m2", "--without", "FLUENT")["rows"][0]
    best = answer(capsys, "meta", "--corpus", "demo", "--metric", "m2", "--top", "4")["rows"][0]
    assert (everything["n"], fewer["n"], best["n"]) == (7, 6, 4)
    assert fewer["pearson"] > everything["pearson"]


def test_a_constant_metric_has_no_correlation_and_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = answer(capsys, "meta", "--corpus", "demo", "--metric", "constant")["rows"]
    assert row["pearson"] is None
    assert row["reason"] == "one side gives all systems the same score"
    assert main(["meta", "--corpus", "demo", "--metric", "constant"]) == 0
    told = capsys.readouterr().out
    assert "nan" not in told.lower()
    assert "undefined" in told


def test_too_few_systems_are_said(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    found = answer(capsys, "meta", "--corpus", str(small), "--metric", "m2,gleu")
    assert "2 systems in common" in found["rows"][0]["reason"]
    assert "at least 4" in found["williams"][0]["reason"]


@pytest.mark.parametrize("level", ["system", "sentence"])
def test_without_a_bootstrap_there_are_no_intervals(capsys: pytest.CaptureFixture[str], level: str) -> None:
    asked = ["meta", "--corpus", "demo", "--metric", "m2", "--level", level]
    none, some = (answer(capsys, *asked, "--bootstrap", samples)["rows"] for samples in ("0", "20"))
    ends = [name for name in none[0] if name.endswith(("low", "high"))]
    assert len(ends) == (6 if level == "system" else 2)
    assert all(row[name] is None for row in none for name in ends)
    assert all(row[name] is not None for row in some for name in ends)
    assert [row.get("pearson", row.get("tau")) for row in none] == [row.get("pearson", row.get("tau")) for row in some]


def test_rows_of_meta_at_sentence_level(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "meta", "--corpus", "demo", "--metric", "m2", "--level", "sentence", "--bootstrap", "20")
    assert {(row["set"], row["variant"]) for row in found["rows"]} >= {
        (pairs, variant) for pairs in ("expanded", "unexpanded") for variant in ("HTies", "NoTies")
    }
    for row in found["rows"]:
        assert {"metric", "set", "variant", "agree", "disagree", "pairs", "tau", "low", "high"} <= set(row)
        assert row["tau"] == pytest.approx((row["agree"] - row["disagree"]) / row["pairs"])


def test_sentence_level_takes_one_set_of_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("meta", "--corpus", "demo", "--metric", "m2", "--level", "sentence", "--bootstrap", "2")
    both = answer(capsys, *command)["rows"]
    one = answer(capsys, *command, "--set", "unexpanded")["rows"]
    assert [row for row in both if row["set"] == "unexpanded"] == one


@pytest.mark.parametrize("option", [("--top", "3"), ("--window", "3"), ("--human", "ts"), ("--runs", "3")])
def test_options_without_effect_on_sentences_are_refused(
    capsys: pytest.CaptureFixture[str], option: tuple[str, str]
) -> None:
    assert main(["meta", "--corpus", "demo", "--metric", "m2", "--level", "sentence", *option]) == 2
    assert f"{option[0]}: no effect on --level sentence" in capsys.readouterr().err


def test_a_window_larger_than_the_ranking(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta", "--corpus", "demo", "--metric", "m2", "--window", "8"]) == 2
    assert "--window 8: people rank only 7 of the systems" in capsys.readouterr().err


def test_tsv_has_tests_windows_and_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta", "--corpus", "demo", "--metric", "m2,constant", "--window", "6", "--format", "tsv"]) == 0
    tables = capsys.readouterr().out.split("\n\n")
    heads = [table.splitlines()[0].split("\t") for table in tables]
    assert [head[0] for head in heads] == ["metric", "better", "metric"]
    assert all("reason" in head for head in heads[:2])
    assert tables[0].splitlines()[2].endswith("one side gives all systems the same score")
    assert len(tables[2].splitlines()) == 5


def test_a_corpus_without_judgments_says_what_it_has(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    (small / "judgments.xml").unlink()
    assert main(["meta", "--corpus", str(small), "--metric", "m2"]) == 2
    assert "has no judgments" in capsys.readouterr().err


@needs_conll14
@pytest.mark.parametrize(
    ("metric", "definition", "options"),
    [
        ("gleu", "recomputed repr", ()),
        ("m2", "recomputed last annotator", ("--option", "m2.sentence=last")),
        ("m2", "max over annotators per sentence", ("--option", "m2.sentence=max")),
        ("m2", "annotator chosen by cumulative corpus F", ("--option", "m2.sentence=chosen")),
    ],
)
def test_sentence_agreement_equals_the_golden_integers(
    capsys: pytest.CaptureFixture[str], metric: str, definition: str, options: tuple[str, ...]
) -> None:
    """From raw text and raw judgments to the numerators and denominators of Kendall's tau."""
    (expected,) = (row for row in golden("kendall.tsv") if (row["metric"], row["definition"]) == (metric, definition))
    command = ("meta", "--corpus", str(CONLL14), "--metric", metric, *options, "--level", "sentence")
    rows = {(row["set"], row["variant"]): row for row in answer(capsys, *command, "--bootstrap", "2")["rows"]}
    for short, which in (("exp", "expanded"), ("unexp", "unexpanded")):
        for variant in ("HTies", "NoTies"):
            row = rows[which, variant]
            found = f"{row['agree'] - row['disagree']}/{row['pairs']}"
            assert found == expected[f"{short}_{variant.lower()}_num/den"]
