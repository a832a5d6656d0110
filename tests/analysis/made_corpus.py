"""A small corpus with an eager and a lazy system, for tests that count along."""

from conftest import sentence

from gec_core.types import Corpus

SENTENCES = (
    sentence("a b c", "a b c", "a b c"),  # free of errors
    sentence("d e f", "d x f", "d y f"),  # has errors
    sentence("g h i", "g h i", "g h j"),  # disputed
    sentence("k l m", "k l n", "k l n"),  # has errors
)
CORPUS = Corpus(
    "made",
    SENTENCES,
    {"EAGER": ("a b z", "d x f", "g h j", "k l z"), "LAZY": ("a b c", "d e f", "g h i", "k l n")},
)
