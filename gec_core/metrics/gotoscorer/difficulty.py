"""The weights of chunks: from systems, all 1, or from a weight file.

A weight file of the authors' code has the number of systems in its first line, and then one line per sentence: for each
chunk the number of systems that are correct on it. gec-metrics writes JSON instead: a list of {"weights": [...]}.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev

import numpy as np
from numpy.typing import NDArray

from gec_core.align import errant_types
from gec_core.errors import OptionError
from gec_core.metrics.gotoscorer.chunks import CORRECT, ERROR, MODIFIED, TYPE, Records
from gec_core.types import Array


@dataclass(frozen=True)
class Weights:
    """The weight of every chunk of every sentence: sentences × chunks, 0 after the last chunk of a sentence."""

    table: Array

    @classmethod
    def ones(cls, sizes: NDArray[np.intp]) -> Weights:
        return cls((np.arange(max(sizes.max(initial=0), 1)) < sizes[:, None]).astype(np.float64))

    def at(self, lines: Sequence[int]) -> Weights:
        """The weights of these sentences, in this order."""
        return Weights(self.table[np.asarray(lines, np.intp)])

    def of(self, line: int, size: int) -> Array:
        """The weights of the chunks of one sentence."""
        row = np.zeros(size)
        row[: min(size, self.table.shape[1])] = self.table[line, :size]
        return row

    def sums(self, records: Records) -> Array:
        """For each sentence: tp, fp, fn, tn, and the weight of all chunks."""
        own = self.table[records.lines, records.indices]
        error, correct, modified = (records.where(column) for column in (ERROR, CORRECT, MODIFIED))
        everything = self.table.sum(axis=1)

        def total(which: NDArray[np.bool_]) -> Array:
            return np.bincount(records.lines[which], own[which], len(self.table)).astype(np.float64)

        wrong = total(~correct | modified)
        return np.column_stack(
            [
                total(correct & modified),
                total(~correct & modified),
                total(~correct & error),
                everything - wrong,
                everything,
            ]
        )


def from_systems(systems: Sequence[Records]) -> Weights:
    """The share of the systems that are wrong on each chunk."""
    first = systems[0]
    table = np.zeros((len(first.sizes), max(first.sizes.max(initial=0), 1)))
    for records in systems:
        wrong = ~records.where(CORRECT)
        np.add.at(table, (records.lines[wrong], records.indices[wrong]), 1)
    return Weights(table / len(systems))


def from_file(path: str, sizes: NDArray[np.intp]) -> Weights:
    """Read a weight file that has one line for each of the sentences, which have these numbers of chunks."""
    lines = _read(Path(path))
    if len(lines) != len(sizes):
        raise OptionError(
            f"gotoscorer.weights={path}: {len(lines):,} sentences, but {len(sizes):,} are scored. A weight file knows "
            "sentences by their number only: score the whole corpus that it was made for."
        )
    table = np.zeros((len(sizes), max(sizes.max(initial=0), 1)))
    for number, (weights, size) in enumerate(zip(lines, sizes.tolist(), strict=True)):
        if len(weights) != size:
            raise OptionError(
                f"gotoscorer.weights={path}: sentence {number + 1} has {len(weights)} chunks, but {size} here. It was "
                "made for another source, other gold edits or another annotator (see the options references and "
                "annotator)."
            )
        table[number, :size] = weights
    return Weights(table)


def _read(path: Path) -> list[list[float]]:
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            return [[float(weight) for weight in each["weights"]] for each in json.loads(text)]
        first, *rest = text.rstrip().split("\n")
        systems = int(first)
        return [[1 - int(correct) / systems for correct in line.split()] for line in rest]
    except OSError as error:
        raise OptionError(
            f"gotoscorer.weights={path}: {error.strerror}. Write systems, none, or the name of a weight file."
        ) from None
    except (ValueError, KeyError, TypeError, ZeroDivisionError, UnicodeDecodeError):
        raise OptionError(
            f"gotoscorer.weights={path}: this is not a weight file. Its first line is the number of systems, and every "
            "other line has for each chunk of a sentence the number of systems that are correct."
        ) from None


@dataclass(frozen=True, slots=True)
class TypeDifficulty:
    """How difficult the gold edits of one type are: mean and standard deviation of their weights."""

    type: str
    mean: float
    deviation: float
    """Of a sample (n − 1 in the denominator), as the authors report it; 0 for a single edit."""
    count: int


def by_type(weights: Weights, records: Records, name: Callable[[str], str] = str) -> list[TypeDifficulty]:
    """The difficulty of the gold edits by error type, the most difficult type first.

    Args:
        weights: The weights of the chunks.
        records: The records of any system.
        name: From an ERRANT type to the type to count it under; types of another scheme are left out.
    """
    gold = records.where(ERROR) & (records.table[:, TYPE] != errant_types.NO_TYPE)
    found: dict[str, list[float]] = {}
    values = weights.table[records.lines[gold], records.indices[gold]]
    for number, weight in zip(records.table[gold, TYPE].astype(int).tolist(), values.tolist(), strict=True):
        found.setdefault(name(errant_types.TYPES[number]), []).append(weight)
    rows = [
        TypeDifficulty(type_, mean(each), stdev(each) if len(each) > 1 else 0.0, len(each))
        for type_, each in found.items()
    ]
    return sorted(rows, key=lambda row: (-row.mean, -row.count, row.type))
