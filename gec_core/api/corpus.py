"""Open a corpus by name, from a folder or a zip file, or make one from lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gec_core.api import arguments
from gec_core.api.arguments import Gold, References, Sentences
from gec_core.corpora import m2
from gec_core.corpora.assemble import by_characters, completed
from gec_core.corpora.selection import select
from gec_core.corpora.text import TextFile
from gec_core.corpora.tokenise import Convention, tokenise
from gec_core.errors import InputError, MissingInput
from gec_core.formatting import counted
from gec_core.scoring.precomputed import open_corpus
from gec_core.types import Corpus, Sentence

__all__ = ["corpus"]

MADE = "lists"
"""What a corpus is called that was made from lists and given no name."""


def corpus(
    where: str | Path | None = None,
    *,
    sources: Sentences | None = None,
    systems: Mapping[str, Sentences] | None = None,
    references: References | None = None,
    gold: Gold | str | Path | None = None,
    human: Mapping[str, float] | None = None,
    name: str = MADE,
    sentences: str | Sequence[int] | None = None,
) -> Corpus:
    """Open a corpus, or make one from lists.

    References and gold edits are derived from each other: if only references are given, gold edits are their token
    differences to the source (ERRANT and the metrics built on it annotate the references themselves); if only gold
    edits are given, references are the sources with each annotator's edits made.

    Args:
        where: The name of a corpus ("demo", "conll14"), a corpus folder, or a zip file of one. Systems may be added
            to it with `systems`; the other arguments are for corpora made from lists.
        sources: The sentences to be corrected, tokenised, with spaces between the tokens.
        systems: The outputs of each system by its name, one per source.
        references: One list of corrected sentences per annotator, each as long as the sources.
        gold: One list per annotator, with a list of edits for each sentence: `Edit` values or tuples
            (start, end, correction) or (start, end, correction, type). Or the path of an M2 file.
        human: A score by people for each system; higher is better.
        name: What messages and tables call a corpus made from lists.
        sentences: Only these sentences: "judged" (those with human judgments), a file of numbers or ranges such as
            "1-100,205" (both counted from 1), or a list of positions (counted from 0, as in Python).

    Returns:
        The corpus. If only our scores of a corpus are on this machine, but not its texts, `has_texts` is False: such
        a corpus can be scored and correlated, but not read.

    Raises:
        CorpusError: There is no such corpus, or a file of it is not right; the message names file and line.
        InputError: An argument is not such a list, or its length does not fit.

    Examples:
        >>> import gec_core as gec
        >>> gec.corpus("demo")
        <corpus demo: 86 sentences, 7 systems>
        >>> mine = gec.corpus(
        ...     sources=["This are a sentence ."],
        ...     systems={"mine": ["This is a sentence ."], "unchanged": ["This are a sentence ."]},
        ...     references=[["This is a sentence ."]],
        ... )
        >>> mine.sentences[0].annotations
        (Annotation(annotator=0, edits=(Edit(start=1, end=2, correction='is', type='', alternatives=()),)),)
    """
    if where is None:
        return part_of(_made(name, sources, systems, references, gold, human), sentences)
    lists = {"sources": sources, "references": references, "gold": gold, "human": human}
    if given := [argument for argument, value in lists.items() if value is not None]:
        raise InputError(f"{given[0]}: {where} brings its own. To an existing corpus only systems can be added.")
    if not isinstance(where, str | Path):
        raise InputError(f"{where!r} is not the name or path of a corpus. Lists are given by name: sources=…")
    opened = open_corpus(where)
    return part_of(with_systems(opened, systems) if systems is not None else opened, sentences)


def part_of(whole: Corpus, sentences: str | Sequence[int] | None) -> Corpus:
    """The chosen sentences of a corpus; see `corpus`."""
    if sentences is None:
        return whole
    return select(whole, sentences) if isinstance(sentences, str) else whole.at(sentences)


def as_corpus(given: Corpus | str | Path) -> Corpus:
    """The corpus that is given as it is, or by its name or path; with references and gold edits derived."""
    return completed(given) if isinstance(given, Corpus) else corpus(given)


def with_systems(opened: Corpus, systems: Any) -> Corpus:
    """The corpus with these outputs added to its systems."""
    if not opened.has_texts:
        raise MissingInput(f"{opened.name}: no systems can be added without its texts. {opened.info.notice}")
    added = arguments.systems(systems, len(opened))
    sources = [each.source for each in opened.sentences]
    convention = Convention.of(sources)
    if choice := convention.unasked:
        added = {system: tokenise(lines, choice, sources, convention).lines for system, lines in added.items()}
    for system in added:
        if system in opened.systems:
            raise InputError(f"systems[{system!r}]: {opened.name} already has a system {system}. Use another name.")
    return replace(opened, systems={**opened.systems, **added})


def _made(name: str, sources: Any, systems: Any, references: Any, gold: Any, human: Any) -> Corpus:
    if sources is None and isinstance(gold, str | Path):
        sentences = m2.read(TextFile.at(gold))
    else:
        if sources is None:
            raise InputError("sources is missing. Name a corpus, as in corpus('demo'), or give sources=[…].")
        sentences = [Sentence(text) for text in arguments.sentences("sources", sources)]
        sentences = _with_gold(sentences, gold) if gold is not None else sentences
    if references is not None:
        lines = zip(*arguments.references(references, len(sentences)), strict=True)
        sentences = [replace(each, references=own) for each, own in zip(sentences, lines, strict=True)]
    outputs = arguments.systems(systems, len(sentences)) if systems is not None else {}
    scores = arguments.human_scores(human) if human is not None else None
    made = Corpus(name, tuple(sentences), outputs, human=scores)
    return completed(made if gold is not None or sources is None else by_characters(made))


def _with_gold(sentences: list[Sentence], gold: Any) -> list[Sentence]:
    if not isinstance(gold, str | Path):
        found = arguments.gold_annotations(gold, [each.source for each in sentences])
        return [replace(each, annotations=own) for each, own in zip(sentences, found, strict=True)]
    annotated = m2.read(TextFile.at(gold))
    if len(annotated) != len(sentences):
        raise InputError(f"sources has {counted(len(sentences), 'sentence')}, but {gold} has {len(annotated):,}.")
    for place, (one, other) in enumerate(zip(sentences, annotated, strict=True)):
        if one.source != other.source:
            raise InputError(f"sources[{place}] differs from sentence {place + 1} of {gold}.")
    return annotated
