"""Tokenising a correction as the original I-measure's converter does, by the Penn Treebank's rules.

Only `compat` needs it, and only for corrections that annotators typed without spaces (`known,the`). The
converter calls NLTK. These are the rules that ordinary corrections meet; its rarer ones (`gonna`, single
opening quotes) and its splitting into sentences, which would matter for a full stop in the middle of a
correction, are left out.
"""

from __future__ import annotations

import re

_RULES = [
    (re.compile(r'(?:^|(?<=[\s(\[{<]))"'), " `` "),
    (re.compile(r'"'), " '' "),
    (re.compile(r"[;@#$%&?!()\[\]{}<>]|--|\.{2,}|[:,](?!\d)"), r" \g<0> "),
    (re.compile(r"(?<=[^.])\.(?=[\s')\]}>]*$)"), " . "),
    (re.compile(r"(?<=[^\s'])(?:n't|'(?:s|m|d|re|ve|ll)?)(?=\s|$)", re.IGNORECASE), r" \g<0>"),
    (re.compile(r"\bcan(?=not\b)", re.IGNORECASE), r"\g<0> "),
]


def treebank_tokens(text: str) -> list[str]:
    """The tokens of a text under the Treebank's rules."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text.split()
