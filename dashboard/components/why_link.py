"""Links to the page *Why*, and the two systems that such a link compares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from dashboard import navigation, url_state
from dashboard.components.comparison import Comparison
from dashboard.components.disagreement import JUDGES
from gec_core.meta.findings import swaps


def why_query(first: str, second: str, sides: Iterable[str], **more: str) -> dict[str, list[str]]:
    """Return the query of a link that compares two systems under these sides: ids of metrics, and `judges`."""
    asked = {"first": [first], "second": [second], "sides": list(sides)}
    return url_state.link(asked | {name: [value] for name, value in more.items()})


def why_link(label: str, first: str, second: str, sides: Iterable[str], **more: str) -> None:
    """Draw a link to the page."""
    st.page_link(
        navigation.page("why"),
        label=label,
        icon=":material/compare_arrows:",
        query_params=why_query(first, second, sides, **more),
    )


def open_why(first: str, second: str, sides: Iterable[str]) -> None:
    """Go to the page."""
    st.switch_page(navigation.page("why"), query_params=why_query(first, second, sides))


def side_scores(found: Comparison) -> dict[str, dict[str, float]]:
    """Return the scores of the systems that are not left out, by side: metrics that score sentences, and people."""
    scores: dict[str, dict[str, float]] = {
        column.metric.id: {name: value for name, value in column.values.items() if name in found.kept}
        for column in found.table.columns
        if column.scores_sentences
    }
    return scores | ({JUDGES: found.human.scores} if found.human else {})


def counterpart(scores: Mapping[str, Mapping[str, float]], side: str, system: str) -> tuple[str, str]:
    """Return the system that this side and people, or else another side, swap most clearly with a system.

    Without a swap it is the neighbour in the ranking of the side.

    Returns:
        The other system, and the other side.
    """
    others = [JUDGES] if JUDGES in scores and side != JUDGES else [each for each in scores if each != side]
    if found := swaps(scores, [(side, other) for other in others], [system]):
        return next(name for name in found[0].systems if name != system), found[0].sides[1]
    ranked = sorted(scores[side], key=lambda name: -scores[side][name])
    at = ranked.index(system) if system in ranked else 0
    near = [ranked[place] for place in (at - 1, at + 1) if 0 <= place < len(ranked)]
    return (near or [system])[0], (others or [side])[0]
