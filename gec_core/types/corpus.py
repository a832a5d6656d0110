"""A corpus: sentences, the outputs of systems, and what people said about them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from gec_core import languages
from gec_core.errors import CorpusError
from gec_core.types.base import Note, Sentence
from gec_core.types.judgments import EditVerdict, Judgments, JudgmentSet, Ratings

ALL_SYSTEMS = "all"
"""The name of the set of all systems of a corpus."""


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
