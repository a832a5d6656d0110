"""The human rankings that are available for a corpus, by name.

`ew` and `ts` are computed from the judgments of the corpus, `given` is its human.tsv, and published rankings are
available for corpora with outputs of the systems that they rank.
"""

from __future__ import annotations

import csv
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from gec_core.environment import bundled
from gec_core.errors import MissingInput, ScoreError
from gec_core.human import trueskill
from gec_core.human.pairs import Pairs, expanded, unexpanded
from gec_core.human.ranking import Method, Ranking, from_scores, rank
from gec_core.types import Corpus

PairSet = Literal["expanded", "unexpanded"]
MODELS: dict[str, Method] = {"ew": "ew", "ts": "ts"}
GIVEN = "given"
NAMES = {"ew": "Expected Wins", "ts": "TrueSkill", GIVEN: "human.tsv"}
FOLDER = bundled("data", "published", "human")


@dataclass(frozen=True)
class Published:
    """A ranking from a paper."""

    id: str
    title: str
    source: str
    ranking: Ranking
    order_only: bool
    """Only ranks were published: scores are negated ranks, which are valid for rank correlations only."""


def available(corpus: Corpus) -> dict[str, str]:
    """The names of the rankings that are available for this corpus, with their titles."""
    names = list(MODELS) if corpus.judgments else []
    names += [GIVEN] if corpus.human else []
    fitting = {id: one.title for id, one in published().items() if set(corpus.systems) & set(one.ranking.systems)}
    return {name: NAMES[name] for name in names} | fitting


def judged_pairs(corpus: Corpus, which: PairSet, *, judges: Collection[str] = ()) -> Pairs:
    """The pairs of the judgments of a corpus, of all judges or of these.

    Raises:
        MissingInput: The corpus has no judgments.
    """
    if not corpus.judgments:
        raise MissingInput(
            f"{corpus.name} has no judgments (judgments.xml or judgments.csv). "
            f"Rankings that it has: {', '.join(available(corpus)) or 'none'}."
        )
    judgments = corpus.judgments.by(judges) if judges else corpus.judgments
    return expanded(judgments) if which == "expanded" else unexpanded(judgments)


def ranking_for(
    corpus: Corpus,
    name: str,
    *,
    which: PairSet = "expanded",
    judges: Collection[str] = (),
    runs: int = trueskill.RUNS,
    seed: int = 0,
    samples: int = 0,
) -> Ranking:
    """The human ranking with this name.

    Args:
        corpus: The corpus whose systems are ranked.
        name: A name that `available` returns.
        which: Expanded or unexpanded pairs, for rankings made from judgments.
        judges: Use the judgments of these judges only.
        runs: TrueSkill runs.
        seed: The seed of TrueSkill and of the bootstrap.
        samples: Bootstrap samples for rank ranges and clusters.

    Raises:
        MissingInput: There is no such ranking for this corpus.
    """
    if name in MODELS:
        pairs = judged_pairs(corpus, which, judges=judges)
        return rank(pairs, MODELS[name], runs=runs, seed=seed, samples=samples)
    if name == GIVEN:
        if not corpus.human:
            raise MissingInput(
                f"{corpus.name} has no human.tsv with a ranking. "
                f"Rankings that it has: {', '.join(available(corpus)) or 'none'}."
            )
        return from_scores(corpus.human, GIVEN)
    if name not in published():
        known = ", ".join([*NAMES, *published()])
        raise MissingInput(f"No human ranking {name!r}. There are: {known}; or name a file (ranking.tsv).")
    return published_ranking(name).ranking


@cache
def published() -> dict[str, Published]:
    """All published rankings by id."""
    return {row["id"]: _read(row) for row in _rows(FOLDER / "rankings.tsv")}


def published_ranking(id: str) -> Published:
    """The published ranking with this id."""
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
