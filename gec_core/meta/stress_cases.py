"""Changes of outputs whose true effect is known, made from the references of a corpus.

Every case is two texts of one sentence, and which of them is better; or one text under two versions of its gold edits,
whose score must not move. The kinds follow what metrics are known to fail at: chains of partial corrections are those
of MAEGE (Choshen and Abend 2018).
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gec_core.align.edits import apply_edits, diff_edits
from gec_core.types import Annotation, Corpus, Edit, Sentence

Effect = Literal["up", "down", "same"]
KINDS: dict[str, tuple[Effect, str]] = {
    "undo": ("down", "one right edit undone"),
    "chain": ("up", "one more right edit, in a chain from the source to the reference"),
    "add": ("down", "one wrong edit added to the reference: a word replaced by a random one"),
    "repeat": ("down", "all right edits kept, and a word repeated"),
    "negation": ("down", "the meaning turned around by `not`"),
    "number": ("down", "a number changed"),
    "name": ("down", "a name replaced by another"),
    "nonsense": ("down", "a fluent sentence about something else, instead of the unchanged source"),
    "copy": ("down", "the source copied, instead of the reference"),
    "tokens": ("same", "the last full stop joined to its word: another tokenisation"),
    "case": ("down", "the first letter of the sentence in lower case"),
    "split": ("same", "the same output; gold edits of several tokens split"),
    "merge": ("same", "the same output; neighbouring gold edits merged"),
    "unseen": ("up", "a reference instead of the source, without that reference among the references"),
    "system+": ("up", "two systems' outputs that differ by one right edit"),
    "system-": ("down", "two systems' outputs that differ by one edit that no reference has"),
}
"""The effect that a change should have on the score, and what the change is."""
_AUXILIARIES = {"is", "are", "was", "were", "can", "could", "will", "would", "should", "must", "may", "might"}
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class StressCase:
    """One change: a text of a sentence before and after it."""

    kind: str
    line: int
    """The sentence in the corpus, counted from 0."""
    sentence: Sentence
    before: str
    after: str
    sentence_after: Sentence | None = None
    """The sentence with other gold edits or references, if these are what changes."""
    systems: tuple[str, str] | None = None
    """The systems whose outputs the two texts are, if they are outputs."""

    @property
    def effect(self) -> Effect:
        return KINDS[self.kind][0]


def cases(corpus: Corpus, *, each: int = 100, seed: int = 0, kinds: Sequence[str] = tuple(KINDS)) -> list[StressCase]:
    """Make up to `each` cases of every kind, from sentences drawn at random.

    Args:
        corpus: A corpus with texts and references.
        each: The most cases of a kind.
        seed: Of the draw of sentences, words and edits.
        kinds: The kinds to make.
    """
    found: list[StressCase] = []
    words = sorted({word for each_ in corpus.sentences for word in each_.tokens if _plain(word)})
    for kind in kinds:
        random_ = random.Random(f"{seed} {kind}")
        lines = list(range(len(corpus)))
        random_.shuffle(lines)
        made = _MAKERS[kind]
        own: list[StressCase] = []
        for line in lines:
            if len(own) >= each:
                break
            own += list(made(_Maker(corpus, line, random_, words), kind))[: each - len(own)]
        found += sorted(own, key=lambda case: case.line)
    return found


@dataclass(frozen=True)
class _Maker:
    """Makes the cases of one sentence."""

    corpus: Corpus
    line: int
    random: random.Random
    words: Sequence[str]

    @property
    def sentence(self) -> Sentence:
        return self.corpus.sentences[self.line]

    @property
    def reference(self) -> str:
        """The first reference that changes something; empty if none does."""
        return next((text for text in self.sentence.references if text != self.sentence.source), "")

    @property
    def edits(self) -> tuple[Edit, ...]:
        return diff_edits(self.sentence.source, self.reference) if self.reference else ()

    def case(self, kind: str, before: str, after: str, **more: object) -> Iterator[StressCase]:
        """The case, unless the change makes nothing or a text that is as good as a reference."""
        good = {*self.sentence.references, before} if KINDS[kind][0] == "down" else {before}
        if after not in good and before and after:
            yield replace(StressCase(kind, self.line, self.sentence, before, after), **more)  # type: ignore[arg-type]

    def changed(self, kind: str, change: Callable[[list[str]], list[str] | None]) -> Iterator[StressCase]:
        """The case in which the tokens of the reference are changed."""
        if self.reference and (after := change(self.reference.split())):
            yield from self.case(kind, self.reference, " ".join(after))


def _undo(make: _Maker, kind: str) -> Iterator[StressCase]:
    if make.edits:
        left_out = make.random.randrange(len(make.edits))
        kept = [edit for at, edit in enumerate(make.edits) if at != left_out]
        yield from make.case(kind, make.reference, apply_edits(make.sentence.source, kept))


def _chain(make: _Maker, kind: str) -> Iterator[StressCase]:
    order = list(make.edits)
    make.random.shuffle(order)
    texts = [apply_edits(make.sentence.source, order[:size]) for size in range(len(order) + 1)]
    for before, after in itertools.pairwise(texts):
        yield from make.case(kind, before, after)


def _add(make: _Maker, kind: str) -> Iterator[StressCase]:
    def change(tokens: list[str]) -> list[str] | None:
        places = [at for at, token in enumerate(tokens) if _plain(token) and token in make.sentence.tokens]
        if not places:
            return None
        at = make.random.choice(places)
        others = [word for word in (make.random.choice(make.words) for _ in range(5)) if word != tokens[at]]
        return [*tokens[:at], others[0], *tokens[at + 1 :]] if others else None

    yield from make.changed(kind, change)


def _repeat(make: _Maker, kind: str) -> Iterator[StressCase]:
    def change(tokens: list[str]) -> list[str] | None:
        places = [at for at, token in enumerate(tokens) if _plain(token)]
        at = make.random.choice(places) if places else -1
        return [*tokens[: at + 1], *tokens[at:]] if places else None

    yield from make.changed(kind, change)


def _negation(make: _Maker, kind: str) -> Iterator[StressCase]:
    def change(tokens: list[str]) -> list[str] | None:
        for at, token in enumerate(tokens):
            if token == "not":
                return tokens[:at] + tokens[at + 1 :]
            if token in _AUXILIARIES and tokens[at + 1 : at + 2] not in (["not"], ["n't"]):
                return [*tokens[: at + 1], "not", *tokens[at + 1 :]]
        return None

    yield from make.changed(kind, change)


def _number(make: _Maker, kind: str) -> Iterator[StressCase]:
    def change(tokens: list[str]) -> list[str] | None:
        for at, token in enumerate(tokens):
            if token.isdecimal():
                return [*tokens[:at], str(int(token[:9]) + 3), *tokens[at + 1 :]]
            if token in _NUMBERS[1:]:
                other = _NUMBERS[1 + (_NUMBERS.index(token) + 2) % (len(_NUMBERS) - 1)]
                return [*tokens[:at], other, *tokens[at + 1 :]]
        return None

    yield from make.changed(kind, change)


def _name(make: _Maker, kind: str) -> Iterator[StressCase]:
    def change(tokens: list[str]) -> list[str] | None:
        places = [at for at, token in enumerate(tokens) if at and _is_name(token) and tokens[at - 1] not in ".!?\"'`"]
        if not places:
            return None
        at = make.random.choice(places)
        return [*tokens[:at], "Paris" if tokens[at] != "Paris" else "Oslo", *tokens[at + 1 :]]

    yield from make.changed(kind, change)


def _nonsense(make: _Maker, kind: str) -> Iterator[StressCase]:
    source = make.sentence.source
    drawn = (make.random.choice(make.corpus.sentences) for _ in range(20))
    others = [
        each.references[0]
        for each in drawn
        if each.references and not set(each.references[0].lower().split()) & _content(source)
    ]
    if others:
        length = len(source)
        yield from make.case(kind, source, min(others, key=lambda text: abs(len(text) - length)))


def _copy(make: _Maker, kind: str) -> Iterator[StressCase]:
    # "down" forbids texts that are references: a source that an annotator leaves alone is no case.
    yield from make.case(kind, make.reference, make.sentence.source)


def _tokens(make: _Maker, kind: str) -> Iterator[StressCase]:
    yield from make.changed(
        kind, lambda tokens: [*tokens[:-2], tokens[-2] + "."] if len(tokens) > 1 and tokens[-1] == "." else None
    )


def _case(make: _Maker, kind: str) -> Iterator[StressCase]:
    yield from make.changed(
        kind,
        lambda tokens: [tokens[0].lower(), *tokens[1:]] if tokens[0] != "I" and tokens[0].istitle() else None,
    )


def _split(make: _Maker, kind: str) -> Iterator[StressCase]:
    yield from _regrouped(make, kind, _split_edits)


def _merge(make: _Maker, kind: str) -> Iterator[StressCase]:
    yield from _regrouped(make, kind, lambda edits: _merge_edits(edits, make.sentence.tokens))


def _regrouped(make: _Maker, kind: str, change: Callable[[Sequence[Edit]], list[Edit]]) -> Iterator[StressCase]:
    """The reference of the first annotator, under the same corrections in other pieces."""
    for annotation in make.sentence.annotations[:1]:
        edits = [replace(edit, alternatives=()) for edit in annotation.edits]
        text, other = apply_edits(make.sentence.source, edits), change(edits)
        if other != edits and apply_edits(make.sentence.source, other) == text != make.sentence.source:
            one, two = (
                replace(make.sentence, annotations=(Annotation(annotation.annotator, tuple(each)),), errors=None)
                for each in (edits, other)
            )
            yield StressCase(kind, make.line, one, text, text, two)


def _unseen(make: _Maker, kind: str) -> Iterator[StressCase]:
    sentence = make.sentence
    for number, text in enumerate(sentence.references):
        rest = sentence.references[:number] + sentence.references[number + 1 :]
        golds = sentence.annotations[:number] + sentence.annotations[number + 1 :]
        if text == sentence.source or text in rest or sentence.source in rest or not rest:
            continue
        if len(sentence.annotations) != len(sentence.references):
            golds = tuple(Annotation(at, diff_edits(sentence.source, each)) for at, each in enumerate(rest))
        own = replace(sentence, references=rest, annotations=golds, errors=None)
        yield StressCase(kind, make.line, own, sentence.source, text)


def _between_systems(make: _Maker, kind: str) -> Iterator[StressCase]:
    """Two outputs of which one has all edits of the other and one more."""
    source = make.sentence.source
    by_text: dict[str, str] = {}
    for system, outputs in make.corpus.systems.items():
        by_text.setdefault(outputs[make.line], system)
    edits = {text: {(edit.start, edit.end, edit.correction) for edit in diff_edits(source, text)} for text in by_text}
    golds = [diff_edits(source, text) for text in make.sentence.references]
    golds += [annotation.edits for annotation in make.sentence.annotations]
    right = {(edit.start, edit.end, each) for gold in golds for edit in gold for each in edit.corrections}
    touched = {(edit.start, edit.end) for gold in golds for edit in gold}
    for one, other in ((one, other) for one in by_text for other in by_text if edits[one] < edits[other]):
        (new, *more) = edits[other] - edits[one]
        if more or not golds:
            continue
        apart = not any((start < new[1] and new[0] < end) or (start, end) == new[:2] for start, end in touched)
        if new in right if kind == "system+" else apart:
            yield StressCase(kind, make.line, make.sentence, one, other, systems=(by_text[one], by_text[other]))


_MAKERS: dict[str, Callable[[_Maker, str], Iterable[StressCase]]] = {
    "undo": _undo, "chain": _chain, "add": _add, "repeat": _repeat, "negation": _negation, "number": _number,
    "name": _name, "nonsense": _nonsense, "copy": _copy, "tokens": _tokens, "case": _case, "split": _split,
    "merge": _merge, "unseen": _unseen, "system+": _between_systems, "system-": _between_systems,
}  # fmt: skip


def _split_edits(edits: Sequence[Edit]) -> list[Edit]:
    """Replacements of several tokens by as many, token by token."""
    found = []
    for edit in edits:
        words = edit.correction.split()
        if 1 < len(words) == edit.end - edit.start:
            found += [replace(edit, start=edit.start + at, end=edit.start + at + 1, correction=word)
                      for at, word in enumerate(words)]  # fmt: skip
        else:
            found.append(edit)
    return found


def _merge_edits(edits: Sequence[Edit], tokens: Sequence[str]) -> list[Edit]:
    """The first two edits with at most two tokens between them, as one."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for at, (one, two) in enumerate(itertools.pairwise(ordered)):
        if one.end <= two.start <= one.end + 2 and (one.start, one.end) != (two.start, two.end):
            words = " ".join([one.correction, *tokens[one.end : two.start], two.correction]).split()
            return [*ordered[:at], Edit(one.start, two.end, " ".join(words), one.type), *ordered[at + 2 :]]
    return list(edits)


def _plain(word: str) -> bool:
    """Whether this is a word in lower case of some length."""
    return len(word) > 3 and word.isalpha() and word.islower()


def _is_name(word: str) -> bool:
    return len(word) > 2 and word.isalpha() and word.istitle()


def _content(text: str) -> set[str]:
    """The longer words of a text: two texts without a common one are about different things."""
    return {word for word in text.lower().split() if len(word) > 4}
