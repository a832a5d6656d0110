"""Scores from files: what is read, what is refused, and that they are the numbers that were written."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gec_core.analysis.analysis import analyse_metric
from gec_core.analysis.significance import keep_resampleable
from gec_core.corpora.text import UPLOAD, TextFile
from gec_core.corpora.uploads import Upload
from gec_core.errors import CorpusError, MissingInput, ScoreError
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.scoring.imported import read, read_uploads
from gec_core.scoring.table import ScoreTable
from gec_core.types import Corpus, Pair, Sentence

CORPUS = Corpus("two", (Sentence("a"), Sentence("b")), {"A": ("a", "b"), "B": ("a", "c"), "C": ("x", "y")})


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def make(name: Any, content: Any) -> TextFile:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return TextFile(path, name, UPLOAD)

    return make


SYSTEMS = [
    ("my-metric.tsv", "system\tscore\nA\t0.5\nB\t-1e3\n"),
    ("my-metric.csv", 'system,score\n"A",0.5\nB,-1000\n'),
    ("my-metric.csv", "Score , System\r\n0.5,A\r\n\r\n-1000,B\r\n"),
    ("my-metric.txt", "system\tscore\textra\nA\t0.5\t\nB\t-1000\tx\n"),
    ("my-metric.tsv.gz", gzip.compress(b"system\tscore\nA\t.5\nB\t-1000\n")),
    ("my-metric.json", '{"scores": {"A": 0.5, "B": -1000}}'),
    ("x.json", '{"metric": "my-metric", "scores": {"A": 0.5, "B": -1000}}'),
    ("x.json", '{"rows": [{"metric": "my-metric", "system": "A", "score": 0.5}, '
               '{"metric": "my-metric", "system": "B", "score": -1000}]}'),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content"), SYSTEMS, ids=range(len(SYSTEMS)))
def test_scores_of_systems(file: Any, name: str, content: Sequence[object]) -> None:
    (metric,) = read(file(name, content))
    assert (metric.id, metric.name) == ("my-metric", "my-metric")
    column = metric.column(CORPUS)
    assert column.values == {"A": 0.5, "B": -1000.0}
    assert not column.has_sentences(["A"])
    with pytest.raises(MissingInput, match="has scores of whole systems only"):
        column.sentence_scores("A")


SENTENCES = [
    ("m.tsv", "system\tsentence\tscore\nA\t0\t1\nA\t1\t2\nB\t1\t4\nB\t0\t3\n"),
    ("m.json", '{"metric": "m", "scores": {"A": [1, 2], "B": [3, 4]}}'),
    ("m.json", json.dumps([{"system": s, "sentence": n, "score": v} for s, n, v in
                           (("A", 0, 1), ("A", 1, 2), ("B", 0, 3), ("B", 1, 4))])),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content"), SENTENCES)
def test_scores_of_sentences_and_their_mean(file: Any, name: str, content: str) -> None:
    (metric,) = read(file(name, content))
    column = metric.column(CORPUS)
    assert column.values == {"A": 1.5, "B": 3.5}
    assert column.sentence_scores("B").tolist() == [3, 4]
    assert metric.aggregate(column.systems["B"].statistics[[1, 1]]).value == 4


def test_a_score_of_the_system_comes_before_the_mean(file: Any) -> None:
    (metric,) = read(file("m.tsv", "system\tsentence\tscore\nA\t\t9\nA\t0\t1\nA\t1\t2\nB\t\t8\n"))
    column = metric.column(CORPUS)
    assert column.values == {"A": 9, "B": 8}
    assert (column.has_sentences(["A"]), column.has_sentences(["A", "B"]), column.scores_sentences) == (
        True,
        False,
        True,
    )


def test_scores_of_the_whole_corpus_serve_a_part_of_it(file: Any) -> None:
    rows = "".join(f"A\t{at}\t{at + 1}\nB\t{at}\t5\n" for at in range(4))
    whole = Corpus("four", tuple(map(Sentence, "abcd")), {"A": tuple("abcd"), "B": tuple("abcx")})
    (metric,) = read(file("m.tsv", f"system\tsentence\tscore\n{rows}"))
    column = metric.column(whole.at([1, 3]))
    assert column.sentence_scores("A").tolist() == [2, 4]
    assert column.values == {"A": 3, "B": 5}
    assert metric.column(whole.at([1, 2, 3]).at([0, 2])).sentence_scores("A").tolist() == [2, 4]
    (other,) = read(file("other.tsv", f"system\tsentence\tscore\nA\t\t9\n{rows}"))
    with pytest.raises(ScoreError, match=r"not known for a part of four"):
        other.column(whole.at([1, 3]))
    (short,) = read(file("short.tsv", "system\tsentence\tscore\n" + "".join(f"A\t{at}\t1\n" for at in range(3))))
    with pytest.raises(ScoreError, match=r"A has scores of 3 sentences, but four has 2 \(of 4 in all\)"):
        short.column(whole.at([0, 1]))


def test_several_metrics_in_one_file(file: Any) -> None:
    first, second = read(file("x.tsv", "metric\tsystem\tscore\nOne\tA\t1\nm2\tA\t2\n"))
    assert (first.id, first.name) == ("one", "One")
    assert (second.id, second.name) == ("m2-imported", "m2 (imported)")


def test_an_id_that_means_something_else_is_not_taken(file: Any) -> None:
    (metric,) = read(file("x.tsv", "metric\tsystem\tscore\nJudges!\tA\t1\n"))
    assert (metric.id, metric.name) == ("judges-imported", "Judges! (imported)")


@pytest.mark.parametrize(("given", "mean"), [("", True), ("A\t\t1.5\n", True), ("A\t\t1.6\n", False)])
def test_only_scores_that_are_means_of_sentences_are_resampled(file: Any, given: str, mean: bool) -> None:
    lines = "A\t0\t1\nA\t1\t2\nB\t0\t0\nB\t1\t1\n"
    (metric,) = read(file("m.tsv", f"system\tsentence\tscore\n{given}{lines}"))
    table = ScoreTable("two", "", (metric.column(CORPUS), score(CORPUS, [create("length")]).columns[0]))
    assert metric.averages == mean
    found = keep_resampleable(table, ["A", "B"])
    assert [column.metric.id for column in found.columns] == (["m", "length"] if mean else ["length"])
    assert ("not the means of its sentence scores" in found.problems.get("m", "")) != mean
    if mean:
        assert analyse_metric(table["m"], "A", "B").difference("B").difference == 1
    else:
        with pytest.raises(ScoreError, match="not the means of its sentence scores"):
            analyse_metric(table["m"], "A", "B")


def test_means_with_sums_in_another_order_are_the_same(file: Any) -> None:
    values = np.random.default_rng(0).random(2).tolist()
    rows = [{"system": "A", "sentence": n, "score": value} for n, value in enumerate(values)]
    (metric,) = read(file("m.json", json.dumps([*rows, {"system": "A", "score": round(sum(values) / 2, 9)}])))
    assert metric.averages


def test_the_signature_is_that_of_the_content(file: Any) -> None:
    signatures = [read(file("m.tsv", f"system\tscore\nA\t{score}\n"))[0].signature for score in ("1", "1", "2")]
    assert signatures[0] == signatures[1] != signatures[2]
    assert signatures[0].startswith("m|imported|file:")


def test_nothing_new_can_be_scored(file: Any) -> None:
    (metric,) = read(file("m.tsv", "system\tscore\nA\t1\n"))
    assert not metric.availability().ready
    with pytest.raises(MissingInput, match=r"imported from m\.tsv: new outputs cannot be scored"):
        metric.statistics([Pair(Sentence("a"), "b")])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m.tsv", "", "m.tsv:1: no column system and no column score. The first line must name the columns"),
        ("m.tsv", "system\tscore\n", "m.tsv: has no scores."),
        ("m.tsv", "system,score\nA,1\n", "m.tsv:1: no column system"),
        ("m.csv", "system,value\nA,1\n", "m.csv:1: no column score"),
        ("m.tsv", "system\tscore\nA\t1\nB\tgood\n", "m.tsv:3: found 'good' as a score; expected a number."),
        ("m.tsv", "system\tscore\nA\tnan\n", "m.tsv:2: found 'nan' as a score"),
        ("m.tsv", "system\tscore\nA\t1\t2\n", "m.tsv:2: 3 columns, but the first line names 2."),
        ("m.tsv", "system\tscore\n\t1\n", "m.tsv:2: no system is named."),
        ("m.tsv", "system\tscore\nA\t1\nA\t1\n", "m.tsv:3: A has a score above, too."),
        ("m.tsv", "system\tsentence\tscore\nA\t-1\t1\n", "m.tsv:2: found '-1' as a sentence; expected a whole number"),
        ("m.tsv", "system\tsentence\tscore\nA\t0\t1\nA\t0\t1\n", "m.tsv:3: A, sentence 0, has a score above, too."),
        ("m.tsv", "system\tsentence\tscore\nA\t0\t1\nA\t2\t1\n", "m.tsv: A has no score for sentence 1"),
        ("m.tsv", "metric\tsystem\tscore\na/b\tA\t1\n", "m.tsv:2: the metric 'a/b': remove slashes"),
        ("m.csv", 'system,score\n"A,1\n', "m.csv:2: not a table that can be read"),
        ("m.json", "{", "m.json:1: not JSON"),
        ("m.json", "7", "m.json: found '7'; expected {"),
        ("m.json", "[" * 100_000, "m.json: not a file of scores: it is nested too deeply."),
        ("m.json", '{"scores": {"A": true}}', "m.json: A: found 'True' as a score"),
        ("m.json", '{"scores": {"A": [1, null]}}', "m.json: A, sentence 1: lacks score."),
        ("m.json", '[{"system": "A"}]', "m.json: row 1: lacks score."),
        ("m.json", "[1]", "m.json: row 1: found '1'; expected {"),
        ("m.json", f'{{"scores": {{"A": 1{"0" * 400}}}}}', "m.json: A: found '1000"),
        ("m.json", f'{{"scores": {{"A": 1{"0" * 5000}}}}}', "m.json: A: found '1000"),
        ("m.json", f'[{{"system": "A", "sentence": 1{"0" * 5000}, "score": 1}}]', "m.json: row 1: found '1000"),
        ("m.tsv", "system\tscore\nA\t-1.1e15\n", "m.tsv:2: found '-1.1e15' as a score; expected a number from -1e15"),
        ("m.tsv", "system\tscore\nA\t1e400\n", "m.tsv:2: found '1e400' as a score; expected a number from -1e15"),
        ("m.tsv", "system\tscore\tScore\nA\t1\t2\n", "m.tsv:1: 2 columns are called score. Keep one of them."),
        ("m.json", '{"scores": {"A": 1, "B": 2, "A": 3}}', "m.json: 'A' occurs twice in one object."),
        ("m.json", '{"scores": {"A": 1}, "scores": {"B": 1}}', "m.json: 'scores' occurs twice in one object."),
        ("m.tsv", b"system\tscore\n\xe9\t1\n", "m.tsv:2: not UTF-8"),
    ],
)
def test_what_is_refused_with_its_place(file: Any, name: str, content: Any, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read(file(name, content))
    assert str(caught.value).startswith(message)


def test_scores_of_another_corpus(file: Any) -> None:
    (metric,) = read(file("m.tsv", "system\tscore\nX\t1\n"))
    with pytest.raises(ScoreError, match=r"scores of X, but the systems of two are A, B, C\. None is in both"):
        metric.column(CORPUS)
    (metric,) = read(file("m.json", '{"scores": {"A": [1, 2, 3]}}'))
    with pytest.raises(ScoreError, match=r"A has scores of 3 sentences, but two has 2\."):
        metric.column(CORPUS)


def test_systems_that_only_one_side_has(file: Any) -> None:
    (metric,) = read(file("m.tsv", "system\tscore\nA\t1\nX\t1\n"))
    assert metric.unknown(CORPUS) == ["X"]
    assert list(metric.column(CORPUS).systems) == ["A"]


def test_uploads_are_read_one_by_one() -> None:
    good = Upload("m.tsv", b"system\tscore\nA\t1\n")
    found, findings = read_uploads([good, Upload("bad.tsv", b"x"), Upload("again/m.tsv", good.data)], ["other"])
    assert [metric.id for metric in found] == ["m"]
    assert [finding.message.split(":")[0] for finding in findings] == ["bad.tsv", "again/m.tsv"]
    assert "m is imported already" in findings[1].message


def test_scores_stay_exact(file: Any) -> None:
    values = np.random.default_rng(0).normal(size=2).tolist()
    lines = "".join(f"A\t{number}\t{value}\n" for number, value in enumerate(values))
    (metric,) = read(file("m.tsv", f"system\tsentence\tscore\n{lines}"))
    assert metric.column(CORPUS).sentence_scores("A").tolist() == values
