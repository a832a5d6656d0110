"""The written part of the demo corpus: sentences.toml, checked and turned into edits."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from gec_core.align.edits import apply_edits
from gec_core.errors import CorpusError
from gec_core.types import Annotation, Edit, Sentence

_MARKED = re.compile(r"\{(?P<wrong>[^{}]*)=>(?P<right>[^{}|]*)\|(?P<type>[^{}|]+)\}")
_KEYS = {"topic", "annotator0", "annotator1", "needless", "harmful", "fluent", "drift"}


@dataclass(frozen=True)
class Written:
    """One sentence with everything a person wrote about it."""

    sentence: Sentence
    needless: tuple[Edit, ...] = ()
    """Changes to what was right already that do no harm."""
    harmful: tuple[Edit, ...] = ()
    """Changes to what was right already that make it wrong."""
    fluent: str | None = None
    """A free rewrite, better than the references."""
    drift: bool = False
    """Whether the rewrite says more, or less, than the source does."""

    def gold(self, annotator: int) -> tuple[Edit, ...]:
        return self.sentence.annotations[annotator].edits


def read(path: Path) -> list[Written]:
    """Every sentence of the file; refuses markup that does not fit together."""
    written = []
    for number, table in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["sentence"], start=1):
        try:
            written.append(_written(table))
        except ValueError as problem:
            raise CorpusError(f"{path}: sentence {number}: {problem}.") from None
    return written


def _written(table: Mapping[str, Any]) -> Written:
    if unknown := sorted(set(table) - _KEYS):
        raise ValueError(f"unknown {', '.join(unknown)}; there are {', '.join(sorted(_KEYS))}")
    source, first = parse(table["annotator0"])
    other, second = parse(table.get("annotator1", table["annotator0"]))
    if other != source:
        raise ValueError(f"annotator1 marks another sentence than annotator0 ({other!r})")
    needless, harmful = (
        tuple(_located(source, change) for change in table.get(key, ())) for key in ("needless", "harmful")
    )
    for edits in ((*first, *needless, *harmful), (*second, *needless, *harmful)):
        _refuse_overlaps(edits)
    annotations = (Annotation(0, first), Annotation(1, second))
    references = tuple(apply_edits(source, annotation.edits) for annotation in annotations)
    return Written(
        Sentence(source, references, annotations), needless, harmful, table.get("fluent"), table.get("drift", False)
    )


def parse(marked: str) -> tuple[str, tuple[Edit, ...]]:
    """The source behind a sentence with `{wrong=>right|type}` marks, and the edits they stand for."""
    tokens: list[str] = []
    edits: list[Edit] = []
    position = 0
    for mark in _MARKED.finditer(marked):
        tokens += marked[position : mark.start()].split()
        start = len(tokens)
        tokens += mark["wrong"].split()
        first, *others = mark["right"].split("/")
        edits.append(Edit(start, len(tokens), first, mark["type"], tuple(others)))
        position = mark.end()
    tokens += marked[position:].split()
    if stray := [token for token in tokens if set(token) & set("{}|") or "=>" in token]:
        raise ValueError(f"a mark that is not {{wrong=>right|type}} near {stray[0]!r}")
    return " ".join(tokens), tuple(edits)


def _located(source: str, change: str) -> Edit:
    """`old=>new` as an edit; old must occur exactly once."""
    old, arrow, new = change.partition("=>")
    tokens, wanted = source.split(), old.split()
    places = [start for start in range(len(tokens)) if wanted and tokens[start : start + len(wanted)] == wanted]
    if not arrow or len(places) != 1:
        raise ValueError(f"{change!r} should be old=>new, with old in the sentence once, not {len(places)} times")
    return Edit(places[0], places[0] + len(wanted), new)


def _refuse_overlaps(edits: Sequence[Edit]) -> None:
    for one, other in combinations(edits, 2):
        if one.overlaps(other):
            raise ValueError(f"the changes to {one.correction!r} and to {other.correction!r} overlap")
