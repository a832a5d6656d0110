"""ERRANT's error types (Bryant et al. 2017): an operation (M, R, U) and a kind of word.

The store keeps a type as its index in `TYPES`, so new types go to the end.
"""

from __future__ import annotations

_ANY_OPERATION = (
    *("ADJ", "ADV", "CONJ", "CONTR", "DET", "NOUN", "NOUN:POSS", "OTHER", "PART", "PREP"),
    *("PRON", "PUNCT", "VERB", "VERB:FORM", "VERB:TENSE"),
)
_REPLACED_ONLY = ("ADJ:FORM", "MORPH", "NOUN:INFL", "NOUN:NUM", "ORTH", "SPELL", "VERB:INFL", "VERB:SVA", "WO")
OPERATIONS = ("M", "R", "U")
"""A word is missing, replaced, or unnecessary."""
UNKNOWN = "UNK"
"""An error that was found but not corrected; only detection counts it."""

OFFICIAL = (
    *(f"{operation}:{word}" for operation in OPERATIONS for word in _ANY_OPERATION),
    *(f"R:{word}" for word in _REPLACED_ONLY),
    UNKNOWN,
)
"""The 55 types of the paper."""

TYPES = (*OFFICIAL, *(f"{operation}:SPACE" for operation in OPERATIONS))
"""All types that the classifier returns: the tagger may take a token for white space."""

MEANINGS = {
    "M": "missing",
    "R": "replaced",
    "U": "unnecessary",
    "ADJ": "adjective",
    "ADJ:FORM": "form of an adjective",
    "ADV": "adverb",
    "CONJ": "conjunction",
    "CONTR": "contraction",
    "DET": "determiner",
    "MORPH": "same stem, another part of speech",
    "NOUN": "noun",
    "NOUN:INFL": "inflection of a noun",
    "NOUN:NUM": "number of a noun",
    "NOUN:POSS": "possessive of a noun",
    "ORTH": "capitals and spaces",
    "OTHER": "anything else",
    "PART": "particle",
    "PREP": "preposition",
    "PRON": "pronoun",
    "PUNCT": "punctuation",
    "SPACE": "white space",
    "SPELL": "spelling",
    "UNK": "found, but not corrected",
    "VERB": "verb",
    "VERB:FORM": "form of a verb",
    "VERB:INFL": "inflection of a verb",
    "VERB:SVA": "agreement of subject and verb",
    "VERB:TENSE": "tense of a verb",
    "WO": "word order",
}
"""The parts of types in words."""

NO_TYPE = -1
_NUMBERS = {name: number for number, name in enumerate(TYPES)}


def number(name: str) -> int:
    """The index of a type in TYPES; NO_TYPE for a type of another scheme."""
    return _NUMBERS.get(name, NO_TYPE)


def operation(name: str) -> str:
    """M, R or U; a type of another scheme is returned unchanged."""
    return name.partition(":")[0] if name.partition(":")[0] in OPERATIONS else name


def group(name: str) -> str:
    """The type without its operation: `NOUN:NUM` of `R:NOUN:NUM`; a type of another scheme is returned unchanged."""
    return name.partition(":")[2] if name.partition(":")[0] in OPERATIONS else name


def meaning(name: str) -> str:
    """A type, group or operation in words: `preposition, missing` for M:PREP; empty for another scheme."""
    if name in MEANINGS:
        return MEANINGS[name]
    if operation(name) in OPERATIONS and group(name) in MEANINGS:
        return f"{MEANINGS[group(name)]}, {MEANINGS[operation(name)]}"
    return ""
