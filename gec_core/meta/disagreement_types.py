"""The error types in which two outputs of a sentence differ: what disagreements are told apart by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gec_core.human.pairs import Flags, Integers
from gec_core.types import Corpus, Edit

EditsOf = Mapping[tuple[str, str], Iterable[Edit]]
"""The typed edits of (source, output)."""


@dataclass(frozen=True, eq=False)
class TypeTable:
    """One error type in all pairs of systems × sentences."""

    differ: Flags
    """Where one output has an edit of this type that the other lacks."""
    ahead: Integers
    """By how many edits of this type the first output has more than the second."""


def of_systems(tables: Mapping[str, TypeTable], corpus: Corpus, kept: Sequence[str]) -> dict[str, TypeTable]:
    """The same tables for some of the corpus's systems, named in the order of the corpus."""
    has = np.array([system in kept for system in corpus.systems])
    left, right = np.triu_indices(len(corpus.systems), k=1)
    rows = has[left] & has[right]
    return {name: TypeTable(table.differ[rows], table.ahead[rows]) for name, table in tables.items()}


def type_tables(corpus: Corpus, edits: EditsOf) -> dict[str, TypeTable]:
    """The tables of all types that the outputs have, by name."""
    left, right = np.triu_indices(len(corpus.systems), k=1)
    shape = len(left), len(corpus)
    found: dict[str, TypeTable] = {}
    for line, sentence in enumerate(corpus.sentences):
        made = [
            {(edit.start, edit.end, edit.correction): edit.type for edit in edits[sentence.source, outputs[line]]}
            for outputs in corpus.systems.values()
        ]
        for edit, type_ in {edit: type_ for each in made for edit, type_ in each.items()}.items():
            has = np.array([edit in each for each in made], np.int8)
            ahead = has[left] - has[right]
            if type_ not in found:
                found[type_] = TypeTable(np.zeros(shape, np.bool_), np.zeros(shape, np.int64))
            found[type_].differ[:, line] |= ahead != 0
            found[type_].ahead[:, line] += ahead
    return dict(sorted(found.items()))
