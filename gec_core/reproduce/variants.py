"""CoNLL-2014 as the different papers used it: with other references, gold edits, sentences or outputs.

What a variant needs beside the corpus itself lies in the corpus folder:

    references-um/*.txt         references with the edits of type Um made, too (Gong et al. 2022)
    gold-with-alternatives.m2   gold edits with the alternatives that teams proposed (the shared task)
    rewrites/expert_*.txt       whole-sentence rewrites (Sakaguchi et al. 2016)
    rewrites/merged_ids.txt     lines, from 1, that the experts merged and the study skipped
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from gec_core.corpora import derive, m2
from gec_core.corpora.folder import CorpusFolder
from gec_core.corpora.text import TextFile
from gec_core.errors import MissingInput
from gec_core.metrics._imeasure_gold import clusters_cleanly
from gec_core.types import Annotation, Corpus, Sentence

Variant = Literal["official", "um", "alternatives", "clean", "mixed", "rewrites"]
GOLD = "gold-with-alternatives.m2"
REFERENCES = "references-um"
REWRITES = "rewrites"
MERGED = "merged_ids"
SOURCE = "source"
"""What the source is called where it stands beside rewrites of it."""
UNCLEAR = "Um"
"""The type of edits that say what is unclear; the official references leave them out."""


def um(corpus: Corpus, folder: Path | None) -> Corpus:
    """With references in which the Um edits are made."""
    files = _inside(folder, REFERENCES).texts(REFERENCES)
    if not files:
        raise _missing(f"{REFERENCES}/*.txt")
    references = zip(*(_lines(file, corpus) for file in files.values()), strict=True)
    return _with(
        corpus, [replace(one, references=given) for one, given in zip(corpus.sentences, references, strict=True)]
    )


def alternatives(corpus: Corpus, folder: Path | None) -> Corpus:
    """With alternatives among the gold edits, and references that these give without the Um edits."""
    file = _inside(folder, GOLD).one_of(GOLD)
    if file is None:
        raise _missing(GOLD)
    annotated = m2.read(file)
    if [one.source for one in annotated] != [one.source for one in corpus.sentences]:
        raise file.error("these are not the sentences of the corpus.")
    references = derive.references_from_gold([_without_unclear(one) for one in annotated])
    return _with(corpus, [replace(one, references=given) for one, given in zip(annotated, references, strict=True)])


def clean(corpus: Corpus) -> Corpus:
    """Only the sentences whose corrections can be grouped into errors without a person's help."""
    return _only(corpus, [line for line, one in enumerate(corpus.sentences) if clusters_cleanly(one)])


def rewrites(corpus: Corpus, folder: Path | None) -> Corpus:
    """The source and the experts' rewrites in place of the systems."""
    files = _inside(folder, REWRITES).texts(REWRITES)
    merged = files.pop(MERGED, None)
    if not files or merged is None:
        raise _missing(f"{REWRITES}/*.txt")
    skipped = {int(number) - 1 for number in merged.text().split()}
    outputs = {SOURCE: tuple(one.source for one in corpus.sentences)}
    outputs |= {name: tuple(_lines(file, corpus)) for name, file in files.items()}
    return _only(replace(corpus, systems=outputs), [line for line in range(len(corpus)) if line not in skipped])


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
    """Some sentences, with their outputs; judgments, which count sentences, are dropped."""
    return replace(
        corpus,
        sentences=tuple(corpus.sentences[line] for line in lines),
        systems={name: tuple(outputs[line] for line in lines) for name, outputs in corpus.systems.items()},
        judgments=None,
        human=None,
    )
