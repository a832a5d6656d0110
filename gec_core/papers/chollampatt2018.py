"""Chollampatt and Ng 2018: GLEU, I-measure and M2 against the judgments of Grundkiewicz et al. 2015.

Tables 2 to 4 and what the text says about Figure 2. The scorers are used as the authors used them: two
references, I-measure without mixing on gold edits that its own converter has read, M2 of a single sentence
by its last annotator (which the scores that they released show, and without which Table 3 does not come out).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import get_args

from gec_core.errors import MissingInput
from gec_core.human import Method
from gec_core.human.sources import PairSet
from gec_core.meta import Coefficient, Ties, pair_agreement, williams
from gec_core.meta.correlation import Scores
from gec_core.papers.inputs import PaperInputs, correlations, sentence_scores, spec
from gec_core.papers.rows import UNKNOWN, Attempt, PublishedFigure, Row, judge, table

METRICS = {"GLEU": spec("gleu"), "I-measure": spec("imeasure", compat="true"), "M2": spec("m2", sentence="last")}
HUMAN: dict[str, Method] = {"expected_wins": "ew", "trueskill": "ts"}
WITHOUT = {"all13": (), "without_IPN": ("IPN",)}

DECIDED_BY_GLEU = (
    "14,584 is the number of pairs of the unexpanded set that neither the judge nor GLEU, in four decimals, ties "
    "(checked); the taus of the column are over all that the judge does not tie, as in the pairs that were released"
)
NOT_SEEN = f"{UNKNOWN}: these figures came out when the causes were looked into"

_cell = partial(PublishedFigure, "chollampatt2018")


def rows(inputs: PaperInputs) -> Iterator[Row]:
    """All figures of the paper."""
    for record in table("chollampatt2018_table2"):
        for coefficient in ("pearson", "spearman"):
            yield _correlation(inputs, record, coefficient)
    yield from _pair_counts(inputs)
    for record in table("chollampatt2018_table3"):
        yield _tau(inputs, record)
    yield from _examples(inputs)
    for record in table("chollampatt2018_williams"):
        yield _williams(inputs, record)


def _correlation(inputs: PaperInputs, record: dict[str, str], coefficient: Coefficient) -> Row:
    def compute() -> list[Attempt]:
        scores = inputs.column(METRICS[record["metric"]]).values
        return correlations(scores, inputs.people(HUMAN[record["human"]]), coefficient, WITHOUT[record["systems"]])

    column = f"{record['human']} {record['systems']} {coefficient}"
    return judge(_cell("table2", record["metric"], column, record[coefficient]), compute, NOT_SEEN)


def _pair_counts(inputs: PaperInputs) -> Iterator[Row]:
    """The numbers of pairs in the head of Table 3, which all metrics share."""
    printed = {(record["set"], record["variant"]): record["pairs"] for record in table("chollampatt2018_table3")}
    for (which, variant), pairs in printed.items():
        yield _pair_count(inputs, which, variant, pairs)


def _pair_count(inputs: PaperInputs, which: str, variant: str, printed: str) -> Row:
    def compute() -> list[Attempt]:
        pairs = inputs.pairs(_set(which))
        return [Attempt(len(pairs) if variant == "HTies" else len(pairs) - pairs.ties)]

    return judge(_cell("table3", "pairs", f"{which} {variant}", printed), compute, DECIDED_BY_GLEU)


def _tau(inputs: PaperInputs, record: dict[str, str]) -> Row:
    def compute() -> list[Attempt]:
        pairs = inputs.pairs(_set(record["set"]))
        found = pair_agreement(pairs, sentence_scores(inputs.column(METRICS[record["metric"]])), _ties(record))
        if found.tau is None:
            raise MissingInput("judgments with a preference")
        return [Attempt(found.tau)]

    column = f"{record['set']} {record['variant']}"
    return judge(_cell("table3", record["metric"], column, record["tau"]), compute, NOT_SEEN)


def _set(name: str) -> PairSet:
    return next(each for each in get_args(PairSet) if each == name)


def _ties(record: dict[str, str]) -> Ties:
    return next(each for each in get_args(Ties) if each == record["variant"])


def _examples(inputs: PaperInputs) -> Iterator[Row]:
    """Table 4: the scores of single sentences, as if each were a corpus."""
    records = table("chollampatt2018_table4")
    for record in records:
        if record["role"].startswith("hyp"):
            same = [other for other in records if other["example"] == record["example"]]
            for metric, column in (("GLEU", "gleu"), ("I-measure", "i_percent"), ("M2", "m2")):
                yield _example(inputs, same, record, metric, column)


def _example(inputs: PaperInputs, same: list[dict[str, str]], record: dict[str, str], metric: str, column: str) -> Row:
    def compute() -> list[Attempt]:
        (source,) = (other["text"] for other in same if other["role"] == "source")
        references = [other["text"] for other in same if other["role"] == "reference"]
        scored = inputs.example(METRICS[metric], source, references, record["text"])
        return [Attempt(scored.values["output"])]

    row = f"example {record['example']} {record['role']}"
    return judge(_cell("table4", row, column, record[column]), compute, NOT_SEEN)


def _williams(inputs: PaperInputs, record: dict[str, str]) -> Row:
    """A statement on the p-value of a test of which the paper also says who is better."""
    better, worse = record["better"], record["worse"]
    coefficient = next(each for each in get_args(Coefficient) if each == record["coefficient"])

    def compute() -> list[Attempt]:
        scores = {name: inputs.column(METRICS[name]).values for name in (better, worse)}
        return inputs.people(HUMAN[record["human"]]).attempts(lambda human: p_value(scores, human))

    def p_value(scores: Mapping[str, Scores], human: Scores) -> float:
        (test,) = williams(scores, human, coefficient)
        if test.p is None:
            raise MissingInput(f"a p-value: {test.reason}")
        return test.p if test.better == better else 1 - test.p

    column = f"{record['human']} {record['coefficient']}"
    return judge(_cell("williams", f"{better} better than {worse}", column, record["statement"]), compute, NOT_SEEN)
