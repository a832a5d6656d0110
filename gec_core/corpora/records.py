"""Files of outputs in any form: text, JSONL, JSON, CSV and TSV with a heading, parquet.

The form is decided by the content, so that JSON is never read as text. The column of outputs is guessed by its name,
then by its likeness to the sources; a column of ids, or of sources, puts the outputs into the order of the corpus.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any

from gec_core.corpora import json_records
from gec_core.corpora.text import TextFile, quote
from gec_core.errors import CorpusError
from gec_core.formatting import counted

_TEXT_NAMES = (
    "output", "outputs", "hypothesis", "hyp", "hypotheses", "correction", "corrected", "corrected_text", "prediction",
    "predictions", "pred", "corrected_sentence", "system_output", "system", "response", "completion", "generated",
    "generated_text", "answer", "content", "result", "target", "tgt", "text", "sentence",
)  # fmt: skip
_SOURCE_NAMES = ("source", "src", "input", "original", "orig", "source_text", "sentence", "text")
_ID_NAMES = (
    "id",
    "ids",
    "idx",
    "index",
    "sentence_id",
    "sent_id",
    "sid",
    "line",
    "number",
    "src_id",
    "key",
    "custom_id",
    "#",
    "no",
    "nr",
)
_REFERENCE_NAMES = re.compile(r"(?:human_)?(?:ref|refs|reference|references|gold|gold_standard|ground_truth)(?:_?\d+)?")
"""Names of columns that hold what people wrote: never taken for outputs unless asked for."""
_PROMPT_NAMES = ("prompt", "instruction", "query", "question", "system_prompt")
_MARKUP = re.compile(rb"\s*(?:<\?xml|<!doctype|<html|<\w+[^>]*>\s*<)", re.IGNORECASE)
_NUMBER = re.compile(r"\D*?(\d+)\D*")
_NUMBERS = re.compile(r"\d+")
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"(?=.*\|)\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
"""The line between the heading of a table in Markdown and its rows."""
_M2 = re.compile(r"(?m)^A -?\d+ -?\d+\|\|\|")


@dataclass(frozen=True, slots=True)
class Records:
    """Texts of one file with what says where they belong."""

    form: str
    """The form of the file: text, JSONL, JSON, CSV, TSV, parquet."""
    texts: tuple[str, ...]
    ids: tuple[str, ...] | None = None
    sources: tuple[str, ...] | None = None
    column: str = ""
    """The column that the texts are from."""
    columns: tuple[str, ...] = ()
    """All columns with text, of which another may be chosen."""
    guessed: tuple[str, ...] = ()
    """The columns of which none has a name that tells which holds the outputs; empty if one had."""

    def told(self) -> str:
        """A sentence about the form, for tables; empty for plain text."""
        if not self.column:
            return "" if self.form == "text" else f"read as {self.form}"
        ids = ", in the order of the ids" if self.ids else ""
        others = ", ".join(repr(name) for name in self.guessed if name != self.column)
        guessed = f" (a guess: {others} may hold the outputs, too; name the column to be sure)" if others else ""
        return f"read as {self.form}, column {self.column!r}{guessed}{ids}"


def read(file: TextFile, sources: Sequence[str] = (), column: str = "") -> Records:
    """Read a file of outputs.

    Args:
        file: The file, possibly compressed.
        sources: The sources of the corpus, by which columns without a known name are told apart.
        column: The column of outputs; guessed if empty.

    Raises:
        CorpusError: The file is of a form that holds no outputs, or has no such column.
    """
    data = file.data()
    if data.startswith(b"PAR1"):
        return _from_table("parquet", file, _parquet(file, data), sources, column)
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if _MARKUP.match(data[:500]):
        raise file.error("this is XML or HTML, not outputs. Save one output per line as text, or as JSONL.")
    if start in (b"{", b"[") and (found := json_records.parsed(file, file.text())) is not None:
        form, value = found
        return _from_json(form, file, value, sources, column)
    name = file.path.name.lower().removesuffix(".gz")
    text = file.text()
    if (inside := json_records.within(text)) and (found := json_records.parsed(file, inside)) is not None:
        form, value = found
        return _from_json(form, file, value, sources, column)
    if _is_markdown_table(text):
        return _from_table("Markdown", file, _markdown(file, text), sources, column)
    if _M2.search(text[:20_000]):
        raise file.error("this is an M2 file of edits, not outputs. Apply its edits first, or give it as gold edits.")
    for form, mark in (("TSV", "\t"), ("CSV", ",")):
        if name.endswith(f".{form.lower()}") or _has_heading(text, mark):
            return _from_table(form, file, _separated(file, text, mark), sources, column)
    if name.endswith((".json", ".jsonl", ".ndjson")):
        raise file.error("not JSON: expected an object on each line (JSONL), or a list.", 1)
    file.lines()  # within the limits
    return Records("text", tuple(file.raw_lines(per_sentence=1)))


def _is_markdown_table(text: str) -> bool:
    lines = [line.strip() for line in text.split("\n")[:50] if line.strip()]
    if any(line[0] == "|" and _RULE.fullmatch(below) for line, below in pairwise(lines)):
        return True
    rows = sum(line.startswith("|") and line.endswith("|") and len(line) > 1 for line in lines)
    return len(lines) > 1 and rows > 0.8 * len(lines)


def _markdown(file: TextFile, text: str) -> dict[str, list[str | None]]:
    """The columns of a table, whose rows need no bars at their ends; only text before and after it is left out."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    barred = [place for place, (_, line) in enumerate(lines) if _BAR.search(line)]
    start = next(place for place in barred if lines[place][1][0] == "|")
    rows: list[list[str]] = []
    for number, line in lines[start : barred[-1] + 1]:
        row = line.removeprefix("|")
        end = -1 if row.endswith("|") and not row.endswith("\\|") else None
        rows.append([cell.strip().replace("\\|", "|") for cell in _BAR.split(row[:end])])
        if len(rows[-1]) != len(rows[0]):
            told = f"{counted(len(rows[-1]), 'column')}, but the heading has {len(rows[0])}. Write | in a cell as \\|."
            raise file.error(told, number)
    names, *rest = rows
    if len(set(names)) < len(names) or not rest or not all(re.fullmatch(":?-+:?", cell) for cell in rest[0]):
        raise file.error("this is a table in Markdown without a heading. Save it as CSV or TSV.", 1)
    return {name: [cells[at] for cells in rest[1:]] for at, name in enumerate(names)}


def _from_json(form: str, file: TextFile, value: Any, sources: Sequence[str], column: str) -> Records:
    if isinstance(value, Mapping):
        lists = [key for key, each in value.items() if isinstance(each, list)]
        if len(lists) == 1 and value[lists[0]] and all(isinstance(each, Mapping) for each in value[lists[0]]):
            return _from_json(form, file, value[lists[0]], sources, column)
        if lists and len({len(value[key]) for key in lists}) == 1 and len(value) == len(lists):
            return _from_table(
                form, file, {key: [json_records.cell(each) for each in value[key]] for key in lists}, sources, column
            )
        if value and all(isinstance(each, str) for each in value.values()) and len(value) > 1:
            return Records(form, tuple(value.values()), tuple(map(str, value)))
        known = next((key for key in (*_TEXT_NAMES, "data", "sentences") if isinstance(value.get(key), list)), None)
        value = value[known] if known else [value]
    if value and all(isinstance(each, str) for each in value):
        return Records(form, tuple(value))
    if value and all(isinstance(each, Mapping) for each in value):
        flat = [json_records.flat(each) for each in value]
        keys = list(dict.fromkeys(key for each in flat for key in each))
        table = {key: [json_records.cell(each.get(key)) for each in flat] for key in keys}
        return _from_table(form, file, table, sources, column)
    raise file.error("expected a list of outputs, or of objects with one output each.")


def _parquet(file: TextFile, data: bytes) -> dict[str, list[str | None]]:
    import pyarrow
    from pyarrow import parquet

    try:
        found = parquet.ParquetFile(io.BytesIO(data))
        if file.limits.sentences is not None and found.metadata.num_rows > file.limits.sentences:
            raise file.error(f"{found.metadata.num_rows:,} rows; at most {file.limits.sentences:,} are allowed.")
        return {name: [json_records.cell(cell) for cell in cells] for name, cells in found.read().to_pydict().items()}
    except (pyarrow.ArrowException, OSError) as problem:
        raise file.error(f"not a complete parquet file ({problem}).") from None


def _has_heading(text: str, mark: str) -> bool:
    """Whether the first line names columns, and all lines that follow have as many."""
    first, _, rest = text.partition("\n")
    names = [name.strip().strip('"') for name in first.split(mark)]
    if len(names) < 2 or sum(map(_is_known, names)) < 2 or not all(len(name.split()) <= 2 for name in names):
        return False
    return bool(rest.strip())


def _is_known(name: str) -> bool:
    """Whether a name is one that columns of such tables have."""
    name = _last_part(name)
    return name in {*_TEXT_NAMES, *_SOURCE_NAMES, *_ID_NAMES} or bool(_REFERENCE_NAMES.fullmatch(name))


def _is_data(names: Sequence[str]) -> bool:
    """Whether the first line of a table is a record and not a heading: it has a number or a sentence."""
    return not any(map(_is_known, names)) and any(_NUMBERS.fullmatch(name) or len(name.split()) > 3 for name in names)


def _separated(file: TextFile, text: str, mark: str) -> dict[str, list[str | None]]:
    csv.field_size_limit(1 << 20)
    plain = mark == "\t" and '"\t' not in text
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=mark, quoting=csv.QUOTE_NONE if plain else csv.QUOTE_MINIMAL)
    try:
        names = [name.strip() for name in next(reader, [])]
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
        if _is_data(names):
            rows.insert(0, (1, names))
            names = ["id" if _NUMBERS.fullmatch(cell) else f"column {at}" for at, cell in enumerate(names, 1)]
    except csv.Error as problem:
        raise file.error(f"cannot be read as a table ({problem}).", reader.line_num) from None
    if len(names) == 1 and ";" in names[0]:
        raise file.error(f"columns with semicolons between them: {quote(names[0])}. Save it with commas or tabs.", 1)
    if len(set(names)) < len(names) or not rows:
        raise file.error(
            f"expected a heading with different names and at least one row; found {quote(mark.join(names))}.", 1
        )
    for line, row in rows:
        if len(row) != len(names):
            raise file.error(
                f"{counted(len(row), 'column')}, but the heading has {len(names)} ({', '.join(names)}). Put outputs "
                "with commas between double quotes.",
                line,
            )
    return {name: [row[at] for _, row in rows] for at, name in enumerate(names)}


def _from_table(
    form: str, file: TextFile, table: Mapping[str, Sequence[str | None]], sources: Sequence[str], column: str
) -> Records:
    """Choose the columns of outputs, ids and sources."""
    opened = (json_records.inside(name, cells) or {name: cells} for name, cells in table.items())
    table = {name: cells for columns in opened for name, cells in columns.items()}
    id_name = _id_column(table)
    prompts = [name for name in table if name != id_name and not {*name.lower().split(".")}.isdisjoint(_PROMPT_NAMES)]
    others = [name for name in table if name != id_name and name not in prompts]
    texts = [name for name in others if any(cell and " " in cell for cell in table[name])] or others
    read = [*texts, *prompts]
    source_name = _source_column(table, read, sources) if len(read) > 1 else None
    answers = [name for name in texts if name != source_name and not _REFERENCE_NAMES.fullmatch(_last_part(name))]
    if not answers and not column:
        raise file.error(
            f"no column of outputs, only prompts, sources or references: {', '.join(read)}. Name the column to take."
        )
    named = _named_output(answers)
    chosen = column or named or _most_like(answers, table, sources)
    if chosen not in table:
        raise file.error(f"no column {chosen!r}. There are: {', '.join(table)}.")
    empty = [number for number, cell in enumerate(table[chosen], 1) if cell is None]
    if empty:
        raise file.error(f"{counted(len(empty), 'record')} without {chosen!r}, the first is number {empty[0]}.")
    return Records(
        form,
        tuple(str(cell) for cell in table[chosen]),
        tuple(str(cell) for cell in table[id_name]) if id_name else None,
        tuple(str(cell) for cell in table[source_name]) if source_name and source_name != chosen else None,
        chosen,
        tuple(texts),
        () if column or named else tuple(answers),
    )


def _last_part(name: str) -> str:
    """The name of a column without those of the records that it is from, written as names usually are."""
    return re.sub(r"[\s-]+", "_", name.strip().lower().rpartition(".")[2])


def _id_column(table: Mapping[str, Sequence[str | None]]) -> str | None:
    """The column of ids: of several, as answers of interfaces have, one that numbers the sentences."""
    known = [name for id in _ID_NAMES for name in table if _last_part(name) == id]
    places = {name: _by_number([str(cell) for cell in table[name]], len(table[name])) or [] for name in known}
    return max(known, key=lambda name: (bool(places[name]), len(set(places[name]))), default=None)


def _source_column(
    table: Mapping[str, Sequence[str | None]], texts: Sequence[str], sources: Sequence[str]
) -> str | None:
    """The column that has the sources: the one with most of them, however they are tokenised."""
    known = {_squeezed(source) for source in sources}
    shares = {name: sum(_squeezed(cell or "") in known for cell in islice(table[name], 200)) for name in texts}
    by_name = next((name for name in texts if _last_part(name) in _SOURCE_NAMES[:6]), None)
    best = max(shares, key=lambda name: (shares[name], name == by_name))
    if shares[best] > 0.9 * min(200, len(table[best])) and (best == by_name or by_name is None):
        return best
    return by_name


def _named_output(texts: Sequence[str]) -> str:
    """The column whose name says that it has the outputs; empty if there is none."""
    known = {_last_part(name): name for name in reversed(texts)}
    return next((known[name] for name in _TEXT_NAMES if name in known), "")


def _most_like(texts: Sequence[str], table: Mapping[str, Sequence[str | None]], sources: Sequence[str]) -> str:
    """The column whose words are most often words of the sources."""
    words = [set(source.lower().split()) for source in sources[:100]]
    every = set().union(*words) if words else set()

    def likeness(name: str) -> float:
        found = [token for cell in islice(table[name], 100) for token in (cell or "").lower().split()]
        return sum(token.strip(".,") in every for token in found) / max(len(found), 1)

    return max(texts, key=likeness)


def _squeezed(text: str) -> str:
    """The text without spaces: the same however it is tokenised."""
    return "".join(text.split())


def in_order(found: Records, sources: Sequence[str], name: str) -> tuple[Records, tuple[int, ...], list[str]]:
    """The records in the order of the sources, with the places that have none, and what to say about it.

    Raises:
        CorpusError: Ids do not fit the corpus: all that are doubled or unknown are named.
    """
    if found.ids is None and (found.sources is None or len(found.texts) == len(sources)):
        return found, (), []
    places = _by_number(found.ids, len(sources)) if found.ids is not None else None
    if places is None and found.sources is not None:
        places = _by_source(found.sources, sources)
    if places is None:
        return (replace(found, ids=None), (), ["its ids are no sentence numbers, so the order of the file is kept"])
    problems = []
    texts: dict[int, str] = {}
    doubled, extra = [], []
    for number, (place, text) in enumerate(zip(places, found.texts, strict=True)):
        label = found.ids[number] if found.ids is not None else f"record {number + 1}"
        if not 0 <= place < len(sources):
            extra.append(label)
        elif place in texts:
            doubled.append(label)
        else:
            texts[place] = text
    if doubled:
        problems.append(f"{counted(len(doubled), 'id')} twice: {', '.join(doubled)}")
    if extra:
        problems.append(f"{counted(len(extra), 'id')} that no sentence has: {', '.join(extra)}")
    missing = tuple(place for place in range(len(sources)) if place not in texts)
    if problems:
        if missing:
            problems.append(
                f"{counted(len(missing), 'sentence')} without an output: "
                f"{', '.join(str(place + 1) for place in missing)}"
            )
        raise CorpusError(f"{name}: {'; '.join(problems)}. The corpus has {len(sources):,} sentences.")
    ordered = tuple(texts.get(place, "") for place in range(len(sources)))
    return replace(found, texts=ordered, ids=found.ids or ("",)), missing, []


def _by_number(ids: Sequence[str], length: int) -> list[int] | None:
    """The places that ids name, counted from 0; ids may count from 0 or from 1."""
    numbers = [int(match[1]) if (match := _NUMBER.fullmatch(each.strip())) else None for each in ids]
    if any(number is None for number in numbers):
        return None
    known = [number for number in numbers if number is not None]
    base = 0 if 0 in known or (length not in known and max(known) < length and 1 not in known) else 1
    return [number - base for number in known]


def _by_source(given: Sequence[str], sources: Sequence[str]) -> list[int] | None:
    waiting: dict[str, list[int]] = {}
    for place, source in enumerate(sources):
        waiting.setdefault(_squeezed(source), []).append(place)
    places = []
    for source in given:
        left = waiting.get(_squeezed(source))
        places.append(left.pop(0) if left else -1)
    return places if sum(place >= 0 for place in places) > 0.9 * len(given) else None
