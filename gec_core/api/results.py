"""Score whole corpora: every system under several metrics, as a table to go on from."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gec_core.api import arguments
from gec_core.api.corpus import as_corpus, part_of
from gec_core.api.metric import Scorer, as_scorer
from gec_core.corpora.text import TextFile
from gec_core.errors import InputError
from gec_core.formatting import counted
from gec_core.metrics.base import Metric
from gec_core.scoring import score as score_corpus
from gec_core.scoring.imported import Imported, read
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.store import Store
from gec_core.types import Array, Corpus, Progress, ignore

if TYPE_CHECKING:
    import pandas

__all__ = ["Results", "score"]


@dataclass(frozen=True)
class Results:
    """The scores of all systems of a corpus under several metrics. `gec_core.score` makes them.

    Attributes:
        corpus: The corpus that was scored.
        table: One column per metric, with corpus scores, sentence scores and the statistics behind them.
    """

    corpus: Corpus
    table: ScoreTable

    def __repr__(self) -> str:
        systems = counted(len(self.corpus.systems), "system")
        return f"<scores of {systems} under {', '.join(self.values)} on {self.corpus.name}>"

    def __getitem__(self, metric: str) -> MetricScores:
        """The scores under one metric, by its name in tables or its signature."""
        return self.table[metric]

    @property
    def values(self) -> dict[str, dict[str, float]]:
        """The corpus score of each system, by metric: `m2`, and `m2[beta=1.0]` beside it."""
        return {self._name(column): column.values for column in self.table.columns}

    @property
    def signatures(self) -> dict[str, str]:
        """What to state beside the scores of each metric, so that somebody else can get the same."""
        return {self._name(column): column.metric.signature for column in self.table.columns}

    @property
    def problems(self) -> dict[str, str]:
        """Why a metric that was asked for has no scores, by its id."""
        return dict(self.table.problems)

    def frame(self, level: Literal["system", "sentence"] = "system") -> pandas.DataFrame:
        """The scores as a pandas table with one column per metric; `attrs` has the signatures.

        Args:
            level: "system" for one row per system, "sentence" for one row per system and sentence. Sentences are
                counted from 0, as in `corpus.sentences`. A metric without sentence scores has no column there.

        Examples:
            >>> import gec_core as gec
            >>> table = gec.score("demo", ["m2", "gleu"])
            >>> table.frame().loc["FLUENT"].round(2).to_dict()
            {'m2': 0.31, 'gleu': 0.2}
            >>> table.frame("sentence").loc[("FLUENT", 0)].round(2).to_dict()
            {'m2': 0.0, 'gleu': 0.18}
        """
        import pandas

        if level == "system":
            found = pandas.DataFrame(self.values, index=pandas.Index(self.corpus.systems, name="system"))
        elif level == "sentence":
            found = pandas.concat(
                {system: pandas.DataFrame(self._sentence_scores(system)) for system in self.corpus.systems},
                names=["system", "sentence"],
            )
        else:
            raise InputError(f"level is {level!r}; expected 'system' or 'sentence'.")
        found.attrs = {"corpus": self.corpus.name, "signatures": self.signatures}
        return found

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        return str(self.frame().to_html())

    def _sentence_scores(self, system: str) -> dict[str, Array]:
        found = {self._name(column): column for column in self.table.columns if column.has_sentences([system])}
        return {name: column.sentence_scores(system) for name, column in found.items()}

    def _name(self, column: MetricScores) -> str:
        return self.table.column_name(column)


def score(
    corpus: Corpus | str | Path,
    metrics: str | Scorer | Sequence[str | Scorer],
    *,
    systems: Sequence[str] | None = None,
    sentences: str | Sequence[int] | None = None,
    scores: Iterable[str | Path] = (),
    store: bool = True,
    workers: int | None = 1,
    scheduler: str | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> Results:
    """Score all systems of a corpus under one or several metrics.

    A metric that cannot run, or fails on the way, does not stop the others: a warning says why it is left out, and
    so do the `problems` of the result.

    Args:
        corpus: A corpus, or the name or path of one.
        metrics: The names of metrics, or metrics that `metric()` made with options.
        systems: Only these systems of the corpus, in this order.
        sentences: Only these sentences: "judged" (those with human judgments), a file of numbers or ranges such as
            "1-100,205" (both counted from 1), or a list of positions (counted from 0).
        scores: Files of scores of other metrics (TSV, CSV or JSON; see docs/importing.md), each added as a metric.
        store: Keep what is computed in the cache folder of this machine, and use what is there. The same sentence
            with the same output is then never scored twice.
        workers: How many processes score. None: as many as pay off. A script that asks for more than one must start
            its work under `if __name__ == "__main__":`.
        scheduler: The address of a Dask scheduler (tcp://HOST:PORT) whose workers score instead.
        on_progress: Called every now and then with how far the work is; it may raise to cancel it.

    Returns:
        The scores; `.frame()` gives a pandas table.

    Raises:
        InputError: An argument is not what it should be.
        GecLensError: No metric is left, because none can run; the message is that of the first one.

    Examples:
        >>> import gec_core as gec
        >>> table = gec.score("demo", ["m2", gec.metric("gleu", sampling="exact")])
        >>> round(table.values["m2"]["FLUENT"], 4)
        0.3088
        >>> table["m2"].systems["FLUENT"].score.details["correct"]
        68
    """
    opened = part_of(as_corpus(corpus), sentences)
    if systems is not None:
        opened = opened.only(arguments.names("systems", systems, "system"))
    chosen = [as_scorer(each).metric for each in arguments.names("metrics", metrics, "metric")]
    imported: list[Imported] = []
    for path in scores:
        imported += read(TextFile.at(path), [metric.id for metric in imported])
    kept = Store() if store else None
    found = scored(opened, [*chosen, *imported], store=kept, workers=scheduler or workers, on_progress=on_progress)
    for id, problem in found.problems.items():
        warnings.warn(f"{id} is left out. {problem}", stacklevel=2)
    for message in (kept.notice, kept.problem) if kept else ():
        if message:
            warnings.warn(message, stacklevel=2)
    return found


def scored(corpus: Corpus, metrics: Sequence[Metric], **how: Any) -> Results:
    """The scores of a corpus under metrics, some of which may be imported; `how` is passed on to scoring."""
    imported = [metric for metric in metrics if isinstance(metric, Imported)]
    columns = tuple(metric.column(corpus) for metric in imported)
    computed = [metric for metric in metrics if metric not in imported]
    table = ScoreTable(corpus.name, corpus.fingerprint, ())
    if computed:
        table = score_corpus(corpus, computed, **how)
    return Results(corpus, replace(table, columns=(*table.columns, *columns)))
