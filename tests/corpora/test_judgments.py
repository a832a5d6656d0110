"""Rankings by people: XML, pairs in CSV, plain scores."""

import gzip
from itertools import combinations
from pathlib import Path

import pytest
from conftest import CONLL14, GOLDEN, needs_conll14
from corpus_files import text_file

from gec_core.corpora import judgments
from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError
from gec_core.types import Judgment, Judgments, Ranked

XML = """<?xml version="1.0" encoding="UTF-8"?>
<appraise-results>
<error-correction-ranking-result source-language="err" target-language="cor">
  <ranking-item doc-id="d" duration="00:01" id="0" src-id="1" user="ann">
    <translation rank="2" system="A"/>
    <translation rank="1" system="B C"/>
  </ranking-item>
  <ranking-item src-id="0" user="bob">
  </ranking-item>
</error-correction-ranking-result>
</appraise-results>
"""
EXPECTED = Judgments((Judgment(1, "ann", (Ranked(("A",), 2), Ranked(("B", "C"), 1))), Judgment(0, "bob", ())))


def test_xml_with_shared_outputs_and_an_empty_item(tmp_path: Path) -> None:
    assert judgments.read_rankings(text_file(tmp_path, XML)) == EXPECTED


def test_xml_is_written_as_it_is_read(tmp_path: Path) -> None:
    strange = Judgments((Judgment(3, 'a "judge" & <co>', (Ranked(("R&D", "<x>"), 12),)),))
    for rankings in (EXPECTED, strange, Judgments(())):
        assert judgments.read_rankings(text_file(tmp_path, judgments.write_rankings(rankings))) == rankings


ITEM = "<x>\n<ranking-item {}>\n<translation {}/>\n</ranking-item>\n</x>"


@pytest.mark.parametrize(
    ("item", "place", "message"),
    [
        ('user="a"', 'rank="1" system="A"', "a.txt:2: <ranking-item> lacks the attribute 'src-id'."),
        ('src-id="0"', 'rank="1" system="A"', "a.txt:2: <ranking-item> lacks the attribute 'user'."),
        ('src-id="x" user="a"', 'rank="1" system="A"', "a.txt:2: <ranking-item> has src-id='x'; expected a whole"),
        ('src-id="0" user="a"', 'rank="0" system="A"', "a.txt:3: <translation> has rank='0'; expected a whole number"),
        ('src-id="0" user="a"', 'rank="1"', "a.txt:3: <translation> lacks the attribute 'system'."),
        ('src-id="0" user="a"', 'rank="1" system="A A"', "a.txt:2: A is ranked more than once in this <ranking-item>."),
        ('src-id="0" user="a"', "rank=1", "a.txt:3: not well-formed XML (not well-formed (invalid token))."),
    ],
)
def test_xml_mistakes_are_named_with_their_line(tmp_path: Path, item: str, place: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        judgments.read_rankings(text_file(tmp_path, ITEM.format(item, place)))
    assert str(caught.value).startswith(message)


def test_xml_with_entities_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"^a\.txt: XML with a document type or entities is refused"):
        judgments.read_rankings(text_file(tmp_path, f"<!DOCTYPE x [<!ENTITY a 'b'>]>{XML[XML.index('<app') :]}"))


HEADER = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID"
PAIRS = f"""{HEADER}
src,trg,5,5,ann,set.A.src-trg,2,set.B.x.src-trg,1,1
src,trg,5,5,ann,set.A.src-trg,2,plain.name.C,2,1
src,trg,5,5,ann,set.B.x.src-trg,1,plain.name.C,2,1
src,trg,5,5,ann,set.A.src-trg,1,set.B.x.src-trg,4,2
"""


def test_pairs_become_rankings_again(tmp_path: Path) -> None:
    assert judgments.read_pairs(text_file(tmp_path, PAIRS)) == Judgments(
        (
            Judgment(5, "ann", (Ranked(("A",), 2), Ranked(("B.x",), 1), Ranked(("plain.name.C",), 2))),
            Judgment(5, "ann", (Ranked(("A",), 1), Ranked(("B.x",), 4))),
        )
    )


def test_pairs_need_no_ranking_id_nor_languages(tmp_path: Path) -> None:
    content = "judgeID,srcIndex,system1Id,system2Id,system1rank,system2rank\r\nann,0,A,B,1,2\r\n\r\nbob,0,A,B,2,1\r\n"
    read = judgments.read_pairs(text_file(tmp_path, content))
    assert [(item.judge, [place.rank for place in item.ranked]) for item in read.items] == [
        ("ann", [1, 2]),
        ("bob", [2, 1]),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "a.txt:1: the columns srcIndex, judgeID, system1Id, system1rank, system2Id, system2rank are missing."),
        (PAIRS.replace("judgeID", "judge"), "a.txt:1: the columns judgeID are missing."),
        (f"{PAIRS}src,trg,5\n", "a.txt:6: 3 columns, but the first line names 10."),
        (
            PAIRS.replace("2,plain", "3,plain", 1),
            "a.txt:3: A has rank 3 here, but rank 2 on a line above, in the same rank",
        ),
        (PAIRS.replace("src,trg,5", "src,trg,five", 1), "a.txt:2: found 'five' as a sentence or rank; expected a wh"),
        (PAIRS.replace(",1,1\n", ",-1,1\n", 1), "a.txt:2: found '-1' as a sentence or rank; expected a whole"),
        (f'{HEADER}\nsrc,"trg\n', "a.txt:2: not a CSV file (unexpected end of data)."),
    ],
)
def test_csv_mistakes_are_named_with_their_line(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        judgments.read_pairs(text_file(tmp_path, content))
    assert str(caught.value).startswith(message)


def test_plain_scores(tmp_path: Path) -> None:
    content = "# Expected Wins\nsystem\tscore\nA\t0.5\n\nmy system\t-1e-3\r\n"
    assert judgments.read_scores(text_file(tmp_path, content)) == {"A": 0.5, "my system": -0.001}
    assert judgments.read_scores(text_file(tmp_path, "A\t1\nB\t2")) == {"A": 1.0, "B": 2.0}


def test_plain_scores_are_written_as_they_are_read(tmp_path: Path) -> None:
    scores = {"A": 0.1 + 0.2, "my system": -1e-300}
    assert judgments.read_scores(text_file(tmp_path, judgments.write_scores(scores))) == scores


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("A\t1\nB 2\n", "a.txt:2: found 'B 2'; expected a system, a tab and a number."),
        ("A\t1\nB\ttwo\n", "a.txt:2: found 'B\\ttwo'; expected"),
        ("A\tnan\n", "a.txt:1: found 'A\\tnan'; expected"),
        ("A\t1\n# again\nA\t1\n", "a.txt:3: A has a score on a line above, too."),
        ("system\tscore\nsystem\tscore\n", "a.txt:2: found"),
    ],
)
def test_plain_score_mistakes_are_named_with_their_line(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        judgments.read_scores(text_file(tmp_path, content))
    assert str(caught.value).startswith(message)


def pair_count(rankings: Judgments, *, expanded: bool) -> int:
    def places(item: Judgment) -> int:
        return sum(len(place.systems) for place in item.ranked) if expanded else len(item.ranked)

    return sum(len(list(combinations(range(places(item)), 2))) for item in rankings.items)


@needs_conll14
def test_conll14_rankings() -> None:
    read = judgments.read_rankings(TextFile.at(CONLL14 / "judgments.xml"))
    assert len(read.items) == 2319
    assert sum(not item.ranked for item in read.items) == 13
    assert len(read.judges) == 8
    assert len(read.systems) == 13
    assert pair_count(read, expanded=True) == 109_098


@needs_conll14
@pytest.mark.parametrize(("name", "count"), [("expanded", 109_098), ("unexpanded", 20_516)])
def test_conll14_pairs_are_those_of_their_rankings(name: str, count: int) -> None:
    path = GOLDEN / "sentence_pairwiseranks_humans" / f"{name}.csv.gz"
    assert len(gzip.decompress(path.read_bytes()).splitlines()) == count + 1
    assert pair_count(judgments.read_pairs(TextFile.at(path)), expanded=False) == count


@needs_conll14
def test_conll14_expanded_pairs_say_what_the_xml_says() -> None:
    path = GOLDEN / "sentence_pairwiseranks_humans" / "expanded.csv.gz"

    def ranks(rankings: Judgments) -> list[tuple[int, str, dict[str, int]]]:
        return [
            (item.sentence, item.judge, {name: place.rank for place in item.ranked for name in place.systems})
            for item in rankings.items
            if item.ranked
        ]

    assert ranks(judgments.read_pairs(TextFile.at(path))) == ranks(
        judgments.read_rankings(TextFile.at(CONLL14 / "judgments.xml"))
    )
