"""What a session of judging asks: the plan of its owner, the items of its judges, and what counts as an answer.

An item shows outputs of some systems for one sentence. Identical outputs are one place of the item, as in the rankings
of Grundkiewicz et al. 2015, and judges see places in random order without the names of systems.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from gec_core.align.edits import diff_edits
from gec_core.errors import JudgingError
from gec_core.types import Annotation, Corpus, CorpusInfo, Edit, ErrorGroup, Sentence

Kind = Literal["ranking", "rating", "edits"]
Order = Literal["adaptive", "random"]
KINDS: Mapping[Kind, str] = {
    "ranking": "Rank outputs (ties allowed)",
    "rating": "Rate outputs from 0 to 100",
    "edits": "Accept or reject single edits",
}
MOST_OUTPUTS = 5
LONGEST = 2_000
"""Characters of a title, a name or the instructions that are kept."""
INSTRUCTIONS: Mapping[Kind, str] = {
    "ranking": "Rank the corrections from best to worst. A good correction is grammatical, keeps the meaning and "
    "changes no more than it must. Give the same rank to corrections that are equally good.",
    "rating": "Rate each correction from 0 (useless) to 100 (perfect). Is it grammatical? Does it keep the meaning?",
    "edits": "For each change, decide whether it improves the sentence: accept it if it does, reject it otherwise.",
}


@dataclass(frozen=True)
class Plan:
    """What the owner of a session chose.

    Attributes:
        corpus: The name of the corpus.
        fingerprint: Its fingerprint, so that answers are never joined to another corpus of that name.
        sentences: The sentences to judge, counted from 0.
        outputs_per_item: How many different outputs an item shows at most; 1 for edits.
        judgments_per_sentence: How many items each sentence gets, all judges together.
        items_per_judge: After how many different items a judge is done.
        repeat_every: After every so many of them, a judge sees an earlier one again, which measures self-agreement;
            0: never.
        predictions: Names of metrics; judges predict which of them comes nearest to their common ranking.
        splits: For each sentence, how far metrics disagree about its outputs (0 to 1); the adaptive order prefers
            sentences on which they do. Empty if that is not known.
    """

    title: str
    corpus: str
    fingerprint: str
    kind: Kind
    systems: tuple[str, ...]
    sentences: tuple[int, ...]
    outputs_per_item: int = MOST_OUTPUTS
    judgments_per_sentence: int = 3
    items_per_judge: int = 40
    repeat_every: int = 10
    order: Order = "adaptive"
    mark_changes: bool = True
    instructions: str = ""
    predictions: tuple[str, ...] = ()
    seed: int = 0
    splits: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind) or self.order not in get_args(Order):
            raise JudgingError(f"No kind of judging {self.kind!r} with order {self.order!r}.")
        if not self.title.strip() or max(len(self.title), len(self.instructions)) > LONGEST:
            raise JudgingError(f"A session needs a title; title and instructions have at most {LONGEST:,} characters.")
        if len(set(self.systems)) < (1 if self.kind == "edits" else 2):
            raise JudgingError("Choose at least two systems to compare.")
        if not self.sentences:
            raise JudgingError("Choose at least one sentence to judge.")
        least = 1 if self.kind != "ranking" else 2
        if not least <= self.outputs_per_item <= MOST_OUTPUTS:
            raise JudgingError(f"An item shows {least} to {MOST_OUTPUTS} outputs, not {self.outputs_per_item}.")
        if min(self.judgments_per_sentence, self.items_per_judge) < 1 or self.repeat_every < 0:
            raise JudgingError("Judgments per sentence and items per judge must be at least 1.")
        if self.splits and len(self.splits) != len(self.sentences):
            raise JudgingError(f"There are {len(self.splits)} splits for {len(self.sentences)} sentences.")

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Plan:
        """Read what `as_json` wrote; unknown fields of a later version are left out."""
        known = {field.name for field in fields(cls)}
        lists: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
        }
        return cls(**{name: value for name, value in lists.items() if name in known})


@dataclass(frozen=True)
class Texts:
    """What a session keeps of its corpus, so that judges need no corpus and uploads can be judged."""

    sentences: Mapping[int, Sentence]
    """The judged sentences by their number in the corpus, with references and gold edits, which judges do not see."""
    outputs: Mapping[str, Mapping[int, str]]
    info: CorpusInfo = field(default_factory=CorpusInfo)

    @classmethod
    def of(cls, corpus: Corpus, plan: Plan) -> Texts:
        """Copy what the plan shows of a corpus."""
        if not corpus.has_texts:
            raise JudgingError(f"The texts of {corpus.name} are not on this machine, so nobody can judge them.")
        return cls(
            {index: corpus.sentences[index] for index in plan.sentences},
            {name: {index: corpus.outputs(name)[index] for index in plan.sentences} for name in plan.systems},
            corpus.info,
        )

    def as_json(self) -> dict[str, Any]:
        sentences = {str(index): asdict(sentence) for index, sentence in self.sentences.items()}
        return {
            "sentences": sentences,
            "outputs": {n: dict(o) for n, o in self.outputs.items()},
            "info": asdict(self.info),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Texts:
        """Read what `as_json` wrote, or earlier versions, which kept the sources only."""
        given = values.get("sentences") or {index: {"source": text} for index, text in values["sources"].items()}
        return cls(
            {int(index): _sentence(sentence) for index, sentence in given.items()},
            {name: {int(index): str(text) for index, text in of.items()} for name, of in values["outputs"].items()},
            CorpusInfo(**values.get("info", {})),
        )

    @cached_property
    def sources(self) -> dict[int, str]:
        """The source sentences by number."""
        return {index: sentence.source for index, sentence in self.sentences.items()}

    def corpus(self, name: str) -> Corpus:
        """The judged part of the corpus as a corpus of its own; its sentences are numbered anew."""
        systems = {
            system: tuple(outputs[index] for index in self.sentences) for system, outputs in self.outputs.items()
        }
        return Corpus(name, tuple(self.sentences.values()), systems, info=self.info, lines=tuple(self.sentences))

    def misfit(self, corpus: Corpus) -> str:
        """Why judgments of these texts are none of that corpus; empty if they are."""
        if not corpus.has_texts:
            return f"The texts of {corpus.name} are not on this machine."
        for index, source in self.sources.items():
            if index >= len(corpus) or corpus.sentences[index].source != source:
                return f"Sentence {index + 1} of {corpus.name} is another one than the one that was judged."
        for name, outputs in self.outputs.items():
            theirs = corpus.systems.get(name)
            if theirs is None or any(theirs[index] != text for index, text in outputs.items()):
                return f"{corpus.name} has no system {name} with the outputs that were judged."
        return ""

    @cached_property
    def _places(self) -> dict[int, list[tuple[str, ...]]]:
        found: dict[int, list[tuple[str, ...]]] = {}
        for sentence in self.sources:
            groups: dict[str, list[str]] = {}
            for system, outputs in self.outputs.items():
                groups.setdefault(outputs[sentence], []).append(system)
            found[sentence] = [tuple(sorted(systems)) for systems in groups.values()]
        return found

    def places(self, sentence: int) -> list[tuple[str, ...]]:
        """Group the systems by their outputs for a sentence."""
        return list(self._places[sentence])

    def has_edits(self, sentence: int, place: Sequence[str]) -> bool:
        """Whether that output changes the source."""
        return self.text(sentence, place) != self.sources[sentence]

    def text(self, sentence: int, place: Sequence[str]) -> str:
        """The output that the systems of a place share."""
        return self.outputs[place[0]][sentence]

    def edits(self, sentence: int, place: Sequence[str]) -> tuple[Edit, ...]:
        """The edits of that output, as verdicts count them."""
        return diff_edits(self.sources[sentence], self.text(sentence, place))


def _sentence(given: Mapping[str, Any]) -> Sentence:
    errors = given.get("errors")
    return Sentence(
        str(given["source"]),
        tuple(map(str, given.get("references", ()))),
        tuple(_annotation(each) for each in given.get("annotations", ())),
        None
        if errors is None
        else tuple(ErrorGroup(tuple(map(_annotation, e["alternatives"])), e["required"], e["type"]) for e in errors),
    )


def _annotation(given: Mapping[str, Any]) -> Annotation:
    edits = (Edit(**{**each, "alternatives": tuple(each["alternatives"])}) for each in given["edits"])
    return Annotation(int(given["annotator"]), tuple(edits))


@dataclass(frozen=True)
class Session:
    """One session, without its secrets."""

    id: str
    code: str
    plan: Plan
    created: float
    closed: float | None
    revealed: dict[str, Any] | None
    """What judges see of the results once the owner has revealed them."""
    shared: bool
    """Whether its judgments, once it is closed, are for everybody on this server."""
    serial: int
    """The number of the last change of an answer."""
    database: Path
    texts: Texts = field(repr=False)


@dataclass(frozen=True)
class Judge:
    """Somebody who joined a session."""

    id: int
    name: str
    prediction: str = ""
    excluded: bool = False
    """Whether the owner left this judge's answers out."""


@dataclass(frozen=True)
class Item:
    """What one judge is asked: outputs for one sentence, in the order in which they are shown."""

    number: int
    """Counted from 1 for each judge."""
    sentence: int
    places: tuple[tuple[str, ...], ...]
    repeat_of: int | None = None
    """The number of the item that this one repeats, for self-agreement."""
    id: int = 0
    """The key in the database."""


@dataclass(frozen=True)
class Answer:
    """What a judge answered: one value per place, or one verdict per edit."""

    item: Item
    judge: str
    values: tuple[float, ...]
    received: float
    """Seconds since 1970, by the clock of the server."""
    seconds: float = 0.0
    """How long the judge took, by the judge's own clock."""


def checked_values(plan: Plan, item: Item, texts: Texts, values: object) -> tuple[float, ...]:
    """Return the values of an answer, or refuse them.

    Raises:
        JudgingError: The answer does not fit the item.
    """
    wanted = len(item.places)
    if plan.kind == "edits":
        wanted = sum(len(texts.edits(item.sentence, place)) for place in item.places)
    if not isinstance(values, list) or len(values) != wanted:
        raise JudgingError(f"An answer to this item has {wanted} values.")
    if not all(isinstance(value, (int, float)) and math.isfinite(value) for value in values):
        raise JudgingError("The values of an answer are numbers.")
    low, high = {"ranking": (1, wanted), "rating": (0, 100), "edits": (0, 1)}[plan.kind]
    whole = plan.kind != "rating"
    for value in values:
        if not low <= value <= high or (whole and value != int(value)):
            raise JudgingError(f"A value of an answer is {value}; expected {low} to {high}.")
    return tuple(float(value) for value in values)
