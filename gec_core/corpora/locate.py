"""From what a person types to a corpus folder: a folder, a zip file, or a name in the catalogue."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gec_core.corpora import archive, catalogue
from gec_core.corpora.folder import CorpusFolder, is_corpus, not_a_corpus
from gec_core.errors import CorpusError


@contextmanager
def located(where: str | Path) -> Iterator[CorpusFolder]:
    """The corpus folder that is meant. One from a zip file is there only inside the `with` block.

    A folder or file of that name comes before the catalogue, but only if it is a corpus.
    """
    path = Path(where).expanduser()
    if path.suffix.lower() == ".zip" and os.path.isfile(path):
        with archive.unpacked(path) as folder:
            yield folder
    elif is_corpus(path):
        yield CorpusFolder.at(path)
    elif (entry := catalogue.get(str(where))) and entry.path:
        yield CorpusFolder.at(entry.path)
    else:
        raise _not_found(str(where), path, entry)


def _not_found(where: str, path: Path, entry: catalogue.Entry | None) -> CorpusError:
    if entry is not None:
        return CorpusError(f"The corpus {where} is not on this machine. {entry.how}")
    if os.path.isdir(path):
        return not_a_corpus(where)
    if os.path.isfile(path):
        return CorpusError(f"{where}: a corpus is a folder, or a .zip of one. Loose files go with --source and --hyp.")
    names = ", ".join(entry.name for entry in catalogue.entries())
    return CorpusError(f"No corpus {where!r}: no folder, no zip file, and not in the catalogue, which has {names}.")
