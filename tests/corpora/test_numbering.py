"""Whether files of judgments count sentences from 0 or from 1."""

from pathlib import Path

import judged
import pytest
from judged import DATA, needs_judged

from gec_core import corpora
from gec_core.corpora.numbering import evidence, numbered
from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError
from gec_core.types import Judgment, Judgments, Ranked

FILE = TextFile(Path("j.xml"), "j.xml")
SYSTEMS = {
    "A": ["a", "b", "c", "d", "e", "f", "g"],
    "B": ["a", "x", "c", "x", "e", "x", "g"],
    "C": ["y", "b", "y", "d", "y", "f", "y"],
}


def shared(first: int) -> Judgments:
    """On every sentence two systems share a place, since their outputs are the same."""
    items = []
    for line in range(7):
        same, other = (("A", "B"), "C") if line % 2 == 0 else (("A", "C"), "B")
        items.append(Judgment(line + first, "ann", (Ranked(same, 1), Ranked((other,), 2))))
    return Judgments(tuple(items))


@pytest.mark.parametrize("first", [0, 1])
def test_shared_places_decide(first: int) -> None:
    found, counted, told = numbered(FILE, shared(first), 7, SYSTEMS)
    assert counted == first
    assert [item.sentence for item in found.items] == list(range(7))
    assert told == "7 of 7 shared places have one output"


@pytest.mark.parametrize("first", [0, 1])
def test_ties_of_equal_outputs_decide(first: int) -> None:
    alone = Judgments(
        tuple(
            Judgment(
                item.sentence, item.judge, tuple(Ranked((name,), p.rank) for p in item.ranked for name in p.systems)
            )
            for item in shared(first).items
        )
    )
    assert numbered(FILE, alone, 7, SYSTEMS)[1:] == (first, "7 of 7 pairs with one output are tied")


def test_what_fits_neither_is_refused_with_an_example() -> None:
    outputs = {**SYSTEMS, "B": list("zzzzzzz"), "C": list("wwwwwww")}
    with pytest.raises(CorpusError, match=r"j\.xml: the judgments do not fit the outputs, whether sentences are counted"
                       r" from 0 or from 1\. Counted from 0: 0 of 7 .* For example, judgment 1 \(by ann, of the "
                       r"sentence 0\) gives one place to A and B, whose outputs differ"):  # fmt: skip
        numbered(FILE, shared(0), 7, outputs)


def test_numbers_that_are_shifted_further_are_refused() -> None:
    with pytest.raises(
        CorpusError, match=r"judgment \d \(by ann, of the sentence \d+\) is of a sentence that the corpus"
    ):
        numbered(FILE, shared(3), 7, SYSTEMS)


def test_without_facts_sentences_are_counted_from_0() -> None:
    items = Judgments((Judgment(0, "ann", (Ranked(("A",), 1), Ranked(("C",), 2))),))
    assert numbered(FILE, items, 7, SYSTEMS)[1:] == (0, "not checked: no place is shared by two systems, and no two "
                                                     "outputs that were compared are the same")  # fmt: skip


def test_what_corpus_toml_says_is_checked() -> None:
    assert numbered(FILE, shared(1), 7, SYSTEMS, first=1)[1] == 1
    with pytest.raises(CorpusError, match="do not fit the outputs"):
        numbered(FILE, shared(1), 8, {name: [*each, ""] for name, each in SYSTEMS.items()}, first=0)


def test_judgments_of_unknown_systems_alone_are_of_another_corpus() -> None:
    with pytest.raises(CorpusError, match="none of the judged systems has outputs here: A, B, C"):
        numbered(FILE, shared(0), 7, {"D": ["x"] * 7})


@needs_judged
def test_the_published_files(tmp_path: Path) -> None:
    found = corpora.load(judged.seeda(tmp_path / "seeda"))
    for each in found.judgment_sets.values():
        assert (each.counted_from, each.evidence) == (1, "974 of 974 shared places have one output")
        assert len(each.judgments.items) == 600
        assert evidence(each.judgments, len(found), found.systems, 1).shared[0] < 300  # numbered from 0 by now
    assert len({item.sentence for each in found.judgment_sets.values() for item in each.judgments.items}) == 391
    csv = corpora.load(judged.conll14(tmp_path / "csv", DATA / "napoles2015" / "data" / "all_judgments.csv", "n.csv"))
    assert csv.judgment_sets["n"].evidence == "11,597 of 11,600 pairs with one output are tied"
    xml = corpora.load(judged.conll14(tmp_path / "xml", DATA / "napoles2015" / "data" / "all_judgments.xml", "n.xml"))
    assert xml.judgment_sets["n"].evidence.startswith("792 of 792 shared places have one output; 1,438 of 1,443")
    assert xml.judgments is not None
    assert xml.judgments.systems[-1] == "refmix1"
    own = corpora.load(judged.conll14(tmp_path / "own", DATA / "conll14" / "judgments.xml", "n.xml"))
    assert own.judgment_sets["n"].counted_from == 0
    assert own.judgment_sets["n"].evidence == "2,759 of 2,759 shared places have one output"


@needs_judged
def test_outputs_of_another_file_are_refused(tmp_path: Path) -> None:
    folder = judged.seeda(tmp_path / "seeda")
    names = sorted((folder / "systems").iterdir())
    texts = [path.read_text(encoding="utf-8") for path in names]
    for path, text in zip(names, texts[1:] + texts[:1], strict=True):
        path.write_text(text, encoding="utf-8")
    with pytest.raises(CorpusError, match=r"edit\.xml: the judgments do not fit the outputs, .* gives one place to"):
        corpora.load(folder)
