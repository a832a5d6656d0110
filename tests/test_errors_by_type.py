"""Counts by error type: by hand, and the official ones."""

import pytest
from conftest import golden, needs_conll14
from errant_cases import needs_embedded, needs_errant

from gec_core.errors_by_type import TypeCounts, errors_by_type
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.store import Store
from gec_core.types import Annotation, Corpus, Edit, Sentence

SOURCE = "Two dog bark at cat ."


def corpus(*gold, output):
    annotations = tuple(Annotation(number, edits) for number, edits in enumerate(gold))
    return Corpus("made", (Sentence(SOURCE, ("Two dogs bark at the cat .",), annotations),), {"A": (output,)})


def found(given, level="type", **options):
    return errors_by_type(given, create("errant", options), level)["A"]


def test_rates():
    counts = TypeCounts(1, 1, 0)
    assert (counts.p, counts.r, counts.f(0.5)) == (0.5, 1.0, pytest.approx(1.25 * 0.5 / (0.25 * 0.5 + 1)))
    assert (TypeCounts(0, 0, 3).p, TypeCounts(0, 0, 3).r, TypeCounts(0, 0, 3).f(0.5)) == (1.0, 0.0, 0.0)


@needs_errant
@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("type", {"M:DET": (0, 1, 1), "R:NOUN:NUM": (1, 0, 0)}),
        ("group", {"DET": (0, 1, 1), "NOUN:NUM": (1, 0, 0)}),
        ("operation", {"M": (0, 1, 1), "R": (1, 0, 0)}),
    ],
)
def test_types_read_off_the_references(level, expected):
    given = corpus((), output="Two dogs bark at a cat .")
    assert found(given, level, references="auto") == {name: TypeCounts(*counts) for name, counts in expected.items()}


@needs_errant
def test_gold_edits_keep_the_types_of_their_annotator():
    """Overdone edits have none but ERRANT's. The second annotator is chosen: the first found nothing right."""
    first = (Edit(3, 4, "to", "Prep"),)
    second = (Edit(1, 2, "dogs", "Nn"), Edit(4, 4, "the", "ArtOrDet"), Edit(4, 5, "cat", "UNK"))
    given = corpus(first, second, output="Two dogs bark at a cat .")
    assert found(given) == {
        "ArtOrDet": TypeCounts(0, 0, 1),
        "M:DET": TypeCounts(0, 1, 0),
        "Nn": TypeCounts(1, 0, 0),
    }
    assert found(given, mode="detection")["UNK"] == TypeCounts(0, 0, 1)


@needs_conll14
@needs_embedded
def test_the_counts_are_the_official_ones(conll14):
    store, metric = Store(), create("errant", {"references": "auto"})
    by_type = errors_by_type(conll14, metric, store=store)
    assert [
        {"system": system, "cat": name, "tp": counts.tp, "fp": counts.fp, "fn": counts.fn}
        for system, types in by_type.items()
        for name, counts in types.items()
    ] == [
        {name: value if name in ("system", "cat") else int(value) for name, value in row.items()}
        for row in golden("errant_b_auto_types.tsv")
    ]
    totals = score(conll14, [metric], store=store)["errant"].systems
    for level in ("group", "operation"):
        for system, types in errors_by_type(conll14, metric, level, store=store).items():
            details = totals[system].score.details
            for name in ("tp", "fp", "fn"):
                assert sum(getattr(counts, name) for counts in types.values()) == details[name]
