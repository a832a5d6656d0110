"""M2 files: sentences with the edits of their annotators (Dahlmeier and Ng 2012).

    S This machines is old .
    A 1 2|||Nn|||machine|||REQUIRED|||-NONE-|||0
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

`a||b` gives alternatives, `-NONE-` (or nothing) is the empty correction, and `noop` says that the
annotator made no changes. A sentence without A lines has annotator 0, who made no changes.

An edit that ends after its sentence cannot be made. As in the authors' scorer, it is left out; a warning names it.
Published files have such edits (JFLEG's dev.ref.m2 has 19).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gec_core.corpora.text import TextFile, normalise, quote
from gec_core.errors import CorpusError, CorpusWarning
from gec_core.formatting import counted
from gec_core.types import Annotation, Edit, Note, Sentence

SHAPE = "A start end|||type|||correction|||REQUIRED|||-NONE-|||annotator"
_NOTHING = "-NONE-"
_SPAN = re.compile(r"(-?[0-9]{1,9})\s+(-?[0-9]{1,9})")
_NAMED = 20
"""The number of edits that warnings name."""
_NUMBER = re.compile(r"[0-9]{1,9}")


def read(file: TextFile) -> list[Sentence]:
    """Read an M2 file: edits in the order of the file, annotators in the order of their first edits.

    Edits outside their sentence are left out, and a `CorpusWarning` names them.
    """
    return read_noted(file)[0]


def read_noted(file: TextFile) -> tuple[list[Sentence], tuple[Note, ...]]:
    """Like `read`, with a note on what was left out, to stand beside scores."""
    sentences, outside = _read(file)
    for warning in _warnings(file, outside):
        warnings.warn(warning, stacklevel=3)
    if not outside:
        return sentences, ()
    lines = [f"{each.line:,}" for each in outside[:_NAMED]] + (["…"] if len(outside) > _NAMED else [])
    where = f"{file.path.name}:{', '.join(lines)}"
    return sentences, (
        Note(f"gold edits left out because they are outside their sentences: {len(outside):,} ({where})"),
    )


def left_out(file: TextFile) -> list[CorpusWarning]:
    """The warnings about an M2 file: edits outside their sentence, which `read` leaves out."""
    return _warnings(file, _read(file)[1])


def _warnings(file: TextFile, outside: Sequence[Outside]) -> list[CorpusWarning]:
    """Warnings that name the edits; one for all of them if there are many."""
    if len(outside) <= _NAMED:
        return [CorpusWarning(f"{file.name}:{each.line}: {each}", "It is left out.") for each in outside]
    first = ", ".join(f"{each.start} {each.end} (line {each.line})" for each in outside[:_NAMED])
    more = f"{len(outside) - _NAMED:,} more"
    what = f"{file.name}: {len(outside):,} edits are outside their sentences: {first}, and {more}."
    return [CorpusWarning(what, "They are left out.")]


class Outside(NamedTuple):
    """An edit outside its sentence."""

    line: int
    start: int
    end: int
    correction: str
    annotator: int
    length: int

    def __str__(self) -> str:
        return (
            f"the edit {self.start} {self.end} to {quote(self.correction)} of annotator {self.annotator} is outside "
            f"the sentence, which has {counted(self.length, 'token')}."
        )


def _read(file: TextFile) -> tuple[list[Sentence], list[Outside]]:
    """The sentences, and the edits that are left out."""
    blocks: list[tuple[str, dict[int, list[Edit]]]] = []
    outside: list[Outside] = []
    inside = False
    for number, line in enumerate(file.raw_lines(), 1):
        kind, _, rest = line.strip().partition(" ")
        if kind == "S":
            blocks.append((normalise(rest), {}))
            inside = True
        elif kind == "A":
            if not inside:
                raise file.error("an A line without an S line above it. A sentence starts with an S line.", number)
            outside += _add(file, number, rest, *blocks[-1])
        elif kind:
            raise file.error(f"found {quote(line)}; expected an empty line or one that starts with S or A.", number)
        else:
            inside = False
    return [Sentence(source, annotations=_annotations(edits)) for source, edits in blocks], outside


def write(sentences: Iterable[Sentence]) -> str:
    """The text of an M2 file.

    Raises:
        CorpusError: The format cannot express an edit.
    """
    return "".join(f"{line}\n" for sentence in sentences for line in _lines(sentence))


def _add(file: TextFile, number: int, rest: str, source: str, edits: dict[int, list[Edit]]) -> list[Outside]:
    """Add the edit of a line to those of its annotator, or return it if it is outside the sentence."""
    try:
        annotator, edit = _parse(rest)
    except ValueError as problem:
        raise file.error(f"{problem}. Found {quote(f'A {rest}')}; expected {SHAPE!r}.", number) from None
    own = edits.setdefault(annotator, [])
    length = source.count(" ") + bool(source)
    if edit is not None and edit.end > length:
        return [Outside(number, edit.start, edit.end, edit.correction, annotator, length)]
    if edit is not None:
        own.append(edit)
    return []


def _parse(rest: str) -> tuple[int, Edit | None]:
    """The annotator of an A line (given without its A), and the edit unless it is a noop."""
    # Fields are counted from both ends, since an empty correction or alternative makes longer runs of bars.
    span, _, after = rest.partition("|||")
    type_, _, after = after.partition("|||")
    tail = after.rsplit("|||", 3)
    if len(tail) != 4 or "|||" in tail[0]:
        raise ValueError(f"{counted(rest.count('|||') + 1, 'field')} instead of 6")
    correction, _, _, annotator = tail
    places = _SPAN.fullmatch(span.strip())
    if places is None:
        raise ValueError("start and end are not two whole numbers")
    if not _NUMBER.fullmatch(annotator.strip()):
        raise ValueError("the annotator is not a whole number")
    start, end = int(places[1]), int(places[2])
    type_ = normalise(type_)
    if type_ == "noop" or start == end == -1:
        return int(annotator), None
    if not 0 <= start <= end:
        raise ValueError("start is negative or larger than end")
    first, *others = (_correction(option) for option in correction.split("||"))
    return int(annotator), Edit(start, end, first, type_, tuple(others))


def _correction(option: str) -> str:
    tokens = normalise(option)
    return "" if tokens == _NOTHING else tokens


def _annotations(edits: dict[int, list[Edit]]) -> tuple[Annotation, ...]:
    return tuple(Annotation(annotator, tuple(own)) for annotator, own in edits.items()) or (Annotation(0),)


def _lines(sentence: Sentence) -> Iterator[str]:
    yield f"S {sentence.source}"
    for annotation in sentence.annotations:
        for edit in annotation.edits:
            yield f"A {_format(annotation.annotator, edit)}"
        if not annotation.edits:
            yield f"A -1 -1|||noop|||{_NOTHING}|||REQUIRED|||{_NOTHING}|||{annotation.annotator}"
    yield ""


def _format(annotator: int, edit: Edit) -> str:
    correction = "||".join(option or _NOTHING for option in edit.corrections) if edit.alternatives else edit.correction
    rest = f"{edit.start} {edit.end}|||{edit.type}|||{correction}|||REQUIRED|||{_NOTHING}|||{annotator}"
    try:
        faithful = _parse(rest) == (annotator, edit)
    except ValueError:
        faithful = False
    if not faithful:
        raise CorpusError(f"An M2 file cannot hold {edit}: bars, noop and {_NOTHING} are reserved there.")
    return rest
