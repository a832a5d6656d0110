"""Tokenised English as people write it, for language models, which have seen little else in training."""

from __future__ import annotations

import re

_LEFT = re.compile(r"""[.,;:?!%)\]}]+|\.\.\.|n't|'(?:s|m|d|re|ve|ll)|''""", re.IGNORECASE)
"""Tokens that stand close to the one before."""
_RIGHT = re.compile(r"[(\[{$#]+|``")
"""Tokens that stand close to the one after."""
_WRITTEN = {"``": '"', "''": '"'}


def detokenise(text: str) -> str:
    """The text without the spaces that a tokeniser put before punctuation and clitics and inside quotes."""
    written: list[str] = []
    tokens = text.split()
    open_quotes: set[str] = set()
    close = True
    for index, token in enumerate(tokens):
        left, right = bool(_LEFT.fullmatch(token)), bool(_RIGHT.fullmatch(token))
        if token in ('"', "'"):
            left = token in open_quotes or _is_possessive(tokens, index)
            right = not left
            open_quotes ^= {token} if right or token in open_quotes else set()
        written.append(("" if close or left else " ") + _WRITTEN.get(token, token))
        close = right
    return "".join(written)


def _is_possessive(tokens: list[str], index: int) -> bool:
    """Whether a lone apostrophe marks a plural's possessive, and opens no quotation."""
    return tokens[index] == "'" and index > 0 and tokens[index - 1][-1:] == "s" and "'" not in tokens[index + 1 :]
