"""Background jobs on a page: their progress, and buttons to start and cancel them."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from dashboard import cache
from dashboard.background import BackgroundJob, key_of
from dashboard.cache.scoring import time_to_score
from dashboard.components.messages import end_page, plain
from gec_core.environment import how_to_run
from gec_core.meta.error_types import References, types_metric
from gec_core.metrics.base import Metric
from gec_core.scoring.pace import in_words
from gec_core.types import Corpus


@dataclass(frozen=True)
class Offer:
    """A job that can be started."""

    key: Hashable
    title: str
    start: Callable[[], object]
    verb: str = "Score"
    seconds: float | None = None
    """How long it will take, if that is known."""


def waiting_metrics(corpus: Corpus, waiting: Sequence[Metric]) -> None:
    """Draw a line for each metric that is not scored yet; when one is done, the page is drawn again."""
    once = {metric.statistics_signature: metric for metric in reversed(waiting)}  # some metrics share their statistics
    offers = [
        Offer(
            key_of(corpus, metric),
            metric.title,
            partial(cache.jobs().submit, corpus, metric),
            seconds=time_to_score(corpus, metric),
        )
        for metric in reversed(once.values())
    ]
    offers.sort(key=lambda offer: offer.seconds or 0)
    if offers:
        with st.container(border=True):
            st.markdown("**Not scored yet.** You can keep working; scores appear when they are ready.")
            work_lines(tuple(offers))


def need_types(corpus: Corpus, references: References = "auto") -> None:
    """Make sure that error types are known; otherwise say what is missing or show the progress, and end the page."""
    metric = types_metric(references)
    if not corpus.has_texts:
        if cache.types_shipped(corpus):
            return
        st.info(
            "Error types are read from the texts of a corpus, and those of this corpus are not on this machine. "
            f"Get them with `{how_to_run(f'corpora fetch {corpus.name}')}`."
        )
        end_page()
    if not metric.availability().ready:
        how = plain(metric.availability().how)
        st.info(f"Error types are classified by ERRANT, which cannot run here. {how}", icon=":material/download:")
        end_page()
    if not cache.types_ready(corpus, references):
        waiting_metrics(corpus, [metric])
        end_page()


def answers(offers: Sequence[Offer], seconds: float) -> list[Offer]:
    """Wait until the jobs that have been started are over, but no longer than this; return the other ones."""
    end = time.monotonic() + seconds
    left = []
    for offer in offers:
        job = cache.jobs().known(offer.key)
        done = job is not None and job.wait(max(end - time.monotonic(), 0)) and job.status == "done"
        left += [] if done else [offer]
    return left


@st.fragment(run_every=0.5)
def redraw_after(keys: Sequence[Hashable]) -> None:
    """Draw the page again once all of these jobs are over; until then, say that there is more to come."""
    found = [cache.jobs().known(key) for key in keys]
    if not any(job is not None and job.active for job in found):
        st.rerun()
    st.caption("The edits that decide under models appear in a moment.")


@st.fragment(run_every=0.5)
def work_lines(offers: Sequence[Offer]) -> None:
    """Draw a line for each job; when one is done, the page is drawn again."""
    found = [(offer, cache.jobs().known(offer.key)) for offer in offers]
    if any(job is not None and job.status == "done" for _, job in found):
        st.rerun()
    for offer, job in found:
        if job is not None and job.active:
            _follow(job)
            continue
        if job is not None and job.status == "failed":
            st.error(f"{plain(offer.title)}: {plain(job.problem)}")
        _offer(offer, "Try again" if job is not None and job.status == "failed" else "")
    under_way = [job.key for _, job in found if job is not None and job.active]
    if len(under_way) > 1 and st.button("Cancel all", key=f"cancel-all-{hash(tuple(offers))}"):
        cache.jobs().cancel_all(under_way)
        st.rerun(scope="fragment")


def _offer(offer: Offer, verb: str = "") -> None:
    left, right = st.columns([4, 1], vertical_alignment="center")
    left.write(plain(offer.title) + ("" if offer.seconds is None else f": {in_words(offer.seconds)}"))
    if right.button(verb or offer.verb, key=f"start-{offer.key}", width="stretch"):
        offer.start()
        st.rerun(scope="fragment")


def _follow(job: BackgroundJob) -> None:
    left, right = st.columns([4, 1], vertical_alignment="center")
    done = job.progress.done / job.progress.total if job.progress else 0.0
    left.progress(done, f"{plain(job.title)}: {progress_text(job)}")
    if right.button("Cancel", key=f"cancel-{job.key}", width="stretch"):
        job.cancel()
        st.rerun(scope="fragment")


def progress_text(job: BackgroundJob) -> str:
    """What a job does at the moment; it changes with every second, also before the first report of progress."""
    expected = "" if job.seconds is None else f", {in_words(job.seconds)}"
    if job.began is None:
        return f"waiting{expected}"
    progress = job.progress
    if progress is None:
        return f"starting for {time.monotonic() - job.began:.0f} s{expected} in all"
    if progress.done >= progress.total:
        return "almost done"
    text = f"{progress.done:,} of {progress.total:,} pairs, {progress.rate:,.0f} per second"
    left = progress.seconds_left
    if left is None:
        return text
    return f"{text}, {left:.0f} s left" if left < 90 else f"{text}, {left / 60:.0f} min left"
