"""Scoring on a Dask cluster: the same numbers, and clear words when the cluster is not what it should be."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gec_core import corpora
from gec_core.cli import main
from gec_core.errors import ScoreError
from gec_core.metrics import create
from gec_core.metrics.m2 import M2
from gec_core.scoring import score
from gec_core.store import Store

distributed = pytest.importorskip("distributed", reason="pip install '.[cluster]'")
OVERLAP = ["m2", "sentm2", "imeasure", "gleu", "bleu", "green"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", protocol="tcp://"
    ) as running:
        yield running.scheduler_address


def test_a_cluster_gives_the_same_numbers(cluster: Any, tmp_path: Path) -> None:
    corpus = corpora.load("demo")
    metrics = [create(id) for id in OVERLAP]
    store = Store(tmp_path / "store.sqlite")
    here, there = score(corpus, metrics), score(corpus, metrics, store=store, workers=cluster)
    for mine, theirs in zip(here.columns, there.columns, strict=True):
        assert mine.values == theirs.values
        for system in corpus.systems:
            assert mine.sentence_scores(system).tolist() == theirs.sentence_scores(system).tolist()


def test_the_command_line_takes_a_scheduler(cluster: Any, capsys: pytest.CaptureFixture[str]) -> None:
    results = []
    for where in (["--scheduler", cluster], ["--workers", "1"]):
        assert main(["score", "--corpus", "demo", "--metric", "m2,gleu", "--no-store", "--format", "json", *where]) == 0
        results.append(json.loads(capsys.readouterr().out))
    assert results[0] == results[1]


def test_a_scheduler_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gec_core.scoring.parallel.PATIENCE", 0.2)
    with pytest.raises(ScoreError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        score(corpora.load("demo"), [create("m2")], workers="tcp://127.0.0.1:9")


def test_a_cluster_without_workers() -> None:
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", protocol="tcp://") as empty,
        pytest.raises(ScoreError, match="has no workers"),
    ):
        score(corpora.load("demo"), [create("m2")], workers=empty.scheduler_address)


def test_a_cluster_of_other_versions_is_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gec_core.scoring.parallel._versions", lambda asked: {"numpy": os.getpid()})
    with pytest.raises(ScoreError, match="other versions"):
        score(corpora.load("demo"), [create("m2")], workers=cluster)


def test_a_cluster_that_would_score_under_another_signature_is_refused(cluster: Any) -> None:
    """Such as one with another English pipeline, or other weights of a model."""

    class HereAndThere(M2):
        @property
        def statistics_signature(self) -> str:
            return f"made in process {os.getpid()}"

    told = rf"m2: made in process \d+ instead of made in process {os.getpid()}\)"
    with pytest.raises(ScoreError, match=told):
        score(corpora.load("demo"), [HereAndThere()], workers=cluster)


def test_a_cluster_of_other_packages_is_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gec_core.scoring.parallel.packages", lambda: {"numba": "0.1"})
    with pytest.raises(ScoreError, match=r"numba: [\d.]+ instead of 0\.1"):
        score(corpora.load("demo"), [create("m2")], workers=cluster)
