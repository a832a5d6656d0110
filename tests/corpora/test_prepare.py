"""One system's outputs in seven forms end in the same lines, or in a message that says what to do."""

import csv
import io
import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gec_core import corpora
from gec_core.corpora.prepare import Handling, MissingOutputs, prepare
from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError
from gec_core.models.causal_lm import detokenise
from gec_core.types import Corpus

SYSTEM = "EAGER"
LIKE = Handling(tokenise="like-source")
FILL = Handling(tokenise="like-source", fill=True)


@pytest.fixture(scope="module")
def demo() -> Corpus:
    return corpora.load("demo")


def lines_of(corpus: Corpus) -> list[str]:
    return list(corpus.systems[SYSTEM])


def raw(corpus: Corpus) -> list[str]:
    return [detokenise(line) for line in lines_of(corpus)]


def as_text(texts: list[str]) -> str:
    return "".join(f"{text}\n" for text in texts)


def as_jsonl(texts: list[str]) -> str:
    return as_text([json.dumps({"output": text}, ensure_ascii=False) for text in texts])


def as_csv(texts: list[str]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows([["number", "correction"], *enumerate(texts, 1)])
    return written.getvalue()


def with_curly_quotes(texts: list[str]) -> str:
    return as_text([text.replace("'", "’").replace(' "', " “").replace('"', "”") for text in texts]).replace(
        "\n", "\r\n"
    )


def with_a_preamble(texts: list[str]) -> str:
    return as_text(["Here is the corrected text:", "", *texts])


def shuffled(texts: list[str]) -> str:
    records = [json.dumps({"id": f"demo-{number}", "text": text}) for number, text in enumerate(texts, 1)]
    random.Random(3).shuffle(records)
    return as_text(records)


FORMS: dict[str, Callable[[list[str]], str]] = {
    "raw.txt": as_text,
    "mine.jsonl": as_jsonl,
    "mine.csv": as_csv,
    "windows.txt": with_curly_quotes,
    "preamble.txt": with_a_preamble,
    "shuffled.jsonl": shuffled,
    "list.json": json.dumps,
}


def written(path: Path, text: str) -> TextFile:
    path.write_bytes(text.encode())
    return TextFile.at(path)


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_tokens_of_the_clean_file(demo: Corpus, name: str, tmp_path: Path) -> None:
    done = prepare(written(tmp_path / name, FORMS[name](raw(demo))), demo, LIKE)
    different = [
        number for number, pair in enumerate(zip(done.lines, lines_of(demo), strict=True), 1) if len(set(pair)) > 1
    ]
    assert len(different) <= 1, [(done.lines[number - 1], lines_of(demo)[number - 1]) for number in different]


def test_missing_lines_are_found_and_can_be_filled(demo: Corpus, tmp_path: Path) -> None:
    gone = (3, 40, 71)
    file = written(tmp_path / "gaps.txt", as_text([text for place, text in enumerate(raw(demo)) if place not in gone]))
    with pytest.raises(MissingOutputs, match="sentences 4, 41, 72"):
        prepare(file, demo, LIKE)
    done = prepare(file, demo, FILL)
    assert done.filled == gone
    assert [done.lines[place] for place in gone] == [demo.sentences[place].source for place in gone]
    assert "3 outputs missing" in done.notes[0].text


def test_ids_that_do_not_fit_are_all_named(demo: Corpus, tmp_path: Path) -> None:
    records = [{"id": number, "output": text} for number, text in enumerate(raw(demo), 1)]
    records[5]["id"], records[6]["id"], records[7]["id"] = 3, 3, 900
    file = written(tmp_path / "ids.jsonl", as_text([json.dumps(record) for record in records]))
    with pytest.raises(
        CorpusError,
        match=r"2 ids twice: 3, 3; 1 id that no sentence has: 900; 3 sentences without an output: 6, 7, 8\.",
    ):
        prepare(file, demo)


def test_raw_outputs_carry_a_caution_and_tokenised_ones_none(demo: Corpus, tmp_path: Path) -> None:
    done = prepare(written(tmp_path / "raw.txt", as_text(raw(demo))), demo)
    assert done.raw
    assert done.notes[0].caution
    clean = prepare(written(tmp_path / "clean.txt", as_text(lines_of(demo))), demo)
    assert clean.lines == tuple(lines_of(demo))
    assert not clean.raw
    assert not clean.notes


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("edits.m2", "S He go .\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\n", "M2 file"),
        ("page.txt", "<html><body>He goes .</body></html>\n", "XML or HTML"),
        ("broken.jsonl", '{"output": "He goes ."}\n{"output": \n', "not JSON"),
        ("cut.json", '[{"output": "He goes ."}, {"outp', "not complete JSON"),
    ],
)
def test_another_format_is_never_read_as_text(demo: Corpus, tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        prepare(written(tmp_path / name, text), demo)


def as_table(columns: dict[str, Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([columns, *zip(*columns.values(), strict=True)])
    return out.getvalue()


@pytest.mark.parametrize("mine", ["corrected text", "Corrected-Text", "gpt4", "my model", "gpt4_answer"])
@pytest.mark.parametrize("theirs", ["reference", "Gold", "ref_1", "human reference"])
def test_references_are_never_taken_for_outputs(demo: Corpus, tmp_path: Path, mine: str, theirs: str) -> None:
    references = [each.references[0] for each in demo.sentences]
    table = as_table({"source": [each.source for each in demo.sentences], theirs: references, mine: lines_of(demo)})
    done = prepare(written(tmp_path / "mine.csv", table), demo)
    assert done.lines == tuple(lines_of(demo))
    assert "a guess" not in " ".join(done.told)
    numbers = [str(number) for number in range(1, len(demo) + 1)]
    file = written(tmp_path / "only.csv", as_table({"id": numbers, theirs: references}))
    with pytest.raises(CorpusError, match="no column of outputs"):
        prepare(file, demo)


def test_a_guess_between_columns_is_told(demo: Corpus, tmp_path: Path) -> None:
    systems = {"model_a": lines_of(demo), "model_b": list(demo.systems["FLUENT"])}
    table = as_table({"sentence": [each.source for each in demo.sentences], **systems})
    told = " ".join(prepare(written(tmp_path / "two.csv", table), demo).told)
    assert re.search(r"column 'model_(.)' \(a guess: 'model_(?!\1).' may hold the outputs, too; name the column", told)
    again = prepare(written(tmp_path / "two.csv", table), demo, Handling(column="model_a"))
    assert "a guess" not in " ".join(again.told)


def test_a_column_can_be_chosen(demo: Corpus, tmp_path: Path) -> None:
    rows = [
        {"src": each.source, "a": line, "b": each.source}
        for each, line in zip(demo.sentences, lines_of(demo), strict=True)
    ]
    file = written(tmp_path / "two.jsonl", as_text([json.dumps(row) for row in rows]))
    assert prepare(file, demo, Handling(column="a")).lines == tuple(lines_of(demo))
    assert prepare(file, demo, Handling(column="b")).lines == tuple(each.source for each in demo.sentences)
    with pytest.raises(CorpusError, match="no column 'c'"):
        prepare(file, demo, Handling(column="c"))


def test_parquet_is_read(demo: Corpus, tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"prediction": lines_of(demo)}), tmp_path / "mine.parquet")
    assert prepare(TextFile.at(tmp_path / "mine.parquet"), demo).lines == tuple(lines_of(demo))
