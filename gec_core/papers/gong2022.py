"""Gong et al. 2022: PT-M2 and PT-ERRANT, beside M2, ERRANT, GLEU, BERTScore and BARTScore.

The references are those in which Um edits are made. GLEU is drawn with Python 3's random numbers; its
corpus scores come out with four decimals, which is what its script prints, and its sentence scores are
not smoothed: so, and only so, all eight correlations are as published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import get_args

from gec_core.errors import MissingInput
from gec_core.human import Method
from gec_core.meta import Coefficient, correlate, rank_differences
from gec_core.meta.correlation import Scores
from gec_core.papers.inputs import PaperInputs, What, attempts, correlation, correlations, order, spec
from gec_core.papers.rows import UNKNOWN, Attempt, PublishedFigure, Row, judge, table
from gec_core.papers.variants import REFERENCES, SentenceGleu
from gec_core.scoring.table import MetricScores

BERT, BART = "bert-base-uncased", "facebook/bart-base"
MODELS = {
    ("BERT", "small"): "distilbert-base-uncased",
    ("BERT", "base"): BERT,
    ("BERT", "large"): "bert-large-uncased",
    ("BART", "base"): BART,
    ("BART", "large"): "facebook/bart-large",
}
IDF = f"{{folder}}/{REFERENCES}"
GLEU = spec("gleu", draw="python3")
CORPUS: Mapping[str, What] = {
    "GLEU": (GLEU, "um"),
    "ERRANT": (spec("errant", references="auto"), "um"),
    "M2": (spec("m2"), "official"),
}
SENTENCE: Mapping[str, What] = {
    "GLEU": (SentenceGleu(SentenceGleu.Options(draw="python3")), "um"),
    "ERRANT": (spec("senterrant", references="auto"), "um"),
    "M2": (spec("sentm2"), "official"),
    "BARTScore": (spec("bartscore", model=BART), "um"),
    "BERTScore": (spec("bertscore", model=BERT, idf=IDF), "um"),
}
RESCALED: What = (spec("bertscore", model=BERT, idf=IDF, rescale="true"), "um")
TABLE4: Mapping[str, What] = {
    **CORPUS,
    "SentERRANT": SENTENCE["ERRANT"],
    "SentM2": SENTENCE["M2"],
    "BARTScore": SENTENCE["BARTScore"],
    "BERTScore": SENTENCE["BERTScore"],
}
WEIGHTED = {"PT-M2": spec("ptm2"), "PT-ERRANT": spec("pterrant", references="auto")}
TABLE6: Mapping[str, What] = {
    "bertscore": SENTENCE["BERTScore"],
    "m2": CORPUS["M2"],
    "sentm2": SENTENCE["M2"],
    "pt_m2": (spec("ptm2", level="sentence", scorer="bert", model=BERT), "um"),
}
COEFFICIENTS: dict[str, Coefficient] = {"pearson": "pearson", "spearman": "spearman", "r": "pearson", "rho": "spearman"}
PRINTED = 4
"""Decimals in which GLEU's script prints scores."""
TOP = 4
SEEN = (GLEU.id, SentenceGleu.id, "m2", "sentm2")

PIPELINE = (
    "the paper does not name the versions of ERRANT and of the English pipeline below it, which decide where edits "
    "begin and end; that ours are others is supposed to be the cause"
)
NEW = f"{UNKNOWN}: the metric could not be run when the causes were looked into"
NOT_SEEN = f"{UNKNOWN}: these figures came out when the causes were looked into"

_cell = partial(PublishedFigure, "gong2022")


def rows(inputs: PaperInputs) -> Iterator[Row]:
    """All figures of the paper."""
    for record in table("gong2022_table3"):
        yield _sentence(inputs, "table3", record, "bertscore", RESCALED)
    for record in table("gong2022_table4"):
        yield from _correlations(inputs, "table4", record["metric"], record, TABLE4[record["metric"]])
    for record in table("gong2022_table5"):
        row = " ".join(part for part in (record["metric"], record["model"]) if part != "-")
        yield from _correlations(inputs, "table5", row, _level(record, "corpus"), _what(record, "corpus"))
        yield from _correlations(inputs, "table5", row, _level(record, "sentence"), _what(record, "sentence"))
    yield from _ranking(inputs)
    for record in table("gong2022_table7"):
        what = _weighted("PT-M2", "sentence", record["family"], record["size"])
        yield from _correlations(inputs, "table7", f"{record['family']} {record['size']}", record, what)
    for record in table("gong2022_table8"):
        yield _sentence(inputs, "table8", record, "m2", SENTENCE["M2"])
        yield _sentence(inputs, "table8", record, "pt_m2", TABLE6["pt_m2"])
    for record in table("gong2022_figure2"):
        yield _drop(inputs, record)
    for record in table("gong2022_figure3"):
        yield _inverse(inputs, record)


def _level(record: dict[str, str], level: str) -> dict[str, str]:
    """The columns of Table 5 for one level, under the names they have in the others."""
    return {name: text for name, text in record.items() if f"_{level}_" in name}


def _what(record: dict[str, str], level: str) -> What | None:
    if record["metric"] in WEIGHTED:
        return _weighted(record["metric"], level, record["model"], "base")
    return (CORPUS if level == "corpus" else SENTENCE).get(record["metric"])


def _weighted(metric: str, level: str, family: str, size: str) -> What | None:
    """PT-M2 or PT-ERRANT with a model; the paper does not say which its small BART is."""
    if (family, size) not in MODELS:
        return None
    plain = WEIGHTED[metric]
    options = {"level": level, "scorer": family.lower(), "model": MODELS[family, size]}
    return spec(plain.id, **dict(plain.options), **options), "um"


def _correlations(
    inputs: PaperInputs, where: str, row: str, record: dict[str, str], what: What | None
) -> Iterator[Row]:
    """A row of Table 4, 5 or 7: r and rho against Expected Wins and TrueSkill."""
    for column, printed in record.items():
        method, _, name = column.partition("_")
        if printed and method in get_args(Method):
            coefficient = COEFFICIENTS[name.rpartition("_")[2]]
            compute = partial(_attempts, inputs, what, "ew" if method == "ew" else "ts", coefficient)
            yield judge(_cell(where, row, column, printed), compute, _cause(what))


def _cause(what: What | None) -> str:
    """Why a figure of this metric differs, if it does."""
    id = what[0].id if what else ""
    if id in ("errant", "senterrant"):
        return PIPELINE
    return NOT_SEEN if id in SEEN else NEW


def _attempts(inputs: PaperInputs, what: What | None, method: Method, coefficient: Coefficient) -> list[Attempt]:
    if what is None:
        raise MissingInput("the name of the model: the paper does not give it")
    people = inputs.people(method)

    def compute(column: MetricScores) -> list[Attempt]:
        found = correlations(column.values, people, coefficient)
        if what[0] == GLEU:
            rounded = {system: round(value, PRINTED) for system, value in column.values.items()}
            note = f"with GLEU rounded to {PRINTED} decimals, as its script prints it"
            for attempt in correlations(rounded, people, coefficient):
                found.append(Attempt(attempt.value, "; ".join(part for part in (note, attempt.note) if part)))
        return found

    return attempts(inputs, what, compute)


def _ranking(inputs: PaperInputs) -> Iterator[Row]:
    """Table 6: who is on which rank, and the sums of the distances to the nearer of the two human ranks."""
    for record in table("gong2022_table6"):
        for column, printed in record.items():
            if column == "rank" or not printed:
                continue
            if record["rank"].isdecimal():
                compute = partial(_on_rank, inputs, column, int(record["rank"]))
            else:
                compute = partial(_distance, inputs, column)
            yield judge(_cell("table6", record["rank"], column, printed), compute, NOT_SEEN)


def _on_rank(inputs: PaperInputs, column: str, rank: int) -> list[Attempt]:
    if column in TABLE6:
        return attempts(inputs, TABLE6[column], lambda scored: [Attempt(order(scored.values)[rank - 1])])
    people = inputs.people("ew" if column == "human_ew" else "ts")
    names = [Attempt(order(people.published)[rank - 1], f"with the {people.name} scores as published")]
    if people.computed is not None:
        names.insert(0, Attempt(order(people.computed)[rank - 1]))
    return names


def _distance(inputs: PaperInputs, column: str) -> list[Attempt]:
    wins, skill = inputs.people("ew"), inputs.people("ts")

    def compute(scored: MetricScores) -> list[Attempt]:
        published = rank_differences(scored.values, wins.published, skill.published).total
        found = [Attempt(published, "with the human scores as published")]
        if wins.computed is not None and skill.computed is not None:
            found.insert(0, Attempt(rank_differences(scored.values, wins.computed, skill.computed).total))
        return found

    return attempts(inputs, TABLE6[column], compute)


def _sentence(inputs: PaperInputs, where: str, record: dict[str, str], column: str, what: What) -> Row:
    """The score of a single sentence of the corpus (Tables 3 and 8)."""

    def compute(scored: MetricScores) -> list[Attempt]:
        return [Attempt(float(scored.sentence_scores(record["system"])[int(record["sentence"])]))]

    row = f"sentence {record['sentence']} {record['system']}"
    return judge(_cell(where, row, column, record[column]), partial(attempts, inputs, what, compute), _cause(what))


def _drop(inputs: PaperInputs, record: dict[str, str]) -> Row:
    """What the text says of Figure 2: from all systems to people's best four, r falls to a third or less."""

    def compute() -> list[Attempt]:
        scores = inputs.column(*TABLE4[record["metric"]]).values
        return inputs.people("ew").attempts(lambda human: _fall(scores, human))

    return judge(
        _cell("figure2", record["metric"], f"r of all / r of the top {TOP}", record["statement"]), compute, NOT_SEEN
    )


def _inverse(inputs: PaperInputs, record: dict[str, str]) -> Row:
    """What the text says of Figure 3: with inverse weights both correlations are below those of SentM2."""
    coefficient = COEFFICIENTS[record["coefficient"]]
    options = {"level": "sentence", "scorer": record["model"].lower(), "model": MODELS[record["model"], "base"]}
    inverse: What = spec("ptm2", inverse="true", **options), "um"

    def compute(scored: MetricScores) -> list[Attempt]:
        plain = inputs.column(*SENTENCE["M2"]).values
        return inputs.people("ew").attempts(
            lambda human: correlation(scored.values, human, coefficient) - correlation(plain, human, coefficient)
        )

    cell = _cell("figure3", f"PT-M2 {record['model']}, inverse", f"{coefficient} less SentM2's", record["statement"])
    return judge(cell, partial(attempts, inputs, inverse, compute), NEW)


def _fall(scores: Scores, human: Scores) -> float:
    every, few = correlate(scores, human, "pearson").value, correlate(scores, human, "pearson", top=TOP).value
    if every is None or not few:
        raise MissingInput("a correlation that is defined")
    return every / few
