"""The numbers of an analysis as plain tables: what the figures and tables of the report are made of."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from gec_core.analysis import Analysis
from gec_core.meta.error_types import types_metric

Rows = list[dict[str, Any]]


def tables(found: Analysis) -> dict[str, Rows]:
    """All tables by name; those that have nothing in them are left out."""
    every = {
        "standings": _by_metric(found, "standings"),
        "significance": [
            {"metric": row.pop("metric"), "signature": row.pop("signature"), "system": found.system} | row
            for row in _by_metric(found, "differences")
        ],
        "error_types": _error_types(found),
        "correction": [
            asdict(row) | {"wrong": row.wrong, "overcorrected": row.overcorrected, "untouched": row.untouched}
            for row in found.corrections
        ],
        "costly_sentences": _by_metric(found, "costly"),
        "changes": [asdict(row) for row in found.changes.tallies] if found.changes else [],
        "changed_sentences": [asdict(row) for row in found.changes.verdicts] if found.changes else [],
    }
    return {name: rows for name, rows in every.items() if rows}


def about(found: Analysis) -> dict[str, Any]:
    """What the tables are about, and where they come from."""
    told = asdict(found.provenance)
    return {"system": found.system, "rival": found.rival} | told


def _by_metric(found: Analysis, part: str) -> Rows:
    return [
        {"metric": each.metric.id, "signature": each.metric.signature} | asdict(row)
        for each in found.metrics
        for row in getattr(each, part)
    ]


def _error_types(found: Analysis) -> Rows:
    """One row a system and type, as the command `types --level group` prints them."""
    beta = types_metric().options.beta
    return [
        {"system": system, "type": gain.type} | asdict(counts) | {"p": counts.p, "r": counts.r, "f": counts.f(beta)}
        for system, side in ((found.system, "system"), (found.rival, "rival"))
        for gain in sorted(found.gains, key=lambda gain: gain.type)
        for counts in [getattr(gain, side)]
        if counts.tp or counts.fp or counts.fn
    ]
