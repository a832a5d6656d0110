"""Checks of a corpus and of the names of systems."""

from pathlib import Path

import pytest
from conftest import CONLL14, needs_conll14
from corpus_files import SMALL, write

from gec_core.corpora import Finding, check, checking, load

RANKINGS = '<x><ranking-item src-id="1" user="ann"><translation rank="1" system="A GHOST"/></ranking-item></x>'
STUCK = {
    "source.txt": "It is fine , really .\nFine .\n",
    "gold.m2": "S It is fine , really .\nA 0 1|||T|||This|||REQUIRED|||-NONE-|||0\n\nS Fine .\n",
}


def test_a_clean_corpus(tmp_path: Path) -> None:
    assert check(write(tmp_path, SMALL)) == []


def test_an_error_is_a_finding(tmp_path: Path) -> None:
    [finding] = check(write(tmp_path, {**SMALL, "systems/A.txt": ""}))
    assert finding.level == "error"
    assert "systems/A.txt: 0 lines, but source.txt has 2" in finding.message


def test_nothing_to_score(tmp_path: Path) -> None:
    [finding] = check(write(tmp_path, {"source.txt": SMALL["source.txt"], "gold.m2": SMALL["gold.m2"]}))
    assert finding == Finding("warning", "There are no system outputs to score: put one file per system into systems/.")


@pytest.mark.filterwarnings("ignore::gec_core.errors.CorpusWarning")
def test_gold_edits_outside_their_sentences_are_warnings_or_errors(tmp_path: Path) -> None:
    gold = "S It is <b> .\nA 4 5|||M|||<i>|||REQUIRED|||-NONE-|||1\n"
    folder = write(tmp_path, {"gold.m2": gold, "systems/A.txt": "It is fine .\n"})
    named = "gold.m2:2: the edit 4 5 to '<i>' of annotator 1 is outside the sentence, which has 4 tokens."
    [first, *_] = check(folder)
    assert (first.level, first.message.endswith(f"{named} It is left out.")) == ("warning", True)
    [first, *_] = check(folder, strict=True)
    assert (first.level, first.message.endswith(named)) == ("error", True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"systems/A.txt": "\nFine .\n"}, "A: 1 empty line, the first is line 1."),
        ({"systems/A.txt": "\n\n"}, "A: 2 empty lines, the first is line 1."),
        (
            {"references/r.txt": "\nFine .\n"},
            "references: 1 sentence with an empty reference although the source is not empty, the first is sentence 1.",
        ),
        ({"systems/C.txt": SMALL["systems/A.txt"]}, "A and C have the same output for every sentence."),
        ({"references/r.txt": SMALL["source.txt"]}, "Every reference equals its source: there is nothing to correct."),
        ({"judgments.xml": RANKINGS}, "The judgments rank GHOST, for which there are no outputs."),
        ({"human.tsv": "GHOST\t1\n"}, "human.tsv has scores of GHOST, for which there are no outputs."),
        ({"systems/C": "x"}, "systems/C is not read: file names must end in .txt or .txt.gz there."),
        (
            {"corpus.toml": "license = 'MIT'"},
            "corpus.toml: unknown key 'license'. There are: title, name, language,",
        ),
        (
            {
                **STUCK,
                "systems/A.txt": "This is fine, really.\nFine .\n",
                "systems/B.txt": "It is fine , Mr. X .\nFine .\n",
            },
            "A: 1 of 2 outputs are tokenised unlike their sources, the first in line 1: 'fine,' where the source has "
            "'fine ,'.",
        ),
    ],
)
def test_one_warning(tmp_path: Path, changes: dict[str, str], message: str) -> None:
    [finding] = check(write(tmp_path, {**SMALL, **changes}))
    assert finding.level == "warning"
    assert finding.message.startswith(message)


@needs_conll14
def test_conll14() -> None:
    post, reference, insertions = check(CONLL14)
    assert post == Finding("warning", "POST: 1 empty line, the first is line 24.")
    assert "an empty reference although the source is not empty, the first is sentence 24" in reference.message
    assert "9 pairs of insertions at one place by one annotator" in insertions.message


def test_edits_that_overlap_are_reported_and_made_from_last_to_first(tmp_path: Path) -> None:
    required = "|||REQUIRED|||-NONE-|||"
    gold = f"S A b c .\nA 0 2|||R|||q{required}0\nA 1 3|||R|||r{required}0\nA 0 1|||R|||x{required}1\n"
    where = write(tmp_path, {"gold.m2": gold, "systems/A.txt": "q c .\n"})
    [finding] = check(where)
    assert finding.level == "warning"
    assert finding.message.startswith(
        "gold edits: 1 pair of overlapping edits by one annotator, the first in sentence 1 (0 2 → 'q' and 1 3 → 'r')."
    )
    assert load(where).sentences[0].references == ("q .", "x b c .")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mine.txt", "mine"),
        ("MINE.TXT.GZ", "MINE"),
        ("folder/mine.v2.out", "mine.v2"),
        ("C:\\outputs\\mine.txt", "mine"),
        ("my  best\tsystem.txt", "my best system"),
        (".txt", "mine"),
        ("...hidden.txt", "hidden"),
        ("source.txt", "source-2"),
        ("<script>alert(1)<∕script>.txt", "<script>alert(1)<∕script>"),
        ('a"b\x00c\u202ed.txt', "a b c d"),
        ("x" * 300 + ".txt", "x" * (checking.LONGEST - 4)),
    ],
)
def test_a_name_from_a_file(file: str, name: str) -> None:
    assert checking.suggest_name(file) == name
    assert checking.name_problem(name) == ""


def test_a_name_unlike_those_taken() -> None:
    assert checking.suggest_name("a.txt", ["A", "a-2"]) == "a-3"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "Give it a name."),
        ("a/b", "remove slashes"),
        ("a\nb", "remove slashes"),
        (" a", "spaces at the ends"),
        (".a", "must not begin with a dot"),
        ("x" * 61, "61 characters"),
        ("–", "is reserved"),
        ("Judges", "is reserved"),
        ("taken", "'taken' is taken"),
        ("TAKEN", "'TAKEN' is taken"),
    ],
)
def test_what_speaks_against_a_name(name: str, message: str) -> None:
    assert message in checking.name_problem(name, ["taken"])
