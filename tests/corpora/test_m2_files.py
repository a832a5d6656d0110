"""M2 files: what they say, what is wrong with them, and writing them."""

from pathlib import Path

import pytest
from conftest import CONLL14, needs_conll14
from corpus_files import M2, text_file
from hypothesis import given
from hypothesis import strategies as st

from gec_core.corpora import m2
from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError, CorpusWarning
from gec_core.types import Annotation, Edit, Sentence


def read(folder: Path, content: str) -> list[Sentence]:
    return m2.read(text_file(folder, content, "gold.m2"))


def test_small_file(tmp_path: Path) -> None:
    assert read(tmp_path, M2) == [
        Sentence(
            "This machines is old .",
            annotations=(
                Annotation(0, (Edit(1, 2, "machine", "Nn"),)),
                Annotation(1, (Edit(0, 1, "These", "SVA"), Edit(2, 3, "are", "SVA"))),
            ),
        ),
        Sentence("Fine .", annotations=(Annotation(0),)),
    ]


@pytest.mark.parametrize(
    ("line", "annotator", "edits"),
    [
        ("A 0 1|||T||||||REQUIRED|||-NONE-|||0", 0, (Edit(0, 1, "", "T"),)),
        ("A 0 1|||T|||-NONE-|||REQUIRED|||-NONE-|||0", 0, (Edit(0, 1, "", "T"),)),
        ("A 1 1|||T|||x y|||REQUIRED|||-NONE-|||7", 7, (Edit(1, 1, "x y", "T"),)),
        ("A 0 3|||T|||x|||REQUIRED|||-NONE-|||0", 0, (Edit(0, 3, "x", "T"),)),
        ("A 0 1|||T|||x||y z|||REQUIRED|||-NONE-|||0", 0, (Edit(0, 1, "x", "T", ("y z",)),)),
        ("A 0 1|||T|||x||-NONE-|||REQUIRED|||-NONE-|||0", 0, (Edit(0, 1, "x", "T", ("",)),)),
        ("A 0 1|||T|||x|||||REQUIRED|||-NONE-|||0", 0, (Edit(0, 1, "x", "T", ("",)),)),
        ("A 0 1|||T|||||x|||REQUIRED|||-NONE-|||0", 0, (Edit(0, 1, "", "T", ("x",)),)),
        ("A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2", 2, ()),
        ("A 0 0|||noop|||-NONE-|||REQUIRED|||-NONE-|||2", 2, ()),
        ("A -1 -1|||UNK|||-NONE-|||REQUIRED|||-NONE-|||2", 2, ()),
        ("A 0  1|||T||| x  y |||REQUIRED|||-NONE-|||0\r", 0, (Edit(0, 1, "x y", "T"),)),
    ],
)
def test_one_annotation(tmp_path: Path, line: str, annotator: int, edits: tuple[Edit, ...]) -> None:
    [sentence] = read(tmp_path, f"S a b c\n{line}\n")
    assert sentence.annotations == (Annotation(annotator, edits),)


def test_annotators_stand_in_the_order_of_their_first_appearance(tmp_path: Path) -> None:
    lines = [f"A {at} {at}|||T|||x|||REQUIRED|||-NONE-|||{who}" for at, who in ((2, 1), (0, 0), (1, 1))]
    [sentence] = read(tmp_path, "\n".join(["S a b", *lines]))
    assert [(a.annotator, [e.start for e in a.edits]) for a in sentence.annotations] == [(1, [2, 1]), (0, [0])]


def test_empty_sentence_and_missing_blank_line(tmp_path: Path) -> None:
    assert [sentence.source for sentence in read(tmp_path, "S a b\nS \nS\n")] == ["a b", "", ""]
    assert read(tmp_path, "") == []


TAIL = "REQUIRED|||-NONE-|||0"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("A 0 1|||T|||x|||" + TAIL, "gold.m2:1: an A line without an S line above it."),
        ("S a\n\nA 0 1|||T|||x|||" + TAIL, "gold.m2:3: an A line without an S line above it."),
        ("S a\nI 3\n", "gold.m2:2: found 'I 3'; expected an empty line or one that starts with S or A."),
        ("Some text\n", "gold.m2:1: found 'Some text'; expected"),
        ("S a\nA 0 1|||T|||x\n", "gold.m2:2: 3 fields instead of 6. Found 'A 0 1|||T|||x'; expected 'A start end|||"),
        ("S a\nA 0 1|||T|||x|||y|||" + TAIL, "gold.m2:2: 7 fields instead of 6."),
        ("S a\nA\n", "gold.m2:2: 1 field instead of 6."),
        ("S a\nA 0|||T|||x|||" + TAIL, "gold.m2:2: start and end are not two whole numbers."),
        ("S a\nA 0 one|||T|||x|||" + TAIL, "gold.m2:2: start and end are not two whole numbers."),
        ("S a\nA 0 1|||T|||x|||REQUIRED|||-NONE-|||Ann", "gold.m2:2: the annotator is not a whole number."),
        ("S a\nA 1 0|||T|||x|||" + TAIL, "gold.m2:2: start is negative or larger than end."),
        ("S a\nA -1 0|||T|||x|||" + TAIL, "gold.m2:2: start is negative or larger than end."),
    ],
)
def test_malformed_lines_are_named(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, content)
    assert str(caught.value).startswith(message)


def test_an_edit_outside_its_sentence_is_left_out_and_named(tmp_path: Path) -> None:
    """The annotator stays, as somebody who corrects nothing else."""
    with pytest.warns(CorpusWarning) as told:
        (found,) = read(tmp_path, "S a b\nA 1 3|||T|||x|||" + TAIL)
    assert found.annotations == (Annotation(0),)
    assert [str(each.message).removeprefix(f"{tmp_path}/") for each in told] == [
        "gold.m2:2: the edit 1 3 to 'x' of annotator 0 is outside the sentence, which has 2 tokens. It is left out."
    ]


def test_many_edits_outside_their_sentences_are_one_warning(tmp_path: Path) -> None:
    with pytest.warns(CorpusWarning, match="25 edits are outside") as told:
        read(tmp_path, "".join(f"S a b\nA 1 {3 + number}|||T|||x|||{TAIL}\n" for number in range(25)))
    assert "1 3 (line 2)" in str(told[0].message)


def test_writing_the_small_file_gives_it_back_with_the_silent_annotator_spelled_out(tmp_path: Path) -> None:
    noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
    assert m2.write(read(tmp_path, M2)) == M2.replace("S Fine .\n", f"S Fine .\n{noop}")


@pytest.mark.parametrize(
    "edit",
    [
        Edit(0, 1, "-NONE-"),
        Edit(0, 1, "a || b"),
        Edit(0, 1, "a", type="noop"),
        Edit(0, 1, "a", type="x|||y"),
        Edit(0, 1, "a", type="x\ny"),
        Edit(0, 1, "a", type="x|"),
    ],
)
def test_what_m2_cannot_say_is_refused(edit: Edit) -> None:
    with pytest.raises(CorpusError, match="An M2 file cannot hold Edit"):
        m2.write([Sentence("a b", annotations=(Annotation(0, (edit,)),))])


words = st.lists(st.sampled_from(["a", "b", "S", "A", "é", ".", "1"]), max_size=5).map(" ".join)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    source = draw(words)
    length = len(source.split())
    spans = st.tuples(st.integers(0, length), st.integers(0, length)).map(sorted)
    kinds = st.sampled_from(["", "Nn", "R:VERB:SVA"])
    edits = st.builds(lambda at, *rest: Edit(*at, *rest), spans, words, kinds, st.lists(words, max_size=2).map(tuple))
    annotators = draw(st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True))
    return Sentence(
        source, annotations=tuple(Annotation(who, tuple(draw(st.lists(edits, max_size=3)))) for who in annotators)
    )


@given(st.lists(sentences(), max_size=4))
def test_reading_what_was_written(tmp_path_factory: pytest.TempPathFactory, written: list[Sentence]) -> None:
    assert read(tmp_path_factory.mktemp("m2"), m2.write(written)) == written


@needs_conll14
def test_conll14_counts() -> None:
    gold = m2.read(TextFile.at(CONLL14 / "gold.m2"))
    lines = (CONLL14 / "gold.m2").read_text().split("\n\n")
    assert len(gold) == 1312
    assert sum("\nA " not in block for block in lines if block) == 136
    assert sum([a.annotator for a in s.annotations] == [0] for s in gold) == 136 + 88
    assert sum(len(a.edits) for s in gold for a in s.annotations) == 5873 - 275  # A lines without the noops


@needs_conll14
def test_conll14_with_alternatives() -> None:
    gold = m2.read(TextFile.at(CONLL14 / "gold-with-alternatives.m2"))
    assert len(gold) == 1312
    assert {a.annotator for s in gold for a in s.annotations} == {0, 1, 2, 3, 4}
    assert sum(len(a.edits) for s in gold for a in s.annotations) == 7521 - 364
