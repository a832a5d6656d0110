"""The gap between two systems: by sentence at once, by edit from kept credits or from a background job.

Edits hold words of the texts: those of a corpus that every visitor has are shared, those of uploads stay in the
session.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from dashboard.background import BackgroundJob
from dashboard.cache.corpora import by_content, human_ranking, is_public, judged_pairs
from dashboard.cache.scoring import AT_ONCE, UNASKED, complete, jobs
from gec_core.formatting import duration
from gec_core.human.sources import MEAN
from gec_core.meta.counterfactuals import (
    Counterfactual,
    accept,
    accepted_edits,
    accepted_wrong,
    fewest_sentences,
    leave_out,
)
from gec_core.meta.edit_fates import PairEdits, pair_edits, read_edits, unread
from gec_core.meta.edit_level import EditAgreement, JudgedEdits, agreement_seconds, judged_edits
from gec_core.meta.edit_level import edit_agreement as agree_on_edits
from gec_core.meta.gap import SECONDS_TO_READ
from gec_core.meta.gap_credits import Edits, SystemOutput
from gec_core.meta.gap_edits import By, EditGap, edit_gap, gap_seconds
from gec_core.meta.gap_sentences import PEOPLE, Gap, metric_gap, people_gap, ranking_gap, ratings_gap
from gec_core.meta.gap_systems import GroupMap, map_seconds
from gec_core.meta.gap_systems import group_map as split_systems
from gec_core.metrics.base import Metric
from gec_core.scoring.imported import Imported
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Corpus, Progress

_cached = partial(st.cache_resource, show_spinner=False, hash_funcs=by_content)


def sentence_gap(corpus: Corpus, column: MetricScores, first: str, second: str) -> Gap:
    """Return the gap between two systems under a metric, by sentence."""
    found = _imported_gap if isinstance(column.metric, Imported) else _any_gap
    return found(corpus, column.metric.signature, column, first, second)


def _metric_gap(corpus: Corpus, signature: str, _column: MetricScores, first: str, second: str) -> Gap:
    return metric_gap(_column, first, second)


_any_gap = _cached(max_entries=400)(_metric_gap)
_imported_gap = _cached(max_entries=50, scope="session")(_metric_gap)


@_cached(max_entries=200)
def human_gap(corpus: Corpus, human: str, first: str, second: str, title: str) -> Gap:
    """Return the gap between two systems in the eyes of people, by sentence where there are judgments of sentences.

    `title` is that of the ranking.
    """
    label = f"{PEOPLE} ({title})"
    if human == MEAN and corpus.ratings is not None:
        return ratings_gap(corpus.ratings, first, second, side=human, label=label)
    ranked = human_ranking(corpus, human)
    if not corpus.judgments:
        return ranking_gap(ranked, first, second, sentences=len(corpus), label=label)
    return people_gap(
        judged_pairs(corpus, "expanded"), ranked, first, second, sentences=len(corpus), ranking_title=title
    )


@dataclass(frozen=True, eq=False)
class ReadPair:
    """The edits of two systems, and the same with their corrections by output where the texts are here."""

    edits: PairEdits
    texts: Mapping[SystemOutput, Edits] | None


@dataclass(frozen=True)
class Pending:
    """A split into edits that takes a while."""

    key: Hashable
    title: str
    seconds: float
    """An estimate."""
    start: Callable[[], BackgroundJob]

    def start_if_short(self) -> None:
        """Start the job, unless it is known already or takes so long that it should be asked for."""
        if self.seconds <= UNASKED and jobs().known(self.key) is None:
            self.start()


def edits_of_pair(corpus: Corpus, first: str, second: str) -> ReadPair | None:
    """Return the edits of two systems; None if ERRANT must read many outputs first.

    Raises:
        MissingInput: There are neither texts nor edits that come with the project.
    """
    if not _edits_known(corpus, first, second):
        return None
    found = _read_shared if is_public(corpus) else _read_own
    return found(corpus, first, second)


def _edits_known(corpus: Corpus, first: str, second: str) -> bool:
    key = (corpus.fingerprint, f"edits of {first} and {second}")
    if key not in complete() and unread(corpus, (first, second), Store()) * SECONDS_TO_READ <= AT_ONCE:
        complete().add(key)
    return key in complete() or bool(Store().problem)


def _read_pair(corpus: Corpus, first: str, second: str) -> ReadPair:
    texts = read_edits(corpus, [first, second], Store()) if corpus.has_texts else None
    return ReadPair(pair_edits(corpus, first, second, texts), texts)


_read_shared = _cached(max_entries=100)(_read_pair)
_read_own = _cached(max_entries=30, scope="session")(_read_pair)


def split(corpus: Corpus, gap: Gap) -> EditGap | Pending:
    """Return what every edit contributes to a gap, or the job that finds it out.

    Raises:
        MissingInput: Credits are not known, and cannot be computed here.
    """
    first, second = gap.systems
    key = ("gap", corpus.fingerprint, gap.side, gap.signature, first, second)
    job = jobs().known(key)
    if job and isinstance(job.result, EditGap):
        return job.result
    pair = edits_of_pair(corpus, first, second)
    seconds = _seconds(corpus, gap, pair)
    if pair and seconds <= AT_ONCE and not (seconds and gap.metric and gap.metric.own_process):
        found = _split_shared if is_public(corpus) and not isinstance(gap.metric, Imported) else _split_own
        return found(corpus, gap.side, gap.signature, gap, pair, first, second)
    title = _job_title(gap.name, seconds)
    return Pending(key, title, seconds, partial(_start, corpus, gap, key, title))


def _seconds(corpus: Corpus, gap: Gap, pair: ReadPair | None) -> float:
    """How long the split takes; once all credits are known, that is remembered."""
    if pair is None:
        return SECONDS_TO_READ * unread(corpus, gap.systems, Store())
    done, key = complete(), (corpus.fingerprint, f"credits of {gap.systems}: {gap.signature}")
    if key in done:
        return 0.0
    seconds = gap_seconds(corpus, gap, pair.edits, Store())
    if not seconds:
        done.add(key)
    return seconds


def _split(corpus: Corpus, side: str, signature: str, _gap: Gap, _pair: ReadPair, first: str, second: str) -> EditGap:
    return edit_gap(corpus, _gap, _pair.edits, _pair.texts, store=Store())


_split_shared = _cached(max_entries=300)(_split)
_split_own = _cached(max_entries=60, scope="session")(_split)


def _job_title(name: str, seconds: float) -> str:
    """What a job does, and how long it takes, as far as that can be told."""
    return f"{name}: credits of edits (about {duration(max(seconds, 1.0))})"


def _start(corpus: Corpus, gap: Gap, key: Hashable, title: str) -> BackgroundJob:
    private = not is_public(corpus)
    job = jobs().start(key, title, partial(_compute, corpus, gap), private=private)
    _asked()[key] = job
    return job


def _compute(corpus: Corpus, gap: Gap, follow: Callable[[Progress], None]) -> EditGap | None:
    """Compute all credits; the result is given only where the store could not keep them."""
    texts = read_edits(corpus, gap.systems, Store(), follow)
    edits = pair_edits(corpus, *gap.systems, texts)
    found = edit_gap(corpus, gap, edits, texts, store=Store(), on_progress=follow)
    return found if Store().problem else None


@_cached(scope="session")
def _asked() -> dict[Hashable, BackgroundJob]:
    """The jobs that this visitor asked for, which keep private results."""
    return {}


def edit_agreement(corpus: Corpus, metric: Metric) -> EditAgreement | Pending:
    """Return how a metric's credits compare with people's verdicts on edits, or the job that finds it out.

    Raises:
        MissingInput: The corpus has no verdicts, or credits cannot be computed here.
    """
    judged = _judged_edits(corpus)
    seconds = agreement_seconds(corpus, metric, judged, Store())
    if not seconds or (seconds <= AT_ONCE and not metric.own_process):
        return _agreement(corpus, metric.signature, metric)
    key = ("verdicts", corpus.fingerprint, metric.signature)
    title = _job_title(metric.title, seconds)
    return Pending(key, title, seconds, partial(_start_agreement, corpus, metric, judged, key, title))


@_cached(max_entries=8, scope="session")
def _judged_edits(corpus: Corpus) -> JudgedEdits:
    return judged_edits(corpus, Store())


@_cached(max_entries=60, scope="session")
def _agreement(corpus: Corpus, signature: str, _metric: Metric) -> EditAgreement:
    return agree_on_edits(corpus, _metric, _judged_edits(corpus), store=Store())


def _start_agreement(corpus: Corpus, metric: Metric, judged: JudgedEdits, key: Hashable, title: str) -> BackgroundJob:
    def work(follow: Callable[[Progress], None]) -> None:
        agree_on_edits(corpus, metric, judged, store=Store(), on_progress=follow)

    return jobs().start(key, title, work, private=not is_public(corpus))


def fewest(corpus: Corpus, gap: Gap, column: MetricScores | None) -> Counterfactual | None:
    """Return the fewest sentences without which the leading system no longer leads; `column` is None for people."""
    return _fewest(corpus, gap.side, gap.signature, *gap.systems, gap, column)


@_cached(max_entries=400)
def _fewest(
    corpus: Corpus,
    side: str,
    signature: str,
    first: str,
    second: str,
    _gap: Gap,
    _column: MetricScores | None,
) -> Counterfactual | None:
    return fewest_sentences(_gap, _column)


@dataclass(frozen=True, eq=False)
class ChangedCorpus:
    """A corpus in which edits of two systems are left out or count as right: with these alone, and with all systems."""

    pair: Corpus
    all: Corpus
    edits: int = 0
    """How many edits count as right."""


def without_edits(corpus: Corpus, first: str, second: str, by: By, name: str) -> ChangedCorpus:
    """Return the corpus with the outputs of two systems rebuilt without a group of edits."""
    return _without_edits(corpus, first, second, by, name)


@_cached(max_entries=8, scope="session")
def _without_edits(corpus: Corpus, first: str, second: str, by: By, name: str) -> ChangedCorpus:
    pair = edits_of_pair(corpus, first, second)
    assert pair is not None
    assert pair.texts is not None  # groups are offered only once the edits are read
    changed = leave_out(corpus, pair.edits, pair.texts, by, name)
    return ChangedCorpus(changed.only([first, second]), changed)


def with_accepted_edits(corpus: Corpus, first: str, second: str) -> ChangedCorpus | None:
    """Return the corpus with wrong edits of two systems that people accepted counted as right; None without any."""
    if not corpus.verdicts or not corpus.has_texts or not _edits_known(corpus, first, second):
        return None
    return _with_accepted_edits(corpus, first, second)


@_cached(max_entries=8, scope="session")
def _with_accepted_edits(corpus: Corpus, first: str, second: str) -> ChangedCorpus | None:
    pair = edits_of_pair(corpus, first, second)
    assert pair is not None
    assert pair.texts is not None
    added = accepted_wrong(corpus, pair.edits, pair.texts, accepted_edits(corpus.verdicts))
    if not added:
        return None
    changed = accept(corpus, added)
    return ChangedCorpus(changed.only([first, second]), changed, sum(map(len, added.values())))


def group_map(corpus: Corpus, column: MetricScores, by: By) -> GroupMap | Pending:
    """Return what groups of edits contribute to every system's distance from the mean, or the job that finds it out.

    Raises:
        MissingInput: Credits are not known, and cannot be computed here.
    """
    key = ("groups", corpus.fingerprint, column.metric.signature)
    job = jobs().known(key)
    if job and isinstance(job.result, GroupMap) and job.result.by == by:
        return job.result
    seconds = _map_seconds(corpus, column)
    if seconds <= AT_ONCE:
        return _group_map(corpus, column.metric.signature, by, column)

    def work(follow: Callable[[Progress], None]) -> GroupMap | None:
        found = split_systems(corpus, column, by, store=Store(), on_progress=follow)
        return found if Store().problem else None

    title = _job_title(column.metric.title, seconds)
    return Pending(key, title, seconds, partial(jobs().start, key, title, work))


def _map_seconds(corpus: Corpus, column: MetricScores) -> float:
    """How long the map takes; once all credits are known, that is remembered."""
    done, key = complete(), (corpus.fingerprint, f"credits of all: {column.metric.signature}")
    if key in done:
        return 0.0
    if waiting := unread(corpus, tuple(column.systems), Store()):
        return SECONDS_TO_READ * waiting
    seconds = map_seconds(corpus, column, Store())
    if not seconds:
        done.add(key)
    return seconds


@_cached(max_entries=60)
def _group_map(corpus: Corpus, signature: str, by: By, _column: MetricScores) -> GroupMap:
    return split_systems(corpus, _column, by, store=Store())
