"""The I-measure and the metrics on n-grams, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, log, prod

from gec_core.explain.blocks import Columns, NGramOrder, NGrams
from gec_core.explain.native import Case, explain
from gec_core.explain.steps import Step, Table, computed, f_step, shown
from gec_core.metrics.bleu import Bleu
from gec_core.metrics.gleu import Gleu
from gec_core.metrics.green import Green
from gec_core.metrics.imeasure import IMeasure

CLASSES = {
    "tp": "rightly changed",
    "tn": "rightly kept",
    "fp": "wrongly changed, or changed into something else than the reference has",
    "fn": "should have been changed, and is not as the reference has it",
    "fpn": "FP and FN at once: changed, but not to the reference",
}


@computed.register(IMeasure)
def _imeasure(metric: IMeasure, case: Case) -> Iterator[Step]:
    yield Step(
        "Align source, output and reference",
        "The cheapest way to put all three into columns; a dot is a gap. The reference is the one that suits the "
        "output best.",
        tuple(explain(case).all(Columns)),
    )
    tp, tn, fp, fn, fpn, tn_source, fn_source = (int(value) for value in case.rows[0][:7])
    counts = dict(zip(CLASSES, (tp, tn, fp, fn, fpn), strict=True))
    rows = tuple((name.upper(), str(counts[name]), what) for name, what in CLASSES.items())
    yield Step(
        "Count the columns of each class",
        "Each column is right or wrong, and changed or kept. A column of class FPN counts as FP and as FN.",
        (Table("Counts", ("class", "columns", "what it means"), rows),),
    )
    top, bottom = 2 * tp + tn, 2 * (tp + fp) + tn + fn - 3 * fpn / 2
    accuracy = top / bottom if bottom else 1.0
    yield Step(
        "Weighted accuracy of the output",
        "The share of columns that are right; changes count twice, so that a wrong change is worse than none.",
        formulas=(
            "WAcc = (2·TP + TN) / (2·(TP + FP) + TN + FN − 3·FPN/2)",
            f"WAcc = (2·{tp} + {tn}) / (2·({tp} + {fp}) + {tn} + {fn} − 3·{fpn}/2) = {shown(top)} / {shown(bottom)}"
            f" = {shown(accuracy)}",
        ),
        value=accuracy,
    )
    total = tn_source + fn_source
    base = tn_source / total if total else 1.0
    yield Step(
        "Weighted accuracy of the source",
        "What one gets for changing nothing, with the same reference. This is what the output has to beat.",
        formulas=(f"WAcc of the source = TN / (TN + FN) = {tn_source} / {total} = {shown(base)}",),
        value=base,
    )
    yield _improvement(accuracy, base)


def _improvement(accuracy: float, base: float) -> Step:
    if accuracy > base:
        text = "The output is better than the source: the share of what was wrong that it puts right."
        value = 100 * (accuracy - base) / (1 - base)
        formula = f"I = 100 · (WAcc − source) / (1 − source) = 100 · {shown(accuracy - base)} / {shown(1 - base)}"
    elif accuracy < base:
        text = "The output is worse than the source: minus the share of what was right that it spoils."
        value = 100 * (accuracy / base - 1)
        formula = f"I = 100 · (WAcc / source − 1) = 100 · ({shown(accuracy)} / {shown(base)} − 1)"
    else:
        text = "The output is as good as the source: 0, or 100 if nothing is wrong in either."
        value = 100.0 if accuracy == 1 else 0.0
        formula = "I = 100 if all is right, otherwise 0"
    return Step("Improvement", text, formulas=(f"{formula} = {shown(value)}",), value=value)


@computed.register(Gleu)
def _gleu(metric: Gleu, case: Case) -> Iterator[Step]:
    blocks = list(explain(case).all(NGrams))
    words = len(case.output.split())
    scores = []
    for number, (block, reference) in enumerate(zip(blocks, case.sentence.references, strict=True), 1):
        name = f"reference {number}"
        yield Step(
            f"N-grams beside {name}",
            "Runs of one to four words of the output. Those that the reference has are rewarded; those that were kept "
            "from the source although the reference does not have them are penalised.",
            (block,),
        )
        found = [max(order.top, 1) / max(order.bottom, 1) for order in block.orders]
        length = len(reference.split())
        penalty = exp(min(0.0, 1 - max(length, 1) / max(words, 1)))
        scores.append(penalty * exp(sum(map(log, found)) / len(found)))
        yield Step(
            f"GLEU with {name}",
            "The geometric mean of four precisions, less a penalty if the output is shorter than the reference. In a "
            "single sentence every 0 counts as 1.",
            formulas=(
                *(_gleu_precision(order) for order in block.orders),
                f"penalty = exp(min(0, 1 − {length} / {words})) = {shown(penalty)}",
                f"GLEU = {shown(penalty)} · ({' · '.join(map(shown, found))})^(1/4) = {shown(scores[-1])}",
            ),
            value=scores[-1],
        )
    mean = sum(scores) / len(scores)
    yield Step(
        "The mean over the references",
        "No reference is chosen: each counts alike.",
        formulas=(f"GLEU = ({' + '.join(map(shown, scores))}) / {len(scores)} = {shown(mean)}",),
        value=mean,
    )


def _gleu_precision(order: NGramOrder) -> str:
    rewarded, penalised = (sum(gram.count for gram in part) for part in (order.rewarded, order.penalised))
    counted = f"({rewarded} rewarded − {penalised} penalised) / {order.bottom} in all"
    smoothed = f" → {max(order.top, 1)} / {max(order.bottom, 1)}" if not order.top or not order.bottom else ""
    return f"p{order.order} = {counted}{smoothed} = {shown(max(order.top, 1) / max(order.bottom, 1))}"


@computed.register(Bleu)
def _bleu(metric: Bleu, case: Case) -> Iterator[Step]:
    (block,) = explain(case).all(NGrams)
    yield Step(
        "N-grams that stand in a reference",
        "Runs of one to four words of the output; each counts as often as the reference has it that has it most "
        "often. The source is not looked at.",
        (block,),
    )
    orders = [order for order in block.orders if order.bottom]
    found, halvings, lines = [], 0, []
    for order in orders:
        halvings += not order.top
        found.append((order.top or 2.0**-halvings) / order.bottom)
        smoothed = "" if order.top else f" → {shown(2.0**-halvings)} / {order.bottom}"
        lines.append(f"p{order.order} = {order.top} / {order.bottom}{smoothed} = {shown(found[-1])}")
    yield Step(
        "Precisions",
        "The share of the output's n-grams that stand in a reference. An order without any counts half a match, the "
        "next such one a quarter.",
        formulas=tuple(lines),
    )
    words, length = case.details["output_tokens"], case.details["reference_tokens"]
    penalty = exp(min(0.0, 1 - length / words)) if words else 0.0
    yield Step(
        "Brevity penalty",
        "An output that is shorter than the closest reference loses, since leaving words out raises precision.",
        formulas=(f"BP = exp(min(0, 1 − {length} / {words})) = {shown(penalty)}",),
        value=penalty,
    )
    matched = any(order.top for order in orders)
    value = penalty * prod(found) ** (1 / len(found)) if matched else 0.0
    product = " · ".join(map(shown, found))
    formula = f"BLEU = {shown(penalty)} · ({product})^(1/{len(found)})" if matched else "BLEU, without any match,"
    yield Step(
        "BLEU", "The geometric mean of the precisions, times the penalty.", (), (f"{formula} = {shown(value)}",), value
    )


@computed.register(Green)
def _green(metric: Green, case: Case) -> Iterator[Step]:
    details = case.details
    yield Step(
        "What became of the n-grams of the source",
        "Rewarded: rightly kept, deleted or inserted. Penalised: wrongly deleted or inserted. Others: left undone. "
        "The reference is the one that suits the output best.",
        tuple(explain(case).all(NGrams)),
    )
    counts = [details[name] for name in ("tp", "fp", "fn")]
    rows = tuple((str(order), *map(str, each)) for order, each in enumerate(zip(*counts, strict=True), 1))
    yield Step(
        "Counts",
        "TP: right; FP: overdone; FN: left undone.",
        (Table("Counts by length", ("n", "TP", "FP", "FN"), rows),),
    )
    right, overdone, undone = counts
    p, r = _mean_share(right, overdone), _mean_share(right, undone)
    yield Step(
        "Precision and recall",
        "Geometric means over the four lengths of n-gram; nothing out of nothing counts as 1.",
        formulas=(
            f"P = ({_product(right, overdone)})^(1/4) = {shown(p)}",
            f"R = ({_product(right, undone)})^(1/4) = {shown(r)}",
        ),
    )
    yield f_step(p, r, metric.options.beta)


def _mean_share(right: Sequence[int], wrong: Sequence[int]) -> float:
    shares = (good / (good + bad) if good + bad else 1.0 for good, bad in zip(right, wrong, strict=True))
    return float(prod(shares) ** (1 / len(right)))


def _product(right: Sequence[int], wrong: Sequence[int]) -> str:
    return " · ".join(f"{good}/{good + bad}" if good + bad else "1" for good, bad in zip(right, wrong, strict=True))
