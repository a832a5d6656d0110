"""A metric's own explanation, printed for people."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gec_core.cli.output import print_rows

if TYPE_CHECKING:
    from gec_core.explain.blocks import Block, Explanation, NGramOrder

COLUMNS = {
    "edits": ["start", "end", "original", "correction", "type", "verdict", "weight"],
    "columns": ["source", "hypothesis", "reference", "correction", "detection"],
}


def print_explanation(found: Explanation) -> None:
    """One block after the other, under its title."""
    if found.reference is not None:
        annotator = "" if found.annotator is None else f" of annotator {found.annotator + 1}"
        print(f"\nReference{annotator}: {found.reference}")
    for block in found.blocks:
        print(f"\n{block.title}")
        _print_block(block)


def _print_block(block: Block) -> None:
    if block.kind == "facts":
        width = max((len(name) for name in block.values), default=0)
        for name, value in block.values.items():
            print(f"  {name:<{width}}  {_shown(value)}")
    elif block.kind == "ngrams":
        for order in block.orders:
            _print_order(order)
    elif block.kind == "tokens":
        partner = ["partner"] if any(token.partner for token in block.tokens) else []
        rows = [asdict(token) | {block.measure: token.value} for token in block.tokens]
        print_rows(rows, ["text", *partner, block.measure], "table")
    else:
        lines = block.edits if block.kind == "edits" else block.columns
        columns = COLUMNS[block.kind]
        if any(getattr(line, "changed", None) for line in lines):
            columns = [*columns, "value", "changed"]
        print_rows([asdict(line) for line in lines], columns, "table")


def _print_order(order: NGramOrder) -> None:
    print(f"  {order.order}-grams: {order.top} of {order.bottom}")
    for name, found in (("rewarded", order.rewarded), ("penalised", order.penalised), ("neither", order.other)):
        if found:
            shown = (f"{each.text}{f' ×{each.count}' if each.count > 1 else ''}" for each in found)
            print(f"    {name}: {' | '.join(shown)}")


def _shown(value: Any) -> str:
    return "–" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
