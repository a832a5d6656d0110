"""What metrics make of single outputs, and why."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

import streamlit as st

from dashboard.jobs import Job
from dashboard.services.caching import by_content, digest
from dashboard.services.corpus import is_public
from dashboard.services.scoring import jobs
from gec_core.explain import prose
from gec_core.explain.credit import Worth
from gec_core.explain.credit import worth as explain_worth
from gec_core.explain.edits import output_edits as explain_edits
from gec_core.metrics.base import Metric
from gec_core.store import Store
from gec_core.types import Corpus, Edit, Progress

QUICK = 0.002
"""Seconds a pair of metrics whose credits are computed while the visitor waits."""
WHILE_WAITING = 0.15
"""Seconds that the credits of one output may take a quick metric: exact up to 8 edits, sampled beyond."""
IN_BACKGROUND = 20.0
"""Seconds that the credits of one output may take a slow metric in the background."""


def quick(metric: Metric) -> bool:
    """Whether the credits of an output under this metric can be had at once."""
    return metric.pace <= QUICK and metric.availability().ready


def takes_a_model(metric: Metric) -> bool:
    """Whether its credits can be had by asking a model that is here."""
    return metric.pace > QUICK and metric.availability().ready


def worth(corpus: Corpus, metric: Metric, index: int, output: str) -> Worth | None:
    """What a metric makes of an output, among the other systems' outputs; None if it takes a model that nobody has
    asked yet (`ask_model`)."""
    if quick(metric):
        return quick_worth(corpus, metric.signature, metric, index, output)
    key = model_key(corpus, metric, index, output)
    if (job := jobs().known(key)) is None:
        return None
    _asked()[key] = job  # a visit that reloaded its page, or a second one, holds on to it, too
    found: Worth | None = job.result
    return found


@st.cache_resource(show_spinner=False, max_entries=5000, hash_funcs=by_content, scope="session")
def quick_worth(corpus: Corpus, signature: str, _metric: Metric, index: int, output: str) -> Worth:
    """What a metric without a model makes of an output, among the other systems' outputs."""
    sentence, others = corpus.sentences[index], peers(corpus, index, output)
    return explain_worth(_metric, sentence, output, peers=others, store=Store(), seconds=WHILE_WAITING)


def model_key(corpus: Corpus, metric: Metric, index: int, output: str) -> tuple[str, str, int, str]:
    """The key of the job that asks a model about an output."""
    return corpus.fingerprint, metric.signature, index, digest(output)


def ask_model(corpus: Corpus, metric: Metric, index: int, output: str, system: str) -> Job:
    """Compute in the background what a slow metric makes of an output; of a text that a visitor brought along, this
    is known as long as the visit lasts."""

    def work(follow: Callable[[Progress], None]) -> Worth:
        sentence, others = corpus.sentences[index], peers(corpus, index, output)
        return explain_worth(
            metric, sentence, output, peers=others, store=Store(), on_progress=follow, seconds=IN_BACKGROUND
        )

    key = model_key(corpus, metric, index, output)
    job = _asked()[key] = jobs().start(key, f"{metric.name}, {system}", work, private=not is_public(corpus))
    return job


@st.cache_resource(show_spinner=False, scope="session")
def _asked() -> dict[Hashable, Job]:
    """The jobs that ask models for this visit: their results have words of the text."""
    return {}


@st.cache_resource(show_spinner=False, max_entries=20_000, scope="session")
def output_edits(source: str, output: str) -> tuple[Edit, ...]:
    """The edits of an output, with their types where ERRANT can run."""
    return explain_edits(source, output, Store())


def peers(corpus: Corpus, index: int, output: str) -> list[str]:
    """The outputs of the other systems; of those with this output, one is left out."""
    outputs = [column[index] for column in corpus.systems.values()]
    if output in outputs:
        outputs.remove(output)
    return outputs


def in_words(
    corpus: Corpus, index: int, metrics: Mapping[str, Metric], first: Sequence[str], second: Sequence[str]
) -> prose.Comparison:
    """Two outputs, each given by the systems that have it, compared in plain words under metrics that know both."""
    texts = [corpus.systems[systems[0]][index] for systems in (first, second)]
    valued = []
    for name, metric in metrics.items():
        one, other = (worth(corpus, metric, index, text) for text in texts)
        if one and other:
            valued.append(prose.Valued(name, one, other))
    votes = prose.count_votes(corpus.judgments, index, first, second) if corpus.judgments else None
    return prose.compare(corpus.sentences[index].source, (first[0], second[0]), valued, votes)
