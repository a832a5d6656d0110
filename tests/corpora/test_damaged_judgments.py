"""Damaged files of judgments: each is refused, or repaired, with a message that names the place."""

import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from gec_core import corpora
from gec_core.cli import main
from gec_core.errors import CorpusError

SIZE = 12
SYSTEMS = ("A", "B", "C")
SOURCES = [f"It are number {line} ." for line in range(SIZE)]
OUTPUTS = {
    "A": [f"It is number {line} ." for line in range(SIZE)],
    "B": [f"It is number {line} ." if line % 2 else f"It was number {line} ." for line in range(SIZE)],
    "C": [f"It were number {line} ." for line in range(SIZE)],
}


def xml() -> str:
    items = []
    for line in range(SIZE):
        first = "A B" if line % 2 else "A"
        second = "" if line % 2 else '<translation rank="2" system="B"/>'
        places = f'<translation rank="1" system="{first}"/>{second}<translation rank="3" system="C"/>'
        items.append(f'<ranking-item src-id="{line}" user="ann">{places}</ranking-item>')
    return "<file>\n" + "\n".join(items) + "\n</file>\n"


def gmeg() -> str:
    rows = [f"90.5,{90.5 if line % 2 else 70},{line}" for line in range(SIZE)]
    return "\n".join(["A,B,C", *rows]) + "\n"


def long() -> str:
    rows = [f"{line},{name},{50 + line}" for line in range(SIZE) for name in SYSTEMS if name != "B"]
    return "\n".join(["sentence,system,rating", *rows]) + "\n"


def tmu() -> str:
    rows = []
    for line in range(SIZE):
        for name in ("A", "C"):
            named = '"A,B"' if name == "A" and line % 2 else name
            rows.append(f'{SOURCES[line]},{OUTPUTS[name][line]},"4,3","4,4","2,4",{named},3.5,4.0,3.0')
        if not line % 2:
            rows.append(f'{SOURCES[line]},{OUTPUTS["B"][line]},"1,3","2,4","2,2",B,2.0,3.0,2.0')
    return "\n".join(["source,output,grammer,fluency,meaning,system,ave_g,ave_f,ave_m", *rows]) + "\n"


def verdicts() -> str:
    rows = [f"{line}\tann\tA\t1\t2\tis\tTrue" for line in range(SIZE)]
    return "\n".join(["sentence\tjudge\tsystems\tstart\tend\tcorrection\tverdict", *rows]) + "\n"


def pairs() -> str:
    """Every two systems of every sentence: A and B are tied where they have one output, and before C."""
    rows = []
    for line in range(SIZE):
        ranks = {"A": 1, "B": 1 if line % 2 else 2, "C": 3}
        rows += [f"{line},ann,{a},{ranks[a]},{b},{ranks[b]}" for a, b in combinations(SYSTEMS, 2)]
    return "\n".join(["srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank", *rows]) + "\n"


def inline() -> str:
    """One sentence with three outputs, as SEEDA's annotation files have them."""
    outputs = [
        f"<s{n}>It [are→{word}|{told}] number 4 .</s{n}>"
        for n, (word, told) in enumerate([("is", True), ("was", True), ("were", False)], 1)
    ]
    return "\n".join([f"<Source with context>\n<t>{SOURCES[4]}</t>\n\n<Correction>", *outputs]) + "\n"


SWAPPED = '"A C"/><translation rank="3" system="B"'
Damage = Callable[[str], str]
FORMATS: dict[str, tuple[str, Callable[[], str], dict[str, tuple[Damage, str]]]] = {
    "rankings": (
        "rounds.xml",
        xml,
        {
            "shifted ids": (lambda t: t.replace('src-id="', 'src-id="1'), "sentences that the corpus does not have"),
            "one id off the end": (
                lambda t: t.replace('src-id="11"', 'src-id="99"'),
                r"judgment 12 \(by ann, of the sentence 99\) is of a sentence that the corpus does not have",
            ),
            "unknown systems": (
                lambda t: t.replace('"A"', '"X"').replace('"A B"', '"X Y"').replace('"B"', '"Y"').replace('"C"', '"Z"'),
                "none of the judged systems has outputs",
            ),
            "another file's outputs": (
                lambda t: t.replace(
                    '"A B"/><translation rank="3" system="C"', '"A C"/><translation rank="3" system="B"'
                ),
                "do not fit",
            ),
            "no rank": (lambda t: t.replace('rank="3" ', "", 1), r"rounds\.xml:2: .* lacks the attribute 'rank'"),
            "no system": (lambda t: t.replace(' system="C"', "", 1), r"rounds\.xml:2: .* lacks the attribute 'system'"),
            "no id": (lambda t: t.replace('src-id="4" ', ""), r"rounds\.xml:6: .* lacks the attribute 'src-id'"),
            "a rank that is no number": (lambda t: t.replace('rank="3"', 'rank="best"', 1), r"rounds\.xml:2: .*'best'"),
            "half a file": (lambda t: t[: len(t) // 2], r"rounds\.xml:8: not well-formed XML"),
            "cut at the end of a line": (
                lambda t: "".join(t.splitlines(True)[:7]),
                r"rounds\.xml:8: not well-formed XML",
            ),
            "nothing": (lambda _: "", r"rounds\.xml:1: not well-formed XML"),
            "a judge without a name": (lambda t: t.replace('"ann"', '" "', 1), r"rounds\.xml:2: .* user=''"),
            "no places": (lambda t: re.sub("<translation[^>]*>", "", t), r"no <ranking-item> has a <translation>"),
            "a web page": (lambda _: "<!DOCTYPE html><html></html>", r"rounds\.xml: this is a web page"),
            "a Git LFS pointer": (
                lambda _: "version https://git-lfs.github.com/spec/v1\n",
                r"rounds\.xml: this is a Git LFS pointer",
            ),
            "a misspelt system": (
                lambda t: t.replace('"A"', '"AA"', 1),
                r"rounds\.xml:2: 'AA' has no outputs here and is judged 1 time, .* Did you mean 'A'\?",
            ),
        },
    ),
    "pairs": (
        "pairs.csv",
        pairs,
        {
            "shifted ids": (lambda t: re.sub(r"\n(\d)", r"\n1\1", t), "sentences that the corpus does not have"),
            "one id off the end": (
                lambda t: t.replace("\n11,", "\n99,"),
                "judgment 12 .by ann, of the sentence 99. is of a sen",
            ),
            "a negative id": (lambda t: t.replace("\n3,", "\n-3,", 1), r"pairs\.csv:11: found '-3'"),
            "unknown systems": (
                lambda t: t.replace(",A,", ",X,").replace(",B,", ",Y,").replace(",C,", ",Z,"),
                "none of the judged systems has outputs",
            ),
            "another file's outputs": (
                lambda t: t.replace(",B,1,", ",B,2,").replace(",B,1\n", ",B,2\n"),
                "ranks A 1 and B 2, although they have the same output",
            ),
            "two ranks in one ranking": (
                lambda t: t.replace("\n0,ann,A,1,C", "\n0,ann,A,2,C"),
                r"pairs\.csv:3: A has rank 2 here, but rank 1",
            ),
            "a rank that is no number": (lambda t: t.replace("C,3", "C,best", 1), r"pairs\.csv:3: found 'best'"),
            "no column of judges": (lambda t: t.replace("judgeID", "who"), r"pairs\.csv:1: the columns judgeID"),
            "a missing cell": (lambda t: t.replace("\n5,ann,", "\n5,", 1), r"pairs\.csv:17: 5 columns"),
            "a judge without a name": (lambda t: t.replace("\n5,ann,", "\n5,,", 1), r"pairs\.csv:17: judgeID is empty"),
            "half a file": (lambda t: t[: len(t) // 2].rpartition(",")[0] + "\n", r"pairs\.csv:17: 5 columns"),
            "cut within a ranking": (
                lambda t: "".join(t.splitlines(True)[:-1]),
                r"pairs\.csv: the last ranking \(by ann, of the sentence 11\) has 2 of the 3 pairs",
            ),
            "a misspelt system": (
                lambda t: t.replace("\n4,ann,A,", "\n4,ann,AA,", 1),
                r"pairs\.csv:14: 'AA' has no outputs here and is judged 1 time, .* Did you mean 'A'\?",
            ),
        },
    ),
    "a table of ratings": (
        "ratings.csv",
        gmeg,
        {
            "a rating of 101": (lambda t: t.replace("90.5", "101", 1), r"ratings\.csv:2: found the rating '101'"),
            "a negative rating": (lambda t: t.replace("90.5", "-1", 1), r"ratings\.csv:2: found the rating '-1'"),
            "a word": (lambda t: t.replace("90.5", "good", 1), r"ratings\.csv:2: found the rating 'good'"),
            "not a number": (lambda t: t.replace("90.5", "nan", 1), r"ratings\.csv:2: found the rating 'nan'"),
            "a missing row": (lambda t: t.replace("90.5,70,4\n", ""), "11 rows"),
            "a row too many": (lambda t: t + "1,2,3\n", "13 rows"),
            "a missing cell": (lambda t: t.replace("90.5,70,4", "90.5,4"), r"ratings\.csv:6: 2 columns"),
            "a column twice": (
                lambda t: t.replace("A,B,C", "A,B,B"),
                r"ratings\.csv:1: two columns have the same name",
            ),
            "a misspelt system": (
                lambda t: t.replace("A,B,C", "A,B,Cc"),
                r"ratings\.csv:1: 'Cc' has no outputs here .* Did you mean 'C'\?",
            ),
            "unknown systems": (lambda t: t.replace("A,B,C", "X,Y,Z"), "not systems of this corpus"),
            "rows in another order": (
                lambda t: "\n".join([t.splitlines()[0], *t.splitlines()[2:], t.splitlines()[1]]) + "\n",
                "do not fit",
            ),
        },
    ),
    "one rating per row": (
        "ratings.csv",
        long,
        {
            "a rating of 101": (lambda t: t.replace("0,A,50", "0,A,101"), r"ratings\.csv:2: found the rating '101'"),
            "a word": (lambda t: t.replace("0,A,50", "0,A,good"), r"ratings\.csv:2: found the rating 'good'"),
            "an empty rating": (lambda t: t.replace("0,A,50", "0,A,"), r"ratings\.csv:2: found the rating ''"),
            "shifted ids": (lambda t: t.replace("\n11,", "\n12,"), r"ratings\.csv:24: found '12' as a sentence"),
            "a negative id": (lambda t: t.replace("\n0,A", "\n-1,A"), r"ratings\.csv:2: found '-1' as a sentence"),
            "an id that is no number": (
                lambda t: t.replace("\n0,A", "\nfirst,A"),
                r"ratings\.csv:2: found 'first' as a sentence",
            ),
            "the same twice": (lambda t: t + "0,A,50\n", r"ratings\.csv:26: A has a rating .* line above"),
            "a column too many": (lambda t: t.replace("0,A,50", "0,A,50,60"), r"ratings\.csv:2: 4 columns"),
            "half a row": (lambda t: t.rstrip("\n").rpartition(",")[0] + "\n", r"ratings\.csv:25: 2 columns"),
            "a misspelt system": (lambda t: t.replace("3,A", "3,X", 1), r"ratings\.csv:8: 'X' has no outputs here"),
            "an open quote": (lambda t: t.replace("0,A,50", '0,"A,50'), r"ratings\.csv:25: not a CSV file"),
        },
    ),
    "ratings of texts": (
        "gfm.csv",
        tmu,
        {
            "a rating of 5": (lambda t: t.replace('"4,3"', '"5,3"', 1), r"gfm\.csv:2: found the rating '5'"),
            "a word": (lambda t: t.replace('"4,3"', '"4,good"', 1), r"gfm\.csv:2: found the rating 'good'"),
            "another mean": (lambda t: t.replace(",3.5,", ",3.6,", 1), r"gfm\.csv:2: ave_g is 3\.6, but the mean"),
            "no system": (lambda t: t.replace(",A,3.5", ",,3.5", 1), r"gfm\.csv:2: the row names no system"),
            "a misspelt system": (lambda t: t.replace(",A,3.5", ",AA,3.5", 1), r"gfm\.csv:2: 'AA' has .* mean 'A'\?"),
            "no column of outputs": (
                lambda t: t.replace("output,", "text,", 1),
                r"gfm\.csv:1: the columns output are missing",
            ),
            "no column of fluency": (
                lambda t: t.replace("fluency,", "flow,", 1),
                r"gfm\.csv:1: the columns fluency are missing",
            ),
            "another file's outputs": (
                lambda t: t.replace("It is number 4", "It has number 4"),
                r"gfm\.csv:12: .* in sentence 5",
            ),
            "other sources": (lambda t: t.replace("It are", "They are"), "no ratings of sentence 1"),
            "a missing cell": (lambda t: t.replace(",3.5,4.0,3.0", ",3.5,4.0", 1), r"gfm\.csv:2: 8 columns"),
            "half a file": (lambda t: t[: len(t) // 3], r"gfm\.csv:11: 2 columns"),
            "a third, cut at the end of a line": (
                lambda t: "".join(t.splitlines(True)[:10]),
                r"gfm\.csv: no ratings of sentence 5 .* and 7 others",
            ),
        },
    ),
    "verdicts": (
        "edits.tsv",
        verdicts,
        {
            "shifted ids": (lambda t: t.replace("\n11\t", "\n12\t"), r"edits\.tsv:13: found"),
            "a negative id": (lambda t: t.replace("\n3\t", "\n-3\t"), r"edits\.tsv:5: found"),
            "an id that is no number": (lambda t: t.replace("\n3\t", "\nx\t"), r"edits\.tsv:5: found"),
            "a verdict that is none": (lambda t: t.replace("True", "Maybe", 1), r"edits\.tsv:2: found"),
            "an empty verdict": (lambda t: t.replace("\tTrue", "\t", 1), r"edits\.tsv:2: found"),
            "a start that is no number": (lambda t: t.replace("\t1\t2", "\tone\t2", 1), r"edits\.tsv:2: found"),
            "no end": (lambda t: t.replace("\t1\t2", "\t1\t", 1), r"edits\.tsv:2: found"),
            "words that the sentence does not have": (
                lambda t: t.replace("\t1\t2", "\t1\t9", 1),
                r"edits\.tsv:2: found an edit of the words 1 to 9; sentence 0 has 5 words",
            ),
            "an unknown system": (lambda t: t.replace("\tA\t", "\tX\t", 1), r"edits\.tsv:2: 'X' has no outputs"),
            "no column of judges": (lambda t: t.replace("judge", "who", 1), r"edits\.tsv:1: the columns judge"),
            "half a row": (lambda t: t[: t.rindex("\tis")] + "\n", r"edits\.tsv:13: found"),
            "no heading": (lambda t: t.partition("\n")[2], r"edits\.tsv:1: the columns sentence"),
        },
    ),
}

INLINE = "edits/ann/5.txt"
INLINE_DAMAGES: dict[str, tuple[Damage, str]] = {
    "nothing": (lambda _: "", "found no source"),
    "no source": (lambda t: t.replace("<t>", "").replace("</t>", ""), "found no source"),
    "no outputs": (lambda t: t.partition("<s1>")[0], "or no output"),
    "half a file": (lambda t: t[: t.index("number 4", t.index("<s1>"))], "or no output"),
    "another corpus' sentence": (lambda t: t.replace("It ", "They "), "the source 'They are number 4 .' is not"),
    "no verdict": (lambda t: t.replace("|True", "", 1), r"5\.txt:5: no verdict in '\[are→is\]'"),
    "a verdict that is none": (lambda t: t.replace("|True", "|Maybe", 1), r"5\.txt:5: no verdict"),
    "an open bracket": (lambda t: t.replace("|False]", ""), r"5\.txt:7: brackets that are no edit"),
    "no arrow": (lambda t: t.replace("are→was", "are was"), r"5\.txt:6: brackets that are no edit"),
    "another sentence's output": (
        lambda t: t.replace("number 4 .</s2>", "number 5 .</s2>"),
        r"5\.txt: an output whose unchanged words are not those of the source: 'It was number 5 \.'",
    ),
}
"""Of SEEDA's files: the first five are refused; of the others an edit or an output is left out, the rest is read."""


def folder(path: Path, name: str, text: str) -> Path:
    for inside in ("systems", "references", "human"):
        (path / inside).mkdir(parents=True)
    (path / "source.txt").write_text("\n".join(SOURCES) + "\n", encoding="utf-8")
    (path / "references" / "ref0.txt").write_text("\n".join(OUTPUTS["A"]) + "\n", encoding="utf-8")
    for system, lines in OUTPUTS.items():
        (path / "systems" / f"{system}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (path / "human" / name).parent.mkdir(parents=True, exist_ok=True)
    (path / "human" / name).write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", FORMATS)
def test_the_undamaged_file_is_read(kind: str, tmp_path: Path) -> None:
    name, make, damages = FORMATS[kind]
    found = corpora.load(folder(tmp_path / "corpus", name, make()))
    assert found.judgment_sets or found.verdicts
    assert len(damages) >= 10


@pytest.mark.parametrize(("kind", "damage"), [(kind, each) for kind, (_, _, all) in FORMATS.items() for each in all])
def test_a_damaged_file_is_refused_by_name_and_place(kind: str, damage: str, tmp_path: Path) -> None:
    name, make, damages = FORMATS[kind]
    change, told = damages[damage]
    damaged = change(make())
    assert damaged != make()
    with pytest.raises(CorpusError, match=told) as refused:
        corpora.load(folder(tmp_path / "corpus", name, damaged))
    assert name in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "spoilt", "place"),
    [
        (
            "rankings",
            lambda text: text.replace('"A"', '"Aa"', 3),
            r"rounds\.xml:2: 'Aa' .* judged 3 times; .* 'A', judged 9",
        ),
        (
            "pairs",
            lambda text: text.replace(",A,", ",Aa,", 6),
            r"pairs\.csv:2: 'Aa' .* judged 3 times; .* 'A', judged 9",
        ),
        (
            "one rating per row",
            lambda text: text.replace(",A,", ",Aa,", 4),
            r"ratings\.csv:2: 'Aa' .* judged 4 times; .* 'A', judged 8",
        ),
    ],
)
def test_in_a_small_file_a_name_like_a_systems_is_told_with_its_line(
    kind: str, spoilt: Damage, place: str, tmp_path: Path
) -> None:
    """A few judgments cannot tell a slip from a system that has no outputs, so only `--strict` refuses them."""
    name, make, _ = FORMATS[kind]
    where = folder(tmp_path / "corpus", name, spoilt(make()))
    found = corpora.load(where)
    assert [told for told in found.noted() if re.search(place, told)]
    for strict, level in ((False, "warning"), (True, "error")):
        said = [each for each in corpora.check(where, strict=strict) if re.search(place, each.message)]
        assert [each.level for each in said] == [level]
    assert main(["corpora", "check", str(where)]) == 0
    assert main(["corpora", "check", "--strict", str(where)]) == 2


TOLD: dict[str, tuple[str, Damage, str]] = {
    "a rank beyond all": (
        "rankings",
        lambda t: t.replace('rank="3"', 'rank="30"', 1),
        r"rounds\.xml: judgment 1 \(by ann, of the sentence 0\) has the rank 30 among 3 systems\.",
    ),
    "all items twice": (
        "rankings",
        lambda t: t.replace("</file>", "\n".join(t.splitlines()[1:-1]) + "\n</file>"),
        r"rounds\.xml: 12 of 24 rankings are there twice, word for word\.",
    ),
    "one item of another sentence": (
        "rankings",
        lambda t: (t + t.replace("ann", "bob")).replace("</file>\n<file>\n", "").replace('src-id="1"', 'src-id="2"', 1),
        r"rounds\.xml: judgment 2 \(by ann, of the sentence 2\) gives one place to A and B, .* \(1 such place in all\)",
    ),
    "two rows of ratings swapped": (
        "a table of ratings",
        lambda t: "\n".join([*(lines := t.splitlines())[:1], lines[2], lines[1], *lines[3:], ""]),
        r"ratings\.csv: of 6 pairs of systems with the same output, 1 differ in rating; A and B .* for sentence 2\.",
    ),
    "ratings from 0 to 1": (
        "one rating per row",
        lambda t: re.sub(r",(\d+)\n", r",0.\1\n", t),
        r"ratings\.csv: no rating is above 0\.61 on the scale from 0 to 100; .*scale = \[0, 1\]",
    ),
}
"""Damages that judges might have made themselves: files are read, and the place is named."""


@pytest.mark.parametrize("damage", TOLD)
def test_what_looks_damaged_is_told_with_its_place(damage: str, tmp_path: Path) -> None:
    kind, change, told = TOLD[damage]
    name, make, _ = FORMATS[kind]
    assert not [each for each in corpora.check(folder(tmp_path / "sound", name, make())) if name in each.message]
    where = folder(tmp_path / "corpus", name, change(make()))
    (said,) = [each for each in corpora.check(where) if name in each.message]
    assert said.level == "warning"
    assert re.search(told, said.message)
    assert corpora.check(where, strict=True)[0].level == "error"
    assert said.message in corpora.load(where).noted()


def test_rankings_of_one_system_are_counted(tmp_path: Path) -> None:
    text = xml().replace('<translation rank="2" system="B"/><translation rank="3" system="C"/>', "", 1)
    notes = [each.message for each in corpora.check(folder(tmp_path / "corpus", "rounds.xml", text), notes=True)]
    said = "1 ranking of fewer than two systems, for example by ann of the sentence 0: nothing is compared."
    assert f"judgments rounds: {said}" in notes


def test_blank_lines_after_ratings_are_none(tmp_path: Path) -> None:
    assert corpora.load(folder(tmp_path / "corpus", "ratings.csv", gmeg() + "\n\n")).ratings is not None


def test_ratings_cut_at_the_end_of_a_line_are_told(tmp_path: Path) -> None:
    """Two thirds of the file are read; what lacks is told by `check` and with every score."""
    where = folder(tmp_path / "corpus", "gfm.csv", "".join(tmu().splitlines(True)[:21]))
    (said,) = [each for each in corpora.check(where) if "gfm.csv" in each.message]
    assert said.level == "warning"
    assert "4 sentences of 12 without ratings, the first is sentence 9; the file seems to be cut off." in said.message
    assert said.message in corpora.load(where).noted()


def test_a_published_file_that_lacks_rankings_is_told(tmp_path: Path) -> None:
    """Judges and systems are those of SEEDA, so that the number of rankings is known."""
    text = xml().replace('"ann"', '"annotator2"')
    for ours, theirs in (("A", "BART"), ("B", "PIE"), ("C", "T5")):
        text = re.sub(rf"(?<=[\" ]){ours}(?=[\" ])", theirs, text)
    where = folder(tmp_path / "corpus", "sent.xml", text)
    for ours, theirs in (("A", "BART"), ("B", "PIE"), ("C", "T5")):
        (where / "systems" / f"{ours}.txt").rename(where / "systems" / f"{theirs}.txt")
    told = [each.message for each in corpora.check(where) if each.level == "warning" and "sent.xml" in each.message]
    assert told == [f"{where}/human/sent.xml: 12 rankings, but SEEDA's file has 600; the file seems to be cut off."]


def test_judges_that_corpus_toml_leaves_out(tmp_path: Path) -> None:
    text = xml().replace('user="ann"', 'user="bob"', 2)
    where = folder(tmp_path / "corpus", "rounds.xml", text)
    (where / "corpus.toml").write_text('[human.rounds]\nwithout = ["bob"]\n', encoding="utf-8")
    found = corpora.load(where).judgment_sets["rounds"]
    assert (found.judgments.judges, len(found.judgments.items)) == (("ann",), SIZE - 2)
    told = [each.message for each in corpora.check(where, notes=True) if each.level == "note"]
    assert "judgments rounds: 2 rankings by bob left out, as corpus.toml says (without)." in told
    (where / "corpus.toml").write_text('[human.rounds]\nwithout = ["eve"]\n', encoding="utf-8")
    with pytest.raises(CorpusError, match=r"rounds\.xml: no judgments by eve, whom corpus\.toml leaves out"):
        corpora.load(where)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda t: t.replace('rank="3"', 'rank="30"'), r"judgment 3 \(by ann, of the sentence 2\) has the rank 30"),
        (lambda t: t.replace('src-id="11"', 'src-id="99"'), r"judgment 12 \(by ann, of the sentence 99\) is of a sent"),
    ],
)
def test_judgments_have_the_numbers_of_the_file_when_judges_are_left_out(
    change: Damage, told: str, tmp_path: Path
) -> None:
    text = change(xml().replace('user="ann"', 'user="bob"', 2))
    where = folder(tmp_path / "corpus", "rounds.xml", text)
    (where / "corpus.toml").write_text('[human.rounds]\nwithout = ["bob"]\n', encoding="utf-8")
    assert [each for each in corpora.check(where) if re.search(told, each.message)]


@pytest.mark.parametrize("misspelt", ["fluency", "meaning"])
def test_a_name_is_told_with_the_aspect_in_which_it_is_rated(misspelt: str, tmp_path: Path) -> None:
    rows = [
        f"{line},{'AA' if name == 'A' and aspect == misspelt and line % 2 else name},{aspect},{50 + line}"
        for aspect in ("fluency", "meaning")
        for line in range(SIZE)
        for name in ("A", "C")
    ]
    text = "\n".join(["sentence,system,aspect,rating", *rows]) + "\n"
    found = corpora.load(folder(tmp_path / "corpus", "ratings.csv", text)).judgment_sets
    noted = [id for id, each in found.items() if any("may stand for 'A'" in note.text for note in each.remarks)]
    assert noted == [misspelt]


def test_an_undamaged_file_of_inline_verdicts_is_read(tmp_path: Path) -> None:
    where = folder(tmp_path / "corpus", INLINE, inline())
    assert [(one.sentence, one.systems, one.accepted) for one in corpora.load(where).verdicts] == [
        (4, ("A",), True),
        (4, ("B",), True),
        (4, ("C",), False),
    ]
    assert not [each for each in corpora.check(where) if INLINE in each.message]
    assert len(INLINE_DAMAGES) == 10


@pytest.mark.parametrize("damage", INLINE_DAMAGES)
def test_damaged_inline_verdicts_are_refused_or_left_out_with_their_place(damage: str, tmp_path: Path) -> None:
    change, told = INLINE_DAMAGES[damage]
    assert change(inline()) != inline()
    where = folder(tmp_path / "corpus", INLINE, change(inline()))
    said, *_ = [each for each in corpora.check(where) if INLINE in each.message]
    assert re.search(told, said.message)
    if list(INLINE_DAMAGES).index(damage) < 5:
        assert said.level == "error"
    else:
        assert said.message.endswith("it is left out.")
        assert len(corpora.load(where).verdicts) == 2
