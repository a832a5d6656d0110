"""Evaluate metrics and systems: correlation with people, disagreements, the analysis of one system."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from gec_core.api import arguments
from gec_core.api.results import Results
from gec_core.errors import InputError, MissingInput, UnknownMetric
from gec_core.human import Interval, Ranking, from_scores, trueskill
from gec_core.human.sources import PairSet, available, ranking_for
from gec_core.meta import Coefficient, Correlation, LeaveOneOut
from gec_core.meta import correlate as correlate_scores
from gec_core.store import Store
from gec_core.types import Corpus, Progress, ignore

if TYPE_CHECKING:
    import pandas

    from gec_core.analysis import Analysis
    from gec_core.meta.disagreement import Disagreements

__all__ = ["Correlations", "Estimate", "HumanCorrelation", "analyse", "correlate", "disagreements"]

JUDGES = "judges"
"""People as one side of a disagreement."""
SAMPLES = 1000
COMPUTED = ("ew", "ts")
"""The human rankings that are made from judgments."""


@dataclass(frozen=True)
class Estimate:
    """A correlation coefficient with its uncertainty.

    Attributes:
        value: The coefficient; None where it is not defined (`reason` of the row says why).
        low: The lower end of its 95% bootstrap interval over systems.
        high: The upper end.
        left_out: The lowest and the highest value that leaving out one system gives, and which system that is.
    """

    value: float | None
    low: float | None
    high: float | None
    left_out: LeaveOneOut

    def __str__(self) -> str:
        if self.value is None or self.low is None or self.high is None:
            return "undefined"
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True)
class HumanCorrelation:
    """How well one metric agrees with people about systems.

    Attributes:
        metric: The metric, by its id (with the options that were changed, if several have this id).
        signature: The metric's signature.
        human: The human ranking.
        n: The number of systems that both the metric and people score.
        reason: Why the coefficients are not defined; empty if they are.
        pearson: Pearson's r.
        spearman: Spearman's rho.
        kendall: Kendall's tau-b.
    """

    metric: str
    signature: str
    human: str
    n: int
    reason: str
    pearson: Estimate
    spearman: Estimate
    kendall: Estimate

    def __str__(self) -> str:
        return f"{self.metric}: r {self.pearson}, rho {self.spearman}, tau {self.kendall}"

    __repr__ = __str__

    def as_dict(self) -> dict[str, Any]:
        """All numbers under the names that the command line gives them."""
        row: dict[str, Any] = {"metric": self.metric, "human": self.human, "signature": self.signature}
        row |= {"n": self.n, "reason": self.reason}
        for name in get_args(Coefficient):
            found: Estimate = getattr(self, name)
            row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
            for end, one in (("min", found.left_out.low), ("max", found.left_out.high)):
                row[f"{name}_loo_{end}"] = one.value if one else None
                row[f"{name}_loo_{end}_without"] = one.system if one else None
        return row


@dataclass(frozen=True)
class Correlations:
    """The correlations of several metrics with one human ranking. `gec_core.correlate` makes them."""

    rows: tuple[HumanCorrelation, ...]

    def __iter__(self) -> Iterator[HumanCorrelation]:
        return iter(self.rows)

    def __getitem__(self, metric: str) -> HumanCorrelation:
        """The correlation of one metric, by its id or signature."""
        for row in self.rows:
            if metric in (row.metric, row.signature):
                return row
        raise UnknownMetric(f"No correlation of {metric!r}. There are: {', '.join(row.metric for row in self.rows)}.")

    def frame(self) -> pandas.DataFrame:
        """The correlations as a pandas table, one row per metric."""
        import pandas

        return pandas.DataFrame([row.as_dict() for row in self.rows]).set_index("metric")

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows))

    __repr__ = __str__


def correlate(
    table: Results,
    human: str | Path | Mapping[str, float] | Ranking = "ew",
    *,
    set: PairSet = "expanded",
    judges: Collection[str] = (),
    runs: int = trueskill.RUNS,
    seed: int = 0,
    bootstrap: int = SAMPLES,
    without: Collection[str] = (),
    top: int | None = None,
) -> Correlations:
    """Correlate the scores of systems with how people rank them.

    Args:
        table: What `score` returned.
        human: The human ranking: "ew" (Expected Wins) or "ts" (TrueSkill), made from the judgments of the corpus;
            "given", its human.tsv; the name of a published ranking; a file of systems and scores; or the scores
            themselves, as a dictionary, a pandas Series or a `Ranking`.
        set: Which pairs rankings are made from: "expanded" (all systems; those with the same output are tied) or
            "unexpanded" (one system for each distinct output).
        judges: Only these judges.
        runs: How many runs of TrueSkill are averaged.
        seed: For TrueSkill and the bootstrap.
        bootstrap: How many samples the intervals are made from.
        without: Systems to leave out.
        top: Only as many systems, the best ones by people.

    Returns:
        Pearson's r, Spearman's rho and Kendall's tau-b of every metric, each with a 95% interval over systems and the
        effect of leaving out one system.

    Raises:
        MissingInput: The corpus has no such ranking; the message names those that it has.

    Examples:
        >>> import gec_core as gec
        >>> found = gec.correlate(gec.score("demo", ["m2", "gleu"]), human="ts")
        >>> round(found["gleu"].pearson.value, 3), found["gleu"].n
        (0.137, 7)
    """
    people = human_ranking(_results(table).corpus, human, set=set, judges=judges, runs=runs, seed=seed)
    return Correlations(
        tuple(
            _correlation(metric, table.signatures[metric], values, people, bootstrap, seed, without=without, top=top)
            for metric, values in table.values.items()
        )
    )


def human_ranking(
    corpus: Corpus,
    human: str | Path | Mapping[str, float] | Ranking = "ew",
    *,
    set: PairSet = "expanded",
    judges: Collection[str] = (),
    runs: int = trueskill.RUNS,
    seed: int = 0,
    samples: int = 0,
) -> Ranking:
    """The human ranking of a corpus by its name, from a file, or from scores; see `correlate`."""
    if isinstance(human, Ranking):
        return human
    if not isinstance(human, str | Path):
        return from_scores(arguments.human_scores(human), "given")
    name = str(human)
    if name in COMPUTED and not corpus.judgments and (others := available(corpus)):
        raise MissingInput(
            f"{corpus.name} has no judgments to make a ranking from. It has other rankings: {', '.join(others)}."
        )
    if isinstance(human, Path) or Path(name).suffix or "/" in name:
        from gec_core.corpora.judgments import read_scores
        from gec_core.corpora.text import TextFile

        return from_scores(read_scores(TextFile.at(human)), name)
    return ranking_for(corpus, name, which=set, judges=judges, runs=runs, seed=seed, samples=samples)


def _correlation(
    metric: str,
    signature: str,
    values: Mapping[str, float],
    people: Ranking,
    samples: int,
    seed: int,
    **which: Any,
) -> HumanCorrelation:
    found: list[Correlation] = [
        correlate_scores(values, people.scores, coefficient, **which) for coefficient in get_args(Coefficient)
    ]
    intervals: list[Interval] = [each.interval(samples=samples, seed=seed) for each in found]
    estimates = [
        Estimate(each.value, interval.low, interval.high, each.leave_one_out())
        for each, interval in zip(found, intervals, strict=True)
    ]
    return HumanCorrelation(metric, signature, people.method, found[0].n, found[0].reason, *estimates)


def disagreements(
    table: Results,
    a: str,
    b: str = JUDGES,
    *,
    by_type: bool = False,
    store: bool | Store | None = True,
    on_progress: Callable[[Progress], None] = ignore,
) -> Disagreements:
    """Find the pairs of outputs that two metrics, or a metric and people, order in opposite ways.

    Args:
        table: What `score` returned; it must have the metrics that are compared.
        a: A metric of the table, or "judges".
        b: Another metric, or "judges".
        by_type: Also say in edits of which ERRANT types the outputs differ, which takes ERRANT some time.
        store: Keep ERRANT's edits in the cache folder of this machine, and use those that are there.
        on_progress: Called every now and then while ERRANT reads edits.

    Returns:
        The disagreements: `.top(10)` lists the strongest, `.frame(10)` is a table of them, `.where(…)` narrows them
        down, `.order` counts how often the two sides agree and disagree. Sentences are counted from 0, as in
        `corpus.sentences`.

    Raises:
        MissingInput: The corpus has no judgments, or there are not two systems with sentence scores.

    Examples:
        >>> import gec_core as gec
        >>> found = gec.disagreements(gec.score("demo", ["m2", "gleu"]), "m2", "gleu")
        >>> found.order.opposed, found.order.alike
        (118, 927)
        >>> strongest = found.top(1)[0]
        >>> strongest.sentence, strongest.first.better, strongest.second.better
        (72, ('FLUENT',), ('CAREFUL', 'INPUT', 'NOISY'))
    """
    from gec_core.meta import disagreement
    from gec_core.meta.sides import of_systems, type_tables

    corpus = _results(table).corpus
    if a == b:
        raise InputError(f"a and b are both {a!r}; name two different metrics, or a metric and {JUDGES!r}.")
    if JUDGES in (a, b) and corpus.judgments is None:
        raise MissingInput(f"{corpus.name} has no judgments (judgments.xml or judgments.csv).")
    columns = {side: table[side] for side in (a, b) if side != JUDGES}
    common = [name for name in corpus.systems if all(each.has_sentences([name]) for each in columns.values())]
    if len(common) < 2:
        raise MissingInput(f"{a} and {b}: there are not two systems of which both have sentence scores.")
    opinions: dict[str, Any] = {JUDGES: corpus.judgments}
    for side, column in columns.items():
        opinions[side] = {system: column.sentence_scores(system) for system in common}
    types = {}
    if by_type:
        from gec_core.explain.credit import corpus_edits

        kept = Store() if store is True else store or None
        edits = corpus_edits(corpus, kept, on_progress)
        types = of_systems(type_tables(corpus, edits), corpus, common)
    return disagreement.disagreements(corpus.only(common), (a, opinions[a]), (b, opinions[b]), types=types)


def analyse(
    table: Results,
    system: str,
    against: str | None = None,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    store: bool = True,
    workers: int | None = 1,
    on_progress: Callable[[Progress], None] = ignore,
) -> Analysis:
    """Analyse the errors of one system beside the others of its corpus.

    Args:
        table: What `score` returned.
        system: The system to analyse.
        against: The system to compare it with; the best of the others unless given.
        samples: How many bootstrap samples intervals and tests are made from.
        seed: For these samples.
        store: Keep what is computed in the cache folder of this machine, and use what is there.
        workers: How many processes read ERRANT edits; see `score`.
        on_progress: Called every now and then with how far the work is.

    Returns:
        The analysis: ranks with intervals, tests against every other system, error types gained and lost, over- and
        under-correction, and the sentences that cost most. `gec_core.analysis.page(gec_core.analysis.report(found))`
        makes an HTML file of it.

    Examples:
        >>> import gec_core as gec
        >>> found = gec.analyse(gec.score("demo", "m2"), "FLUENT", samples=100)
        >>> found.rival, found.metrics[0].standing("FLUENT").rank
        ('NOARTICLE', 5)
    """
    from gec_core.analysis import analyse as analyse_table

    kept = Store() if store else None
    return analyse_table(
        _results(table).corpus,
        table.table,
        system,
        against,
        samples=samples,
        seed=seed,
        store=kept,
        workers=workers,
        on_progress=on_progress,
    )


def _results(table: Any) -> Results:
    if not isinstance(table, Results):
        raise InputError(f"The table is of type {type(table).__name__}; expected what gec_core.score returns.")
    return table
