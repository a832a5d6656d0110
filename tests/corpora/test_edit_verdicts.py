"""Verdicts on single edits, as SEEDA's files have them and as a table."""

from pathlib import Path

import pytest
from judged import DATA, needs_judged

from gec_core import corpora
from gec_core.corpora import edit_verdicts
from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError
from gec_core.types import Edit

SOURCES = ["He go to school every day ."]


def read(tmp_path: Path, *lines: str, outputs: str = "He goes to a school every day .") -> edit_verdicts.Verdicts:
    path = tmp_path / "1.txt"
    body = "".join(f"<s{n}>{line}</s{n}>\n" for n, line in enumerate(lines, 1))
    path.write_text(
        f"<Source with context>\n<t>He [go] to school every day .</t>\n\n<Correction>\n{body}", encoding="utf-8"
    )
    return edit_verdicts.read([("annotator1", TextFile(path, "1.txt"))], SOURCES, {"A": [outputs]})


def test_edits_with_their_verdicts(tmp_path: Path) -> None:
    found = read(tmp_path, "He [go→goes|True] to [→a|False] school  every day .")
    assert [(one.edit, one.accepted) for one in found.items] == [
        (Edit(1, 2, "goes"), True),
        (Edit(3, 3, "a"), False),
    ]
    assert {one.systems for one in found.items} == {("A",)}
    assert (found.outputs, found.unknown, found.unread) == (1, 0, ())


@pytest.mark.parametrize(
    ("line", "correction"),
    [
        ("He [go→goe|Trues] to school every day .", "goes"),
        ("He [go→goes]|True to school every day .", "goes"),
        ("He [go→goes] |True to school every day .", "goes"),
        ("He [go→|True;] to school every day .", ";"),
        ("He [go|True→] to school every day .", ""),
        ("He [go→goes|True  to school every day .", "goes"),
    ],
)
def test_slips_that_can_be_read(tmp_path: Path, line: str, correction: str) -> None:
    (one,) = read(tmp_path, line).items
    assert (one.edit, one.accepted) == (Edit(1, 2, correction), True)


def test_slips_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    found = read(tmp_path, "He [go→goes] to school every day .", "They [go→went|True] to school every day .")
    assert not found.items
    assert [(one.place, one.what[:40]) for one in found.unread] == [
        ("1.txt:5", "no verdict in '[go→goes]'"),
        ("1.txt", "an output whose unchanged words are not "),
    ]


def test_files_of_another_corpus_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"1\.txt: the source 'She go \.' is not a sentence of the corpus"):
        read(tmp_path, "She go .")
    with pytest.raises(CorpusError, match=r"1\.txt: found no source between <t> and </t>"):
        read(tmp_path)


def test_a_table_of_verdicts(tmp_path: Path) -> None:
    found = read(tmp_path, "He [go→goes|True] to [→a|False] school every day .").items
    path = tmp_path / "v.tsv"
    path.write_text(edit_verdicts.write_table(found), encoding="utf-8")
    assert edit_verdicts.read_table(TextFile.at(path), ["He go to school every day ."], {"A": []}) == found
    path.write_text(path.read_text(encoding="utf-8").replace("True", "yes"), encoding="utf-8")
    with pytest.raises(CorpusError, match=r"v\.tsv:2: found '0 annotator1 A 1 2 goes yes'"):
        edit_verdicts.read_table(TextFile.at(path), ["He go to school every day ."], {"A": []})


@needs_judged
def test_seedas_verdicts() -> None:
    systems = {
        path.stem: TextFile.at(path).lines() for path in sorted((DATA / "seeda" / "outputs" / "all").glob("*.txt"))
    }
    folder = DATA / "seeda" / "data" / "EditEval_Step1"
    files = [(path.parent.name, TextFile.at(path)) for path in sorted(folder.glob("*/*.txt"))]
    sources = [sentence.source for sentence in corpora.load(DATA / "conll14").sentences]
    found = edit_verdicts.read(files, sources, systems)
    assert (found.outputs, found.unknown, len(found.items)) == (2512, 0, 6469)
    assert sum(one.accepted for one in found.items) == 5869
    assert len(found.unread) == 19  # 18 edits without one verdict, and an output that does not fit its source
