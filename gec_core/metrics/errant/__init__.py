"""ERRANT (Bryant et al. 2017), SentERRANT (the mean of its sentence scores), and the base of metrics on ERRANT edits.

The edits of an output are extracted from an alignment that takes lemmas and parts of speech into account
(gec_core.align.errant_edits), independently of the gold edits; an edit is correct if an annotator has it as well.

With several annotators, `errant_compare` goes through the corpus and takes, sentence after sentence, the one that makes
the F so far highest, rounded to four digits; ties: more true positives in the sentence, then fewer false positives,
then fewer false negatives, then the first. These metrics do the same, so the order of the sentences matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gec_core.align.edits import apply_edits
from gec_core.align.errant_pipeline import find, label, loaded, missing, named
from gec_core.errors import MissingInput
from gec_core.languages import base
from gec_core.languages import name as language_name
from gec_core.metrics import options, register
from gec_core.metrics.annotators import SentenceMean, by_errant, choice_step, choose, resampled_totals, verdict_step
from gec_core.metrics.base import Availability, Case, Metric, Score, stack, text_rows
from gec_core.metrics.blocks import Edits, Explanation, Facts, Step, Table, ValuedEdit, valued
from gec_core.metrics.errant.rows import ANNOTATOR, Mode, counts, edits_beside_gold, encode, records, units
from gec_core.metrics.fscore import RATES, f_score, f_scores, rate_steps, ratio, ratios
from gec_core.metrics.options import option
from gec_core.metrics.sums import Sums, chosen_after, chosen_along, mean_of_chosen, mean_of_sentences
from gec_core.types import Array, Edit, Pair, Reads

if TYPE_CHECKING:
    from gec_core.store import Store


@dataclass(frozen=True)
class ExtractionOptions(options.Options):
    """The options that all metrics on ERRANT edits have."""

    beta: float = option(0.5, "weight of recall; below 1, precision counts more", least=0, most=100)
    references: Literal["gold", "auto"] = option(
        "gold", "gold edits as annotated, or extracted from the references by ERRANT"
    )


class ErrantMetric(Metric):
    """A metric that reads edits with ERRANT."""

    family = "edits"
    reads: Reads = "gold"
    languages = ("en",)
    elsewhere = (
        "Its rules and error types are English. ERRANT and SentERRANT take a spaCy pipeline of another language "
        "(--option errant.pipeline=de_core_news_sm: edits without types); an ERRANT of that language joins as a metric "
        "through the entry point gec_lens.metrics; M² reads edits of any language."
    )
    pace = 0.002
    chunk = 256
    Options = ExtractionOptions

    options: ExtractionOptions

    def __init__(self, options: ExtractionOptions | None = None) -> None:
        super().__init__(options)
        self.reads = "gold" if self.options.references == "gold" else "references"

    @property
    def signature(self) -> str:
        return f"{super().signature}|{self._label}"

    @property
    def _label(self) -> str:
        return label()

    def availability(self) -> Availability:
        return Availability(ready=find() is not None, how=missing())

    def loaded(self) -> bool:
        return loaded()

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return self.gather(pairs, None)


@dataclass(frozen=True)
class EditOptions(ExtractionOptions):
    """The options of the metrics that count edits."""

    sentence: Literal["max", "chosen"] = option(
        "max",
        "the annotator of a sentence score: the best one for the sentence, or the one that the corpus score chose",
    )
    pipeline: str = option(
        "",
        "a spaCy pipeline of another language, by its name or folder: its lemmas and parts of speech align the texts; "
        "edits then have no types; empty: the English one",
        unsaid=True,
    )


class EditMetric(ErrantMetric):
    """A metric that counts edits; its `digest` computes tp, fp, fn of every sentence and annotator from the rows."""

    Options = EditOptions

    options: EditOptions

    @property
    def statistics_signature(self) -> str:
        return f"errant-rows|v{self.version}|references:{self.options.references}|{self._label}"

    @property
    def _label(self) -> str:
        try:
            return label(self.options.pipeline)
        except MissingInput:
            return "pipeline:none"

    def availability(self) -> Availability:
        if not self.options.pipeline:
            return super().availability()
        try:
            named(self.options.pipeline)
        except MissingInput as problem:
            return Availability(ready=False, how=str(problem))
        return Availability(ready=True)

    def unsuited(self, language: str) -> str:
        """Say why the metric is not for texts of a language: a pipeline of another one than theirs."""
        if not self.options.pipeline or not self.availability().ready:
            return super().unsuited(language)
        own = named(self.options.pipeline).language
        if not language or own == base(language):
            return ""
        return (
            f"{self.options.pipeline} is a pipeline for {language_name(own)}, and the texts are "
            f"{language_name(language)}."
        )

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        """For each pair its edits and those of every annotator: see `rows`."""
        found = edits_beside_gold(pairs, self.options.references, store, self.options.pipeline)
        return [encode(made, golds) for made, golds in found]

    def aggregate(self, statistics: Array) -> Score:
        counts = _counts(statistics)
        details = self._details(*_at(counts, self.chosen(counts)).sum(axis=0))
        return Score(details["f"], details)

    def resampled(self, statistics: Array, counts: Array) -> Array:
        totals = resampled_totals(by_errant, _counts(statistics), counts, self.options.beta)
        return np.array([self._details(*each)["f"] for each in totals])

    def sums(self, systems: Sequence[Array]) -> Sums:
        """F of the counts of the chosen annotators; the state of a sentence is the counts before it."""
        return Sums(count=self._counts_after, score=self._f, along=self._along)

    def _along(self, statistics: Array) -> tuple[Array, Array]:
        counts = _counts(statistics)
        return chosen_along(counts, self.chosen(counts))

    def _counts_after(self, states: Array, statistics: Array) -> Array:
        counts = _counts(statistics)
        return _at(counts, chosen_after(by_errant, states, counts, self.options.beta))

    def sentence_scores(self, statistics: Array) -> Array:
        counts = _counts(statistics)
        scores = self._f(counts)
        if self.options.sentence == "chosen":
            return np.take_along_axis(scores, self.chosen(counts)[:, None], axis=1)[:, 0]
        best: Array = np.nanmax(scores, axis=1)
        return best

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        counts = _counts(statistics)
        picked = self._picked(counts)
        return [
            {"reference": index} | self._details(*numbers)
            for index, numbers in zip(picked.tolist(), _at(counts, picked), strict=True)
        ]

    @property
    def mode(self) -> Mode:
        """What must agree for an edit to be correct."""
        return "span"

    def explanation(self, case: Case) -> Explanation:
        rows = stack([text_rows(self, case.sentence, [case.output], store=case.store)[case.output]])
        index = case.details["reference"]
        table = records(rows)
        size, agreed = units(table, self.mode)
        mine = table[0, :, ANNOTATOR] == index
        ((made, golds),) = edits_beside_gold([case.pair], self.options.references, case.store, self.options.pipeline)
        correct = (agreed >= size)[0][mine]
        facts = {name: case.details[name] for name in ("tp", "fp", "fn")}
        facts |= {label: case.details[name] for name, label in RATES.items()}
        blocks = (
            Edits("Edits of the output and gold edits", _valued(case, made, golds[index], correct, size[0][mine])),
            Facts("Counts", facts),
        )
        if self.options.references == "auto":
            return case.explanation(*blocks, reference=case.sentence.references[index])
        annotation = case.sentence.annotations[index]
        reference = apply_edits(case.sentence.source, annotation.edits)
        return case.explanation(*blocks, annotator=annotation.annotator, reference=reference)

    def computation(self, case: Case) -> Iterator[Step]:
        counts = [(tp, tp + fp, tp + fn) for tp, fp, fn in _counts(case.rows)[0].tolist()]
        index, explanation = case.details["reference"], self.explanation(case)
        yield extraction_step(explanation)
        yield verdict_step(explanation)
        if len(counts) > 1:
            yield choice_step(counts, self.options.beta, index)
        yield from rate_steps(("TP", "(TP + FP)", "(TP + FN)"), counts[index], self.options.beta)

    def chosen(self, counts: Array) -> NDArray[np.intp]:
        """The annotator of each sentence in the corpus score."""
        return choose(by_errant, counts, self.options.beta)

    def best(self, counts: Array) -> NDArray[np.intp]:
        """The annotator with the highest F of each sentence; ties as in the corpus score."""
        tp, fp, fn = np.moveaxis(counts, -1, 0)
        keys = np.stack([self._f(counts), tp, -fp, -fn], axis=-1)
        keys = np.where(np.isnan(keys), -np.inf, keys).tolist()
        return np.array([max(range(len(row)), key=row.__getitem__) for row in keys], np.intp)

    def _picked(self, counts: Array) -> NDArray[np.intp]:
        """The annotator of each sentence score."""
        return self.chosen(counts) if self.options.sentence == "chosen" else self.best(counts)

    def _f(self, counts: Array) -> Array:
        """F of every sentence under every annotator; NaN where a sentence has no such annotator."""
        tp, fp, fn = np.moveaxis(counts, -1, 0)
        return f_scores(ratios(tp, tp + fp), ratios(tp, tp + fn), self.options.beta)

    def _details(self, tp: float, fp: float, fn: float) -> dict[str, Any]:
        p, r = ratio(tp, tp + fp), ratio(tp, tp + fn)
        return self._numbers(tp, fp, fn) | {"p": p, "r": r, "f": f_score(p, r, self.options.beta)}

    def _numbers(self, tp: float, fp: float, fn: float) -> dict[str, Any]:
        return {"tp": int(tp), "fp": int(fp), "fn": int(fn)}


class MeanEditMetric(SentenceMean, EditMetric):
    """The same with the mean of the sentence scores as corpus score."""

    def aggregate(self, statistics: Array) -> Score:
        counts = _counts(statistics)
        mean = float(np.mean(self.sentence_scores(statistics)))
        return Score(mean, self._numbers(*_at(counts, self._picked(counts)).sum(axis=0)) | {"f": mean})

    def sums(self, systems: Sequence[Array]) -> Sums:
        if self.averages:
            return mean_of_sentences(self.sentence_scores)
        return mean_of_chosen(super().sums(systems), self._f)


def _counts(statistics: Array) -> Array:
    """Sentences × annotators × (tp, fp, fn)."""
    return statistics.reshape(len(statistics), -1, 3)


def _at(counts: Array, index: NDArray[np.intp]) -> Array:
    """The counts of one annotator per sentence."""
    return np.take_along_axis(counts, index[:, None, None], axis=1)[:, 0]


def extraction_step(explanation: Explanation) -> Step:
    """The step that extracts typed edits from an output."""
    made = [edit for block in explanation.all(Edits) for edit in block.edits if edit.verdict != "missed"]
    rows = tuple((f"{edit.start}–{edit.end}", str(edit), edit.type) for edit in made)
    return Step(
        "The edits of the output",
        "ERRANT aligns source and output by lemmas and parts of speech, and gives each difference a type: M (missing), "
        "U (unnecessary) or R (replacement), followed by the kind of error.",
        (Table("Edits", ("span", "edit", "type"), rows),),
    )


def _valued(
    case: Case, made: Sequence[Edit], gold: Sequence[Edit], correct: NDArray[np.bool_], weights: Array
) -> tuple[ValuedEdit, ...]:
    """The edits with verdicts and weights, from the records of the output's edits followed by the gold edits.

    A correct edit has the weight of the gold edit, which is not listed again.
    """
    tokens = case.sentence.tokens
    found = list(zip([*made, *gold], correct.tolist(), weights.tolist(), strict=True))
    proposed, wanted = found[: len(made)], found[len(made) :]
    gold_weight = {(edit.start, edit.end): weight for edit, _, weight in wanted}
    edits = [
        valued(edit, tokens, gold_weight.get((edit.start, edit.end), weight), "correct")
        if is_correct
        else valued(edit, tokens, weight, "wrong")
        for edit, is_correct, weight in proposed
    ]
    edits += [valued(edit, tokens, weight, "missed") for edit, is_correct, weight in wanted if not is_correct]
    return tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))


@register
class Errant(EditMetric):
    id = "errant"
    name = "ERRANT"
    order = 15
    summary = "Precision and recall of typed edits, extracted from a linguistic alignment."
    citation = "Bryant et al. 2017, Automatic Annotation and Evaluation of Error Types for GEC, ACL"
    card = cleandoc(r"""
        ### Formula
        $$
        P = \frac{TP}{TP + FP}, \quad R = \frac{TP}{TP + FN}, \quad F_{0.5} = \frac{1.25\,PR}{0.25\,P + R}
        $$

        Edits of the output are extracted and classified by ERRANT: a linguistically informed alignment, merging rules,
        55 error types. An edit is correct if an annotator has the same span and correction; each sentence takes the
        annotator that makes the score so far highest. `references=gold` compares with the edits as annotated, `auto`
        with edits extracted from the references.

        ### Strengths
        It is the most widely used metric today, and says which types of errors a system corrects
        (`python -m gec_core types`).

        ### Known failures
        Those of M²: partial corrections count nothing, all edits count the same, and doing nothing scores 0.
        """)

    @dataclass(frozen=True)
    class Options(EditOptions):
        mode: Literal["span", "detection", "token"] = option(
            "span", "what must agree: span and correction of an edit, its span alone, or single changed tokens"
        )

    options: Options

    @property
    def mode(self) -> Mode:
        return self.options.mode

    def digest(self, statistics: Mapping[str, Array]) -> dict[str, Array]:
        """For each sentence and annotator: true positives, false positives, false negatives."""
        return {system: counts(rows, self.mode).reshape(len(rows), -1) for system, rows in statistics.items()}


@register
class SentErrant(MeanEditMetric, Errant):
    id = "senterrant"
    name = "SentERRANT"
    order = 16
    summary = "The mean of ERRANT computed for each sentence on its own."
    citation = "Gong et al. 2022, Revisiting Grammatical Error Correction Evaluation and Beyond, EMNLP"
    card = cleandoc(r"""
        ### Formula
        $$
        \text{SentERRANT} = \frac{1}{n} \sum_{i=1}^{n} \max_a F_{0.5}(E_i, G_i^a)
        $$

        The mean over sentences of ERRANT's $F_{0.5}$, each sentence with the annotator that is best for it.

        ### Strengths
        It correlates better with people than ERRANT over the whole corpus (Gong et al. 2022: r .870 instead of .642
        against Expected Wins).

        ### Known failures
        It rewards leaving sentences unchanged, because a sentence without gold edits that is left unchanged scores 1.
        """)
