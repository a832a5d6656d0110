"""What became of an edit, by the references."""

from pathlib import Path
from typing import Literal

import pytest
from conftest import sentence

from gec_core import corpora
from gec_core.align import errant_edits, errant_pipeline
from gec_core.explain.credit import output_edits, unread_edits
from gec_core.meta.edit_fates import matched, pair_edits, read_edits
from gec_core.meta.gap_credits import SystemOutput
from gec_core.store import Store
from gec_core.types import Annotation, Array, Corpus, Edit, Sentence


def fates(
    given: Sentence, *outputs: str
) -> list[
    tuple[
        str,
        str | None,
        Literal["reference"] | Literal["missed"] | Literal["error"] | Literal["elsewhere"] | Literal["unknown"],
    ]
]:
    corpus = Corpus("one", (given,), {f"S{number}": (output,) for number, output in enumerate(outputs)})
    names = list(corpus.systems)
    return [
        (made.place.system, made.edit.correction, made.fate)
        for made in pair_edits(corpus, *names, read_edits(corpus, names)).made  # type: ignore[arg-type, call-arg]
    ]


GIVEN = sentence("he go to school yesterday and eat", "he went to school yesterday and ate")


def test_right_edits_are_missed_by_who_does_not_make_them() -> None:
    assert fates(GIVEN, "he went to school yesterday and ate", "he went to school yesterday and eat") == [
        ("S0", "went", "reference"),
        ("S0", "ate", "missed"),
        ("S1", "went", "reference"),
    ]


def test_wrong_edits_are_at_an_error_or_elsewhere() -> None:
    assert fates(GIVEN, "he goes to school yesterday and eat", "he go to the school yesterday and eat") == [
        ("S0", "goes", "error"),
        ("S1", "the", "elsewhere"),
    ]


def test_an_edit_that_a_reference_makes_as_part_of_a_larger_one_is_in_it() -> None:
    given = sentence("it are big", "it is very big")
    assert [fate for _, _, fate in fates(given, "it is big", "it are very big")] == ["missed", "missed"]


def test_alternatives_of_an_annotator_are_in_a_reference() -> None:
    gold = (Annotation(0, (Edit(1, 2, "c", "R", ("d",)),)),)
    given = Sentence("a b", ("a c",), gold)
    assert [fate for _, _, fate in fates(given, "a c", "a d")] == ["missed", "missed"]


def test_an_insertion_beside_a_change_is_at_the_error() -> None:
    given = sentence("a b c", "a x c")
    (_, _, fate), _ = fates(given, "a b y c", "z b c")
    assert fate == "error"


@pytest.mark.parametrize("output", ["", "x y z", "he go to school yesterday and eat and eat and eat"])
def test_edits_lead_to_the_output(output: str) -> None:
    corpus = Corpus("one", (GIVEN,), {"S": (output,)})
    edits = read_edits(corpus, ["S"])
    assert set(edits) == {SystemOutput("S", 0)}
    assert len(matched(corpus, edits)[SystemOutput("S", 0)]) == len(edits[SystemOutput("S", 0)])


@pytest.mark.skipif(errant_pipeline.find() is None, reason="no spaCy pipeline is installed")
def test_shipped_edits_are_those_that_errant_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo = corpora.load("demo")
    chosen = demo.sentences[3]
    texts = [demo.systems["EAGER"][3], *chosen.references]
    expected = [output_edits(chosen.source, text) for text in texts]

    def nobody(*given: object) -> list[Array]:
        raise AssertionError("parsed what comes with the project")

    monkeypatch.setattr(errant_edits, "_annotate", nobody)
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "file"):  # the second store cannot keep anything
        store = Store(place / "scores.sqlite")
        assert unread_edits(demo, store) == 0
        assert [output_edits(chosen.source, text, store) for text in texts] == expected
    assert any(expected)
