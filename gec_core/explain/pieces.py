"""From the pieces of a model's vocabulary to words, and the direction of a text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from gec_core.metrics.blocks import Tokens


def word_values(block: Tokens, words: Sequence[str]) -> list[float]:
    """The number of each word: the sum of those of its pieces where numbers add up, else their mean.

    Pieces are found in the words by their letters, since models write words in their own way: in lower case, without
    accents, with marks for pieces within a word. A word without a piece has the value 0.

    >>> from gec_core.metrics.blocks import Token, Tokens
    >>> pieces = (Token("He", 1.0), Token(" go", 2.0), Token("es", 0.5), Token(".", 0.1))
    >>> word_values(Tokens("", "surprisal (nats)", pieces, adds=True), ["He", "goes", "."])
    [1.0, 2.5, 0.1]
    """
    letters = [(number, letter) for number, word in enumerate(words) for letter in _plain(word)]
    pieces = [
        (number, letter)
        for number, piece in enumerate(block.tokens)
        for letter in _plain(piece.text.removeprefix("##"))
    ]
    word_of: dict[int, int] = {}
    codes = Levenshtein.opcodes([letter for _, letter in pieces], [letter for _, letter in letters])
    for code in codes:
        if code.tag in ("equal", "replace"):
            for one, other in zip(
                range(code.src_start, code.src_end), range(code.dest_start, code.dest_end), strict=False
            ):
                word_of.setdefault(pieces[one][0], letters[other][0])
    found: list[list[float]] = [[] for _ in words]
    for number, piece in enumerate(block.tokens):
        if number in word_of:
            found[word_of[number]].append(piece.value)
    return [sum(own) / (1 if block.adds else max(len(own), 1)) for own in found]


def _plain(text: str) -> str:
    """The letters of a text in lower case, without accents and white space."""
    split = unicodedata.normalize("NFD", text.lower())
    return "".join(each for each in split if not unicodedata.combining(each) and not each.isspace())


def right_to_left(text: str) -> bool:
    """Whether most letters of a text belong to a script that is written from right to left.

    >>> right_to_left("هذا كتاب ."), right_to_left("this is a book .")
    (True, False)
    """
    kinds = [unicodedata.bidirectional(each) for each in text]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")
