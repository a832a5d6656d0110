"""GLEU, BLEU and GREEN explained by their n-grams: which are rewarded, which are held against the output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import reduce
from math import exp
from typing import Any

from gec_core.explain.blocks import Block, Facts, NGram, NGramOrder, NGrams
from gec_core.explain.native import Case, Native, native
from gec_core.metrics.bleu import Bleu
from gec_core.metrics.gleu import Gleu
from gec_core.metrics.green import Green

Counts = Counter[str]
ORDERS = range(1, 5)


def ngrams(text: str, order: int) -> Counts:
    """How often each run of so many tokens occurs."""
    tokens = text.split()
    return Counter(" ".join(tokens[at : at + order]) for at in range(len(tokens) - order + 1))


@native.register(Gleu)
def _gleu(metric: Gleu, case: Case) -> Native:
    blocks: list[Block] = []
    for number, reference in enumerate(case.sentence.references):
        orders = tuple(_gleu_order(case.sentence.source, case.output, reference, order) for order in ORDERS)
        title = f"Reference {number + 1}"
        facts: dict[str, Any] = {
            "reference": reference,
            "GLEU": case.details["by_reference"][number],
            "brevity penalty": _brevity(case.output, reference),
            **{f"{each.order}-grams": f"{each.top} of {each.bottom}" for each in orders},
        }
        if any(not each.top or not each.bottom for each in orders):
            facts["note"] = "In a single sentence every 0 counts as 1."
        blocks += [Facts(title, facts), NGrams(title, orders)]
    return Native((Facts("All references", {"mean of the references": case.score}), *blocks))


def _gleu_order(source: str, output: str, reference: str, order: int) -> NGramOrder:
    """Rewarded: n-grams of the output that the reference has; penalised: those of the source that it has not."""
    old, new, right = (ngrams(text, order) for text in (source, output, reference))
    rewarded = new & right
    penalised = Counter({each: count for each, count in (new & old).items() if each not in right})
    return NGramOrder(
        order,
        _listed(rewarded, {each: "kept" if each in old else "new" for each in rewarded}),
        _listed(penalised, dict.fromkeys(penalised, "should have been changed")),
        _listed(rest := new - rewarded - penalised, dict.fromkeys(rest, "not in the reference")),
        max(rewarded.total() - penalised.total(), 0),
        new.total(),
    )


def _brevity(output: str, reference: str) -> float:
    return exp(min(0.0, 1 - len(reference.split()) / max(len(output.split()), 1)))


@native.register(Bleu)
def _bleu(metric: Bleu, case: Case) -> Native:
    orders = tuple(_bleu_order(case.output, case.sentence.references, order) for order in ORDERS)
    details = case.details
    facts = {
        "brevity penalty": details["brevity_penalty"],
        "tokens of the output": details["output_tokens"],
        "tokens of the closest reference": details["reference_tokens"],
        **{f"precision of {order}-grams": details["precisions"][order - 1] for order in ORDERS},
    }
    if any(each.bottom and not each.top for each in orders):
        facts["note"] = "An order without a match counts half a match, the next one a quarter, and so on."
    return Native((Facts("What the score is made of", facts), NGrams("Beside all references", orders)))


def _bleu_order(output: str, references: Iterable[str], order: int) -> NGramOrder:
    """Rewarded: n-grams of the output, as often as the reference has them that has them most often."""
    new = ngrams(output, order)
    right = reduce(Counter.__or__, (ngrams(reference, order) for reference in references))
    rest = new - right
    return NGramOrder(
        order,
        _listed(new & right, {}),
        (),
        _listed(rest, dict.fromkeys(rest, "in no reference")),
        (new & right).total(),
        new.total(),
    )


@native.register(Green)
def _green(metric: Green, case: Case) -> Native:
    number = case.details["reference"]
    reference = case.sentence.references[number]
    orders = tuple(_green_order(case.sentence.source, case.output, reference, order) for order in ORDERS)
    facts = {"precision": case.details["p"], "recall": case.details["r"], "F": case.details["f"]}
    counts = zip(ORDERS, *(case.details[name] for name in ("tp", "fp", "fn")), strict=True)
    facts |= {f"{order}-grams": f"{tp} right, {fp} overdone, {fn} missed" for order, tp, fp, fn in counts}
    blocks = Facts("Geometric means over all orders", facts), NGrams(f"Reference {number + 1}", orders)
    return Native(blocks, None, reference)


def _green_order(source: str, output: str, reference: str, order: int) -> NGramOrder:
    """Rewarded: rightly kept, deleted, inserted; penalised: wrongly deleted or inserted; other: left undone."""
    old, new, right = (ngrams(text, order) for text in (source, output, reference))
    rewarded = _tagged(kept=old & new & right, deleted=old - (new | right), inserted=(new & right) - old)
    penalised = _tagged(**{"wrongly deleted": (old & right) - new, "wrongly inserted": new - (old | right)})
    missed = _tagged(**{"not deleted": (old & new) - right, "not inserted": right - (old | new)})
    top = sum(each.count for each in rewarded)
    return NGramOrder(order, rewarded, penalised, missed, top, top + sum(each.count for each in penalised))


def _tagged(**groups: Counts) -> tuple[NGram, ...]:
    return tuple(NGram(text, count, what) for what, counts in groups.items() for text, count in counts.items())


def _listed(counts: Counts, what: Mapping[str, str]) -> tuple[NGram, ...]:
    return tuple(NGram(text, count, what.get(text, "")) for text, count in counts.items())
