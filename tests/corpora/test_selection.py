"""Parts of a corpus: judged sentences, listed ones, ranges."""

from pathlib import Path

import pytest

from gec_core.corpora.selection import select
from gec_core.errors import CorpusError, MissingInput
from gec_core.types import Corpus, Judgment, Judgments, Ranked, Sentence

RANKED = (Ranked(("A",), 1), Ranked(("B",), 2))
CORPUS = Corpus(
    "five",
    tuple(Sentence(f"s{number}") for number in range(5)),
    {name: tuple(f"{name}{number}" for number in range(5)) for name in "AB"},
    Judgments((Judgment(3, "judge", RANKED), Judgment(1, "judge", RANKED), Judgment(3, "other", RANKED))),
)


@pytest.mark.parametrize(
    ("what", "lines"),
    [("2", [1]), ("1-2,4", [0, 1, 3]), ("4-", [3, 4]), ("-2", [0, 1]), ("5, 1", [0, 4]), ("judged", [1, 3])],
)
def test_sentences_are_counted_from_1_and_keep_their_order(what: str, lines: list[int]) -> None:
    part = select(CORPUS, what)
    assert [each.source for each in part.sentences] == [f"s{line}" for line in lines]
    assert part.systems["B"] == tuple(f"B{line}" for line in lines)
    assert part.lines == tuple(lines)


def test_judgments_follow_their_sentences() -> None:
    part = select(CORPUS, "3-5")
    assert part.judgments == Judgments((Judgment(1, "judge", RANKED), Judgment(1, "other", RANKED)))
    assert select(part, "judged").lines == (3,)
    assert part.fingerprint != CORPUS.fingerprint


def test_numbers_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("5\n\n2\n")
    assert select(CORPUS, str(tmp_path / "ids.txt")).lines == (1, 4)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("0", "the corpus has 5 sentences, counted from 1"),
        ("4-6", "the corpus has 5 sentences"),
        ("3-2", "the corpus has 5 sentences"),
        ("nowhere.txt", "there is no such file, and it is no list of ranges"),
        ("", "no list of ranges"),
    ],
)
def test_what_is_no_selection_is_said(what: str, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        select(CORPUS, what)


def test_a_wrong_number_in_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("5\n9\n")
    with pytest.raises(CorpusError, match=r"ids\.txt:2: found '9'; expected the number of a sentence from 1 to 5"):
        select(CORPUS, str(tmp_path / "ids.txt"))


def test_a_corpus_without_judgments_has_no_judged_sentences() -> None:
    with pytest.raises(MissingInput, match="no human judgments"):
        select(Corpus("one", (Sentence("a"),)), "judged")
