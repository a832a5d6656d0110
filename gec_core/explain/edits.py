"""The edits of outputs that get credits: the same ones for all metrics, so that credits can be compared."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from gec_core import languages
from gec_core.align import errant_pipeline
from gec_core.align.edits import diff_edits
from gec_core.errors import MissingInput
from gec_core.types import Corpus, Edit, Progress, ignore

if TYPE_CHECKING:
    from gec_core.align.errant_edits import TextPair
    from gec_core.store import Store

AT_ONCE = 128
"""The number of outputs whose edits are extracted, and stored, at a time: two or three seconds of work."""


def output_edits(source: str, output: str, store: Store | None = None) -> tuple[Edit, ...]:
    """Extract the edits of an output: ERRANT's with their types, or merged token differences.

    Token differences where ERRANT cannot run, and where the source does not seem to be English.
    """
    if errant_pipeline.find() is None or languages.guess([source]) not in ("", languages.ENGLISH):
        return diff_edits(source, output)
    from gec_core.align.errant_edits import edit_types

    return edit_types(source, output, store)


def corpus_edits(
    corpus: Corpus, store: Store | None = None, on_progress: Callable[[Progress], None] = ignore
) -> dict[tuple[str, str], tuple[Edit, ...]]:
    """Extract ERRANT's edits of all outputs of a corpus, by source and output.

    Raises:
        MissingInput: ERRANT cannot run here.
    """
    from gec_core.align.errant_edits import edits_of

    if corpus.language not in ("", languages.ENGLISH):
        raise MissingInput(
            f"Error types come from ERRANT, whose rules are English, and {corpus.name} is "
            f"{languages.name(corpus.language)}."
        )
    if problem := errant_pipeline.missing():
        raise MissingInput(f"Error types come from ERRANT, which cannot run here. {problem}")
    found: dict[tuple[str, str], tuple[Edit, ...]] = {}
    started, pairs = time.monotonic(), _pairs(corpus)
    for start in range(0, len(pairs), AT_ONCE):
        fresh = edits_of(pairs[start : start + AT_ONCE], store)
        found.update(((pair.source, pair.output), edits) for pair, edits in fresh.items())
        on_progress(Progress("Edits", len(found), len(pairs), time.monotonic() - started))
    return found


def unread_edits(corpus: Corpus, store: Store) -> int:
    """Count the outputs of a corpus whose edits are not in the store."""
    from gec_core.align.errant_edits import unread

    return unread(_pairs(corpus), store)


def _pairs(corpus: Corpus) -> list[TextPair]:
    """The distinct outputs; those of one sentence follow each other, so that its source is parsed once."""
    from gec_core.align.errant_edits import TextPair

    columns = zip(corpus.sentences, *corpus.systems.values(), strict=True)
    return list(dict.fromkeys(TextPair(sentence.source, text) for sentence, *texts in columns for text in texts))


def edits_read_by() -> str:
    """The name of what extracts the edits here, to be shown beside credits."""
    return errant_pipeline.label() if errant_pipeline.find() else "token differences"
