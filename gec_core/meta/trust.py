"""Which metric to trust for a purpose: what the judged corpora say, with how little they can say.

A purpose selects views (corpus, set of judgments, set of systems; gec_core.meta.across) and metrics:

* minimal edits: judgments of grammar and of edits (CoNLL-2014, SEEDA's edit-based rankings, TMU-GFM's grammaticality);
  fluency: judgments of whole sentences (SEEDA's sentence-based rankings, GMEG, TMU-GFM's fluency);
* with outputs of language models: only SEEDA's sets that have GPT-3.5 and a fluent rewrite; without: the others;
* without references: metrics that read the source only.

Metrics are ordered by their mean r over these views. One metric is not better than another because its mean is higher:
`rivals` are those that no view tells apart from the first one.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from gec_core.corpora.catalogue import short_title
from gec_core.environment import bundled
from gec_core.formatting import counted, joined
from gec_core.meta.across import label_of, view_title
from gec_core.types import ALL_SYSTEMS, Reads

Edits = Literal["minimal", "fluency"]
EDITS: dict[Edits, str] = {"minimal": "minimal edits", "fluency": "fluency"}
FILE = bundled("data", "precomputed", "across.json")
"""Rows of `across` on the shipped scores, made by tools/precompute.py."""
LANGUAGE_MODELS = ("+fluency", "all")
"""SEEDA's sets of systems with GPT-3.5 among them."""
_EVIDENCE: dict[Edits, tuple[tuple[str, str], ...]] = {
    "minimal": (("conll14", ""), ("seeda", "edit"), ("tmu-gfm", "grammaticality")),
    "fluency": (("seeda", "sent"), ("gmeg-fce", ""), ("gmeg-wiki", ""), ("tmu-gfm", "fluency")),
}
"""The corpora and sets of judgments that speak for each purpose."""
Row = Mapping[str, Any]
"""A row of `across`."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a metric is wanted for."""

    edits: Edits = "minimal"
    references: bool = True
    """Whether there are references."""
    language_models: bool = False
    """Whether language models are among the systems."""

    @property
    def words(self) -> str:
        parts = [EDITS[self.edits], "with references" if self.references else "without references"]
        return ", ".join(
            [*parts, "language models among the systems" if self.language_models else "no language models"]
        )


@dataclass(frozen=True)
class Advice:
    """One metric in the views that speak for a purpose."""

    metric: str
    rows: tuple[Row, ...]
    views: int
    """Views that speak for the purpose, whether this metric has scores there or not."""

    @property
    def mean(self) -> float:
        return sum(row["pearson"] for row in self.rows) / len(self.rows)

    @property
    def worst(self) -> Row:
        return min(self.rows, key=lambda row: float(row["pearson"]))

    @property
    def systems(self) -> tuple[int, int]:
        """The fewest and the most systems of a view."""
        counts = [int(row["n"]) for row in self.rows]
        return min(counts), max(counts)

    def as_dict(self) -> dict[str, Any]:
        """The row of `gec-lens across --purpose`."""
        worst = self.worst
        named = {"metric": self.metric, "mean": self.mean, "worst": worst["pearson"]}
        interval = {"worst_low": worst["low"], "worst_high": worst["high"], "worst_view": title(worst)}
        return named | interval | {"views": len(self.rows), "of": self.views, "systems": self.systems[1]}


def title(row: Row) -> str:
    """The view of a row in one line, in the names that commands take."""
    return view_title(row["corpus"], row["human"], row["systems"])


def label(row: Row, labels: Mapping[str, str] | None = None) -> str:
    """What people call the view of a row: the one of these labels, by title, or one made of the names alone."""
    systems = [] if row["systems"] == ALL_SYSTEMS else [row["systems"]]
    return (labels or {}).get(title(row)) or " · ".join([label_of(row["corpus"], row["human"]), *systems])


def fits(row: Row, purpose: Purpose) -> bool:
    """Whether a row of `across` speaks for a purpose."""
    chosen = any(row["corpus"] == corpus and part in row["human"] for corpus, part in _EVIDENCE[purpose.edits])
    if purpose.language_models:
        return chosen and row["corpus"] == "seeda" and row["systems"] in LANGUAGE_MODELS
    return chosen and not (row["corpus"] == "seeda" and row["systems"] in LANGUAGE_MODELS)


def advice(rows: Iterable[Row], purpose: Purpose, reads: Mapping[str, Reads]) -> list[Advice]:
    """The metrics for a purpose, best mean first; those with scores in fewer than half of the views are left out.

    Means are over the views that all of them have, as long as these are half of the views: a metric without references
    is also tried where the others cannot be.

    Args:
        rows: Rows of `across`.
        purpose: What a metric is wanted for.
        reads: What each metric compares outputs with, by id.
    """
    fitting = [row for row in rows if fits(row, purpose)]
    views = len({title(row) for row in fitting})
    by_metric: dict[str, list[Row]] = {}
    for row in fitting:
        if row["pearson"] is not None and (purpose.references or reads.get(row["metric"]) == "source"):
            by_metric.setdefault(row["metric"], []).append(row)
    known = {metric: kept for metric, kept in by_metric.items() if 2 * len(kept) >= views}
    shared = set.intersection(*({title(row) for row in kept} for kept in known.values())) if known else set()
    if 2 * len(shared) >= views:
        known = {metric: [row for row in kept if title(row) in shared] for metric, kept in known.items()}
    found = [Advice(metric, tuple(kept), views) for metric, kept in known.items()]
    return sorted(found, key=lambda each: (-each.mean, each.metric))


def rivals(found: Sequence[Advice]) -> list[str]:
    """The metrics that no view tells apart from the first: their interval holds its r in all views that both have."""
    if not found:
        return []
    best = {title(row): row["pearson"] for row in found[0].rows}
    return [
        each.metric
        for each in found[1:]
        if all(row["high"] is not None and row["high"] >= best[title(row)] for row in each.rows if title(row) in best)
    ]


def told(
    found: Sequence[Advice],
    purpose: Purpose,
    names: Mapping[str, str],
    labels: Mapping[str, str] | None = None,
    output_alone: Collection[str] = (),
) -> list[str]:
    """The advice in a few sentences, each of which a reader can check in the table.

    Args:
        found: What `advice` found.
        purpose: The purpose.
        names: What metrics are called, by id.
        labels: What views are called, by title.
        output_alone: The metrics whose scores depend on the output alone.
    """
    if not found:
        return [f"No judged corpus here speaks for {purpose.words}."]
    best = found[0]
    few, many = best.systems
    name = names.get(best.metric, best.metric)
    systems = f"{few} systems" if few == many else f"{few} to {many} systems"
    worst = best.worst
    corpora = list(dict.fromkeys(short_title(row["corpus"]) for row in best.rows))
    said = [
        f"For {purpose.words}, {name} agrees best with people: a mean r of {best.mean:.2f} over "
        f"{counted(len(best.rows), 'view')} of {joined(corpora)}."
    ]
    if worst["low"] is not None:
        said.append(
            f"At worst it is {worst['pearson']:.2f} ({label(worst, labels)}; 95% interval {worst['low']:.2f} to "
            f"{worst['high']:.2f})."
        )
    others = [names.get(metric, metric) for metric in rivals(found)]
    if others:
        listed = ", ".join(others[:5]) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
        said.append(f"No view tells it apart from {listed}.")
    if blind := [names.get(id, id) for id in (best.metric, *rivals(found)[:5]) if id in output_alone]:
        said.append(
            f"{joined(blind)} {'reads' if len(blind) == 1 else 'read'} the output alone, neither source nor "
            "references: changes of meaning and needless edits go unseen."
        )
    said.append(f"Caution: a view compares {systems} only, so intervals are wide and the order may change.")
    if purpose.language_models:
        said.append("GPT-3.5 is the only language model that was judged, with one prompt.")
    return [text.replace("-0.", "−0.") for text in said]


@cache
def shipped() -> tuple[Row, ...]:
    """The rows of `across` on the shipped scores; empty if they are not there."""
    return tuple(json.loads(FILE.read_text(encoding="utf-8"))["rows"]) if FILE.is_file() else ()
