"""Metrics with models explained: similar word pieces, surprising tokens, and the parts that are mixed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.explain.blocks import Block, Facts, Token, Tokens
from gec_core.explain.native import Case, Native, native
from gec_core.metrics.asano import PARTS, Asano
from gec_core.metrics.asano_fluency import AsanoFluency
from gec_core.metrics.asano_meaning import AsanoMeaning
from gec_core.metrics.bertscore import BERTScore
from gec_core.metrics.scribendi import Scribendi
from gec_core.models.causal_lm import detokenise

if TYPE_CHECKING:
    from gec_core.models.places import Place
    from gec_core.store import Store

SURPRISAL = "surprisal (nats)"
COSINE = "cosine"


@native.register(BERTScore)
def _bertscore(metric: BERTScore, case: Case) -> Native:
    """The most similar piece of the other text for each piece, with the reference that counts, or with each."""
    chosen = case.details.get("reference")
    numbers = range(len(case.sentence.references)) if chosen is None else [chosen]
    facts = {"precision": case.details["p"], "recall": case.details["r"], "F": case.details["f"]}
    blocks: list[Block] = [Facts("Means of the similarities", facts)]
    for number in numbers:
        reference = case.sentence.references[number]
        blocks += _matched_pieces(metric, case.output, reference, f"reference {number + 1}")
    return Native(tuple(blocks), None, None if chosen is None else case.sentence.references[chosen])


class _Compared(NamedTuple):
    """Two texts as the encoder reads them: their pieces, which of these are words', and all cosines."""

    texts: tuple[list[str], list[str]]
    counted: tuple[list[bool], list[bool]]
    cosines: NDArray[np.floating[Any]]


def _compare(metric: BERTScore, output: str, reference: str) -> _Compared:
    from gec_core.models.encoder import load_encoder
    from gec_core.models.loading import load_tokenizer

    place = metric.similarity.place
    encoder, tokenizer = load_encoder(place, metric.similarity.layer), load_tokenizer(place)
    ids = [pieces.ids for pieces in encoder.pieces([output, reference])]
    vectors = encoder.unit_vectors(ids)
    texts = [[str(tokenizer.decode([piece])) for piece in each] for each in ids]
    counted = [[piece not in encoder.marks for piece in each] for each in ids]
    return _Compared((texts[0], texts[1]), (counted[0], counted[1]), vectors[ids[0]] @ vectors[ids[1]].T)


def cosines(
    metric: BERTScore, output: str, reference: str
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[float, ...], ...]]:
    """The pieces of the output, those of the reference, and how similar each is to each."""
    found = _compare(metric, output, reference)
    rows, columns = (np.flatnonzero(counted) for counted in found.counted)
    return (
        tuple(found.texts[0][at] for at in rows),
        tuple(found.texts[1][at] for at in columns),
        tuple(tuple(row) for row in found.cosines[np.ix_(rows, columns)].tolist()),
    )


def _matched_pieces(metric: BERTScore, output: str, reference: str, name: str) -> tuple[Tokens, Tokens]:
    found = _compare(metric, output, reference)
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
        Tokens(f"The output's pieces beside {name} (precision)", COSINE, sides[0]),
        Tokens(f"The pieces of {name} beside the output (recall)", COSINE, sides[1]),
    )


@native.register(Scribendi)
def _scribendi(metric: Scribendi, case: Case) -> Native:
    details, threshold = case.details, metric.options.threshold
    facts = {
        "perplexity of the source": details["ppl_source"],
        "perplexity of the output": details["ppl_output"],
        "token sort ratio": details["tsr"],
        "Levenshtein distance ratio": details["ldr"],
        "least ratio": threshold,
        "decision": _decision(case.score, details["ppl_source"] > details["ppl_output"]),
    }
    if "note" in details:
        facts["note"] = details["note"]
    texts = {"The source": case.sentence.source, "The output": case.output}
    if case.sentence.source == case.output:
        del texts["The output"]
    read = {title: detokenise(text) if metric.options.detokenise else text for title, text in texts.items()}
    surprises = (_surprises(f"{title}, token by token", text, metric.place, case.store) for title, text in read.items())
    return Native((Facts("Decision", facts), *surprises))


def _decision(score: float, better: bool) -> str:
    """Which way through the metric's rules was taken."""
    if score == 0:
        return "The output is the source: 0."
    if not better:
        return "The perplexity is not lower than the source's: −1."
    if score < 0:
        return "The perplexity is lower, but both ratios are below the least one: −1."
    return "The perplexity is lower, and one of the ratios is high enough: +1."


def _surprises(title: str, text: str, place: Place, store: Store | None) -> Tokens:
    from gec_core.models.causal_lm import surprisals

    return Tokens(title, SURPRISAL, tuple(Token(*each) for each in surprisals(place, text, store)))


@native.register(AsanoFluency)
def _fluency(metric: AsanoFluency, case: Case) -> Native:
    details = case.details
    facts = {
        "log-probability under the model": details["log_p_model"],
        "log-probability word by word": details["log_p_words"],
        "tokens": len(case.output.split()),
        "before it is cut off at 0 and 1": details["before_cut_off"],
    }
    read = detokenise(case.output) if metric.options.detokenise else case.output
    return Native(
        (
            Facts("Probability beyond that of single words", facts),
            _surprises("Token by token", read, metric.place, case.store),
        )
    )


@native.register(AsanoMeaning)
def _meaning(metric: AsanoMeaning, case: Case) -> Native:
    from gec_core.metrics._content_words import content_words

    facts = {
        "content words of the source": _listed(content_words(case.sentence.tokens)),
        "content words of the output": _listed(content_words(case.output.split())),
        "that stand for each other": case.details["matched"],
    }
    return Native((Facts("Content words", facts),))


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"


@native.register(Asano)
def _asano(metric: Asano, case: Case) -> Native:
    parts = dict(zip(PARTS, metric.parts, strict=True))
    weights = dict(zip(PARTS, metric.weights, strict=True))
    facts = {name: f"{case.details[name]:.4f} × {weights[name]:g}" for name in PARTS}
    blocks: list[Block] = [Facts("Three parts and their weights", facts)]
    for name, part in parts.items():
        own = Case(part, case.sentence, case.output, case.store, case.peers)
        blocks += [replace(block, title=f"{name.capitalize()}: {block.title}") for block in native(part, own).blocks]
    return Native(tuple(blocks))
