"""Lines of text, however they were saved."""

import gzip
from pathlib import Path

import pytest
from corpus_files import text_file
from hypothesis import given
from hypothesis import strategies as st

from gec_core.corpora import text
from gec_core.corpora.text import TextFile, normalise, quote
from gec_core.errors import CorpusError


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("a b\nc\n", ["a b", "c"]),
        ("a b\nc", ["a b", "c"]),  # no line end at the end
        ("a b\r\nc\r\n", ["a b", "c"]),
        ("\ufeffa b\nc\n", ["a b", "c"]),  # byte order mark
        ("a  b \n\tc\n", ["a b", "c"]),
        ("a\rb\nc\n", ["a b", "c"]),  # a stray carriage return does not end a line
        ("a\u2028b\x85c\nd\n", ["a b c", "d"]),  # nor do Unicode's line ends
        ("\n\n", ["", ""]),  # empty outputs
        ("a\n\n", ["a", ""]),
        ("", []),
        ("é ☃\n", ["é ☃"]),
    ],
)
def test_lines(tmp_path: Path, content: str, lines: list[str]) -> None:
    assert text_file(tmp_path, content).lines() == lines
    packed = text_file(tmp_path, gzip.compress(content.encode()), "a.txt.gz")
    assert packed.lines() == lines


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"ok\ncaf\xe9 .\n", "a.txt:2: not UTF-8: byte 0xE9, the 4th of the line. Save the file as UTF-8"),
        (b"\xef\xbb\xbf\xe9\n", "a.txt:1: not UTF-8: byte 0xE9, the 1st of the line."),
        ("one\ntwo\n".encode("utf-16"), "a.txt:1: this is UTF-16 text. Save the file as UTF-8."),
        (b"one\ntwo\n\x00\n", "a.txt:3: found a NUL byte: this is not a text file."),
    ],
)
def test_what_is_not_utf8_text_is_refused_with_its_place(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        text_file(tmp_path, content).lines()
    assert str(caught.value).startswith(message)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"nowhere\.txt: there is no such file\."):
        TextFile.at(tmp_path / "nowhere.txt").lines()
    with pytest.raises(CorpusError, match=r"cannot be read \(Is a directory\)"):
        TextFile.at(tmp_path).lines()


@pytest.mark.parametrize(
    "content", [b"plain text", gzip.compress(b"some text" * 99)[:-12], b""], ids=["plain", "cut short", "empty"]
)
def test_broken_gzip(tmp_path: Path, content: bytes) -> None:
    file = text_file(tmp_path, content, "a.txt.gz")
    if content:
        with pytest.raises(CorpusError, match=r"^a\.txt\.gz: not a complete gzip file"):
            file.lines()
    else:
        assert file.lines() == []  # gzip's own idea of nothing


def test_gzip_bomb_is_stopped_while_unpacking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "RATIO_COUNTS_FROM", 1_000_000)
    bomb = text_file(tmp_path, gzip.compress(b"\n" * 5_000_000), "a.txt.gz")
    with pytest.raises(CorpusError, match=r"^a\.txt\.gz: unpacks to more than 200 times its size"):
        bomb.lines()


def test_budget_has_a_ceiling_whatever_the_ratio() -> None:
    budget = text.Budget("x.zip", packed=100, most=10)
    budget.spend(10)
    with pytest.raises(CorpusError, match=r"^x\.zip: unpacks to more than"):
        budget.spend(1)


def test_quote_shortens() -> None:
    assert quote("ab") == "'ab'"
    assert quote("abcdef", longest=4) == "'abc…'"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\n\ufeff"))))
def test_writing_lines_and_reading_them_gives_their_tokens(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    file = text_file(tmp_path_factory.mktemp("lines"), "".join(f"{line}\n" for line in lines))
    assert [line.split() for line in file.lines()] == [line.split() for line in lines]
    assert all(normalise(line) == line for line in file.lines())
