"""M² (MaxMatch, Dahlmeier and Ng 2012) and SentM², the mean of its sentence scores.

The edits of an output are extracted from a lattice so that they match the gold edits as well as possible
(gec_core.align.lattice). Precision is correct/proposed, recall correct/gold; 0/0 is defined as 1.

With several annotators the original goes through the corpus and takes, sentence after sentence, the annotator that
makes the F so far highest; ties: more correct edits, then fewer proposed + beta² · gold, then the first annotator.
The corpus score therefore depends on the order of the sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gec_core.align.edits import Encoded, GoldEncoder
from gec_core.metrics import options, register
from gec_core.metrics.annotators import SentenceMean, by_m2, choice_step, choose, resampled_totals, verdict_step
from gec_core.metrics.base import Case, Metric, Score
from gec_core.metrics.blocks import NO_WORDS, Edits, Explanation, Facts, Step, Table
from gec_core.metrics.fscore import RATES, f_score, rate_steps, ratio
from gec_core.metrics.options import option
from gec_core.metrics.readings import (
    APPROXIMATE,
    EXACT,
    Reading,
    lattice_caveat,
    lattice_notes,
    lattice_readings,
    outdated_lattices,
)
from gec_core.metrics.sums import Sums, chosen_after, chosen_along, mean_of_chosen, mean_of_sentences
from gec_core.types import Annotation, Array, Edit, Pair

COUNTED = ("correct", "proposed", "gold")


@register
class M2(Metric):
    id = "m2"
    name = "M²"
    family = "edits"
    order = 10
    summary = "Precision and recall of edits, extracted so that they match the gold edits as well as possible."
    citation = "Dahlmeier and Ng 2012, Better Evaluation for Grammatical Error Correction, NAACL"
    reads = "gold"
    card = cleandoc(r"""
        ### Formula
        With the edits of the output $E$ and the gold edits $G$ of an annotator, summed over the corpus:

        $$
        P = \frac{|E \cap G|}{|E|}, \quad R = \frac{|E \cap G|}{|G|}, \quad F_{0.5} = \frac{1.25\,PR}{0.25\,P + R}
        $$

        The output does not say which edits it made. They are extracted from a lattice of all ways to get from the
        source to the output, so that they match the gold edits as well as possible; an edit may cover up to two
        unchanged words. With several annotators, each sentence takes the one that makes the score so far highest.

        ### Strengths
        It separates precision from recall, needs no model, and says for each edit whether it is correct.

        ### Known failures
        * A system that does nothing and a system that only does harm both get 0.
        * It counts edits, not their effect. For the source *Machine is design to help people .* with the gold
          corrections *Machines*, *are* and *designed*, the output *The machine is designed for helping people .* gets
          .33 and *Machines is a design on the helping of the people .* gets .45 (Felice and Briscoe 2015, Table 3).
        * Half of a gold edit counts nothing, and corrections of different annotators cannot be combined within a
          sentence (their Tables 1 and 2).
        * The corpus score depends on the order of the sentences, because annotators are chosen one after the other.
        """)

    @dataclass(frozen=True)
    class Options(options.Options):
        beta: float = option(0.5, "weight of recall; below 1, precision counts more", least=0.01, most=100)
        max_unchanged: int = option(2, "number of unchanged words that one edit may cover", least=0, most=100)
        sentence: Literal["max", "chosen", "last"] = option(
            "max",
            "the annotator of a sentence score: the best one for the sentence, the one that the corpus score chose, or "
            "the last one (as in the scores released by Chollampatt and Ng 2018)",
        )

    options: Options

    @property
    def statistics_signature(self) -> str:
        return f"m2-counts|v{self.version}|max_unchanged:{self.options.max_unchanged}"

    def outdated(self, rows: Mapping[bytes, Array]) -> set[bytes]:
        return outdated_lattices(rows)

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        """For each pair: how the lattice was searched, then correct, proposed and gold of every annotator."""
        rows = []
        for sentence, outputs in groupby(pairs, key=attrgetter("sentence")):
            gold = GoldEncoder(sentence.tokens, sentence.annotations)
            rows += [self._row(sentence.annotations, gold.encode(pair.output.split())) for pair in outputs]
        return rows

    def _row(self, annotations: Sequence[Annotation], encoded: Encoded) -> Array:
        from gec_core.align.lattice import MOST_NODES, best_edits

        edits, exact = best_edits(self.options.max_unchanged, MOST_NODES, *encoded)
        row = np.empty(1 + 3 * len(annotations))
        row[0] = EXACT if exact else APPROXIMATE
        for index, annotation in enumerate(annotations):
            mine = edits[edits[:, 0] == index]
            row[1 + 3 * index : 4 + 3 * index] = mine[:, 5].sum(), len(mine), len(annotation.edits)
        return row

    def aggregate(self, statistics: Array) -> Score:
        counts = _counts(statistics)
        chosen = np.take_along_axis(counts, self._chosen(counts)[:, None, None], axis=1)[:, 0]
        details = self._details(*chosen.sum(axis=0)) | lattice_notes(statistics)
        return Score(details["f"], details)

    def caveat(self, details: Mapping[str, Any]) -> str:
        return lattice_caveat(details)

    def resampled(self, statistics: Array, counts: Array) -> Array:
        totals = resampled_totals(by_m2, _counts(statistics), counts, self.options.beta)
        return np.array([self._details(*each)["f"] for each in totals])

    def sums(self, systems: Sequence[Array]) -> Sums:
        """F of the counts of the chosen annotators; the state of a sentence is the counts before it."""
        return Sums(count=self._counts_after, score=self._f, along=self._along)

    def _along(self, statistics: Array) -> tuple[Array, Array]:
        counts = _counts(statistics)
        return chosen_along(counts, self._chosen(counts))

    def _counts_after(self, states: Array, statistics: Array) -> Array:
        counts = _counts(statistics)
        chosen = chosen_after(by_m2, states, counts, self.options.beta)
        return np.take_along_axis(counts, chosen[:, None, None], axis=1)[:, 0]

    def sentence_scores(self, statistics: Array) -> Array:
        counts = _counts(statistics)
        scores: Array = np.take_along_axis(self._f(counts), self._picked(counts)[:, None], axis=1)[:, 0]
        return scores

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        counts = _counts(statistics)
        picked = self._picked(counts).tolist()
        return [
            {"annotator": index} | self._details(*counts[line, index]) | lattice_notes(statistics[line : line + 1])
            for line, index in enumerate(picked)
        ]

    def explanation(self, case: Case) -> Explanation:
        found, exact = lattice_readings(case.pair, self.options.max_unchanged)
        index = case.details["annotator"]
        reading, annotation = found[index], case.sentence.annotations[index]
        types = reading.annotated_types(annotation)
        edits = tuple(reading.shown(edit, type=types.get(edit, "")) for edit in reading.edits)
        facts = {name: case.details[name] for name in COUNTED}
        facts |= {label: case.details[name] for name, label in RATES.items()}
        if not exact:
            facts["lattice"] = "too large for an exact search: the counts are approximate"
        return case.explanation(
            Edits("Edits of the output and gold edits", edits),
            Facts("Counts", facts),
            annotator=annotation.annotator,
            reference=reading.reference,
        )

    def computation(self, case: Case) -> Iterator[Step]:
        found, _ = lattice_readings(case.pair, self.options.max_unchanged)
        index = case.details["annotator"]
        yield _gold_step(case)
        yield path_step(found[index], self.options.max_unchanged)
        yield verdict_step(self.explanation(case))
        counts = [(reading.correct, len(reading.proposed), len(reading.gold)) for reading in found]
        if len(counts) > 1:
            yield choice_step(counts, self.options.beta, index)
        yield from rate_steps(COUNTED, counts[index], self.options.beta)

    def _f(self, counts: Array) -> Array:
        """F of every sentence under every annotator; NaN where the sentence has no such annotator."""
        correct, proposed, gold = np.moveaxis(counts, -1, 0)
        weight = self.options.beta**2
        bottom = weight * gold + proposed
        return (1 + weight) * np.where(bottom == 0, 1 / (1 + weight), correct) / np.where(bottom == 0, 1, bottom)

    def _picked(self, counts: Array) -> NDArray[np.intp]:
        """The annotator of each sentence score."""
        if self.options.sentence == "chosen":
            return self._chosen(counts)
        if self.options.sentence == "last":
            present = ~np.isnan(counts[:, :, 0])
            return present.shape[1] - 1 - np.argmax(present[:, ::-1], axis=1)
        return np.nanargmax(self._f(counts), axis=1)

    def _details(self, correct: float, proposed: float, gold: float) -> dict[str, Any]:
        p, r = ratio(correct, proposed), ratio(correct, gold)
        counts: dict[str, Any] = {"correct": int(correct), "proposed": int(proposed), "gold": int(gold)}
        return counts | {"p": p, "r": r, "f": f_score(p, r, self.options.beta)}

    def _chosen(self, counts: Array) -> NDArray[np.intp]:
        """The annotator of each sentence in the corpus score."""
        return choose(by_m2, counts, self.options.beta)


@register
class SentM2(SentenceMean, M2):
    id = "sentm2"
    name = "SentM²"
    order = 11
    summary = "The mean of M² computed for each sentence on its own."
    citation = "Gong et al. 2022, Revisiting Grammatical Error Correction Evaluation and Beyond, EMNLP"
    card = cleandoc(r"""
        ### Formula
        $$
        \text{SentM}^2 = \frac{1}{n} \sum_{i=1}^{n} \max_a F_{0.5}(E_i, G_i^a)
        $$

        Every sentence counts the same and takes the annotator that is best for it. A sentence without gold edits that
        is left unchanged scores 1.

        ### Strengths
        It correlates better with people than M² over the whole corpus (Gong et al. 2022: r .871 instead of .623
        against Expected Wins), because sentences with many errors do not outweigh the others.

        ### Known failures
        It rewards leaving sentences unchanged: on CoNLL-2014, a system that does nothing scores .313.
        """)

    def aggregate(self, statistics: Array) -> Score:
        counts = _counts(statistics)
        picked = np.take_along_axis(counts, self._picked(counts)[:, None, None], axis=1)[:, 0]
        totals = dict(zip(COUNTED, (int(total) for total in picked.sum(axis=0)), strict=True))
        mean = float(np.mean(self.sentence_scores(statistics)))
        return Score(mean, totals | {"f": mean} | lattice_notes(statistics))

    def sums(self, systems: Sequence[Array]) -> Sums:
        if self.averages:
            return mean_of_sentences(self.sentence_scores)
        return mean_of_chosen(super().sums(systems), self._f)


def _counts(statistics: Array) -> Array:
    """Sentences × annotators × (correct, proposed, gold)."""
    return statistics[:, 1:].reshape(len(statistics), -1, 3)


def _gold_step(case: Case) -> Step:
    rows = tuple(
        (str(annotation.annotator + 1), _listed(annotation.edits, case.sentence.tokens))
        for annotation in case.sentence.annotations
    )
    return Step(
        "The gold edits",
        "The edits of the annotators define what is correct.",
        (Table("Gold edits", ("annotator", "edits"), rows),),
    )


def path_step(reading: Reading, max_unchanged: int) -> Step:
    """The step that extracts the edits of an output from the lattice."""
    rows, at, tokens = [], 0, reading.source.split()
    for edit in sorted(reading.proposed, key=lambda edit: (edit.start, edit.end)):
        if edit.start > at:
            rows.append(("keep", " ".join(tokens[at : edit.start]), ""))
        matched = "a gold edit" if reading.verdict(edit) == "correct" else "no gold edit"
        rows.append(("edit", _told(edit, tokens), matched))
        at = edit.end
    if at < len(tokens):
        rows.append(("keep", " ".join(tokens[at:]), ""))
    return Step(
        "The path through the lattice",
        "Every path from the first word to the last is one way to extract edits from the output; an edit may cover up "
        f"to {max_unchanged} unchanged words. M² takes the path that matches most gold edits, and of these the one "
        "with the fewest edits.",
        (Table("The path", ("step", "words", "matches"), tuple(rows)),),
    )


def _listed(edits: Iterable[Edit], tokens: Sequence[str]) -> str:
    return "; ".join(_told(edit, tokens) for edit in edits) or "none: the sentence is correct"


def _told(edit: Edit, tokens: Sequence[str]) -> str:
    new = " or ".join(correction or NO_WORDS for correction in edit.corrections)
    return f"{' '.join(tokens[edit.start : edit.end]) or NO_WORDS} → {new}"
