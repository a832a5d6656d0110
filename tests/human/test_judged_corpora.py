"""Figures of corpora that people judged, beside those that their authors published."""

import csv
from pathlib import Path

import judged
import numpy as np
import pytest
from conftest import PUBLISHED
from judged import needs_judged

from gec_core import corpora
from gec_core.human import expanded, rank, unexpanded
from gec_core.meta.agreement import pair_agreement
from gec_core.meta.correlation import correlate, windows
from gec_core.types import Corpus

BASE = {"INPUT", "REF-F", "GPT-3.5"}
"""Systems that are not in SEEDA's base set."""


@pytest.fixture(scope="module")
def seeda(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpora.load(judged.seeda(tmp_path_factory.mktemp("corpus") / "seeda"))


@pytest.fixture(scope="module")
def published() -> dict[str, dict[str, float]]:
    with (PUBLISHED / "kobayashi2024_human.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {column: {row["system"]: float(row[column]) for row in rows} for column in rows[0] if column != "system"}


@needs_judged
@pytest.mark.parametrize("part", ["edit", "sent"])
def test_rankings_of_seeda_are_the_published_ones(
    seeda: Corpus, published: dict[str, dict[str, float]], part: str
) -> None:
    judgments = seeda.judged_by(part).judgments
    assert judgments is not None
    pairs = expanded(judgments)
    assert rank(pairs, "ew").scores == pytest.approx(published[f"ew_{part}"], abs=0.001)
    assert rank(pairs, "ts", runs=100).scores == pytest.approx(published[f"ts_{part}"], abs=0.01)


@needs_judged
@pytest.mark.parametrize(("part", "accuracy", "tau"), [("edit", 0.5366, 0.0732), ("sent", 0.5456, 0.0911)])
def test_agreement_of_length_as_gec_metrics_expects_it(seeda: Corpus, part: str, accuracy: float, tau: float) -> None:
    judgments = seeda.judged_by(part).judgments
    assert judgments is not None
    base = [name for name in seeda.systems if name not in BASE]
    scores = {name: np.array([len(output) for output in seeda.systems[name]], float) for name in base}
    found = pair_agreement(expanded(judgments).among(base), scores, "SEEDA")
    assert found.accuracy == pytest.approx(accuracy, abs=5e-5)
    assert found.tau == pytest.approx(tau, abs=5e-5)
    assert len(unexpanded(judgments)) < len(expanded(judgments))


@needs_judged
def test_correlations_of_length_as_gec_metrics_expects_them(
    published: dict[str, dict[str, float]],
) -> None:
    folder = judged.DATA / "seeda" / "outputs" / "subset"
    lengths = {
        path.stem: float(np.mean([len(line) for line in path.read_text(encoding="utf-8").splitlines()]))
        for path in folder.glob("*.txt")
        if path.stem not in BASE
    }
    expected = {"ew_edit": (0.4274, 0.4545), "ew_sent": (0.4532, 0.5455), "ts_edit": (0.4835, 0.5944),
                "ts_sent": (0.4880, 0.5524)}  # fmt: skip
    for column, (r, rho) in expected.items():
        assert correlate(lengths, published[column], "pearson").value == pytest.approx(r, abs=5e-5)
        assert correlate(lengths, published[column], "spearman").value == pytest.approx(rho, abs=5e-5)
    first = [windows(lengths, published["ts_edit"], name, 4)[0].correlation.value for name in ("pearson", "spearman")]
    assert first == pytest.approx([-0.1272, 0.2000], abs=5e-5)


@needs_judged
def test_three_judges_of_napoles_rank_the_systems_as_islam_and_magnani_print(tmp_path: Path) -> None:
    """One system drawn for each shared output, the reference left out: docs/findings.md has the other treatments."""
    folder = judged.conll14(tmp_path, judged.DATA / "napoles2015" / "data" / "all_judgments.xml", "n.xml")
    (judgments,) = [each.judgments for each in corpora.load(folder).judgment_sets.values()]
    systems = set(judgments.systems) - {"refmix1"}
    native = judgments.by(["annot1", "annot2", "annot3"]).among(systems)
    assert len(expanded(judgments.by(["annot1", "annot2", "annot3"]))) == 28_146
    draws = [rank(unexpanded(native, seed=seed), "ts", runs=1, seed=seed).scores for seed in range(30)]
    ours = sorted(systems, key=lambda name: -sum(draw[name] for draw in draws))
    with (PUBLISHED / "islam2021_table5.tsv").open(encoding="utf-8") as file:
        printed = [row["human_napoles2015"] for row in csv.DictReader(file, delimiter="\t")]
    assert sum(a == b for a, b in zip(ours, printed, strict=True)) >= 9
    assert max(abs(ours.index(name) - place) for place, name in enumerate(printed)) == 1
