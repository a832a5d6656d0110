"""The human rankings that can be had for a corpus, by name.

`ew` and `ts` are computed from its judgments, `given` is its human.tsv, and the published ones are there
for whoever has outputs of the systems they rank.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from gec_core.errors import MissingInput
from gec_core.human import trueskill
from gec_core.human.pairs import Pairs, expanded, unexpanded
from gec_core.human.published import published, published_ranking
from gec_core.human.ranking import Method, Ranking, from_scores, rank
from gec_core.types import Corpus

PairSet = Literal["expanded", "unexpanded"]
MODELS: dict[str, Method] = {"ew": "ew", "ts": "ts"}
GIVEN = "given"
NAMES = {"ew": "Expected Wins", "ts": "TrueSkill", GIVEN: "human.tsv"}


def available(corpus: Corpus) -> dict[str, str]:
    """Names of the rankings that this corpus allows, with their titles."""
    names = list(MODELS) if corpus.judgments else []
    names += [GIVEN] if corpus.human else []
    fitting = {id: one.title for id, one in published().items() if set(corpus.systems) & set(one.ranking.systems)}
    return {name: NAMES[name] for name in names} | fitting


def judged_pairs(corpus: Corpus, which: PairSet, *, judges: Collection[str] = ()) -> Pairs:
    """The pairs that the judges of the corpus compared, or some of the judges."""
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
    """The human ranking of that name; runs, seed and bootstrap samples are for those made from judgments."""
    if name in MODELS:
        pairs = judged_pairs(corpus, which, judges=judges)
        return rank(pairs, MODELS[name], runs=runs, seed=seed, samples=samples)
    if name == GIVEN:
        if not corpus.human:
            raise MissingInput(f"{corpus.name} has no human.tsv with a ranking.")
        return from_scores(corpus.human, GIVEN)
    if name not in published():
        known = ", ".join([*NAMES, *published()])
        raise MissingInput(f"No human ranking {name!r}. There are: {known}; or name a file (ranking.tsv).")
    return published_ranking(name).ranking
