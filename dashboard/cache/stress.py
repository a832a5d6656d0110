"""How metrics hold up under changes of texts, and LLM judges on trial: at once if quick, otherwise by a job."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

import streamlit as st

from dashboard.background import BackgroundJob
from dashboard.cache.corpora import by_content, is_public
from dashboard.cache.gap import Pending
from dashboard.cache.scoring import jobs
from gec_core.meta.judge_trial import Trial, trial, trial_pairs
from gec_core.meta.stress import StressCard, stress
from gec_core.meta.stress_cases import KINDS
from gec_core.metrics.base import Metric
from gec_core.metrics.llm import LLMJudge
from gec_core.scoring.imported import Imported
from gec_core.store import Store
from gec_core.types import Corpus, Progress, ignore

STRESS_CASES = 30
"""Cases of each kind of change that the page tries."""
_NOW = 3.0
"""Seconds of trying that a page does while the visitor waits."""


def stress_card(corpus: Corpus, metric: Metric) -> StressCard | Pending:
    """Return how a metric holds up under changes, or the job that finds it out."""
    key = ("stress", corpus.fingerprint, metric.signature)
    job = jobs().known(key)
    if job and isinstance(job.result, StressCard):
        return job.result
    private = not is_public(corpus) or isinstance(metric, Imported)
    seconds = 2 * STRESS_CASES * len(KINDS) * metric.pace
    if isinstance(metric, Imported) or (seconds <= _NOW and not metric.own_process):
        return (_own_card if private else _shared_card)(corpus, metric.signature, metric)
    title = f"{metric.title}: {2 * STRESS_CASES * len(KINDS):,} texts at most (about {seconds:.0f} s)"

    def start() -> BackgroundJob:
        asked = _asked_cards()
        asked[key] = jobs().start(key, title, partial(_try, corpus, metric), private=private)
        return asked[key]

    return Pending(key, title, seconds, start)


def trial_card(corpus: Corpus, judge: LLMJudge, sentences: int) -> Trial | Pending:
    """Return what a judge did on trial, or the job that asks it; the title says what that takes."""
    key = ("trial", corpus.fingerprint, judge.signature, sentences)
    job = jobs().known(key)
    if job and isinstance(job.result, Trial):
        return job.result
    part = corpus.at(range(min(sentences, len(corpus))))
    outlay = judge.outlay(trial_pairs(part), Store())
    seconds = 3 * outlay.questions * judge.pace
    title = f"{outlay.told(judge.title)} A trial asks each question three times."

    def start() -> BackgroundJob:
        asked = _asked_cards()
        asked[key] = jobs().start(
            key,
            f"Trial of {judge.title}",
            lambda follow: trial(corpus, judge, sentences=sentences, store=Store(), on_progress=follow),
            private=not is_public(corpus),
        )
        return asked[key]

    return Pending(key, title, seconds, start)


def _try(corpus: Corpus, metric: Metric, follow: Callable[[Progress], None] = ignore) -> StressCard:
    return stress(corpus, [metric], each=STRESS_CASES, store=Store(), on_progress=follow).cards[0]


def _card(corpus: Corpus, signature: str, _metric: Metric) -> StressCard:
    return _try(corpus, _metric)


_shared_card = st.cache_resource(show_spinner=False, max_entries=200, hash_funcs=by_content)(_card)
_own_card = st.cache_resource(show_spinner=False, max_entries=50, hash_funcs=by_content, scope="session")(_card)


@st.cache_resource(scope="session")
def _asked_cards() -> dict[Hashable, BackgroundJob]:
    """The jobs that this visitor asked for, which keep private results."""
    return {}
