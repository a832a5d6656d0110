"""Scores and pairs released with Chollampatt and Ng 2018, for the tests that check against them."""

import csv
import gzip
from functools import cache
from pathlib import Path

import numpy as np
from conftest import CONLL14, GOLDEN

from gec_core import corpora
from gec_core.types import Judgments

METRICS = ("gleu", "imeasure", "m2score")


@cache
def judgments() -> Judgments:
    return corpora.load(CONLL14).judgments  # type: ignore[return-value]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@cache
def sentence_scores(metric: str) -> dict[str, np.ndarray]:
    scores: dict[str, list[float]] = {}
    for _, _, _, system, segment, score in _fields(GOLDEN / "sentence_scores_metrics" / f"{metric}.txt.gz"):
        assert int(segment) == len(scores.setdefault(system, []))
        scores[system].append(float(score))
    return {system: np.array(values) for system, values in scores.items()}


@cache
def metric_scores(metric: str) -> dict[str, float]:
    return _system_scores(GOLDEN / "system_scores_metrics" / f"{metric}.txt.gz")


@cache
def human_scores(method: str) -> dict[str, float]:
    """`expected_wins` or `trueskill`."""
    return _system_scores(GOLDEN / "system_scores_humans" / f"{method}.txt.gz")


@cache
def pairs_csv(name: str) -> list[tuple[int, int, str, str, str, int]]:
    """Ranking id (from 1), sentence, judge, two systems and their relation, of every row of a released CSV."""
    with gzip.open(GOLDEN / "sentence_pairwiseranks_humans" / f"{name}.csv.gz", "rt", encoding="utf-8") as lines:
        return [
            (
                int(row["rankingID"]),
                int(row["segmentId"]),
                row["judgeID"],
                row["system1Id"].split(".")[1],
                row["system2Id"].split(".")[1],
                int(np.sign(int(row["system1rank"]) - int(row["system2rank"]))),
            )
            for row in csv.DictReader(lines)
        ]


def _system_scores(path: Path) -> dict[str, float]:
    return {system: float(score) for _, _, _, system, score in _fields(path)}


def _fields(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]
