"""The way from sentence to sentence, through a list or through all; all outputs of a sentence with their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import cache, navigation, session, url_state
from dashboard.components.comparison import ChosenScores
from dashboard.components.controls import step_button
from dashboard.components.disagreement import JUDGES, NAMES, Dispute, Stop, list_disagreements
from dashboard.components.edits import marked
from dashboard.components.messages import plain
from gec_core.errors import GecLensError
from gec_core.explain.verdict import deciding_edit
from gec_core.formatting import counted, minus
from gec_core.human.ranking import from_scores
from gec_core.metrics.base import Metric
from gec_core.types import Array


def groups(found: ChosenScores, index: int) -> dict[str, list[str]]:
    """The different outputs of a sentence, each with its systems."""
    same: dict[str, list[str]] = {}
    for system, outputs in found.corpus.systems.items():
        if system not in found.left_out:
            same.setdefault(outputs[index], []).append(system)
    return same


def outputs_table(found: ChosenScores, index: int, shaded_by: Metric | None) -> None:
    """Draw every different output with its edits, and its rank and score by every metric."""
    source = found.corpus.sentences[index].source
    columns = {
        column.metric.title: cache.sentence_arrays(found.corpus, column.metric.signature, column)
        for column in found.table.columns
        if column.scores_sentences
    }
    ranked = {
        name: {
            s.system: s.rank
            for s in from_scores({s: float(scores[s][index]) for s in found.kept if s in scores}, name).standings
        }
        for name, scores in columns.items()
    }
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in columns)
    body = ""
    for output, systems in sorted(groups(found, index).items(), key=lambda item: _mean_rank(ranked, item[1])):
        weights = _weights(found, index, output, shaded_by) if shaded_by else None
        cells = "".join(
            _score_cell(ranked[name], scores, systems, index, found.metrics[name]) for name, scores in columns.items()
        )
        text = marked(source, cache.output_edits(source, output), weights)
        body += f"<tr><th scope=row class=wrap>{escape(', '.join(systems))}</th><td class=wrap>{text}</td>{cells}</tr>"
    st.html(
        "<div class='lens-scroll lens-tall' tabindex=0><table class='lens-table lens-outputs lens-pinned'><thead><tr>"
        f"<th scope=col>systems</th><th scope=col>output</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _score_cell(ranks: dict[str, int], scores: dict[str, Array], systems: list[str], index: int, metric: Metric) -> str:
    """The rank and score of the output of these systems, if the metric scored one of them."""
    one = next((system for system in systems if system in scores), None)
    if one is None:
        return "<td>–</td>"
    return f"<td>{ranks[one]}<span class=score>{_number(scores[one][index], metric)}</span></td>"


def _mean_rank(ranked: dict[str, dict[str, int]], systems: list[str]) -> float:
    """The mean rank of an output over the metrics that rank one of its systems."""
    places = [by_system[system] for by_system in ranked.values() for system in systems[:1] if system in by_system]
    return float(np.mean(places)) if places else 0.0


def _weights(found: ChosenScores, index: int, output: str, metric: Metric) -> dict[tuple[int, int, str], float]:
    """Each credit as a share of the largest one of this output; empty if a model has not been asked yet."""
    explained = cache.explain_output(found.corpus, metric, index, output)
    edits = explained.credits.edits if explained else ()
    most = max((abs(edit.value) for edit in edits), default=0) or 1
    return {edit.key: edit.value / most for edit in edits}


def _number(value: float, metric: Metric) -> str:
    return minus(f"{value:.2f}" if metric.percent else f"{value:.3f}")


__all__ = ["Stop", "remember", "step_bar"]

FEW_EDITS = 4
"""The most edits of two outputs that are read at a glance."""
LOOKED_AT = 20
"""How many disagreements are looked at for one that is easy to read."""
INSTRUCTIVE = (8, 25)
"""Tokens of the source of the sentence that is shown first, so that it can be taken in at a glance."""
_SEEN = "sentence-seen"
"""The corpus, and what the page showed of it last."""


@dataclass(frozen=True)
class Way:
    """Where the visitor is."""

    index: int
    following: Stop | None
    sides: tuple[str, ...]
    """The ids of the two sides of the list that the visitor came from, if any."""
    bar: DeltaGenerator
    """The line of controls."""


def step_bar(found: ChosenScores) -> Way:
    """Draw the way to other sentences, and return this one and the next."""
    dispute = Dispute.read(url_state.carried(NAMES))
    stops = _stops(found, dispute)
    here = _here(found)
    place = _place(stops, here)
    if dispute:
        _where(found, dispute, stops, place)
    if place is None:
        stops, place = [Stop(index) for index in range(len(found.corpus))], here.sentence
    bar = st.container(horizontal=True, vertical_alignment="bottom", key="sentence-bar")
    with bar:
        _step_button("Previous", stops, place - 1)
        _step_button("Next", stops, place + 1)
        st.number_input(
            f"Sentence (1 to {len(found.corpus):,})",
            1,
            len(found.corpus),
            key=url_state.sentence_number(),
            step=1,
            width=160,
            on_change=url_state.go_to_number,
        )
        if (lines := found.corpus.lines) is not None:
            st.caption(f"Line {lines[here.sentence] + 1:,} of {found.corpus.name}", width="content")
    following = stops[place + 1] if place + 1 < len(stops) else None
    return Way(here.sentence, following, (dispute.a, dispute.b) if dispute else (), bar)


def _here(found: ChosenScores) -> Stop:
    """What the page shows: what is asked for, or else what was seen last in this corpus, or an instructive sentence."""
    corpus = found.corpus.name, len(found.corpus)
    seen_in, seen = session.kept(_SEEN, (corpus, Stop(0)))
    back = not url_state.is_reading()
    if not url_state.sentence_is_chosen() or (back and seen_in != corpus):
        url_state.go_to_sentence(*(_instructive(found) or Stop(0)))
    url_state.sentence()
    here = Stop(*url_state.chosen_sentence())
    if back and not here.system and here.sentence == seen.sentence:
        url_state.go_to_sentence(*(here := seen))
    return here


def remember(found: ChosenScores, shown: Stop) -> None:
    """Keep what is shown, for when the visitor comes back."""
    session.keep(_SEEN, ((found.corpus.name, len(found.corpus)), shown))


def _instructive(found: ChosenScores) -> Stop | None:
    """The strongest disagreement of two sides that is easy to read; None if the sides never disagree.

    The sides are the first and the last of the chosen metrics, or a metric and the judges. The sentence is neither long
    nor short. If possible, both outputs change the source, and in few places, so that there is something to compare and
    one edit decides.
    """
    scored = [column.metric.id for column in found.table.columns if column.scores_sentences]
    sides = [*scored[:1], *(scored[-1:] if len(scored) > 1 else [JUDGES] if found.corpus.judgments else [])]
    if len(set(sides)) < 2:
        return None
    listed = list_disagreements(found, Dispute(sides[0], sides[1], length=INSTRUCTIVE), typed=False)

    def look() -> Stop | None:
        both = [stop for stop in listed.stops if _both_change(found, stop)]
        easy = next((stop for stop in both[:LOOKED_AT] if _easy(found, stop, sides)), None)
        return easy or next(iter(both or listed.stops), None)

    asked = [metric for metric in found.metrics.values() if metric.id in sides and cache.quick(metric)]
    loaded = "loaded" if all(metric.loaded() for metric in asked) else "loading"  # until then they are not asked
    return cache.shared(found.corpus, ("instructive", *listed.key, loaded), look)


def _easy(found: ChosenScores, stop: Stop, sides: Sequence[str]) -> bool:
    """Whether the outputs have few edits and each has one of its own, which decides, and judges compared the two.

    Where an annotator changes nothing, the source scores best and corrections cost something: not for a first glance.
    """
    texts = [found.corpus.systems[name][stop.sentence] for name in (stop.system, stop.against)]
    source = found.corpus.sentences[stop.sentence].source
    edits = [cache.output_edits(source, text) for text in texts]
    one, other = ({(edit.start, edit.end, edit.correction) for edit in own} for own in edits)
    if len(one | other) > FEW_EDITS or one <= other or other <= one:
        return False
    quick = {name: metric for name, metric in found.metrics.items() if metric.id in sides and cache.quick(metric)}
    compared = cache.compared_outputs(found.corpus, stop.sentence, quick, *texts)
    for each in compared:
        edit, (first, second) = deciding_edit(each.difference), (each.first.credits, each.second.credits)
        if edit is None or edit.key in one & other or first.source_score > min(first.score, second.score):
            return False
    shared = groups(found, stop.sentence)
    votes = cache.votes_on(found.corpus, stop.sentence, *(shared[text] for text in texts))
    return votes is None or any(votes)


def _both_change(found: ChosenScores, stop: Stop) -> bool:
    outputs = (found.corpus.systems[name][stop.sentence] for name in (stop.system, stop.against))
    return found.corpus.sentences[stop.sentence].source not in outputs


def _step_button(label: Literal["Previous", "Next"], stops: Sequence[Stop], to: int) -> None:
    there = 0 <= to < len(stops)
    step_button(label, url_state.go_to_sentence, *(stops[to] if there else ()), enabled=there)


def _stops(found: ChosenScores, dispute: Dispute | None) -> list[Stop]:
    """The stops of the list that the visitor came from; empty if there is none or it cannot be made any more."""
    ids = {column.metric.id for column in found.table.columns} | {JUDGES}
    if dispute is None or not {dispute.a, dispute.b} <= ids:
        return []
    try:
        return list_disagreements(found, dispute, typed=False).stops
    except GecLensError:  # a type or a system that does not exist (any more)
        return []


def _place(stops: Sequence[Stop], here: Stop) -> int | None:
    """The place of these two outputs in the list, or else of this sentence."""
    exact = (number for number, stop in enumerate(stops) if stop == here)
    close = (number for number, stop in enumerate(stops) if stop.sentence == here.sentence)
    return next(exact, next(close, None))


def _where(found: ChosenScores, dispute: Dispute, stops: Sequence[Stop], place: int | None) -> None:
    """Draw the place in the list that the visitor came from, and the way back."""
    names = {column.metric.id: column.metric.title for column in found.table.columns} | {JUDGES: "the judges"}
    sides = " and ".join(plain(names.get(side, side)) for side in (dispute.a, dispute.b))
    filters = f", with {counted(dispute.filters, 'filter')}" if dispute.filters else ""
    told = f"**{place + 1} of {len(stops)}** in" if place is not None else "This sentence is not in"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            navigation.page("disagreements"),
            label="Back to the list",
            icon=":material/arrow_back:",
            query_params=url_state.link(dispute.address),
        )
        st.markdown(f"{told} the disagreements of {sides}{filters}", width="content")
        st.button("Go through all sentences", type="tertiary", on_click=url_state.drop_carried)
