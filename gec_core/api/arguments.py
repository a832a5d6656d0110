"""Check the lists that callers pass in, and say which argument is wrong and how to write it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

from gec_core.corpora.text import normalise, quote
from gec_core.errors import InputError
from gec_core.formatting import counted
from gec_core.types import Annotation, Edit, Sentence

Sentences = Sequence[str]
"""Tokenised sentences, with spaces between the tokens."""
References = Sequence[Sentences]
"""One list of corrected sentences per annotator, each as long as the sources."""
GoldEdit = Edit | tuple[int, int, str] | tuple[int, int, str, str]
Gold = Sequence[Sequence[Sequence[GoldEdit]]]
"""The edits of each sentence, for each annotator."""
_LINE_BREAK = re.compile(r"[\n\r\v\f\x85\u2028\u2029]")


def sentence(name: str, value: Any) -> str:
    """A single sentence, with single spaces between its tokens. A line break may end it, as in lines of a file."""
    if isinstance(value, str):
        if found := _LINE_BREAK.search(value.strip()):
            raise InputError(
                f"{name} has a line break ({found[0]!r}) in {quote(value, 40)}; expected one sentence. Split it into "
                "several, or, if it is one, write ' '.join(text.split())."
            )
        return normalise(value)
    raise InputError(f"{name} is {_kind(value)}; expected a sentence as a string.{_HOW_TO.get(type(value), '')}")


def sentences(name: str, value: Any, expected: int | None = None, like: str = "sources") -> list[str]:
    """A list of sentences, as many as the argument `like` has."""
    if isinstance(value, str | bytes):
        raise InputError(f"{name} is a string; expected a list of sentences. Write {name}=[{quote(str(value), 40)}].")
    items = _items(name, value, "a list of sentences, one string each")
    if not items:
        raise InputError(f"{name} is empty; expected at least one sentence.")
    found = [sentence(f"{name}[{place}]", item) for place, item in enumerate(items)]
    if expected is not None and len(items) != expected:
        raise InputError(
            f"{name} has {counted(len(items), 'sentence')}, but {like} has {expected:,}. Each sentence needs one."
        )
    return found


def references(value: Any, expected: int, name: str = "references") -> list[list[str]]:
    """One list of sentences per annotator."""
    if isinstance(value, str | bytes):
        raise InputError(f"{name} is a string; expected one list of sentences per annotator: {name}=[[…]].")
    annotators = _items(name, value, "one list of sentences per annotator")
    if not annotators:
        raise InputError(f"{name} is empty; expected one list of sentences per annotator: {name}=[[…]].")
    if all(isinstance(item, str) for item in annotators):
        raise InputError(
            f"{name} is a flat list of strings; expected one list of sentences per annotator. With one reference per "
            f"sentence, write {name}=[refs]."
        )
    return [sentences(f"{name}[{number}]", each, expected) for number, each in enumerate(annotators)]


def systems(value: Any, expected: int, name: str = "systems") -> dict[str, tuple[str, ...]]:
    """The outputs of systems by their names."""
    if not isinstance(value, Mapping):
        how = f" Write {name}=frame.to_dict('list')." if _is_frame(value) else ""
        raise InputError(f"{name} is {_kind(value)}; expected a dictionary: {name}={{'mine': hypotheses}}.{how}")
    for system in value:
        if not isinstance(system, str) or not system.strip():
            raise InputError(f"{name} has the key {system!r}; expected the name of a system.")
    return {system: tuple(sentences(f"{name}[{system!r}]", each, expected)) for system, each in value.items()}


def human_scores(value: Any, name: str = "human") -> dict[str, float]:
    """A score for each system, from a dictionary or a pandas Series with the systems as its index."""
    if not hasattr(value, "items") or _is_frame(value):
        raise InputError(f"{name} is {_kind(value)}; expected a dictionary of scores: {name}={{'system': 1.5, …}}.")
    for system, score in value.items():
        if not isinstance(score, Real) or math.isnan(score):
            raise InputError(f"{name}[{system!r}] is {score!r}; expected a number.")
    return {str(system): float(score) for system, score in value.items()}


def gold_annotations(value: Any, sources: Sequence[str], name: str = "gold") -> list[tuple[Annotation, ...]]:
    """The annotations of each sentence, from the edits of each annotator."""
    annotators = _items(name, value, "one list per annotator, with a list of edits for each sentence")
    if not annotators:
        raise InputError(f"{name} is empty; expected one list per annotator, with a list of edits for each sentence.")
    columns = []
    for number, column in enumerate(annotators):
        where = f"{name}[{number}]"
        lines = _items(where, column, "a list of edits for each sentence")
        if len(lines) != len(sources):
            raise InputError(
                f"{where} has {counted(len(lines), 'list')} of edits, but sources has {len(sources):,}. "
                "A sentence that needs no correction has an empty list."
            )
        columns.append([_annotation(f"{where}[{at}]", number, line, sources[at]) for at, line in enumerate(lines)])
    return list(zip(*columns, strict=True))


def names(name: str, value: Any, what: str) -> list[Any]:
    """One or several things that are given by name, or as objects."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        value = [value]
    found = _items(name, value, f"a list of {what}s")
    if not found:
        raise InputError(f"{name} is empty; expected at least one {what}.")
    return found


def sentence_with_references(source: Any, given: Any) -> Sentence:
    """A sentence from a source and its references, one string per annotator; without gold edits."""
    text = sentence("source", source)
    if not text:
        raise InputError("source is empty; expected a sentence.")
    if given is None:
        return Sentence(text)
    shape = "a list with one reference per annotator: references=['…']"
    if isinstance(given, str | bytes):
        raise InputError(f"references is a string; expected {shape}.")
    found = _items("references", given, shape)
    for number, each in enumerate(found):
        if not isinstance(each, str):
            raise InputError(f"references[{number}] is {_kind(each)}; expected {shape}. This is about one sentence.")
    return Sentence(text, tuple(sentence(f"references[{number}]", each) for number, each in enumerate(found)))


def _annotation(where: str, annotator: int, line: Any, source: str) -> Annotation:
    edits = [_edit(f"{where}[{place}]", item) for place, item in enumerate(_items(where, line, "a list of edits"))]
    length = len(source.split())
    for place, edit in enumerate(edits):
        if not 0 <= edit.start <= edit.end <= length:
            raise InputError(
                f"{where}[{place}] is the span {edit.start} to {edit.end}, but the sentence has "
                f"{counted(length, 'token')}."
            )
    return Annotation(annotator, tuple(edits))


def _edit(where: str, item: Any) -> Edit:
    if isinstance(item, Edit):
        return item
    shape = isinstance(item, tuple | list) and len(item) in (3, 4)
    if not shape or not all(isinstance(part, kind) for part, kind in zip(item, (int, int, str, str), strict=False)):
        raise InputError(f"{where} is {item!r}; expected (start, end, correction) or (start, end, correction, type).")
    start, end, correction, *rest = item
    return Edit(start, end, normalise(correction), *rest)


def _items(name: str, value: Any, expected: str) -> list[Any]:
    if isinstance(value, Mapping) or not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise InputError(f"{name} is {_kind(value)}; expected {expected}.")
    if isinstance(value, set | frozenset):
        raise InputError(f"{name} is {_kind(value)}, which has no order; expected {expected}.")
    if _is_frame(value):
        raise InputError(f"{name} is {_kind(value)}; expected {expected}. Take its columns: frame['name'].")
    return list(value)


def _is_frame(value: Any) -> bool:
    """Whether a value is a table of pandas or polars, of which a loop sees the names of columns, or the columns."""
    return type(value).__name__ == "DataFrame"


def _kind(value: Any) -> str:
    """What a value is, in words."""
    if value is None:
        return "None"
    if isinstance(value, str):
        return f"the string {quote(value, 40)}"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


_HOW_TO: dict[type, str] = {
    list: " Join the tokens with spaces: ' '.join(tokens).",
    tuple: " Join the tokens with spaces: ' '.join(tokens).",
    bytes: " Decode it first: text.decode().",
}
