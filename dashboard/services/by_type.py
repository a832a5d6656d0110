"""The errors of systems by type."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard.services.caching import by_content
from dashboard.services.scoring import _quickly_scored
from gec_core.meta.error_types import (
    NAMES,
    Level,
    Outcome,
    References,
    TypeCounts,
    edits_behind,
    gold_has_errant_types,
    gold_types,
    outcomes,
    tally,
    types_metric,
)
from gec_core.scoring import stored_rows
from gec_core.scoring.precomputed import all_precomputed
from gec_core.store import Store
from gec_core.types import Corpus, Edit


def gold_choices(corpus: Corpus) -> list[References]:
    """The gold edits that errors can be counted by: as annotated only if the annotators used ERRANT's types."""
    return ["auto", "gold"] if _gold_has_errant_types(corpus) else ["auto"]


@st.cache_resource(show_spinner=False, max_entries=64, hash_funcs=by_content)
def _gold_has_errant_types(corpus: Corpus) -> bool:
    return corpus.has_texts and gold_has_errant_types(corpus)


def types_shipped(corpus: Corpus) -> bool:
    """Whether the error types of a corpus come with the project, so that its texts are not needed."""
    return corpus.name in all_precomputed() and all_precomputed()[corpus.name].has(types_metric().statistics_signature)


def types_ready(corpus: Corpus, references: References = "auto") -> bool:
    """Whether error types can be had now; if not, they are being read in the background."""
    return bool(Store().problem) or _quickly_scored(corpus, types_metric(references))


@st.cache_resource(show_spinner="Reading error types …", max_entries=8, hash_funcs=by_content)
def error_outcomes(corpus: Corpus, references: References) -> dict[str, list[Outcome]]:
    """For each system what became of every error; see `types_ready`."""
    return outcomes(corpus, types_metric(references), store=Store())


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs=by_content)
def errors_by_type(corpus: Corpus, level: Level, references: References) -> dict[str, dict[str, TypeCounts]]:
    """For each system its counts by type, as the `types` command gives them."""
    return {system: tally(own, level) for system, own in error_outcomes(corpus, references).items()}


def errors_of_type(corpus: Corpus, system: str, level: Level, type: str, references: References) -> list[Outcome]:
    """What became of the errors of one type."""
    return [each for each in error_outcomes(corpus, references)[system] if NAMES[level](each.type) == type]


def edits_of_errors(corpus: Corpus, system: str, found: Sequence[Outcome], references: References) -> list[Edit]:
    """The edits that errors of a system are about; outputs may have to be parsed for it, so ask for few at a time."""
    return _edits_of_errors(corpus, system, repr(found), found, references)


@st.cache_resource(show_spinner=False, max_entries=256, hash_funcs=by_content, scope="session")
def _edits_of_errors(
    corpus: Corpus, system: str, key: str, _found: Sequence[Outcome], references: References
) -> list[Edit]:
    return edits_behind(corpus, types_metric(references), system, _found, Store())


@st.cache_resource(show_spinner="Reading error types …", max_entries=8, hash_funcs=by_content)
def gold_type_groups(corpus: Corpus) -> list[set[str]]:
    """The groups of error types that annotators found in each sentence; see `types_ready`."""
    one = next(iter(corpus.systems))
    return gold_types(stored_rows(corpus.only([one]), types_metric(), store=Store())[one], "group")
