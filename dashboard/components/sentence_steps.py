"""From sentence to sentence: through the list one came from, or through all of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import streamlit as st

from dashboard import cache, navigation, url_state
from dashboard.comparison import Comparison
from dashboard.components.messages import plain
from dashboard.dispute import JUDGES, LISTED, NAMES, Dispute
from gec_core.errors import GecLensError
from gec_core.meta.disagreement import Disagreement


class Step(NamedTuple):
    """A sentence to go to, with the outputs to set side by side; none of the list's if these are empty."""

    sentence: int
    system: str = ""
    against: str = ""


def step_bar(found: Comparison) -> int:
    """Previous and next, side by side on a telephone, too, and the number of the sentence, which is given."""
    dispute = Dispute.read(url_state.carried(NAMES))
    steps = _steps(found, dispute)
    last = len(found.corpus) - 1
    key = url_state.sentence()
    here = url_state.chosen_sentence()
    place = _place(steps, Step(*here))
    if dispute:
        _where(found, dispute, steps, place)
    if place is None:
        steps, place = [Step(number) for number in range(last + 1)], here[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _step_button("Previous", steps, place - 1, "left")
        _step_button("Next", steps, place + 1, "right")
        return st.number_input(f"Sentence (0 to {last})", 0, last, key=key, step=1, width=180)


def _step_button(label: str, steps: Sequence[Step], to: int, arrow: str) -> None:
    there = 0 <= to < len(steps)
    st.button(
        label,
        on_click=url_state.go_to_sentence,
        args=tuple(steps[to]) if there else (),
        disabled=not there,
        shortcut=arrow,
        icon=f":material/chevron_{arrow}:",
    )


def _steps(found: Comparison, dispute: Dispute | None) -> list[Step]:
    """What the list that one came from goes through; nothing if there is none, or it cannot be made any more."""
    ids = {column.metric.id for column in found.table.columns} | {JUDGES}
    if dispute is None or not {dispute.a, dispute.b} <= ids:
        return []
    compared = cache.disagreements(found.corpus, dispute.a, dispute.b, tuple(found.table.columns))
    try:
        return [step_to(row, found.left_out) for row in dispute.narrow(compared, found.left_out).top(LISTED)]
    except GecLensError:  # a type or a system that is not there (any more)
        return []


def step_to(row: Disagreement, left_out: Collection[str]) -> Step:
    """The sentence of a disagreement, with its two outputs by systems that are not left out."""
    one, other = (next(name for name in names if name not in left_out) for names in row.outputs)
    return Step(row.sentence, one, other)


def _place(steps: Sequence[Step], here: Step) -> int | None:
    """Where in the list one is: at these two outputs, or else at this sentence."""
    exact = (number for number, step in enumerate(steps) if step == here)
    close = (number for number, step in enumerate(steps) if step.sentence == here.sentence)
    return next(exact, next(close, None))


def _where(found: Comparison, dispute: Dispute, steps: Sequence[Step], place: int | None) -> None:
    names = {column.metric.id: column.metric.name for column in found.table.columns} | {JUDGES: "the judges"}
    sides = " and ".join(plain(names.get(side, side)) for side in (dispute.a, dispute.b))
    filters = f", with {dispute.filters} filter{'s' if dispute.filters > 1 else ''}" if dispute.filters else ""
    told = f"**{place + 1} of {len(steps)}** in" if place is not None else "This sentence is not in"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            navigation.page("disagreements"),
            label="Back to the list",
            icon=":material/arrow_back:",
            query_params=url_state.link(dispute.address),
        )
        st.markdown(f"{told} the disagreements of {sides}{filters}", width="content")
        st.button("Go through all sentences", type="tertiary", on_click=url_state.drop_carried)
