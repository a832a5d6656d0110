"""The page *Why*: why two sides, metrics or judges, put two systems in different orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from dashboard import cache, glossary, session, url_state
from dashboard.components.comparison import ChosenScores, comparison
from dashboard.components.controls import choose_one, choose_view, clickable
from dashboard.components.disagreement import JUDGES, side_scores
from dashboard.components.gap_table import BETWEEN, OTHERS, gap_table, group_rows
from dashboard.components.messages import end_page, plain
from dashboard.components.progress import Offer, work_lines
from dashboard.views.why import evidence, what_if, whole
from gec_core.errors import GecLensError
from gec_core.meta.counterfactuals import order
from gec_core.meta.findings import Swap, swaps
from gec_core.meta.gap import GapSide
from gec_core.meta.gap_edits import By
from gec_core.meta.gap_sentences import PEOPLE, Gap
from gec_core.meta.gap_words import Unit, verdict

BYS: dict[By, str] = {
    "type": "Error type",
    "fate": "What became of it",
    "operation": "Operation",
    "length": "Sentence length",
}
UNITS: dict[Unit, str] = {"deviations": "Standard deviations", "share": "Share of the gap", "points": "Points"}
VIEWS = {"pair": "Two systems", "ranking": "The whole ranking"}
MOST_SIDES = 4
CLEAR = 0.5
"""The least difference of a clear swap, in standard deviations under both sides."""


@dataclass(frozen=True)
class ChosenGap:
    """Two systems and the sides that compare them."""

    found: ChosenScores
    systems: tuple[str, str]
    sides: tuple[str, ...]
    """Ids of metrics, and `judges`."""
    titles: Mapping[str, str]


def show() -> None:
    """Draw the page."""
    heading = st.empty()
    heading.title("Why")
    found = comparison()
    cache.warm_models(found.metrics.values())
    if choose_view(VIEWS, "pair") == "ranking":
        heading.title("Why systems rank where they do")
        left, right = st.columns([1, 2], vertical_alignment="bottom")
        with left:
            metric = whole.choose_metric(found, next(iter(url_state.current("sides")), ""))
        with right:
            by = choose_one("Group edits by", "by", BYS, "type")
        whole.draw(found, metric, by)
        return
    chosen = choose(found)
    first, second = map(plain, chosen.systems)
    heading.title(f"Why {first} and {second} {pair(chosen)}")


def choose(found: ChosenScores) -> ChosenGap:
    """Draw the choice of two systems and of the sides; the first choice is the clearest swap."""
    scores = side_scores(found)
    titles = {column.metric.id: column.metric.title for column in found.table.columns if column.metric.id in scores}
    if found.human:
        # Expected Wins and TrueSkill rank by the same comparisons, so the gap is people's, whichever is chosen.
        titles[JUDGES] = PEOPLE if found.corpus.judgments else f"{PEOPLE} ({found.human.title})"
    if len(found.kept) < 2 or not titles:
        st.info("This page compares two systems under a metric that scores sentences. Choose more in the sidebar.")
        end_page()
    asked = list(dict.fromkeys(name for part in ("first", "second") for name in url_state.current(part)))
    asked = [name for name in asked if name in found.kept]
    sides = [side for side in url_state.current("sides") if side in titles]
    start = first_swap(scores, sides, asked[:2], found.kept)
    left, middle, right = st.columns([1, 1, 2])
    first = left.selectbox("System", found.kept, key=url_state.choice("first", found.kept, start.systems[0]))
    others = [name for name in found.kept if name != first]
    usual = next(name for name in (*start.systems[::-1], *others) if name in others)
    second = middle.selectbox("Compared with", others, key=url_state.choice("second", others, usual))
    usual_sides = tuple(dict.fromkeys(start.sides))
    chosen = right.multiselect(
        "Sides",
        list(titles),
        format_func=titles.__getitem__,
        key=url_state.multi_choice("sides", list(titles), usual_sides),
        max_selections=MOST_SIDES,
        help="Metrics, or people, whose scores of the two systems are compared. The sidebar has more metrics.",
    )
    return ChosenGap(found, (first, second), tuple(chosen or usual_sides), titles)


def first_swap(
    scores: Mapping[str, Mapping[str, float]], sides: Sequence[str], asked: Sequence[str], systems: Sequence[str]
) -> Swap:
    """Return the clearest swap of the chosen sides and systems.

    Where no side is chosen, it is one of people and the first metric that clearly disagrees with them.
    """
    if len(sides) > 1:
        between = [(sides[0], sides[1])]
    elif sides:
        others = [JUDGES] if JUDGES in scores and sides[0] != JUDGES else list(scores)
        between = [(sides[0], other) for other in others if other != sides[0]]
    elif JUDGES in scores and len(scores) > 1:
        between = [(side, JUDGES) for side in scores if side != JUDGES]
    else:
        between = [(one, other) for one in scores for other in scores if one < other]
    if found := swaps(scores, between, asked):
        clear = [swap for swap in found if swap.strength >= CLEAR]
        return min(clear, key=lambda swap: between.index(swap.sides), default=found[0])
    given = tuple(sides) or tuple(dict.fromkeys(side for each in between[:1] for side in each)) or tuple(scores)[:1]
    rest = [name for name in systems if name not in asked]
    one, other, *_ = [*asked, *rest]
    return Swap((given[0], given[-1]), (one, other), 0.0)


def pair(chosen: ChosenGap) -> str:
    """Draw why the sides see two systems as they do: words, the picture, what is behind it.

    Returns:
        What the two systems do, for the title of the page: swap, or differ.
    """
    gaps, problems = side_gaps(chosen)
    if not gaps:
        for name, problem in problems.items():
            st.info(f"{plain(name)}: {plain(problem)}")
        end_page()
    sides, waiting = split_sides(chosen, gaps)
    answer = st.container()
    by: By = "type"
    unit: Unit = "deviations"
    if waiting or any(side.edits for side in sides):
        with st.container(horizontal=True, gap="small"):
            by = choose_one("Group edits by", "by", BYS, "type")
            unit = choose_one("Numbers in", "unit", UNITS, "deviations", help=glossary.help("Gap"))
    words = verdict([(side.gap, side.edits) for side in sides], by, unit)
    with answer:
        headline, *reasons = map(escape, words)
        st.html(f"<div class=lens-answer><strong>{headline}</strong> {' '.join(reasons)}</div>")
    drawn = [side for side in sides if side.edits]
    if drawn:
        picture(drawn, by, unit)
    cue = st.empty()
    for side in sides:
        if side.problem:
            st.caption(f"{plain(side.gap.label)}: {plain(side.problem)}")
    for name, problem in problems.items():
        st.caption(f"{plain(name)}: {plain(problem)}")
    if waiting:
        with st.container(border=True):
            st.markdown("**Splitting into edits.** The sentences below are there already.")
            work_lines(tuple(waiting))
    columns = {column.metric.signature: column for column in chosen.found.table.columns}
    group = next(iter(url_state.current("group")), "")
    asked = what_if.WhatIf(chosen.found.corpus, sides, columns, by, group)
    behind = st.container()
    what_if.draw(asked)
    with behind if not what_if.left_out_sentences(asked) else st.container():
        evidence.draw(chosen.found.corpus, sides, by, what_if.left_out_sentences(asked), cue)
    orders = {order(gap.scores) for gap in gaps}
    return "swap" if {1, -1} <= orders else "differ"


def side_gaps(chosen: ChosenGap) -> tuple[list[Gap], dict[str, str]]:
    """Return the gap of every side by sentence, and why one has none."""
    corpus, (first, second) = chosen.found.corpus, chosen.systems
    columns = {column.metric.id: column for column in chosen.found.table.columns}
    gaps, problems = [], {}
    for side in chosen.sides:
        try:
            if side == JUDGES:
                human = session.human() or ""
                title = chosen.found.human.title if chosen.found.human else ""
                gaps.append(cache.human_gap(corpus, human, first, second, title))
            else:
                gaps.append(cache.sentence_gap(corpus, columns[side], first, second))
        except GecLensError as problem:
            problems[chosen.titles[side]] = str(problem)
    return gaps, problems


def split_sides(chosen: ChosenGap, gaps: Sequence[Gap]) -> tuple[list[GapSide], list[Offer]]:
    """Split every side into edits as far as that is known; start or offer jobs for the others."""
    sides, waiting = [], []
    for gap in gaps:
        if not gap.metric and gap.votes is None and gap.ratings is None:
            sides.append(GapSide(gap, problem="This ranking was published without judgments of sentences."))
            continue
        try:
            found = cache.split(chosen.found.corpus, gap)
        except GecLensError as problem:
            sides.append(GapSide(gap, problem=str(problem)))
            continue
        if isinstance(found, cache.Pending):
            sides.append(GapSide(gap))
            found.start_if_short()
            waiting.append(Offer(found.key, found.title, found.start, "Compute"))
        else:
            sides.append(GapSide(gap, found))
    return sides, waiting


def picture(sides: Sequence[GapSide], by: By, unit: Unit) -> None:
    """Draw the table of groups with its bars; a click chooses a group, or a group under one side."""
    every = url_state.current("groups") == ["all"]
    rows = group_rows(sides, by, everything=every)
    names = [row.name for row in group_rows(sides, by, everything=True)]
    url_state.choice("groups", ["", "all"], "")
    url_state.choice("group", ["", *names], "")
    group, side = (next(iter(url_state.current(name)), "") for name in ("group", "side"))
    clickable(gap_table(sides, rows, by, unit, (group, side)), key="why-groups", on_pick=_pick_group)
    first, second = sides[0].gap.systems
    scale = "own gap" if unit == "share" else "scores over the systems (standard deviations)"
    shares = "The shares of a side sum to 100%; a negative one speaks against its gap. " if unit == "share" else ""
    st.caption(
        f"Blue, to the right, speaks for {plain(first)}; orange, to the left, for {plain(second)}. All bars have one "
        f"scale: each side's {scale}. {shares}Click a bar or a name to read the edits behind it."
    )


def _pick_group(picked: str) -> None:
    """Callback: show what is behind a group, under one side if a bar was clicked; once more to show all again."""
    group, _, side = picked.partition(BETWEEN)
    if group == OTHERS:
        url_state.set_choice("groups", "all")
        return
    again = url_state.current("group") == [group] and side in ("", *url_state.current("side"))
    url_state.set_choice("group", "" if again else group)
    if side:
        url_state.set_choice("side", side)
