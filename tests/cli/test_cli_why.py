"""`why` as a person or a script would call it."""

import json
from typing import Any

import pytest
from errant_cases import no_pipeline  # noqa: F401

from gec_core.cli import main

PAIR = ("why", "--corpus", "demo", "--systems", "FLUENT,CAREFUL")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture(autouse=True)
def _quick(request: pytest.FixtureRequest) -> None:
    """Edits are token differences: nothing is parsed."""
    request.getfixturevalue("no_pipeline")


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, err = run(capsys, *PAIR, *arguments, "--format", "json")
    assert code == 0, err
    return json.loads(out)


def test_contributions_of_a_side_sum_to_its_gap(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--metric", "m2,gleu", "--human", "ew", "--by", "fate")
    assert found["systems"] == ["FLUENT", "CAREFUL"]
    assert [side["side"] for side in found["sides"]] == ["m2", "gleu", "ew"]
    for side in found["sides"]:
        assert side["gap"] == pytest.approx(side["scores"][0] - side["scores"][1])
        for part in ("sentences", "edits", "groups"):
            assert sum(each["contribution"] for each in side[part]) == pytest.approx(side["gap"], abs=1e-9)
        assert abs(side["residual"]) < 1e-9
        assert set(side["edits"][0]) >= {
            *("sentence", "system", "start", "end", "correction", "type", "fate", "contribution")
        }
        assert set(side["groups"][0]) >= {"by", "name", "contribution", "share", "edits", "sentences"}
    drawn = [each for each in found["sides"][1]["sentences"] if each["sentence"] is None]
    assert len(drawn) == 1  # GLEU's drawn references, which no sentence contributes
    assert "drawn" in drawn[0]["name"]
    assert found["words"]
    assert {each["kind"] for each in found["counterfactuals"]} == {"without sentences", "without edits"}


def test_the_sentence_level_alone(capsys: pytest.CaptureFixture[str]) -> None:
    (side,) = answer(capsys, "--metric", "m2", "--level", "sentence")["sides"]
    assert side["edits"] == side["groups"] == []
    assert side["sentences"]


def test_only_the_strongest(capsys: pytest.CaptureFixture[str]) -> None:
    (side,) = answer(capsys, "--metric", "sentm2", "--top", "3")["sides"]
    sizes = [abs(each["contribution"]) for each in side["sentences"]]
    assert len(sizes) == len(side["edits"]) == 3
    assert sizes == sorted(sizes, reverse=True)


def test_words_and_groups_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *PAIR, "--metric", "m2,gleu", "--by", "fate")
    assert code == 0, err
    assert out.startswith("M² puts FLUENT ")
    assert "M² favours " in out
    assert "edits FLUENT" in out
    assert "the gap" in out
    assert "What would turn the order around" in out
    assert "counted from 1" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--systems", "FLUENT", "--metric", "m2"), "name two systems"),
        (("--systems", "FLUENT,NOBODY", "--metric", "m2"), "no system NOBODY"),
        (("--systems", "FLUENT,FLUENT", "--metric", "m2"), "the same system"),
        (("--systems", "FLUENT,CAREFUL"), "Name a metric"),
        (("--systems", "FLUENT,CAREFUL", "--human", "given"), "human.tsv"),
    ],
)
def test_what_cannot_be_split_is_told(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    code, _, err = run(capsys, "why", "--corpus", "demo", *arguments)
    assert code == 2
    assert message in err
