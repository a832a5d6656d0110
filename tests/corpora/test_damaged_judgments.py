"""Damaged files of judgments: each is refused, or repaired, with a message that names the place."""

import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from gec_core import corpora
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
            "one id off the end": (lambda t: t.replace('src-id="11"', 'src-id="99"'), "99"),
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
            "no rank": (lambda t: t.replace('rank="3" ', "", 1), "rank"),
            "no system": (lambda t: t.replace(' system="C"', "", 1), "system"),
            "no id": (lambda t: t.replace('src-id="4" ', ""), "src-id"),
            "a rank that is no number": (lambda t: t.replace('rank="3"', 'rank="best"', 1), "best"),
            "half a file": (lambda t: t[: len(t) // 2], "XML"),
            "nothing": (lambda _: "", "empty|XML"),
        },
    ),
    "pairs": (
        "pairs.csv",
        pairs,
        {
            "shifted ids": (lambda t: re.sub(r"\n(\d)", r"\n1\1", t), "sentences that the corpus does not have"),
            "one id off the end": (lambda t: t.replace("\n11,", "\n99,"), "99"),
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
            "half a file": (lambda t: t[: len(t) // 2].rpartition(",")[0] + "\n", "columns"),
        },
    ),
    "a table of ratings": (
        "ratings.csv",
        gmeg,
        {
            "a rating of 101": (lambda t: t.replace("90.5", "101", 1), "101"),
            "a negative rating": (lambda t: t.replace("90.5", "-1", 1), "-1"),
            "a word": (lambda t: t.replace("90.5", "good", 1), "good"),
            "not a number": (lambda t: t.replace("90.5", "nan", 1), "nan"),
            "a missing row": (lambda t: t.replace("90.5,70,4\n", ""), "11 rows"),
            "a row too many": (lambda t: t + "1,2,3\n", "13 rows"),
            "a missing cell": (lambda t: t.replace("90.5,70,4", "90.5,4"), "2 columns"),
            "a column twice": (lambda t: t.replace("A,B,C", "A,B,B"), "same name"),
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
            "a rating of 101": (lambda t: t.replace("0,A,50", "0,A,101"), "101"),
            "a word": (lambda t: t.replace("0,A,50", "0,A,good"), "good"),
            "an empty rating": (lambda t: t.replace("0,A,50", "0,A,"), "rating"),
            "shifted ids": (lambda t: t.replace("\n11,", "\n12,"), "12"),
            "a negative id": (lambda t: t.replace("\n0,A", "\n-1,A"), "-1"),
            "an id that is no number": (lambda t: t.replace("\n0,A", "\nfirst,A"), "first"),
            "the same twice": (lambda t: t + "0,A,50\n", "line above"),
            "a column too many": (lambda t: t.replace("0,A,50", "0,A,50,60"), "4 columns"),
            "half a row": (lambda t: t.rstrip("\n").rpartition(",")[0] + "\n", "2 columns"),
            "an open quote": (lambda t: t.replace("0,A,50", '0,"A,50'), "CSV"),
        },
    ),
    "ratings of texts": (
        "gfm.csv",
        tmu,
        {
            "a rating of 5": (lambda t: t.replace('"4,3"', '"5,3"', 1), "5"),
            "a word": (lambda t: t.replace('"4,3"', '"4,good"', 1), "good"),
            "another mean": (lambda t: t.replace(",3.5,", ",3.6,", 1), "3.6"),
            "no system": (lambda t: t.replace(",A,3.5", ",,3.5", 1), "no system"),
            "no column of outputs": (lambda t: t.replace("output,", "text,", 1), "column"),
            "no column of fluency": (lambda t: t.replace("fluency,", "flow,", 1), "fluency"),
            "another file's outputs": (lambda t: t.replace("It is number 4", "It has number 4"), "sentence 5"),
            "other sources": (lambda t: t.replace("It are", "They are"), "no ratings of sentence 1"),
            "a missing cell": (lambda t: t.replace(",3.5,4.0,3.0", ",3.5,4.0", 1), "columns"),
            "half a file": (lambda t: t[: len(t) // 3], "columns|CSV|no ratings"),
        },
    ),
    "verdicts": (
        "edits.tsv",
        verdicts,
        {
            "shifted ids": (lambda t: t.replace("\n11\t", "\n12\t"), "12"),
            "a negative id": (lambda t: t.replace("\n3\t", "\n-3\t"), "-3"),
            "an id that is no number": (lambda t: t.replace("\n3\t", "\nx\t"), "x"),
            "a verdict that is none": (lambda t: t.replace("True", "Maybe", 1), "Maybe"),
            "an empty verdict": (lambda t: t.replace("\tTrue", "\t", 1), "expected"),
            "a start that is no number": (lambda t: t.replace("\t1\t2", "\tone\t2", 1), "one"),
            "no end": (lambda t: t.replace("\t1\t2", "\t1\t", 1), "expected"),
            "no column of judges": (lambda t: t.replace("judge", "who", 1), "judge"),
            "half a row": (lambda t: t[: t.rindex("\tis")] + "\n", "expected"),
            "no heading": (lambda t: t.partition("\n")[2], "columns"),
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
    assert len(damages) == 10


@pytest.mark.parametrize(("kind", "damage"), [(kind, each) for kind, (_, _, all) in FORMATS.items() for each in all])
def test_a_damaged_file_is_refused_by_name_and_place(kind: str, damage: str, tmp_path: Path) -> None:
    name, make, damages = FORMATS[kind]
    change, told = damages[damage]
    damaged = change(make())
    assert damaged != make()
    with pytest.raises(CorpusError, match=told) as refused:
        corpora.load(folder(tmp_path / "corpus", name, damaged))
    assert name in str(refused.value)


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
