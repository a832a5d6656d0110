"""The seven made-up systems of the demo corpus: what each does to a sentence, and how good that is.

A system chooses among the edits that people wrote (gold, needless, harmful, the free rewrite) and, for
REPEAT and NOISY, adds damage of its own. Since every output is put together from parts of known worth,
its quality is known as well, which is what the made-up judges go by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from gec_core.align.edits import apply_edits
from gec_core.types import Edit
from tools.demo.texts import Written

ARTICLE = "ArtOrDet"
EASY = frozenset({"Mec", "SVA", "Nn", ARTICLE})
"""The types that CAREFUL dares to correct: spelling, agreement, number, articles."""

CONFUSIONS = {
    "in": "on",
    "on": "in",
    "at": "in",
    "for": "to",
    "to": "for",
    "with": "by",
    "is": "are",
    "was": "were",
    "has": "have",
    "have": "has",
    "the": "a",
    "a": "the",
    "and": "or",
    "because": "so",
    "my": "me",
    "our": "we",
    "we": "us",
    "he": "him",
    "she": "her",
    "it": "its",
    "very": "much",
    "many": "much",
    "not": "no",
}
"""What NOISY takes words for."""
DROPPED = frozenset({"a", "an", "to", "of", "is", "are", "was", "were", "in", "at", "on", "for", "my", "our", "it"})
"""Words that NOISY loses, and that are missed."""


@dataclass(frozen=True)
class Output:
    """What a system made of a sentence, and what is known about its quality."""

    text: str
    errors_left: int
    damage: int = 0
    """Errors that were not there before."""
    rewritten: bool = False
    """Whether it is a free rewrite, better English than a minimal correction."""


System = Callable[[Written, Random], Output]


def do_nothing(written: Written, random: Random) -> Output:
    """The source as it is."""
    return _edited(written, annotator=0, made=[])


def careful(written: Written, random: Random) -> Output:
    """A few easy one-word corrections; now and then (3% of the chances) an unnecessary change."""
    gold = written.gold(0)
    made = [edit for edit in gold if edit.type in EASY and " " not in edit.correction and random.random() < 0.45]
    slips = _some(written.needless, 0.03, random)
    return _edited(written, annotator=0, made=made, extra=slips)


def eager(written: Written, random: Random) -> Output:
    """Most corrections of one annotator (87%), nearly every needless change (95%) and many harmful ones (80%)."""
    annotator = random.randrange(2)
    made = _some(written.gold(annotator), 0.87, random)
    needless = _some(written.needless, 0.95, random)
    harmful = _some(written.harmful, 0.8, random)
    return _edited(written, annotator, made, [*needless, *harmful], damage=len(harmful))


def fluent(written: Written, random: Random) -> Output:
    """The free rewrite where there is one, otherwise the second annotator's correction."""
    if written.fluent is None:
        return _edited(written, annotator=1, made=written.gold(1))
    return Output(written.fluent, errors_left=0, damage=int(written.drift), rewritten=True)


def repeat(written: Written, random: Random) -> Output:
    """Two corrections out of three, but in most sentences it says a word or a phrase again."""
    corrected = _edited(written, annotator=0, made=_some(written.gold(0), 0.66, random))
    tokens = corrected.text.split()
    draw = random.random()
    if draw < 0.50:
        text = _say_again(tokens, width=1, random=random)
    elif draw < 0.65:
        text = _say_again(tokens, width=2, random=random)
    elif draw < 0.75:
        text = _degenerate(tokens, random)
    else:
        text = corrected.text
    # Every word too many is an error, but three are as bad as ten.
    return Output(text, corrected.errors_left, damage=min(3, len(text.split()) - len(tokens)))


def no_article(written: Written, random: Random) -> Output:
    """Every correction of one annotator (mostly the first) but those of articles and determiners."""
    annotator = int(random.random() < 0.3)
    made = [edit for edit in written.gold(annotator) if edit.type != ARTICLE]
    return _edited(written, annotator, made)


def noisy(written: Written, random: Random) -> Output:
    """A few corrections (12%), and one to three corruptions of correct words in most sentences."""
    gold = written.gold(0)
    noise: list[Edit] = []
    for _ in range(random.choices([0, 1, 2, 3], weights=[8, 36, 36, 20])[0]):
        corrupt = random.choice([_confused, _lost, _misspelt, _swapped])
        taken = [*gold, *noise]
        free = [edit for edit in corrupt(written.sentence.tokens) if not any(map(edit.overlaps, taken))]
        noise += random.sample(free, min(1, len(free)))
    return _edited(written, 0, _some(gold, 0.12, random), noise, damage=len(noise))


SYSTEMS: dict[str, System] = {
    "CAREFUL": careful,
    "EAGER": eager,
    "FLUENT": fluent,
    "INPUT": do_nothing,
    "NOARTICLE": no_article,
    "NOISY": noisy,
    "REPEAT": repeat,
}


def outputs(name: str, texts: Sequence[Written], seed: int) -> list[Output]:
    """A system's outputs. Each depends on its own sentence only, so adding sentences changes no other."""
    return [SYSTEMS[name](written, Random(f"{seed}/{name}/{written.sentence.source}")) for written in texts]


def _edited(
    written: Written, annotator: int, made: Sequence[Edit], extra: Sequence[Edit] = (), damage: int = 0
) -> Output:
    text = apply_edits(written.sentence.source, [*made, *extra])
    return Output(text, errors_left=len(written.gold(annotator)) - len(made), damage=damage)


def _some(edits: Sequence[Edit], share: float, random: Random) -> list[Edit]:
    return [edit for edit in edits if random.random() < share]


def _say_again(tokens: list[str], width: int, random: Random) -> str:
    """A run of words said again right after itself."""
    starts = [
        start
        for start in range(1, len(tokens) - width + 1)
        if all(token.isalpha() for token in tokens[start : start + width])
    ]
    start = random.choice(starts)
    run = tokens[start : start + width]
    return " ".join([*tokens[:start], *run, *tokens[start:]])


def _degenerate(tokens: list[str], random: Random) -> str:
    """The last words over and over, as a decoder does that has lost its way."""
    body, end = tokens[:-1], tokens[-1:]
    width = min(random.choice([1, 2, 3]), len(body))
    return " ".join([*body, *body[-width:] * random.choice([2, 3]), *end])


def _confused(tokens: Sequence[str]) -> list[Edit]:
    return [Edit(start, start + 1, CONFUSIONS[token]) for start, token in enumerate(tokens) if token in CONFUSIONS]


def _lost(tokens: Sequence[str]) -> list[Edit]:
    return [Edit(start, start + 1, "") for start, token in enumerate(tokens) if token in DROPPED]


def _misspelt(tokens: Sequence[str]) -> list[Edit]:
    """Longer words with their third and fourth letters in the wrong order."""
    return [
        Edit(start, start + 1, f"{token[:2]}{token[3]}{token[2]}{token[4:]}")
        for start, token in enumerate(tokens)
        if len(token) >= 6 and _is_word(token) and token[2] != token[3]
    ]


def _swapped(tokens: Sequence[str]) -> list[Edit]:
    return [
        Edit(start, start + 2, f"{other} {one}")
        for start, (one, other) in enumerate(pairwise(tokens))
        if _is_word(one) and _is_word(other) and one != other
    ]


def _is_word(token: str) -> bool:
    return token.isalpha() and token.islower()
