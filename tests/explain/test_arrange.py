"""The grid of a sentence: columns, classes, credits and weights, without a browser."""

import pytest
from conftest import sentence

from gec_core.align.edits import diff_edits
from gec_core.explain.arrange import ExplainedMetric, sentence_grid
from gec_core.explain.credit import explain_output
from gec_core.explain.grid import SentenceGrid
from gec_core.metrics import create
from gec_core.metrics.imeasure import IMeasure
from gec_core.types import Sentence

SOURCE = "It is also entire incorrect to fault them for the lack of skill ."
REFERENCE = "It is also entirely incorrect to fault them for the lack of skills ."
FIRST = "It is also entirely incorrect to fault them for lack of skills ."
SECOND = "It is indeed also entire incorrect to fault them for the lack of skills ."


def grid_of(given: Sentence, outputs: list[tuple[str, str]], ids: tuple[str, ...] = ("m2",)) -> SentenceGrid:
    metrics = [
        ExplainedMetric(metric.name, tuple(explain_output(metric, given, text) for _, text in outputs))
        for metric in map(create, ids)
    ]
    alignments = [IMeasure().alignment(given, text) for _, text in outputs]
    return sentence_grid(given, outputs, metrics, alignments, edits_of=diff_edits)


@pytest.fixture(scope="module")
def grid() -> SentenceGrid:
    return grid_of(sentence(SOURCE, REFERENCE), [("A", FIRST), ("B", SECOND)])


def words(grid: SentenceGrid, start: int, end: int) -> list[str | None]:
    return [grid.columns[at].token for at in range(start, end)]


def test_columns_are_source_tokens_and_places_of_insertions(grid: SentenceGrid) -> None:
    assert [column.token for column in grid.columns if column.token] == SOURCE.split()
    (gap,) = [column for column in grid.columns if column.token is None]
    assert gap.at == 2


def test_columns_without_a_change_are_quiet(grid: SentenceGrid) -> None:
    busy = [column.token for column in grid.columns if not column.quiet]
    assert busy == [None, "entire", "the", "skill"]
    assert [end - start for start, end, quiet in grid.runs() if quiet] == [2, 1, 5, 2, 1]


def test_credits_stand_under_the_columns_of_their_edits(grid: SentenceGrid) -> None:
    for block, text in zip(grid.outputs, (FIRST, SECOND), strict=True):
        (row,) = block.metrics
        found = explain_output(create("m2"), sentence(SOURCE, REFERENCE), text).credits
        assert row.score == found.score
        shown = [
            (cell.start, cell.end, entry.value)
            for cell in row.credits
            for entry in cell.entries
            if entry.kind == "credit"
        ]
        assert [value for *_, value in shown] == [edit.value for edit in found.edits]
        for (start, end, _), edit in zip(shown, found.edits, strict=True):
            assert " ".join(filter(None, words(grid, start, end))) == edit.original
            assert [cell.after for cell in block.text.cells if (cell.start, cell.end) == (start, end)] == [
                edit.correction
            ]


def test_classes_of_the_three_way_alignment(grid: SentenceGrid) -> None:
    first, second = (
        {" ".join(filter(None, words(grid, cell.start, cell.end))): cell.classes for cell in block.classes}
        for block in grid.outputs
    )
    assert [first[word] for word in ("entire", "the", "skill", "also")] == [("TP",), ("FP",), ("TP",), ("TN",)]
    assert [second[word] for word in ("entire", "the", "skill", "")] == [("FN",), ("TN",), ("TP",), ("FP",)]
    assert grid.outputs[0].reference == "reference 1"


def test_a_missed_edit_has_a_cell_of_its_own(grid: SentenceGrid) -> None:
    (row,) = grid.outputs[1].metrics
    missed = [cell for cell in row.credits if cell.entries[0].kind == "missed"]
    assert [words(grid, cell.start, cell.end) for cell in missed] == [["entire"]]
    credits = [entry.value for cell in row.credits for entry in cell.entries if entry.kind == "credit"]
    assert row.largest == max(map(abs, credits))


def test_the_reference_says_who_chose_it(grid: SentenceGrid) -> None:
    (row,) = grid.references
    assert (row.name, row.chosen_by) == ("reference 1", ("M²",))
    assert grid.outputs[0].metrics[0].reference == "reference 1"


def test_two_outputs_share_a_site_where_their_edits_overlap() -> None:
    grid = grid_of(sentence("a b c d", "a x c d"), [("A", "a x c d"), ("B", "a y z d")])
    assert [words(grid, *site) for site in grid.sites()] == [["b", "c"]]
    assert grid.outputs[1].classes[1].classes in (("FPN", "FP"), ("FP", "FPN"))


@pytest.mark.parametrize(("text", "gap"), [("a b c d", 3), ("z a b c", 0)])
def test_insertions_at_either_end_have_a_column(text: str, gap: int) -> None:
    grid = grid_of(sentence("a b c", text), [("A", text)])
    assert [column.at for column in grid.columns if column.token is None] == [gap]
    assert grid.outputs[0].metrics[0].credits[0].entries[0].value > 0


def test_an_unchanged_output_has_no_credits() -> None:
    grid = grid_of(sentence("a b c", "a b c"), [("A", "a b c")])
    assert grid.outputs[0].metrics[0].credits == ()
    assert all(column.quiet for column in grid.columns)


def test_arabic_runs_from_right_to_left() -> None:
    assert grid_of(sentence("هذا كتاب جديد", "هذا كتاب قديم"), [("A", "هذا كتاب قديم")]).right_to_left


def test_numbers_that_are_not_known_yet_leave_the_row_empty() -> None:
    given = sentence("a b c", "a x c")
    grid = sentence_grid(given, [("A", "a x c")], [ExplainedMetric("slow", (None,))], edits_of=diff_edits)
    (row,) = grid.outputs[0].metrics
    assert (row.score, row.credits) == (None, ())


def test_the_edit_that_decides_is_one_that_only_one_output_has(grid: SentenceGrid) -> None:
    # Both outputs have skill → skills, whose credits differ as well; A also corrects `entire`, B does not.
    (cell,) = grid.deciding
    assert words(grid, cell.start, cell.end) == ["entire"]
    assert cell.prefers == (("A", ("M²",)),)


def test_a_crowded_grid_folds_what_no_output_changes() -> None:
    given = sentence(SOURCE, REFERENCE.replace("fault them", "blame these"))
    grid = grid_of(given, [("A", FIRST), ("B", SECOND)])
    shown = [words(grid, start, end) for start, end, fold in grid.runs() if not fold]
    by_outputs = [words(grid, start, end) for start, end, fold in grid.runs("outputs") if not fold]
    assert [each for each in shown if each not in by_outputs] == [["fault", "them"]]
    differences = [words(grid, start, end) for start, end, fold in grid.runs("differences") if not fold]
    assert [each for each in by_outputs if each not in differences] == [["skill"]]  # which both make plural
    alone = grid_of(given, [("A", FIRST)])
    assert list(alone.runs("differences")) == list(alone.runs("outputs"))


def test_one_output_has_nothing_to_decide() -> None:
    assert grid_of(sentence(SOURCE, REFERENCE), [("A", FIRST)]).deciding == ()
