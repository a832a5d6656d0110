"""Rankings of outputs by people, as the CSV of pairs that the WMT workshops use.

Chollampatt and Ng (2018) released the judgments of CoNLL-2014 in this form. A system is called
`testset.NAME.srclang-trglang` there; plain names are read, too. Sentences are counted from 0.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from gec_core.corpora.text import TextFile, quote
from gec_core.types import Judgment, Judgments, Ranked

_NEEDED = ("srcIndex", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank")
_OPTIONAL = ("rankingID", "srclang", "trglang")
_NUMBER = re.compile(r"[0-9]{1,9}")


def read(file: TextFile) -> Judgments:
    """The pairs put together again into the rankings they come from: one a ranking id, judge and sentence.

    Pairs do not tell which systems shared an output, so every system stands alone.
    """
    rankings: dict[tuple[str, str, int], dict[str, int]] = {}
    for line, row in _rows(file):
        index, judge, first, first_rank, second, second_rank, ranking, *languages = row
        ranks = rankings.setdefault((ranking, judge, _whole(file, line, index)), {})
        suffix = f".{'-'.join(languages)}"
        for identifier, place in ((first, first_rank), (second, second_rank)):
            name, rank = _system(identifier, suffix), _whole(file, line, place)
            if ranks.setdefault(name, rank) != rank:
                raise file.error(
                    f"{name} has rank {rank} here, but rank {ranks[name]} further up in the same ranking.", line
                )
    return Judgments(
        tuple(
            Judgment(sentence, judge, tuple(Ranked((name,), rank) for name, rank in ranks.items()))
            for (_, judge, sentence), ranks in rankings.items()
        )
    )


def _rows(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """The columns that count, in the order of `_NEEDED` and `_OPTIONAL`, with the line they stand on."""
    rows = csv.reader(io.StringIO(file.text(), newline=""), strict=True)
    try:
        header = next(rows, [])
        columns = _columns(file, header)
        for row in rows:
            if len(row) == len(header):
                yield rows.line_num, [row[column] if column is not None else "" for column in columns]
            elif row:
                raise file.error(f"{len(row)} columns, but the first line names {len(header)}.", rows.line_num)
    except csv.Error as problem:
        raise file.error(f"not a CSV file ({problem}).", rows.line_num) from None


def _columns(file: TextFile, header: Sequence[str]) -> list[int | None]:
    missing = [name for name in _NEEDED if name not in header]
    if missing:
        raise file.error(f"lacks the columns {', '.join(missing)}. The first line must name the columns.", 1)
    return [header.index(name) if name in header else None for name in (*_NEEDED, *_OPTIONAL)]


def _whole(file: TextFile, line: int, value: str) -> int:
    if not _NUMBER.fullmatch(value):
        raise file.error(f"found {quote(value)} as a sentence or a rank; expected a whole number.", line)
    return int(value)


def _system(identifier: str, suffix: str) -> str:
    """The name in the middle of `testset.NAME.srclang-trglang`, or all of a plain name."""
    if identifier.endswith(suffix):
        return identifier.removesuffix(suffix).partition(".")[2] or identifier
    return identifier
