"""Scribendi Score and BERTScore, step by step: perplexities and ratios, similarities and their means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp

from gec_core.explain.blocks import Tokens
from gec_core.explain.native import Case, explain
from gec_core.explain.native_models import cosines
from gec_core.explain.steps import Matrix, Step, computed, shown
from gec_core.metrics.bertscore import BERTScore
from gec_core.metrics.scribendi import Scribendi


@computed.register(Scribendi)
def _scribendi(metric: Scribendi, case: Case) -> Iterator[Step]:
    read = list(explain(case).all(Tokens))
    perplexities = [_perplexity(block) for block in read]
    for block, name in zip(read, ("source", "output"), strict=False):
        mean = sum(token.value for token in block.tokens) / max(len(block.tokens), 1)
        yield Step(
            f"Perplexity of the {name}",
            "The language model reads the sentence and says after each token how much the next one surprises it, in "
            "nats. Perplexity is e to the mean surprise: low for what reads well.",
            (block,),
            (f"perplexity = exp({shown(mean)}) = {shown(_perplexity(block))}",),
            _perplexity(block),
        )
    tsr, ldr, threshold = case.details["tsr"], case.details["ldr"], metric.options.threshold
    yield Step(
        "Does it still say the same?",
        "Two ratios of source and output, from 0 to 1: of their words in alphabetical order (token sort ratio), and "
        "of their characters (Levenshtein distance ratio). The larger one counts.",
        formulas=(
            f"TSR = {shown(tsr)}",
            f"LDR = {shown(ldr)}",
            f"max = {shown(max(tsr, ldr))}; the least is {shown(threshold)}",
        ),
    )
    yield _branch(case, perplexities, max(tsr, ldr), threshold)


def _perplexity(block: Tokens) -> float:
    return exp(sum(token.value for token in block.tokens) / max(len(block.tokens), 1))


def _branch(case: Case, perplexities: Sequence[float], similarity: float, threshold: float) -> Step:
    if case.output == case.sentence.source:
        text, value = "The output is the source, so it scores 0.", 0.0
        formulas: tuple[str, ...] = ()
    else:
        source, output = case.details["ppl_source"], case.details["ppl_output"]
        better, similar = source > output, similarity >= threshold
        text = "The score is 1 if the perplexity falls and the ratio is high enough, and −1 in all other cases."
        value = 1.0 if better and similar else -1.0
        formulas = (
            f"{shown(output)} < {shown(source)}: {'yes, it reads better' if better else 'no, it does not read better'}",
            f"{shown(similarity)} ≥ {shown(threshold)}: {'yes' if similar else 'no, it is another sentence'}",
        )
    return Step("The decision", text, (), (*formulas, f"Scribendi Score = {shown(value)}"), value)


@computed.register(BERTScore)
def _bertscore(metric: BERTScore, case: Case) -> Iterator[Step]:
    number = case.details.get("reference", 0)
    rows, columns, values = cosines(metric, case.output, case.sentence.references[number])
    yield Step(
        "Compare every piece with every piece",
        "The model turns each piece of a word, in its context, into a vector. The cosine of two vectors says how "
        f"similar they are. Rows are the output, columns reference {number + 1}.",
        (Matrix("Cosines", rows, columns, values),),
    )
    p, r, f = (case.details[name] for name in "prf")
    yield Step(
        "The best partner of each piece",
        "Each piece of the output is as good as its best partner in the reference: their mean is precision. The other "
        "way round it is recall.",
        tuple(explain(case).all(Tokens)),
        (f"P = mean over the output = {shown(p)}", f"R = mean over the reference = {shown(r)}"),
    )
    yield Step(
        "F",
        "The harmonic mean of both. Nearly all words are those of the reference, whatever the correction is worth, so "
        "all outputs score high.",
        (),
        (f"F = 2 · P · R / (P + R) = 2 · {shown(p)} · {shown(r)} / ({shown(p)} + {shown(r)}) = {shown(f)}",),
        2 * p * r / (p + r) if metric.baseline.f == 0 and p + r else f,
    )
