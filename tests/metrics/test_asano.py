# mypy: disable-error-code="attr-defined, union-attr"
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_models
from conftest import score_one, sentence

from gec_core.metrics.blocks import Explanation
from gec_core.types import Pair

pytest.importorskip("wordfreq")
pytest.importorskip("harper")
pytest.importorskip("snowballstemmer")

from gec_core.errors import OptionError
from gec_core.metrics import create
from gec_core.metrics.asano import fluency
from gec_core.metrics.asano.meaning import WordNet, content_words, matched
from gec_core.metrics.blocks import Facts
from gec_core.models import causal_lm
from gec_core.models.causal_lm import load_lm
from gec_core.scoring import score
from gec_core.store import Store
from gec_core.types import Corpus, Sentence

SOURCE = "It is unfair to release a law only point to the genetic disorder ."


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_models.causal_lm(tmp_path_factory.mktemp("asano") / "tiny"))


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    for part in ("verb", "adj", "adv"):
        (tmp_path / f"index.{part}").write_text("")
    (tmp_path / "index.noun").write_text("illness n 1 0 1 0 11\ndisease n 1 0 1 0 11\nlaw n 1 0 1 0 12\n")
    return tmp_path


def test_content_words_are_not_function_words() -> None:
    assert content_words(SOURCE.split()) == ["unfair", "release", "law", "point", "genetic", "disorder"]


@pytest.mark.parametrize(
    ("output", "source", "without", "with_synonyms"),
    [
        ("law law", "law", 1, 1),
        ("laws released", "law releases", 2, 2),
        ("illnesses", "disease", 0, 1),
        ("illness disease", "diseases", 1, 1),
        ("illness law", "law disease", 1, 2),
        ("", "law", 0, 0),
    ],
)
def test_words_match_by_stem_then_by_synonym(
    output: str, source: str, without: int, with_synonyms: int, wordnet: Path
) -> None:
    assert matched(output.split(), source.split(), None) == without
    assert matched(output.split(), source.split(), WordNet(wordnet)) == with_synonyms


def test_meaning_is_the_papers_mean_of_precision_and_recall() -> None:
    metric = create("asano-meaning")
    # "It is unfair to pass a law .": 2 of its 3 content words are in the source, which has 6.
    expected = (2 / 3) * (2 / 6) / (0.85 * (2 / 3) + 0.15 * (2 / 6))
    assert score_one(metric, Sentence(SOURCE), "It is unfair to pass a law .").value == pytest.approx(expected)
    assert score_one(metric, Sentence(SOURCE), SOURCE).value == 1


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [("law", "", 0), ("", "law", 0), ("", "", 1), ("it is", "he was", 1), ("law", "cat", 0)],
)
def test_meaning_where_there_are_no_content_words(source: str, output: str, expected: int) -> None:
    metric = create("asano-meaning")
    assert metric.sentence_scores(np.array(metric.statistics([Pair(Sentence(source), output)])))[0] == expected


def test_the_folder_of_wordnet_is_part_of_the_signature(wordnet: Path) -> None:
    metric = create("asano-meaning", {"wordnet": str(wordnet)})
    assert "|synonyms:wordnet-" in metric.signature
    assert metric.label == "Asano: meaning · with WordNet"
    assert score_one(metric, Sentence("a disease"), "an illness").value == 1
    assert "no WordNet found" in create("asano-meaning", {"wordnet": "/nowhere"}).availability().how


def test_grammar_is_one_minus_errors_per_token() -> None:
    metric = create("asano-grammar")
    scored = score_one(metric, Sentence("x"), "This is an test of the the linter .")
    assert scored.value == pytest.approx(1 - 2 / 9)
    assert scored.details == {"errors": 2, "tokens": 9}
    assert score_one(metric, Sentence("x"), "This is a sentence .").value == 1
    assert score_one(metric, Sentence("x"), "").value == 0
    assert metric.signature.startswith("asano-grammar|v1|checker:harper-")
    assert metric.label == "Asano: grammar · Harper"


def test_fluency_is_the_gain_over_single_words(tiny: str) -> None:
    metric = create("asano-fluency", {"model": tiny})
    output = "the cat sat ."
    (nats,) = load_lm(metric.place).nats(["the cat sat."])
    gain = (-nats.sum() - fluency.log_probability(output.split())) / 4
    corpus = Corpus("c", (Sentence("x"),), {"s": (output,)})
    statistics = score(corpus, [metric]).columns[0].systems["s"].statistics
    (details,) = metric.sentence_details(statistics)
    assert details["before_cut_off"] == pytest.approx(gain / math.log(10))
    assert metric.sentence_scores(statistics)[0] == pytest.approx(min(1, max(0, gain / math.log(10))))


def test_fluency_is_cut_off_at_0_and_1() -> None:
    metric = create("asano-fluency")
    rows = np.array([[-50.0, -40, 10, 12], [-10, -33.02585, 10, 12], [-10, -100, 10, 12], [0, 0, 0, 0]])
    assert metric.sentence_scores(rows) == pytest.approx([0, 1, 1, 0])
    assert metric.aggregate(rows).details == {"cut_off": 2}
    natural = create("asano-fluency", {"base": str(math.e)})
    assert natural._raw(rows)[1] == pytest.approx(2.302585)


def test_the_mix_is_that_of_its_parts(tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "store.sqlite")
    corpus = Corpus("c", (Sentence(SOURCE),) * 3, {"s": ("It is unfair to pass a law .", "", SOURCE)})
    ids = ("asano-grammar", "asano-fluency", "asano-meaning")
    parts = [create(id, {"model": tiny} if id == "asano-fluency" else {}) for id in ids]
    columns = score(corpus, parts, store=store).columns
    monkeypatch.setattr(causal_lm, "load_lm", lambda place: pytest.fail("the model was used twice"))
    weights = {"grammar": "0.2", "fluency": "0.5", "meaning": "0.3"}
    metric = create("asano", {"model": tiny, **weights})
    scored = score(corpus, [metric], store=store).columns[0].systems["s"]
    values = [column.systems["s"].score.value for column in columns]
    assert scored.score.value == pytest.approx(float(np.dot([0.2, 0.5, 0.3], values)))
    assert scored.score.details == {
        "grammar": pytest.approx(values[0]),
        "fluency": pytest.approx(values[1]),
        "meaning": pytest.approx(values[2]),
    }
    first, empty, _ = metric.sentence_details(scored.statistics)
    assert empty == {"grammar": 0, "fluency": 0, "meaning": 0}
    assert metric.sentence_scores(scored.statistics)[0] == pytest.approx(
        0.2 * first["grammar"] + 0.5 * first["fluency"] + 0.3 * first["meaning"]
    )


def test_weights_must_add_up_to_one(tiny: str) -> None:
    with pytest.raises(OptionError, match=r"grammar \+ fluency \+ meaning must be 1, but is 1\.5"):
        create("asano", {"grammar": "0.51"})
    assert sum(create("asano").weights) == pytest.approx(1)


def test_the_signature_names_all_that_the_score_depends_on(tiny: str) -> None:
    metric = create("asano", {"model": tiny})
    signature = metric.signature.split("|")
    assert signature[:5] == ["asano", "v1", "grammar:0.01", "fluency:0.75", "meaning:0.24"]
    names = [part.split(":")[0] for part in signature[5:]]
    assert names == ["checker", "model", "detokenise", "base", "words", "synonyms", "t"]
    assert metric.label == "Asano et al. · tiny, Harper"
    missing = create("asano", {"model": "no/such-model"})
    assert missing.label == "Asano et al."
    assert "no/such-model is not on this machine" in missing.availability().how


def test_long_outputs_are_scored(tiny: str) -> None:
    metric = create("asano", {"model": tiny})
    assert 0 <= score_one(metric, sentence(SOURCE), "law " * 2000).value <= 1


def values(explanation: Explanation) -> dict[Any, Any]:
    return {name: value for block in explanation.all(Facts) for name, value in block.values.items()}


def test_asanos_parts_and_their_own_explanations(tiny: str) -> None:
    metric = create("asano", {"model": tiny})
    if not metric.availability().ready:
        pytest.skip(metric.availability().how)
    found = metric.explain(Sentence("He is going school ."), "He is going to school .")
    titles = [block.title for block in found.blocks]
    assert titles[0] == "Three parts and their weights"
    assert {title.split(":")[0] for title in titles[1:]} == {"Grammar", "Fluency", "Meaning"}
    parts = [value.split(" × ") for value in found.blocks[0].values.values()]
    assert sum(float(value) * float(weight) for value, weight in parts) == pytest.approx(found.score, abs=1e-3)
    assert values(found)["content words of the output"] == "going, school"
