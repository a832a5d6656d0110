"""The texts in the playground: typed, from a link or from an example; and the corpus that they form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from dashboard import cache, session, url_state
from gec_core.corpora.assemble import typed_corpus, typed_sentence
from gec_core.models.corrector import correct
from gec_core.papers.examples import CASES
from gec_core.types import Corpus, Sentence

OWN = "own"
"""The preset with empty boxes."""
MOST_OUTPUTS, MOST_REFERENCES = 6, 4
MOST_ADDRESS = 7000
"""The most characters of texts in an address; many servers accept no more than 8,000 in all."""
FIRST = next(iter(CASES))
_NAMES = tuple(f"Output {number}" for number in range(1, MOST_OUTPUTS + 1))
LONGEST_NAME = 40
CORRECTOR = "Harper"
"""The name of the output of the offline corrector."""
_KEPT = "playground"


@dataclass(frozen=True, slots=True)
class PlaygroundTexts:
    """Source, outputs by name, references. Whatever changes them, except typing, raises the version."""

    preset: str
    source: str
    outputs: tuple[tuple[str, str], ...]
    references: tuple[str, ...]
    version: int = 0
    output_boxes: tuple[int, ...] = field(default=tuple(range(MOST_OUTPUTS)), compare=False)
    """The boxes of the outputs, then those that are free; an output keeps its box when another one is removed."""
    reference_boxes: tuple[int, ...] = field(default=tuple(range(MOST_REFERENCES)), compare=False)
    """The boxes of the references, then those that are free."""

    @property
    def corpus(self) -> Corpus:
        """The texts as a corpus of one sentence."""
        return typed_corpus(self._sentence, dict(self.outputs))

    @property
    def _sentence(self) -> Sentence:
        """The sentence, with the gold edits of the paper as long as source and references are the paper's."""
        typed = typed_sentence(self.source, self.references)
        case = CASES.get(self.preset)
        same = case and (case.source, case.references) == (typed.source, typed.references)
        return case.sentence if case and same else typed

    @property
    def address(self) -> dict[str, list[str]]:
        """The parts of an address that reopens the texts."""
        return {
            "source": [self.source],
            "output": [text for _, text in self.outputs],
            "reference": list(self.references),
            "name": list(names) if (names := tuple(dict(self.outputs))) != _NAMES[: len(names)] else [],
        }

    @property
    def fit_an_address(self) -> bool:
        """Whether an address can hold the texts."""
        return len(urlencode(self.address, doseq=True)) <= MOST_ADDRESS

    @property
    def untouched(self) -> bool:
        """Whether they are those of the preset."""
        return self == begin(self.preset, self.version)


def first_preset() -> str:
    """Return the preset to start with; the texts of a link belong to no example."""
    return OWN if url_state.asked("source") else FIRST


def metrics_shown(preset: str, chosen: Sequence[str]) -> list[str]:
    """Return the chosen metrics, and those that the example is about if they can run here."""
    argued = CASES[preset].metrics if preset in CASES else ()
    known = cache.all_metrics()
    return [*chosen, *(id for id in argued if id not in chosen and known[id].availability().ready)]


def prepare(preset: str) -> None:
    """Take the texts from a link or from another preset, when the whole page is drawn."""
    texts: PlaygroundTexts | None = session.kept(_KEPT, None)
    version = texts.version + 1 if texts else 0
    if source := url_state.asked("source"):
        outputs = _named(url_state.asked("output")[:MOST_OUTPUTS] or [""], url_state.asked("name"), preset)
        references = tuple(url_state.asked("reference")[:MOST_REFERENCES] or [""])
        keep(PlaygroundTexts(preset, source[0], outputs, references, version))
    elif texts is None or texts.preset != preset or url_state.asked("preset"):
        keep(begin(preset, version))
    else:
        keep(texts)


def current() -> PlaygroundTexts:
    """Return the present texts of this visitor."""
    texts: PlaygroundTexts = session.kept(_KEPT, begin(FIRST, 0))
    return texts


def begin(preset: str, version: int) -> PlaygroundTexts:
    """Return the texts of a preset."""
    if preset not in CASES:
        return PlaygroundTexts(preset, "", _named([""]), ("",), version)
    case = CASES[preset]
    return PlaygroundTexts(preset, case.source, tuple(case.hypotheses.items()), case.references, version)


def keep(texts: PlaygroundTexts) -> None:
    """Keep the texts for this visitor, and in the address unless they are the preset's or too long."""
    session.keep(_KEPT, texts)
    shown = texts.fit_an_address and not texts.untouched
    url_state.put(texts.address if shown else dict.fromkeys(texts.address, ()))


def restart(preset: str) -> None:
    """Callback: start over with the texts of the preset."""
    keep(begin(preset, current().version + 1))


def add_output(texts: PlaygroundTexts) -> None:
    """Add an empty output."""
    taken = dict(texts.outputs)
    name = next(name for name in _NAMES if name not in taken)
    keep(replace(texts, outputs=(*texts.outputs, (name, ""))))


def add_corrected(texts: PlaygroundTexts, corrector: str = "harper") -> None:
    """Add what an offline corrector makes of the source as an output, in place of an empty one."""
    name = CORRECTOR if corrector == "harper" else corrector
    output = (name, correct([texts.source], corrector=corrector)[0])
    kept_outputs = tuple(each for each in texts.outputs if each[1].strip() and each[0] != name)
    keep(replace(texts, outputs=(*kept_outputs, output)[-MOST_OUTPUTS:], version=texts.version + 1))


def add_reference(texts: PlaygroundTexts) -> None:
    """Add an empty reference."""
    keep(replace(texts, references=(*texts.references, "")))


def remove_output(texts: PlaygroundTexts, place: int) -> None:
    """Remove an output; the others keep their names, boxes and texts."""
    left = texts.outputs[:place] + texts.outputs[place + 1 :]
    keep(replace(texts, outputs=left, output_boxes=_freed(texts.output_boxes, place)))


def remove_reference(texts: PlaygroundTexts, place: int) -> None:
    """Remove a reference; the others keep their boxes and texts, and are numbered anew."""
    left = texts.references[:place] + texts.references[place + 1 :]
    keep(replace(texts, references=left, reference_boxes=_freed(texts.reference_boxes, place)))


def _freed(boxes: tuple[int, ...], place: int) -> tuple[int, ...]:
    """Boxes with the one at this place free: the last to be used again, when the browser has long forgotten it."""
    return (*boxes[:place], *boxes[place + 1 :], boxes[place])


def _named(outputs: Sequence[str], names: Sequence[str] = (), preset: str = OWN) -> tuple[tuple[str, str], ...]:
    """Outputs with their names, if these are all different and can be shown; else the example's, or numbers."""
    own = tuple(CASES[preset].hypotheses if preset in CASES else ())
    usual = own if len(own) == len(outputs) else _NAMES
    fit = len(names) == len(outputs) == len(set(names)) and not any(map(name_problem, names))
    return tuple(zip(names if fit else usual, outputs, strict=False))


def name_problem(name: str, taken: Sequence[str] = ()) -> str:
    """Why an output cannot have this name; empty if it can."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        return f"A name is text of at most {LONGEST_NAME} characters."
    return f"There is already an output called {name}." if name in taken else ""


def rename_output(texts: PlaygroundTexts, place: int, name: str) -> str:
    """Give an output another name; return why that is not possible, or an empty text."""
    others = [each for number, (each, _) in enumerate(texts.outputs) if number != place]
    if problem := name_problem(name, others):
        return problem
    outputs = tuple((name if number == place else each, text) for number, (each, text) in enumerate(texts.outputs))
    keep(replace(texts, outputs=outputs))
    return ""
