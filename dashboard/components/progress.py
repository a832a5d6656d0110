"""Scoring runs that a page waits for: how far they are, and a way to start or stop them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard import services
from dashboard.components.messages import end_page, plain
from dashboard.jobs import Job
from gec_core.metrics.base import Metric
from gec_core.precomputed import ScoresOnly
from gec_core.types import Corpus


def waiting_metrics(corpus: Corpus, waiting: Sequence[Metric]) -> None:
    """A line for each metric that is not scored yet; when one is done, the page draws itself again."""
    once = {metric.statistics_signature: metric for metric in reversed(waiting)}  # some share their statistics
    if once:
        with st.container(border=True):
            st.markdown("**Not scored yet.** You can go on; what is done shows up by itself.")
            _lines(corpus, tuple(reversed(once.values())))


def need_types(corpus: Corpus) -> None:
    """Error types are about to be shown: says what is missing, or how far they are, and ends the page there."""
    if isinstance(corpus, ScoresOnly):
        st.info(
            "Error types are read off the texts of a corpus, and these are not on this machine: "
            f"`python -m gec_core corpora fetch {corpus.name}` gets them."
        )
        end_page()
    metric = services.type_metric()
    if not metric.availability().ready:
        how = plain(metric.availability().how)
        st.info(f"Error types are read by ERRANT, which cannot run here. {how}", icon=":material/download:")
        end_page()
    if not services.types_ready(corpus):
        waiting_metrics(corpus, [metric])
        end_page()


@st.fragment(run_every=1.0)
def _lines(corpus: Corpus, waiting: tuple[Metric, ...]) -> None:
    for metric in waiting:
        job = services.jobs().find(corpus, metric)
        if job is None or job.status == "cancelled":
            _offer(corpus, metric)
        elif job.active:
            _follow(job)
        elif job.status == "failed":
            st.error(f"{plain(metric.name)}: {plain(job.problem)}")
            _offer(corpus, metric, "Try again")
        else:
            st.rerun()


def _offer(corpus: Corpus, metric: Metric, verb: str = "Score") -> None:
    left, right = st.columns([4, 1], vertical_alignment="center")
    left.write(plain(metric.name))
    if right.button(verb, key=f"start-{metric.statistics_signature}", width="stretch"):
        services.jobs().submit(corpus, metric)
        st.rerun(scope="fragment")


def _follow(job: Job) -> None:
    left, right = st.columns([4, 1], vertical_alignment="center")
    if job.progress is None:
        left.progress(0.0, f"{plain(job.metric.name)}: {job.status}")
    else:
        left.progress(job.progress.done / job.progress.total, f"{plain(job.metric.name)}: {_told(job)}")
    if right.button("Cancel", key=f"cancel-{job.metric.statistics_signature}", width="stretch"):
        job.cancel()
        st.rerun(scope="fragment")


def _told(job: Job) -> str:
    progress = job.progress
    if progress is None:
        return ""
    text = f"{progress.done:,} of {progress.total:,} pairs, {progress.rate:,.0f} a second"
    left = progress.seconds_left
    if left is None:
        return text
    return f"{text}, {left:.0f} s left" if left < 90 else f"{text}, {left / 60:.0f} min left"
