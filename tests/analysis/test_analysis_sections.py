"""What the sections say: titles and reasons without computing, numbers from the analysis, texts of named sentences."""

from urllib.parse import parse_qs

import pytest
from conftest import sentence
from made_corpus import CORPUS

from gec_core.analysis import Analysis, analyse, report
from gec_core.analysis.document import TITLES, MarkedDifference
from gec_core.analysis.errors import counts_scored
from gec_core.analysis.sections import SECTIONS, summary
from gec_core.analysis.sentence_sections import word_differences
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.types import Corpus


@pytest.fixture(scope="module")
def found() -> Analysis:
    return analyse(CORPUS, score(CORPUS, [create("m2"), create("gleu")]), "EAGER", samples=50)


def test_sections_have_their_ids_and_titles(found: Analysis) -> None:
    told = report(found)
    assert [section.id for section in told.sections] == list(SECTIONS)
    assert [told.summary.id, *SECTIONS] == list(TITLES)
    assert [section.title for section in told.sections] == [TITLES[id] for id in SECTIONS]


def test_the_summary_answers_in_numbers(found: Analysis) -> None:
    answers = [each.text for each in report(found).summary.prose]
    assert answers[0] == "EAGER is not to be told apart from LAZY."
    assert answers[1] == "EAGER ranks 1 to 2 of 2 under the 2 metrics."
    assert answers[2] == "Its difference from LAZY is not significant under any metric."
    assert answers[3] == "EAGER proposes 4 edits, of which 2 (50.0%) are correct, and misses 1 gold edit."
    assert answers[4].startswith("It changes 100.0% of the error-free sentences and leaves 0.0% of")


def test_one_section_computes_only_what_it_shows() -> None:
    lazy = Analysis(CORPUS, score(CORPUS, [create("m2")]), "EAGER", "LAZY", samples=5)
    assert SECTIONS["correction"](lazy).tables
    assert "metrics" not in vars(lazy)
    assert SECTIONS["changes"](lazy).tables
    assert not {"metrics", "gains"} & set(vars(lazy))


def test_a_gap_that_is_not_split_is_told() -> None:
    both = Analysis(CORPUS, score(CORPUS, [create("m2"), create("gleu")]), "EAGER", "LAZY", samples=5)
    assert not any("credits" in each.text for each in SECTIONS["why"](both).notes)
    vars(both)["sides"] = both.sides[:1]
    assert SECTIONS["why"](both).notes[0].text.startswith("Without GLEU: the credits of edits are not known.")


def test_a_summary_without_edits_scores_nothing() -> None:
    lazy = Analysis(CORPUS, score(CORPUS, [create("gleu")]), "EAGER", "LAZY", samples=5)
    assert not counts_scored(lazy.table)
    assert len(summary(lazy, edits=False).prose) == 3
    assert "corrections" not in vars(lazy)
    assert counts_scored(score(CORPUS, [create("gleu"), create("m2")]))


def test_tables_and_files_hold_the_same_numbers(found: Analysis) -> None:
    sections = {section.id: section for section in report(found).sections}
    (standing,) = sections["standing"].tables
    own = [row for row in sections["standing"].data["standings"] if row["system"] == "EAGER"]
    assert [(row[1], row[2], row[3], row[4]) for row in standing.rows] == [
        (row["score"], (row["low"], row["high"]), row["rank"], (row["rank_low"], row["rank_high"])) for row in own
    ]
    beside, everyone = sections["significance"].tables
    data = sections["significance"].data["significance"]
    assert [(row[3], row[4], row[5], row[6]) for row in beside.rows] == [
        (row["difference"], (row["low"], row["high"]), row["p_bootstrap"], row["p_randomisation"]) for row in data
    ]
    assert everyone.rows == (("LAZY", *(MarkedDifference(row["difference"], "not significant") for row in data)),)
    costly = [row[:3] for table in sections["costly"].tables for row in table.rows]
    assert costly == [
        (row["sentence"], row["cost"], row["score"]) for row in sections["costly"].data["costly_sentences"]
    ]
    counts = sections["changes"].tables[0].rows
    assert [row[1:] for row in counts] == [
        (row["better"], row["worse"], row["equal"]) for row in sections["changes"].data["changes"]
    ]


def test_named_sentences_are_among_the_examples(found: Analysis) -> None:
    sections = {section.id: section for section in report(found).sections}
    texts = {example.sentence: dict(example.texts) for example in sections["sentences"].examples}
    for id in ("costly", "splits", "changes"):
        for table in sections[id].tables:
            if table.columns[0].kind == "sentence":
                assert {row[0] for row in table.rows[: table.brief]} <= set(texts)
                assert len(table.beside) == len(table.rows)
    assert set(texts[1]) == {"source", "reference 1", "reference 2", "EAGER", "LAZY"}


def test_the_report_names_the_address_of_the_gap(found: Analysis) -> None:
    (note,) = SECTIONS["why"](found).notes
    page, _, asked = note.runs[1].text.partition("?")
    assert page == "/why"
    assert parse_qs(asked) == {
        "corpus": ["made"], "first": ["EAGER"], "second": ["LAZY"], "sides": ["m2", "gleu"], "metrics": ["m2", "gleu"],
    }  # fmt: skip


def test_without_a_rival_sections_say_why_they_are_empty() -> None:
    corpus = Corpus("made", (sentence("a b", "a b"),), {"A": ("a b",)})
    lazy = Analysis(corpus, score(corpus, [create("m2")]), "A", None, samples=5)
    missing = {id: build(lazy).missing for id, build in SECTIONS.items()}
    nobody = "There is no other system to compare with."
    expected = ["verdict", "significance", "why", "types", "splits", "changes"]
    assert [id for id, reason in missing.items() if reason == nobody] == expected
    assert missing["standing"] == missing["correction"] == missing["reproducibility"] == ""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("He go home .", "He goes home .", ("go → goes",)),
        ("He went to library .", "He went to the library .", ("library → the library",)),
        ("He went to the home .", "He went home .", ("to the home → home",)),
        ("He went", "He went away", ("∅ → away",)),
        ("Fine .", "Fine .", ()),
    ],
)
def test_two_versions_differ_by_words(old: str, new: str, told: tuple[str, ...]) -> None:
    assert word_differences(old, new) == told
