"""What would turn the order of two systems around: without some sentences, or without a group of edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from dashboard import cache, url_state
from dashboard.components.controls import clickable, pick
from dashboard.components.progress import waiting_metrics
from gec_core.meta.counterfactuals import Counterfactual, order, rescored
from gec_core.meta.gap import GapSide
from gec_core.meta.gap_edits import NO_EDIT, By, Group, name_of
from gec_core.meta.gap_words import called, points, told
from gec_core.scoring.imported import Imported
from gec_core.scoring.table import MetricScores
from gec_core.types import Corpus

SENTENCES, EDITS, ACCEPTED = "sentences-", "edits-", "accepted"
"""What the address says that is different: without sentences that carry the order of a side, without a group of edits,
or with the edits that people accepted counted as right."""


@dataclass(frozen=True)
class WhatIf:
    """The answers to what would turn the order around, and which one is open."""

    corpus: Corpus
    sides: Sequence[GapSide]
    columns: Mapping[str, MetricScores]
    """The scores of metrics by signature."""
    by: By
    group: str
    """The group of edits that is chosen in the picture."""

    @property
    def fewest(self) -> dict[str, Counterfactual]:
        """By side: the fewest sentences without which the leading system no longer leads."""
        found = {}
        for side in self.sides:
            if side.gap.contributions.any():
                column = self.columns.get(side.gap.signature)
                if answer := cache.fewest(self.corpus, side.gap, column):
                    found[side.gap.side] = answer
        return found

    @property
    def groups(self) -> list[Group]:
        """Groups of edits to leave out: the chosen one, and for each side the one that speaks most for its leader."""
        if not self.corpus.has_texts:
            return []
        found: dict[str, Group] = {}
        for side in self.sides:
            if side.edits and side.gap.metric:
                direction = order(side.gap.scores)
                groups = [group for group in side.edits.groups(self.by) if group.name != NO_EDIT and any(group.edits)]
                found |= {group.name: group for group in groups if group.name == self.group}
                best = max(groups, key=lambda group: direction * group.contribution, default=None)
                if best and direction * best.contribution > 0:
                    found[best.name] = best
        return sorted(found.values(), key=lambda group: group.name != self.group)

    @property
    def accepted(self) -> cache.ChangedCorpus | None:
        """The corpus in which wrong edits that people accepted count as right; None without verdicts on edits."""
        return cache.with_accepted_edits(self.corpus, *self.sides[0].gap.systems)


def left_out_sentences(asked: WhatIf) -> tuple[int, ...]:
    """Return the sentences that the open answer leaves out; empty if it is not about sentences."""
    what = next(iter(url_state.current("what")), "")
    found = asked.fewest.get(what.removeprefix(SENTENCES)) if what.startswith(SENTENCES) else None
    return found.sentences if found else ()


def draw(asked: WhatIf) -> None:
    """Draw the answers as a list; a click opens one and shows the order under every side then."""
    fewest, groups, accepted = asked.fewest, asked.groups, asked.accepted
    options = [f"{SENTENCES}{side}" for side in fewest] + [f"{EDITS}{group.name}" for group in groups]
    options += [ACCEPTED] if accepted else []
    if not options:
        return
    url_state.choice("what", ["", *options], "")
    what = next((each for each in url_state.current("what") if each in options), "")
    st.subheader("What would turn the order around")
    names = {side.gap.side: side.gap.name for side in asked.sides}
    items = [_item(f"{SENTENCES}{side}", *_parts(told(found, names[side])), what) for side, found in fewest.items()]
    for group in groups:
        text = f"without the {_everywhere(asked, group):,} {called(group)} of both systems{_alike(asked, group)}"
        items.append(_item(f"{EDITS}{group.name}", text, "scored again on a click", what))
    if accepted:
        text = f"with the {accepted.edits:,} edits that people accepted, though no reference has them, counted as right"
        items.append(_item(ACCEPTED, text, "scored again on a click", what))
    clickable(f"<ul class=lens-whatif>{''.join(items)}</ul>", key="why-what-if", on_pick=_pick)
    if what.startswith(SENTENCES):
        _without_sentences(asked, fewest[what.removeprefix(SENTENCES)])
    elif what == ACCEPTED and accepted:
        _rescored(asked, accepted, "With accepted edits counted as right", reading_references=True)
    elif what:
        group = next(group for group in groups if f"{EDITS}{group.name}" == what)
        changed = cache.without_edits(asked.corpus, *asked.sides[0].gap.systems, asked.by, group.name)
        _rescored(asked, changed, f"Without the {called(group)} of both systems")


def _everywhere(asked: WhatIf, group: Group) -> int:
    """How many edits a group has, those in sentences on which the outputs do not differ included."""
    made = next(side.edits.edits for side in asked.sides if side.edits)
    return sum(name_of(each, asked.by, made) == group.name for each in made.made)


def _alike(asked: WhatIf, group: Group) -> str:
    """How many of a group's edits the table and the list do not count."""
    alike = _everywhere(asked, group) - sum(group.edits)
    return f", {alike:,} of them where both outputs are the same" if alike else ""


def _parts(text: str) -> tuple[str, str]:
    """The condition and the outcome of a counterfactual in words."""
    condition, _, outcome = text.rstrip(".").partition(", ")
    return condition, outcome


def _item(value: str, condition: str, outcome: str, chosen: str) -> str:
    pressed = "true" if value == chosen else "false"
    return (
        f"<li><button type=button aria-pressed={pressed} {pick(value)}>{escape(condition)}</button> "
        f"<span>{escape(outcome)}</span></li>"
    )


def _pick(what: str) -> None:
    """Callback: open an answer, or close it."""
    url_state.set_choice("what", "" if url_state.current("what") == [what] else what)


Scores = tuple[float, float]


def _without_sentences(asked: WhatIf, found: Counterfactual) -> None:
    after: dict[str, Scores] = {}
    for side in asked.sides:
        gap = side.gap
        if gap.votes is not None or gap.ratings is not None or gap.signature in asked.columns:
            after[gap.side] = rescored(gap, asked.columns.get(gap.signature), found.sentences)
    count = len(found.sentences)
    _orders(asked.sides, after, "Without this sentence" if count == 1 else f"Without these {count:,} sentences")
    st.caption("The sentences are listed below.")


def _rescored(asked: WhatIf, changed: cache.ChangedCorpus, title: str, *, reading_references: bool = False) -> None:
    """Score a changed corpus with the metrics of all sides, or with those that read references, and draw the orders."""
    metrics = [side.gap.metric for side in asked.sides if side.gap.metric]
    metrics = [
        metric
        for metric in metrics
        if not isinstance(metric, Imported) and not (reading_references and metric.reads == "source")
    ]
    first, second = asked.sides[0].gap.systems
    after: dict[str, Scores] = {}
    for corpus, ids in (
        (changed.pair, [metric.id for metric in metrics if not metric.by_peers]),
        (changed.all, [metric.id for metric in metrics if metric.by_peers]),
    ):
        if ids:
            scored = cache.scores(corpus, ids)
            after |= {
                column.metric.id: (column.values[first], column.values[second]) for column in scored.table.columns
            }
            waiting_metrics(corpus, scored.waiting)
    if after:
        _orders(asked.sides, after, title)
    if reading_references:
        st.caption("Further annotators make the accepted edits. Sides that do not read references stay as they are.")
    elif len(metrics) < len(asked.sides):
        st.caption("Scores of people, and imported ones, are of the outputs as they are.")


def _orders(sides: Sequence[GapSide], after: Mapping[str, Scores], title: str) -> None:
    """Draw scores and order under every side, before and then."""
    first, second = sides[0].gap.systems
    rows = ""
    for side in sides:
        if side.gap.side not in after:
            continue
        then, gap = after[side.gap.side], side.gap
        turned = order(gap.scores) != order(then)
        cells = "".join(
            f"<td>{points(before, gap)} → <b>{points(now, gap)}</b></td>"
            for before, now in zip(gap.scores, then, strict=True)
        )
        outcome = f"<b>↻ {escape(_ahead(gap.systems, then))}</b>" if turned else escape(_ahead(gap.systems, then))
        rows += f"<tr><th scope=row>{escape(gap.label)}</th>{cells}<td>{outcome}</td></tr>"
    st.html(
        f"<div class=lens-scroll><table class=lens-table><thead><tr><th scope=col>{escape(title)}</th>"
        f"<th scope=col>{escape(first)}</th><th scope=col>{escape(second)}</th><th scope=col>order then</th></tr>"
        f"</thead><tbody>{rows}</tbody></table></div>"
    )


def _ahead(systems: tuple[str, str], scores: Scores) -> str:
    direction = order(scores)
    return f"{systems[0 if direction > 0 else 1]} ahead" if direction else "level"
