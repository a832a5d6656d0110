"""`metrics`: what there is, what each needs, and whether it can run here."""

from __future__ import annotations

import argparse
from typing import Any

from gec_core.cli.output import FORMATS, print_json, print_rows


def add(commands: Any) -> None:
    command = commands.add_parser("metrics", help="list the metrics and their options", allow_abbrev=False)
    command.add_argument("--format", choices=FORMATS, default="table")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.metrics import registry

    rows = [_row(cls()) for cls in registry().values()]
    if given.format == "json":
        print_json(rows)
        return
    for row in rows:
        row["needs"] = ", ".join(row["needs"])
        row["available"] = "yes" if row["available"] else f"no: {row['how']}"
    print_rows(rows, ["id", "name", "needs", "available", "signature"], given.format)


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
