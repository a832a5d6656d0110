"""Kobayashi, Mita and Komachi 2024: SEEDA, human scores of 15 systems and their scores under eleven metrics.

Both tables are those released with SEEDA. Metrics are over all 1,312 sentences, in percent, except for Scribendi's
sum, SOME and IMPARA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

from gec_core.errors import MissingInput
from gec_core.human.ranking import Method
from gec_core.human.sources import ranking_for
from gec_core.meta.correlation import Scores
from gec_core.papers.inputs import MetricSpec, PaperInputs, attempts, spec
from gec_core.papers.rows import UNKNOWN, Attempt, PublishedFigure, Row, judge, table
from gec_core.papers.variants import Variant
from gec_core.scoring.table import MetricScores
from gec_core.types import Corpus

CORPUS = "seeda"
RUNS = 200
"""Runs of TrueSkill that are averaged."""
EMPTY = "REF-F"
"""The system with an empty output, for sentence 97."""
METRICS: Mapping[str, tuple[MetricSpec, Variant]] = {
    "m2": (spec("m2"), "official"),
    "sentm2": (spec("sentm2"), "official"),
    "ptm2": (spec("ptm2", model="bert-base-uncased"), "from_gold"),
    "errant": (spec("errant", references="auto"), "from_gold"),
    "senterrant": (spec("senterrant", references="auto"), "from_gold"),
    "pterrant": (spec("pterrant", model="bert-base-uncased", references="auto"), "from_gold"),
    "gotoscorer": (spec("gotoscorer", references="auto"), "from_gold"),
    "gleu": (spec("gleu"), "from_gold"),
    "scribendi": (spec("scribendi", model="gpt2"), "official"),
    "some": (spec("some"), "official"),
    "impara": (spec("impara"), "official"),
}
"""With references in which all gold edits are applied, annotated by ERRANT where edits are needed, scores come nearest
to the released ones."""
SCALES = {"scribendi": 1.0, "some": 1.0, "impara": 1.0}
"""What our scores are multiplied by; by 100 unless named here."""
DRAWS = (
    "GLEU draws references at random, ours as Python 2 did. The released column is what 500 draws that all systems "
    "share give with other random numbers (chi² 14 with 15 degrees of freedom), not the draws of Python 2 (92) or "
    "Python 3 (710), and not the expectation (102); none of 3,900 ways of drawing that we tried gives all 15"
)
PIPELINE = (
    "the paper does not name its versions of ERRANT and spaCy; other pipelines cut and match some edits otherwise "
    "(ours equals the official errant_compare with the same pipeline)"
)
CAUSES = {
    "m2": f"{UNKNOWN}: 15 of 15 systems are equal with the released outputs",
    "sentm2": "the output of one sentence of REF-F is empty, which the released score counts otherwise",
    "errant": PIPELINE,
    "senterrant": PIPELINE,
    "pterrant": PIPELINE,
    "gotoscorer": f"its weights and edits come from ERRANT; {PIPELINE}",
    "gleu": DRAWS,
}
WINS = (
    "the released values come from their scripts' Expected Wins; those computed here from the released judgments are "
    "within .001 of them, as are those of CoNLL-2014 from what was published"
)
SAMPLED = "TrueSkill is sampled; means of many runs of ours are within .01 of the released values"
NEW = f"{UNKNOWN}: the metric could not be run when the causes were looked into"

_cell = partial(PublishedFigure, "kobayashi2024")


def rows(inputs: PaperInputs) -> Iterator[Row]:
    """All scores by people, then all scores by metrics."""
    people = _People(inputs.official)
    for record in table("kobayashi2024_human"):
        for column in (name for name in record if name != "system"):
            cause = WINS if column.startswith("ew") else SAMPLED
            yield judge(_cell("human", record["system"], column, record[column]), people.value(record, column), cause)
    for record in table("kobayashi2024_scores"):
        for column, what in METRICS.items():
            yield _score(inputs, record, column, what)


class _People:
    """Human scores of the systems, each ranking computed once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._scores = cache(self._computed)

    def value(self, record: dict[str, str], column: str) -> Callable[[], list[Attempt]]:
        method, _, judgments = column.partition("_")
        return lambda: [Attempt(self._scores(judgments, method)[record["system"]])]

    def _computed(self, judgments: str, method: Method) -> Scores:
        if judgments not in self._corpus.judgment_sets:
            raise MissingInput(f"the judgments {judgments!r} of SEEDA, which come with its texts")
        return ranking_for(self._corpus.judged_by(judgments), method, runs=RUNS).scores


def _score(inputs: PaperInputs, record: dict[str, str], column: str, what: tuple[MetricSpec, Variant]) -> Row:
    system = record["system"]

    def compute(scored: MetricScores) -> list[Attempt]:
        return [Attempt(scored.values[system] * SCALES.get(column, 100.0))]

    cell = _cell("scores", system, column, record[column])
    return judge(cell, lambda: attempts(inputs, what, compute), CAUSES.get(column, NEW))
