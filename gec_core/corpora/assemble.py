"""Putting the files of a corpus together, and saying which of them does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gec_core.corpora import derive, ixml, m2
from gec_core.corpora.text import TextFile, counted
from gec_core.errors import CorpusError
from gec_core.types import Corpus, CorpusInfo, Judgments, Sentence


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
) -> Corpus:
    """A corpus from its files. Sources may come from the gold file; references and gold from each other.

    A corpus may have neither: metrics that look at source and output alone can score it all the same.
    """
    sentences, measure = _sentences(name, source, gold)
    if not sentences:
        raise CorpusError(f"{measure.name}: there is no sentence in it. A corpus needs at least one.")
    _refuse_too_many(measure, sentences, len(references))
    corrected = [_lines(file, measure, len(sentences)) for file in references]
    return Corpus(
        name,
        _complete(sentences, list(zip(*corrected, strict=True)), has_gold=gold is not None),
        {system: tuple(_lines(file, measure, len(sentences))) for system, file in systems.items()},
        judgments,
        human,
        info or CorpusInfo(),
    )


def _sentences(name: str, source: TextFile | None, gold: TextFile | None) -> tuple[list[Sentence], TextFile]:
    """The sentences with what the gold file says about them, and the file that the others must match."""
    annotated = _read_gold(gold) if gold else []
    if source is None:
        if gold is None:
            raise CorpusError(f"{name}: no sources. They stand in source.txt (or --source), or in the gold file.")
        return annotated, gold
    lines = source.lines()
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
    """Before they are made: few annotators of one sentence and many sentences are a small file, and many references."""
    annotators = len({annotation.annotator for sentence in sentences for annotation in sentence.annotations})
    for count, what in ((references, "reference"), (annotators, "annotator")):
        if measure.limits.references is not None and count > measure.limits.references:
            raise measure.error(f"{counted(count, what)}; more than {measure.limits.references} are not read here.")
    in_all, most = len(sentences) * (references or annotators), measure.limits.references_in_all
    if most is not None and in_all > most:
        raise measure.error(
            f"{len(sentences):,} sentences with {references or annotators} references each; more than {most:,} "
            "references in all are not read here."
        )


def _read_gold(file: TextFile) -> list[Sentence]:
    return ixml.read(file) if file.path.name.lower().removesuffix(".gz").endswith(".xml") else m2.read(file)


def _difference(line: str, sentence: Sentence) -> str:
    """Where two sentences part, without printing both."""
    ours, theirs = line.split(), sentence.tokens
    for position, (own, other) in enumerate(zip(ours, theirs, strict=False), 1):
        if own != other:
            return f"token {position} is {own!r} here and {other!r} there"
    return f"{len(ours)} tokens here and {len(theirs)} there"


def _lines(file: TextFile, measure: TextFile, expected: int) -> list[str]:
    lines = file.lines()
    if len(lines) != expected:
        raise file.error(
            f"{counted(len(lines), 'line')}, but {measure.path.name} has {expected}. "
            f"Is there a blank line at the end, or one missing?"
        )
    return lines


def _complete(sentences: list[Sentence], references: list[tuple[str, ...]], *, has_gold: bool) -> tuple[Sentence, ...]:
    if not references and not has_gold:
        return tuple(sentences)
    if not references:
        references = derive.references_from_gold(sentences)
    both = zip(sentences, references, strict=True)
    if has_gold:
        return tuple(replace(sentence, references=given) for sentence, given in both)
    return tuple(
        replace(sentence, references=given, annotations=derive.gold_from_references(sentence.source, given))
        for sentence, given in both
    )
