"""Read, check, save and find corpora.

`load` takes a folder, a zip file or a name in the catalogue; `from_files` takes single files. Downloading
is in `gec_core.corpora.download`, which is imported only where it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gec_core.corpora.assemble import assemble
from gec_core.corpora.catalogue import entries as catalogue_entries
from gec_core.corpora.catalogue import located
from gec_core.corpora.checking import Finding, Summary, check, summarise
from gec_core.corpora.folder import save
from gec_core.corpora.prepare import AS_IS, Handling, prepare, tokenised_texts
from gec_core.corpora.text import TextFile
from gec_core.corpora.uploads import with_systems
from gec_core.types import Corpus

__all__ = [
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
    """Load a corpus: a folder, a zip file of one, or a name in the catalogue.

    Raises:
        CorpusError: There is no such corpus, or a file of it is wrong; the message names the file and the line.
    """
    with located(where) as folder:
        return folder.load()


def from_files(
    *,
    source: str | Path | None = None,
    hypotheses: Mapping[str, str | Path] | None = None,
    references: Sequence[str | Path | TextFile] = (),
    m2: str | Path | None = None,
    name: str = "files",
    how: Handling = AS_IS,
) -> Corpus:
    """Make a corpus from single files.

    Args:
        source: The source sentences; optional if there is `m2`.
        hypotheses: The output file of each system, by the system's name.
        references: One file per reference.
        m2: Gold edits, as an M2 file or the XML of I-measure.
        name: The name of the corpus.
        how: How to tokenise sources, references and outputs, and how to read the outputs. Sources are tokenised like
            those of `m2`, or else by Penn Treebank rules if they seem not to be tokenised.
    """
    gold = TextFile.at(m2) if m2 is not None else None
    given = TextFile.at(source) if source is not None else None
    texts = [each if isinstance(each, TextFile) else TextFile.at(each) for each in references]
    given, texts, notes = tokenised_texts(given, texts, gold, how.tokenise)
    corpus = assemble(name, source=given, references=texts, gold=gold, systems={}, notes=notes)
    read = {system: prepare(TextFile.at(path), corpus, how) for system, path in (hypotheses or {}).items()}
    return with_systems(
        corpus, {name: each.lines for name, each in read.items()}, {name: each.notes for name, each in read.items()}
    )
