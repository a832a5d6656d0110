"""BERTScore (Zhang et al. 2020): the similarity of the words of an output to those of a reference, in context.

Gong et al. (2022) show why it fails on whole corrected sentences: nearly all words of an output are those of the
reference, whatever the quality of the correction. See gec_core.metrics.pt for their remedy, which uses `similarity`.

idf weights belong to a set of sentences, which is given as an option and is part of the signature, so that the score of
a pair does not depend on which other pairs are scored with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import cleandoc
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.errors import GecLensError, MissingInput
from gec_core.metrics import register
from gec_core.metrics.base import Availability, Case, Score
from gec_core.metrics.bertscore.similarity import BertSimilarity, Idf, resolve_layer
from gec_core.metrics.blocks import Block, Explanation, Facts, Matrix, Step, Token, Tokens, shown
from gec_core.metrics.fscore import RATES
from gec_core.metrics.model import ModelMetric, ModelOptions
from gec_core.metrics.options import option
from gec_core.store import Store
from gec_core.types import Array, Pair

EMBEDDED_LAYERS = {"all-MiniLM-L6-v2": 6}
"""Of its layers the last one correlates best with people on CoNLL-2014, although weakly (r is about .2)."""


class Baseline(NamedTuple):
    """The scores of unrelated sentences, which rescaling maps to 0."""

    p: float
    r: float
    f: float


BASELINES = {
    ("bert-base-uncased", 9): Baseline(0.35375935, 0.3537393, 0.35219112),
    ("bert-large-uncased", 18): Baseline(0.4278576, 0.42786714, 0.42646673),
    ("distilbert-base-uncased", 5): Baseline(0.6666034, 0.66660464, 0.66620487),
    ("roberta-base", 10): Baseline(0.8146725, 0.8146619, 0.814463),
    ("roberta-large", 17): Baseline(0.83150584, 0.8314941, 0.83122575),
}
"""Published with version 0.3 of BERTScore, for English."""
UNSCALED = Baseline(0.0, 0.0, 0.0)


@register
class BERTScore(ModelMetric):
    id = "bertscore"
    name = "BERTScore"
    order = 150
    summary = "How similar each word is, in its context, to the most similar word of the reference."
    citation = "Zhang et al. 2020, BERTScore: Evaluating Text Generation with BERT, ICLR"
    reads = "references"
    averages = True
    kind = "encoder"
    chunk = 1024
    pace = 0.01
    card = cleandoc(r"""
        ### Formula
        With the contextual embeddings of the word pieces $h$ of the output $H$ and $g$ of the reference $G$:

        $$
        P = \frac{1}{|H|} \sum_{h \in H} \max_{g \in G} \cos(h, g), \quad
        R = \frac{1}{|G|} \sum_{g \in G} \max_{h \in H} \cos(h, g), \quad F = \frac{2\,PR}{P + R}
        $$

        with the best of the references.

        ### Strengths
        It recognises synonyms as similar.

        ### Known failures
        Nearly every output of a GEC system is similar to the reference: it ranks doing nothing first (Gong et al. 2022,
        Table 6) and hardly correlates with people (r .262).
        """)

    @dataclass(frozen=True)
    class Options(ModelOptions):
        layer: str = option(
            "auto", "layer whose vectors are compared, counted from 0; auto: the one known to work best for the model"
        )
        references: Literal["best", "mean"] = option("best", "with several references: the best one, or the mean")
        rescale: bool = option(False, "rescale so that unrelated sentences score 0; needs a known baseline")
        idf: str = option(
            "", "a file or folder of sentences: word pieces that are rare in them count more; empty: no idf"
        )

    options: Options

    @cached_property
    def similarity(self) -> BertSimilarity:
        layer = resolve_layer(self.place, self.options.layer, EMBEDDED_LAYERS, self.id)
        return BertSimilarity(self.place, layer, Idf.read(self.options.idf) if self.options.idf else None)

    @cached_property
    def baseline(self) -> Baseline:
        if not self.options.rescale:
            return UNSCALED
        model, layer = self.place.name.rsplit("/", 1)[-1], self.similarity.layer
        if (model, layer) not in BASELINES:
            known = ", ".join(f"{name} at layer {at}" for name, at in BASELINES)
            raise MissingInput(
                f"No baseline is known for {model} at layer {layer}, only for {known}. Use rescale=false."
            )
        return BASELINES[model, layer]

    def availability(self) -> Availability:
        found = super().availability()
        if not found.ready:
            return found
        try:
            return Availability(ready=bool(self.similarity and self.baseline))
        except GecLensError as problem:
            return Availability(ready=False, how=str(problem))

    @property
    def signature(self) -> str:
        chosen = f"references:{self.options.references}", f"rescale:{str(self.options.rescale).lower()}"
        return "|".join([self.id, f"v{self.version}", *self._compared(), *chosen])

    @property
    def statistics_signature(self) -> str:
        return "|".join(["bertscore-rows", f"v{self.version}", *self._compared()])

    def _compared(self) -> tuple[str, ...]:
        """What the numbers depend on besides the texts; the options where the model is missing."""
        try:
            return self.similarity.parts
        except GecLensError:
            asked = self.options
            return f"model:{self.model_signature}", f"layer:{asked.layer}", f"idf:{asked.idf or 'none'}"

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        """For each pair: whether a text was truncated, then precision and recall with every reference."""
        wanted = ((output, reference) for sentence, output in pairs for reference in sentence.references)
        found = self.similarity.scores(wanted, store)
        rows = []
        for sentence, output in pairs:
            scores = [found[output, reference] for reference in sentence.references]
            cut = any(each.cut for each in scores)
            rows.append(np.array([cut, *(value for each in scores for value in (each.precision, each.recall))]))
        return rows

    def aggregate(self, statistics: Array) -> Score:
        p, r, f = (float(value) for value in self._picked(statistics)[0].mean(axis=0))
        return Score(f, {"p": p, "r": r, "f": f, "truncated": int(statistics[:, 0].sum())})

    def sentence_scores(self, statistics: Array) -> Array:
        return self._picked(statistics)[0][:, 2]

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        scores, best = self._picked(statistics)
        details = []
        for line, (p, r, f) in enumerate(scores.tolist()):
            which = {"reference": int(best[line])} if self.options.references == "best" else {}
            details.append({"p": p, "r": r, "f": f, **which, "truncated": bool(statistics[line, 0])})
        return details

    def explanation(self, case: Case) -> Explanation:
        """Show the most similar piece of the other text for each piece, with the best reference or with all."""
        references, chosen = case.sentence.references, case.details.get("reference")
        facts = {label: case.details[name] for name, label in RATES.items()}
        blocks: list[Block] = [Facts("Means of the similarities", facts)]
        for number in range(len(references)) if chosen is None else [chosen]:
            blocks += _matched_pieces(self._compare(case.output, references[number]), f"reference {number + 1}")
        return case.explanation(*blocks, reference=None if chosen is None else references[chosen])

    def computation(self, case: Case) -> Iterator[Step]:
        number = case.details.get("reference", 0)
        yield Step(
            "Compare all word pieces",
            "The model turns each word piece, in its context, into a vector. The cosine of two vectors is the "
            f"similarity of the two pieces. Rows are the output, columns reference {number + 1}.",
            (_matrix(self._compare(case.output, case.sentence.references[number])),),
        )
        p, r, f = (case.details[name] for name in "prf")
        yield Step(
            "Match each piece with the most similar one",
            "Precision is the mean over the output's pieces of the highest cosine with a piece of the reference. "
            "Recall is the mean over the reference's pieces.",
            tuple(self.explanation(case).all(Tokens)),
            (f"P = mean over the output = {shown(p)}", f"R = mean over the reference = {shown(r)}"),
        )
        yield Step(
            "F",
            "The harmonic mean of both. Nearly all words are those of the reference, whatever the quality of the "
            "correction, so all outputs score high.",
            (),
            (f"F = 2 · P · R / (P + R) = 2 · {shown(p)} · {shown(r)} / ({shown(p)} + {shown(r)}) = {shown(f)}",),
            2 * p * r / (p + r) if self.baseline.f == 0 and p + r else f,
        )

    def _compare(self, output: str, reference: str) -> _Compared:
        from gec_core.models.encoder import load_encoder
        from gec_core.models.loading import load_tokenizer

        place = self.similarity.place
        encoder, tokenizer = load_encoder(place, self.similarity.layer), load_tokenizer(place)
        ids = [pieces.ids for pieces in encoder.pieces([output, reference])]
        vectors = encoder.unit_vectors(ids)
        texts = [[str(tokenizer.decode([piece])) for piece in each] for each in ids]
        counted = [[piece not in encoder.marks for piece in each] for each in ids]
        return _Compared((texts[0], texts[1]), (counted[0], counted[1]), vectors[ids[0]] @ vectors[ids[1]].T)

    def _picked(self, statistics: Array) -> tuple[Array, NDArray[np.intp]]:
        """Precision, recall and F of every sentence, and the number of the reference with the highest F."""
        sides = statistics[:, 1:].reshape(len(statistics), -1, 2)
        total = sides.sum(axis=2)
        f = np.divide(2 * sides.prod(axis=2), total, out=np.zeros_like(total), where=total != 0)
        scores = (np.dstack([sides, f]) - self.baseline) / (1 - np.array(self.baseline))
        best = np.nanargmax(scores[:, :, 2], axis=1)
        if self.options.references == "mean":
            return np.nanmean(scores, axis=1), best
        return np.take_along_axis(scores, best[:, None, None], axis=1)[:, 0], best


class _Compared(NamedTuple):
    """Two texts as the encoder tokenises them: their pieces, which of them count, and all cosines."""

    texts: tuple[list[str], list[str]]
    counted: tuple[list[bool], list[bool]]
    cosines: NDArray[np.floating[Any]]


def _matrix(found: _Compared) -> Matrix:
    """The cosines of all pieces that count."""
    rows, columns = (np.flatnonzero(counted) for counted in found.counted)
    return Matrix(
        "Cosines",
        tuple(found.texts[0][at] for at in rows),
        tuple(found.texts[1][at] for at in columns),
        tuple(tuple(row) for row in found.cosines[np.ix_(rows, columns)].tolist()),
    )


def _matched_pieces(found: _Compared, name: str) -> tuple[Tokens, Tokens]:
    """Each piece of one text with the most similar piece of the other."""
    sides = []
    for own, other, table in ((0, 1, found.cosines), (1, 0, found.cosines.T)):
        best = np.argmax(table, axis=1)
        sides.append(
            tuple(
                Token(found.texts[own][at], float(table[at, match]), found.texts[other][match])
                for at, match in enumerate(best.tolist())
                if found.counted[own][at]
            )
        )
    return (
        Tokens(f"Pieces of the output, matched with {name} (precision)", "cosine", sides[0]),
        Tokens(f"Pieces of {name}, matched with the output (recall)", "cosine", sides[1], "reference"),
    )
