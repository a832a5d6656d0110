"""Asano 2017: grammaticality, fluency and meaning without references, beside M2 and GLEU with many.

M2 and GLEU had 18 references for Table 1 and, for Table 2, the two official ones and some by non-experts. A
corpus has the official ones, and perhaps the experts' rewrites, which Table 2 scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gec_core.errors import MissingInput
from gec_core.meta import Coefficient
from gec_core.papers.inputs import MetricSpec, PaperInputs, attempts, correlations, spec
from gec_core.papers.rows import UNKNOWN, Attempt, PublishedFigure, Row, judge, table
from gec_core.papers.variants import SOURCE
from gec_core.scoring.table import MetricScores

LT = "LanguageTool 3.5"
RNN = "the authors' language model, an RNN trained on BNC and Wikipedia"
METEOR = "METEOR 1.5, with its function words and WordNet's synonyms"
METRICS: dict[str, MetricSpec] = {
    "M2": spec("m2"),
    "GLEU": spec("gleu"),
    "LT": MetricSpec("asano-grammar", instead_of=LT),
    "meaning_preservation": MetricSpec("asano-meaning", instead_of=METEOR),
    "fluency": MetricSpec("asano-fluency", instead_of=RNN),
    "combined_LT": MetricSpec("asano", instead_of=f"{LT}, {RNN}, {METEOR}, and the weights tuned for them"),
}
"""With what is here in place of the authors' tools and models, of which none can be had."""
NAMES = {"grammaticality_LT": "LT", "grammaticality_Heilman": "Heilman"}
"""What Table 1 calls otherwise than Table 2."""
TEXTS = {
    "source": SOURCE,
    "minA": "expert_minimalA",
    "fluA": "expert_fluencyA",
    "minB": "expert_minimalB",
    "fluB": "expert_fluencyB",
}
WITH_REFERENCES = ("M2", "GLEU")
HEILMAN = "the authors' grammaticality model after Heilman et al. 2014, trained on GUG, Gigaword and TOEFL11"
MODELS = {"Heilman": HEILMAN, "combined_Heilman": f"{HEILMAN}; with a checker in its place it is combined_LT"}
"""What nobody published, and nothing here stands in for."""
MANY = "16 of the 18 references: the eight of Bryant and Ng 2015 and the eight of Sakaguchi et al. 2016"
CROWD = "the references that non-experts wrote for Sakaguchi et al. 2016"
NEW = f"{UNKNOWN}: the metric could not be run when the causes were looked into"

_cell = partial(PublishedFigure, "asano2017")


def rows(inputs: PaperInputs) -> Iterator[Row]:
    """All figures of Tables 1 and 2."""
    for record in table("asano2017_table1"):
        for coefficient in ("spearman", "pearson"):
            yield _correlation(inputs, record, coefficient)
    for record in table("asano2017_table2"):
        for column in TEXTS:
            yield _score(inputs, record, column)


def _correlation(inputs: PaperInputs, record: dict[str, str], coefficient: Coefficient) -> Row:
    """Table 1: correlation with TrueSkill."""
    name = NAMES.get(record["metric"], record["metric"])

    def compute(column: MetricScores) -> list[Attempt]:
        found = correlations(column.values, inputs.people("ts"), coefficient)
        if name in WITH_REFERENCES:
            raise MissingInput(f"{MANY}; with the two official ones alone it is {found[-1].value:.3f}")
        return found

    cell = _cell("table1", record["metric"], coefficient, record[coefficient])
    return judge(cell, lambda: attempts(inputs, (_spec(name), "official"), compute), NEW)


def _score(inputs: PaperInputs, record: dict[str, str], column: str) -> Row:
    """Table 2: scores of the source and of experts' rewrites."""
    name = record["metric"]

    def compute(scored: MetricScores) -> list[Attempt]:
        value = scored.values[TEXTS[column]]
        # M2 gives a source without edits 0 whatever the references are.
        if name in WITH_REFERENCES and not (name == "M2" and column == "source"):
            raise MissingInput(f"{CROWD}; with the two official ones alone it is {value:.3f}")
        return [Attempt(value)]

    cell = _cell("table2", name, column, record[column])
    return judge(cell, lambda: attempts(inputs, (_spec(name), "rewrites"), compute), NEW)


def _spec(name: str) -> MetricSpec:
    if name in MODELS:
        raise MissingInput(MODELS[name])
    return METRICS[name]
