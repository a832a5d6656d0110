"""What stands in the playground: texts as they are typed, where they came from, and the corpus they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from dashboard import cache, session, url_state
from gec_core.corpora.assemble import typed_corpus, typed_sentence
from gec_core.papers.examples import CASES
from gec_core.types import Corpus, Sentence

OWN = "own"
"""The preset with nothing in it."""
MOST_OUTPUTS, MOST_REFERENCES = 6, 4
MOST_ADDRESS = 7000
"""Characters of the texts in an address; many servers take no more than 8,000 in all."""
FIRST = next(iter(CASES))
_NAMES = tuple(f"Output {number}" for number in range(1, MOST_OUTPUTS + 1))
_KEPT = "playground"


@dataclass(frozen=True, slots=True)
class PlaygroundTexts:
    """Source, outputs by name, references. The version is raised by whatever changes them, except typing."""

    preset: str
    source: str
    outputs: tuple[tuple[str, str], ...]
    references: tuple[str, ...]
    version: int = 0

    @property
    def corpus(self) -> Corpus:
        return typed_corpus(self._sentence, dict(self.outputs))

    @property
    def _sentence(self) -> Sentence:
        """With the gold edits that the paper prints, as long as source and references are the paper's."""
        typed = typed_sentence(self.source, self.references)
        case = CASES.get(self.preset)
        same = case and (case.source, case.references) == (typed.source, typed.references)
        return case.sentence if case and same else typed

    @property
    def address(self) -> dict[str, list[str]]:
        """What reopens them, as parts of an address."""
        return {
            "source": [self.source],
            "output": [text for _, text in self.outputs],
            "reference": list(self.references),
            "name": list(names) if (names := tuple(dict(self.outputs))) != _NAMES[: len(names)] else [],
        }

    @property
    def fit_an_address(self) -> bool:
        return len(urlencode(self.address, doseq=True)) <= MOST_ADDRESS

    @property
    def untouched(self) -> bool:
        """Whether the preset alone gives them."""
        return self == begin(self.preset, self.version)


def first_preset() -> str:
    """What to begin with: texts that a link brings along belong to no example."""
    return OWN if url_state.asked("source") else FIRST


def metrics_shown(preset: str, chosen: Sequence[str]) -> list[str]:
    """The chosen metrics, and those that the point of the preset is about, as far as they can run here."""
    argued = CASES[preset].metrics if preset in CASES else ()
    known = cache.all_metrics()
    return [*chosen, *(id for id in argued if id not in chosen and known[id].availability().ready)]


def prepare(preset: str) -> None:
    """Called when the page is opened or something is chosen: an address, or another preset, sets the texts anew."""
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
    """The texts of this visitor as they are now."""
    texts: PlaygroundTexts = session.kept(_KEPT, begin(FIRST, 0))
    return texts


def begin(preset: str, version: int) -> PlaygroundTexts:
    """The texts of a preset as the paper has them."""
    if preset not in CASES:
        return PlaygroundTexts(preset, "", _named([""]), ("",), version)
    case = CASES[preset]
    return PlaygroundTexts(preset, case.source, tuple(case.hypotheses.items()), case.references, version)


def keep(texts: PlaygroundTexts) -> None:
    """For this visit, and in the address unless the preset gives them or they are too long for it."""
    session.keep(_KEPT, texts)
    shown = texts.fit_an_address and not texts.untouched
    url_state.put(texts.address if shown else dict.fromkeys(texts.address, ()))


def restart(preset: str) -> None:
    """Callback: take the preset's texts again."""
    keep(begin(preset, current().version + 1))


def add_output(texts: PlaygroundTexts) -> None:
    """One more output."""
    taken = dict(texts.outputs)
    name = next(name for name in _NAMES if name not in taken)
    keep(replace(texts, outputs=(*texts.outputs, (name, ""))))


def add_reference(texts: PlaygroundTexts) -> None:
    """One more reference."""
    keep(replace(texts, references=(*texts.references, "")))


def remove_output(texts: PlaygroundTexts, place: int) -> None:
    """One output less; the boxes after it move up."""
    left = texts.outputs[:place] + texts.outputs[place + 1 :]
    keep(replace(texts, outputs=left, version=texts.version + 1))


def remove_reference(texts: PlaygroundTexts, place: int) -> None:
    """One reference less; the boxes after it move up."""
    left = texts.references[:place] + texts.references[place + 1 :]
    keep(replace(texts, references=left, version=texts.version + 1))


def _named(outputs: Sequence[str], names: Sequence[str] = (), preset: str = OWN) -> tuple[tuple[str, str], ...]:
    """Outputs with their names, if these are all different and could have been given on the page."""
    given = {*_NAMES, *(CASES[preset].hypotheses if preset in CASES else ())}
    fit = len(names) == len(outputs) == len(set(names)) and given.issuperset(names)
    return tuple(zip(names if fit else _NAMES, outputs, strict=False))
