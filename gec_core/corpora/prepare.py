"""Bring a file of outputs into the form that metrics compare: one line per sentence, tokenised like the sources.

Every step that changes something says so. What changes the meaning of scores is kept as a note of the system.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gec_core import languages
from gec_core.corpora import answers, m2, records, suspicions
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
BY_MODEL = "seems to be by a language model"
"""What the note about outputs among answers or chat messages begins with."""
_CHAT = re.compile(r"(?:^|\.)(?:choices|messages|message|completion)(?:\.|$)")
"""Columns that files of language models' answers have."""
NOT_TOKENISED = "not tokenised like the sources"
"""What the note about raw outputs begins with."""
_GAP, _EXTRA = 0.25, 0.6
"""The cost of a sentence without a line, and of a line without a sentence; a pair costs 1 minus its likeness."""
_BAND, _APART = 60, 300
"""How far beyond the difference in length lines are searched, and the largest difference."""
_NAMED, _SHOWN = 200, 3
"""Sentences named, and lines quoted in one message, at most."""


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
    verbatim: bool = False
    """Whether answers are taken as they are, with what a language model writes around its outputs."""


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
    unanswered: tuple[int, ...] = ()
    """Sentences (counted from 0) whose output is empty, a refusal or a comment, and was not filled."""
    cleaned: bool = False
    """Whether something was removed around outputs."""
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
    found = records.read(file, sources, how.column)
    inside, removed = (found, []) if how.verbatim else answers.outputs_in(found, sources)
    inside, missing, told = records.in_order(inside, sources, file.name)
    if found.told():
        told.insert(0, found.told())
    texts, by_alignment, extra = _fitted(file, corpus, inside, sources)
    clean = answers.Cleaned(tuple(texts), (), {}) if how.verbatim else answers.cleaned(texts, sources)
    removed += [*extra, *clean.told]
    missing = missing or by_alignment
    if missing and not how.fill:
        noun = "line" if inside.ids is None else "output"
        raise MissingOutputs(
            f"{file.name}: {counted(len(sources) - len(missing), noun)}, but {corpus.name} has "
            f"{counted(len(sources), 'sentence')}. {_where(corpus, inside)}No output for "
            f"{_sentences(missing)}. Add {'it' if len(missing) == 1 else 'them'}, or take the source for what is "
            "missing (on the command line: --fill-missing)."
        )
    empty = {place: "" for place, text in enumerate(clean.texts)
             if not text.strip() and sources[place] and place not in missing}  # fmt: skip
    silent = tuple(sorted({**empty, **clean.unanswered}))
    if how.fill:
        missing, silent = tuple(sorted({*missing, *silent})), ()
    gone = set(missing)
    lines = [sources[place] if place in gone else text for place, text in enumerate(clean.texts)]
    notes = [Note(each) for each in removed]
    if clean.chatty or _CHAT.search(found.column):
        why = "something is said around or instead of its outputs" if clean.chatty else "they are answers in a chat"
        notes.append(Note(f"{BY_MODEL}: {why}"))
    if missing:
        notes.append(Note(f"{counted(len(missing), 'output')} missing, empty or refusals and filled with the source: "
                          f"{_sentences(missing)}"))  # fmt: skip
    notes += _unanswered(silent, clean.unanswered)
    if other := languages.misfit(corpus.language, lines):
        notes.append(Note(f"looks like {languages.name(other)}, while {corpus.name} is "
                          f"{languages.name(corpus.language)}", caution=True))  # fmt: skip
    _refuse_long(file, lines)
    told += removed
    done = Prepared(tuple(lines), tuple(told), tuple(notes), found, missing, silent, bool(removed))
    return _tokenised(done, sources, how.tokenise)


def by_models(corpus: Corpus) -> list[str]:
    """The systems whose outputs seem to be by language models, as their files say."""
    return [
        name for name in corpus.systems if any(note.text.startswith(BY_MODEL) for note in corpus.notes.get(name, ()))
    ]


def _unanswered(silent: Sequence[int], comments: Mapping[int, str]) -> Iterator[Note]:
    """Cautions about outputs that are empty, or no corrections."""
    empty = [place for place in silent if place not in comments]
    if empty:
        yield Note(
            f"{counted(len(empty), 'output')} empty where the source has text: {_sentences(empty)}", caution=True
        )
    if comments and silent:
        first = next(iter(comments.values()))
        yield Note(
            f"{counted(len(comments), 'answer')} without a correction, such as {quote(first)}, scored as rewritten "
            "sentences (as unchanged ones if the source is taken for them): "
            f"{_sentences(list(comments))}",
            caution=True,
        )


def _tokenised(done: Prepared, sources: Sequence[str], choice: Choice | None) -> Prepared:
    plain = tuple(normalise(line) for line in done.lines)
    convention = Convention.of(sources) if choice is None else None
    choice = convention.unasked if convention else choice
    if choice is None:
        step = max(1, len(plain) // SAMPLE)
        tried = tokenise(done.lines[::step], "like-source", sources[::step], convention)
        if len(tried.changed) <= RAW * len(tried.lines):
            return replace(done, lines=plain)
        whole = tokenise(done.lines, "like-source", sources, convention)
        note = Note(
            f"{NOT_TOKENISED}: {len(whole.changed):,} of {len(plain):,} outputs would be split "
            f"differently, the first in line {whole.changed[0] + 1}, so scores are too low", caution=True)  # fmt: skip
        return replace(done, lines=plain, notes=(*done.notes, note), raw=whole)
    result = tokenise(done.lines, choice, sources, convention)
    told = description(result)
    notes = (*done.notes, Note(told)) if choice != "none" and result.changed else done.notes
    return replace(
        done, lines=result.lines, told=(*done.told, *([told] if told else [])), notes=notes, tokenised=result
    )


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
    file: TextFile, corpus: Corpus, found: Records, sources: Sequence[str]
) -> tuple[list[str], tuple[int, ...], list[str]]:
    """One text per sentence, the places of those that are missing, and what to say about lines that were dropped."""
    texts = list(found.texts)
    if found.ids is not None or len(texts) == len(sources):
        return texts, (), []
    near = abs(len(sources) - len(texts)) <= min(_APART, len(sources) / 2)
    places = _align(texts, sources) if near else None
    if places is None:
        raise file.error(_too_many_or_few(file, corpus, [normalise(text) for text in texts]))
    by_place = {place: text for place, text in zip(places, texts, strict=True) if place is not None}
    extra = [number for number, place in enumerate(places) if place is None and texts[number].strip()]
    if not all(answers.is_comment(texts[number]) for number in extra):
        raise file.error(_too_many_or_few(file, corpus, [normalise(text) for text in texts]))
    told = [f"dropped {counted(len(extra), 'line')} that belong to no sentence: "
            + ", ".join(f"line {number + 1} {quote(texts[number])}" for number in extra[:_SHOWN])
            + (f" and {len(extra) - _SHOWN:,} more" if len(extra) > _SHOWN else "")] if extra else []  # fmt: skip
    missing = tuple(place for place in range(len(sources)) if place not in by_place)
    return [by_place.get(place, "") for place in range(len(sources))], missing, told


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


def _align(texts: Sequence[str], sources: Sequence[str]) -> list[int | None] | None:
    """The sentence that each text belongs to, in order, or None; None if these do not seem to be outputs for these."""
    words = [answers.words(text) for text in texts]
    known = [answers.words(source) for source in sources]
    band = abs(len(sources) - len(texts)) + _BAND
    far = float("inf")
    cost = [{line: _EXTRA * line for line in range(band + 1) if line <= len(texts)}]
    back: list[dict[int, str]] = [dict.fromkeys(cost[0], "extra")]
    for column in range(1, len(sources) + 1):
        row: dict[int, float] = {}
        taken: dict[int, str] = {}
        for line in range(max(0, column - band), min(column + band, len(texts)) + 1):
            ways = {"gap": cost[-1].get(line, far) + _GAP, "extra": row.get(line - 1, far) + _EXTRA}
            if line and line - 1 in cost[-1]:
                ways["pair"] = cost[-1][line - 1] + 1 - suspicions.overlap(words[line - 1], known[column - 1])
            taken[line] = min(ways, key=lambda way: (ways[way], way != "pair"))
            row[line] = ways[taken[line]]
        cost.append(row)
        back.append(taken)
    places: list[int | None] = [None] * len(texts)
    line, column = len(texts), len(sources)
    while line or column:
        way = back[column].get(line) if column else "extra"
        if way is None:
            return None
        if way == "pair":
            places[line - 1] = column - 1
        line -= way != "gap"
        column -= way != "extra"
    fitting = sum(
        place is not None and suspicions.overlap(one, known[place]) >= suspicions.FOREIGN
        for one, place in zip(words, places, strict=True)
    )
    return _with_rewritten(places, texts, len(sources)) if fitting > 0.6 * len(texts) else None


def _with_rewritten(places: Sequence[int | None], texts: Sequence[str], sentences: int) -> list[int | None]:
    """Pair lines that are like no source, as free rewritings are, where exactly as many sentences have no line."""
    filled = list(places)
    bounds = [-1, *(line for line, place in enumerate(places) if place is not None), len(texts)]
    for before, after in itertools.pairwise(bounds):
        first = (places[before] or 0) + 1 if before >= 0 else 0
        last = places[after] if after < len(texts) else sentences
        loose = [line for line in range(before + 1, after) if texts[line].strip()]
        if (
            last is not None
            and len(loose) == last - first
            and not any(answers.is_comment(texts[each]) for each in loose)
        ):
            for line, place in zip(loose, range(first, last), strict=True):
                filled[line] = place
    return filled


def _refuse_long(file: TextFile, lines: Sequence[str]) -> None:
    most = file.limits.tokens
    for number, line in enumerate(lines, 1):
        if most is not None and line.count(" ") >= most and len(line.split()) > most:
            raise file.error(f"{len(line.split()):,} tokens; a sentence may have at most {most:,} tokens.", number)


def _sentences(places: Sequence[int]) -> str:
    return f"{'sentence' if len(places) == 1 else 'sentences'} {_numbers(places)}"


def _numbers(places: Sequence[int]) -> str:
    """Numbers of sentences, counted from 1."""
    shown = ", ".join(str(place + 1) for place in places[:_NAMED])
    return shown + (f" and {len(places) - _NAMED:,} more" if len(places) > _NAMED else "")


def tokenised_texts(
    source: TextFile | None, references: Sequence[TextFile], gold: TextFile | None, choice: Choice | None
) -> tuple[TextFile | None, list[TextFile], tuple[Note, ...]]:
    """Sources and references tokenised, sources like those of the gold file, and notes of what that changed.

    Sources without a gold file cannot be tokenised like themselves: "like-source" is then Penn Treebank, and only for
    sources that seem not to be tokenised.
    """
    if choice in (None, "none"):
        return source, list(references), ()
    known = [sentence.source for sentence in m2.read(gold)] if gold and gold.path.suffix != ".xml" else []
    told: list[str] = []
    if source is not None and (known or choice != "like-source" or raw_sources(source.lines())):
        source = _tokenised_file(source, choice, known, told)
    lines = known or (source.lines() if source else [])
    files: list[TextFile] = [_tokenised_file(file, choice, lines, told) for file in references]
    return source, files, tuple(map(Note, told))


def _tokenised_file(file: TextFile, choice: Choice, sources: Sequence[str], told: list[str]) -> LinesFile:
    """The file tokenised; adds to `told` what that changed."""
    lines = file.raw_lines(per_sentence=1)
    guided = choice == "like-source" and len(sources) == len(lines)
    result = tokenise(lines, choice if guided or choice != "like-source" else "treebank", sources)
    if result.changed:
        told.append(f"{file.name}: {description(result)}")
    return LinesFile(file.path, file.name, file.limits, result.lines)


def raw_sources(lines: Sequence[str]) -> bool:
    """Whether most lines end in a word with its full stop, as in text that is not tokenised."""
    ends = [line.split()[-1] for line in lines if line.split()]
    stuck = sum(len(word) > 2 and word[-1] in ".?!" and word[-2].isalnum() for word in ends)
    return len(ends) > 0 and stuck > 0.5 * len(ends)
