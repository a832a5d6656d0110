"""Corpora whose texts are not on this machine, shown by the scores that come with the project.

Without texts, `scores_only` gives a corpus that can be ranked and correlated, but not read.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from gec_core import shipped
from gec_core.environment import how_to_run
from gec_core.types import Corpus, CorpusInfo, Sentence


@dataclass(frozen=True, repr=False)
class ScoresOnly(Corpus):
    """A corpus without its texts: sentences and outputs are empty strings, scores are precomputed."""

    original: str = ""
    """The fingerprint of the corpus with its texts."""

    @property
    def has_texts(self) -> bool:
        return False

    @property
    def fingerprint(self) -> str:  # type: ignore[override]
        part = [] if self.lines is None else [hashlib.blake2b(repr(self.lines).encode(), digest_size=8).hexdigest()]
        return "-".join(["scores-of", self.original, *part, *self.systems])


def open_corpus(where: str | Path) -> Corpus:
    """Load a corpus; if its texts are not on this machine but its scores are, load it without its texts."""
    from gec_core import corpora

    name = str(where)
    entry = next((entry for entry in corpora.catalogue_entries() if entry.name == name), None)
    if entry and not entry.path and not Path(name).exists() and (found := scores_only(name)):
        return found
    return corpora.load(where)


def scores_only(name: str) -> ScoresOnly | None:
    """The corpus with this name without its texts, if there are precomputed scores of it."""
    one = shipped.all_precomputed().get(name)
    if one is None:
        return None
    from gec_core.corpora import catalogue

    size = int(one.manifest["sentences"])
    return ScoresOnly(
        name,
        (Sentence(""),) * size,
        dict.fromkeys(one.manifest["systems"], ("",) * size),
        info=CorpusInfo(
            title=one.manifest["title"],
            notice="The texts of this corpus are not on this machine, only our scores of them. Get the texts with: "
            f"{how_to_run(f'corpora fetch {name}')}",
        ),
        original=one.fingerprint,
        system_sets=catalogue.system_sets(name),
    )
