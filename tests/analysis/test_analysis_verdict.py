"""The verdict: which metrics count, the word for each rival, and the edits that cost and earn most."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from made_corpus import CORPUS

from gec_core.analysis import Analysis, analyse, page, report
from gec_core.analysis.analysis import command
from gec_core.analysis.verdict import RivalVerdict, purpose, sentence, trust_section, trusted, verdict, verdicts
from gec_core.corpora import load
from gec_core.corpora.prepare import prepare
from gec_core.corpora.text import TextFile
from gec_core.metrics import create
from gec_core.scoring import score


@pytest.mark.parametrize(
    ("better", "worse", "metrics", "word"),
    [
        (("M²", "GLEU"), (), 3, "better"),
        (("M²",), (), 3, "not to be told apart"),
        ((), ("M²", "GLEU"), 4, "worse"),
        (("M²",), ("GLEU",), 2, "mixed"),
        ((), (), 1, "not to be told apart"),
    ],
)
def test_the_word_for_a_rival(better: tuple[str, ...], worse: tuple[str, ...], metrics: int, word: str) -> None:
    assert RivalVerdict("R", better, worse, metrics).outcome == word


@pytest.fixture(scope="module")
def found() -> Analysis:
    demo = load("demo")
    metrics = [create(id) for id in ("m2", "sentm2", "gleu", "imeasure", "bleu")]
    return analyse(demo, score(demo, metrics), "FLUENT", "CAREFUL", samples=200)


def test_every_other_system_gets_a_verdict(found: Analysis) -> None:
    told = {each.rival: each for each in verdicts(found)}
    assert next(iter(told)) == "CAREFUL"
    assert set(told) == set(found.corpus.systems) - {"FLUENT"}
    counted = trusted(found)
    assert len(counted) == 3
    for rival, each in told.items():
        said = [metric.difference(rival).verdict for metric in counted]
        assert (len(each.better), len(each.worse)) == (said.count("better"), said.count("worse"))
    assert told["CAREFUL"].outcome == "worse"
    assert told["NOISY"].outcome == "better"
    text = sentence(found).text
    assert text.startswith("FLUENT is better than ")
    assert all(name in text for name in told)


def test_the_edits_are_those_of_the_split_gap(found: Analysis) -> None:
    section = verdict(found)
    tables = {table.id: table for table in section.tables}
    costs = [row[3] for row in tables["costing"].rows]
    gains = [row[3] for row in tables["earning"].rows]
    assert len(costs) == len(gains) == 10
    assert costs == sorted(costs)
    assert max(costs) < 0 < min(gains)
    assert gains == sorted(gains, reverse=True)
    side = next(side for side in found.sides if side.gap.name == tables["costing"].columns[3].name)
    assert side.edits
    own = side.edits.contributions[side.edits.edits.signs > 0]
    assert costs[0] == own.min()
    assert gains[0] == own.max()


def test_the_report_opens_with_it(found: Analysis) -> None:
    told = report(found)
    assert told.sections[0].id == "verdict"
    assert told.summary.prose[0].text == sentence(found).text
    html = page(told)
    assert html.index("FLUENT is <b>better</b> than") < html.index("FLUENT ranks")
    assert "Edits that cost most" in html


def test_the_purpose_decides_which_evidence_counts_and_is_told(found: Analysis) -> None:
    usual = " ".join(each.text for each in verdict(found).prose)
    assert "for minimal edits, with references, no language models" in usual
    assert "Language models among the systems: no, since no file suggests it. Mean r with and without them: " in usual
    assert re.search(r"SentM² 0\.02 and 0\.90", usual), "as `across --purpose minimal` says, with --language-models"
    assert "It reads the output alone, though" in usual
    models = replace(found, edits="fluency", language_models=True)
    told = " ".join(each.text for each in verdict(models).prose)
    assert "for fluency, with references, language models among the systems" in told
    assert "Language models among the systems: yes, as chosen." in told
    assert [each["metric"] for each in trust_section(models).data["trust"]] != [
        each["metric"] for each in trust_section(found).data["trust"]
    ]
    assert "--purpose fluency --language-models" in command(models)
    assert "--purpose" not in command(found)


@pytest.mark.parametrize("answer", ['Sure! Corrected: "{}"', "I 'm sorry , but I ca n't help with that ."])
def test_chatty_answers_count_as_those_of_a_language_model(found: Analysis, answer: str, tmp_path: Path) -> None:
    lines = list(found.corpus.systems["FLUENT"])
    lines[2] = answer.format(lines[2])
    (tmp_path / "mine.txt").write_text("\n".join(lines))
    done = prepare(TextFile.at(tmp_path / "mine.txt"), found.corpus)
    noted = replace(found.corpus, notes={"FLUENT": done.notes})
    assert purpose(replace(found, corpus=noted)).language_models
    assert not purpose(found).language_models
    assert not purpose(replace(found, corpus=noted, language_models=False)).language_models
    assert "as the files suggest: FLUENT" in verdict(replace(found, corpus=noted)).prose[1].text


def test_without_what_people_said_all_metrics_count() -> None:
    alone = analyse(CORPUS, score(CORPUS, [create("length")]), "EAGER", samples=10)
    assert [each.metric.id for each in trusted(alone)] == ["length"]
    assert any("none of them has been compared with people" in each.text for each in verdict(alone).prose)
