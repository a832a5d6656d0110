"""The XML of I-measure, starting from Listing 1 of Felice and Briscoe (2015)."""

from pathlib import Path

import pytest
from corpus_files import text_file

from gec_core.corpora import imeasure_xml
from gec_core.corpora.assemble import references_from_gold
from gec_core.errors import CorpusError
from gec_core.types import Annotation, Edit, ErrorGroup, Sentence

LISTING_1 = """<sentence id="1" numann="2">
<text>
This machines is designed for help
people .
</text>
<error-list>
<error id="1" req="yes" type="SVA">
<alt ann="0">
<c start="0" end="1">These</c>
<c start="2" end="3">are</c>
</alt>
<alt ann="1">
<c start="1" end="2">machine</c>
</alt>
</error>
<error id="2" req="yes" type="Vform">
<alt ann="0">
<c start="5" end="6">helping</c>
</alt>
<alt ann="1">
<c start="4" end="5">to</c>
</alt>
</error>
</error-list>
</sentence>"""


def read(folder: Path, content: str) -> list[Sentence]:
    return imeasure_xml.read(text_file(folder, content, "gold.xml"))


def one(folder: Path, errors: str, numann: str = 'numann="2"') -> Sentence:
    [sentence] = read(
        folder, f"<x><sentence {numann}><text>a b c</text><error-list>{errors}</error-list></sentence></x>"
    )
    return sentence


@pytest.mark.parametrize(
    "wrapped", ["{}", "<scripts><script>{}</script></scripts>", "<?xml version='1.0'?><any>{}</any>"]
)
def test_listing_1(tmp_path: Path, wrapped: str) -> None:
    [sentence] = read(tmp_path, wrapped.format(LISTING_1))
    these, are = Edit(0, 1, "These", "SVA"), Edit(2, 3, "are", "SVA")
    machine = Edit(1, 2, "machine", "SVA")
    helping, to = Edit(5, 6, "helping", "Vform"), Edit(4, 5, "to", "Vform")
    assert sentence.source == "This machines is designed for help people ."
    assert sentence.errors == (
        ErrorGroup((Annotation(0, (these, are)), Annotation(1, (machine,))), required=True, type="SVA"),
        ErrorGroup((Annotation(0, (helping,)), Annotation(1, (to,))), required=True, type="Vform"),
    )
    assert sentence.annotations == (Annotation(0, (these, are, helping)), Annotation(1, (machine, to)))
    assert references_from_gold([sentence]) == [
        ("These machines are designed for helping people .", "This machine is designed to help people .")
    ]


def test_edits_of_an_annotator_are_sorted_by_position(tmp_path: Path) -> None:
    errors = "".join(
        f'<error req="no"><alt ann="0"><c start="{at}" end="{at + 1}">x</c></alt></error>' for at in (2, 0)
    )
    assert [edit.start for edit in one(tmp_path, errors).annotations[0].edits] == [0, 2]


def test_an_annotators_second_alternative_excludes_the_first(tmp_path: Path) -> None:
    alternatives = "".join(f'<alt ann="0"><c start="0" end="1">{word}</c></alt>' for word in "xy")
    sentence = one(tmp_path, f'<error req="yes">{alternatives}</error>')
    assert sentence.annotations[0].edits == (Edit(0, 1, "x"),)
    assert sentence.errors is not None
    assert len(sentence.errors[0].alternatives) == 2


@pytest.mark.parametrize(
    ("numann", "annotators"), [('numann="3"', [0, 1, 2]), ('numann="1"', [1]), ("", [1]), ('numann="2"', [0, 1])]
)
def test_annotators_who_correct_nothing_are_there(tmp_path: Path, numann: str, annotators: list[int]) -> None:
    sentence = one(tmp_path, '<error req="no"><alt ann="1"><c start="0" end="0">x</c></alt></error>', numann)
    assert [annotation.annotator for annotation in sentence.annotations] == annotators
    assert [annotation.annotator for annotation in sentence.annotations if annotation.edits] == [1]


@pytest.mark.parametrize("numann", ["", 'numann="0"'])
def test_a_sentence_without_errors_has_one_silent_annotator(tmp_path: Path, numann: str) -> None:
    assert one(tmp_path, "", numann).annotations == (Annotation(0),)


def test_deletion(tmp_path: Path) -> None:
    sentence = one(tmp_path, '<error req="yes"><alt ann="0"><c start="0" end="1"></c></alt></error>')
    assert sentence.annotations[0].edits == (Edit(0, 1, ""),)


@pytest.mark.parametrize(
    ("errors", "message"),
    [
        ('<error><alt ann="0"/></error>', "gold.xml:2: <error> lacks the attribute 'req'."),
        ('<error req="maybe"/>', "gold.xml:2: <error> has req='maybe'; expected 'yes' or 'no'."),
        ('<error req="no"><alt/></error>', "gold.xml:2: <alt> lacks the attribute 'ann'."),
        ('<error req="no"><alt ann="one"/></error>', "gold.xml:2: <alt> has ann='one'; expected a whole number from 0"),
        (
            '<error req="no"><alt ann="0">\n<c start="2" end="4">x</c></alt></error>',
            "gold.xml:3: the correction 2 4 is outside the sentence, which has 3 tokens.",
        ),
        ('<error req="no"><alt ann="0"><c start="2" end="1"/></alt></error>', "gold.xml:2: the correction 2 1 is out"),
        ('<error req="no"><alt ann="0"><c start="-1" end="1"/></alt></error>', "gold.xml:2: <c> has start='-1'"),
        (
            '<error req="no"><alt ann="0"/><alt ann="1"/><alt ann="2"/></error>',
            "gold.xml:1: numann says 2, but 3 annotators have corrections.",
        ),
        ("<error>", "gold.xml:2: not well-formed XML (mismatched tag)."),
    ],
)
def test_mistakes_are_named_with_their_line(tmp_path: Path, errors: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        one(tmp_path, f"\n{errors}")
    assert str(caught.value).startswith(message)


def test_sentence_without_text(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"^gold\.xml:1: a <sentence> without a <text>"):
        read(tmp_path, "<sentence/>")


BOMB = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><x><sentence><text>&b;</text></sentence></x>'
THIEF = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x><sentence><text>&a;</text></sentence></x>'
OUTSIDE = '<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd"><x/>'


@pytest.mark.parametrize("content", [BOMB, THIEF, OUTSIDE])
def test_entities_and_document_types_are_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(CorpusError, match=r"^gold\.xml: XML with a document type or entities is refused"):
        read(tmp_path, content)


def test_reading_what_was_written(tmp_path: Path) -> None:
    sentences = read(tmp_path, f"<x>{LISTING_1}<sentence numann='2'><text>R&amp;D &lt; 3</text></sentence></x>")
    assert read(tmp_path, imeasure_xml.write(sentences)) == sentences
