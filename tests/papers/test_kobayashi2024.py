"""The figures of Kobayashi et al. 2024 beside ours, as far as they need no model."""

from collections import Counter
from pathlib import Path
from typing import Any

import judged
import numpy as np
import pytest
from judged import needs_judged
from numpy.typing import NDArray

from gec_core import corpora
from gec_core.corpora.published_corpora import SEEDA_SETS
from gec_core.corpora.selection import select
from gec_core.errors import CorpusError
from gec_core.human.sources import published_ranking
from gec_core.meta.correlation import correlate
from gec_core.metrics import create
from gec_core.metrics.gleu.expectation import draw_references, drawn, reference_blocks
from gec_core.papers import kobayashi2024, papers_about, reproduce
from gec_core.papers.inputs import PaperInputs
from gec_core.papers.rows import Row, table
from gec_core.papers.variants import from_gold
from gec_core.scoring import score
from gec_core.store import Store
from gec_core.types import Array, Corpus, ignore

QUICK = ("m2", "sentm2", "gleu")


@pytest.fixture(scope="module")
def seeda(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpora.load(judged.seeda(tmp_path_factory.mktemp("corpus") / "seeda"))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(Path(tmp_path_factory.mktemp("store")) / "store.sqlite")


@needs_judged
def test_scores_and_rankings_are_the_released_ones(
    seeda: Corpus, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = {name: what for name, what in kobayashi2024.METRICS.items() if name in QUICK}
    monkeypatch.setattr(kobayashi2024, "METRICS", quick)
    found: dict[str, list[Row]] = {}
    for row in kobayashi2024.rows(PaperInputs(seeda, None, store, ignore, 1)):
        found.setdefault(row.cell.column, []).append(row)
    largest = {column: max(abs(row.off or 0) for row in rows) for column, rows in found.items()}
    assert Counter(row.verdict for row in found["m2"]) == {"equal": 15}
    assert [row.cell.row for row in found["sentm2"] if row.verdict != "equal"] == ["REF-F"]  # its empty line
    assert largest["sentm2"] < 0.07
    assert largest["gleu"] < 0.015
    assert max(largest["ew_edit"], largest["ew_sent"]) < 0.001
    assert max(largest["ts_edit"], largest["ts_sent"]) < 0.01
    assert all(row.why for rows in found.values() for row in rows if row.verdict == "differs")


@needs_judged
def test_what_the_released_gleu_scores_are_draws_of(seeda: Corpus, store: Store) -> None:
    """Not the draws of either generator nor the expectation, but 500 others, the same ones for all systems.

    The systems' scores of one draw go together, so that their distance from the released ones is measured by their
    covariance; 0.01% and 99.99% of chi² with 15 degrees of freedom are 2.2 and 44.3.
    """
    exact = create("gleu", {"sampling": "exact"})
    column = score(from_gold(seeda), [exact], store=store).columns[0]
    released = {row["system"]: float(row["gleu"]) for row in table("kobayashi2024_scores")}
    blocks, sizes = zip(*(reference_blocks(column.systems[name].statistics) for name in released), strict=True)
    rounding = np.eye(len(released)) * 0.01**2 / 12

    def scores_of(draws: NDArray[np.integer[Any]]) -> Array:
        return np.array([100 * drawn(each, draws) for each in blocks])

    def distance(means: Array, spread: Array | float) -> float:
        apart = np.array(list(released.values())) - means
        return float(apart @ np.linalg.solve(spread + rounding, apart))

    expected = np.array([100 * column.values[name] for name in released])
    covariance = np.cov(scores_of(np.random.default_rng(0).integers(0, 2, (4000, len(seeda)))))
    assert 5 < distance(expected, covariance / 500) < 30
    assert distance(expected, 0.0) > 80
    assert distance(expected, np.diag(np.diag(covariance)) / 500) < 5  # draws of its own for every system: too close
    for generator in ("python2", "python3"):
        assert distance(scores_of(draw_references(tuple(sizes[0].tolist()), 500, generator)).mean(axis=1), 0.0) > 80


@needs_judged
@pytest.mark.parametrize(("part", "r", "rho"), [("sent", 0.802, 0.692), ("edit", 0.887, 0.846)])
def test_sentm2_on_judged_sentences(seeda: Corpus, store: Store, part: str, r: float, rho: float) -> None:
    judged_part = select(seeda, "judged")
    assert len(judged_part) == 391
    values = score(judged_part, [create("sentm2", {})], store=store).columns[0].values
    people = published_ranking(f"kobayashi2024-{part}-ts").ranking.scores
    without = [name for name in seeda.systems if name not in SEEDA_SETS["base"]]
    assert correlate(values, people, "pearson", without=without).value == pytest.approx(r, abs=5e-4)
    assert correlate(values, people, "spearman", without=without).value == pytest.approx(rho, abs=5e-4)


@needs_judged
def test_papers_belong_to_their_corpus(seeda: Corpus) -> None:
    assert papers_about(seeda) == ["kobayashi2024"]
    with pytest.raises(CorpusError, match="13 systems of CoNLL-2014"):
        reproduce("gong2022", seeda)
    with pytest.raises(CorpusError, match=r"15 systems of SEEDA .*fetch seeda"):
        reproduce("kobayashi2024", seeda.only(["BART", "T5"]))
