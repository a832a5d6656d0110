"""The verdict: which metrics count, the word for each rival, and the edits that cost and earn most."""

import pytest
from made_corpus import CORPUS

from gec_core.analysis import Analysis, analyse, page, report
from gec_core.analysis.verdict import RivalVerdict, sentence, trusted, verdict, verdicts
from gec_core.corpora import load
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


def test_without_what_people_said_all_metrics_count() -> None:
    alone = analyse(CORPUS, score(CORPUS, [create("length")]), "EAGER", samples=10)
    assert [each.metric.id for each in trusted(alone)] == ["length"]
    assert any("none of them has been compared with people" in each.text for each in verdict(alone).prose)
