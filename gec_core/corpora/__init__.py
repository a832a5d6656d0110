"""Reading, checking, saving and finding corpora.

`load` takes a folder, a zip file or a name in the catalogue; `from_files` takes loose files. Downloading
is in `gec_core.corpora.download`, which is imported only by those who need it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gec_core.corpora.assemble import assemble
from gec_core.corpora.catalogue import Entry, located
from gec_core.corpora.catalogue import entries as catalogue_entries
from gec_core.corpora.checking import Finding, Summary, check, summarise
from gec_core.corpora.saving import save
from gec_core.corpora.text import TextFile
from gec_core.types import Corpus

__all__ = [
    "Entry",
    "Finding",
    "Summary",
    "catalogue_entries",
    "check",
    "from_files",
    "load",
    "save",
    "summarise",
]


def load(where: str | Path) -> Corpus:
    """A corpus from a folder, a zip file of one, or by its name in the catalogue."""
    with located(where) as folder:
        return folder.load()


def from_files(
    *,
    source: str | Path | None = None,
    hypotheses: Mapping[str, str | Path] | None = None,
    references: Sequence[str | Path] = (),
    m2: str | Path | None = None,
    name: str = "files",
) -> Corpus:
    """A corpus from loose files. `m2` may be the XML of I-measure, too, and may stand in for the source."""
    return assemble(
        name,
        source=TextFile.at(source) if source is not None else None,
        references=[TextFile.at(reference) for reference in references],
        gold=TextFile.at(m2) if m2 is not None else None,
        systems={system: TextFile.at(path) for system, path in (hypotheses or {}).items()},
    )
