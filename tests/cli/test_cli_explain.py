"""`explain` and `disagree` as a person or a script would call them."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import CONLL14, needs_conll14
from errant_cases import needs_errant, no_pipeline  # noqa: F401

from gec_core.cli import main
from gec_core.errors import MissingInput
from gec_core.metrics.gleu import Gleu
from gec_core.scoring.precomputed import ScoresOnly
from gec_core.types import CorpusInfo, Sentence

EAGER = ("explain", "--corpus", "demo", "--system", "EAGER", "--sentence", "1")
PAIR = ("disagree", "--corpus", "demo", "--a", "m2", "--b", "gleu")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, err = run(capsys, *arguments, "--format", "json")
    assert code == 0, err
    return json.loads(out)


@pytest.mark.parametrize("argument", ["--workers=2", "--scheduler=tcp://127.0.0.1:9"])
def test_one_sentence_is_explained_here(capsys: pytest.CaptureFixture[str], argument: str) -> None:
    with pytest.raises(SystemExit):
        main((*EAGER, "--metric", "m2", argument))
    assert f"unrecognized arguments: {argument}" in capsys.readouterr().err


@pytest.mark.usefixtures("no_pipeline")
def test_credits_beside_the_metrics_own_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, *EAGER, "--metric", "imeasure")
    credit = found["credit"]
    assert set(credit) == {"score", "source_score", "error", "edits", "exact"}
    assert {frozenset(edit) for edit in credit["edits"]} == {
        frozenset({"start", "end", "correction", "type", "credit"})
    }
    assert sum(edit["credit"] for edit in credit["edits"]) == pytest.approx(credit["score"] - credit["source_score"])
    assert (credit["error"], credit["exact"], found["edits_by"]) == (0, True, "token differences")
    assert found["explanation"]["score"] == credit["score"]
    assert found["explanation"]["blocks"][0]["kind"] == "columns"
    assert found["signature"] == "imeasure|v1|mode:nomix|compat:false|beta:0.5"
    assert (found["system"], found["sentence"], found["corpus"]) == ("EAGER", 1, "demo")
    assert "against" not in found


@pytest.mark.usefixtures("no_pipeline")
def test_the_difference_to_another_system(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, *EAGER, "--metric", "m2", "--against", "REPEAT")
    difference = found["difference"]
    value = found["credit"]["score"] - found["against"]["credit"]["score"]
    assert difference["value"] == pytest.approx(value) == sum(edit["credit"] for edit in difference["edits"])
    shared = [edit["correction"] for edit in difference["edits"] if None not in (edit["first"], edit["second"])]
    assert shared == ["works", "a"]
    assert found["words"][0] == "Both change `work` to `works` and insert `a` before `nurse`."


@pytest.mark.usefixtures("no_pipeline")
@pytest.mark.parametrize("metric", ["m2", "imeasure", "gleu", "bleu", "green", "length"])
def test_text_for_people(capsys: pytest.CaptureFixture[str], metric: str) -> None:
    code, out, _ = run(capsys, *EAGER, "--metric", metric, "--against", "INPUT")
    assert code == 0
    assert out.startswith("demo, sentence 1 (counted from 0)\nsource  My mother work as nurse")
    assert "Credits of its edits (exact; edits by token differences)" in out
    assert "EAGER − INPUT = " in out
    assert "none: the output is the source" in out
    assert "INPUT leaves the sentence as it is." in out
    assert f"  {metric}: {metric}|v1" in out


@needs_errant
def test_gotoscorer_is_explained_among_the_other_systems(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, *EAGER, "--metric", "gotoscorer")
    assert found["credit"]["score"] == pytest.approx(5 / 9), "TP and FP weigh the same, nothing is missed"
    assert found["credit"]["edits"][0]["type"] == "R:VERB:SVA"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--system", "NOBODY", "--sentence", "1", "--metric", "m2"), "demo: no system NOBODY"),
        (
            ("--system", "EAGER", "--sentence", "86", "--metric", "m2"),
            "no sentence 86. Sentences are counted from 0",
        ),
        (
            ("--system", "EAGER", "--sentence", "1", "--metric", "m2,gleu"),
            "explain takes one --metric, not 2: m2, gleu",
        ),
        (("--system", "EAGER", "--sentence", "1", "--metric", "m2", "--against", "NO"), "demo: no system NO"),
    ],
)
def test_what_cannot_be_explained_is_told(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    code, _, err = run(capsys, "explain", "--corpus", "demo", *arguments)
    assert code == 2
    assert told in err


def test_a_corpus_without_its_texts_cannot_be_explained(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = ScoresOnly("bare", (Sentence(""),), {"EAGER": ("",)}, info=CorpusInfo(notice="The texts are not here."))
    monkeypatch.setattr("gec_core.cli.explain.corpus_from", lambda given: bare)
    code, _, err = run(capsys, "explain", "--corpus", "bare", "--system", "EAGER", "--sentence", "0", "--metric", "m2")
    assert (code, "The texts are not here." in err) == (2, True)


def test_disagreements_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, *PAIR, "--top", "3")
    assert found["a"] == {"metric": "m2", "signature": "m2|v1|beta:0.5|max_unchanged:2|sentence:max"}
    assert len(found["rows"]) == 3
    assert {"sentence", "better_by_a", "better_by_b", "strength"} <= set(found["rows"][0])
    for row in found["rows"]:
        assert row["better_by_a"] in row["systems_a"]
        assert row["better_by_a"] not in row["systems_b"]
        assert row["score_a_better"] > row["score_a_worse"]
        assert row["difference_b"] == pytest.approx(row["score_b_better"] - row["score_b_worse"])
    strengths = [row["strength"] for row in found["rows"]]
    assert strengths == sorted(strengths, reverse=True)
    assert found["counts"]["opposed"] > 3
    assert found["by_systems"][0]["opposed"] > 0
    for tally in found["by_system"]:
        assert tally["for_a"] + tally["for_b"] == tally["opposed"]
    assert found["by_type"] == []


def test_pairs_that_one_side_ties(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, *PAIR, "--tied", "a", "--top", "5")
    assert len(found["rows"]) == 5
    for row in found["rows"]:
        assert (row["better_by_a"], row["difference_a"]) == (None, 0)
        assert row["score_b_better"] > row["score_b_worse"]
        assert row["better_by_b"] in row["outputs"][0] + row["outputs"][1]


def test_a_metric_that_fails_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Any, pairs: Any) -> None:
        raise MissingInput("Its weights are gone.")

    monkeypatch.setattr(Gleu, "statistics", fail)
    code, _, err = run(capsys, *PAIR, "--no-store")
    assert code == 2
    assert "gec-lens: gleu is left out. Its weights are gone." in err


def test_a_store_that_fails_is_told_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "file"))
    arguments = ("--system", "EAGER", "--against", "FLUENT", "--sentence", "1", "--metric", "m2")
    code, _, err = run(capsys, "explain", "--corpus", "demo", *arguments)
    assert code == 0
    assert err.count("cannot be used") == 1


def test_judges_can_be_one_side(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "disagree", "--corpus", "demo", "--a", "judges", "--b", "gleu", "--unanimous", "--top", "5")
    assert found["a"] == {"metric": "judges", "signature": None}
    for row in found["rows"]:
        assert row["votes_a"][0] == row["votes_a"][2]
        assert row["score_a_better"] is None


def test_systems_are_a_filter(capsys: pytest.CaptureFixture[str]) -> None:
    everything = answer(capsys, *PAIR, "--top", "1000")["rows"]
    two = answer(capsys, *PAIR, "--top", "1000", "--systems", "EAGER,FLUENT")["rows"]
    kept = [row for row in everything if {row["better_by_a"], row["better_by_b"]} == {"EAGER", "FLUENT"}]
    assert two
    assert [row for row in two if row in everything] == two
    assert len(two) >= len(kept)


def test_tables(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *PAIR, "--top", "2")
    assert code == 0
    assert out.splitlines()[0].split() == [
        "sentence",
        "better_by_a",
        "better_by_b",
        "strength",
        "difference_a",
        "difference_b",
    ]
    assert "pairs of different outputs they order" in out
    assert "Most disputed systems" in out
    code, out, _ = run(capsys, *PAIR, "--top", "2", "--format", "tsv")
    assert len(out.splitlines()) == 3
    assert out.splitlines()[0].endswith("score_b_better\tscore_b_worse")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--a", "m2", "--b", "m2"), "name two different metrics"),
        (("--a", "m2", "--b", "nothing"), "No metric 'nothing'"),
        (("--a", "m2", "--b", "gleu", "--systems", "EAGER,NO"), "No system NO here"),
    ],
)
def test_what_cannot_disagree_is_told(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    code, _, err = run(capsys, "disagree", "--corpus", "demo", *arguments)
    assert code == 2
    assert told in err


def test_without_judgments_there_are_no_judges(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"s.txt": "a b\n", "r.txt": "a c\n", "x.txt": "a c\n", "y.txt": "a d\n"}.items():
        (tmp_path / name).write_text(text)
    loose = ("--source", "s.txt", "--ref", "r.txt", "--hyp", "X=x.txt", "--hyp", "Y=y.txt")
    code, _, err = run(capsys, "disagree", *loose, "--a", "m2", "--b", "judges")
    assert (code, "has no judgments" in err) == (2, True)


@pytest.mark.usefixtures("no_pipeline")
def test_error_types_need_errant(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, *PAIR, "--by-type")
    assert code == 2
    assert "Error types come from ERRANT, which cannot run here." in err


@needs_errant
def test_error_types(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, *PAIR, "--by-type")
    assert {"R:NOUN:NUM", "M:DET"} <= {tally["what"] for tally in found["by_type"]}
    only = answer(capsys, *PAIR, "--type", "M:DET")
    assert 0 < only["counts"]["opposed"] < found["counts"]["opposed"]


@needs_conll14
def test_real_reversals(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "disagree", "--corpus", str(CONLL14), "--a", "m2", "--b", "gleu", "--top", "50")
    assert len(found["rows"]) == 50
    assert found["counts"]["opposed"] == 2273
