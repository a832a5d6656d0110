"""Which two sides to compare, and which of their disagreements to list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import streamlit as st

from dashboard import cache, glossary, url_state
from dashboard.components.controls import choose_one
from dashboard.components.disagreement import JUDGES, UNANIMOUS, Dispute
from dashboard.components.messages import plain
from dashboard.components.progress import Offer, work_lines
from gec_core.align import errant_types
from gec_core.meta.disagreement import Order
from gec_core.types import Corpus

ANY = ""
"""The option that filters nothing."""


def choose_dispute(
    corpus: Corpus, sides: Sequence[str], title: Callable[[str], str], systems: Sequence[str]
) -> Dispute:
    """Draw the two sides and the filters, and return what is chosen."""
    left, middle, right = st.columns(3)
    a = left.selectbox("Compare", sides, format_func=title, key=url_state.choice("a", sides, sides[0]))
    others = [side for side in sides if side != a]
    b = middle.selectbox("with", others, format_func=title, key=url_state.choice("b", others, others[-1]))
    only = right.multiselect(
        "Systems",
        systems,
        key=url_state.multi_choice("only", systems),
        placeholder="all systems",
        help="Choose one to see it against all others, or several to see these against each other.",
    )
    with st.expander("Filters", icon=":material/filter_list:"):
        left, right = st.columns(2)
        with left:
            error = _error_type(corpus)
        with right:
            length = _length(corpus)
            agreement = _agreement(corpus)
        tied = st.segmented_control(
            "Pairs",
            [ANY, "a", "b"],
            format_func=lambda one: (
                f"tied by {plain(title(a if one == 'a' else b))} only" if one else "in opposite order"
            ),
            key=url_state.choice("tied", [ANY, "a", "b"], ANY),
            required=True,
        )
        order = choose_one(
            "Order",
            "order",
            {"contribution": "by contribution", "strength": "by strength"},
            "contribution",
            help=f"{glossary.help('Contribution')}\n\n{glossary.help('Strength')}",
        )
    unanimous = agreement == UNANIMOUS
    return Dispute(a, b, tuple(only), error, length, unanimous, tied or ANY, cast(Order, order))


def _error_type(corpus: Corpus) -> str:
    """Choose a type of edits that one output has and the other lacks; groups of types come first."""
    types = cache.error_types(corpus)
    groups = sorted({errant_types.group(name) for name in types or ()})
    options = [ANY, *groups, *(types or ())]
    chosen = st.selectbox(
        "Outputs differ in an edit of this type",
        options,
        format_func=lambda name: type_label(name) if name else "any",
        key=url_state.choice("error", options, ANY),
        disabled=not types,
        help=glossary.help("Error type"),
    )
    if types is None:
        offer = Offer(cache.edits_key(corpus), "Error types", lambda: cache.read_edits(corpus), "Read")
        work_lines((offer,))
    return chosen


def type_label(name: str) -> str:
    """Return an error type with its meaning."""
    meaning = errant_types.meaning(name)
    return f"{name} ({meaning})" if meaning else name


def filters_told(dispute: Dispute) -> None:
    """Draw the filters that are set."""
    low, high = dispute.length or (0, 0)
    parts = [
        f"{dispute.only[0]} against all others" if len(dispute.only) == 1 else "",
        f"pairs of {', '.join(dispute.only)}" if len(dispute.only) > 1 else "",
        f"outputs that differ in {type_label(dispute.error)}" if dispute.error else "",
        f"sources of {low} to {high} tokens" if dispute.length else "",
        "pairs on which all judges agree" if dispute.unanimous else "",
    ]
    if any(parts):
        st.caption(f"Only {plain('; '.join(part for part in parts if part))}.")


def _length(corpus: Corpus) -> tuple[int, int] | None:
    longest = max(len(sentence.tokens) for sentence in corpus.sentences)
    if not corpus.has_texts or not longest:
        return None
    # The two ends are in the state, so the slider has two: its type does not say so.
    chosen = cast(
        tuple[int, int], st.slider("Tokens of the source", 0, longest, key=url_state.number_range("length", longest))
    )
    return None if chosen == (0, longest) else chosen


def _agreement(corpus: Corpus) -> str:
    if corpus.judgments is None:
        return ANY
    return st.selectbox(
        "Judges",
        [ANY, UNANIMOUS],
        format_func=lambda one: "all prefer the same output" if one else "any opinion",
        key=url_state.choice("agreement", [ANY, UNANIMOUS], ANY),
    )


def sides_of(corpus: Corpus, metrics: Sequence[str]) -> list[str]:
    """Return the sides to compare: the metrics, and the judges if there are any."""
    return [*metrics, *([JUDGES] if corpus.judgments else [])]
