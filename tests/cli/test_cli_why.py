"""`why` as a person or a script would call it."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from errant_cases import no_pipeline  # noqa: F401

import gec_core as gec
from gec_core.align.edits import apply_edits
from gec_core.cli import main
from gec_core.cli.why import _warning_of_length
from gec_core.meta.edit_fates import PairEdits
from gec_core.types import Edit, Progress

DEMO = Path(__file__).parents[2] / "data" / "demo"
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
        assert sum(each["share"] for each in side["groups"]) == pytest.approx(1)
    drawn = [each for each in found["sides"][1]["sentences"] if each["sentence"] is None]
    assert len(drawn) == 1  # GLEU's drawn references, which no sentence contributes
    assert "drawn" in drawn[0]["name"]
    assert found["words"]
    assert {each["kind"] for each in found["counterfactuals"]} == {"without sentences", "without edits"}


SIDE = ("side", "signature", "scores", "ranks", "gap", "residual", "sentences", "edits", "groups")
EDIT = ("sentence", "system", "start", "end", "correction", "type", "fate", "contribution")
GROUP = ("by", "name", "contribution", "share", "edits", "sentences")


def test_the_schema_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--metric", "m2,sentm2", "--human", "ew")
    assert list(found) == ["systems", "sides", "counterfactuals", "words"]
    for side in found["sides"]:
        assert tuple(side) == SIDE
        assert {tuple(each) for each in side["sentences"]} == {("sentence", "contribution")}
        assert {tuple(each) for each in side["edits"]} == {EDIT}
        assert {tuple(each) for each in side["groups"]} == {GROUP}


def test_two_rankings_by_people_are_one_side(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--human", "ew,ts", "--level", "sentence")
    assert [side["side"] for side in found["sides"]] == ["ew"]
    assert "by Expected Wins" in found["words"][0]
    assert "by TrueSkill" in found["words"][0]


def test_shares_of_a_negative_gap_sum_to_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--metric", "m2")["sides"][0]
    assert found["gap"] < 0
    for group in found["groups"]:
        assert group["share"] == pytest.approx(group["contribution"] / found["gap"])


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
    assert " than M² does" in out
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
        (("--systems", "FLUENT,CAREFUL", "--metric", "m2", "--human", "foo"), "no human ranking 'foo'. There are: ew"),
    ],
)
def test_what_cannot_be_split_is_told(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    code, _, err = run(capsys, "why", "--corpus", "demo", *arguments)
    assert code == 2
    assert message in err


def test_counterfactuals_hold_when_scored_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = answer(capsys, "--metric", "sentm2,green", "--by", "fate")
    first, second = found["systems"]
    made = gec.compare("demo", first, second, ["sentm2"], counterfactuals=False).edits
    assert made is not None
    corpus = gec.corpus("demo")
    checked = set()
    for each in found["counterfactuals"]:
        command = ["score", "--corpus", "demo"]
        if each["kind"] == "without sentences":
            assert each["flips"]
            kept = [str(line + 1) for line in range(len(corpus)) if line not in each["sentences"]]
            command += ["--sentences", ",".join(kept)]
        else:
            folder = tmp_path / f"{each['side']}-{each['name']}"
            shutil.copytree(DEMO, folder, ignore=shutil.ignore_patterns("judgments*", "human*"))
            for system in found["systems"]:
                outputs = without(corpus, system, made, each["name"])
                (folder / "systems" / f"{system}.txt").write_text("\n".join(outputs) + "\n", encoding="utf-8")
            command = ["score", "--corpus", str(folder)]
        pair = ("--systems", ",".join(found["systems"]))
        code, out, err = run(capsys, *command, *pair, "--metric", each["side"], "--format", "json")
        assert code == 0, err
        scores = {row["system"]: row["score"] for row in json.loads(out)["rows"]}
        assert [scores[system] for system in found["systems"]] == pytest.approx(each["after"], abs=1e-12)
        checked.add(each["kind"])
    assert checked == {"without sentences", "without edits"}


def without(corpus: gec.Corpus, system: str, made: PairEdits, fate: str) -> list[str]:
    """The outputs of a system without its edits of one fate."""
    kept: dict[int, list[Edit]] = {}
    for place, edit, became in made.made:
        if place.system == system and became != fate:
            kept.setdefault(place.line, []).append(Edit(edit.start, edit.end, edit.correction or ""))
    return [apply_edits(sentence.source, kept.get(line, ())) for line, sentence in enumerate(corpus.sentences)]


SOURCES = ("he go home .", "she go out .")
FIRST, SECOND = ("he goes home .", "she go out ."), ("he go home .", "she goes out .")
LONG = " ".join(f"w{number}" for number in range(400))
MANY = " ".join(f"{'w' if number % 4 else 'x'}{number}" for number in range(400))


@pytest.mark.parametrize(
    ("sources", "first", "second", "said"),
    [
        (SOURCES, FIRST, FIRST, "A and B have the same outputs, so there is no difference to explain."),
        (SOURCES, FIRST, SECOND, "BLEU puts A level with B (1st and 1st); Length ratio puts the two level"),
        (SOURCES[:1], FIRST[:1], SECOND[:1], "BLEU puts A above B by 0.6464"),
        ((LONG,), (MANY,), (LONG,), "BLEU puts A above B"),
    ],
    ids=["equal outputs", "equal scores", "a single sentence", "400 tokens and 100 edits"],
)
def test_odd_pairs_have_a_defined_answer(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    sources: tuple[str, ...],
    first: tuple[str, ...],
    second: tuple[str, ...],
    said: str,
) -> None:
    right = tuple(MANY if text == LONG else text.replace(" go ", " goes ") for text in sources)
    files = written(tmp_path, source=sources, A=first, B=second, right=right)
    command = ["why", "--source", files["source"], "--hyp", f"A={files['A']}", "--hyp", f"B={files['B']}"]
    command += ["--ref", files["right"], "--systems", "A,B", "--metric", "bleu,length"]
    code, out, err = run(capsys, *command)
    assert code == 0, err
    assert said in out
    code, out, _ = run(capsys, *command, "--format", "json")
    for side in json.loads(out)["sides"]:
        for part in ("sentences", "edits", "groups"):
            assert sum(each["contribution"] for each in side[part]) == pytest.approx(side["gap"], abs=1e-9)


def test_without_references_metrics_that_need_some_are_left_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = written(tmp_path, source=SOURCES, A=FIRST, B=SECOND)
    command = ("why", "--source", files["source"], "--hyp", f"A={files['A']}", "--hyp", f"B={files['B']}")
    code, out, err = run(capsys, *command, "--systems", "A,B", "--metric", "m2,length")
    assert code == 0
    assert out.startswith("Length ratio puts A level with B")
    assert "m2 is left out" in err
    code, _, err = run(capsys, *command, "--systems", "A,B", "--metric", "m2")
    assert code == 2
    assert "M² needs references" in err


def test_imported_scores_are_split_into_sentences_only(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = [f"{name}\t{line}\t{line / 2}" for name in ("FLUENT", "CAREFUL") for line in range(86)]
    path = tmp_path / "mine.tsv"
    path.write_text("\n".join(["system\tsentence\tscore", *rows[:-1], "CAREFUL\t85\t0"]), encoding="utf-8")
    (side,) = answer(capsys, "--scores", str(path))["sides"]
    assert [each["sentence"] for each in side["sentences"]] == [85]
    assert side["edits"] == side["groups"] == []
    assert "sentences only" in side["problem"]


def written(folder: Path, **files: tuple[str, ...]) -> dict[str, str]:
    """Files of lines, by name."""
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {name: str(folder / name) for name in files}


def test_what_takes_long_is_told_once_though_it_began_quickly(capsys: pytest.CaptureFixture[str]) -> None:
    """300 texts are known, and each of the other 500 takes a second."""
    seen: list[Progress] = []
    follow = _warning_of_length(seen.append)
    for done in range(0, 300, 100):
        follow(Progress("Slow", done, 800, done / 1000))
    for done in range(300, 800):
        follow(Progress("Slow", done, 800, done - 300 + 0.3))
    for done in range(800):
        follow(Progress("Quick", done, 800, done / 40))
    assert len(seen) == 3 + 500 + 800
    (told,) = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"gec-lens: Slow: 49\d texts are still to be read, which takes about \d min\. .*", told)
