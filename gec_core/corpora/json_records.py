"""JSON of outputs: what interfaces of language models answer, as flat records.

A file may hold one value, a value on each line, or either between the fences of an answer. Records within records, of
which a conversation is one, become columns whose names have dots; so does JSON that is written into a cell.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from gec_core.corpora.text import TextFile, quote

_FENCED = re.compile(r"(?s)[^\n]{0,200}\n*\s*```(?:json|jsonl)?[ \t]*\n(?P<inner>\s*[\[{].*?)\n\s*```.{0,500}")
_FENCE = re.compile(r"(?s)\s*```(?:json)?\s*(.*?)\s*```\s*")
_ASKING = ("user", "human", "system", "developer")
"""The roles of those who ask in a conversation."""
_MOST = 0.9
"""The share of cells with JSON, above which the column holds JSON."""


def within(text: str) -> str:
    """The JSON that a language model put between fences, or after a line of its own; empty if there is none."""
    if (fenced := _FENCED.fullmatch(text.strip())) is not None:
        return fenced["inner"]
    lines = [line for line in text.split("\n") if line.strip()]
    objects = [line for line in lines if line.lstrip()[:1] == "{" and _is_json(line)]
    return "\n".join(objects) if len(objects) > 1 and len(lines) - len(objects) <= 4 else ""


def parsed(file: TextFile, text: str) -> tuple[str, Any] | None:
    """The form and the value of JSON or JSONL; None if the content is neither."""
    text = text.strip()
    if len(text) > file.limits.tree:
        raise file.error(f"{len(text) / 1e6:.0f} MB of JSON; at most {file.limits.tree / 1e6:.0f} MB are read.")
    lines = [line for line in text.split("\n") if line.strip()]
    try:
        if len(lines) > 1 and _is_json(lines[0]):
            return "JSONL", [_line(file, line, number) for number, line in enumerate(lines, 1)]
        return "JSON", json.loads(text)
    except (ValueError, RecursionError):
        if re.match(r'[{\[]\s*["{\[\]]', text):
            raise file.error("begins like JSON and is not complete JSON. Write the file again.", 1) from None
        return None


def _is_json(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict | list | str)
    except (ValueError, RecursionError):
        return False


def _line(file: TextFile, line: str, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise file.error(f"not JSON ({problem}). Found {quote(line)}.", number) from None


def flat(record: Mapping[str, Any], depth: int = 6) -> dict[str, Any]:
    """A record with the keys of nested ones joined by dots: the answers of an interface are such records."""
    found: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, list) and value and all(isinstance(each, Mapping) and "role" in each for each in value):
            value = _answer(value)
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping | str):
            value = value[0]
        if isinstance(value, Mapping) and depth:
            found |= {f"{key}.{inner}": each for inner, each in flat(value, depth - 1).items()}
        else:
            found[str(key)] = value
    return found


def _answer(conversation: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The message that ends a conversation, which is a prompt if nobody answered it."""
    last = conversation[-1]
    return {"prompt": last.get("content")} if str(last["role"]).lower() in _ASKING else last


def cell(value: Any) -> str | None:
    return None if value is None or value != value or isinstance(value, Mapping | list | bool) else str(value)


def inside(name: str, cells: Sequence[str | None]) -> dict[str, Sequence[str | None]]:
    """The columns of the records that are written into the cells of a column; empty if they hold none."""
    records = [_record(text or "") for text in cells]
    if sum(record is not None for record in records) <= _MOST * len(records):
        return {}
    table = [flat(record or {}) for record in records]
    keys = dict.fromkeys(key for record in table for key in record)
    return {f"{name}.{key}": [cell(record.get(key)) for record in table] for key in keys}


def _record(text: str) -> Mapping[str, Any] | None:
    text = match[1] if (match := _FENCE.fullmatch(text)) else text
    if not text.lstrip().startswith("{"):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, Mapping) else None
