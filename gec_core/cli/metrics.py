"""`metrics`: what there is, what each needs, and whether it can run here."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from typing import Any

from gec_core.cli.output import add_format, print_json, print_rows

NEEDS = {"source": "the source only", "references": "references", "gold": "gold edits"}
WIDEST = 100
"""Columns beyond which lines are hard to read."""


def add(commands: Any) -> None:
    command = commands.add_parser("metrics", help="list the metrics and their options", allow_abbrev=False)
    add_format(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.metrics import registry

    rows = [_row(cls()) for cls in registry().values()]
    if given.format == "json":
        print_json(rows)
    elif given.format == "tsv":
        for row in rows:
            row["needs"] = ", ".join(row["needs"])
            row["available"] = "yes" if row["available"] else f"no: {row['how']}"
        print_rows(rows, ["id", "name", "needs", "available", "signature"], "tsv")
    else:
        _print_list(rows)


def _print_list(rows: list[dict[str, Any]]) -> None:
    """Print one paragraph per metric, no wider than the terminal."""
    width = min(shutil.get_terminal_size().columns, WIDEST)
    indent = 2 + max(len(row["id"]) for row in rows)
    wrapper = textwrap.TextWrapper(width, break_on_hyphens=False, break_long_words=False)
    wrapper.subsequent_indent = " " * indent
    for row in rows:
        needs = " and ".join(NEEDS[need] for need in row["needs"])
        print(wrapper.fill(f"{row['id']:<{indent}}{row['name']} (needs {needs})"))
        print(wrapper.fill(f"{'':<{indent}}{row['summary']}"))
        if not row["available"]:
            print(wrapper.fill(f"{'':<{indent}}Not available: {row['how']}"))
    ready = sum(row["available"] for row in rows)
    print()
    print(textwrap.fill(f"{ready} of {len(rows)} metrics can run here. More about each: --format json", width))


def _row(metric: Any) -> dict[str, Any]:
    ready = metric.availability()
    return {
        "id": metric.id,
        "name": metric.label,
        "family": metric.family,
        "summary": metric.summary,
        "needs": [metric.reads],
        "available": ready.ready,
        "how": ready.how,
        "signature": metric.signature,
        "options": {
            spec.name: {
                "default": spec.default,
                "choices": list(spec.kind) if isinstance(spec.kind, tuple) else spec.kind.__name__,
                "help": spec.help,
            }
            for spec in metric.Options.specs()
        },
        "citation": metric.citation,
    }
