"""Scores that others computed: a metric that is not built in, read from a file (see docs/importing.md).

An imported metric takes part wherever metrics do, as far as its scores go. It cannot score anything new, so systems
that are not in the file have no score, and a file of system scores says nothing about sentences. Higher is better.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from gec_core.corpora import checking
from gec_core.corpora.checking import Finding
from gec_core.corpora.text import TextFile, counted
from gec_core.corpora.uploads import Upload, on_disk
from gec_core.errors import CorpusError, MissingInput, ScoreError
from gec_core.metrics import registry
from gec_core.metrics.base import Availability, Metric, Score
from gec_core.scoring.imported_files import Row, rows
from gec_core.scoring.table import MetricScores, Scored
from gec_core.types import Array, Corpus, Pair

_NO_SENTENCES = np.empty((0, 0))
ROUNDING = 1e-6
"""How far a given score may be from the mean and still be it: files are often written with few digits."""


@dataclass(frozen=True)
class Scores:
    """What a file says about the systems under one metric."""

    systems: Mapping[str, float]
    """Scores of whole systems: as given, or else the mean over the sentences."""
    sentences: Mapping[str, Array] = field(default_factory=dict)
    """Scores of all sentences, for the systems that have them."""


class Imported(Metric):
    """A metric that is nothing but its scores."""

    family = "imported"
    summary = "Scores from a file, computed elsewhere."
    order = 800
    reads = "source"
    pace = math.inf

    def __init__(self, name: str, id: str, scores: Scores, *, file: str, digest: str) -> None:
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
        """Whether every score of a system is the mean of its sentences' scores, as far as these are there."""
        return all(
            math.isclose(self.scores.systems[system], float(sentences.mean()), rel_tol=ROUNDING, abs_tol=ROUNDING)
            for system, sentences in self.scores.sentences.items()
        )

    @property
    def from_sentences(self) -> bool:
        """Scores of systems that are given beside those of sentences may be made of something else."""
        return self.averages

    @property
    def signature(self) -> str:
        """Says that it is imported, and which file it comes from, by its content."""
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
            if given is not None and len(given) != len(corpus):
                told = counted(len(given), "sentence")
                return f"{self.file}: {system} has scores of {told}, but {corpus.name} has {len(corpus)}."
        return ""

    def column(self, corpus: Corpus) -> MetricScores:
        """The scores of those systems of the corpus that the file has."""
        if problem := self.misfit(corpus):
            raise ScoreError(problem)
        return MetricScores(self, {system: self._scored(system) for system in self._known(corpus)})

    def _known(self, corpus: Corpus) -> list[str]:
        return [system for system in corpus.systems if system in self.scores.systems]

    def _scored(self, system: str) -> Scored:
        value, sentences = self.scores.systems[system], self.scores.sentences.get(system)
        if sentences is None:
            return Scored(Score(value), _NO_SENTENCES)
        return Scored(Score(value, {"sentences": len(sentences)}), sentences[:, None])


def read(file: TextFile, taken: Collection[str] = ()) -> tuple[Imported, ...]:
    """The metrics of a file of scores; `taken` are the ids of others that were imported."""
    by_metric: dict[str, list[Row]] = {}
    for row in rows(file):
        by_metric.setdefault(row.metric or checking.suggest_name(file.name), []).append(row)
    if not by_metric:
        raise file.error("there are no scores in it.")
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
    """The metrics of all files that can be read, and what is wrong with the others."""
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
    """A name and an id that no built-in metric has, and that stand for nothing else."""
    id = re.sub(r"[^a-z0-9]+", "-", given.lower()).strip("-") or "imported"
    known = registry()
    if id in known or id in checking.RESERVED or given.casefold() in {cls.name.casefold() for cls in known.values()}:
        return f"{given} (imported)", f"{id}-imported"
    return given, id


def _scores(file: TextFile, own: Sequence[Row]) -> Scores:
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
    return Scores(means | systems, sentences)


def _in_order(file: TextFile, system: str, scores: Mapping[int | None, float]) -> Array:
    """The scores of sentences 0, 1, 2 …, none of which may be missing."""
    missing = next((number for number in range(len(scores)) if number not in scores), None)
    if missing is not None:
        raise file.error(
            f"{system} has no score for sentence {missing} (counted from 0), but for a later one. "
            "Every sentence needs a score."
        )
    return np.array([scores[number] for number in range(len(scores))])
