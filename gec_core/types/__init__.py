"""The values that all packages share: edits, sentences, corpora, judgments, progress.

All of them are frozen. Text is kept as tokens joined by single spaces, so that two outputs that differ only in white
space are the same output.
"""

from gec_core.types.base import (
    Annotation,
    Array,
    Edit,
    ErrorGroup,
    Flags,
    Integers,
    Note,
    Pair,
    Progress,
    Reads,
    Sentence,
    ignore,
)
from gec_core.types.corpus import ALL_SYSTEMS, Corpus, CorpusInfo
from gec_core.types.judgments import EditVerdict, Judgment, Judgments, JudgmentSet, Ranked, Ratings

__all__ = [
    "ALL_SYSTEMS",
    "Annotation",
    "Array",
    "Corpus",
    "CorpusInfo",
    "Edit",
    "EditVerdict",
    "ErrorGroup",
    "Flags",
    "Integers",
    "Judgment",
    "JudgmentSet",
    "Judgments",
    "Note",
    "Pair",
    "Progress",
    "Ranked",
    "Ratings",
    "Reads",
    "Sentence",
    "ignore",
]
