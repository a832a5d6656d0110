"""What stands in the playground: texts as they are typed, where they came from, and the corpus they make."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from dashboard import choices
from gec_core.corpora.typed import typed_corpus, typed_sentence
from gec_core.explain.cases import CASES
from gec_core.types import Corpus, Sentence

OWN = "own"
"""The preset with nothing in it."""
MOST_OUTPUTS, MOST_REFERENCES = 6, 4
FIRST = next(iter(CASES))
_KEPT = "playground"


@dataclass(frozen=True, slots=True)
class Texts:
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
    def address(self) -> str:
        """What reopens them: the query of a link."""
        outputs = [text for _, text in self.outputs if text.strip()]
        references = [text for text in self.references if text.strip()]
        return urlencode({"source": self.source, "output": outputs, "reference": references}, doseq=True)


def prepare(preset: str) -> None:
    """Called when the page is opened or something on it is chosen: a link, or another preset, sets the texts anew."""
    texts: Texts | None = choices.kept(_KEPT, None)
    version = texts.version + 1 if texts else 0
    if source := choices.asked("source"):
        outputs = _named(choices.asked("output")[:MOST_OUTPUTS] or [""])
        references = tuple(choices.asked("reference")[:MOST_REFERENCES] or [""])
        keep(Texts(preset, source[0], outputs, references, version))
    elif texts is None or texts.preset != preset:
        keep(begin(preset, version))


def current() -> Texts:
    """The texts of this visitor as they are now."""
    texts: Texts = choices.kept(_KEPT, begin(FIRST, 0))
    return texts


def begin(preset: str, version: int) -> Texts:
    """The texts of a preset as the paper has them."""
    if preset not in CASES:
        return Texts(preset, "", _named([""]), ("",), version)
    case = CASES[preset]
    return Texts(preset, case.source, tuple(case.hypotheses.items()), case.references, version)


def keep(texts: Texts) -> None:
    choices.keep(_KEPT, texts)


def restart(preset: str) -> None:
    """Callback: take the preset's texts again."""
    keep(begin(preset, current().version + 1))


def add_output(texts: Texts) -> None:
    """Callback: one more output."""
    taken = dict(texts.outputs)
    name = next(name for name, _ in _named([""] * (MOST_OUTPUTS + 1)) if name not in taken)
    keep(replace(texts, outputs=(*texts.outputs, (name, ""))))


def add_reference(texts: Texts) -> None:
    """Callback: one more reference."""
    keep(replace(texts, references=(*texts.references, "")))


def _named(outputs: list[str]) -> tuple[tuple[str, str], ...]:
    return tuple((f"Output {number}", text) for number, text in enumerate(outputs, 1))
