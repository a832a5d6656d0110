"""Human rankings as others published them: facts to set beside what is computed here."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gec_core.errors import ScoreError
from gec_core.human.ranking import Ranking, from_scores

FOLDER = Path(__file__).resolve().parents[2] / "data" / "published" / "human"


@dataclass(frozen=True)
class Published:
    """A ranking from a paper."""

    id: str
    title: str
    source: str
    ranking: Ranking
    order_only: bool
    """Only ranks were published: scores are negated ranks, of use for rank correlations alone."""


@cache
def published() -> dict[str, Published]:
    """All published rankings by id."""
    return {row["id"]: _read(row) for row in _rows(FOLDER / "rankings.tsv")}


def published_ranking(id: str) -> Published:
    """The published ranking of this id."""
    known = published()
    if id not in known:
        raise ScoreError(f"No published ranking {id!r}. There are: {', '.join(known)}.")
    return known[id]


def _read(entry: dict[str, str]) -> Published:
    rows = _rows(FOLDER / f"{entry['id']}.tsv")
    order_only = "score" not in rows[0]
    scores = {row["system"]: -float(row["rank"]) if order_only else float(row["score"]) for row in rows}
    return Published(entry["id"], entry["title"], entry["source"], from_scores(scores, entry["id"]), order_only)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))
