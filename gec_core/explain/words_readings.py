"""What must be known to understand why a metric values edits as it does, in plain words.

Three things puzzle readers of credits. The two outputs may be compared with different annotators. A metric may find a
correction in an output that is none of its edits: M² reads an output in the way that suits the annotator best, and
takes a replacement for a deletion (which the annotator made) and an insertion. And where an annotator left the
sentence alone, the source itself has the best score of all, so that every edit costs something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gec_core.explain.blocks import EditLine, Edits
from gec_core.explain.credit import EditCredit
from gec_core.explain.wording import SAME, doing, joined, number
from gec_core.explain.worth import Worth

Valued = tuple[str, tuple[Worth, Worth]]
"""A metric's name, and what it makes of both outputs."""


def readings_in_words(metrics: Sequence[Valued], names: tuple[str, str], tokens: Sequence[str]) -> list[str]:
    """What puzzles, once for all metrics that it is true of."""
    told: dict[tuple[str, str], list[str]] = {}
    for metric, both in metrics:
        for sentence in (*_annotators(both, names), *_sources(both), *_found(both, names, tokens)):
            told.setdefault(sentence, []).append(metric)
    return [f"{joined(who)} {verb if len(who) > 1 else f'{verb}s'} {rest}" for (verb, rest), who in told.items()]


def _annotators(both: tuple[Worth, Worth], names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    one, other = (worth.explanation.annotator for worth in both)
    if one != other and one is not None and other is not None:
        yield "compare", f"{names[0]} with annotator {one + 1} and {names[1]} with annotator {other + 1}."


def _sources(both: tuple[Worth, Worth]) -> Iterator[tuple[str, str]]:
    """The source in either's place; these differ only for metrics that look at the other systems, too."""
    source = min(worth.credit.source_score for worth in both)
    if source > max(worth.credit.score for worth in both) + SAME:
        yield "give", f"the source itself {number(source)}, more than either output."


def _found(both: tuple[Worth, Worth], names: tuple[str, str], tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name, worth in zip(names, both, strict=True):
        lines = [line for block in worth.explanation.all(Edits) for line in block.edits if line.verdict == "correct"]
        foreign = [doing(line, tokens) for line in lines if not _made(line, worth.credit.edits, tokens)]
        if foreign:
            edits = "that edit" if len(foreign) == 1 else "those edits"
            yield "count", f"{joined(foreign)} among {name}'s corrections, since the annotator made {edits}."


def _made(line: EditLine, edits: Iterable[EditCredit], tokens: Sequence[str]) -> bool:
    """Whether the edits of the output within the span of a metric's edit come to the same."""
    words, at = [], line.start
    for edit in edits:
        if line.start <= edit.start and edit.end <= line.end:
            words += [*tokens[at : edit.start], *edit.correction.split()]
            at = edit.end
    return [*words, *tokens[at : line.end]] == line.correction.split()
