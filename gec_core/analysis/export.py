"""A report and its numbers in one zip file: HTML for people, CSV for tables, JSON for programs."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

from gec_core.analysis.document import Report
from gec_core.analysis.html import page
from gec_core.formatting import spreadsheet_cell

_WHEN = (1980, 1, 1, 0, 0, 0)
"""A fixed time, so that the same report gives the same file."""


def bundle(report: Report) -> bytes:
    """The bytes of the zip file."""
    numbers = {name: rows for section in report.sections for name, rows in section.data.items() if rows}
    files = {"report.html": page(report)}
    files["numbers.json"] = json.dumps(
        {"about": dict(report.about)} | numbers, ensure_ascii=False, indent=1, allow_nan=False
    )
    files |= {f"{name}.csv": _csv(rows) for name, rows in numbers.items()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _csv(rows: list[dict[str, Any]]) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: spreadsheet_cell(_joined(value)) for name, value in row.items()} for row in rows)
    return written.getvalue()


def _joined(value: Any) -> Any:
    """Lists as words with spaces between, None as an empty cell."""
    return " ".join(value) if isinstance(value, tuple | list) else value
