"""CoNLL-2014 and GLEU as the papers used them: other references, gold edits and sentences, other forms of GLEU.

The files that a variant needs besides the corpus itself are in the corpus folder:

    references-um/*.txt         references with the edits of type Um applied, too (Gong et al. 2022)
    gold-with-alternatives.m2   gold edits with the alternatives that teams proposed (the shared task)
    rewrites/expert_*.txt       whole-sentence rewrites (Sakaguchi et al. 2016)
    rewrites/merged_ids.txt     lines, from 1, that the experts merged and the study skipped

`mixed`: for M2 an annotator is a set of edits. With every combination of corrections as an annotator, a sentence with
twenty errors would have a million of them. But edits that no output makes are never matched: they only add to the
number of gold edits, each as much as any other. So one of them stands for all, optional ones are left out, and few
combinations remain, among them the best for every output.

The forms of GLEU are metrics, so that their statistics are stored, but they are not in the registry: they are not
meant for new work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, product
from pathlib import Path
from typing import Literal

import numpy as np

from gec_core.corpora import m2
from gec_core.corpora.assemble import references_from_gold
from gec_core.corpora.folder import CorpusFolder
from gec_core.corpora.text import TextFile
from gec_core.errors import MissingInput
from gec_core.metrics.base import Metric, Score
from gec_core.metrics.gleu import Gleu
from gec_core.metrics.gleu.expectation import draw_references, gleu_scores, reference_blocks
from gec_core.metrics.imeasure.lattice import cluster, clusters_cleanly
from gec_core.metrics.m2 import M2
from gec_core.metrics.ngrams import ORDERS
from gec_core.scoring.table import MetricScores
from gec_core.types import Annotation, Array, Corpus, Edit, ErrorGroup, Pair, Sentence

Variant = Literal["official", "um", "alternatives", "clean", "mixed", "rewrites", "from_gold"]
GOLD = "gold-with-alternatives.m2"
REFERENCES = "references-um"
REWRITES = "rewrites"
MERGED = "merged_ids"
SOURCE = "source"
"""The name of the source as a system beside rewrites of it."""
UNCLEAR = "Um"
"""The type of edits of unclear text; the official references leave them out."""
Choice = tuple[Edit, ...]
Key = tuple[int, int, tuple[str, ...]]
"""The span and the corrections of an edit."""


def um(corpus: Corpus, folder: Path | None) -> Corpus:
    """The corpus with references in which the Um edits are applied."""
    files = _inside(folder, REFERENCES).texts(REFERENCES)
    if not files:
        raise _missing(f"{REFERENCES}/*.txt")
    references = zip(*(_lines(file, corpus) for file in files.values()), strict=True)
    return _with(
        corpus, [replace(one, references=given) for one, given in zip(corpus.sentences, references, strict=True)]
    )


def from_gold(corpus: Corpus) -> Corpus:
    """The corpus with references in which all gold edits are applied, the Um edits too."""
    references = references_from_gold(corpus.sentences)
    return _with(
        corpus, [replace(one, references=given) for one, given in zip(corpus.sentences, references, strict=True)]
    )


def alternatives(corpus: Corpus, folder: Path | None) -> Corpus:
    """The corpus with alternatives among the gold edits, and references derived from these without the Um edits."""
    file = _inside(folder, GOLD).one_of(GOLD)
    if file is None:
        raise _missing(GOLD)
    annotated = m2.read(file)
    if [one.source for one in annotated] != [one.source for one in corpus.sentences]:
        raise file.error("its sentences are not those of the corpus. Use the file of the same release.")
    references = references_from_gold([_without_unclear(one) for one in annotated])
    return _with(corpus, [replace(one, references=given) for one, given in zip(annotated, references, strict=True)])


def clean(corpus: Corpus) -> Corpus:
    """The sentences whose corrections can be grouped into errors automatically."""
    return _only(corpus, [line for line, one in enumerate(corpus.sentences) if clusters_cleanly(one)])


def mixed(corpus: Corpus, scored: Callable[[Corpus, Metric], MetricScores]) -> Corpus:
    """The corpus with every combination of corrections that matters to its outputs as an annotator."""
    edits = [_distinct(sentence) for sentence in corpus.sentences]
    met = _met(corpus, edits, scored)
    both = zip(corpus.sentences, met, strict=True)
    return replace(corpus, sentences=tuple(replace(one, annotations=_combinations(one, made)) for one, made in both))


def rewrites(corpus: Corpus, folder: Path | None) -> Corpus:
    """The corpus with the source and the experts' rewrites instead of the systems."""
    files = _inside(folder, REWRITES).texts(REWRITES)
    merged = files.pop(MERGED, None)
    if not files or merged is None:
        raise _missing(f"{REWRITES}/*.txt")
    skipped = {int(number) - 1 for number in merged.text().split()}
    outputs = {SOURCE: tuple(one.source for one in corpus.sentences)}
    outputs |= {name: tuple(_lines(file, corpus)) for name, file in files.items()}
    return _only(replace(corpus, systems=outputs), [line for line in range(len(corpus)) if line not in skipped])


class SentenceGleu(Gleu):
    """The mean of sentence scores without smoothing, references drawn as for the corpus score (Gong et al. 2022)."""

    id = "sentgleu"
    name = "GLEU, mean of sentences"

    def sentence_scores(self, statistics: Array) -> Array:
        """The mean over all draws of the score of each sentence with the reference drawn."""
        blocks, sizes = reference_blocks(statistics)
        draws = draw_references(tuple(sizes.tolist()), self.options.iterations, self.options.draw)
        scores = gleu_scores(blocks)
        means: Array = sum((draws == number).mean(axis=0) * scores[:, number] for number in range(scores.shape[1]))
        return means

    def aggregate(self, statistics: Array) -> Score:
        return Score(float(self.sentence_scores(statistics).mean()))


class FirstGleu(Metric):
    """GLEU as first published (Napoles et al. 2015), with weight 0 for n-grams that should have been changed.

    An n-gram of the output counts if a reference has it, and once more if the source does not; n-grams that the
    references have and the source does not are added to the denominator. All references are used at once, each
    n-gram with its highest count in a reference; length is compared with the closest reference length. This is our
    reading of the formula. It ranks the thirteen systems of CoNLL-2014 in the published order.
    """

    id = "gleu2015"
    name = "GLEU of 2015"
    family = "overlap"
    summary = "N-grams shared with the references, those that the source lacks counted twice."
    citation = "Napoles et al. 2015, Ground Truth for Grammatical Error Correction Metrics, ACL"
    reads = "references"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        """Lengths of output and closest reference, then counted and countable n-grams for n = 1 to 4."""
        return [self._row(pair) for pair in pairs]

    @staticmethod
    def _row(pair: Pair) -> Array:
        source, output = pair.sentence.tokens, pair.output.split()
        references = [reference.split() for reference in pair.sentence.references]
        closest = min(references, key=lambda tokens: (abs(len(tokens) - len(output)), len(tokens)))
        row = [len(output), len(closest)]
        for n in ORDERS:
            given, had = _ngrams(output, n), _ngrams(source, n)
            wanted: Counter[tuple[str, ...]] = Counter()
            for tokens in references:
                wanted |= _ngrams(tokens, n)
            new = Counter({gram: count for gram, count in wanted.items() if gram not in had})
            row += [(given & wanted).total() + (given & new).total(), given.total() + new.total()]
        return np.array(row, float)

    def aggregate(self, statistics: Array) -> Score:
        return Score(float(gleu_scores(statistics.sum(axis=0))))

    def sentence_scores(self, statistics: Array) -> Array:
        return gleu_scores(statistics)


def _inside(folder: Path | None, wanted: str) -> CorpusFolder:
    if folder is None:
        raise MissingInput(f"the folder of the corpus, with {wanted} in it")
    return CorpusFolder.at(folder)


def _missing(wanted: str) -> MissingInput:
    return MissingInput(f"{wanted} in the folder of the corpus")


def _lines(file: TextFile, corpus: Corpus) -> list[str]:
    lines = file.lines()
    if len(lines) != len(corpus):
        raise file.error(f"{len(lines)} lines, but the corpus has {len(corpus)} sentences.")
    return lines


def _without_unclear(sentence: Sentence) -> Sentence:
    kept = (
        Annotation(one.annotator, tuple(edit for edit in one.edits if edit.type != UNCLEAR))
        for one in sentence.annotations
    )
    return replace(sentence, annotations=tuple(kept))


def _with(corpus: Corpus, sentences: Sequence[Sentence]) -> Corpus:
    return replace(corpus, sentences=tuple(sentences))


def _only(corpus: Corpus, lines: Sequence[int]) -> Corpus:
    """Some sentences with their outputs; judgments, which refer to sentences by number, are dropped."""
    return replace(
        corpus,
        sentences=tuple(corpus.sentences[line] for line in lines),
        systems={name: tuple(outputs[line] for line in lines) for name, outputs in corpus.systems.items()},
        judgments=None,
        human=None,
    )


def _distinct(sentence: Sentence) -> dict[Key, Edit]:
    """The edits of all annotators, each once."""
    return {_key(edit): edit for annotation in sentence.annotations for edit in annotation.edits}


def _key(edit: Edit) -> Key:
    return edit.start, edit.end, edit.corrections


def _met(
    corpus: Corpus, edits: list[dict[Key, Edit]], scored: Callable[[Corpus, Metric], MetricScores]
) -> list[set[Key]]:
    """The edits of each sentence that at least one output makes: each is scored alone, as an annotator."""
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
    """The corrections of an error that can make a difference; () leaves it uncorrected."""
    ways = {tuple(map(_key, one.edits)): one.edits for one in error.alternatives}
    useful: list[Choice] = [edits for keys, edits in ways.items() if met.intersection(keys)]
    rest = [edits for keys, edits in ways.items() if not met.intersection(keys)]
    if not error.required:
        return [(), *useful]
    return [*useful, *([min(rest, key=len)] if rest else [])]


def _ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))
