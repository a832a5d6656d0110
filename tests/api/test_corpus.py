"""Corpora by name, from folders and zip files, and from lists."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import gec_core as gec
from gec_core.errors import CorpusError, InputError, MissingInput
from gec_core.types import Annotation, Corpus, Edit, Sentence

SOURCES = ["This are a sentence .", "He go home ."]
GOOD = ["This is a sentence .", "He goes home ."]
EDITS = [[(1, 2, "is")], [(1, 2, "goes", "R:VERB")]]


def test_by_name_from_a_folder_and_from_a_zip(tmp_path: Path) -> None:
    demo = gec.corpus("demo")
    folder = shutil.copytree(ROOT / "data" / "demo", tmp_path / "mine")
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", folder)
    assert gec.corpus(folder).fingerprint == gec.corpus(archive).fingerprint == demo.fingerprint
    assert repr(demo) == "<corpus demo: 86 sentences, 7 systems>"


def test_gold_edits_are_derived_from_references() -> None:
    made = gec.corpus(sources=SOURCES, systems={"mine": GOOD}, references=[GOOD])
    assert made.sentences[1] == Sentence(SOURCES[1], (GOOD[1],), (Annotation(0, (Edit(1, 2, "goes"),)),))
    assert gec.score(made, "m2").values == {"m2": {"mine": 1.0}}


def test_references_are_derived_from_gold_edits() -> None:
    made = gec.corpus(sources=SOURCES, systems={"mine": GOOD}, gold=[EDITS, [[], []]])  # type: ignore[list-item]
    assert [each.references for each in made.sentences] == [(GOOD[0], SOURCES[0]), (GOOD[1], SOURCES[1])]
    assert made.sentences[1].annotations[0].edits == (Edit(1, 2, "goes", "R:VERB"),)


def test_a_corpus_made_of_sentences_is_completed_for_scoring() -> None:
    """It used to say that M² needs references, though there are some."""
    made = Corpus("made", (Sentence(SOURCES[0], (GOOD[0],)),), {"mine": (GOOD[0],)})
    assert gec.score(made, ["m2", "gleu"]).values == {"m2": {"mine": 1.0}, "gleu": {"mine": 1.0}}
    mixed = Corpus("made", (Sentence("a", ("b",)), Sentence("c")), {"mine": ("a", "b")})
    with pytest.raises(CorpusError, match=r"Sentence 2 has no references, but others have"):
        gec.score(mixed, "m2")


def test_gold_from_an_m2_file(tmp_path: Path) -> None:
    gold = tmp_path / "gold.m2"
    gold.write_text("S He go home .\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    for sources in (None, SOURCES[1:]):
        made = gec.corpus(sources=sources, gold=gold)
        assert made.sentences[0].references == (GOOD[1],)
    with pytest.raises(InputError, match=r"sources\[0\] differs from sentence 1 of .*gold\.m2"):
        gec.corpus(sources=SOURCES[:1], gold=gold)
    with pytest.raises(InputError, match=r"sources has 2 sentences, but .*gold\.m2 has 1"):
        gec.corpus(sources=SOURCES, gold=gold)


def test_systems_are_added_to_an_existing_corpus() -> None:
    demo = gec.corpus("demo")
    mine = gec.corpus("demo", systems={"mine": [each.references[0] for each in demo.sentences]})
    assert list(mine.systems) == [*demo.systems, "mine"]
    with pytest.raises(InputError, match=r"systems\['mine'\] has 1 sentence, but sources has 86"):
        gec.corpus("demo", systems={"mine": ["a"]})
    with pytest.raises(InputError, match="demo already has a system FLUENT"):
        gec.corpus("demo", systems={"FLUENT": demo.outputs("FLUENT")})


def test_a_corpus_without_texts_can_be_scored_but_not_added_to() -> None:
    bare = gec.corpus("conll14")
    assert not bare.has_texts
    assert repr(bare) == "<corpus conll14: 1,312 sentences, 13 systems>"
    assert len(gec.score(bare, "m2").values["m2"]) == 13
    with pytest.raises(MissingInput, match="no systems can be added without its texts"):
        gec.corpus("conll14", systems={"mine": ["a"] * 1312})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "sources is missing"),
        ({"sources": "This are"}, "sources is a string"),
        ({"sources": []}, "sources is empty"),
        ({"sources": SOURCES, "systems": [GOOD]}, "systems is a list; expected a dictionary"),
        ({"sources": SOURCES, "systems": {"mine": GOOD[:1]}}, r"systems\['mine'\] has 1 sentence, but sources has 2"),
        ({"sources": SOURCES, "systems": {"mine": "This is"}}, r"systems\['mine'\] is a string"),
        ({"sources": SOURCES, "systems": {3: GOOD}}, "systems has the key 3; expected the name of a system"),
        ({"sources": SOURCES, "references": GOOD}, "references is a flat list of strings"),
        ({"sources": SOURCES, "gold": EDITS}, r"gold\[0\] has 1 list of edits, but sources has 2"),
        ({"sources": SOURCES, "gold": [[[(1, 9, "is")], []]]}, r"gold\[0\]\[0\]\[0\] is the span 1 to 9, .* 5 tokens"),
        ({"sources": SOURCES, "gold": [[["is"], []]]}, r"gold\[0\]\[0\]\[0\] is 'is'; expected \(start, end"),
        ({"sources": SOURCES, "human": [1, 2]}, r"human is a list; expected a dictionary of scores: human=\{"),
        ({"sources": SOURCES, "human": {"mine": "best"}}, r"human\['mine'\] is 'best'; expected a number"),
        ({"where": "demo", "sources": SOURCES}, "sources: demo brings its own"),
        ({"where": SOURCES}, "is not the name or path of a corpus"),
    ],
)
def test_wrong_arguments(given: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        gec.corpus(**given)


def test_an_unknown_corpus() -> None:
    with pytest.raises(CorpusError, match=r"No corpus 'nowhere'.* demo"):
        gec.corpus("nowhere")
