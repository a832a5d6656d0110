"""The edits of an output that credits are about: one reading for all metrics, so that credits can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gec_core.align import errant_pipeline
from gec_core.align.edits import diff_edits
from gec_core.types import Edit

if TYPE_CHECKING:
    from gec_core.store import Store


def output_edits(source: str, output: str, store: Store | None = None) -> tuple[Edit, ...]:
    """ERRANT's edits with their types where ERRANT can run; otherwise differences of tokens, merged, without types."""
    if errant_pipeline.find() is None:
        return diff_edits(source, output)
    from gec_core.align.errant_edits import edit_types

    return edit_types(source, output, store)


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
