"""What must be said beside an analysis for someone else to get the same: signatures, versions, options, seed."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gec_core import __version__
from gec_core.environment import packages
from gec_core.scoring.table import ScoreTable


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where numbers come from."""

    version: str
    """Of GEC Lens."""
    corpus: str
    fingerprint: str
    """Of the corpus with all systems that were scored."""
    sentences: int
    systems: tuple[str, ...]
    samples: int
    seed: int
    signatures: Mapping[str, str]
    """By the id of the metric. They name options and models."""
    labels: Mapping[str, str]
    """The names of the metrics, with their models."""
    problems: Mapping[str, str]
    """Why a metric that was asked for is not there, by its id."""
    packages: Mapping[str, str]
    asked: tuple[str, ...] = ()
    """The arguments that name the corpus, its systems and the one analysed; none where the corpus has all it takes."""


def provenance(table: ScoreTable, sentences: int, *, samples: int, seed: int, asked: Sequence[str] = ()) -> Provenance:
    columns = table.columns
    return Provenance(
        version=__version__,
        corpus=table.corpus,
        fingerprint=table.fingerprint,
        sentences=sentences,
        systems=tuple(columns[0].systems),
        samples=samples,
        seed=seed,
        signatures={column.metric.id: column.metric.signature for column in columns},
        labels={column.metric.id: column.metric.label for column in columns},
        problems=dict(table.problems),
        packages={"python": platform.python_version()} | packages(),
        asked=tuple(asked),
    )
