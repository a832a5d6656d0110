"""The bench that tries to break a metric: the changes are what they say, and known metrics fail where they should."""

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gec_core import corpora
from gec_core.cli import main
from gec_core.corpora.text import TextFile
from gec_core.errors import MissingInput
from gec_core.meta.stress import StressCard, stress
from gec_core.meta.stress_cases import KINDS, StressCase, cases
from gec_core.metrics import create
from gec_core.metrics.base import Metric, Score
from gec_core.scoring.imported import read
from gec_core.types import Array, Corpus, Pair, Sentence


@pytest.fixture(scope="module")
def demo() -> Corpus:
    return corpora.load("demo")


@pytest.fixture(scope="module")
def made(demo: Corpus) -> list[StressCase]:
    return cases(demo, each=20)


def of(made: Sequence[StressCase], kind: str) -> list[StressCase]:
    found = [case for case in made if case.kind == kind]
    assert found
    return found


def test_every_kind_has_cases_and_they_are_always_the_same(demo: Corpus, made: list[StressCase]) -> None:
    assert {case.kind for case in made} == set(KINDS)
    assert made == cases(demo, each=20)
    assert made != cases(demo, each=20, seed=1)


def test_nothing_that_should_be_worse_is_a_reference(made: list[StressCase]) -> None:
    for case in made:
        if case.effect == "down" and case.kind != "system-":
            assert case.after not in case.sentence.references


def test_changes_are_what_they_say(made: list[StressCase]) -> None:
    for case in of(made, "repeat"):
        tokens = case.after.split()
        assert len(tokens) == len(case.before.split()) + 1
        assert any(one == two for one, two in itertools.pairwise(tokens))
    for case in of(made, "negation"):
        assert abs(case.after.split().count("not") - case.before.split().count("not")) == 1
    for case in of(made, "tokens"):
        assert case.after.replace(" ", "") == case.before.replace(" ", "")
    for case in of(made, "copy"):
        assert case.after == case.sentence.source
    for case in [*of(made, "split"), *of(made, "merge")]:
        assert case.before == case.after
        assert case.sentence_after is not None
        assert case.sentence_after.annotations != case.sentence.annotations
    for case in of(made, "unseen"):
        assert case.after not in case.sentence.references


class Perfect(Metric):
    """A metric that knows the answers: overlap with the references, and blind to tokenisation."""

    id, name, family, summary, reads = "perfect", "Perfect", "overlap", "", "references"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return [np.array([float(output in sentence.references)]) for sentence, output in pairs]

    def aggregate(self, statistics: Array) -> Score:
        return Score(float(statistics.mean()))

    def sentence_scores(self, statistics: Array) -> Array:
        return statistics[:, 0]


class Beside(Perfect):
    """A metric that looks at peers: right, and not all systems are."""

    id, by_peers = "beside", True


def shares(card: StressCard) -> dict[str, float | None]:
    return {each.kind: each.right for each in card.kinds}


def test_known_strengths_and_failures(demo: Corpus) -> None:
    found = stress(demo, [Perfect(), create("m2"), create("length"), Beside()], each=12)
    perfect, m2, length = (shares(card) for card in found.cards[:3])
    assert all(perfect[kind] == 1 for kind in ("undo", "add", "repeat", "negation", "number", "name", "case", "copy"))
    assert perfect["tokens"] == 0
    assert m2["undo"] == m2["repeat"] == 1
    assert m2["tokens"] == 0
    assert length["repeat"] == 0  # a longer output is a better one
    assert length["split"] is None  # it does not read gold edits
    assert shares(found.cards[3])["undo"] == 1  # scored beside the outputs of the systems
    worst = next(each for each in found.cards[2].kinds if each.kind == "repeat").failures()[0]
    assert worst.after > worst.before


def test_imported_scores_take_part_where_both_texts_are_outputs(demo: Corpus, tmp_path: Path) -> None:
    lines = ["system\tsentence\tscore"]
    for system, outputs in demo.systems.items():
        for line, output in enumerate(outputs):
            lines.append(f"{system}\t{line}\t{float(output in demo.sentences[line].references)}")
    (tmp_path / "mine.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    [metric] = read(TextFile.at(tmp_path / "mine.tsv"))
    [card] = stress(demo, [metric], each=10).cards
    counts = {each.kind: each.cases for each in card.kinds}
    assert counts["system+"] == 10
    assert counts["undo"] == 0
    assert all(each.after <= each.before for kind in card.kinds if kind.kind == "system-" for each in kind.moved)


def test_a_corpus_without_references_is_refused() -> None:
    bare = Corpus("bare", (Sentence("a b"),), {"A": ("a b",)})
    with pytest.raises(MissingInput, match="has no references"):
        stress(bare, [create("length")])


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "stress",
        "--corpus",
        "demo",
        "--metric",
        "gleu",
        "--each",
        "5",
        "--kinds",
        "undo,tokens",
        "--no-store",
    ]
    assert main([*arguments, "--format", "json", "--examples", "1"]) == 0
    [card] = json.loads(capsys.readouterr().out)["cards"]
    assert [row["kind"] for row in card["rows"]] == ["undo", "tokens"]
    assert card["rows"][0]["right"] == 1
    assert card["failures"][0]["kind"] == "tokens"
    assert main([*arguments, "--format", "markdown"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "| `gleu` | 0.50 | 1.00 | 0.00 |"
    assert main(["stress", "--corpus", "demo", "--metric", "gleu", "--kinds", "nothing"]) == 2
    assert main(["stress", "--list"]) == 0
    assert "one right edit undone" in capsys.readouterr().out
