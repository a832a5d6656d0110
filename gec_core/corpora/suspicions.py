"""Outputs that may be read, but are hardly what somebody meant: the wrong file, or the right one out of step.

Every message names the file and, where there is one, the first line that shows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gec_core.corpora import tokenisation
from gec_core.corpora.text import counted, quote
from gec_core.types import Corpus, Sentence

FOREIGN = 0.3
"""An output that shares less than this with its source (of the tokens of both) hardly belongs to it."""
AT_HOME = 0.6
MANY = 0.2
"""The share of lines from which on they are no accident."""
REPEATED = 0.5
SWAPPED = 0.9
"""The share of changed lines that lead away from the references, from which on source and output may be swapped.
Systems do not get there easily: of twelve on CoNLL-2014 all do it in more than half, but only one in so many."""
ENOUGH = 5
"""Lines below which shares mean nothing."""


def suspicions(file: str, corpus: Corpus, outputs: Sequence[str]) -> Iterator[str]:
    """All that is odd about the outputs in a file."""
    sentences = corpus.sentences
    yield from _empty(file, sentences, outputs)
    yield from _repeated(file, sentences, outputs)
    if same := _same_as(corpus, outputs):
        yield f"{file}: equals {same} in every line. Is it the right file?"
        return
    yield from _knows_the_answers(file, sentences, outputs)
    foreign = list(_foreign(file, sentences, outputs))
    yield from foreign
    if not foreign:
        yield from _swapped(file, sentences, outputs)
        yield from tokenisation.mismatches(Corpus(corpus.name, sentences, {file: tuple(outputs)}))


def out_of_step(sentences: Sequence[Sentence], outputs: Sequence[str]) -> str:
    """Where lines begin to belong to a neighbour's source; empty if that cannot be told."""
    for line, output in enumerate(outputs):
        if line < len(sentences) and shared(sentences[line].source, output) >= FOREIGN:
            continue
        for step, what in ((1, "a line before it is missing"), (-1, "there is a line too many before it")):
            neighbour = line + step
            if 0 <= neighbour < len(sentences) and shared(sentences[neighbour].source, output) >= AT_HOME:
                return f"Line {line + 1} looks like the output for sentence {neighbour + 1}: {what}."
    return ""


def shared(one: str, other: str) -> float:
    """The share of the distinct tokens of both that both have (Dice); two empty texts share all."""
    first, second = set(one.split()), set(other.split())
    total = len(first) + len(second)
    return 2 * len(first & second) / total if total else 1.0


def _empty(file: str, sentences: Sequence[Sentence], outputs: Sequence[str]) -> Iterator[str]:
    empty = [n for n, (sentence, output) in enumerate(zip(sentences, outputs, strict=True), 1)
             if sentence.source and not output]  # fmt: skip
    if empty:
        yield (
            f"{file}: {counted(len(empty), 'empty line')} where the source has text, the first is line {empty[0]}. "
            "An output that is left alone repeats its source."
        )


def _repeated(file: str, sentences: Sequence[Sentence], outputs: Sequence[str]) -> Iterator[str]:
    """One and the same output for different sources."""
    changed = Counter(
        output for sentence, output in zip(sentences, outputs, strict=True) if output and output != sentence.source
    )
    if not changed:
        return
    (output, times), *_ = changed.most_common(1)
    if times >= ENOUGH and times > REPEATED * len(outputs):
        yield f"{file}: {times:,} of {len(outputs):,} lines are the same, {quote(output)}. Did the system run?"


def _same_as(corpus: Corpus, outputs: Sequence[str]) -> str:
    """What the outputs repeat word for word: the source, or another system."""
    if all(sentence.source == output for sentence, output in zip(corpus.sentences, outputs, strict=True)):
        return "the source"
    return next((name for name, others in corpus.systems.items() if tuple(outputs) == others), "")


def _knows_the_answers(file: str, sentences: Sequence[Sentence], outputs: Sequence[str]) -> Iterator[str]:
    for number in range(len(sentences[0].references)):
        corrected = [
            (sentence.references[number], output)
            for sentence, output in zip(sentences, outputs, strict=True)
            if sentence.references[number] != sentence.source
        ]
        equal = sum(reference == output for reference, output in corrected)
        if corrected and equal == len(corrected) and equal >= min(ENOUGH, len(outputs)):
            yield (
                f"{file}: equals reference {number} wherever that differs from the source. Is it a reference, "
                "or has the system seen the answers?"
            )
            return


def _foreign(file: str, sentences: Sequence[Sentence], outputs: Sequence[str]) -> Iterator[str]:
    lines = [
        number
        for number, (sentence, output) in enumerate(zip(sentences, outputs, strict=True), 1)
        if output and sentence.source and shared(sentence.source, output) < FOREIGN
    ]
    if lines and len(lines) > MANY * len(outputs):
        where = out_of_step(sentences, outputs) or "Are they for this corpus, in the same order?"
        yield (
            f"{file}: {len(lines):,} of {len(outputs):,} lines have little in common with their sources, the first is "
            f"line {lines[0]}. {where}"
        )


def _swapped(file: str, sentences: Sequence[Sentence], outputs: Sequence[str]) -> Iterator[str]:
    """Whether the outputs look like what the sources were corrected from."""
    nearer = {True: 0, False: 0}
    for sentence, output in zip(sentences, outputs, strict=True):
        if not output or output == sentence.source or not sentence.references:
            continue
        of_source, of_output = (max(shared(text, one) for one in sentence.references)
                                for text in (sentence.source, output))  # fmt: skip
        if of_source != of_output:
            nearer[of_source > of_output] += 1
    total = sum(nearer.values())
    if total >= ENOUGH and nearer[True] >= SWAPPED * total:
        yield (
            f"{file}: in {nearer[True]:,} of {total:,} changed lines the source is nearer to the references than the "
            "output is. Either the system makes things worse, or source and output are swapped."
        )


def same_outputs(files: Sequence[tuple[str, Sequence[str] | None]]) -> Iterator[tuple[int, str]]:
    """Files that say the same as one before them, by their places: names may be the same, too."""
    first: dict[tuple[str, ...], int] = {}
    for place, (file, outputs) in enumerate(files):
        if outputs is None:
            continue
        known = first.setdefault(tuple(outputs), place)
        if known != place:
            yield place, f"{file}: the same as {files[known][0]} in every line. Is one of them the wrong file?"
