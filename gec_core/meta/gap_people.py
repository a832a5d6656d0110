"""People as sides of a comparison of two systems: their rankings, ratings and sets of judgments by name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from gec_core.errors import GecLensError
from gec_core.human.sources import MEAN, NAMES, PairSet, judged_pairs, ranking_for
from gec_core.meta.gap_sentences import Gap, people_gap, ratings_gap
from gec_core.types import Corpus


def people_gaps(
    corpus: Corpus,
    first: str,
    second: str,
    rankings: Sequence[str],
    *,
    which: PairSet = "expanded",
    judges: Collection[str] = (),
) -> tuple[list[Gap], dict[str, str]]:
    """The gaps in the eyes of people, and why one that was asked for is not there.

    Args:
        corpus: The corpus.
        first: The system A.
        second: The system B.
        rankings: The names of rankings: `ew`, `ts` or `mean` of the chosen judgments, or a set of judgments of the
            corpus (`SET` or `SET:ts`; a set alone means `mean` for ratings, and `ew` for all others).
        which: The pairs that are made of rankings.
        judges: Only what these judges said; empty: all.
    """
    gaps: list[Gap] = []
    problems = {}
    for name in rankings:
        try:
            gaps.append(_people_gap(corpus, first, second, name, which, judges))
        except GecLensError as problem:
            problems[name] = str(problem)
    return gaps, problems


def _people_gap(corpus: Corpus, first: str, second: str, name: str, which: PairSet, judges: Collection[str]) -> Gap:
    chosen, _, method = name.partition(":")
    judged, title = corpus, ""
    if chosen in corpus.judgment_sets:
        judged, title = corpus.judged_by(chosen), f"{corpus.judgment_sets[chosen].title or chosen}, "
        method = method or (MEAN if judged.ratings else "ew")
    else:
        method = name
    label = f"People ({title}{NAMES.get(method, method)})"
    if method == MEAN and judged.ratings is not None:
        return ratings_gap(judged.ratings, first, second, side=name, label=label)
    pairs = judged_pairs(judged, which, judges=judges)
    ranked = ranking_for(judged, method, which=which, judges=judges)
    return replace(people_gap(pairs, ranked, first, second, sentences=len(corpus), label=label), side=name)
