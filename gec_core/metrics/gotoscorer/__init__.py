"""GoToScorer (Gotou et al. 2020), as its authors' code computes it.

The source is divided into chunks by the edits of one annotator (see `chunks`). The weight of a chunk is 1 − the share
of the systems that are correct on it, so that what all systems get right counts nothing. Every chunk adds its weight to
one of four sums: true positives (modified and correct), false positives (modified and wrong), false negatives (a gold
edit that is not made; a wrong edit in its place counts twice) and true negatives (left alone and correct). 0/0 is
defined as 0.

Weights depend on the systems that are scored together: a score is valid among these systems, and a single system alone
gets nothing for its correct edits. `weights=none` and a weight file do without other systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import numpy as np

from gec_core.align.edits import apply_edits
from gec_core.align.errant_pipeline import label
from gec_core.errors import ScoreError
from gec_core.metrics import register
from gec_core.metrics.base import Case, Score, stack, text_rows
from gec_core.metrics.blocks import (
    NO_WORDS,
    Edits,
    Explanation,
    Facts,
    Step,
    Token,
    Tokens,
    ValuedEdit,
    valued,
)
from gec_core.metrics.errant import ErrantMetric, ExtractionOptions, extraction_step
from gec_core.metrics.errant.rows import edits_beside_gold
from gec_core.metrics.fscore import RATES, f_score, rate_steps, ratio
from gec_core.metrics.gotoscorer import chunks
from gec_core.metrics.gotoscorer.chunks import TypeDifficulty, Weights, by_type, from_file, from_systems
from gec_core.metrics.options import option
from gec_core.metrics.sums import Sums
from gec_core.types import Array, Edit, Pair, Sentence

if TYPE_CHECKING:
    from gec_core.store import Store

SYSTEMS, NONE = "systems", "none"
COUNTS = {"tp": "true positives", "fp": "false positives", "fn": "false negatives", "tn": "true negatives"}


@register
class GoToScorer(ErrantMetric):
    id = "gotoscorer"
    name = "GoToScorer"
    order = 17
    version = 2
    summary = "F of the chunks of the source, weighted by how few of the systems are right about them."
    citation = "Gotou et al. 2020, Taking the Correction Difficulty into Account in GEC Evaluation, COLING"
    card = cleandoc(r"""
        ### Formula
        The source is divided into chunks by the edits of one annotator: the edits, the tokens outside them, and the
        positions between them. The weight of a chunk:

        $$
        w_c = 1 - \frac{\text{systems that are correct on } c}{\text{all systems}}
        $$

        $TP$, $FP$ and $FN$ are sums of weights. $P$, $R$ and $F_{0.5}$ follow from them as in ERRANT, but 0/0 is
        defined as 0.

        ### Strengths
        It separates systems that differ in difficult errors: what all systems correct counts nothing.

        ### Known failures
        A score depends on the systems that are scored together, so it cannot be compared across corpora or with a score
        among other systems. Only one annotator counts. A wrong edit over several tokens counts once for each of them.
        """)

    @dataclass(frozen=True)
    class Options(ExtractionOptions):
        annotator: int = option(
            1, "the annotator whose edits outputs are compared with, counted from 1", least=1, most=1000
        )
        weights: str = option(
            SYSTEMS, "systems: by how few systems are correct; none: all 1; or a weight file of the authors' code"
        )

    options: Options

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        self.by_peers = self.options.weights == SYSTEMS

    @property
    def statistics_signature(self) -> str:
        return f"gotoscorer-chunks|v{self.version}|references:{self.options.references}|{label()}"

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        """For each pair what became of the chunks of every annotator: see `chunks`."""
        found = edits_beside_gold(pairs, self.options.references, store)
        return [
            chunks.encode(pair.sentence.tokens, made, self._by_annotator(pair.sentence, golds))
            for pair, (made, golds) in zip(pairs, found, strict=True)
        ]

    def _by_annotator(self, sentence: Sentence, golds: Sequence[Sequence[Edit]]) -> dict[int, Sequence[Edit]]:
        if self.options.references == "auto":
            return dict(enumerate(golds))
        return dict(zip((each.annotator for each in sentence.annotations), golds, strict=True))

    def digest(self, statistics: Mapping[str, Array]) -> dict[str, Array]:
        """For each sentence the sums of weights: tp, fp, fn, tn, and of all chunks."""
        if "" not in statistics:
            self._check_annotator(next(iter(statistics.values())))
        found = {system: self._records(rows) for system, rows in statistics.items()}
        weights = self._weights(list(found.values()))
        return {system: weights.sums(records) for system, records in found.items()}

    def digest_texts(self, rows: Array, places: Sequence[tuple[str, int]], statistics: Mapping[str, Array]) -> Array:
        """With the weights that chunks have among the actual outputs of all systems."""
        if self.options.weights == NONE:
            return self.digest({"": rows})[""]
        if not statistics:
            raise ScoreError(f"{self.name} needs the outputs of all systems to weigh the chunks of other texts.")
        weights = self._weights([self._records(own) for own in statistics.values()])
        return weights.at([line for _, line in places]).sums(self._records(rows))

    def _records(self, rows: Array) -> chunks.ChunkRecords:
        return chunks.records(rows, self.options.annotator - 1)

    def _weights(self, systems: Sequence[chunks.ChunkRecords]) -> Weights:
        """The weights of the chunks of all sentences."""
        if self.options.weights == SYSTEMS:
            return from_systems(systems)
        if self.options.weights == NONE:
            return Weights.ones(systems[0].sizes)
        return from_file(self.options.weights, systems[0].sizes)

    def _check_annotator(self, rows: Array) -> None:
        """Refuse an annotator who is in no sentence: every score would be 0."""
        if len(rows) and not chunks.knows(rows, self.options.annotator - 1):
            raise ScoreError(
                f"{self.name}: no sentence has an annotator {self.options.annotator} (counted from 1). Choose another "
                "with the option annotator."
            )

    def aggregate(self, statistics: Array) -> Score:
        details = self._details(statistics.sum(axis=0))
        return Score(details["f"], details)

    def resampled(self, statistics: Array, counts: Array) -> Array:
        return self._f(counts @ statistics)

    def sums(self, systems: Sequence[Array]) -> Sums:
        return Sums(count=lambda _, rows: rows[:, :3], score=self._f)

    def sentence_scores(self, statistics: Array) -> Array:
        return self._f(statistics)

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [self._details(numbers) for numbers in statistics]

    def _f(self, sums: Array) -> Array:
        """F from tp, fp, fn; it is 0 where nothing is correct."""
        tp, fp, fn = sums[..., 0], sums[..., 1], sums[..., 2]
        square = self.options.beta**2
        bottom = (1 + square) * tp + fp + square * fn
        return (1 + square) * tp / np.where(bottom == 0, 1, bottom)

    def _details(self, numbers: Array) -> dict[str, Any]:
        tp, fp, fn, tn, weight = map(float, numbers)
        p, r = ratio(tp, tp + fp, empty=0), ratio(tp, tp + fn, empty=0)
        rates = {"p": p, "r": r, "f": f_score(p, r, self.options.beta), "accuracy": ratio(tp + tn, weight, empty=0)}
        return {"tp": tp, "fp": fp, "fn": fn, "tn": tn} | rates

    def explanation(self, case: Case) -> Explanation:
        tokens = case.sentence.tokens
        ((made, golds),) = edits_beside_gold([case.pair], self.options.references, case.store)
        index = self.options.annotator - 1
        gold = self._by_annotator(case.sentence, golds).get(index, ())
        divided = chunks.chunks(len(tokens), gold)
        weights = self._case_weights(case).of(0, len(divided)).tolist()
        facts = {name: case.details[name] for name in COUNTS} | {
            told: case.details[name] for name, told in [*RATES.items(), ("accuracy", "accuracy")]
        }
        blocks = (
            Edits("Edits of the output and gold edits", tuple(_valued(tokens, made, divided, weights))),
            Tokens("Chunks of the source", "difficulty", tuple(_heat(tokens, divided, weights))),
            Facts("Sums of weights", facts),
        )
        if self.options.references == "auto":
            return case.explanation(*blocks, reference=case.sentence.references[index])
        return case.explanation(*blocks, annotator=index, reference=apply_edits(case.sentence.source, gold))

    def difficulty(self, statistics: Mapping[str, Array], name: Callable[[str], str] = str) -> list[TypeDifficulty]:
        """How difficult the systems find the gold edits of each type, given the stored rows of all systems.

        Args:
            statistics: The rows by system.
            name: From an ERRANT type to the type to count it under.
        """
        found = [self._records(rows) for rows in statistics.values()]
        return by_type(self._weights(found), found[0], name)

    def _case_weights(self, case: Case) -> Weights:
        texts = [case.output, *case.peers]
        rows = text_rows(self, case.sentence, texts, store=case.store)
        return self._weights([self._records(stack([rows[text]])) for text in texts])

    def computation(self, case: Case) -> Iterator[Step]:
        explanation, details = self.explanation(case), case.details
        yield extraction_step(explanation)
        yield Step(
            "The weights of the chunks",
            "The gold edits divide the source into chunks. The weight of a chunk is the share of the systems that are "
            "wrong there: a chunk that all systems get right has weight 0.",
            tuple(explanation.all(Tokens)),
        )
        yield Step(
            "Compare with the gold edits",
            "An edit is correct if it is a gold edit, with the same span and the same correction. A wrong edit has the "
            "weights of all chunks that it overlaps. Gold edits that the output does not have are missed.",
            tuple(explanation.all(Edits)),
        )
        tp, fp, fn = (details[name] for name in ("tp", "fp", "fn"))
        yield from rate_steps(("TP", "(TP + FP)", "(TP + FN)"), (tp, tp + fp, tp + fn), self.options.beta, empty=0)


def _valued(
    tokens: list[str], made: Sequence[Edit], divided: Sequence[chunks.Chunk], weights: Sequence[float]
) -> list[ValuedEdit]:
    """The edits of the output and the missed gold edits with their weights, from left to right.

    A chunk that several wrong edits touch adds its weight to the first of them.
    """
    mine = chunks.corrections(made)
    right = [any(chunk.is_made_by(edit, tokens) for chunk in divided) for edit in mine]
    values = [0.0] * len(mine)
    missed = []
    for chunk, weight in zip(divided, weights, strict=True):
        did = chunks.outcome(chunk, mine, tokens)
        for number, edit in enumerate(mine):
            if did.modified and did.correct == right[number] and chunk.touched_by(edit):
                values[number] += weight
                break
        if chunk.edit and not did.correct:
            missed.append(valued(chunk.edit, tokens, weight, "missed"))
    found = [
        valued(edit, tokens, value, "correct" if correct else "wrong")
        for edit, value, correct in zip(mine, values, right, strict=True)
    ]
    return sorted(found + missed, key=lambda edit: (edit.start, edit.end))


def _heat(tokens: list[str], divided: Sequence[chunks.Chunk], weights: Sequence[float]) -> Iterator[Token]:
    """The chunks with their weights; empty ones only where something is, or was, inserted."""
    for chunk, weight in zip(divided, weights, strict=True):
        if chunk.start < chunk.end or chunk.edit or weight:
            correction = (chunk.edit.correction or NO_WORDS) if chunk.edit else ""
            yield Token(chunk.text(tokens) or NO_WORDS, weight, correction)
