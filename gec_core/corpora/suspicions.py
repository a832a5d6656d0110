"""Detect outputs that are probably a mistake: the wrong file, shifted lines, another tokenisation.

Every message names the file and, where there is one, the first line that shows the problem.

Metrics compare tokens, so outputs tokenised unlike their sources score close to 0 however good they are. Sometimes
joining or splitting tokens is a correction ("any one" to "anyone"); a system that does it in many sentences was
tokenised by another tokeniser, or not at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from gec_core.corpora.text import quote
from gec_core.types import Corpus, Note, Sentence

FOREIGN = 0.3
"""The token overlap (Dice) with the source below which an output probably belongs to another sentence."""
AT_HOME = 0.6
"""The token overlap above which an output probably belongs to a source."""
MANY = 0.2
"""The share of foreign lines above which a file is reported."""
REPEATED = 0.5
"""The share of identical lines above which a file is reported."""
SWAPPED = 0.9
"""The share of changed lines farther from the references than the source, above which the two may be swapped.
Twelve systems of CoNLL-2014 are above 0.5, but only one of them above 0.9."""
ENOUGH = 5
"""The number of lines below which shares mean nothing."""
FARTHEST = 500
"""The largest shift of lines that is searched for."""
FOLLOWING, FITTING = 10, 3
"""Of the FOLLOWING lines after a shift, at least FITTING and more than half must fit: one alone fits by chance."""
TRIED = 200
"""The number of lines that are tried as the start of a shift: some of them are merely rewritten."""
MANY_MISMATCHES = 0.1
"""The share of a system's outputs above which they count as tokenised differently."""
_STUCK = re.compile(r"(\w{3,})([,;:?!.])")


def suspicions(file: str, corpus: Corpus, outputs: Sequence[str]) -> Iterator[str]:
    """Warnings about the outputs in a file."""
    sentences = corpus.sentences
    yield from _repeated(file, sentences, outputs)
    if same := _same_as(corpus, outputs):
        yield f"{file}: equals {same} in every line. Is it the right file?"
        return
    yield from _equals_a_reference(file, sentences, outputs)
    foreign = list(_foreign(file, sentences, outputs))
    yield from foreign
    if not foreign:
        yield from _swapped(file, sentences, outputs)
        yield from mismatches(Corpus(corpus.name, sentences, {file: tuple(outputs)}))


def out_of_step(sentences: Sequence[Sentence], outputs: Sequence[str]) -> str:
    """A message about the first line from which on outputs belong to shifted sources; empty if there is none."""
    sources, found = [set(each.source.split()) for each in sentences], [set(output.split()) for output in outputs]
    strange = (at for at, words in enumerate(found) if words and not _fits(sources, at, words, FOREIGN))
    for line in islice(strange, TRIED):
        for step in sorted(range(-FARTHEST, FARTHEST + 1), key=abs):
            if _fits(sources, line + step, found[line], AT_HOME) and _in_step(sources, found, line, step):
                return _shift_message(line, step)
    return ""


def same_outputs(files: Sequence[tuple[str, Sequence[str] | None]]) -> Iterator[tuple[int, str]]:
    """A warning about each file that equals one before it, by its place in the list: names may be equal, too."""
    first: dict[tuple[str, ...], int] = {}
    for place, (file, outputs) in enumerate(files):
        if outputs is None:
            continue
        known = first.setdefault(tuple(outputs), place)
        if known != place:
            yield place, f"{file}: the same as {files[known][0]} in every line. Is one of them the wrong file?"


def mismatches(corpus: Corpus) -> Iterator[str]:
    """A warning about each system whose outputs are not tokenised as the sources are."""
    for name, problem in _mismatched(corpus):
        yield f"{name}: {problem} Metrics compare tokens: tokenise the outputs as the sources are."


def with_mismatches_noted(corpus: Corpus) -> Corpus:
    """The corpus with a note about each system whose outputs are not tokenised as the sources are, which marks it."""
    noted = {name: (Note(problem.rstrip("."), caution=True),) for name, problem in _mismatched(corpus)}
    notes = {name: (*corpus.notes.get(name, ()), *own) for name, own in noted.items()}
    return replace(corpus, notes={**corpus.notes, **notes}) if notes else corpus


def _mismatched(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Each system whose outputs are not tokenised as the sources are, and where they differ first."""
    for name, outputs in corpus.systems.items():
        lines = [
            (number, *found)
            for number, (sentence, output) in enumerate(zip(corpus.sentences, outputs, strict=True), 1)
            if output != sentence.source and (found := mismatch(sentence.source, output))
        ]
        if len(lines) > MANY_MISMATCHES * len(corpus):
            number, theirs, ours = lines[0]
            yield (
                name,
                f"{len(lines):,} of {len(corpus):,} outputs are tokenised unlike their sources, the first in "
                f"line {number}: {theirs!r} where the source has {ours!r}.",
            )


def mismatch(source: str, output: str) -> tuple[str, str] | None:
    """The first tokens that the output joins and the source splits, or the other way round: both versions."""
    known, tokens = set(source.split()), output.split()
    new = [token for token in tokens if token not in known]
    if not new:
        return None
    squeezed = source.replace(" ", "")
    for token in new:
        if token in squeezed:
            for one, other in pairwise(source.split()):
                if token == one + other:
                    return token, f"{one} {other}"
        stuck = _STUCK.fullmatch(token)
        if stuck and stuck[2] in known:
            both = f"{stuck[1]} {stuck[2]}"
            # The word may be a correction: then only the mark stands in the source, as a token of its own.
            return token, both if f" {both} " in f" {source} " else stuck[2]
    for one, other in pairwise(tokens) if len(new) > 1 else ():
        if one + other in known and one not in known and other not in known:
            return f"{one} {other}", one + other
    return None


def shared(one: str, other: str) -> float:
    """The Dice coefficient of the distinct tokens of two texts; 1 for two empty ones."""
    return overlap(set(one.split()), set(other.split()))


def _fits(sources: Sequence[set[str]], at: int, words: set[str], least: float) -> bool:
    return 0 <= at < len(sources) and overlap(sources[at], words) >= least


def _in_step(sources: Sequence[set[str]], found: Sequence[set[str]], line: int, step: int) -> bool:
    """Whether the outputs from this line on fit the sources `step` lines away."""
    following = range(line, min(line + FOLLOWING, len(found)))
    fitting = sum(_fits(sources, at + step, found[at], AT_HOME) for at in following)
    return fitting >= FITTING and fitting > len(following) / 2


def _shift_message(line: int, step: int) -> str:
    if step > 0:
        what = "a line before it is missing" if step == 1 else f"{step} lines before it are missing"
    else:
        what = "there is an extra line before it" if step == -1 else f"there are {-step} extra lines before it"
    return (
        f"Line {line + 1} looks like the output for line {line + step + 1} of the sources, and the lines after it are "
        f"shifted, too: {what}."
    )


def overlap(first: set[str], second: set[str]) -> float:
    """The Dice coefficient of two sets of words; 1 for two empty ones."""
    total = len(first) + len(second)
    return 2 * len(first & second) / total if total else 1.0


def _repeated(file: str, sentences: Sequence[Sentence], outputs: Sequence[str]) -> Iterator[str]:
    """A warning about one output for many different sources."""
    changed = Counter(
        output for sentence, output in zip(sentences, outputs, strict=True) if output and output != sentence.source
    )
    if not changed:
        return
    (output, times), *_ = changed.most_common(1)
    if times >= ENOUGH and times > REPEATED * len(outputs):
        yield f"{file}: {times:,} of {len(outputs):,} lines are {quote(output)}. Did the system run?"


def _same_as(corpus: Corpus, outputs: Sequence[str]) -> str:
    """The name of what the outputs repeat in every line: the source, or another system."""
    if all(sentence.source == output for sentence, output in zip(corpus.sentences, outputs, strict=True)):
        return "the source"
    return next((name for name, others in corpus.systems.items() if tuple(outputs) == others), "")


def _equals_a_reference(file: str, sentences: Sequence[Sentence], outputs: Sequence[str]) -> Iterator[str]:
    for number in range(len(sentences[0].references)):
        corrected = [
            (sentence.references[number], output)
            for sentence, output in zip(sentences, outputs, strict=True)
            if sentence.references[number] != sentence.source
        ]
        equal = sum(reference == output for reference, output in corrected)
        if corrected and equal == len(corrected) and equal >= min(ENOUGH, len(outputs)):
            yield (
                f"{file}: equals reference {number + 1} wherever that differs from the source. Is it a reference, "
                "or has the system seen it?"
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
    """A warning if the outputs look like what the sources were corrected from."""
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
            f"{file}: in {nearer[True]:,} of {total:,} changed lines the source is closer to the references than the "
            "output. Either the system makes the text worse, or source and output are swapped."
        )
