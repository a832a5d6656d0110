# mypy: disable-error-code="comparison-overlap"
"""Counts by error type: by hand, and the official ones."""

from typing import Any

import pytest
from conftest import golden, needs_conll14
from errant_cases import needs_errant, needs_older

from gec_core.meta.error_types import TypeCounts, edits_behind, errors_by_type, gold_types, outcomes
from gec_core.metrics import create
from gec_core.scoring import score, stored_rows
from gec_core.store import Store
from gec_core.types import Annotation, Corpus, Edit, Sentence

SOURCE = "Two dog bark at cat ."


def corpus(*gold: tuple[Edit, ...], output: str) -> Corpus:
    annotations = tuple(Annotation(number, edits) for number, edits in enumerate(gold))
    return Corpus("made", (Sentence(SOURCE, ("Two dogs bark at the cat .",), annotations),), {"A": (output,)})


def found(given: Corpus, level: Any = "type", **options: Any) -> dict[str, TypeCounts]:
    return errors_by_type(given, create("errant", options), level)["A"]  # type: ignore[arg-type]


def test_rates() -> None:
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
def test_types_read_off_the_references(level: str, expected: dict[str, tuple[int, int, int]]) -> None:
    given = corpus((), output="Two dogs bark at a cat .")
    assert found(given, level, references="auto") == {name: TypeCounts(*counts) for name, counts in expected.items()}


@needs_errant
def test_gold_edits_keep_the_types_of_their_annotator() -> None:
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


@needs_errant
@pytest.mark.parametrize("references", ["auto", "gold"])
def test_what_became_of_every_error(references: str) -> None:
    """`dogs` is right, `a cat` is not what the annotator wrote, and `the cat` was missed."""
    gold = (Edit(1, 2, "dogs", "R:NOUN:NUM"), Edit(4, 4, "the", "M:DET"))
    given, metric = corpus(gold, output="Two dogs bark at a cat ."), create("errant", {"references": references})
    own = outcomes(given, metric)["A"]  # type: ignore[arg-type]
    edits = edits_behind(given, metric, "A", own)  # type: ignore[arg-type]
    assert {(each.verdict, edit.start, edit.end, edit.correction) for each, edit in zip(own, edits, strict=True)} == {
        ("correct", 1, 2, "dogs"),
        ("wrong", 4, 4, "a"),
        ("missed", 4, 4, "the"),
    }


@needs_errant
def test_types_of_the_gold_edits_of_all_annotators() -> None:
    given = corpus((Edit(3, 4, "to", "R:PREP"),), (Edit(1, 2, "dogs", "Nn"),), output=SOURCE)
    (rows,) = stored_rows(given, create("errant")).values()
    assert gold_types(rows) == [{"R:PREP"}]
    assert gold_types(rows, "operation") == [{"R"}]
    (rows,) = stored_rows(given, create("errant", {"references": "auto"})).values()
    assert gold_types(rows, "group") == [{"NOUN:NUM", "DET"}]


@needs_conll14
@needs_older
def test_the_counts_are_the_official_ones(conll14: Corpus) -> None:
    store, metric = Store(), create("errant", {"references": "auto"})
    by_type = errors_by_type(conll14, metric, store=store)  # type: ignore[arg-type]
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
        for system, types in errors_by_type(conll14, metric, level, store=store).items():  # type: ignore[arg-type]
            details = totals[system].score.details
            for name in ("tp", "fp", "fn"):
                assert sum(getattr(counts, name) for counts in types.values()) == details[name]
