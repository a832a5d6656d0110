"""Files of ratings: GMEG's, TMU-GFM's, and one rating per row."""

import csv
from pathlib import Path

import judged
import numpy as np
import pytest
from judged import DATA, needs_judged

from gec_core import corpora
from gec_core.corpora import judgment_sets, ratings
from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError
from gec_core.types import Ratings

SOURCES = ["a", "b", "c", "d", "e", "f"]
SYSTEMS = {"A": SOURCES, "INPUT": SOURCES, "B": ["x", "b", "x", "d", "x", "f"]}
WIDE = "A,src,B\n" + "".join(f"{n},{n},{n if n % 2 else 90 + n}\n" for n in range(6))
TMU = (
    "source,output,grammer,fluency,meaning,system,ave_g\n"
    'a,a,"4,0,2","1,1,1","4,4,4","A,src",3.0\na,x,"1,1,1","1,1,1","1,1,2",B,1.0\n'
)
LONG = "sentence,system,aspect,rater,rating\n0,A,,r1,10\n0,A,,r2,20\n0,B,,r1,5\n"


def read(tmp_path: Path, text: str, sources: list[str] = SOURCES) -> dict[str, Ratings]:
    path = tmp_path / "r.csv"
    path.write_text(text, encoding="utf-8")
    systems = {name: outputs[: len(sources)] for name, outputs in SYSTEMS.items()}
    return ratings.read(TextFile(path, "r.csv"), sources, systems, names={"src": "INPUT"})


def test_one_column_per_system(tmp_path: Path) -> None:
    found = read(tmp_path, WIDE.replace("5,5,5", "5,,5"))[""]
    assert found.systems == ("A", "INPUT", "B")
    assert found.means["A"] == 2.5
    assert found.means["INPUT"] == 2.0  # the mean of the cells that are there
    assert [len(item.ranked) for item in found.ranked("people").items] == [3, 3, 3, 3, 3, 2]
    assert [place.rank for place in found.ranked("people").items[0].ranked] == [2, 2, 1]


def test_aspects_with_raters_and_zeros_that_are_no_ratings(tmp_path: Path) -> None:
    found = read(tmp_path, TMU, ["a"])
    assert list(found) == ["grammaticality", "fluency", "meaning"]
    assert found["grammaticality"].means == {"A": 3.0, "INPUT": 3.0, "B": 1.0}
    each = found["grammaticality"].each
    assert each is not None
    assert each.shape == (3, 1, 3)


def test_one_rating_per_row_is_written_and_read(tmp_path: Path) -> None:
    found = read(tmp_path, LONG)[""]
    assert found.means == {"A": 15.0, "B": 5.0}
    assert ratings.numbering(TextFile(tmp_path / "r.csv", "r.csv")) == "every row has its number"
    again = read(tmp_path, ratings.write({"": found}))[""]
    np.testing.assert_array_equal(again.values, found.values)


def numbers(*sentences: int) -> str:
    return "sentence,system,rating\n" + "".join(f"{each},A,{each}\n" for each in sentences)


@pytest.mark.parametrize(
    ("sentences", "given", "first"),
    [
        ((0, 1, 5), None, 0),
        ((1, 2, 6), None, 1),  # there is no sentence 6 from 0 on
        ((3, 5), None, 0),
        ((1, 2, 5), 0, 0),
        ((1, 2, 5), 1, 1),
    ],
)
def test_numbers_of_sentences_from_0_or_1(
    tmp_path: Path, sentences: tuple[int, ...], given: int | None, first: int
) -> None:
    (tmp_path / "r.csv").write_text(numbers(*sentences))
    about = {"r": judgment_sets.About(first=given)}
    found = judgment_sets.read({"r": TextFile.at(tmp_path / "r.csv")}, {}, about, SOURCES, SYSTEMS).sets["r"]
    assert found.counted_from == first
    assert found.ratings is not None
    assert np.flatnonzero(~np.isnan(found.ratings.values[0])).tolist() == [each - first for each in sentences]


@pytest.mark.parametrize(
    ("sentences", "given", "message"),
    [
        ((1, 2, 5), None, r"r\.csv: the sentences are 1 to 5, and the corpus has 6: .* first = 0 or first = 1"),
        ((0, 1, 6), None, r"r\.csv:4: found '6' as a sentence; expected 0 to 5: they are counted from 0"),
        ((0, 1), 1, r"r\.csv:2: found '0' as a sentence; expected 1 to 6: they are counted from 1"),
    ],
)
def test_numbers_of_sentences_that_do_not_tell_or_fit(
    tmp_path: Path, sentences: tuple[int, ...], given: int | None, message: str
) -> None:
    (tmp_path / "r.csv").write_text(numbers(*sentences))
    about = {"r": judgment_sets.About(first=given)}
    with pytest.raises(CorpusError, match=message):
        judgment_sets.read({"r": TextFile.at(tmp_path / "r.csv")}, {}, about, SOURCES, SYSTEMS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WIDE.replace("92", "101"), r"r\.csv:4: found the rating '101'; expected a number from 0 to 100"),
        (WIDE.replace("90", "-1"), r"r\.csv:2: found the rating '-1'"),
        (WIDE.replace("90", "nan"), r"r\.csv:2: found the rating 'nan'"),
        (WIDE.replace("0,0,90\n", ""), r"5 rows of ratings, but the corpus has 6 sentences"),
        (WIDE[: len(WIDE) - 5], r"r\.csv:7: 1 columns, but the first line names 3"),
        (
            WIDE.replace("A,src,B", "X,Y,Z"),
            r"r\.csv:1: the columns 'X, Y, Z' are not systems of this corpus. The first line must name the columns",
        ),
        (WIDE.replace(",", ";"), "the columns 'A;src;B' are not systems of this corpus"),
        (WIDE.replace("A,src,B", "A,Sentence,B"), r"r\.csv:1: the column 'Sentence' is not a system of this corpus"),
        ("", "the file is empty. The first line must name the columns"),
        (WIDE.replace("A,src,B", "A,A,B"), "two columns have the same name"),
        (TMU.replace('"4,0,2"', '"5,0,2"'), r"r\.csv:2: found the rating '5'; expected a number from 0 to 4"),
        (TMU.replace(",3.0", ",2.0"), r"r\.csv:2: ave_g is 2\.0, but the mean of 4,0,2 is not"),
        (TMU.replace("meaning,", "sense,"), "the columns meaning are missing"),
        (TMU.replace("a,x,", "a,z,"), r"r\.csv:3: the output of B is 'z' here, but 'x' in sentence 1 of the corpus"),
        (TMU.replace("\na,", "\nq,"), r"no ratings of sentence 1 \('a'\)"),
        (LONG.replace("0,B", "7,B"), r"r\.csv:4: found '7' as a sentence; expected 0 to 5"),
        (LONG + "0,B,,r1,6\n", r"r\.csv:5: B has a rating of sentence 0 by this rater on a line above"),
    ],
)
def test_damaged_files_are_refused_with_the_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        read(tmp_path, text, ["a"] if text.startswith("source") else SOURCES)


@needs_judged
@pytest.mark.parametrize("domain", ["fce", "wiki"])
def test_means_of_gmeg_are_the_published_ones(tmp_path: Path, domain: str) -> None:
    corpus = corpora.load(judged.gmeg(tmp_path / domain, domain))
    assert corpus.ratings is not None
    with (DATA / "gmeg" / "data" / "dev" / f"{domain}-corpus-scores.csv").open(encoding="utf-8") as file:
        published = {row["system"].replace("source", "INPUT"): float(row["score"]) for row in csv.DictReader(file)}
    assert corpus.ratings.means == pytest.approx(published, abs=1e-9)


@needs_judged
def test_shifted_rows_of_gmeg_are_refused(tmp_path: Path) -> None:
    folder = judged.gmeg(tmp_path / "fce", "fce")
    path = folder / "human" / "ratings.csv"
    header, first, *rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([header, *rows, first, ""]), encoding="utf-8")
    with pytest.raises(CorpusError, match="the ratings do not fit the outputs"):
        corpora.load(folder)


@needs_judged
def test_averages_of_tmu_gfm_are_those_of_the_file() -> None:
    rows = ratings.read_tmu(TextFile.at(DATA / "tmu-gfm" / "tmu-gfm-dataset.csv"))  # refuses a mean that is another
    assert len(rows) == 4221
    places = ratings.placed(rows)
    assert len(places) == 1381
    assert sum(len(by_system) == 5 for _, by_system in places) == 1374


def test_pairs_with_a_misspelt_column_are_not_taken_for_ratings(tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    path.write_text("srcID,judgeID,system1Id,system1rank,system2Id,system2rank\n0,x,A,1,B,2\n", encoding="utf-8")
    assert not ratings.is_ratings(TextFile(path, "judgments.csv"))
    path.write_text(WIDE, encoding="utf-8")
    assert ratings.is_ratings(TextFile(path, "judgments.csv"))
