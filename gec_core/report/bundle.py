"""The report with its numbers in one zip file: HTML for people, CSV for tables, JSON for programs."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

from gec_core.analysis import Analysis
from gec_core.formatting import spreadsheet_cell
from gec_core.report.numbers import Rows, about, tables
from gec_core.report.page import page

_WHEN = (1980, 1, 1, 0, 0, 0)
"""A time that says nothing, so that the same analysis gives the same file."""


def bundle(found: Analysis) -> bytes:
    """The bytes of the zip file."""
    every = tables(found)
    files = {"report.html": page(found)}
    files["numbers.json"] = json.dumps({"about": about(found)} | every, ensure_ascii=False, indent=1, allow_nan=False)
    files |= {f"{name}.csv": _csv(rows) for name, rows in every.items()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _csv(rows: Rows) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: spreadsheet_cell(_joined(value)) for name, value in row.items()} for row in rows)
    return written.getvalue()


def _joined(value: Any) -> Any:
    """Lists as words with spaces between, nothing as an empty cell."""
    return " ".join(value) if isinstance(value, tuple | list) else value
