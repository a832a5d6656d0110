"""Why two systems swap, in plain words: a verdict in a few sentences, each of which a reader can check in the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import numpy as np

from gec_core.formatting import counted, minus
from gec_core.meta.counterfactuals import Counterfactual, order
from gec_core.meta.gap_edits import NO_EDIT, By, EditGap, Group, label_of
from gec_core.meta.gap_sentences import Gap

NAMED = 2
"""Groups that are named for each system, and where two sides part."""
WORTH_NAMING = 0.05
"""Of a side's unit, or of its gap if that is larger: what a group must contribute to be named."""
RIGHT, WRONG = ("reference", "missed"), ("error", "elsewhere")
"""Fates of edits that match a reference, and of those that do not."""
FEW = 0.05
"""The largest share of sentences in opposite order that is called few."""

TIMES = 2
"""From this share on, costs are told as times what is earned, not in percent."""

MATCHING, NOT_MATCHING = "of it: edits that match a reference", "of it: all other edits"
"""The rows below a table of groups with which a reader checks what the verdict says of the two."""

SHARED_EVENLY = (
    "People judged whole outputs: what a sentence counts is shared evenly among the edits in which its outputs differ."
)

_Side = TypeVar("_Side")
Unit = Literal["points", "deviations", "share"]
UNITS: dict[Unit, str] = {"points": "points", "deviations": "standard deviations", "share": "shares of each gap"}
"""What contributions are told in: the side's own points, standard deviations of its scores over the systems, or shares
of its gap. Shares are contribution / gap: those of a side sum to 100%, and a negative one speaks against its gap."""


def verdict(sides: Sequence[tuple[Gap, EditGap | None]], by: By, unit: Unit = "points") -> list[str]:
    """Say who is ahead under each side, which groups of edits decide it, and how often sentences are in opposite order.

    Args:
        sides: Each side's gap by sentence and, where it is known, by edit.
        by: What edits are grouped by.
        unit: What contributions of groups are told in.
    """
    gaps = [gap for gap, _ in sides]
    read = next((edits.edits for _, edits in sides if edits), None)
    if read and not read.differ.any():
        return [f"{' and '.join(gaps[0].systems)} have the same outputs, so there is no difference to explain."]
    words = [_orders(gaps)]
    split = [edits for gap, edits in sides if edits and gap.contributions.any()]  # a published ranking has no sentences
    compared = [gap for gap in gaps if gap.contributions.any()]
    beside = [side for side in sides[1:] if not side[0].metric] if len(gaps) > 2 else []
    if len(split) > 1:
        one, other = most_apart(split, lambda each: each.gap)
        beside = [side for side in beside if side[1] not in (one, other)]
        under = "Under both" if len(gaps) == 2 else f"Under {one.gap.name} and {_inline(other.gap)}"
        words += [_price_of_errors(one, other) or _alike(one, other, by, under), _parting(one, other, by)]
        words += [SHARED_EVENLY] if not (one.gap.metric and other.gap.metric) else []
    elif split:
        words.append(_sources(split[0], by, unit, f"Under {split[0].gap.name}, " if len(gaps) > 1 else ""))
    words += [_people(sides[0], side, by) for side in beside]
    if len(compared) > 1:
        differ = int(read.differ.sum()) if read else None
        words.append(_opposed(*most_apart(compared, lambda gap: gap), differ))
    return [text for text in words if text]


def most_apart(sides: Sequence[_Side], gap_of: Callable[[_Side], Gap]) -> tuple[_Side, _Side]:
    """The first side, and the first one that orders the systems the other way round; else the second."""
    first = order(gap_of(sides[0]).scores)
    return sides[0], next((side for side in sides[1:] if order(gap_of(side).scores) * first < 0), sides[1])


def amount(value: float, gap: Gap, unit: Unit) -> float:
    """A contribution in this unit; in points where the side has no such unit."""
    if unit == "deviations" and gap.spread:
        return value / gap.spread
    return value / gap.gap if unit == "share" and gap.gap else value


def amount_text(value: float, gap: Gap, unit: Unit) -> str:
    """A contribution with its sign, in this unit."""
    if unit == "deviations" and gap.spread:
        return signed(value / gap.spread, 2)
    if unit == "share" and gap.gap:
        return share_text(value / gap.gap)
    return points(value, gap, sign=True)


def _orders(gaps: Sequence[Gap]) -> str:
    """Who is ahead under each side, by how much, on which ranks.

    People's gap is about their comparisons of the two, their ranks are about those with all systems: orders may differ.
    """
    first, second = gaps[0].systems
    parts: list[str] = []
    for gap in gaps:
        ranks = f"{ordinal(gap.ranks[0])} and {ordinal(gap.ranks[1])}"
        direction = order(gap.scores)
        if gap.votes is not None:
            won, lost = (int(each.sum()) for each in gap.votes)
            one, other = (first, second) if direction >= 0 else (second, first)
            often = f"in {max(won, lost):,} of {won + lost:,} comparisons of the two"
            parts.append(f"{_inline(gap, parts)} preferred {one} to {other} {often} ({_ranked(gap)})")
            continue
        verb = "puts" if gap.metric else "put"
        short = bool(parts) and gaps[0].votes is None
        who = "it {}" if short else f"{first} {{}} {second}"
        if not direction:
            level = "the two level" if short else f"{first} level with {second}"
            parts.append(f"{_inline(gap, parts)} {verb} {level} ({ranks})")
            continue
        relation = "above" if direction > 0 else "below"
        parts.append(f"{_inline(gap, parts)} {verb} {who.format(relation)} by {points(abs(gap.gap), gap)} ({ranks})")
    return "; ".join(parts) + "."


def _ranked(gap: Gap) -> str:
    """The ranks of the two by each ranking of people's comparisons with all systems."""
    told = [f"{ordinal(one)} and {ordinal(other)} by {title}" for title, (one, other) in gap.rankings]
    one, other = gap.ranks
    if order(gap.scores) * (other - one) < 0:
        told[-1] += ", which counts the comparisons with all systems"
    return ", ".join(told)


def _inline(gap: Gap, before: object = True) -> str:
    """The name of a side within a sentence."""
    return gap.name if gap.metric or not before else gap.name[0].lower() + gap.name[1:]


def _sources(found: EditGap, by: By, unit: Unit, under: str) -> str:
    """The groups that make the gap of one side, and those that speak against it."""
    gap = found.gap
    direction = order(gap.scores)
    if not direction:
        return ""
    named = [group for group in found.groups(by) if group.name != NO_EDIT and _worth(group, gap)]
    named.sort(key=lambda group: -abs(group.contribution))
    ahead = [group for group in named if group.contribution * direction > 0][:NAMED]
    against = [group for group in named if group.contribution * direction < 0][:NAMED]
    if not ahead:
        return f"No single group of edits makes the gap of {gap.name}: many small ones do."
    leader, other = gap.systems if direction > 0 else gap.systems[::-1]
    text = f"{under}{leader} gains most from {_listed(ahead, gap, unit)}"
    return f"{text}, {other} from {_listed(against, gap, unit)}{_in(unit)}." if against else f"{text}{_in(unit)}."


def _alike(one: EditGap, other: EditGap, by: By, under: str) -> str:
    """The groups that speak for the same system under both sides."""
    pairs = _pairs(one, other, by)
    parts: list[str] = []
    for system, sign in zip(one.gap.systems, (1, -1), strict=True):
        both = [
            pair
            for pair in pairs
            if all(_worth(group, side.gap) and group.contribution * sign > 0 for group, side in pair)
        ]
        both.sort(
            key=lambda pair: -min(abs(amount(group.contribution, side.gap, "deviations")) for group, side in pair)
        )
        if both:
            named = _and([called(pair[0][0]) for pair in both[:NAMED]])
            parts.append(f"{named} {'speak ' if not parts else ''}for {system}")
    return f"{under}, {', '.join(parts)}." if parts else ""


def _parting(one: EditGap, other: EditGap, by: By) -> str:
    """The groups that make the one side see the first system better, or worse, than the other side does.

    Points of two sides cannot be compared, nor can shares of two gaps, of which one may be next to nothing: numbers are
    in standard deviations.
    """

    def apart(pair: _Pair) -> float:
        ours, theirs = (amount(group.contribution, side.gap, "deviations") for group, side in pair)
        return ours - theirs

    gaps = one.gap, other.gap
    if not all(gap.spread for gap in gaps):
        return ""
    whole = gaps[0].gap / gaps[0].spread - gaps[1].gap / gaps[1].spread
    sign = 1 if whole >= 0 else -1
    widest = sorted(_pairs(one, other, by), key=lambda pair: -sign * apart(pair))[: NAMED + 1]
    widest = [pair for pair in widest if sign * apart(pair) >= WORTH_NAMING]
    if not widest:
        both = f"{_inline(gaps[0])} and {_inline(gaps[1])}"
        return f"In standard deviations over the systems, {both} weigh every group of edits alike."
    up, down = ("for", "against")[::sign]
    more, less, turned = f"more {down}", f"less {up}", down
    kinds: dict[str, list[_Pair]] = {more: [], less: [], turned: []}
    for pair in widest:
        ours, theirs = (round(sign * amount(group.contribution, side.gap, "deviations"), 2) for group, side in pair)
        kinds[less if theirs >= 0 else turned if ours > 0 else more].append(pair)
    told: list[str] = []
    for kind, pairs in kinds.items():
        if pairs:
            named = _and([f"{called(pair[0][0])} ({_both(pair[::-1], 'deviations', ' against ')})" for pair in pairs])
            told.append(f"{named} {kind} {gaps[0].systems[0] if not told else 'it'}")
    if kinds[turned]:
        told[-1] += f", where {_inline(gaps[0])} {_count(gaps[0])} them {up} it"
    than = f"than {_inline(gaps[0])} {'does' if gaps[0].metric else 'do'}"
    if kinds[more] and kinds[less]:
        told[1] += f", {than}"
    elif kinds[more] or kinds[less]:
        told[0] += f" {than}"
    counts = f"{_inline(gaps[1])} {_count(gaps[1])} {', and '.join(told)}"
    return f"In standard deviations over the systems, {counts}."


def _people(first: tuple[Gap, EditGap | None], people: tuple[Gap, EditGap | None], by: By) -> str:
    """Whether people order the systems as the first side does, and the group of edits on which they differ most."""
    (gap, edits), (theirs, judged) = first, people
    who, does = gap.name if gap.metric else _inline(gap), "does" if gap.metric else "do"
    ours, other = order(gap.scores), order(theirs.scores)
    if ours == other:
        agreed = f"agree with {who} on the order of the two"
    elif not other:
        agreed = f"put the two level, which {who} {does} not"
    else:
        agreed = f"disagree with {who} on the order of the two"
    if not (edits and judged and gap.spread and theirs.spread and theirs.contributions.any()):
        return f"{theirs.name} {agreed}."

    def apart(pair: _Pair) -> float:
        mine, their = (amount(group.contribution, side.gap, "deviations") for group, side in pair)
        return abs(mine - their)

    widest = max(_pairs(edits, judged, by), key=apart, default=None)
    if widest is None or apart(widest) < WORTH_NAMING:
        return f"{theirs.name} {agreed} and weigh every group of edits as {who} {does}."
    told = f"{called(widest[0][0])} ({_both(widest[::-1], 'deviations', ' against ')} standard deviations)"
    return f"{theirs.name} {agreed}; they differ most from it on {told}. {SHARED_EVENLY}"


def by_match(found: EditGap) -> tuple[list[Group], list[Group]]:
    """The groups by fate of edits that match a reference, and of those that do not."""
    fates = found.groups("fate")
    return [each for each in fates if each.name in RIGHT], [each for each in fates if each.name in WRONG]


def _price_of_errors(one: EditGap, other: EditGap) -> str:
    """What edits that match no reference cost beside what those that match one earn, where both sides agree on whom."""
    totals = [[sum(group.contribution for group in groups) for groups in by_match(each)] for each in (one, other)]
    sign = 1 if totals[0][0] > 0 else -1
    least = [WORTH_NAMING * each.gap.spread for each in (one, other)]
    if not all(sign * right > given and sign * wrong < 0 for (right, wrong), given in zip(totals, least, strict=True)):
        return ""
    first, second = one.gap.systems[::sign]
    shares = [-wrong / right for right, wrong in totals]
    if max(shares) < TIMES:
        ours, theirs = f"{100 * shares[0]:.0f}% of what", f"{100 * shares[1]:.0f}%"
    else:
        ours, theirs = f"{shares[0]:.1f} times what", f"{shares[1]:.1f} times"
    return (
        f"Edits that match a reference speak for {first}, all others for {second}: the others cost {first} {ours} "
        f"the matching ones earn under {_inline(one.gap)}, {theirs} under {_inline(other.gap)}."
    )


_Pair = tuple[tuple[Group, EditGap], tuple[Group, EditGap]]
"""One group of edits under two sides."""


def _pairs(one: EditGap, other: EditGap, by: By) -> list[_Pair]:
    """The groups of edits under two sides; both sides have the same ones, because they are of the same edits."""
    theirs = {group.name: group for group in other.groups(by)}
    return [
        ((group, one), (theirs[group.name], other))
        for group in one.groups(by)
        if group.name in theirs and group.name != NO_EDIT
    ]


def _worth(group: Group, gap: Gap) -> bool:
    return abs(group.contribution) >= WORTH_NAMING * (gap.spread or abs(gap.gap)) > 0


def _both(pair: _Pair, unit: Unit, between: str) -> str:
    return between.join(amount_text(group.contribution, side.gap, unit) for group, side in pair)


def _in(unit: Unit) -> str:
    return "" if unit == "points" else f", in {UNITS[unit]}"


def _count(gap: Gap) -> str:
    return "counts" if gap.metric else "count"


def _opposed(one: Gap, other: Gap, differ: int | None) -> str:
    """How many sentences speak for different systems, of those on which the outputs differ, or people prefer one."""
    opposite = int(np.count_nonzero(one.contributions * other.contributions < 0))
    if not (one.metric and other.metric):
        differ = int(np.count_nonzero((one.contributions != 0) & (other.contributions != 0)))
        which = f"Of {counted(differ, 'sentence')} that count under both"
    else:
        which = "with different outputs"
        if differ is None:  # nobody read the edits
            differ, which = int(np.count_nonzero((one.contributions != 0) | (other.contributions != 0))), "that count"
        which = f"Of {counted(differ, 'sentence')} {which}"
    many = f"{opposite:,} {'speaks' if opposite == 1 else 'speak'}" if opposite else "none speaks"
    text = f"{which}, {many} for different systems under {one.name} and {_inline(other)}"
    swapped = order(one.scores) * order(other.scores) < 0
    return f"{text}: the swap comes from the size of margins." if swapped and opposite <= FEW * differ else f"{text}."


def told(found: Counterfactual, label: str) -> str:
    """A counterfactual in words."""
    first, second = found.systems
    leads, now = order(found.before), order(found.after)
    scores = _scores(found.after)
    after = f"{first} {scores[0]}, {second} {scores[1]}"
    if found.kind == "without sentences":
        leader, other = (first, second) if leads > 0 else (second, first)
        these = "this sentence" if len(found.sentences) == 1 else f"these {len(found.sentences):,} sentences"
        level = "are level" if now == 0 else f"falls behind {other}"
        subject = f"{first} and {second}" if now == 0 else leader
        return f"{label}: without {these}, {subject} {level} ({after})."
    edits = _kind_of_edits(found, found.edits[0] + found.edits[1])
    turned = (
        "the order turns around"
        if now == -leads and leads
        else ("the order stays" if leads else "they stay level")
        if now == leads
        else "they are level"
        if not now
        else "one pulls ahead"
    )
    if found.kind == "accepted edits":
        accepted = f"{edits} that people accepted, though no reference has them,"
        return f"{label}: with the {accepted} counted as right, {turned} ({after})."
    return f"{label}: without the {edits} (of both systems), {turned} ({after})."


def _kind_of_edits(found: Counterfactual, count: int) -> str:
    """The edits that a counterfactual is about, by number and group."""
    if found.by in ("type", "operation"):
        return counted(count, f"{found.name} edit")
    edits = counted(count, "edit")
    if found.by == "fate":
        return f"{edits} {label_of(found.name, found.by)}"
    return f"{edits} in sentences of {found.name} tokens" if found.by == "length" else edits


def _listed(groups: Sequence[Group], gap: Gap, unit: Unit) -> str:
    return _and([f"{called(group)} ({amount_text(group.contribution, gap, unit)})" for group in groups])


def called(group: Group) -> str:
    """A group as a sentence names it: types by the name that the table has, others by their words."""
    if group.by == "length":
        return f"edits in sentences of {group.label}"
    if group.by == "fate":  # without the commas, which would cut the sentence in two
        return f"edits {group.label}".replace(", but", " but").replace(", ", " and ")
    return f"{group.name if group.by == 'type' else group.label} edits"


def points(value: float, gap: Gap, *, sign: bool = False) -> str:
    """A difference in points of the side: few digits where scores are large."""
    digits = 4 if max(abs(gap.scores[0]), abs(gap.scores[1]), abs(gap.gap)) <= 2 else 2
    return signed(value, digits) if sign else minus(f"{value:.{digits}f}")


def share_text(share: float) -> str:
    """A share of a gap in percent."""
    return minus(f"{100 * share:.0f}%")


def signed(value: float, digits: int) -> str:
    """A number with its sign."""
    return minus(f"{value:+.{digits}f}")


def _scores(scores: tuple[float, float]) -> tuple[str, str]:
    """Two scores with as many digits as it takes to tell them apart, if they differ."""
    digits = 4 if max(map(abs, scores)) <= 2 else 2
    while digits < 8 and scores[0] != scores[1] and f"{scores[0]:.{digits}f}" == f"{scores[1]:.{digits}f}":
        digits += 1
    return minus(f"{scores[0]:.{digits}f}"), minus(f"{scores[1]:.{digits}f}")


def ordinal(rank: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    ending = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
