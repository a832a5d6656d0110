"""The edits of an output that credits are about: one reading for all metrics, so that credits can be compared."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from gec_core.align import errant_pipeline
from gec_core.align.edits import diff_edits
from gec_core.errors import MissingInput
from gec_core.types import Corpus, Edit, Progress, ignore

if TYPE_CHECKING:
    from gec_core.align.errant_edits import TextPair
    from gec_core.store import Store

AT_ONCE = 1024
"""Outputs whose edits are read, and kept, at a time."""


def output_edits(source: str, output: str, store: Store | None = None) -> tuple[Edit, ...]:
    """ERRANT's edits with their types where ERRANT can run; otherwise differences of tokens, merged, without types."""
    if errant_pipeline.find() is None:
        return diff_edits(source, output)
    from gec_core.align.errant_edits import edit_types

    return edit_types(source, output, store)


def corpus_edits(
    corpus: Corpus, store: Store | None = None, on_progress: Callable[[Progress], None] = ignore
) -> dict[tuple[str, str], tuple[Edit, ...]]:
    """ERRANT's edits of all outputs of a corpus, by source and output."""
    from gec_core.align.errant_edits import edits_of

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
    """How many outputs of a corpus there are whose edits the store does not have."""
    from gec_core.align.errant_edits import unread

    return unread(_pairs(corpus), store)


def _pairs(corpus: Corpus) -> list[TextPair]:
    """The different outputs, those of a sentence in a row, so that its source is parsed once."""
    from gec_core.align.errant_edits import TextPair

    columns = zip(corpus.sentences, *corpus.systems.values(), strict=True)
    return list(dict.fromkeys(TextPair(sentence.source, text) for sentence, *texts in columns for text in texts))


def edits_read_by() -> str:
    """What reads the edits here, to be said beside credits."""
    return errant_pipeline.label() if errant_pipeline.find() else "token differences"


def trimmed(edit: Edit, tokens: list[str]) -> Edit:
    """The edit without the unchanged words at its ends; an edit that changes nothing at all is left as it is."""
    before, after = tokens[edit.start : edit.end], edit.correction.split()
    if before == after:
        return edit
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return Edit(edit.start + start, edit.end - end, " ".join(after[start : len(after) - end]), edit.type)
