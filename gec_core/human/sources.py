"""The human rankings that are available for a corpus, by name.

`ew` and `ts` are computed from the chosen judgments of the corpus, `mean` from ratings, `given` is its human.tsv, and
published rankings are available for the corpus that they are about.
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
from gec_core.human.pairs import Pairs, expanded, from_ratings, unexpanded
from gec_core.human.ranking import Method, Ranking, from_scores, rank
from gec_core.types import Corpus

PairSet = Literal["expanded", "unexpanded"]
MODELS: dict[str, Method] = {"ew": "ew", "ts": "ts"}
GIVEN, MEAN = "given", "mean"
NAMES = {MEAN: "Mean rating", "ew": "Expected Wins", "ts": "TrueSkill", GIVEN: "human.tsv"}
FOLDER = bundled("data", "published", "human")


@dataclass(frozen=True)
class PublishedRanking:
    """A ranking from a paper."""

    id: str
    title: str
    label: str
    """A short title, for rows that name the corpus already."""
    source: str
    corpus: str
    """The name of the corpus whose systems it ranks."""
    ranking: Ranking
    order_only: bool
    """Only ranks were published: scores are negated ranks, which are valid for rank correlations only."""


def available(corpus: Corpus) -> dict[str, str]:
    """The names of the rankings that are available for this corpus, with their titles.

    Mean ratings that come with the project are for those who lack the ratings.
    """
    names = [MEAN] if corpus.ratings else []
    names += list(MODELS) if corpus.judgments else []
    names += [GIVEN] if corpus.human else []
    fitting = {
        id: one.title
        for id, one in published().items()
        if _is_about(one, corpus) and not (corpus.ratings and one.title.startswith(NAMES[MEAN]))
    }
    return {name: NAMES[name] for name in names} | fitting


def judged_pairs(
    corpus: Corpus,
    which: PairSet,
    *,
    judges: Collection[str] = (),
    systems: Collection[str] | None = None,
    threshold: float = 0.0,
) -> Pairs:
    """The pairs of the judgments of a corpus, of all judges or of these.

    Args:
        corpus: The corpus.
        which: Expanded or unexpanded pairs.
        judges: Use the judgments of these judges only.
        systems: Pair only these systems. An unexpanded pair has the first of the systems with an output that is among
            them, so that no output is lost.
        threshold: The difference up to which two ratings count as a tie; no effect on rankings.

    Raises:
        MissingInput: The corpus has no judgments.
    """
    if corpus.ratings is not None and threshold:
        pairs = from_ratings(corpus.ratings, threshold)
        return pairs if systems is None else pairs.among(systems)
    if not corpus.judgments:
        raise MissingInput(
            f"{corpus.name} has no judgments (judgments.xml or judgments.csv). "
            f"Rankings that it has: {', '.join(available(corpus)) or 'none'}."
        )
    judgments = corpus.judgments.by(judges) if judges else corpus.judgments
    judgments = judgments if systems is None else judgments.among(systems)
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
    if name == MEAN:
        if corpus.ratings is None:
            raise MissingInput(
                f"{corpus.name} has no ratings{_chosen(corpus)}. "
                f"Rankings that it has: {', '.join(available(corpus)) or 'none'}."
            )
        return from_scores(corpus.ratings.means, MEAN)
    if name == GIVEN:
        if not corpus.human:
            raise MissingInput(
                f"{corpus.name} has no human.tsv with a ranking. "
                f"Rankings that it has: {', '.join(available(corpus)) or 'none'}."
            )
        return from_scores(corpus.human, GIVEN)
    if name not in published():
        known = ", ".join(available(corpus)) or "none"
        raise MissingInput(f"No human ranking {name!r}. There are: {known}; or name a file (ranking.tsv).")
    one = published_ranking(name)
    if not _is_about(one, corpus):
        raise MissingInput(
            f"{name} ranks the systems of {one.corpus}, not of {corpus.name}. "
            f"Rankings of {corpus.name}: {', '.join(available(corpus)) or 'none'}."
        )
    return one.ranking


@cache
def published() -> dict[str, PublishedRanking]:
    """All published rankings by id."""
    return {row["id"]: _read(row) for row in _rows(FOLDER / "rankings.tsv")}


def published_ranking(id: str) -> PublishedRanking:
    """The published ranking with this id."""
    known = published()
    if id not in known:
        raise ScoreError(f"No published ranking {id!r}. There are: {', '.join(known)}.")
    return known[id]


def _is_about(one: PublishedRanking, corpus: Corpus) -> bool:
    """Whether a published ranking is about this corpus.

    A corpus under a name of its own counts if it has most of the systems; two corpora of the catalogue may have
    systems of the same name.
    """
    if corpus.name in {each.corpus for each in published().values()}:
        return one.corpus == corpus.name
    ranked = set(one.ranking.systems) - {"INPUT"}
    return one.corpus == "conll14" and len(ranked & set(corpus.systems)) > len(ranked) / 2


def _chosen(corpus: Corpus) -> str:
    return f" among the judgments {corpus.chosen_set}" if corpus.chosen_set else ""


def _read(entry: dict[str, str]) -> PublishedRanking:
    rows = _rows(FOLDER / f"{entry['id']}.tsv")
    order_only = "score" not in rows[0]
    scores = {row["system"]: -float(row["rank"]) if order_only else float(row["score"]) for row in rows}
    ranking = from_scores(scores, entry["id"])
    named = {name: entry[name] for name in ("id", "title", "label", "source", "corpus")}
    return PublishedRanking(**named, ranking=ranking, order_only=order_only)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))
