"""Forms of GLEU that papers used, by hand."""

import math

import pytest
from conftest import score_one, sentence

from gec_core.metrics import registry
from gec_core.metrics.gleu import Gleu
from gec_core.papers.variants import FirstGleu, SentenceGleu


def test_sentence_scores_are_not_smoothed() -> None:
    """The last two tokens are wrong: no four tokens of the output are those of the reference."""
    given = sentence("a b c d", "a b c e")
    assert score_one(SentenceGleu(), given, "a b x y").value == 0.0
    assert score_one(Gleu(), given, "a b c e").value == score_one(SentenceGleu(), given, "a b c e").value == 1.0


def test_references_count_as_often_as_they_are_drawn() -> None:
    given = sentence("a b c d", "a b c e", "a b c d e f")
    options = SentenceGleu.Options(draw="python3", iterations=7)
    assert score_one(SentenceGleu(options), given, "a b c e").value == pytest.approx(
        score_one(Gleu(options), given, "a b c e").value
    )


def test_what_the_source_lacks_counts_twice() -> None:
    """Of a x c d e: 5, 4, 3, 2 n-grams, all in the reference; 1, 2, 3, 2 of them not in the source."""
    given = sentence("a b c d e", "a x c d e")
    assert score_one(FirstGleu(), given, "a x c d e").value == pytest.approx(1.0)
    # Unchanged: 4 of 5 words, 2 of 4 pairs, 1 of 3 triples, no four in a row.
    assert score_one(FirstGleu(), given, "a b c d e").value == 0.0


def test_short_outputs_are_penalised_against_the_closest_reference() -> None:
    given = sentence("a b c d e f", "a b c d e f", "a b c d e f g h")
    assert score_one(FirstGleu(), given, "a b c d").value == pytest.approx(_expected())


def _expected() -> float:
    """New in the references: g h, f g and g h, and so on: 2 n-grams of each order. Length 4 against 6."""
    precision = math.prod([4 / 6, 3 / 5, 2 / 4, 1 / 3]) ** 0.25
    return precision * math.exp(1 - 6 / 4)


def test_they_are_not_on_offer() -> None:
    assert not {SentenceGleu.id, FirstGleu.id} & set(registry())
