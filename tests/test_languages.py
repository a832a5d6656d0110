"""Languages: guesses, what is off where, and characters as tokens; the texts are made up for this test."""

from pathlib import Path

import pytest
from conftest import ROOT

import gec_core as gec
from gec_core import languages
from gec_core.corpora.prepare import prepare
from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError
from gec_core.explain.credit import corpus_edits, output_edits
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.types import Corpus, CorpusInfo, Sentence

FOLDER = ROOT / "tests" / "data" / "languages"
ANY_LANGUAGE = {"m2", "sentm2", "gleu", "imeasure", "bleu", "green"}
ENGLISH_ONLY = {"errant", "senterrant", "gotoscorer", "ptm2", "bertscore", "scribendi", "asano", "asano-grammar"}


@pytest.mark.parametrize("language", ["de", "zh", "ar", "uk"])
def test_other_languages_are_scored_by_what_knows_no_language(language: str) -> None:
    corpus = gec.corpus(FOLDER / language)
    assert corpus.language == language
    table = score(corpus, [create(id) for id in sorted(ANY_LANGUAGE | ENGLISH_ONLY)])
    assert {column.metric.id for column in table.columns} == ANY_LANGUAGE
    assert all(languages.name(language) in problem for problem in table.problems.values())
    assert any("gec_lens.metrics" in table.problems[id] for id in ("errant", "senterrant"))
    assert "--option ptm2.model=" in table.problems["ptm2"]
    assert corpus.noted()[0].startswith(f"Language: {languages.name(language)} (guessed")
    edits = output_edits(corpus.sentences[1].source, corpus.systems["MINE"][1])
    assert edits
    assert not any(edit.type for edit in edits)
    with pytest.raises(gec.GecLensError, match="rules are English"):
        corpus_edits(corpus)


def test_a_named_model_is_the_users_choice() -> None:
    assert create("ptm2").unsuited("de")
    assert not create("ptm2", {"model": "some-multilingual-model"}).unsuited("de")
    assert not create("ptm2").unsuited("en")
    assert not create("errant").unsuited("")  # unknown: as before


def test_texts_without_spaces_are_compared_by_characters(tmp_path: Path) -> None:
    corpus = gec.corpus(FOLDER / "zh")
    assert corpus.sentences[1].source == "他 很 高 兴 的 回 家 了 。"
    assert [edit.correction for edit in corpus.sentences[1].annotations[0].edits] == ["地"]
    assert any("character by character" in note for note in corpus.noted())
    one = score(corpus, [create("sentm2")]).columns[0].sentence_scores("MINE")
    assert one[1] == 1
    # Outputs that come later are split in the same way without being asked for.
    file = tmp_path / "later.txt"
    file.write_text((FOLDER / "zh" / "systems" / "MINE.txt").read_text(encoding="utf-8"), encoding="utf-8")
    assert prepare(TextFile.at(file), corpus).lines == corpus.systems["MINE"]


def test_a_segmentation_that_is_given_is_kept() -> None:
    corpus = gec.corpus(sources=["他 很 高兴 的 回家 了 。"], references=[["他 很 高兴 地 回家 了 。"]], systems={})
    assert corpus.sentences[0].source == "他 很 高兴 的 回家 了 。"
    assert not corpus.notes


def test_lists_without_spaces_are_compared_by_characters_too() -> None:
    corpus = gec.corpus(
        sources=["他很高兴的回家了。"], references=[["他很高兴地回家了。"]], systems={"A": ["他回家了。"]}
    )
    assert corpus.sentences[0].source == "他 很 高 兴 的 回 家 了 。"
    assert corpus.systems["A"] == ("他 回 家 了 。",)
    assert [edit.correction for edit in corpus.sentences[0].annotations[0].edits] == ["地"]
    lines = ["他很高兴地回家了。"] * 20
    assert gec.corpus(FOLDER / "zh", systems={"B": lines}).systems["B"][0] == "他 很 高 兴 地 回 家 了 。"


def test_lists_are_split_by_characters_as_files_are(tmp_path: Path) -> None:
    corpus, lines = gec.corpus(FOLDER / "zh"), ["他说“好”……", "他买了3本book,很高兴!"] * 10
    file = tmp_path / "B.txt"
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    found = gec.corpus(FOLDER / "zh", systems={"B": lines}).systems["B"]
    assert found == prepare(TextFile.at(file), corpus).lines
    assert found[1] == "他 买 了 3 本 book , 很 高 兴 !"


def test_what_is_said_and_what_it_looks_like() -> None:
    german = tuple(Sentence(line) for line in (FOLDER / "de" / "source.txt").read_text(encoding="utf-8").splitlines())
    said = Corpus("mine", german, info=CorpusInfo(language="en"))
    assert said.language == "en"
    assert "said to be English, but its sources look like German" in said.noted()[0]
    assert Corpus("mine", german, info=CorpusInfo(language="de-AT")).noted() == [
        "Language: German. Metrics made for English are off."
    ]


def test_outputs_in_another_language_are_marked(tmp_path: Path) -> None:
    file = tmp_path / "wrong.txt"
    file.write_text((FOLDER / "uk" / "source.txt").read_text(encoding="utf-8"), encoding="utf-8")
    try:
        notes = prepare(TextFile.at(file), gec.corpus(FOLDER / "de")).notes
    except CorpusError as problem:
        pytest.fail(str(problem))
    assert any(note.caution and "looks like Ukrainian, while de is German" in note.text for note in notes)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("He go to school and he see the teacher .", "en"),
        ("However , social media may do some harm to people 's life .", ""),
        ("a b c", ""),
        ("東京に行きましたが、誰もいませんでした", "ja"),
        ("من کتاب را خواندم و گفتم", "fa"),
        ("L' home que parla no és el meu oncle però hi ha una altra .", "ca"),
        ("Он сказал , что это его дом", "ru"),
        ("", ""),
    ],
)
def test_guesses(text: str, language: str) -> None:
    assert languages.guess([text]) == language


def test_combining_marks_stay_with_their_character() -> None:
    assert languages.characters_apart("ที่นี่") == "ที่ นี่"
    assert languages.characters_apart("a，b 我3") == "a ， b 我 3"


def test_errant_reads_edits_with_a_pipeline_that_is_named() -> None:
    """The English pipeline by its name finds the same edits, without types."""
    from gec_core.align import errant_pipeline

    found = errant_pipeline.find()
    if found is None:
        pytest.skip("needs ERRANT and its pipeline")
    corpus = gec.corpus("demo").only(["CAREFUL"])
    usual, given = create("errant"), create("errant", {"pipeline": str(found.folder)})
    assert "pipeline" not in usual.signature
    assert "types:none" in given.signature
    ours, theirs = (score(corpus, [each]).columns[0].systems["CAREFUL"].score for each in (usual, given))
    assert ours.details == theirs.details
    assert not given.unsuited("en")
    assert "pipeline for English, and the texts are German" in given.unsuited("de")
    missing = create("errant", {"pipeline": "de_no_such_pipeline"})
    assert not missing.availability().ready
    assert "No spaCy pipeline 'de_no_such_pipeline'" in missing.availability().how
