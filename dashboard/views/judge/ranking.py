"""The results of a session: the ranking with intervals, its certainty, agreement, and what judges are divided on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from html import escape
from random import Random
from types import MappingProxyType

import pandas as pd
import streamlit as st

from dashboard import cache, session
from dashboard.components.comparison import ranks
from dashboard.components.exports import csv_button
from dashboard.components.messages import plain
from gec_core.errors import JudgingError
from gec_core.formatting import counted, minus
from gec_core.human.ranking import FEW, Interval
from gec_core.judging.database import JudgingDatabase
from gec_core.judging.next_item import judgeable, totals
from gec_core.judging.results import CERTAINTY, PREFIX, SAMPLES, SessionResults
from gec_core.judging.session import Session
from gec_core.types import Corpus

EVERY = 3
"""Seconds between two looks at the answers."""
_TOO_FEW = (
    f"While two systems were compared fewer than {FEW} times on average, a bootstrap is too narrow: the intervals also "
    "cover what so few comparisons leave open, and TrueSkill has none yet."
)
MANY = 6
"""Columns of others' ranks beyond which a projector needs smaller type to show all of them."""
CERTAINTIES = (0.8, 0.9, 0.95, 0.99)


def followed(draw: Callable[[JudgingDatabase, Session], None]) -> Callable[[JudgingDatabase, Session], None]:
    """Draw a part of the page again every few seconds, and the whole page when the session was deleted elsewhere."""

    @wraps(draw)
    def drawn(database: JudgingDatabase, owned: Session) -> None:
        try:
            database.current(owned)
            draw(database, owned)
        except JudgingError:
            st.rerun(scope="app")

    return st.fragment(drawn, run_every=EVERY)


def found_results(database: JudgingDatabase, owned: Session, samples: int = SAMPLES) -> SessionResults:
    """Return the results as of now; the session may have new answers since the page was drawn."""
    now = database.current(owned)
    return cache.live_results(now.id, now.serial, samples, now)


def planned(database: JudgingDatabase, owned: Session) -> tuple[int, int]:
    """How many of the planned judgments are there, and how many are planned; repeated and surplus ones do not count."""
    now = database.current(owned)
    plan, judged = now.plan, database.counted(now, totals).judged
    asked = judgeable(plan, now.texts)
    done = sum(min(judged[index], plan.judgments_per_sentence) for index in asked)
    return done, len(asked) * plan.judgments_per_sentence


def session_corpus(owned: Session) -> Corpus | None:
    """Return the chosen corpus if it is the one that is judged."""
    corpus = session.whole_corpus()
    return None if owned.texts.misfit(corpus) else corpus


def results_view(owned: Session, found: SessionResults) -> None:
    """Draw the ranking, how certain it is, and how far the judges agree."""
    ranking_table(owned, found, other_ranks(owned, set(found.expected_wins.scores)) if found.expected_wins else {})
    if (misfit := owned.texts.misfit(session.whole_corpus())) and found.expected_wins:
        st.info(
            f"{plain(misfit)} Choose {plain(owned.plan.corpus)} in the sidebar to see the metrics beside the judges."
        )
    if found.expected_wins:
        what = f"Systems of {owned.plan.corpus} ranked by the judges of this session"
        csv_button(_frame(owned, found), "judged-ranking", what, shows=(), of_choice=False)
    if found.pairs:
        _certainty(found)
    _agreement(found)


def ranking_table(
    owned: Session,
    found: SessionResults,
    others: Mapping[str, Mapping[str, int]] = MappingProxyType({}),
    *,
    large: bool = False,
    named: bool = True,
) -> None:
    """Draw the ranking of the judges beside those of metrics and of published judges.

    Args:
        owned: The session.
        found: Its results.
        others: The ranks of systems by metrics and other judges, by name.
        large: Leave out what a room cannot read.
        named: Whether systems have their names; otherwise they are numbered.
    """
    people = found.expected_wins
    if people is None:
        _means(owned, found, named)
        return
    names = _names(owned, named)
    skills = {one.system: one for one in found.trueskill.standings} if found.trueskill else {}
    head = ["Rank", "", "Expected Wins"] if large else ["Rank", "95%", "Expected Wins", "", "TrueSkill", ""]
    if owned.plan.kind == "rating":
        head.append("Mean rating")
    rows = []
    widest = max([1.0, *(abs(one.score) for one in skills.values())])
    wins, matches = found.intervals.get("ew", {}), found.intervals.get("ts", {})
    for one in people.standings:
        name, skill = one.system, skills.get(one.system)
        if large:
            cells = [str(one.rank), _drawn(one.score, wins.get(name), 0, 1), f"{one.score:.2f}"]
        else:
            cells = [str(one.rank), f"{one.rank_low}–{one.rank_high}", f"{one.score:.3f}"]
            cells += [_drawn(one.score, wins.get(name), 0, 1)]
            cells += [minus(f"{skill.score:.2f}") if skill else "–"]
            cells += [_drawn(skill.score, matches.get(name), -widest, widest) if skill else ""]
        if owned.plan.kind == "rating":
            cells.append(f"{found.means[name]:.1f}")
        cells += [str(placed.get(name, "–")) for placed in others.values()]
        filled = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f"<tr><th scope=row>{escape(names[name])}</th>{filled}</tr>")
    heads = "".join(f"<th scope=col>{escape(title)}</th>" for title in ("System", *head, *others))
    many = " lens-many" if len(others) > MANY else ""
    st.html(
        f"<div class=lens-scroll><table class='lens-table lens-pinned lens-judged{many}'>"
        f"<thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
    if people.unranked and named:
        st.caption(f"Not ranked yet: {plain(', '.join(people.unranked))}.")
    if not large:
        again = sum(answer.item.repeat_of is not None for answer in found.answers)
        repeats = f", {again:,} of them repeats" if again else ""
        st.caption(
            f"From {counted(len(found.answers), 'judgment')}{repeats}. Bars and the ranks under 95% are intervals, "
            "from a bootstrap over judgments. Expected Wins run from 0 to 1. All columns rank the same systems."
            + (" In the mean rating, all sentences weigh the same." if owned.plan.kind == "rating" else "")
            + (f" {_TOO_FEW}" if "ts" not in found.intervals else "")
        )


def _names(owned: Session, named: bool) -> dict[str, str]:
    """What systems are called: their names, or numbers that say nothing and stay the same."""
    shuffled = Random(owned.plan.seed).sample(sorted(owned.plan.systems), len(owned.plan.systems))
    return {name: name if named else f"System {number}" for number, name in enumerate(shuffled, 1)}


def _drawn(value: float, span: Interval | None, low: float, high: float) -> str:
    """A score with its interval on the scale from `low` to `high`, as a small picture."""

    def at(score: float) -> str:
        return f"{100 * (min(max(score, low), high) - low) / (high - low):.1f}%"

    told, ends = f"{value:.3f}", (value, value)
    if span is not None and span.low is not None and span.high is not None:
        told, ends = f"{value:.3f}, 95% from {span.low:.3f} to {span.high:.3f}", (span.low, span.high)
    places = f"--at:{at(value)};--low:{at(ends[0])};--high:{at(ends[1])}"
    return f'<span class=lens-span style="{places}" role=img aria-label="{minus(told)}" title="{minus(told)}"></span>'


def _means(owned: Session, found: SessionResults, named: bool) -> None:
    if not found.means:
        st.write("No two different outputs were compared yet.")
        return
    edits, spans = owned.plan.kind == "edits", found.intervals.get("mean", {})
    names = _names(owned, named)
    rows = "".join(
        f"<tr><th scope=row>{escape(names[name])}</th>"
        f"<td>{f'{mean:.1%}' if edits else f'{mean:.1f}'}</td>"
        f"<td>{_drawn(mean, spans.get(name), 0, 1 if edits else 100)}</td></tr>"
        for name, mean in sorted(found.means.items(), key=lambda pair: (-pair[1], pair[0]))
    )
    head = "Edits accepted" if edits else "Mean rating"
    st.html(
        f"<div class=lens-scroll><table class='lens-table lens-judged'><thead><tr><th>System</th><th>{head}</th>"
        f"<th></th></tr></thead><tbody>{rows}</tbody></table></div>"
    )


def other_ranks(owned: Session, judged: set[str]) -> dict[str, dict[str, int]]:
    """The ranks of other judges of the corpus and of the chosen metrics, if the corpus is the one that is judged."""
    corpus = session_corpus(owned)
    if corpus is None:
        return {}
    values: dict[str, dict[str, float]] = {}
    for id, each in corpus.judgment_sets.items():
        if id != f"{PREFIX}{owned.id}":
            title = each.title or f"Judges of {corpus.name}"
            values[title] = cache.human_ranking(cache.judged(corpus, id), "ew").scores
    if not values and (name := session.human()) is not None and name not in ("ew", "ts", "mean"):
        values[cache.human_rankings(corpus)[name]] = cache.human_ranking(corpus, name).scores
    table = cache.scores(corpus, session.metrics(), session.uploads().metrics_for(corpus)).table
    values |= {column.metric.name: dict(column.values) for column in table.columns}
    return ranks(values, judged)


def _frame(owned: Session, found: SessionResults) -> pd.DataFrame:
    """The ranking as a table for files."""
    assert found.expected_wins is not None
    skills = {one.system: one for one in found.trueskill.standings} if found.trueskill else {}
    others = other_ranks(owned, set(found.expected_wins.scores))
    rows = []
    for one in found.expected_wins.standings:
        wins, match = found.intervals["ew"][one.system], found.intervals.get("ts", {}).get(one.system)
        row: dict[str, object] = {"system": one.system, "rank": one.rank}
        row |= {"rank low": one.rank_low, "rank high": one.rank_high}
        row |= {"expected wins": one.score, "ew low": wins.low, "ew high": wins.high}
        row |= {"trueskill": skills[one.system].score if one.system in skills else None}
        row |= {"ts low": match.low if match else None, "ts high": match.high if match else None}
        if owned.plan.kind == "rating":
            row["mean rating"] = found.means[one.system]
        rows.append(row | {f"rank by {name}": placed.get(one.system) for name, placed in others.items()})
    return pd.DataFrame(rows)


def certainty_choice() -> float:
    """Let the owner state how certain the ranking is to be."""
    chosen = st.segmented_control(
        "Certainty",
        CERTAINTIES,
        default=CERTAINTY,
        format_func=lambda share: f"{share:.0%}",
        required=True,
        key="judge-certainty",
        help="A pair of neighbours in the ranking is settled when its order is this certain.",
    )
    return CERTAINTY if chosen is None else chosen


def still_needed(found: SessionResults, certainty: float) -> str:
    """Say how many more judgments settle the ranking."""
    still = [pair for pair in found.neighbours if pair.needed(certainty) != 0]
    if not still:
        return f"All neighbours in the ranking are in this order with a certainty of at least {certainty:.0%}."
    more = found.needed(certainty)
    told = f"about {more:,} more judgments" if more is not None else "many more judgments than there are so far"
    return (
        f"{counted(len(still), 'pair')} of neighbours {'is' if len(still) == 1 else 'are'} still open. It would take "
        f"{told} to settle all of them at {certainty:.0%}, if the differences stay as they are. Neighbours that are "
        "equally good never settle."
    )


def _certainty(found: SessionResults) -> None:
    st.subheader("How certain the order is")
    certainty = certainty_choice()
    st.write(still_needed(found, certainty))
    rows = "".join(
        f"<tr><td class=wrap>{escape(pair.better)} above {escape(pair.worse)}</td><td>{pair.certainty:.0%}</td>"
        f"<td>{pair.compared:,}</td><td>{_more(pair.needed(certainty))}</td></tr>"
        for pair in found.neighbours
    )
    st.html(
        "<div class=lens-scroll><table class=lens-table><thead><tr><th>Order</th><th>Certainty</th><th>Compared</th>"
        f"<th>More judgments</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _more(needed: int | None) -> str:
    return "far more" if needed is None else "settled" if needed == 0 else f"{needed:,}"


def _agreement(found: SessionResults) -> None:
    if found.between is None or found.within is None:
        return
    st.subheader("Agreement of judges")
    for what, each, name, value in (
        ("with one another", found.between, "Cohen's kappa", found.between.kappa),
        ("with themselves", found.within, "Scott's pi", found.within.pi),
    ):
        if each.raw is None:
            st.write(f"**{what.capitalize()}:** {each.reason}.")
        else:
            beyond_chance = "not defined" if value is None else minus(f"{value:.2f}")
            counts = f"{each.raw:.0%} of {each.comparisons:,} comparisons"
            st.write(f"**{what.capitalize()}:** {counts}, {name} {beyond_chance}.")
