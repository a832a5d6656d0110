"""Advice on metrics for a purpose."""

import json

import pytest

from gec_core.meta.across import cells, views
from gec_core.meta.trust import FILE, Purpose, advice, rivals, shipped, told
from gec_core.metrics import create, registry
from gec_core.scoring import known_column
from gec_core.scoring.precomputed import scores_only
from gec_core.store import Store

READS = {id: made.reads for id, made in registry().items()}


def row(corpus: str, human: str, metric: str, r: float, spread: float = 0.1, systems: str = "all") -> dict[str, object]:
    numbers = {"n": 12, "pearson": r, "low": r - spread, "high": r + spread}
    return {"corpus": corpus, "human": human, "systems": systems, "metric": metric, **numbers}


def test_views_of_the_purpose_are_averaged() -> None:
    rows = [
        row("conll14", "ts", "m2", 0.6),
        row("seeda", "edit/ts", "m2", 0.8, systems="base"),
        row("seeda", "sent/ts", "m2", 0.1, systems="base"),
        row("seeda", "edit/ts", "m2", -0.4, systems="+fluency"),
        row("conll14", "ts", "gleu", 0.9),
    ]
    found = advice(rows, Purpose("minimal"), READS)
    assert [(each.metric, round(each.mean, 3), len(each.rows), each.views) for each in found] == [
        ("gleu", 0.9, 1, 2),
        ("m2", 0.6, 1, 2),
    ], "the view that gleu lacks speaks neither for m2 nor against it"
    alone = advice(rows[:4], Purpose("minimal"), READS)
    assert [(each.metric, round(each.mean, 3), len(each.rows), each.views) for each in alone] == [("m2", 0.7, 2, 2)]
    (only,) = advice(rows, Purpose("minimal", language_models=True), READS)
    assert (only.metric, only.mean) == ("m2", -0.4)


def test_without_references_only_the_source_counts() -> None:
    rows = [row("gmeg-fce", "mean", "m2", 0.9), row("gmeg-fce", "mean", "scribendi", 0.5)]
    assert [each.metric for each in advice(rows, Purpose("fluency", references=False), READS)] == ["scribendi"]


def test_rivals_are_those_that_no_view_tells_apart() -> None:
    rows = [
        row("conll14", "ts", "m2", 0.9),
        row("conll14", "ts", "gleu", 0.85),
        row("conll14", "ts", "bleu", 0.2),
    ]
    found = advice(rows, Purpose(), READS)
    assert rivals(found) == ["gleu"]
    said = told(found, Purpose(), {"m2": "M²"})
    assert said[0].startswith("For minimal edits, with references, no language models, M² agrees best with people")
    assert "0.90 over 1 view of CoNLL-2014" in said[0]
    assert any("12 systems only" in each for each in said)


def test_a_metric_that_reads_the_output_alone_is_named_with_what_it_cannot_see() -> None:
    rows = [row("conll14", "ts", "asano-fluency", 0.9), row("conll14", "ts", "m2", 0.85)]
    alone = [id for id, made in registry().items() if made.output_alone]
    said = " ".join(told(advice(rows, Purpose(), READS), Purpose(), {"asano-fluency": "Fluency"}, output_alone=alone))
    assert (
        "Fluency reads the output alone, neither source nor references: changes of meaning and needless edits" in said
    )
    others = advice(rows[1:], Purpose(), READS)
    assert not any("output alone" in each for each in told(others, Purpose(), {}, output_alone=alone))


def test_nothing_is_said_without_evidence() -> None:
    assert told([], Purpose("fluency"), {}) == [
        "No judged corpus here speaks for fluency, with references, no language models."
    ]


@pytest.mark.parametrize(("name", "metric"), [("tmu-gfm", "scribendi"), ("gmeg-fce", "sentm2")])
def test_shipped_rows_are_what_across_computes(name: str, metric: str) -> None:
    corpus = scores_only(name)
    assert corpus is not None
    column = known_column(corpus, create(metric, {}), Store())
    assert column is not None
    fresh = [each.as_dict() for view in views(corpus) for each in cells(view, {metric: column.values})]
    kept = [dict(each) for each in shipped() if (each["corpus"], each["metric"]) == (name, metric)]
    assert len(fresh) == len(kept) > 0
    for one, other in zip(fresh, kept, strict=True):
        assert json.loads(json.dumps(one)) == pytest.approx(other, abs=1e-9)


def test_shipped_rows_cover_every_judged_corpus() -> None:
    assert FILE.is_file()
    assert {str(each["corpus"]) for each in shipped()} == {"conll14", "seeda", "gmeg-fce", "gmeg-wiki", "tmu-gfm"}
