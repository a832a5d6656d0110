"""Compare two systems: why metrics, and people, put one above the other."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from gec_core.api import arguments
from gec_core.api.corpus import as_corpus
from gec_core.api.metric import Scorer, as_scorer
from gec_core.api.results import scored
from gec_core.corpora.text import TextFile
from gec_core.errors import InputError
from gec_core.meta.gap import Comparison, Level, compare_scored
from gec_core.meta.gap_edits import BYS, By
from gec_core.meta.gap_sentences import check_pair, people_gaps
from gec_core.scoring.imported import Imported, read
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Corpus, Progress, ignore

if TYPE_CHECKING:
    from gec_core.human.sources import PairSet

__all__ = ["Comparison", "compare"]


def compare(
    corpus: Corpus | str | Path,
    a: str,
    b: str,
    metrics: str | Scorer | Sequence[str | Scorer] = (),
    *,
    human: str | Sequence[str] = (),
    level: Level = "edit",
    by: By = "type",
    set: PairSet = "expanded",
    judges: Collection[str] = (),
    scores: Iterable[str | Path] = (),
    counterfactuals: bool = True,
    store: bool | Store | None = True,
    workers: int | None = 1,
    on_progress: Callable[[Progress], None] = ignore,
) -> Comparison:
    """Explain why metrics, and people, put one system above another.

    The gap of each side, score(a) − score(b), is split exactly: contributions of sentences, and those of the edits of
    both systems, sum to it, also for metrics that are no mean over sentences (M2, GLEU, I-measure …). People compare
    outputs, so a sentence contributes wins less losses there, in equal parts to the edits that only one system made.

    Args:
        corpus: A corpus, or the name or path of one. Ranks are among all of its systems.
        a: The first system.
        b: The second system.
        metrics: The names of metrics, or metrics that `metric()` made with options: one side each.
        human: Human rankings as further sides: "ew" (Expected Wins), "ts" (TrueSkill), "mean" (of ratings), or a set
            of judgments of the corpus ("SET", "SET:ts").
        level: "edit" to split the gaps down to edits, "sentence" to stop at sentences, which takes no time.
            Edits take a language model minutes in long sentences; what it has read is kept.
        by: What words and counterfactuals group edits by: "type" (ERRANT's error type), "fate" (what became of the
            edit), "operation" or "length" (of the sentence).
        set: Which pairs human rankings are made from; see `correlate`.
        judges: Only these judges.
        scores: Files of scores of other metrics, each added as a side that is split into sentences; see `score`.
        counterfactuals: Whether to find what would turn the order around.
        store: Keep scores and credits in the cache folder of this machine, and use those that are there.
        workers: How many processes score; see `score`.
        on_progress: Called every now and then with how far the work is; it may raise to cancel it.

    Returns:
        The comparison: `.words` is the verdict, `.frame()` a table of groups of edits with one column per side,
        `.sides[0].gap` and `.sides[0].edits` have the contributions, `.counterfactuals` says what would turn the order
        around. Sentences are counted from 0, as in `corpus.sentences`.

    Raises:
        InputError: An argument is not what it should be.
        CorpusError: A system is not in the corpus.
        GecLensError: No side is left; the message is that of the first one.

    Examples:
        >>> import gec_core as gec
        >>> found = gec.compare("demo", "FLUENT", "CAREFUL", ["m2", "gleu"], human="ew", level="sentence")
        >>> [(side.gap.side, side.gap.ranks, round(side.gap.gap, 4)) for side in found.sides]
        [('m2', (5, 4), -0.2692), ('gleu', (7, 4), -0.1822), ('ew', (1, 3), 0.8281)]
        >>> m2 = found.sides[0].gap
        >>> bool(abs(m2.gap - m2.contributions.sum()) < 1e-9)
        True
        >>> found.frame("sentence").loc[72].round(4).to_dict()
        {'m2': 0.0012, 'gleu': -0.0036, 'ew': 0.0156}
    """
    for name, value, known in (("level", level, get_args(Level)), ("by", by, BYS)):
        if value not in known:
            raise InputError(f"{name} is {value!r}; expected {' or '.join(map(repr, known))}.")
    rankings = arguments.names("human", human, "human ranking") if human else []
    files = list(scores)
    if not metrics and not rankings and not files:
        raise InputError("metrics is empty; name at least one metric, or a human ranking: human='ew'.")
    opened = as_corpus(corpus)
    check_pair(opened.systems, a, b, opened.name)
    chosen = [as_scorer(each).metric for each in arguments.names("metrics", metrics, "metric")] if metrics else []
    imported: list[Imported] = []
    for path in files:
        imported += read(TextFile.at(path), [metric.id for metric in imported])
    kept = Store() if store is True else store or None
    people, problems = people_gaps(opened, a, b, rankings, which=set, judges=judges)
    columns: Sequence[MetricScores] = ()
    if chosen or imported:
        table = scored(opened, [*chosen, *imported], store=kept, workers=workers, on_progress=on_progress).table
        columns, problems = table.columns, {**table.problems, **problems}
    found = compare_scored(
        opened,
        a,
        b,
        columns,
        people=people,
        level=level,
        by=by,
        counterfactuals=counterfactuals,
        store=kept,
        on_progress=on_progress,
        problems=problems,
    )
    for side, problem in found.problems.items():
        warnings.warn(f"{side} is left out. {problem}", stacklevel=2)
    return found
