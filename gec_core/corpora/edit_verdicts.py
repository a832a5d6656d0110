"""People's verdicts on single edits: SEEDA's annotation files (Kobayashi et al. 2024), and a table of them.

SEEDA has one file per judge and sentence, `annotatorN/K.txt`, with the source between <t> and </t> and up to five
outputs, in which every edit is written inline:

    <s1>This [machines→machine|True] [is→are|False] old .</s1>

Some lines have slips (`[a→b] |True,`, `[a→wit|Trueh]`, `[a|True→]`). An edit whose verdict cannot be read is left out
and reported; its output is read all the same.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gec_core.corpora.text import TextFile, normalise, quote
from gec_core.formatting import counted, similar
from gec_core.types import Edit, EditVerdict

COLUMNS = ("sentence", "judge", "systems", "start", "end", "correction", "verdict")
_OUTPUT = re.compile(r"<s(\d)>(.*?)</s\1>", re.DOTALL)
_SOURCE = re.compile(r"<t>(.*?)</t>", re.DOTALL)
_WORD = r"(True|False)"
_EDIT = re.compile(
    rf"\[(?P<original>[^\[\]→|]*)(?:\|(?P<early>{_WORD}))?→(?P<correction>[^\[\]→|]*)"
    rf"(?:\|(?P<inside>{_WORD})(?P<rest>[^\[\]|]*?)(?:\]|(?=\s{{2}})|(?=\s\[))|\](?:\s?\|(?P<outside>{_WORD}))?"
    rf"|(?P<twice>\|[^\[\]]*)\])"
)
_VERDICTS = {"True": True, "False": False}


@dataclass(frozen=True, slots=True)
class Unread:
    """An edit or an output that cannot be read."""

    place: str
    what: str


@dataclass(frozen=True)
class Verdicts:
    """The verdicts of a folder, and what of it cannot be read."""

    items: tuple[EditVerdict, ...]
    unread: tuple[Unread, ...]
    outputs: int
    """Annotated outputs."""
    unknown: int
    """Annotated outputs that no system of the corpus has."""


@dataclass(frozen=True, slots=True)
class _Marked:
    """One output with its edits and their verdicts, None where it cannot be read."""

    source: str
    output: str
    edits: tuple[tuple[Edit, bool | None], ...]


def read(
    files: Iterable[tuple[str, TextFile]], sources: Sequence[str], systems: Mapping[str, Sequence[str]]
) -> Verdicts:
    """Read verdicts; each file comes with the name of its judge.

    Raises:
        CorpusError: A file has no source or no outputs, or its source is not in the corpus.
    """
    sentences: dict[str, list[int]] = {}
    for at, source in enumerate(sources):
        sentences.setdefault(source, []).append(at)
    items: list[EditVerdict] = []
    unread: list[Unread] = []
    outputs = unknown = 0
    for judge, file in files:
        text = file.text()
        marks = _SOURCE.search(text)
        marked = list(_marked(file, text, unread))
        if marks is None or not marked:
            raise file.error("found no source between <t> and </t>, or no output between <s1> and </s1>.")
        source = next((each.source for each in marked if each.source in sentences), "")
        if not source:
            raise file.error(f"the source {quote(marked[0].source)} is not a sentence of the corpus.")
        for each in marked:
            outputs += 1
            if each.source != source:
                what = f"an output whose unchanged words are not those of the source: {quote(each.output)}"
                unread.append(Unread(file.name, what))
                continue
            at, makers = _makers(each.output, sentences[source], systems)
            unknown += not makers
            items += [EditVerdict(at, judge, makers, edit, given) for edit, given in each.edits if given is not None]
    return Verdicts(tuple(items), tuple(unread), outputs, unknown)


def read_table(file: TextFile, sources: Sequence[str], systems: Mapping[str, Sequence[str]]) -> tuple[EditVerdict, ...]:
    """Read the table that `write_table` writes; sentences are counted from 0.

    Raises:
        CorpusError: A row is not of that form, or is about an edit outside its sentence or an unknown system.
    """
    rows = csv.DictReader(io.StringIO(file.text(), newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
    if missing := [name for name in COLUMNS if name not in (rows.fieldnames or ())]:
        raise file.error(f"the columns {', '.join(missing)} are missing. The first line must name the columns.", 1)
    found = []
    for row in rows:
        numbers = [row[name] or "" for name in ("sentence", "start", "end")]
        if not all(each.isdecimal() for each in numbers) or row["verdict"] not in _VERDICTS:
            found_here = quote(" ".join(str(cell) for cell in row.values()))
            raise file.error(f"found {found_here}; expected {', '.join(COLUMNS)}.", rows.line_num)
        sentence, start, end = map(int, numbers)
        if sentence >= len(sources):
            raise file.error(f"found '{sentence}' as a sentence; expected 0 to {len(sources) - 1}.", rows.line_num)
        if not start <= end <= len(sources[sentence].split()):
            raise file.error(
                f"found an edit of the words {start} to {end}; sentence {sentence} has "
                f"{counted(len(sources[sentence].split()), 'word')}.",
                rows.line_num,
            )
        makers = tuple(name for name in row["systems"].split("|") if name)
        for name in makers:
            if systems and name not in systems:
                raise file.error(f"{name!r} has no outputs here.{similar(name, systems)}", rows.line_num)
        edit = Edit(start, end, row["correction"])
        found.append(EditVerdict(sentence, row["judge"], makers, edit, _VERDICTS[row["verdict"]]))
    return tuple(found)


def write_table(verdicts: Iterable[EditVerdict]) -> str:
    """The text of a table of verdicts, one per line."""
    lines = ["\t".join(COLUMNS)]
    for one in verdicts:
        edit = one.edit
        cells = [one.sentence, one.judge, "|".join(one.systems), edit.start, edit.end, edit.correction, one.accepted]
        lines.append("\t".join(map(str, cells)))
    return "\n".join([*lines, ""])


def _marked(file: TextFile, text: str, unread: list[Unread]) -> Iterator[_Marked]:
    for match in _OUTPUT.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield _read_output(match[2], f"{file.name}:{line}", unread)


def _read_output(text: str, place: str, unread: list[Unread]) -> _Marked:
    source: list[str] = []
    output: list[str] = []
    edits: list[tuple[Edit, bool | None]] = []
    position = 0
    for match in [*_EDIT.finditer(text), None]:
        plain = text[position : match.start() if match else None].split()
        source += plain
        output += plain
        if match is None:
            break
        position = match.end()
        removed, inserted = match["original"].split(), _correction(match)
        verdict = next((_VERDICTS[match[name]] for name in ("early", "inside", "outside") if match[name]), None)
        if verdict is None:
            unread.append(Unread(place, f"no verdict in {quote(match[0])}"))
        edits.append((Edit(len(source), len(source) + len(removed), inserted), verdict))
        source += removed
        output += inserted.split()
    left = " ".join(source)
    if any(sign in left for sign in "[]→|"):
        unread.append(Unread(place, f"brackets that are no edit in {quote(normalise(text))}"))
    return _Marked(left, " ".join(output), tuple(edits))


def _correction(match: re.Match[str]) -> str:
    """The correction, with what a slip put behind the verdict."""
    return normalise(match["correction"] + (match["rest"] or "").rstrip())


def _makers(output: str, places: Sequence[int], systems: Mapping[str, Sequence[str]]) -> tuple[int, tuple[str, ...]]:
    """The sentence and the systems that have this output; of several equal sources, the first that fits."""
    found = [(at, tuple(name for name, outputs in systems.items() if outputs[at] == output)) for at in places]
    return next((each for each in found if each[1]), found[0])
