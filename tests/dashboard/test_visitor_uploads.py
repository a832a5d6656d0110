# mypy: disable-error-code="union-attr"
"""What a visitor brings along: added, shown on every page, removed; and never another visitor's."""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from opening import chosen_metrics, opened, unfold
from opening import shown as everything_shown
from streamlit.testing.v1 import AppTest

from dashboard import session
from dashboard.components.messages import plain
from dashboard.navigation import PAGES
from dashboard.views import rankings
from gec_core import corpora
from gec_core.corpora.archive import zipped

QUICK = ["m2", "gleu"]
NAMES = [path.name for path in sorted(PAGES.glob("[0-8]*_*.py"))]
MINE = "my <b>new</b> *system*"
DEMO = corpora.load("demo")


def outputs() -> bytes:
    """FLUENT's outputs for the even sentences, NOARTICLE's for the odd ones."""
    fluent, careful = DEMO.outputs("FLUENT"), DEMO.outputs("NOARTICLE")
    return "".join(f"{(fluent, careful)[n % 2][n]}\n" for n in range(len(DEMO))).encode()


def visitor() -> AppTest:
    return AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=120)


def shown(app: AppTest) -> str:
    """All the text on the page, without the marks that keep markdown from being read."""
    return everything_shown(app).replace("\\", "")


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception, app.exception[0].stack_trace
    return app


def drop(app: AppTest, *files: Any) -> AppTest:
    app.file_uploader[0].set_value([(name, content, "text/plain") for name, content in files]).run()
    assert not app.exception, app.exception[0].stack_trace
    return app


def at_the_panel(bring: str = "outputs", **query: Any) -> AppTest:
    return opened(visitor(), "70_my_system.py", bring=bring, **({"corpus": "demo", "metrics": QUICK} | query))


def with_mine() -> AppTest:
    """A visitor who added a system to the demo corpus."""
    app = drop(at_the_panel(), ("new.txt.gz", gzip.compress(outputs())))
    app.text_input[0].set_value(MINE.replace("/", "∕")).run()
    return press(app, "Add this system")


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GEC_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def test_a_preview_says_what_was_understood() -> None:
    app = drop(at_the_panel(), ("new.txt", outputs()))
    text = shown(app)
    assert "86 lines · " in text
    assert f"{sum(len(line.split()) for line in outputs().decode().splitlines()):,} tokens" in text
    assert app.text_input[0].value == "new"


def without_buttons(app: AppTest) -> str:
    """The page with plain names where names can be clicked."""
    return re.sub(r"</?button[^>]*>", "", shown(app))


def test_the_added_system_is_on_every_page_and_nobody_elses() -> None:
    app = with_mine()
    name = MINE.replace("/", "∕")
    assert "Your uploads" in "".join(element.value for element in app.subheader)
    assert app.selectbox(key="analyse").value == name
    for page in NAMES:
        opened(app, page)
        assert not app.error, page
        assert name in app.multiselect(key="without").options
    opened(app, "20_rankings.py")
    row = without_buttons(app).split("<th scope=row>my &lt;b&gt;new&lt;∕b&gt; *system*</th>")[1]
    assert re.match(r"<td><span class=unjudged>not judged</span></td><td [^>]*>\(", row)
    assert "No judge has seen my <b>new<∕b> *system*. Ranks in brackets" in shown(app)
    for page in ("30_correlation.py", "40_agreement.py", "92_guess.py"):
        opened(app, page)
        assert "Not shown: my <b>new<∕b> *system*, which no judge has seen." in shown(app), page
    opened(app, "45_types.py")
    assert app.selectbox(key="errors_of").value == name
    opened(app, "60_sentence.py", sentence="0")
    chosen = app.selectbox(key="system")
    assert name in next(label for label in chosen.options if label.split(", ")[0] == chosen.value)
    assert app.query_params["mine"] == name
    other = opened(visitor(), "20_rankings.py", corpus="demo", metrics=QUICK)
    assert name not in other.multiselect(key="without").options


def test_a_judged_systems_ranks_and_arrows_do_not_depend_on_what_is_added() -> None:
    def arrows(app: AppTest) -> tuple[list[Any], dict[Any, Any], int]:
        opened(app, "20_rankings.py")
        table = shown(app).split("<tbody>")[1]
        ranked = re.findall(r"<td[^>]*>(\d+)<span class='arrow \w+'>([^<]+)<", table)
        assert len(ranked) == len(QUICK) * len(DEMO.systems)
        lines = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
        return ranked, {line["name"]: line["y"] for line in lines}, table.count("<tr")

    *alone, rows = arrows(opened(visitor(), "20_rankings.py", corpus="demo", metrics=QUICK))
    assert arrows(with_mine()) == (*alone, rows + 1)


def test_an_address_with_somebody_elses_system_says_so() -> None:
    app = opened(visitor(), "20_rankings.py", corpus="demo", metrics=[*QUICK, "theirs"], mine=["<i>Theirs</i>"])
    assert "This address refers to the system <i>Theirs</i> and scores called theirs" in shown(app)
    assert "theirs" not in chosen_metrics(app)
    opened(app, "30_correlation.py")
    opened(app, "40_agreement.py")
    assert "This address refers to" not in shown(app)
    app = opened(visitor(), "20_rankings.py", corpus="their corpus")
    assert "only they can see it" in shown(app)


def test_a_removed_system_is_gone() -> None:
    app = with_mine()
    app.multiselect(key="without").set_value([MINE.replace("/", "∕")]).run()
    press(app, "Remove")
    assert app.multiselect(key="without").value == []
    assert MINE.replace("/", "∕") not in app.multiselect(key="without").options
    assert not [button for button in app.get("download_button") if button.label == "Save as a corpus folder"]


def test_names_that_will_not_do_cannot_be_added() -> None:
    app = drop(at_the_panel(), ("new.txt", outputs()))
    for name in ("INPUT", "a/b", "–", ""):
        app.text_input[0].set_value(name).run()
        assert next(button for button in app.button if button.label == "Add this system").disabled, name
        assert app.error, name


def test_a_refused_file_is_told_with_its_line_and_cannot_be_added() -> None:
    app = drop(at_the_panel(), ("<b>new</b>.txt", b"caf\xe9\n"))
    assert "Rejected: <b>new</b>.txt:1: not UTF-8: byte 0xE9" in shown(app)
    assert next(button for button in app.button if button.label == "Add this system").disabled


def raw(lines: Sequence[str]) -> list[str]:
    """Lines with their punctuation joined to the words."""
    return [re.sub(r" ([.,?!;:])", r"\1", line) for line in lines]


def lined(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def test_raw_outputs_with_missing_lines_are_filled_and_then_tokenised() -> None:
    whole = outputs().decode().splitlines()
    app = drop(at_the_panel(), ("raw.txt", lined(line for n, line in enumerate(raw(whole)) if n not in (3, 40))))
    assert not [each for each in app.radio if each.label == "Tokenise"]
    next(each for each in app.checkbox if "Take the source where" in each.label).check().run()
    assert next(each for each in app.radio if each.label == "Tokenise").value == "like-source"
    press(app, "Add this system")
    filled = [DEMO.sentences[n].source if n in (3, 40) else line for n, line in enumerate(whole)]
    assert list(app.session_state["_uploads"].systems["demo"]["raw"]) == filled


def test_what_is_scored_for_refusals_is_told_beside_the_box_that_changes_it() -> None:
    lines = outputs().decode().splitlines()
    refusal = "I 'm sorry , but I ca n't help with that ."
    app = drop(at_the_panel(), ("new.txt", lined([refusal, refusal, *lines[2:]])))
    told = "Empty outputs and refusals (here 2) are scored as they stand now"
    assert told in shown(app)
    next(each for each in app.checkbox if "Take the source where" in each.label).check().run()
    assert told not in shown(app)
    press(app, "Add this system")
    assert app.session_state["_uploads"].systems["demo"]["new"][:2] == tuple(
        sentence.source for sentence in DEMO.sentences[:2]
    )


def test_another_column_is_tokenised_by_what_is_in_it() -> None:
    whole = outputs().decode().splitlines()
    rows = [{"output": line, "raw_output": joined} for line, joined in zip(whole, raw(whole), strict=True)]
    app = drop(at_the_panel(), ("two.jsonl", lined(map(json.dumps, rows))))
    assert not [each for each in app.radio if each.label == "Tokenise"]
    next(each for each in app.selectbox if each.label == "Column of outputs").select("raw_output").run()
    assert next(each for each in app.radio if each.label == "Tokenise").value == "like-source"


def test_a_raw_corpus_of_ones_own_is_tokenised() -> None:
    app = drop(
        at_the_panel(bring="corpus"),
        ("source.txt", lined(raw([sentence.source for sentence in DEMO.sentences]))),
        ("reference.txt", lined(raw([sentence.references[0] for sentence in DEMO.sentences]))),
        ("mine.txt", lined(raw(outputs().decode().splitlines()))),
    )
    assert [each.value for each in app.radio if each.label.startswith("Tokenise")] == ["treebank", "like-source"]
    press(app, "Open this corpus")
    corpus = app.session_state["_uploads"].corpora["my corpus"]
    assert "source.txt: tokenised by Penn Treebank rules" in corpus.notes[""][0].text
    assert corpus.notes["mine"][0].text.startswith("tokenised like the sources")
    for text in (corpus.sentences[0].source, corpus.sentences[0].references[0], corpus.outputs("mine")[0]):
        assert text.endswith(" .")


def test_a_corpus_of_ones_own() -> None:
    app = at_the_panel("corpus")
    drop(
        app, ("src.txt", b"a b\nc d\n"), ("ref.txt", b"a x\nc d\n"), ("A.txt", b"a x\nc d\n"), ("B.txt", b"a b\nc e\n")
    )
    assert "2 sentences · 4 tokens · 1 reference · 1 gold edit" in shown(app)
    app.text_input[0].set_value("demo").run()
    assert next(button for button in app.button if button.label == "Open this corpus").disabled
    app.text_input[0].set_value("my corpus").run()
    press(app, "Open this corpus")
    assert app.selectbox(key="corpus").value == "my corpus"
    opened(app, "20_rankings.py")
    assert "<th scope=row>A</th>" in without_buttons(app)
    opened(app, "30_correlation.py")
    assert "This corpus has no human judgments" in shown(app)
    opened(app, "70_my_system.py")
    press(app, "Remove")
    assert app.selectbox(key="corpus").value == "demo"


def test_the_language_of_a_corpus_of_ones_own_is_guessed_and_can_be_chosen() -> None:
    german = b"Ich habe das nicht gewusst , und er auch nicht .\nDas ist ein Haus .\n"
    app = drop(at_the_panel("corpus"), ("src.txt", german), ("ref.txt", german), ("A.txt", german))
    language = next(each for each in app.selectbox if each.label == "Language")
    assert language.options[0] == "German (guessed)"
    assert {"Dutch", "English"} <= set(language.options)
    language.select("nl").run()
    press(app, "Open this corpus")
    corpus = app.session_state["_uploads"].corpora["my corpus"]
    assert corpus.info.language == corpus.language == "nl"
    assert "Language: Dutch. Metrics made for English are off." in corpus.noted()


def test_a_guess_of_the_language_stays_a_guess() -> None:
    app = drop(at_the_panel("corpus"), ("src.txt", b"a b\nc d\n"), ("ref.txt", b"a x\nc d\n"), ("A.txt", b"a x\nc d\n"))
    assert next(each for each in app.selectbox if each.label == "Language").options[0] == "Not known"
    press(app, "Open this corpus")
    assert app.session_state["_uploads"].corpora["my corpus"].info.language == ""


def test_what_the_files_of_a_corpus_are_is_guessed_and_a_missing_source_is_asked_for() -> None:
    app = drop(at_the_panel("corpus"), ("SYSA.txt", b"a x\nc d\n"))
    assert "Which file has the sources?" in shown(app)
    assert not app.error
    app = drop(at_the_panel("corpus"), ("SYSA.txt", b"a x\n"), ("own_src.txt", b"a b\n"), ("own_ref.txt", b"a x\n"))
    assert "1 sentence · 2 tokens · 1 reference" in shown(app)


def test_the_zip_of_a_corpus_folder() -> None:
    app = drop(at_the_panel("corpus"), ("saved.zip", zipped(DEMO)))
    press(app, "Open this corpus")
    assert app.selectbox(key="corpus").value == "saved"
    opened(app, "30_correlation.py")
    assert not app.error


def test_outputs_cannot_be_added_to_scores_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    app = at_the_panel(corpus="conll14")
    assert "Outputs cannot be added to conll14 because its sources and references are not on this machine" in shown(app)
    assert not app.file_uploader


SYSTEM_SCORES = b"metric\tsystem\tscore\n" + b"".join(
    b"<i>Mine</i> %d\t%s\t%d\n".replace(b"/", b"\xe2\x88\x95") % (1, name.encode(), number)
    for number, name in enumerate(DEMO.systems)
)
SENTENCE_SCORES = b"system\tsentence\tscore\n" + b"".join(
    b"%s\t%d\t%d\n" % (system.encode(), number, len(output))
    for system, outputs in DEMO.systems.items()
    for number, output in enumerate(outputs)
)


@pytest.mark.parametrize("content", [SYSTEM_SCORES, SENTENCE_SCORES], ids=["systems", "sentences"])
def test_imported_scores_take_part_on_every_page(content: bytes) -> None:
    app = drop(at_the_panel("scores"), ("characters.tsv", content))
    press(app, "Add this metric")
    id = next(iter(chosen_metrics(app) - set(QUICK)))
    for page in NAMES:
        opened(app, page)
        assert not app.error, page
        assert id in chosen_metrics(app)
    left_out = "Not shown here: <i>Mine<∕i> 1"
    for page in ("40_agreement.py", "50_disagreements.py"):
        opened(app, page)
        assert (left_out in shown(app)) == (content is SYSTEM_SCORES)
    opened(app, "20_rankings.py")
    name = "&lt;i&gt;Mine&lt;∕i&gt; 1" if content is SYSTEM_SCORES else "characters"
    assert f">{name}</th>" in without_buttons(app)
    app.session_state[session._KEPT + rankings._CLICKED] = f"{id}{rankings.BETWEEN}CAREFUL"  # a click on a rank
    if content is SYSTEM_SCORES:
        assert "<i>Mine<∕i> 1 has scores of whole systems only." in shown(app.run())
    if content is SENTENCE_SCORES:
        opened(app, "50_disagreements.py", a=id, b="judges")
        assert app.selectbox(key="a").value == id
    other = opened(visitor(), "20_rankings.py", corpus="demo", metrics=QUICK)
    assert all(id not in picker.options for picker in other.pills)


MARKED = "*Mine* [x](y)"


def with_marked_scores() -> AppTest:
    """A visitor with a metric whose name is markdown, and whose scores of systems are not means of sentences."""
    rows = [{"metric": MARKED, "system": name, "score": 7} for name in DEMO.systems]
    for system, texts in DEMO.systems.items():
        rows += [
            {"metric": MARKED, "system": system, "sentence": n, "score": len(text)} for n, text in enumerate(texts)
        ]
    return press(drop(at_the_panel("scores"), ("mine.json", json.dumps(rows).encode())), "Add this metric")


def test_scores_that_are_not_means_of_sentences_are_left_out_of_the_analysis() -> None:
    app = opened(with_marked_scores(), "70_my_system.py", view="standing")
    assert f"{MARKED} is left out. Its scores of systems are not the means" in shown(app)
    frame = next(each.value for each in app.dataframe if "rank from" in each.value)
    assert list(frame["metric"]) == ["M²", "GLEU"]


def test_no_credits_are_offered_that_cannot_be_computed() -> None:
    app = opened(with_marked_scores(), "60_sentence.py")
    assert not [button.label for button in app.button if button.label == "Compute"]


def test_names_of_imported_metrics_are_no_markdown() -> None:
    app = opened(with_marked_scores(), "50_disagreements.py", a="mine-x-y", b="m2")
    unfold(app, "plot", "tallies")
    texts = [*(each.value for each in (*app.subheader, *app.markdown)), *app.segmented_control(key="tied").options]
    named = [text for text in (*texts, *(each.label for each in app.expander)) if "Mine" in text]
    assert len(named) >= 4
    assert all(plain(MARKED) in text and MARKED not in text for text in named)


def test_imported_scores_have_a_card_among_the_metrics() -> None:
    app = opened(with_marked_scores(), "95_metrics.py")
    (card,) = (each for each in app.subheader if each.value == plain(MARKED))
    assert f"[{plain(MARKED)}](#{card.anchor})" in everything_shown(app)
    assert f"{len(DEMO.systems)} systems; sentence scores for {len(DEMO.systems)} systems." in shown(app)
    assert MARKED not in shown(opened(visitor(), "95_metrics.py"))


def test_scores_of_few_systems_make_no_headline() -> None:
    app = at_the_panel("scores")
    some = b"metric\tsystem\tscore\n" + b"".join(b"few\t%s\t%d\n" % (name.encode(), n) for n, name in
                                              enumerate(["NOARTICLE", "FLUENT", "INPUT", "REPEAT"]))  # fmt: skip
    press(drop(app, ("few.tsv", some)), "Add this metric")
    opened(app, "10_overview.py")
    assert "few does not score every system." in shown(app)
    assert "M² and GLEU disagree most" in shown(app)
    assert "over 7 systems" in shown(app)
    assert "The correlation of few depends on" not in shown(app)


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (2, ["Too few systems to compare rankings."]),
        (
            1,
            [
                "Too few systems to compare rankings.",
                "This needs at least two judged systems",
                "This needs two systems",
            ],
        ),
    ],
)
def test_with_few_systems_left_findings_say_that_more_are_needed(left: int, told: list[str]) -> None:
    app = opened(visitor(), "10_overview.py", corpus="demo", metrics=QUICK, without=list(DEMO.systems)[left:])
    for words in told:
        assert words in shown(app)
    assert "Choose more metrics in the sidebar" not in shown(app)


def test_imported_scores_and_a_system_that_they_lack() -> None:
    app = with_mine()
    app.segmented_control(key="bring").set_value("scores").run()
    drop(app, ("characters.tsv", SENTENCE_SCORES))
    assert "no scores of my <b>new<∕b> *system*." in shown(app)
    press(app, "Add this metric")
    for page in NAMES:
        opened(app, page)
        assert not app.error, page
