"""The whole ranking: which groups of edits pull which systems up or down under one metric, beside people's ranks."""

from __future__ import annotations

from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import cache, session, url_state
from dashboard.components.comparison import ChosenScores, ranks
from dashboard.components.controls import clickable, pick
from dashboard.components.disagreement import JUDGES, counterpart, open_why, side_scores
from dashboard.components.edits import shade
from dashboard.components.exports import csv_button
from dashboard.components.messages import end_page, plain
from dashboard.components.progress import Offer, work_lines
from gec_core.errors import GecLensError
from gec_core.formatting import counted, joined, minus
from gec_core.meta.gap_edits import By, label_of
from gec_core.meta.gap_systems import GroupMap
from gec_core.meta.gap_words import ordinal, signed
from gec_core.scoring.table import MetricScores

SHOWN = 7
"""Groups that have a column of their own."""
SMALL = 0.05
"""What no edit contributes to any system, in standard deviations, up to which it has no column of its own."""
LARGE = 10
"""Scores from here on have one decimal."""
NAMED = 2
"""Groups that the words name."""
FROM = "from mean counts"
"""The column of what a row sums to."""
HELPS = {
    FROM: "The score less that of the system with the mean counts: in every sentence the mean of all systems.",
    "others": "All other groups, and what no edit contributes where that is next to nothing.",
    "no edit": "What no edit contributes.",
}
_CLICKED = "why-system"


def draw(found: ChosenScores, metric: str, by: By) -> None:
    """Draw the map of systems and groups of edits under one metric."""
    column = next(column for column in found.table.columns if column.metric.id == metric)
    if system := session.kept(_CLICKED, ""):
        session.keep(_CLICKED, "")
        other, side = counterpart(side_scores(found), metric, system)
        open_why(system, other, (metric, side) if side != metric else (metric,))
    try:
        mapped = cache.group_map(found.corpus, column, by)
    except GecLensError as problem:
        st.info(f"{plain(column.metric.title)}: {plain(str(problem))}")
        end_page()
    if isinstance(mapped, cache.Pending):
        mapped.start_if_short()
        with st.container(border=True):
            st.markdown("**The credits of all edits of all systems are needed.** They are kept once they are computed.")
            work_lines((Offer(mapped.key, mapped.title, mapped.start, "Compute"),))
        end_page()
    _map(found, column, mapped)


def _map(found: ChosenScores, column: MetricScores, mapped: GroupMap) -> None:
    spread = float(np.std(mapped.scores)) or 1.0
    metric, judged = column.metric.title, found.human.all_scores if found.human else None
    people = ranks({JUDGES: judged})[JUDGES] if judged else {}
    own = ranks({metric: dict(column.values)}, judged)[metric]
    if words := in_words(mapped, metric, people, own, spread):
        st.html(f"<div class=lens-answer>{escape(words)}</div>")
    frame = map_frame(mapped, spread)
    order = sorted(mapped.systems, key=lambda name: (people.get(name, 99), -mapped.scores[mapped.systems.index(name)]))
    columns = [FROM, *mapped.groups[:SHOWN], "others"]
    shown = frame
    if frame["no edit"].abs().max() >= SMALL:
        columns.append("no edit")
    else:
        shown = frame.assign(others=frame["others"] + frame["no edit"])
    most = float(np.abs(shown[columns[1:]].to_numpy()).max(initial=0.0)) or 1.0
    heads = {"system": "", **({"people": "The rank by people."} if people else {}), metric: "The rank by the metric."}
    heads |= {name: HELPS.get(name) or label_of(name, mapped.by) for name in columns}
    mean, typical = (_score(value, mapped) for value in (mapped.mean, float(np.mean(mapped.scores))))
    head = "".join(
        f"<th scope=col title='{escape(told, quote=True)}'>{escape(name)}{f' ({mean})' if name == FROM else ''}</th>"
        for name, told in heads.items()
    )
    body = ""
    for name in order:
        cells = f"<td>{people.get(name, '–')}</td>" if people else ""
        cells += f"<td>{own.get(name, '–')}{_arrow(people.get(name), own.get(name))}</td>"
        cells += "".join(
            f"<td class=n style='{shade(value / most) if place else 'font-weight:600'}'>{signed(value, 2)}</td>"
            for place, value in enumerate(shown.loc[name, columns])
        )
        body += f"<tr tabindex=0 role=link {pick(name)}><th scope=row>{escape(name)}</th>{cells}</tr>"
    html = (
        "<div class=lens-scroll tabindex=0><table class='lens-table lens-pinned lens-map'><thead><tr>"
        f"{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
    clickable(html, key="why-map", on_pick=lambda name: session.keep(_CLICKED, name))
    st.caption(
        f"What the edits of each system add to its {plain(metric)} score, compared with the system with the mean "
        "counts (in every sentence the mean of what all systems have), in standard deviations of the scores "
        f"({_score(spread, mapped)}). That system would score {mean}; the mean of the scores is {typical}. Blue pulls "
        f"a system up, orange down; a row sums to its distance from {mean}. Click a row to see why its rank differs "
        "from people's."
    )
    name = f"{found.corpus.name}-{column.metric.id}-groups-{mapped.by}"
    what = f"What groups of edits add to each system's {metric} score, in standard deviations of the scores"
    csv_button(frame, name, what, index=True)


def _score(value: float, mapped: GroupMap) -> str:
    """A score with the digits that tell systems apart."""
    return minus(f"{value:.{3 if float(np.abs(mapped.scores).max()) < LARGE else 1}f}")


def _arrow(human: int | None, own: int | None) -> str:
    """How many ranks a metric places a system above or below people."""
    moved = human - own if human and own else 0
    if not moved:
        return ""
    return f"<span class='arrow {'up' if moved > 0 else 'down'}'>{'↑' if moved > 0 else '↓'}{abs(moved)}</span>"


def map_frame(mapped: GroupMap, spread: float) -> pd.DataFrame:
    """Return systems by groups, in standard deviations of the scores."""
    values = {FROM: (mapped.scores - mapped.mean) / spread}
    values |= {name: mapped.contributions[:, place] / spread for place, name in enumerate(mapped.groups)}
    values["others"] = mapped.contributions[:, SHOWN:].sum(axis=1) / spread
    values["no edit"] = mapped.rest / spread
    return pd.DataFrame(values, index=pd.Index(mapped.systems, name="system"))


def in_words(mapped: GroupMap, metric: str, people: dict[str, int], own: dict[str, int], spread: float) -> str:
    """Say which system a metric ranks most differently from people, and which groups of edits do it."""
    apart = {name: people[name] - own[name] for name in mapped.systems if name in people and name in own}
    system = max(apart, key=lambda name: abs(apart[name]), default="")
    if not system or not apart[system]:
        return f"{metric} ranks every system as people do." if apart else ""
    moved, sign = apart[system], 1 if apart[system] > 0 else -1
    row = mapped.contributions[mapped.systems.index(system)]
    order = np.argsort(-sign * row)[:NAMED]
    named = [
        f"{mapped.groups[place]} edits ({signed(row[place] / spread, 2)})" for place in order if sign * row[place] > 0
    ]
    relation, where = ("above", "up") if sign > 0 else ("below", "down")
    text = (
        f"{metric} puts {system} {counted(abs(moved), 'rank')} {relation} people ({ordinal(own[system])} and "
        f"{ordinal(people[system])})"
    )
    if not named:
        return f"{text}."
    return f"{text}: compared with the system with the mean counts, mostly its {joined(named)} pull it {where}."


def choose_metric(found: ChosenScores, usual: str) -> str:
    """Draw the choice of the metric."""
    names = {column.metric.id: column.metric.title for column in found.table.columns if column.scores_sentences}
    if not names:
        st.info("None of the chosen metrics scores sentences. Choose another one in the sidebar.")
        end_page()
    key = url_state.choice("metric", list(names), usual if usual in names else next(iter(names)))
    return st.selectbox("Metric", list(names), format_func=names.__getitem__, key=key)
