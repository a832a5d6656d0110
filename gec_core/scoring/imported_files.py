"""Read the rows of a file of scores: tab- or comma-separated with a heading, or JSON."""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gec_core.corpora import checking
from gec_core.corpora.text import TextFile, quote
from gec_core.errors import CorpusError
from gec_core.formatting import counted

NEEDED = ("system", "score")
OPTIONAL = ("sentence", "metric")
LARGEST = 1e15
"""The largest absolute score: floating-point numbers beyond it do not have an exact digit after the point."""
_LONG = 20
"""Digits of a whole number in JSON above which it is kept as text: it is too large, and slow to parse."""
_WHOLE = re.compile(r"[0-9]{1,9}")
SHAPES = 'expected {"metric": NAME, "scores": {SYSTEM: NUMBER or [NUMBER, …]}}, or a list of rows with system and score'


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One score: of a system, or of one sentence of it (counted from 0)."""

    metric: str
    """Empty if the file does not name it."""
    system: str
    sentence: int | None
    score: float
    line: int | None = None
    """None in JSON files."""
    place: str = ""

    def error(self, file: TextFile, message: str) -> CorpusError:
        return file.error(f"{self.place}{message}.", self.line)


def rows(file: TextFile) -> Iterator[ScoreRow]:
    """All scores of a file, in its order."""
    name = Path(file.name).name.lower().removesuffix(".gz")
    if name.endswith(".json"):
        yield from _json_rows(file)
        return
    lines = file.raw_lines()
    comma = name.endswith(".csv") or (not name.endswith(".tsv") and bool(lines) and "\t" not in lines[0])
    reader = csv.reader(
        lines, delimiter="," if comma else "\t", quoting=csv.QUOTE_MINIMAL if comma else csv.QUOTE_NONE, strict=True
    )
    try:
        heading = [cell.strip().lower() for cell in next(reader, [])]
        _check_heading(file, heading)
        for cells in reader:
            if not "".join(cells).strip():
                continue
            if len(cells) != len(heading):
                raise file.error(
                    f"{counted(len(cells), 'column')}, but the first line names {len(heading)}.", reader.line_num
                )
            yield _row(file, dict(zip(heading, cells, strict=True)), line=reader.line_num)
    except csv.Error as problem:
        raise file.error(f"not a table that can be read ({problem}).", reader.line_num) from None


def _check_heading(file: TextFile, heading: list[str]) -> None:
    missing = [name for name in NEEDED if name not in heading]
    if missing:
        raise file.error(
            f"no column {' and no column '.join(missing)}. The first line must name the columns: {', '.join(NEEDED)}, "
            f"and optionally {', '.join(OPTIONAL)}.",
            1,
        )
    for name in (*NEEDED, *OPTIONAL):
        if heading.count(name) > 1:
            raise file.error(f"{heading.count(name)} columns are called {name}. Keep one of them.", 1)


def _row(file: TextFile, cells: Mapping[str, Any], *, line: int | None = None, place: str = "") -> ScoreRow:
    """A row from its cells, which are text or JSON values."""
    unread = ScoreRow("", "", None, 0.0, line, place)
    missing = [name for name in NEEDED if cells.get(name) is None]
    if missing:
        raise unread.error(file, f"lacks {' and '.join(missing)}")
    system, metric = (str(cells.get(name) or "").strip() for name in ("system", "metric"))
    if not system:
        raise unread.error(file, "no system is named")
    if metric and (problem := checking.name_problem(metric)):
        raise unread.error(file, f"the metric {problem.rstrip('.')}")
    sentence, score = _sentence(file, unread, cells.get("sentence")), _score(file, unread, cells["score"])
    return ScoreRow(metric, system, sentence, score, line, place)


def _score(file: TextFile, row: ScoreRow, value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise row.error(file, f"found {quote(str(value))} as a score; expected a number")
    if abs(number) > LARGEST:
        raise row.error(file, f"found {quote(str(value))} as a score; expected a number from -1e15 to 1e15")
    return number


def _sentence(file: TextFile, row: ScoreRow, value: Any) -> int | None:
    text = "" if value is None else str(value).strip()
    if not text:
        return None
    if not _WHOLE.fullmatch(text):
        raise row.error(file, f"found {quote(text)} as a sentence; expected a whole number from 0 on")
    return int(text)


def _json_rows(file: TextFile) -> Iterator[ScoreRow]:
    text = file.text()
    if len(text) > file.limits.tree:
        raise file.error(
            f"JSON of {len(text) / 1e6:,.0f} MB; at most {file.limits.tree / 1e6:.0f} MB are allowed. Use TSV."
        )
    try:
        content = json.loads(text, parse_int=_whole, object_pairs_hook=partial(_unique, file))
    except json.JSONDecodeError as problem:
        raise file.error(f"not JSON ({problem.msg}).", problem.lineno) from None
    except RecursionError:
        raise file.error("not a file of scores: it is nested too deeply.") from None
    if isinstance(content, dict) and isinstance(content.get("scores"), dict):
        yield from _mapped_rows(file, content)
        return
    listed = content.get("rows") if isinstance(content, dict) else content
    if not isinstance(listed, list):
        raise file.error(f"found {quote(text)}; {SHAPES}.")
    for number, cells in enumerate(listed, 1):
        if not isinstance(cells, dict):
            raise file.error(f"row {number}: found {quote(json.dumps(cells))}; {SHAPES}.")
        yield _row(file, cells, place=f"row {number}: ")


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) < _LONG else digits


def _unique(file: TextFile, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, unless a name occurs twice: json would silently keep the last one."""
    found = dict(pairs)
    if len(found) < len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise file.error(f"{quote(twice)} occurs twice in one object. Remove one of the two.")
    return found


def _mapped_rows(file: TextFile, content: Mapping[str, Any]) -> Iterator[ScoreRow]:
    for system, value in content["scores"].items():
        several = isinstance(value, list)
        for number, score in enumerate(value if several else [value]):
            cells = {
                "system": system,
                "score": score,
                "metric": content.get("metric"),
                "sentence": number if several else None,
            }
            place = f"{system}, sentence {number}: " if several else f"{system}: "
            yield _row(file, cells, place=place)
