"""Signatures, store keys and scores recorded before the redesign of version 2: none of them may change.

The ERRANT family is recorded with the pipeline of version 1 (spaCy 2.3); GoToScorer, whose numbers changed in version
2, with the pinned one (spaCy 3.8). Each is compared only where its pipeline is installed.
"""

import json
from pathlib import Path

import pytest
from conftest import needs_conll14

from gec_core import corpora
from gec_core.align.errant_pipeline import label
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.store import Store, context_key, pair_key
from gec_core.types import Corpus

RECORDED = json.loads((Path(__file__).parent / "golden" / "recorded.json").read_text(encoding="utf-8"))
COMPUTED = ("m2", "sentm2", "imeasure", "gleu", "bleu", "green", "length", "constant")
"""Metrics that are quick enough to be computed anew; the others come from the scores shipped with the project."""
ROUNDED, LAST_BIT = ("gleu", "bleu"), 1e-15
"""These take logarithms and exponentials, whose last bit differs between numpy 1.26 (recorded with) and numpy 2."""
ERRANT = ("errant", "senterrant", "pterrant", "gotoscorer")


def ids() -> list[str]:
    """The recorded metrics whose ERRANT pipeline, if they have one, is installed."""
    return [id for id, signature in RECORDED["signatures"].items() if id not in ERRANT or label() in signature]


@pytest.mark.parametrize("id", ids())
def test_signatures_are_unchanged(id: str) -> None:
    metric = create(id)
    assert metric.signature == RECORDED["signatures"][id]
    assert metric.statistics_signature == RECORDED["statistics_signatures"][id]


def check_keys(corpus: Corpus) -> None:
    rows = [row for row in RECORDED["keys"] if row[0] == corpus.name]
    assert rows
    for _, number, system, reads, key in rows:
        context = context_key(corpus.sentences[number], reads)
        assert pair_key(context, corpus.systems[system][number]).hex() == key


def check_scores(corpus: Corpus, store: Store) -> None:
    assert corpus.fingerprint == RECORDED["fingerprints"][corpus.name]
    recorded = RECORDED["scores"][corpus.name]
    shipped = [create(id) for id in ids() if id in recorded and id not in COMPUTED]
    tables = [score(corpus, [create(id) for id in COMPUTED]), score(corpus, shipped, store=store)]
    columns = {column.metric.id: column.values for table in tables for column in table.columns}
    for id, values in columns.items():
        assert values == (pytest.approx(recorded[id], rel=LAST_BIT, abs=0) if id in ROUNDED else recorded[id]), id
    assert set(columns) == set(ids()) & set(recorded)


def test_demo_is_unchanged(tmp_path: Path) -> None:
    demo = corpora.load("demo")
    check_keys(demo)
    check_scores(demo, Store(tmp_path / "scores.sqlite"))


@needs_conll14
def test_conll14_is_unchanged(conll14: Corpus, tmp_path: Path) -> None:
    check_keys(conll14)
    check_scores(conll14, Store(tmp_path / "scores.sqlite"))
