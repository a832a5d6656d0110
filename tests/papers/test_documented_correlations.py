"""The correlations that docs/metrics.md prints are those that come out, and the published ones those of the tables."""

import re
from collections.abc import Iterator
from typing import Any

from conftest import ROOT, needs_conll14
from errant_cases import needs_pinned

from gec_core.human.sources import ranking_for
from gec_core.meta import correlate
from gec_core.metrics import create
from gec_core.papers.rows import table
from gec_core.scoring import missing, score
from gec_core.store import Store
from gec_core.types import Corpus

LINE = re.compile(r"\| `(?P<id>[a-z0-9-]+)`(?P<options>[^|]*)\| (?P<cells>[^|]+\|[^|]+\|[^|]+\|[^|]+)\|[^|]*\|")
PAIR = re.compile(r"−?\.\d{3}/−?\.\d{3}")


def documented() -> Iterator[tuple[str | Any, dict[str, str], list[str | Any]]]:
    """Metric, options, and its four cells: ours and published against Expected Wins, then against TrueSkill."""
    text = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    for found in LINE.finditer(text):
        cells = [cell.strip() for cell in found["cells"].split("|")]
        yield found["id"], dict(part.split("=") for part in found["options"].split()), cells


def pair(values: Any) -> str:
    return "/".join(f"{value:.3f}".replace("-", "−").replace("0.", ".") for value in values)


@needs_conll14
@needs_pinned
def test_ours_come_out(conll14: Corpus) -> None:
    """Only where the rows come with the project, or take no time: the rest is in the metrics' own tests."""
    store, people = Store(), [ranking_for(conll14, method).scores for method in ("ew", "ts")]
    checked = []
    for id, options, (wins, _, skill, _) in documented():
        metric = create(id, options)
        if "needs weights" in (wins, skill) or (missing(conll14, metric, store) and metric.pace > 0.001):
            continue
        scores = score(conll14, [metric], store=store).columns[0].values
        found = [
            pair(correlate(scores, human, coefficient).value for coefficient in ("pearson", "spearman"))
            for human in people
        ]
        assert found == [wins, skill], (id, options)
        checked.append(id)
    assert {"m2", "sentm2", "errant", "senterrant", "gotoscorer", "imeasure", "gleu", "green", "length"} <= set(checked)


def test_published_ones_are_printed() -> None:
    printed = {
        "/".join(record[name] for name in names)
        for records, names in (
            (table("gong2022_table4"), ("ew_pearson", "ew_spearman")),
            (table("gong2022_table4"), ("ts_pearson", "ts_spearman")),
            *((table("gong2022_table5"), (f"{one}_r", f"{one}_rho")) for one in _levels()),
            (table("islam2021_tables"), ("pearson", "spearman")),
            (table("asano2017_table1"), ("pearson", "spearman")),
            (table("chollampatt2018_table2"), ("pearson", "spearman")),
        )
        for record in records
        if record[names[0]]
    }
    figures = {text.replace("-0.", "−.").replace("0.", ".") for text in printed}
    cells = [cell for *_, row in documented() for cell in (row[1], row[3]) if PAIR.fullmatch(cell)]
    assert len(cells) > 20
    assert [cell for cell in cells if cell not in figures] == []


def _levels() -> list[str]:
    return [f"{people}_{level}" for people in ("ew", "ts") for level in ("corpus", "sentence")]
