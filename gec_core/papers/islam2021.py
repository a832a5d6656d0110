"""Islam and Magnani 2021: the Scribendi Score.

Table 5 repeats rankings from Napoles et al. 2015. They come out with what was in use in that year: M2 with the
gold edits that include alternatives, GLEU as first published, I-measure as in Felice and Briscoe 2015.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from gec_core.errors import MissingInput
from gec_core.meta import Coefficient
from gec_core.metrics.scribendi import levenshtein_ratio, token_sort_ratio
from gec_core.papers import asano2017
from gec_core.papers.felice2015 import IMEASURE, SELECTION
from gec_core.papers.inputs import (
    Compute,
    MetricSpec,
    PaperInputs,
    What,
    attempts,
    correlation,
    correlations,
    order,
    spec,
    tried,
)
from gec_core.papers.rows import UNKNOWN, Attempt, PublishedFigure, Row, judge, table
from gec_core.papers.variants import FirstGleu
from gec_core.scoring.table import MetricScores

SCRIBENDI = spec("scribendi", model="gpt2")
SOME = spec("some")
TABLE2: Mapping[str, What] = {
    "M2": (spec("m2"), "alternatives"),
    "GLEU": (FirstGleu(), "um"),
    "Scribendi": (SCRIBENDI, "official"),
    "SOME": (SOME, "official"),
}
TABLE3: Mapping[str, What] = {
    "M2": (spec("m2"), "official"),
    "GLEU": (spec("gleu"), "official"),
    "Scribendi": (SCRIBENDI, "official"),
    "SOME": (SOME, "official"),
}
TABLE4 = {"m2": spec("m2"), "gleu": spec("gleu"), "some": SOME, "scribendi": SCRIBENDI}
RATIOS = {"tsr": token_sort_ratio, "ldr": levenshtein_ratio}
TABLE5: Mapping[str, What] = {
    "bleu": (spec("bleu"), "alternatives"),
    "i_measure": (IMEASURE, "clean"),
    "m2": TABLE2["M2"],
    "gleu": TABLE2["GLEU"],
    "scribendi": TABLE2["Scribendi"],
    "some": TABLE2["SOME"],
}

HUMAN = "human_napoles2015"
"""The column of Table 5 with the order by people."""
CUT = 3
"""Decimals after which a ratio of Table 1 seems to be cut off."""
ELSEWHERE = {"can not": "; with GPT-2 others could not get it to fall either"}
RANKS = (
    "as a rank correlation with the order of Napoles et al. 2015: those of all four columns of Table 5 are what this "
    "table has under Pearson (checked)"
)
SCORES_UNKNOWN = (
    "the scores that the judges of Napoles et al. gave the systems were not printed, only their order (in Table 5). "
    "Ours are TrueSkill from the judgments, which gives that order in part; Pearson with them is shown, since what "
    "this table has under Pearson is a rank correlation"
)
JUDGED_ORDER = (
    "how the judgments were made into a ranking was not printed. Ours is TrueSkill on all rankings, as for every other "
    "set of judgments; it was not chosen for being near to the printed order. docs/findings.md has how near 280 "
    "treatments come, the nearest with 9 of 13 places"
)
DETOKENISED = (
    "the language model reads detokenised text; whether theirs did is not printed. On the text as tokenised in the "
    "corpus, r and rho with TrueSkill are .852 and .868 instead of .897 and .890"
)
SAMPLED = (
    "TrueSkill is sampled, and this is not the published mean of many runs: over single runs of ours the coefficient "
    "goes from .640 to .695, over means of 20 runs from .672 to .675"
)
OTHER_GLEU = (
    f"{UNKNOWN}: the paper does not say which GLEU this is. Tried with the official references: corpus score .733/.478 "
    "(Pearson/Spearman), mean of smoothed sentence scores .846/.747, of unsmoothed ones .822/.775; with the "
    "experts' rewrites as more references .829/.769"
)
REPEATED = (
    f"{UNKNOWN}: no edit of the output is a gold edit, so F is 0 for any beta; tried with beta from 0.1 to 2, with "
    "the full stop as a token and as part of the word, with 0 and 2 unchanged words"
)
LENGTHS = (
    "which BLEU it is was not published; ours compares the length with the closest reference. With the mean length of "
    "the references instead, all thirteen ranks are as published (checked); that this is the cause is supposed"
)
CAUSES = {
    HUMAN: JUDGED_ORDER,
    "bleu": LENGTHS,
    "i_measure": f"the order of Table 11 in Felice and Briscoe 2015: {SELECTION}",
}
NEW = f"{UNKNOWN}: the metric could not be run when the causes were looked into"

_cell = partial(PublishedFigure, "islam2021")


def rows(inputs: PaperInputs) -> Iterator[Row]:
    """All figures of Tables 1 to 5, and of the examples in the text."""
    for record in table("islam2021_examples"):
        for column in ("ppl_source", "ppl_prediction", *RATIOS, "score"):
            if record[column]:
                yield _perplexities(inputs, record, column)
    for record in table("islam2021_tables"):
        for coefficient in ("pearson", "spearman"):
            if record["table"] == "2":
                yield _with_order(inputs, record, coefficient)
            else:
                yield _with_trueskill(inputs, record, coefficient)
    for record in table("islam2021_table4"):
        for metric in TABLE4:
            yield _example(inputs, record, metric)
    for record in table("islam2021_table5"):
        for column in record:
            if column != "rank":
                yield _on_rank(inputs, record, column)


def _attempts(inputs: PaperInputs, what: What, compute: Compute) -> list[Attempt]:
    """The values of a figure; those of the Scribendi Score say what its language model reads."""
    found = attempts(inputs, what, compute)
    if what[0] != SCRIBENDI:
        return found
    return [replace(each, note="; ".join(filter(None, (each.note, DETOKENISED)))) for each in found]


def _with_order(inputs: PaperInputs, record: dict[str, str], coefficient: Coefficient) -> Row:
    def compute() -> list[Attempt]:
        if coefficient == "spearman":
            people = inputs.napoles_judged
            return attempts(
                inputs,
                TABLE2[record["metric"]],
                lambda scored: [Attempt(correlation(scored.values, people, "pearson"))],
            )
        return attempts(
            inputs,
            TABLE2[record["metric"]],
            lambda scored: [Attempt(correlation(scored.values, inputs.napoles, "spearman"), RANKS)],
        )

    cause = SCORES_UNKNOWN if coefficient == "spearman" else NEW
    return judge(_cell("table2", record["metric"], coefficient, record[coefficient]), compute, cause)


def _with_trueskill(inputs: PaperInputs, record: dict[str, str], coefficient: Coefficient) -> Row:
    def compute() -> list[Attempt]:
        if record["metric"] not in TABLE3:
            raise MissingInput(asano2017.MODELS["combined_Heilman"])
        people = inputs.people("ts")
        return _attempts(
            inputs, TABLE3[record["metric"]], lambda scored: correlations(scored.values, people, coefficient)
        )

    cause = {"M2": SAMPLED, "GLEU": OTHER_GLEU}.get(record["metric"], NEW)
    return judge(_cell("table3", record["metric"], coefficient, record[coefficient]), compute, cause)


def _perplexities(inputs: PaperInputs, record: dict[str, str], column: str) -> Row:
    """A pair of sentences with its perplexities, ratios and, where it is printed, the score."""

    def compute(scored: MetricScores) -> list[Attempt]:
        (details,) = scored.metric.sentence_details(scored.systems["output"].statistics)
        before, after = details["ppl_source"], details["ppl_output"]
        rises = (
            f"here it does not fall, but goes from {before:.2f} to {after:.2f}{ELSEWHERE.get(record['example'], '')}"
        )
        values = {"ppl_source": before, "ppl_prediction": after, "score": float(scored.values["output"])}
        return [Attempt(values[column], rises if column != "ppl_source" and after >= before else "")]

    def attempted() -> list[Attempt]:
        pair = record["source"], record["prediction"]
        if column in RATIOS:
            return _ratio(RATIOS[column](*pair), record["table"])
        return tried(SCRIBENDI, lambda used: inputs.example(used, pair[0], (), pair[1]), compute)

    return judge(_cell(record["table"], record["example"], column, record[column]), attempted, NEW)


def _ratio(value: float, where: str) -> list[Attempt]:
    """A ratio as it is printed: in percent in Table 1, and there perhaps cut off."""
    if where != "table1":
        return [Attempt(value)]
    cut = math.floor(value * 100 * 10**CUT) / 10**CUT
    return [Attempt(value * 100), Attempt(cut, f"cut off after {CUT} decimals: it is {value * 100:.{CUT + 1}f}")]


def _example(inputs: PaperInputs, record: dict[str, str], metric: str) -> Row:
    def compute(scored: MetricScores) -> list[Attempt]:
        return [Attempt(float(scored.sentence_scores("output")[0]))]

    def scored(used: MetricSpec) -> MetricScores:
        return inputs.example(used, record["source"], [record["reference"]], record["prediction"])

    cell = _cell("table4", "repeated words", metric, record[metric])
    return judge(cell, lambda: tried(TABLE4[metric], scored, compute), REPEATED if metric == "m2" else NEW)


def _on_rank(inputs: PaperInputs, record: dict[str, str], column: str) -> Row:
    def compute() -> list[Attempt]:
        rank = int(record["rank"])
        if column == HUMAN:
            return [Attempt(order(inputs.napoles_judged)[rank - 1])]
        return _attempts(inputs, TABLE5[column], lambda scored: [Attempt(order(scored.values)[rank - 1])])

    return judge(_cell("table5", record["rank"], column, record[column]), compute, CAUSES.get(column, NEW))
