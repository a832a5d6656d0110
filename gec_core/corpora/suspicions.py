"""Detect outputs that were probably uploaded by mistake: wrong file, shifted lines, other tokenisation.

Every message names the file and, where there is one, the first line that shows it.

Every metric here compares tokens, so such outputs score close to nothing however good they are. Now and then
joining or splitting is a correction ("any one" to "anyone"); a system that does it in many sentences was
tokenised by another tokeniser, or not at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

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
FARTHEST = 500
"""Lines that a file is thought to be out of step by, at most."""
FOLLOWING, FITTING = 10, 3
"""Of so many lines from one on, so many and more than half must fit other sources: one alone does by chance."""
TRIED = 200
"""Lines at which a file may fall out of step: the first that do not fit, some of which are but much rewritten."""


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
        yield from mismatches(Corpus(corpus.name, sentences, {file: tuple(outputs)}))


def out_of_step(sentences: Sequence[Sentence], outputs: Sequence[str]) -> str:
    """Where lines begin to belong to sources further up or down; empty if that cannot be told."""
    sources, found = [set(each.source.split()) for each in sentences], [set(output.split()) for output in outputs]
    strange = (at for at, words in enumerate(found) if words and not _fits(sources, at, words, FOREIGN))
    for line in islice(strange, TRIED):
        for step in sorted(range(-FARTHEST, FARTHEST + 1), key=abs):
            if _fits(sources, line + step, found[line], AT_HOME) and _in_step(sources, found, line, step):
                return _told(line, step)
    return ""


def _fits(sources: Sequence[set[str]], at: int, words: set[str], least: float) -> bool:
    return 0 <= at < len(sources) and _dice(sources[at], words) >= least


def _in_step(sources: Sequence[set[str]], found: Sequence[set[str]], line: int, step: int) -> bool:
    """Whether the outputs from this line on fit the sources that are so many lines off."""
    following = range(line, min(line + FOLLOWING, len(found)))
    fitting = sum(_fits(sources, at + step, found[at], AT_HOME) for at in following)
    return fitting >= FITTING and fitting > len(following) / 2


def _told(line: int, step: int) -> str:
    if step > 0:
        what = "a line before it is missing" if step == 1 else f"{step} lines before it are missing"
    else:
        what = "there is a line too many before it" if step == -1 else f"there are {-step} lines too many before it"
    return (
        f"Line {line + 1} looks like the output for line {line + step + 1} of the sources, and those after it go on "
        f"like that: {what}."
    )


def shared(one: str, other: str) -> float:
    """The share of the distinct tokens of both that both have (Dice); two empty texts share all."""
    return _dice(set(one.split()), set(other.split()))


def _dice(first: set[str], second: set[str]) -> float:
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


MANY_MISMATCHES = 0.1
"""The share of a system's outputs from which on they count as tokenised differently."""
_STUCK = re.compile(r"(\w{3,})([,;:?!.])")


def mismatches(corpus: Corpus) -> Iterator[str]:
    """One message for each system whose outputs are not tokenised as the sources are."""
    for name, outputs in corpus.systems.items():
        lines = [
            (number, *found)
            for number, (sentence, output) in enumerate(zip(corpus.sentences, outputs, strict=True), 1)
            if output != sentence.source and (found := mismatch(sentence.source, output))
        ]
        if len(lines) > MANY_MISMATCHES * len(corpus):
            number, theirs, ours = lines[0]
            yield (
                f"{name}: {len(lines)} of {len(corpus)} outputs are tokenised unlike their sources, the first in line "
                f"{number}: {theirs!r} where the source has {ours!r}. Scores compare tokens: tokenise the outputs "
                f"as the sources are."
            )


def mismatch(source: str, output: str) -> tuple[str, str] | None:
    """The first place where the output joins what the source has apart, or the other way round: both versions."""
    known, tokens = set(source.split()), output.split()
    new = [token for token in tokens if token not in known]
    squeezed = source.replace(" ", "")
    for token in new:
        if token in squeezed:
            for one, other in pairwise(source.split()):
                if token == one + other:
                    return token, f"{one} {other}"
        stuck = _STUCK.fullmatch(token)
        if stuck and stuck[2] in known:
            return token, f"{stuck[1]} {stuck[2]}"
    for one, other in pairwise(tokens) if len(new) > 1 else ():
        if one + other in known and one not in known and other not in known:
            return f"{one} {other}", one + other
    return None
