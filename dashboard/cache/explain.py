"""Explanations of single outputs: edits, credits, words, and step-by-step computations.

Credits of quick metrics are computed while the visitor waits, those of models by background jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from typing import TYPE_CHECKING

import streamlit as st

from dashboard import IMPORTING
from dashboard.background import BackgroundJob, Urgency
from dashboard.cache.corpora import by_content, digest, is_public
from dashboard.cache.scoring import jobs, tasks
from gec_core.errors import GecLensError
from gec_core.explain import credit, prose
from gec_core.explain.credit import OutputExplanation
from gec_core.explain.credit import output_edits as explain_edits
from gec_core.meta.gap_credits import known_credits
from gec_core.metrics.base import Metric
from gec_core.metrics.blocks import Step
from gec_core.metrics.imeasure import IMeasure
from gec_core.metrics.model import ModelMetric
from gec_core.store import Store
from gec_core.types import Annotation, Corpus, Edit, Progress, Sentence

if TYPE_CHECKING:
    from gec_core.align.threeway import Alignment  # compiled code, which the first page does without

QUICK = 0.002
"""Seconds per pair of the slowest metric whose credits are computed while the visitor waits."""
WHILE_WAITING = 0.15
"""Seconds for the credits of one output under a quick metric: exact up to 8 edits, sampled beyond."""
IN_BACKGROUND = 20.0
"""Seconds for the credits of one output under a slow metric, in the background."""
UNASKED = 6.0
"""Seconds that a model may take, by the pace of the metric, to be asked without a click."""

WARMING = Event()
"""Set by the server: models may be loaded before they are needed."""
_warm: set[str] = set()
"""The signatures of metrics whose models are being loaded, or are."""
_MADE_UP = Sentence("He go home .", ("He goes home .",), (Annotation(0, (Edit(1, 2, "goes"),)),))


def quick(metric: Metric) -> bool:
    """Whether this metric is fast enough to compute credits while the visitor waits."""
    return metric.pace <= QUICK and metric.availability().ready


def needs_model(metric: Metric) -> bool:
    """Whether this metric computes credits here in the background: it is slow, or has to load something first."""
    return metric.availability().ready and not _at_once(metric)


def _at_once(metric: Metric) -> bool:
    return quick(metric) and metric.loaded()


def _allowed(metric: Metric) -> float:
    """Seconds for the credits of one output; the same whether a quick metric has to load something first or not."""
    return WHILE_WAITING if quick(metric) else IN_BACKGROUND


def explain_output(corpus: Corpus, metric: Metric, index: int, output: str) -> OutputExplanation | None:
    """Return the score, credits and explanation of an output, beside the other systems' outputs.

    Returns:
        None if the metric needs a model that has not been asked yet (`ask_model`).
    """
    if _at_once(metric):
        return quick_explanation(corpus, metric.signature, metric, index, output)
    key = model_key(corpus, metric, index, output)
    if (job := jobs().known(key)) is None:
        return None
    _asked()[key] = job  # keeps a private result for this visitor as well
    found: OutputExplanation | None = job.result
    return found


@st.cache_resource(show_spinner=False, max_entries=5000, hash_funcs=by_content, scope="session")
def quick_explanation(corpus: Corpus, signature: str, _metric: Metric, index: int, output: str) -> OutputExplanation:
    """Return the score, credits and explanation of an output under a quick metric."""
    sentence, others = corpus.sentences[index], peers(corpus, index, output)
    return credit.explain_output(_metric, sentence, output, peers=others, store=Store(), seconds=WHILE_WAITING)


def model_key(corpus: Corpus, metric: Metric, index: int, output: str) -> tuple[str, str, int, str]:
    """Return the key of the job that asks a model about an output."""
    return corpus.fingerprint, metric.signature, index, digest(output)


def asked_without_click(corpus: Corpus, metric: Metric, index: int, output: str) -> bool:
    """Whether a slow metric is quick enough here to compute credits without being asked: with an embedded model."""
    if not asked_here(metric):
        return False
    edits = len(output_edits(corpus.sentences[index].source, output))
    texts = min(1 << edits, credit.most_texts(metric, _allowed(metric)))
    return texts * metric.pace <= UNASKED or _known_credits(corpus, metric, index, output) is not None


def _known_credits(corpus: Corpus, metric: Metric, index: int, output: str) -> credit.Credits | None:
    """The credits that come with the project; also for background jobs, which may not use a visitor's cache."""
    sentence = corpus.sentences[index]
    return known_credits(metric, sentence, output, explain_edits(sentence.source, output, Store()), Store())


def asked_here(metric: Metric) -> bool:
    """Whether a slow metric can run here without costs, and its model, if it has one, is embedded."""
    return (
        needs_model(metric)
        and not metric.paid
        and (not isinstance(metric, ModelMetric) or metric.place.origin == "embedded")
    )


def ask_model(
    corpus: Corpus,
    metric: Metric,
    index: int,
    output: str,
    system: str,
    *,
    urgency: Urgency = "now",
    turn: int | None = None,
) -> BackgroundJob:
    """Compute the credits of an output under a slow metric in the background; see `Jobs.start`.

    For texts that a visitor uploaded, the result is kept for this session only.
    """
    sentence, others = corpus.sentences[index], peers(corpus, index, output)
    edits = output_edits(sentence.source, output)  # cached for the visit, which the thread of the job is no part of

    def work(follow: Callable[[Progress], None]) -> OutputExplanation:
        return credit.explain_output(
            metric,
            sentence,
            output,
            peers=others,
            store=Store(),
            on_progress=follow,
            seconds=_allowed(metric),
            known=known_credits(metric, sentence, output, edits, Store()),
        )

    key = model_key(corpus, metric, index, output)
    title, private = f"{metric.title}, {system}", not is_public(corpus)
    job = _asked()[key] = jobs().start(key, title, work, private=private, urgency=urgency, turn=turn)
    return job


def warm_models(metrics: Iterable[Metric]) -> None:
    """Load embedded encoders and ERRANT's pipeline in a thread, for pages that lead to sentences.

    Only in a server (`server.py`).
    """
    wanted = [metric for metric in metrics if _loads_quickly(metric) and metric.signature not in _warm]
    if wanted and WARMING.is_set():
        _warm.update(metric.signature for metric in wanted)
        Thread(target=_warm_up, args=(wanted,), name="gec-lens-warm", daemon=True).start()


def _loads_quickly(metric: Metric) -> bool:
    return asked_here(metric) and (metric.kind == "encoder" if isinstance(metric, ModelMetric) else quick(metric))


def _warm_up(metrics: Sequence[Metric]) -> None:
    """Explain a made-up sentence, which loads all that a real one needs."""
    with IMPORTING:  # not while models load
        from gec_core.align import errant_alignment, lattice  # noqa: F401

    for metric in metrics:
        with suppress(GecLensError):
            credit.explain_output(metric, _MADE_UP, "He goes at home .")


@st.cache_resource(show_spinner=False, scope="session")
def _asked() -> dict[Hashable, BackgroundJob]:
    """The jobs that asked models for this visitor; their results hold words of the text."""
    return {}


@st.cache_resource(show_spinner=False, max_entries=20_000, scope="session")
def output_edits(source: str, output: str) -> tuple[Edit, ...]:
    """Return the edits of an output, with types where ERRANT can run."""
    return explain_edits(source, output, Store())


def peers(corpus: Corpus, index: int, output: str) -> list[str]:
    """Return the outputs of the other systems: all but one of those that equal this output."""
    outputs = [column[index] for column in corpus.systems.values()]
    if output in outputs:
        outputs.remove(output)
    return outputs


def compared_outputs(
    corpus: Corpus, index: int, metrics: Mapping[str, Metric], first: str, second: str
) -> list[prose.ComparedOutputs]:
    """Return two outputs under the metrics that know both by now."""
    compared = []
    for name, metric in metrics.items():
        one, other = (explain_output(corpus, metric, index, text) for text in (first, second))
        if one and other:
            compared.append(prose.ComparedOutputs(name, one, other))
    return compared


def votes_on(corpus: Corpus, index: int, first: Sequence[str], second: Sequence[str]) -> prose.Votes | None:
    """Return what judges said about two outputs, each given by the systems that share it."""
    return prose.count_votes(corpus.judgments, index, first, second) if corpus.judgments else None


def in_words(
    corpus: Corpus, index: int, metrics: Mapping[str, Metric], first: Sequence[str], second: Sequence[str]
) -> prose.ComparisonInWords:
    """Compare two outputs in words, each given by the systems that share it, under the metrics that know both."""
    texts = [corpus.systems[systems[0]][index] for systems in (first, second)]
    compared = compared_outputs(corpus, index, metrics, *texts)
    source = corpus.sentences[index].source
    return prose.compare(source, (first[0], second[0]), compared, votes_on(corpus, index, first, second))


@st.cache_resource(show_spinner=False, max_entries=2000, hash_funcs=by_content, scope="session")
def alignment(corpus: Corpus, index: int, output: str) -> Alignment | None:
    """Return the three-way alignment of the I-measure; None without references."""
    sentence = corpus.sentences[index]
    return IMeasure().alignment(sentence, output) if sentence.annotations else None


@st.cache_resource(show_spinner=False, max_entries=500, hash_funcs=by_content, scope="session")
def quick_steps(corpus: Corpus, signature: str, _metric: Metric, output: str) -> tuple[Step, ...]:
    """Return the computation steps of a quick metric."""
    return _typed_steps(corpus, _metric, output)


@st.cache_resource(show_spinner=False, max_entries=500, hash_funcs=by_content, scope="session")
def model_steps(corpus: Corpus, signature: str, _metric: Metric, output: str) -> Future[tuple[Step, ...]]:
    """Return the computation steps of a slow metric as a private task."""
    key = "steps", corpus.fingerprint, signature, digest(output)
    return tasks().ask(key, partial(_typed_steps, corpus, _metric, output), private=True)


def _typed_steps(corpus: Corpus, metric: Metric, output: str) -> tuple[Step, ...]:
    """The computation of the score of an output of typed text, step by step."""
    return metric.steps(corpus.sentences[0], output, store=Store(), peers=peers(corpus, 0, output))
