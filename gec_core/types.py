"""The values that all packages share: edits, sentences, corpora, judgments, progress.

All of them are frozen. Text is kept as tokens joined by single spaces, so that two outputs that differ only in white
space are the same output.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core import languages
from gec_core.errors import CorpusError

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Reads = Literal["source", "references", "gold"]
"""What a metric compares the output with: the source alone, the references, or the gold edits."""
ALL_SYSTEMS = "all"
"""The name of the set of all systems of a corpus."""


class _Parcel:
    """Pickle a value as its class and its fields, which is several times faster than what frozen dataclasses do.

    Tens of thousands of sentences with their edits are sent to worker processes.
    """

    __slots__: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), tuple([getattr(self, name) for name in self.__slots__])


@dataclass(frozen=True, slots=True)
class Edit(_Parcel):
    """Replace source tokens [start, end) by `correction`; an empty span inserts.

    >>> Edit(1, 2, "is").overlaps(Edit(0, 3, "These are"))
    True
    """

    start: int
    end: int
    correction: str
    type: str = ""
    alternatives: tuple[str, ...] = ()
    """Other corrections that the annotator accepts (`a||b` in M2 files)."""

    @property
    def corrections(self) -> tuple[str, ...]:
        """All corrections that the annotator accepts."""
        return (self.correction, *self.alternatives)

    def overlaps(self, other: Edit) -> bool:
        """Whether the two exclude each other: their spans are equal or share a token.

        An insertion overlaps another span only if it is strictly inside it.
        """
        if (self.start, self.end) == (other.start, other.end):
            return True
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Annotation(_Parcel):
    """The edits of one annotator (counted from 0) in one sentence; none if the annotator finds it correct."""

    annotator: int
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrorGroup(_Parcel):
    """One error with its mutually exclusive corrections (an `<error>` of the I-measure format).

    An error that some annotator does not correct is optional: leaving it uncorrected is right, too.
    """

    alternatives: tuple[Annotation, ...]
    required: bool
    type: str = ""


@dataclass(frozen=True, slots=True)
class Sentence(_Parcel):
    """A source sentence with its references and gold edits."""

    source: str
    references: tuple[str, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    errors: tuple[ErrorGroup, ...] | None = None
    """Gold errors grouped by a person; None if the grouping is left to the metric."""

    @property
    def tokens(self) -> list[str]:
        return self.source.split()


class Pair(NamedTuple):
    """A sentence and one output for it: what metrics score."""

    sentence: Sentence
    output: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """Systems with the same output, and the rank that a judge gave it (1 is best)."""

    systems: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judge's ranking of some outputs for one sentence (counted from 0)."""

    sentence: int
    judge: str
    ranked: tuple[Ranked, ...]


@dataclass(frozen=True)
class Judgments:
    """All rankings of the outputs of a corpus, in the order of the file."""

    items: tuple[Judgment, ...]

    @cached_property
    def judges(self) -> tuple[str, ...]:
        return tuple(sorted({item.judge for item in self.items}))

    @cached_property
    def systems(self) -> tuple[str, ...]:
        return tuple(sorted({name for item in self.items for place in item.ranked for name in place.systems}))

    def at(self, place: Mapping[int, int]) -> Judgments:
        """The judgments of these sentences alone, given the new number of each."""
        return Judgments(
            tuple(replace(item, sentence=place[item.sentence]) for item in self.items if item.sentence in place)
        )

    def by(self, judges: Iterable[str]) -> Judgments:
        """The judgments of these judges alone."""
        wanted = set(judges)
        unknown = sorted(wanted - set(self.judges))
        if unknown:
            raise CorpusError(f"No judge {', '.join(unknown)}. There are: {', '.join(self.judges)}.")
        return Judgments(tuple(item for item in self.items if item.judge in wanted))

    def among(self, systems: Iterable[str]) -> Judgments:
        """The judgments as if only these systems had been ranked; items keep their numbers, even if nothing is left."""
        wanted = set(systems)
        return Judgments(tuple(replace(item, ranked=tuple(_among(item.ranked, wanted))) for item in self.items))


def _among(places: Iterable[Ranked], systems: Collection[str]) -> Iterator[Ranked]:
    """The places that belong to at least one of these systems, and only these."""
    for place in places:
        if kept := tuple(name for name in place.systems if name in systems):
            yield place if len(kept) == len(place.systems) else Ranked(kept, place.rank)


@dataclass(frozen=True, slots=True)
class EditVerdict:
    """One judge's verdict on a single edit of an output."""

    sentence: int
    """Counted from 0."""
    judge: str
    systems: tuple[str, ...]
    """The systems with exactly this output; empty if no system of the corpus has it."""
    edit: Edit
    accepted: bool


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of outputs on one aspect, higher is better."""

    systems: tuple[str, ...]
    values: Array
    """The mean rating, one row per system and one column per sentence; NaN where an output was not rated."""
    low: float
    high: float
    each: Array | None = None
    """The single ratings behind the means (systems, sentences, raters), NaN where there is none."""

    @property
    def means(self) -> dict[str, float]:
        """The mean of each system over its rated sentences."""
        return {
            name: float(row[~np.isnan(row)].mean())
            for name, row in zip(self.systems, self.values, strict=True)
            if not np.isnan(row).all()
        }

    def ranked(self, judge: str) -> Judgments:
        """The ratings as rankings, one per sentence with at least two rated systems; equal ratings share a rank."""
        items = []
        for sentence, column in enumerate(self.values.T):
            rated = np.flatnonzero(~np.isnan(column))
            if len(rated) < 2:
                continue
            levels = sorted(set(column[rated].tolist()), reverse=True)
            places = tuple(Ranked((self.systems[at],), levels.index(column[at]) + 1) for at in rated)
            items.append(Judgment(sentence, judge, places))
        return Judgments(tuple(items))


@dataclass(frozen=True)
class JudgmentSet:
    """One of the sets of judgments of a corpus."""

    id: str
    title: str
    kind: Literal["rankings", "pairs", "ratings"]
    judgments: Judgments
    """Rankings; those of ratings are derived from the mean rating of each output."""
    ratings: Ratings | None = None
    counted_from: int = 0
    """The number that the file gives to the first sentence."""
    evidence: str = ""
    """How this was found out, in words."""
    citation: str = ""
    remarks: tuple[Note, ...] = ()
    """What of the file is left out, and what seems to be missing."""

    def at(self, place: Mapping[int, int]) -> JudgmentSet:
        """The judgments of these sentences alone, given the new number of each."""
        ratings = self.ratings
        if ratings is not None:
            lines = list(place)
            each = None if ratings.each is None else ratings.each[:, lines]
            ratings = replace(ratings, values=ratings.values[:, lines], each=each)
        return replace(self, judgments=self.judgments.at(place), ratings=ratings)


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """What a corpus says about itself (corpus.toml)."""

    title: str = ""
    language: str = ""
    """A code such as en or zh; empty if it is not known."""
    licence: str = ""
    citation: str = ""
    notice: str = ""
    """Shown wherever the corpus is shown: for example, that its judgments are made up."""


@dataclass(frozen=True, slots=True)
class Note:
    """What was done to the outputs of a system before they were scored, or what is wrong with them.

    Notes stand beside the scores, in tables, exports and reports.
    """

    text: str
    caution: bool = False
    """Whether it changes the meaning of scores: the system is marked."""


@dataclass(frozen=True)
class Corpus:
    """Sentences with references and gold edits, the outputs of systems, and human judgments of these.

    The constructor checks that lengths and numbers fit. A corpus may lack outputs and judgments. Either every sentence
    has references and annotations (`corpora.assemble.completed` derives one from the other), or none has any.
    """

    name: str
    sentences: tuple[Sentence, ...]
    systems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    judgments: Judgments | None = None
    human: Mapping[str, float] | None = None
    """A human score for each system, higher is better (human.tsv)."""
    info: CorpusInfo = CorpusInfo()
    judgment_sets: Mapping[str, JudgmentSet] = field(default_factory=dict)
    """All sets of judgments by id; `judgments` is the chosen one, at first the first."""
    chosen_set: str = ""
    """The id of the chosen set of judgments; empty if there are no named sets."""
    verdicts: tuple[EditVerdict, ...] = ()
    """People's verdicts on single edits."""
    system_sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Named sets of systems, such as SEEDA's `base`."""
    lines: tuple[int, ...] | None = None
    """Where the sentences of a part of a corpus are in the whole one, counted from 0; None for a whole corpus."""
    whole: int | None = None
    """The number of sentences of the whole corpus, of a part of one."""
    notes: Mapping[str, tuple[Note, ...]] = field(default_factory=dict)
    """By system: what was done to its outputs, and what is wrong with them; not part of the fingerprint."""

    def __post_init__(self) -> None:
        if not self.sentences:
            raise CorpusError(f"{self.name}: the corpus is empty. It needs at least one source sentence.")
        for name, outputs in self.systems.items():
            if len(outputs) != len(self):
                raise CorpusError(f"{self.name}: {name} has {len(outputs)} outputs for {len(self)} sentences.")
        for number, item in enumerate(self.judgments.items if self.judgments else ()):
            if not 0 <= item.sentence < len(self):
                raise CorpusError(
                    f"{self.name}: judgment {number + 1} is about sentence {item.sentence} (counted from 0), "
                    f"but the corpus has {len(self)} sentences."
                )

    def __len__(self) -> int:
        return len(self.sentences)

    def __repr__(self) -> str:
        sentences, systems = len(self), len(self.systems)
        size = f"{sentences:,} sentence{'s' * (sentences != 1)}, {systems} system{'s' * (systems != 1)}"
        return f"<corpus {self.name}: {size}>"

    @property
    def has_texts(self) -> bool:
        """Whether the sentences and outputs can be read; False where only their scores are on this machine."""
        return True

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the content: texts, edits, outputs and judgments, but not the name."""
        digest = hashlib.blake2b(digest_size=8)
        for part in self._content():
            digest.update(part.encode())
            digest.update(b"\x00")
        return digest.hexdigest()

    @cached_property
    def language(self) -> str:
        """The code of its language: as corpus.toml says, otherwise a guess by its sources; empty if there is none."""
        if self.info.language or not self.has_texts:
            return languages.base(self.info.language)
        return languages.guess(sentence.source for sentence in self.sentences)

    def _language_notes(self) -> Iterator[str]:
        """What to know about the language: that it was guessed, that it seems another, that it is not English."""
        if not self.has_texts or (self.language in ("", languages.ENGLISH) and not self.info.language):
            return
        name = languages.name(self.language)
        seems = languages.misfit(self.language, (sentence.source for sentence in self.sentences))
        if seems:
            yield (
                f"{self.name} is said to be {name}, but its sources look like {languages.name(seems)}; "
                f'correct language = "{self.language}" in corpus.toml if that is so.'
            )
        if self.language != languages.ENGLISH:
            guessed = "" if self.info.language else " (guessed; say so with language in corpus.toml)"
            yield f"Language: {name}{guessed}. Metrics made for English are off."

    def _content(self) -> Iterator[str]:
        for sentence in self.sentences:
            yield repr((sentence.source, sentence.references, sentence.annotations, sentence.errors))
        for name in sorted(self.systems):
            yield name
            yield from self.systems[name]
        yield repr(self.judgments.items if self.judgments else None)
        yield repr(sorted(self.human.items()) if self.human else None)
        if self.ratings is not None:
            yield repr((self.ratings.systems, self.ratings.values.tobytes()))
        if self.verdicts:
            yield repr(self.verdicts)

    def noted(self, systems: Iterable[str] | None = None) -> list[str]:
        """Notes about the corpus and these systems (default: all), as lines for people; cautions are marked †."""
        wanted = ("", *(self.systems if systems is None else systems))
        return [
            *self._language_notes(),
            *(
                f"{f'{name}{self.mark(name)}: ' if name else ''}{note.text}."
                for name in wanted
                for note in self.notes.get(name, ())
            ),
            *self.cautions,
        ]

    @property
    def cautions(self) -> list[str]:
        """What is wrong with the chosen set of judgments, as sentences."""
        chosen = self.judgment_sets.get(self.chosen_set)
        return [f"{note.text}." for note in chosen.remarks if note.caution] if chosen else []

    def mark(self, system: str) -> str:
        """† after the name of a system whose scores do not mean what they seem to; empty for others."""
        return " †" if any(note.caution for note in self.notes.get(system, ())) else ""

    def outputs(self, system: str) -> tuple[str, ...]:
        """The outputs of one system, one per sentence."""
        self._check_systems([system])
        return self.systems[system]

    @property
    def ratings(self) -> Ratings | None:
        """The ratings of the chosen set of judgments, if it consists of ratings."""
        chosen = self.judgment_sets.get(self.chosen_set)
        return chosen.ratings if chosen else None

    def judged_by(self, id: str) -> Corpus:
        """The corpus with another of its sets of judgments chosen.

        Raises:
            CorpusError: It has no such set.
        """
        if id not in self.judgment_sets:
            known = ", ".join(self.judgment_sets) or "none"
            raise CorpusError(f"{self.name}: no set of judgments {id!r}. There are: {known}.")
        if id == self.chosen_set:
            return self
        return replace(self, judgments=self.judgment_sets[id].judgments, chosen_set=id)

    def system_set(self, name: str) -> tuple[str, ...]:
        """The systems of a named set, as far as they have outputs; `all` names all systems.

        Raises:
            CorpusError: There is no such set.
        """
        if name in self.system_sets:
            return tuple(system for system in self.system_sets[name] if system in self.systems)
        if name == ALL_SYSTEMS:
            return tuple(self.systems)
        known = ", ".join(dict.fromkeys([*self.system_sets, ALL_SYSTEMS]))
        raise CorpusError(f"{self.name}: no set of systems {name!r}. There are: {known}.")

    def only(self, systems: Sequence[str]) -> Corpus:
        """The corpus with only these systems, in this order."""
        self._check_systems(systems)
        return replace(self, systems={name: self.systems[name] for name in systems})

    def at(self, lines: Sequence[int]) -> Corpus:
        """The part of the corpus that consists of the sentences at these positions, counted from 0.

        Judgments of other sentences are left out. Human scores that came as scores (human.tsv) stay as they are.

        Raises:
            CorpusError: There is no sentence at one of the positions, or none is asked for.
        """
        for line in lines:
            if not 0 <= line < len(self):
                raise CorpusError(f"{self.name}: no sentence {line} (counted from 0); it has {len(self):,} sentences.")
        place = {line: number for number, line in enumerate(lines)}
        return replace(
            self,
            sentences=tuple(self.sentences[line] for line in lines),
            systems={name: tuple(outputs[line] for line in lines) for name, outputs in self.systems.items()},
            judgments=self.judgments.at(place) if self.judgments else None,
            judgment_sets={id: each.at(place) for id, each in self.judgment_sets.items()},
            verdicts=tuple(
                replace(verdict, sentence=place[verdict.sentence])
                for verdict in self.verdicts
                if verdict.sentence in place
            ),
            lines=tuple(self.lines[line] if self.lines else line for line in lines),
            whole=self.whole or len(self),
        )

    def _check_systems(self, systems: Iterable[str]) -> None:
        unknown = [name for name in systems if name not in self.systems]
        if unknown:
            known = ", ".join(self.systems) or "none"
            raise CorpusError(f"{self.name}: no system {', '.join(unknown)}. There are: {known}.")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a scoring run has come, in (sentence, output) pairs."""

    what: str
    done: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        """Pairs per second so far."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """An estimate of the time left; None before the first pair is done."""
        return (self.total - self.done) / self.rate if self.done and self.rate else None


def ignore(progress: Progress) -> None:
    """A progress callback that does nothing. A callback may raise an error to cancel the run."""
