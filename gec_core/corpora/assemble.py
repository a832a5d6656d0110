"""Assemble a corpus from files or typed text, deriving references and gold edits from each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gec_core import languages
from gec_core.align.edits import apply_edits, diff_edits
from gec_core.corpora import imeasure_xml, m2
from gec_core.corpora.text import LinesFile, TextFile
from gec_core.errors import CorpusError
from gec_core.formatting import counted
from gec_core.types import Annotation, Corpus, CorpusInfo, Judgments, Note, Sentence

MOST_TOKENS = 150
"""The most tokens of a typed sentence."""
_TABLES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
TYPED = "typed"
"""The name of a corpus of one typed sentence."""


def assemble(
    name: str,
    *,
    source: TextFile | None,
    references: Sequence[TextFile],
    gold: TextFile | None,
    systems: Mapping[str, TextFile],
    judgments: Judgments | None = None,
    human: Mapping[str, float] | None = None,
    info: CorpusInfo | None = None,
    notes: tuple[Note, ...] = (),
) -> Corpus:
    """Make a corpus from its files, with notes about them.

    Sources may come from the gold file; references and gold edits are derived from each other where one is missing.
    A corpus may have neither: metrics that read only source and output can score it.

    Raises:
        CorpusError: There are no sources, or two files do not fit together.
    """
    for file in (*([source] if source else ()), *references):
        _refuse_table(file)
    annotated, left_out = _read_gold(gold) if gold else ([], ())
    told = (*left_out, *notes)
    sentences, measure = _sentences(name, source, gold, annotated)
    if not sentences:
        raise CorpusError(f"{measure.name}: has no sentences. A corpus needs at least one.")
    _refuse_too_many(measure, sentences, len(references))
    if references:
        corrected = zip(*(_lines(file, measure, len(sentences)) for file in references), strict=True)
        sentences = [replace(each, references=own) for each, own in zip(sentences, corrected, strict=True)]
    outputs = {system: tuple(_lines(file, measure, len(sentences))) for system, file in systems.items()}
    corpus = Corpus(
        name, tuple(sentences), outputs, judgments, human, info or CorpusInfo(), notes={"": told} if told else {}
    )
    return completed(corpus if gold else by_characters(corpus))


def by_characters(corpus: Corpus) -> Corpus:
    """The corpus with single characters as tokens, if its language has no spaces and its texts have none.

    Metrics compare tokens: M², GLEU, I-measure and the others then count edits of characters. Texts that are segmented
    into words already, and gold edits, are left as they are.
    """
    sources = [sentence.source for sentence in corpus.sentences]
    if corpus.language not in languages.UNSPACED or not languages.unsegmented(sources):
        return corpus
    apart = languages.characters_apart
    sentences = tuple(
        replace(each, source=apart(each.source), references=tuple(map(apart, each.references)))
        for each in corpus.sentences
    )
    systems = {name: tuple(map(apart, lines)) for name, lines in corpus.systems.items()}
    note = Note("scored on characters: texts without spaces are compared character by character")
    return replace(
        corpus, sentences=sentences, systems=systems, notes={**corpus.notes, "": (*corpus.notes.get("", ()), note)}
    )


def typed_sentence(source: str, references: Sequence[str]) -> Sentence:
    """A typed source with its references, without empty ones, and the gold edits derived from them."""
    source = _tokens("The source", source)
    if not source:
        raise CorpusError("There is no source yet: type the sentence as the learner wrote it.")
    texts = (_tokens(f"Reference {number}", text) for number, text in enumerate(references, 1))
    given = tuple(text for text in texts if text)
    return complete([Sentence(source, given)])[0]


def typed_corpus(sentence: Sentence, outputs: Mapping[str, str]) -> Corpus:
    """A corpus of one sentence; systems with an empty output are left out."""
    named = {name: _tokens(name, text) for name, text in outputs.items()}
    corpus = Corpus(TYPED, (sentence,), {name: (text,) for name, text in named.items() if text})
    apart = by_characters(corpus)
    if apart is corpus:
        return corpus
    plain = tuple(replace(each, annotations=()) for each in apart.sentences)
    return replace(apart, sentences=complete(plain))


def completed(corpus: Corpus) -> Corpus:
    """The corpus with references derived from gold edits, or gold edits from references, where one of them is missing.

    Args:
        corpus: A corpus, for example one made of sentences in Python. It is returned as it is if nothing is missing,
            or if it has neither references nor gold edits.

    Raises:
        CorpusError: Some sentences have references or gold edits, and others do not.
    """
    sentences = complete(corpus.sentences)
    return corpus if sentences == corpus.sentences else replace(corpus, sentences=sentences)


def complete(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The sentences with references and gold edits, as far as one of them can be derived from the other."""
    have = {name: _all_or_none(sentences, name) for name in ("references", "annotations")}
    if have["references"] == have["annotations"]:
        return tuple(sentences)
    if have["references"]:
        return tuple(
            replace(each, annotations=gold_from_references(each.source, each.references)) for each in sentences
        )
    derived = references_from_gold(sentences)
    return tuple(replace(each, references=own) for each, own in zip(sentences, derived, strict=True))


def references_from_gold(sentences: Sequence[Sentence]) -> list[tuple[str, ...]]:
    """The references of each sentence, one per annotator of the corpus: the source with all their edits applied.

    Where an annotator did not see a sentence, the reference of its first annotator is repeated, so
    that every sentence has the same number of references.
    """
    annotators = sorted({annotation.annotator for sentence in sentences for annotation in sentence.annotations})
    return [_references(sentence, annotators) for sentence in sentences]


def gold_from_references(source: str, references: Sequence[str]) -> tuple[Annotation, ...]:
    """Gold edits, one annotator per reference: the token differences between source and reference."""
    return tuple(Annotation(number, diff_edits(source, reference)) for number, reference in enumerate(references))


def _sentences(
    name: str, source: TextFile | None, gold: TextFile | None, annotated: list[Sentence]
) -> tuple[list[Sentence], TextFile]:
    """The sentences with their gold edits, and the file whose length the others must have."""
    if source is None:
        if gold is None:
            raise CorpusError(f"{name}: no sources. Give source.txt (or --source), or a gold file.")
        return annotated, gold
    lines = source.lines()
    if len(lines) == 1 and not isinstance(source, LinesFile) and source.text().rstrip().count("\r"):
        raise source.error("lines end in carriage returns, so that all is one line. Save the file with Unix line ends.")
    if gold is None:
        return [Sentence(line) for line in lines], source
    if len(annotated) != len(lines):
        raise gold.error(
            f"{counted(len(annotated), 'sentence')}, but {source.path.name} has {counted(len(lines), 'line')}."
        )
    for number, (line, sentence) in enumerate(zip(lines, annotated, strict=True), 1):
        if line != sentence.source:
            raise source.error(
                f"differs from sentence {number} of {gold.path.name}: {_difference(line, sentence)}.", number
            )
    return annotated, source


def _refuse_too_many(measure: TextFile, sentences: Sequence[Sentence], references: int) -> None:
    """Apply the limits before references are derived: a small file of many sentences can stand for very many."""
    annotators = len({annotation.annotator for sentence in sentences for annotation in sentence.annotations})
    for count, what in ((references, "reference"), (annotators, "annotator")):
        if measure.limits.references is not None and count > measure.limits.references:
            raise measure.error(f"{counted(count, what)}; at most {measure.limits.references} are allowed.")
    in_all, most = len(sentences) * (references or annotators), measure.limits.references_in_all
    if most is not None and in_all > most:
        raise measure.error(
            f"{len(sentences):,} sentences with {references or annotators} references each; at most {most:,} "
            "references in all are allowed."
        )


def _read_gold(file: TextFile) -> tuple[list[Sentence], tuple[Note, ...]]:
    if file.path.name.lower().removesuffix(".gz").endswith(".xml"):
        return imeasure_xml.read(file), ()
    return m2.read_noted(file)


def _difference(line: str, sentence: Sentence) -> str:
    """The first token in which two sentences differ."""
    ours, theirs = line.split(), sentence.tokens
    for position, (own, other) in enumerate(zip(ours, theirs, strict=False), 1):
        if own != other:
            return f"token {position} is {own!r} here and {other!r} there"
    return f"{len(ours)} tokens here and {len(theirs)} there"


def _refuse_table(file: TextFile) -> None:
    """Refuse sources and references whose lines are more than a sentence."""
    name = file.path.name.lower().removesuffix(".gz")
    if not isinstance(file, LinesFile) and name.endswith(_TABLES):
        raise file.error(
            f"sources and references are text with one sentence per line, not {Path(name).suffix} files. Save the "
            "column of sentences as a .txt file."
        )


def _lines(file: TextFile, measure: TextFile, expected: int) -> list[str]:
    lines = file.lines()
    if len(lines) != expected:
        raise file.error(
            f"{counted(len(lines), 'line')}, but {measure.path.name} has {expected}. "
            "Is there a blank line at the end, or is a line missing?"
        )
    return lines


def _all_or_none(sentences: Sequence[Sentence], name: str) -> bool:
    """Whether the sentences have references, or annotations; refuses a mixture."""
    lacking = [number for number, sentence in enumerate(sentences, 1) if not getattr(sentence, name)]
    if lacking and len(lacking) < len(sentences):
        raise CorpusError(f"Sentence {lacking[0]} has no {name}, but others have. Give all of them some, or none.")
    return not lacking


def _references(sentence: Sentence, annotators: Sequence[int]) -> tuple[str, ...]:
    corrected = {
        annotation.annotator: apply_edits(sentence.source, annotation.edits) for annotation in sentence.annotations
    }
    first = corrected[sentence.annotations[0].annotator]
    return tuple(corrected.get(annotator, first) for annotator in annotators)


def _tokens(what: str, text: str) -> str:
    tokens = text.split()
    if len(tokens) > MOST_TOKENS:
        raise CorpusError(f"{what} has {len(tokens)} tokens; at most {MOST_TOKENS} fit. Use one sentence at a time.")
    return " ".join(tokens)
