"""Names made from file names, and names that will not do."""

import pytest

from gec_core.corpora import checking


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
def test_a_name_from_a_file(file, name):
    assert checking.suggest_name(file) == name
    assert checking.name_problem(name) == ""


def test_a_name_unlike_those_taken():
    assert checking.suggest_name("a.txt", ["A", "a-2"]) == "a-3"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "Give it a name."),
        ("a/b", "leave out slashes"),
        ("a\nb", "leave out slashes"),
        (" a", "spaces at the ends"),
        (".a", "does not begin with a dot"),
        ("x" * 61, "61 characters"),
        ("–", "a meaning of its own"),
        ("Judges", "a meaning of its own"),
        ("taken", "already one called 'taken'"),
        ("TAKEN", "already one called 'TAKEN'"),
    ],
)
def test_what_speaks_against_a_name(name, message):
    assert message in checking.name_problem(name, ["taken"])
