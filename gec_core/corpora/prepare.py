"""Bring a file of outputs into the form that metrics compare: one line per sentence, tokenised like the sources.

Every step that changes something says so. What changes the meaning of scores is kept as a note of the system.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gec_core import languages
from gec_core.corpora import records, suspicions
from gec_core.corpora.records import Records
from gec_core.corpora.text import LinesFile, TextFile, normalise, quote
from gec_core.corpora.tokenise import Choice, Convention, Tokenised, tokenise
from gec_core.errors import CorpusError
from gec_core.formatting import counted
from gec_core.types import Corpus, Note

RAW = 0.1
"""The share of lines that tokenisation changes, above which outputs count as not tokenised like their sources."""
SAMPLE = 400
"""The number of lines by which this is decided."""
_PREAMBLE = re.compile(
    r"(?i)(?:sure|certainly|of course|okay|ok|here(?:'s|’s| is| are)|below (?:is|are)|the (?:following|corrected)|"
    r"corrected (?:text|sentences?|version|output)s?|output)\b.{0,120}[:.!]?"
)
_CLOSING = re.compile(r"(?i)(?:let me know|i hope|note:|please let me|feel free)\b.{0,200}")
_FENCE = re.compile(r"```\w*")
_GAP = 0.25
"""The cost of a line without a partner; a pair costs 1 minus its likeness."""
_BAND = 60
"""How far beyond the difference in length lines are searched."""
_NAMED = 200
"""Lines named in one message, at most."""


class MissingOutputs(CorpusError):
    """Some sentences have no output, and it is known which: they can be filled with the source."""


@dataclass(frozen=True, slots=True)
class Handling:
    """How to read a file of outputs."""

    tokenise: Choice | None = None
    """None leaves the lines as they are, and tells if they seem not to be tokenised."""
    column: str = ""
    """The column of outputs in a table; guessed if empty."""
    fill: bool = False
    """Whether a missing output is the source."""


AS_IS = Handling()


@dataclass(frozen=True, slots=True)
class Prepared:
    """Outputs that fit a corpus, and what was done to them."""

    lines: tuple[str, ...]
    told: tuple[str, ...]
    """What was done, each as a sentence without the name of the file."""
    notes: tuple[Note, ...]
    """What stays beside the scores of these outputs."""
    records: Records
    filled: tuple[int, ...] = ()
    """Sentences (counted from 0) whose output was missing, and is the source."""
    raw: Tokenised | None = None
    """The lines tokenised like the sources, where that was not asked for and would change many of them."""
    tokenised: Tokenised | None = None


def prepare(file: TextFile, corpus: Corpus, how: Handling = AS_IS) -> Prepared:
    """Read outputs of any form, put them into the order of the corpus, and tokenise them.

    Args:
        file: Text, JSONL, JSON, CSV, TSV or parquet, possibly compressed.
        corpus: The corpus that the outputs are for.
        how: How to tokenise, which column to read, whether to fill in missing outputs.

    Raises:
        CorpusError: The file does not fit the corpus; all missing, doubled and unknown sentences are named.
    """
    sources = [sentence.source for sentence in corpus.sentences]
    found, missing, told = records.in_order(records.read(file, sources, how.column), sources, file.name)
    if found.told():
        told.insert(0, found.told())
    texts, by_alignment = _fitted(file, corpus, found, sources, told)
    missing = missing or by_alignment
    if missing and not how.fill:
        raise MissingOutputs(
            f"{file.name}: {counted(len(sources) - len(missing), 'line')}, but {corpus.name} has "
            f"{counted(len(sources), 'sentence')}. {_where(corpus, found)}No output for "
            f"{'sentence' if len(missing) == 1 else 'sentences'} {_numbers(missing)}. Add "
            f"{'it' if len(missing) == 1 else 'them'}, or fill missing outputs with the source (--fill-missing)."
        )
    lines = (
        [sources[place] if place in set(missing) else text for place, text in enumerate(texts)] if missing else texts
    )
    notes = []
    if missing:
        notes.append(Note(f"{counted(len(missing), 'output')} missing and filled with the source: "
                          f"{'sentence' if len(missing) == 1 else 'sentences'} {_numbers(missing)}"))  # fmt: skip
    if other := languages.misfit(corpus.language, lines):
        notes.append(Note(f"looks like {languages.name(other)}, while {corpus.name} is "
                          f"{languages.name(corpus.language)}", caution=True))  # fmt: skip
    _refuse_long(file, lines)
    return _tokenised(Prepared(tuple(lines), tuple(told), tuple(notes), found, missing), sources, how.tokenise)


def _tokenised(done: Prepared, sources: Sequence[str], choice: Choice | None) -> Prepared:
    plain = tuple(normalise(line) for line in done.lines)
    convention = Convention.of(sources) if choice is None else None
    if convention and convention.by_characters:
        choice = "like-source"  # nobody writes spaces between characters
    if choice is None:
        step = max(1, len(plain) // SAMPLE)
        tried = tokenise(done.lines[::step], "like-source", sources[::step], convention)
        if len(tried.changed) <= RAW * len(tried.lines):
            return Prepared(plain, done.told, done.notes, done.records, done.filled)
        whole = tokenise(done.lines, "like-source", sources, convention)
        note = Note(
            f"not tokenised like the sources: {len(whole.changed):,} of {len(plain):,} outputs would be split "
            f"differently, the first in line {whole.changed[0] + 1}, so scores are too low", caution=True)  # fmt: skip
        return Prepared(plain, done.told, (*done.notes, note), done.records, done.filled, raw=whole)
    result = tokenise(done.lines, choice, sources, convention)
    told = description(result)
    notes = (*done.notes, Note(told)) if choice != "none" and result.changed else done.notes
    return Prepared(result.lines, (*done.told, *([told] if told else [])), notes, done.records, done.filled,
                    tokenised=result)  # fmt: skip


def description(result: Tokenised) -> str:
    """What a tokenisation changed, in words."""
    if result.choice == "none":
        return ""
    how = {
        "like-source": "like the sources",
        "treebank": "by Penn Treebank rules",
        "spacy": "by spaCy",
        "characters": "into characters",
    }[result.choice]
    text = f"tokenised {how}: {len(result.changed):,} of {len(result.lines):,} lines changed"
    kinds = [counted(count, kind) for kind, count in result.characters.most_common()]
    return f"{text}; rewritten {', '.join(kinds)}" if kinds else text


def _fitted(
    file: TextFile, corpus: Corpus, found: Records, sources: Sequence[str], told: list[str]
) -> tuple[list[str], tuple[int, ...]]:
    """One text per sentence, and the places of those that are missing."""
    texts = list(found.texts)
    if found.ids is not None:
        return texts, ()
    extra = len(texts) - len(sources)
    if extra > 0 and not any(text.strip() for text in texts[-extra:]):
        told.append(f"dropped {counted(extra, 'blank line')} at the end")
        return texts[:-extra], ()
    if found.form == "text" and (kept := _without_frame(texts, sources, told)) is not None:
        texts = kept
    if len(texts) == len(sources):
        return texts, ()
    few = len(sources) / 2 < len(texts) < len(sources)
    places = _align(texts, sources) if few else None
    if places is None:
        raise file.error(_too_many_or_few(file, corpus, [normalise(text) for text in texts]))
    by_place = dict(zip(places, texts, strict=True))
    missing = tuple(place for place in range(len(sources)) if place not in by_place)
    return [by_place.get(place, "") for place in range(len(sources))], missing


def _too_many_or_few(file: TextFile, corpus: Corpus, lines: Sequence[str]) -> str:
    problem = f"{counted(len(lines), 'line')}, but {corpus.name} has {counted(len(corpus), 'sentence')}."
    if len(lines) <= 1 and file.text().count("\r") > 1:
        return f"{problem} Lines end in carriage returns: save the file with Unix line ends."
    where = suspicions.out_of_step(corpus.sentences, lines)
    return f"{problem} {where or 'Every sentence needs its output on the line of the same number.'}"


def _where(corpus: Corpus, found: Records) -> str:
    if found.ids is not None:
        return ""
    where = suspicions.out_of_step(corpus.sentences, [normalise(text) for text in found.texts])
    return f"{where} " if where else ""


def _without_frame(texts: list[str], sources: Sequence[str], told: list[str]) -> list[str] | None:
    """The lines without what a chatbot says before and after its answer; None if there is no such line."""
    kept = list(texts)
    dropped = []
    while len(kept) > len(sources) and kept:
        first, last = kept[0].strip(), kept[-1].strip()
        if not first or _FENCE.fullmatch(first) or (_PREAMBLE.fullmatch(first) and not _like(first, sources[0])):
            dropped.append(kept.pop(0).strip())
        elif not last or _FENCE.fullmatch(last) or (_CLOSING.fullmatch(last) and not _like(last, sources[-1])):
            dropped.append(kept.pop().strip())
        else:
            break
    lines = [line for line in dropped if line]
    if lines:
        told.append(f"dropped {counted(len(lines), 'line')} around the outputs: {', '.join(map(quote, lines))}")
    return kept if dropped else None


def _like(text: str, source: str) -> bool:
    return suspicions.shared(text, source) >= suspicions.FOREIGN


def _align(texts: Sequence[str], sources: Sequence[str]) -> list[int] | None:
    """The sentence that each text belongs to, in order; None if the texts do not seem to be outputs for these."""
    words = [_words(text) for text in texts]
    known = [_words(source) for source in sources]
    band = len(sources) - len(texts) + _BAND if len(sources) - len(texts) <= _BAND else 0
    if not band or not texts:
        return None
    far = float("inf")
    cost = [{0: 0.0}]
    back: list[dict[int, bool]] = [{}]
    for column in range(1, len(sources) + 1):
        row: dict[int, float] = {}
        taken: dict[int, bool] = {}
        for line in range(max(0, column - band), min(column, len(texts)) + 1):
            skip = cost[-1].get(line, far) + _GAP
            pair = far
            if line and line - 1 in cost[-1]:
                pair = cost[-1][line - 1] + 1 - suspicions.overlap(words[line - 1], known[column - 1])
            row[line], taken[line] = min(skip, pair), pair <= skip
        cost.append(row)
        back.append(taken)
    if len(texts) not in cost[-1] or cost[-1][len(texts)] == far:
        return None
    places: list[int] = []
    line = len(texts)
    for column in range(len(sources), 0, -1):
        if back[column][line]:
            line -= 1
            places.append(column - 1)
    places.reverse()
    fitting = sum(
        suspicions.overlap(one, known[place]) >= suspicions.FOREIGN for one, place in zip(words, places, strict=True)
    )
    return places if line == 0 and fitting > 0.6 * len(texts) else None


def _words(text: str) -> set[str]:
    """The words of a text, however it is tokenised."""
    return set(re.findall(r"\w+", text.lower()))


def _refuse_long(file: TextFile, lines: Sequence[str]) -> None:
    most = file.limits.tokens
    for number, line in enumerate(lines, 1):
        if most is not None and line.count(" ") >= most and len(line.split()) > most:
            raise file.error(f"{len(line.split()):,} tokens; a sentence may have at most {most:,} tokens.", number)


def _numbers(places: Sequence[int]) -> str:
    """Numbers of sentences, counted from 1."""
    shown = ", ".join(str(place + 1) for place in places[:_NAMED])
    return shown + (f" and {len(places) - _NAMED:,} more" if len(places) > _NAMED else "")


def tokenised_file(file: TextFile, choice: Choice, sources: Sequence[str] = ()) -> tuple[LinesFile, str]:
    """A file of sources or references, tokenised, and what that changed.

    Args:
        file: The file, one sentence per line.
        choice: How to tokenise; "like-source" without sources is Penn Treebank.
        sources: The tokenised sources, as many as the file has lines.
    """
    lines = file.raw_lines(per_sentence=1)
    guided = choice == "like-source" and len(sources) == len(lines)
    result = tokenise(lines, choice if guided or choice != "like-source" else "treebank", sources)
    cells = LinesFile(file.path, file.name, file.limits, result.lines)
    return cells, f"{file.name}: {description(result)}" if result.changed else ""


def raw_sources(lines: Sequence[str]) -> bool:
    """Whether most lines end in a word with its full stop, as in text that is not tokenised."""
    ends = [line.split()[-1] for line in lines if line.split()]
    stuck = sum(len(word) > 2 and word[-1] in ".?!" and word[-2].isalnum() for word in ends)
    return len(ends) > 0 and stuck > 0.5 * len(ends)
