"""Answers of language models: every ugly form ends in the clean outputs, or in a caution that names the sentences."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gec_core import corpora
from gec_core.corpora.answers import cleaned, outputs_in
from gec_core.corpora.prepare import Handling, MissingOutputs, Prepared, prepare
from gec_core.corpora.records import Records
from gec_core.corpora.records import read as records_of
from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError
from gec_core.models.causal_lm import detokenise
from gec_core.types import Corpus

SYSTEM = "EAGER"


@pytest.fixture(scope="module")
def demo() -> Corpus:
    return corpora.load("demo")


@pytest.fixture(scope="module")
def raw(demo: Corpus) -> list[str]:
    return [detokenise(line) for line in demo.systems[SYSTEM]]


def read(text: str, corpus: Corpus, folder: Path, name: str = "answers.txt", **how: bool) -> Prepared:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return prepare(TextFile.at(path), corpus, Handling(tokenise="like-source", **how))  # type: ignore[arg-type]


def each(shape: str) -> Callable[[list[str]], str]:
    return lambda texts: "".join(f"{shape.format(n=number, text=text)}\n" for number, text in enumerate(texts, 1))


def records(key: str, shape: str) -> Callable[[list[str]], str]:
    return lambda texts: "".join(f"{json.dumps({key: shape.format(text=text)})}\n" for text in texts)


def batch(texts: list[str]) -> str:
    """What an interface for batches of requests returns, in another order."""
    lines = [
        json.dumps({"id": f"batch_req_{number * 977:x}", "custom_id": f"request-{number}",
                    "response": {"body": {"choices": [{"message": {"role": "assistant", "content": text}}]}}})
        for number, text in enumerate(texts, 1)
    ]  # fmt: skip
    return "\n".join(reversed(lines))


UGLY: dict[str, Callable[[list[str]], str]] = {
    "fences": lambda texts: f"```text\n{each('{text}')(texts)}```\n",
    "a preamble and fences": lambda texts: f"Sure! Here you go:\n\n```\n{each('{text}')(texts)}```\nLet me know!\n",
    "numbers": each("{n}. {text}"),
    "numbers in brackets": each("[{n}] {text}"),
    "bold numbers": each("**{n}.** {text}"),
    "numbers and blank lines": each("{n}) {text}\n"),
    "numbers and explanations": each("{n}. {text}\n   Explanation: I changed the verb."),
    "blank lines": each("{text}\n"),
    "labels": each("Corrected: {text}"),
    "labels in bold": each("**Corrected sentence:** {text}"),
    "polite labels": each("Sure! Here is the corrected sentence: {text}"),
    "quotation marks": each("“{text}”"),
    "asterisks": each("**{text}**"),
    "bullets": each("- {text}"),
    "tags": each("<corrected>{text}</corrected>"),
    "explanations": each("{text} (Changed the verb to agree with its subject.)"),
    "explanations after a label": each("{text} Explanation: the verb has to agree."),
    "comments between": each("{text}\nNote: I changed the tense."),
    "source and output": each("Original: x\nCorrected: {text}"),
    "entities": lambda texts: each("{text}")([text.replace("'", "&#39;").replace('"', "&quot;") for text in texts]),
    "JSONL of several lines": records("output", "Here is the corrected text:\n\n{text}\n\nI hope this helps!"),
    "JSONL with fences": records("response", "```\n{text}\n```"),
    "JSONL with thoughts": records("completion", "<think>\nThe verb is wrong.\n</think>\n{text}"),
    "JSON in fences": lambda texts: f"Here is the list:\n```json\n{json.dumps(texts, indent=1)}\n```\n",
    "JSONL after a preamble": lambda texts: f"Here are the results:\n{records('text', '{text}')(texts)}",
    "a batch": batch,
    "JSON in answers": lambda texts: records("content", "{text}")([json.dumps({"corrected": text}) for text in texts]),
    "fenced JSON in answers": lambda texts: records("answer", "```json\n{text}\n```")(
        [json.dumps({"errors": 2, "corrected": text}) for text in texts]
    ),
    "conversations": lambda texts: "\n".join(
        json.dumps(
            {
                "prompt": f"Correct this: {text} x",
                "messages": [{"role": "user", "content": "Correct this"}, {"role": "assistant", "content": text}],
            }
        )
        for text in texts
    ),
    "lists of one answer": lambda texts: "\n".join(json.dumps({"text": [text]}) for text in texts),
    "records under a name": lambda texts: json.dumps(
        {"model": "some", "results": [{"idx": at, "prediction": text} for at, text in reversed([*enumerate(texts)])]}
    ),
    "a table in Markdown": lambda texts: "| # | Corrected |\n|---|:--|\n" + each("| {n} | {text} |")(texts),
}


@pytest.mark.parametrize("name", UGLY)
def test_an_ugly_form_ends_in_the_clean_outputs(demo: Corpus, raw: list[str], name: str, tmp_path: Path) -> None:
    done = read(UGLY[name](raw), demo, tmp_path)
    assert list(done.lines) == list(demo.systems[SYSTEM])
    assert done.told
    assert not any(note.caution for note in done.notes)


@pytest.mark.parametrize("rows", [6, 5])
@pytest.mark.parametrize("row", ["| {n} | {text}", "{n} | {text} |", "{n} | {text}"])
def test_rows_of_a_table_in_markdown_need_no_bars_at_their_ends(rows: int, row: str, tmp_path: Path) -> None:
    lines = [f"| {number} | word {number} |" for number in range(1, rows + 1)]
    for open_row in (2, rows):
        path = tmp_path / "table.md"
        without = row.format(n=open_row, text=f"word {open_row}")
        changed = [*lines[: open_row - 1], without, *lines[open_row:]]
        path.write_text("\n".join(["Here it is:", "", "| id | output |", "|---|---|", *changed, "", "Good luck!"]))
        assert records_of(TextFile.at(path)).texts == tuple(f"word {number}" for number in range(1, rows + 1))


@pytest.mark.parametrize("row", ["| 3", "| 3 | word | 3", "and more of word 2", "3 word 3 |"])
def test_a_row_of_a_table_in_markdown_that_does_not_fit_is_named(row: str, tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    path.write_text("\n".join(["| id | output |", "|---|---|", "| 1 | a b |", "| 2 | c d |", row, "| 4 | e f |"]))
    with pytest.raises(CorpusError, match=r"table\.md.*5.*but the heading has 2"):
        records_of(TextFile.at(path))


PROMPT = "Correct the grammar of this sentence: "


@pytest.mark.parametrize(
    "record",
    [
        lambda text: {"body": {"instruction": f"{text} {text}"}, "answer_value": text},
        lambda text: {"prompt": {"content": f"{PROMPT}{text} x"}, "response": {"content": text}},
        lambda text: {"body": {"messages": [{"role": "user", "content": f"{PROMPT}{text}"}]}, "made": text},
    ],
)
def test_a_prompt_is_not_taken_for_the_output(
    demo: Corpus, raw: list[str], record: Callable[[str], object], tmp_path: Path
) -> None:
    done = read("".join(f"{json.dumps(record(text))}\n" for text in raw), demo, tmp_path, "answers.jsonl")
    assert list(done.lines) == list(demo.systems[SYSTEM])


def test_outputs_of_one_word_beside_prompts(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    path.write_text("".join(f'{{"prompt": "{PROMPT}{word}s", "out": "{word}"}}\n' for word in ("go", "see")))
    assert records_of(TextFile.at(path)).texts == ("go", "see")


@pytest.mark.parametrize(
    "record",
    [
        {"prompt": "Correct this sentence ."},
        {"id": 1, "request": {"instruction": "Correct this sentence ."}},
        {"messages": [{"role": "user", "content": "Correct this sentence ."}]},
        {"messages": [{"role": "assistant", "content": "An example ."}, {"role": "User", "content": "Correct this ."}]},
        {"messages": [{"role": "developer", "content": "Correct this sentence ."}]},
    ],
)
def test_a_file_of_prompts_alone_is_refused(record: object, tmp_path: Path) -> None:
    path = tmp_path / "prompts.jsonl"
    path.write_text(f"{json.dumps(record)}\n" * 3)
    with pytest.raises(CorpusError, match=r"prompts\.jsonl.*no column of outputs, only prompts, sources or references"):
        records_of(TextFile.at(path))


def test_what_was_removed_stays_beside_the_scores(demo: Corpus, raw: list[str], tmp_path: Path) -> None:
    done = read(each("Corrected: {text}")(raw), demo, tmp_path)
    assert done.notes[0].text == (
        f"removed labels such as 'Corrected:' from {len(raw)} outputs, the first for sentence 1"
    )
    kept = read(each("Corrected: {text}")(raw), demo, tmp_path, verbatim=True)
    assert all(line.startswith("Corrected :") for line in kept.lines)


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, but I can't help with that.",
        "I 'm sorry , but I ca n't help with that .",
        "I ca n’t correct this .",
        "As an AI language model, I cannot judge this.",
        "No changes needed.",
        "The sentence is already grammatically correct.",
        "There are no errors in this sentence.",
        "N/A",
        "",
    ],
)
def test_answers_that_correct_nothing_are_marked_and_can_be_filled(
    demo: Corpus, raw: list[str], answer: str, tmp_path: Path
) -> None:
    answers = [answer if place in (3, 70) else text for place, text in enumerate(raw)]
    text = each("{text}")(answers)
    done = read(text, demo, tmp_path)
    assert done.unanswered == (3, 70)
    (note,) = [note for note in done.notes if note.caution]
    assert "sentences 4, 71" in note.text
    assert not answer or "scored as rewritten sentences (as unchanged ones if" in note.text
    filled = read(text, demo, tmp_path, fill=True)
    assert filled.filled == (3, 70)
    assert [filled.lines[place] for place in (3, 70)] == [demo.sentences[place].source for place in (3, 70)]
    assert not any(note.caution for note in filled.notes)


def test_a_gap_in_the_numbers_is_named(demo: Corpus, raw: list[str], tmp_path: Path) -> None:
    lines = each("{n}. {text}")(raw).split("\n")
    del lines[9]
    with pytest.raises(MissingOutputs, match="No output for sentence 10"):
        read("\n".join(lines), demo, tmp_path)


def test_a_preamble_does_not_hide_a_missing_line(demo: Corpus, raw: list[str], tmp_path: Path) -> None:
    with pytest.raises(MissingOutputs, match="No output for sentence 5"):
        read(each("{text}")(["Here are the corrections:", *raw[:4], *raw[5:]]), demo, tmp_path)


def test_a_comment_in_the_middle_is_dropped_and_another_line_is_not(
    demo: Corpus, raw: list[str], tmp_path: Path
) -> None:
    done = read(each("{text}")([*raw[:7], "Note: the next one is hard.", *raw[7:]]), demo, tmp_path)
    assert list(done.lines) == list(demo.systems[SYSTEM])
    assert "Note: the next one is hard." in done.told[0]
    with pytest.raises(CorpusError, match="an extra line before it"):
        read(each("{text}")([*raw[:7], "Colourless green ideas.", *raw[7:]]), demo, tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("| 1 | He goes . |\n| 2 | She goes . |\n", "table in Markdown without a heading"),
        ("| # | text |\n|---|---|\n| 1 | He | goes . |\n", "table.md:3: 3 columns, but the heading has 2"),
        ("| # | # |\n|---|---|\n| 1 | He goes . |\n", "table in Markdown without a heading"),
    ],
)
def test_a_broken_table_in_markdown_is_refused(demo: Corpus, tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        read(text, demo, tmp_path, "table.md")


def test_the_column_of_an_answer_in_json_can_be_chosen(demo: Corpus, raw: list[str], tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(
        "\n".join(json.dumps({"content": json.dumps({"corrected": "no", "final": text})}) for text in raw)
    )
    how = Handling(tokenise="like-source", column="content.final")
    done = prepare(TextFile.at(tmp_path / "x.jsonl"), demo, how)
    assert list(done.lines) == list(demo.systems[SYSTEM])


def test_a_table_without_a_heading_is_read_by_its_cells(demo: Corpus, raw: list[str], tmp_path: Path) -> None:
    done = read(each('{n},"{text}"')([text.replace('"', '""') for text in raw]), demo, tmp_path, "mine.csv")
    assert list(done.lines) == list(demo.systems[SYSTEM])
    assert "column 'column 2', in the order of the ids" in done.told[0]


@pytest.mark.parametrize(
    "text",
    [
        "He said : the answer is 42 .",
        "1. The first point is clear .",
        "Note that he was sorry .",
        "I can not do it .",
        "The sentence is long ( unchanged ) .",
        "* He ** goes -> home",
        "Output : 5 % of it .",
        "AT&amp;T pays .",
    ],
)
def test_what_the_source_has_as_well_is_no_ornament(text: str) -> None:
    done = cleaned([text, "He goes ."], [text, "He go ."])
    assert done.texts == (text, "He goes .")
    assert not done.told
    assert not done.unanswered


@pytest.mark.parametrize(
    "answer",
    [
        'Sure! Corrected: "{}"',
        'Sure ! Corrected : " {} "',
        'Sure! Corrected: "{}"\nLet me know if you need more help!',
        "Here is the corrected sentence:\n\n“{}”",
        "Corrected: '{}'",
        'Corrected: **"{}"**',
        '"{}" (Changed the verb.)',
    ],
)
@pytest.mark.parametrize("text", ["He goes to school.", "It's the dog that he likes.", 'She said "yes" to him.'])
def test_quotation_marks_of_an_answer_go_with_its_label_however_few_have_them(answer: str, text: str) -> None:
    others = [f"Plain number {number} is fine." for number in range(9)]
    done = cleaned([answer.format(text), *others], [text.replace("e", "ee", 1), *others])
    assert done.texts == (text, *others)
    assert "removed quotation marks around them from 1 output, the first for sentence 1" in done.told


@pytest.mark.parametrize(
    ("answer", "source", "output"),
    [
        ('Corrected: "Yes," he said, "he goes."', "Yes he said he go.", '"Yes," he said, "he goes."'),
        ('Corrected : " Yes , " he said , " he goes . "', "Yes he said he go .", '" Yes , " he said , " he goes . "'),
        ('Corrected: "He goes."', '"He go."', '"He goes."'),
        ("Corrected: `` He goes . ''", "`` He go . ''", "`` He goes . ''"),
        ('"He goes."', "He go.", '"He goes."'),
    ],
)
def test_quotation_marks_that_belong_to_the_output_stay(answer: str, source: str, output: str) -> None:
    done = cleaned([answer, "Fine.", "Good."], [source, "Fine.", "Good."])
    assert done.texts[0] == output


def test_outputs_of_the_demo_stay_as_they_are(demo: Corpus) -> None:
    sources = [sentence.source for sentence in demo.sentences]
    for outputs in demo.systems.values():
        found, told = outputs_in(Records("text", outputs), sources)
        assert not told
        assert cleaned(found.texts, sources).texts == outputs
