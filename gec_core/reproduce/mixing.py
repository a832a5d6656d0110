"""Gold edits of several annotators mixed, so that M2 may choose a correction for every error on its own.

For M2 an annotator is a set of edits. Mixed, every combination of one correction an error would be one, and
a sentence with twenty errors would have a million. But of edits that no output makes, none is ever matched:
they only add to the number of gold edits, each as much as any other. So one of them stands for all, optional
ones are left out, and what remains are few combinations, among them the best for every output.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, product

import numpy as np

from gec_core.metrics._imeasure_gold import cluster
from gec_core.metrics.base import Metric
from gec_core.metrics.m2 import M2
from gec_core.scores import MetricScores
from gec_core.types import Annotation, Corpus, Edit, ErrorGroup, Sentence

Choice = tuple[Edit, ...]
Key = tuple[int, int, tuple[str, ...]]


def mixed(corpus: Corpus, scored: Callable[[Corpus, Metric], MetricScores]) -> Corpus:
    """The corpus with every combination of corrections that matters to its outputs as an annotator."""
    edits = [_distinct(sentence) for sentence in corpus.sentences]
    met = _met(corpus, edits, scored)
    both = zip(corpus.sentences, met, strict=True)
    return replace(corpus, sentences=tuple(replace(one, annotations=_combinations(one, made)) for one, made in both))


def _distinct(sentence: Sentence) -> dict[Key, Edit]:
    """The edits of all annotators, each once."""
    return {_key(edit): edit for annotation in sentence.annotations for edit in annotation.edits}


def _key(edit: Edit) -> Key:
    return edit.start, edit.end, edit.corrections


def _met(
    corpus: Corpus, edits: list[dict[Key, Edit]], scored: Callable[[Corpus, Metric], MetricScores]
) -> list[set[Key]]:
    """For each sentence, the edits that at least one output makes: each is asked for alone, as an annotator."""
    alone = (
        tuple(Annotation(number, (edit,)) for number, edit in enumerate(each.values())) or (Annotation(0),)
        for each in edits
    )
    asked = [replace(one, annotations=annotations) for one, annotations in zip(corpus.sentences, alone, strict=True)]
    column = scored(replace(corpus, sentences=tuple(asked)), M2())
    # Rows of M2: a flag, then correct, proposed and gold of every annotator.
    best = np.fmax.reduce([one.statistics[:, 1::3] for one in column.systems.values()])
    return [{key for number, key in enumerate(each) if row[number] > 0} for each, row in zip(edits, best, strict=True)]


def _combinations(sentence: Sentence, met: set[Key]) -> tuple[Annotation, ...]:
    choices = [_choices(error, met) for error in cluster(sentence.annotations)]
    return tuple(
        Annotation(number, tuple(sorted(chain.from_iterable(choice), key=lambda edit: (edit.start, edit.end))))
        for number, choice in enumerate(product(*choices))
    )


def _choices(error: ErrorGroup, met: set[Key]) -> list[Choice]:
    """The corrections of an error that can make a difference; () leaves it alone."""
    ways = {tuple(map(_key, one.edits)): one.edits for one in error.alternatives}
    useful: list[Choice] = [edits for keys, edits in ways.items() if met.intersection(keys)]
    rest = [edits for keys, edits in ways.items() if not met.intersection(keys)]
    if not error.required:
        return [(), *useful]
    return [*useful, *([min(rest, key=len)] if rest else [])]
