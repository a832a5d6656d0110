"""`gec.compare`: plain arguments in, contributions that sum to the gap out."""

from pathlib import Path
from typing import Any

import pytest

import gec_core as gec
from gec_core.errors import CorpusError, InputError, MissingInput, UnknownMetric

SOURCES = ["he go home .", "they is big dogs .", "fine ."]
SYSTEMS = {
    "A": ["he goes home .", "they are big dogs .", "fine ."],
    "B": ["he go to home .", "they are a big dogs .", "fine indeed ."],
}
REFERENCES = [["he goes home .", "they are big dogs .", "fine ."]]


@pytest.fixture(scope="module")
def small() -> gec.Corpus:
    return gec.corpus(sources=SOURCES, systems=SYSTEMS, references=REFERENCES)


def test_every_table_sums_to_the_gaps(small: gec.Corpus) -> None:
    found = gec.compare(small, "A", "B", ["m2", gec.metric("sentm2")], by="fate", store=None)
    assert found.sides[0].gap.gap > 0
    for level in ("group", "sentence", "edit"):
        frame = found.frame(level)
        for side in found.sides:
            assert frame[side.gap.side].sum() == pytest.approx(side.gap.gap, abs=1e-9)
    assert {"missed", "elsewhere"} <= set(found.frame().index)
    assert str(found).startswith("M² puts A above B by ")


def test_sides_with_one_id_are_named_as_in_tables_of_scores(small: gec.Corpus) -> None:
    metrics = [gec.metric("m2"), gec.metric("m2", beta=1)]
    found = gec.compare(small, "A", "B", metrics, level="sentence", store=None)
    assert list(found.frame("sentence")) == list(gec.score(small, metrics, store=False).frame())
    assert list(found.frame("sentence")) == ["m2", "m2[beta=1.0]"]


def test_imported_scores_are_split_into_sentences(small: gec.Corpus, tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    rows = [f"{system}\t{line}\t{line * 0.25 if system == 'A' else 0.5}" for system in "AB" for line in range(3)]
    file.write_text("\n".join(["system\tsentence\tscore", *rows]) + "\n")
    found = gec.compare(small, "A", "B", scores=[file], store=None)
    assert found.frame("sentence")["mine"].tolist() == pytest.approx([-0.5 / 3, -0.25 / 3, 0])
    with pytest.raises(InputError, match="split into sentences only"):
        found.frame()


def test_a_side_that_cannot_be_split_is_left_out_with_a_warning(small: gec.Corpus) -> None:
    with pytest.warns(UserWarning, match="ew is left out"):
        found = gec.compare(small, "A", "B", "m2", human="ew", level="sentence", store=None)
    assert [side.gap.side for side in found.sides] == ["m2"]


@pytest.mark.parametrize(
    ("named", "error", "message"),
    [
        ({"metrics": []}, InputError, "name at least one metric"),
        ({"metrics": ["m3"]}, UnknownMetric, "m3"),
        ({"b": "C"}, CorpusError, "no system C. There are: A, B"),
        ({"b": "A"}, CorpusError, "the same system"),
        ({"level": "word"}, InputError, "level is 'word'; expected 'sentence' or 'edit'"),
        ({"by": "colour"}, InputError, "by is 'colour'"),
        ({"metrics": [], "human": "ew"}, MissingInput, "judgments"),
        ({"corpus": "no-such-corpus"}, CorpusError, "no-such-corpus"),
    ],
)
def test_errors_say_what_to_do(small: gec.Corpus, named: dict[str, Any], error: type[Exception], message: str) -> None:
    given: dict[str, Any] = {"corpus": small, "a": "A", "b": "B", "metrics": ["m2"], "store": None, **named}
    with pytest.raises(error, match=message):
        gec.compare(**given)


def test_frames_have_known_levels(small: gec.Corpus) -> None:
    found = gec.compare(small, "A", "B", "m2", level="sentence", store=None)
    with pytest.raises(InputError, match="expected 'group', 'sentence' or 'edit'"):
        found.frame("word")  # type: ignore[arg-type]
