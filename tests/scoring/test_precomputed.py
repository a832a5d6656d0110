# mypy: disable-error-code="union-attr"
"""Scores without texts: written, found by key, and shown as a corpus that can be ranked but not read."""

import json
from pathlib import Path

import pytest
from conftest import sentence

from gec_core import shipped
from gec_core.errors import MissingInput
from gec_core.meta.gap import compare
from gec_core.meta.gap_edits import BYS
from gec_core.metrics import create
from gec_core.scoring import distinct_rows, missing, precomputed, score
from gec_core.store import Store
from gec_core.types import Corpus
from tools import precompute

REAL = shipped.all_precomputed


@pytest.fixture
def corpus() -> Corpus:
    sentences = tuple(sentence(f"a b c {word}", f"a x c {word}") for word in "defg")
    outputs = {"A": tuple(f"a x c {word}" for word in "defg"), "B": tuple(f"a b c {word}" for word in "defg")}
    return Corpus("conll14", sentences, outputs)


@pytest.fixture
def folder(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """M2 and GLEU of the corpus, precomputed."""
    rows, about, keys = {}, {}, {}
    for metric in (create("m2"), create("gleu")):
        keys[metric.reads], rows[metric.statistics_signature] = distinct_rows(corpus, metric)
        about[metric.statistics_signature] = {"metrics": [metric.id], "seconds": 0.1}
    shipped.write(tmp_path / "conll14", corpus, keys, rows, about)
    found = shipped.all_precomputed(tmp_path)
    monkeypatch.setattr(shipped, "all_precomputed", lambda: found)
    return tmp_path


def test_whoever_has_the_texts_finds_the_rows(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "scores.sqlite")
    assert missing(corpus, create("m2"), store) == 0
    assert missing(corpus, create("green"), store) == 8


def test_a_system_more_costs_only_its_own_pairs(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    more = Corpus("mine", corpus.sentences, {**corpus.systems, "NEW": ("a y c d", *corpus.systems["A"][1:])})
    assert missing(more, create("m2"), Store(tmp_path / "scores.sqlite")) == 1


def test_without_a_store_everything_is_computed(corpus: Corpus, folder: Path) -> None:
    assert missing(corpus, create("m2"), None) == 8


def test_without_texts_the_gap_is_split_into_the_same_groups(
    corpus: Corpus, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped, "all_precomputed", lambda where=folder: REAL.__wrapped__(where))
    precompute.precompute_credits(corpus, ["m2", "gleu"], folder)
    assert set(shipped.all_precomputed()) == {"conll14", "conll14-credits"}
    metrics = [create("m2"), create("gleu")]
    told = [compare(each, "A", "B", metrics) for each in (corpus, precomputed.scores_only("conll14"))]  # type: ignore[arg-type]
    for with_texts, without in zip(*(each.sides for each in told), strict=True):
        assert without.gap.contributions.tolist() == with_texts.gap.contributions.tolist()
        for by in BYS:
            assert without.edits.groups(by) == with_texts.edits.groups(by)
        assert {made.edit.correction for made in without.edits.edits.made} == {None}
    assert told[1].words == told[0].words


def test_without_texts_there_are_the_same_scores(corpus: Corpus, folder: Path) -> None:
    bare = precomputed.scores_only("conll14")
    assert all(not one.source for one in bare.sentences)
    metrics = [create("m2"), create("sentm2"), create("gleu")]
    for with_texts, without in zip(score(corpus, metrics).columns, score(bare, metrics).columns, strict=True):  # type: ignore[arg-type]
        assert with_texts.values == without.values
        assert with_texts.sentence_scores("A").tolist() == without.sentence_scores("A").tolist()


def test_a_metric_that_is_not_there_is_said(folder: Path) -> None:
    with pytest.raises(MissingInput, match="conll14: GREEN is not among the scores"):
        score(precomputed.scores_only("conll14"), [create("green")])  # type: ignore[arg-type]


def test_a_corpus_is_opened_with_its_texts_where_they_are(folder: Path) -> None:
    assert precomputed.open_corpus("demo").sentences[0].source
    assert not precomputed.open_corpus("conll14").has_texts


def test_nothing_of_the_texts_is_in_the_files(corpus: Corpus, folder: Path) -> None:
    for path in (folder / "conll14").iterdir():
        assert b"a b c d" not in path.read_bytes()


def test_seconds_are_those_of_the_run_that_computed_the_rows(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second run finds all rows in the store: it takes no time worth writing down, and keeps what was measured."""
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "cache"))
    signature, manifest = create("m2").statistics_signature, tmp_path / "out" / "conll14" / shipped.MANIFEST
    precompute.precompute(corpus, ["m2"], tmp_path / "out")
    written = json.loads(manifest.read_text())
    assert written["signatures"][signature]["seconds"] >= 0
    written["signatures"][signature]["seconds"] = 123.4
    manifest.write_text(json.dumps(written))
    shipped.all_precomputed.cache_clear()
    precompute.precompute(corpus, ["m2", "sentm2"], tmp_path / "out")
    again = json.loads(manifest.read_text())["signatures"][signature]
    assert (again["metrics"], again["seconds"]) == (["m2", "sentm2"], 123.4)


@pytest.mark.parametrize("name", ["demo", "demo-credits", "conll14", "conll14-credits", "conll14-papers"])
def test_what_is_shipped_can_be_read(name: str) -> None:
    one = shipped.all_precomputed()[name]
    for signature, about in one.manifest["signatures"].items():
        assert len(one.rows(signature)) > 0, about
