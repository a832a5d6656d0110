"""The published tables, as data/published has them: figures as printed, one file a table.

Files are called after first author, year and table. Worked examples that the authors made up stand there
with their text; those taken from a corpus are given by the number of the sentence.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "data" / "published"


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a published table, by column."""
    with (FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines, delimiter="\t"))
