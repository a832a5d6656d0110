"""What one visitor brought along: systems for a corpus, corpora of their own, imported scores.

It lives as long as the visit and is seen by nobody else. Corpora with systems added are kept, not made anew in every
run: everything else finds its results by their fingerprint, which takes a while to compute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gec_core.corpora.uploads import with_systems
from gec_core.errors import CorpusError
from gec_core.scoring.imported import Imported
from gec_core.types import Corpus

MOST_SYSTEMS = 30
"""Systems that a visitor may add to one corpus."""
MOST_CHARACTERS = 200_000_000
"""Text that is kept for one visitor."""


@dataclass
class Belongings:
    """Written by the callbacks of the upload panel, read by everything that asks for a corpus or a metric."""

    corpora: dict[str, Corpus] = field(default_factory=dict)
    systems: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    """Added systems by the name of the corpus."""
    imported: dict[str, Imported] = field(default_factory=dict)
    """Imported scores by id."""
    _combined: dict[str, tuple[Corpus, Corpus]] = field(default_factory=dict)
    """By name: a corpus, and the same with the added systems."""

    def added(self, corpus: str) -> tuple[str, ...]:
        """The systems that the visitor added to this corpus."""
        return tuple(self.systems.get(corpus, ()))

    def complete(self, corpus: Corpus) -> Corpus:
        """The corpus with the visitor's systems; the same object as long as neither changes."""
        mine = self.systems.get(corpus.name)
        if not mine:
            return corpus
        known = self._combined.get(corpus.name)
        if known is None or known[0] is not corpus:
            known = (corpus, with_systems(corpus, mine))
            self._combined[corpus.name] = known
        return known[1]

    def metrics_for(self, corpus: Corpus) -> dict[str, Imported]:
        """The imported scores that are about systems and sentences of this corpus, by id."""
        return {id: metric for id, metric in self.imported.items() if not metric.misfit(corpus)}

    def add_systems(self, corpus: str, systems: Mapping[str, Sequence[str]]) -> None:
        """Add systems to a corpus, all or none of them."""
        mine = self.systems.get(corpus, {}) | {name: tuple(lines) for name, lines in systems.items()}
        if len(mine) > MOST_SYSTEMS:
            raise CorpusError(f"{len(mine)} systems of your own; at most {MOST_SYSTEMS} are kept. Remove some first.")
        self._refuse_too_much(sum(len(line) for lines in systems.values() for line in lines))
        self.systems[corpus] = mine
        self._combined.pop(corpus, None)

    def remove_system(self, corpus: str, system: str) -> None:
        self.systems.get(corpus, {}).pop(system, None)
        self._combined.pop(corpus, None)

    def add_corpus(self, corpus: Corpus) -> None:
        self._refuse_too_much(_characters(corpus))
        self.corpora[corpus.name] = corpus

    def remove_corpus(self, name: str) -> None:
        """Remove a corpus, with the systems that were added to it."""
        for kept in (self.corpora, self.systems, self._combined):
            kept.pop(name, None)

    def _refuse_too_much(self, more: int) -> None:
        kept = sum(_characters(corpus) for corpus in self.corpora.values())
        kept += sum(len(line) for added in self.systems.values() for lines in added.values() for line in lines)
        if kept + more > MOST_CHARACTERS:
            raise CorpusError(
                f"With this you would have {(kept + more) / 1e6:,.0f} million characters here; at most "
                f"{MOST_CHARACTERS / 1e6:.0f} million are kept for one visitor. Remove something first."
            )


def _characters(corpus: Corpus) -> int:
    texts = [(sentence.source, *sentence.references) for sentence in corpus.sentences]
    return sum(len(text) for part in (*texts, *corpus.systems.values()) for text in part)
