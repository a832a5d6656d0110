"""Imported metrics: scores that were computed elsewhere, read from a file (see docs/importing.md).

An imported metric is used like any other, as far as it has scores. It cannot score anything new: systems
that are not in the file have no score, and a file of system scores has none of sentences. Higher is better.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gec_core.corpora import checking
from gec_core.corpora.checking import Finding
from gec_core.corpora.text import TextFile
from gec_core.corpora.uploads import Upload, on_disk
from gec_core.errors import CorpusError, MissingInput, ScoreError
from gec_core.formatting import counted
from gec_core.metrics import registry
from gec_core.metrics.base import Availability, Metric, Score
from gec_core.metrics.sums import Sums, mean_of_sentences
from gec_core.scoring.imported_files import ScoreRow, rows
from gec_core.scoring.table import MetricScores, Scored
from gec_core.types import Array, Corpus, Pair

_NO_SENTENCES = np.empty((0, 0))
ROUNDING = 1e-6
"""The largest difference between a given score and the mean it may be: files are often written with few digits."""


@dataclass(frozen=True)
class ImportedScores:
    """The scores of one metric in a file."""

    systems: Mapping[str, float]
    """Scores of systems: as given, or else the mean over the sentences."""
    sentences: Mapping[str, Array] = field(default_factory=dict)
    """Scores of all sentences, for the systems that have them."""


class Imported(Metric):
    """A metric that consists of its scores."""

    family = "imported"
    summary = "Scores from a file, computed elsewhere."
    order = 800
    reads = "source"
    pace = math.inf

    def __init__(self, name: str, id: str, scores: ImportedScores, *, file: str, digest: str) -> None:
        super().__init__()
        self._name, self._id = name, id
        self.scores = scores
        self.file = file
        self.digest_of_file = digest

    @property
    def id(self) -> str:  # type: ignore[override]
        return self._id

    @property
    def name(self) -> str:  # type: ignore[override]
        return self._name

    @property
    def averages(self) -> bool:
        """Whether the score of every system with sentence scores is their mean."""
        return all(
            math.isclose(self.scores.systems[system], float(sentences.mean()), rel_tol=ROUNDING, abs_tol=ROUNDING)
            for system, sentences in self.scores.sentences.items()
        )

    @property
    def from_sentences(self) -> bool:
        """Whether system scores follow from sentence scores; if both are given, they may not."""
        return self.averages

    @property
    def signature(self) -> str:
        """The signature: that it is imported, and a hash of the file."""
        return f"{self.id}|imported|file:{self.digest_of_file}"

    def availability(self) -> Availability:
        return Availability(False, f"Its scores are imported from {self.file}: new outputs cannot be scored.")

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        raise MissingInput(f"{self.name} cannot run here. {self.availability().how}")

    def aggregate(self, statistics: Array) -> Score:
        """The mean over sentences."""
        return Score(float(self.sentence_scores(statistics).mean()), {"sentences": len(statistics)})

    def sentence_scores(self, statistics: Array) -> Array:
        if not statistics.size:
            raise MissingInput(f"{self.name}: {self.file} has scores of whole systems only, none of sentences.")
        return statistics[:, 0]

    def sums(self, systems: Sequence[Array]) -> Sums:
        """The mean of the sentence scores; scores of systems that the file gives may differ from it."""
        return replace(
            mean_of_sentences(self.sentence_scores),
            rest="scores of systems in the file that are not the mean of sentences",
        )

    def unknown(self, corpus: Corpus) -> list[str]:
        """Systems of the file that the corpus does not have."""
        return [system for system in self.scores.systems if system not in corpus.systems]

    def misfit(self, corpus: Corpus) -> str:
        """Why the file cannot be about this corpus; empty if it can."""
        systems = self._known(corpus)
        if not systems:
            there, wanted = ", ".join(self.scores.systems), ", ".join(corpus.systems) or "none"
            return f"{self.file}: scores of {there}, but the systems of {corpus.name} are {wanted}. None is in both."
        for system in systems:
            given = self.scores.sentences.get(system)
            if given is not None and len(given) not in (len(corpus), corpus.whole):
                told = counted(len(given), "sentence")
                part = f" (of {corpus.whole:,} in all)" if corpus.whole else ""
                return f"{self.file}: {system} has scores of {told}, but {corpus.name} has {len(corpus):,}{part}."
        if self._is_longer(corpus) and not self.averages:
            return (
                f"{self.file}: the scores of systems are not the means of those of their sentences, so they are not "
                f"known for a part of {corpus.name}. Import the scores of sentences alone."
            )
        return ""

    def _is_longer(self, corpus: Corpus) -> bool:
        """Whether the file is about the whole corpus of which this is a part."""
        lengths = {len(self.scores.sentences[name]) for name in self._known(corpus) if name in self.scores.sentences}
        return corpus.lines is not None and bool(lengths - {len(corpus)})

    def column(self, corpus: Corpus) -> MetricScores:
        """The scores of those systems of the corpus that the file has; of its sentences alone if it is a part."""
        if problem := self.misfit(corpus):
            raise ScoreError(problem)
        return MetricScores(self, {system: self._scored(system, corpus) for system in self._known(corpus)})

    def _known(self, corpus: Corpus) -> list[str]:
        return [system for system in corpus.systems if system in self.scores.systems]

    def _scored(self, system: str, corpus: Corpus) -> Scored:
        value, sentences = self.scores.systems[system], self.scores.sentences.get(system)
        if sentences is None:
            return Scored(Score(value), _NO_SENTENCES)
        if corpus.lines is not None and len(sentences) != len(corpus):
            sentences = sentences[list(corpus.lines)]
            value = float(sentences.mean())
        return Scored(Score(value, {"sentences": len(sentences)}), sentences[:, None])


def read(file: TextFile, taken: Collection[str] = ()) -> tuple[Imported, ...]:
    """Read the metrics of a file of scores; `taken` are the ids of other imported metrics.

    Raises:
        CorpusError: The file cannot be read; the message names the line or row.
    """
    by_metric: dict[str, list[ScoreRow]] = {}
    for row in rows(file):
        by_metric.setdefault(row.metric or checking.suggest_name(file.name), []).append(row)
    if not by_metric:
        raise file.error("has no scores. Expected columns system and score.")
    digest = hashlib.blake2b(file.data(), digest_size=6).hexdigest()
    found: list[Imported] = []
    for given, own in by_metric.items():
        name, id = _called(given)
        if id in taken or id in [one.id for one in found]:
            raise file.error(
                f"{name} is imported already. Remove it first, or give this one another name.", own[0].line
            )
        found.append(Imported(name, id, _scores(file, own), file=file.name, digest=digest))
    return tuple(found)


def read_uploads(uploads: Sequence[Upload], taken: Collection[str]) -> tuple[list[Imported], list[Finding]]:
    """The metrics of all files that can be read, and the errors of the others."""
    found: list[Imported] = []
    findings: list[Finding] = []
    try:
        with on_disk(uploads) as files:
            for file in files:
                try:
                    found += read(file, [*taken, *(one.id for one in found)])
                except CorpusError as problem:
                    findings.append(Finding("error", str(problem)))
    except CorpusError as problem:
        findings.append(Finding("error", str(problem)))
    return found, findings


def _called(given: str) -> tuple[str, str]:
    """A name and an id that are neither those of a built-in metric nor reserved."""
    id = re.sub(r"[^a-z0-9]+", "-", given.lower()).strip("-") or "imported"
    known = registry()
    if id in known or id in checking.RESERVED or given.casefold() in {cls.name.casefold() for cls in known.values()}:
        return f"{given} (imported)", f"{id}-imported"
    return given, id


def _scores(file: TextFile, own: Sequence[ScoreRow]) -> ImportedScores:
    given: dict[str, dict[int | None, float]] = {}
    for row in own:
        scores = given.setdefault(row.system, {})
        if row.sentence in scores:
            what = row.system if row.sentence is None else f"{row.system}, sentence {row.sentence},"
            raise row.error(file, f"{what} has a score above, too")
        scores[row.sentence] = row.score
    systems = {system: scores.pop(None) for system, scores in given.items() if None in scores}
    sentences = {system: _in_order(file, system, scores) for system, scores in given.items() if scores}
    means = {system: float(scores.mean()) for system, scores in sentences.items()}
    return ImportedScores(means | systems, sentences)


def _in_order(file: TextFile, system: str, scores: Mapping[int | None, float]) -> Array:
    """The scores of the sentences in order, none of which may be missing; files count them from 0."""
    missing = next((number for number in range(len(scores)) if number not in scores), None)
    if missing is not None:
        raise file.error(
            f"{system} has no score for sentence {missing} (counted from 0), but for a later one. "
            "Every sentence needs a score."
        )
    return np.array([scores[number] for number in range(len(scores))])
