"""The verdict on a sentence in a few words: which output each metric prefers, and the edit that decides it.

Metrics with the same preference share a statement, which gives the reason of the first of them. Words of the text are
between backticks, so that a page can format them. `prose` says the same at length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gec_core.explain.credit import CreditDifference, Credits
from gec_core.explain.phrases import SAME, apart, doing, done, members, number, weights_in_words
from gec_core.explain.prose import ComparedOutputs, Votes, deciding_reasons, judges_said
from gec_core.formatting import counted, joined
from gec_core.metrics.blocks import EditKey, ValuedEdit

MOST_EDITS = 2
"""Edits that are named together."""
MOST_REASONS = 3
"""Reasons that are given for a preference."""
MOST_RATINGS = 4
"""Opinions on the edits of one output that are told."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What some metrics, or the judges, say: the claim, and what supports it."""

    claim: str
    rest: str = ""

    def __str__(self) -> str:
        return f"{self.claim}{self.rest}."


def deciding_edit(found: CreditDifference) -> ValuedEdit | None:
    """The edit that contributes most to the preference of a metric; None where it has no preference.

    An edit that both outputs have is named only if no other one speaks for the preference: its credit differs because
    of the other edits.
    """
    sign = 1 if found.value > 0 else -1
    helping = [edit for edit in found.edits if edit.value * sign > SAME]
    if abs(found.value) < SAME or not helping:
        return None
    return max(helping, key=lambda edit: (None in found.credits(edit), edit.value * sign))


def verdict_on_two(
    source: str,
    names: tuple[str, str],
    metrics: Sequence[ComparedOutputs],
    votes: Votes | None = None,
    *,
    waiting: Sequence[str] = (),
) -> tuple[Statement, ...]:
    """Say which of two outputs metrics and judges prefer, and why.

    Args:
        names: The names of the two outputs.
        metrics: The two outputs under each metric, the most important metric first.
        votes: What judges said about the two, if anybody compared them.
        waiting: The metrics that have not answered yet: nothing is said about all metrics then.
    """
    tokens = source.split()
    found = [(each.name, each.difference) for each in metrics]
    groups: dict[int, list[tuple[str, CreditDifference]]] = {}
    preferred = {}
    for name, difference in found:
        sign = 0 if abs(difference.value) < SAME else 1 if difference.value > 0 else -1
        preferred[name] = names[sign < 0] if sign else ""
        groups.setdefault(sign, []).append((name, difference))
    everyone = None if waiting else [name for name, _ in found]
    ties_last = sorted(groups.items(), key=lambda item: not item[0])
    told = _unchanged(found, names)
    told += [_preference(sign, group, names, tokens, everyone) for sign, group in ties_last]
    explained = [(each.name, (each.first.explanation, each.second.explanation)) for each in metrics]
    if weights := weights_in_words(explained, names, tokens, preferred):
        told.append(Statement("", weights.removesuffix(".")))
    if votes and sum(votes):
        claim, also, rest = judges_said(votes, names, found).removesuffix(".").partition(";")
        told.append(Statement(claim, also + rest))
    return (*told, *_no_answer_yet(waiting))


def _no_answer_yet(waiting: Sequence[str]) -> list[Statement]:
    return (
        [Statement("", f"{joined(waiting)} {'have' if len(waiting) > 1 else 'has'} no answer yet")] if waiting else []
    )


def _unchanged(found: Sequence[tuple[str, CreditDifference]], names: tuple[str, str]) -> list[Statement]:
    """Which of the two outputs leaves the sentence as it is."""
    one, other = (found[0][1].first.edits, found[0][1].second.edits) if found else ((), ())
    if bool(one) == bool(other):
        return []
    return [Statement("", f"{names[bool(one)]} leaves the sentence as it is")]


def _preference(
    sign: int,
    group: Sequence[tuple[str, CreditDifference]],
    names: tuple[str, str],
    tokens: Sequence[str],
    everyone: Sequence[str] | None,
) -> Statement:
    who = _begin(members([name for name, _ in group], everyone))
    several = len(group) > 1
    lead, found = group[0]
    if not sign:
        claim = f"{who} {'give' if several else 'gives'} both the same score"
        return Statement(claim, f" ({number(found.first.score)})")
    more, less = apart(found.first.score, found.second.score)[::sign]
    scores = f"{f'{lead}: ' if several else ''}{more} to {less}"
    claim = f"{who} {'prefer' if several else 'prefers'} {names[sign < 0]}"
    why = deciding_reasons(found, names, tokens)
    more_why = [*why[:MOST_REASONS], *_decided_otherwise(group, tokens)]
    return Statement(claim, f" ({scores}){': ' if why else ''}{'; '.join(more_why)}")


def _decided_otherwise(group: Sequence[tuple[str, CreditDifference]], tokens: Sequence[str]) -> list[str]:
    """The edit that decides for most of the metrics that prefer the same output because of another edit."""
    (_, lead), *others = [(name, deciding_edit(found)) for name, found in group]
    groups: dict[EditKey, tuple[ValuedEdit, list[str]]] = {}
    for name, edit in others:
        if lead is not None and edit is not None and edit.key != lead.key:
            groups.setdefault(edit.key, (edit, []))[1].append(name)
    if not groups:
        return []
    edit, who = max(groups.values(), key=lambda item: len(item[1]))
    return [f"for {joined(who)}, {doing(edit, tokens)} decides"]


def _begin(who: str) -> str:
    """Metrics at the beginning of a sentence."""
    return f"A{who[1:]}" if who.startswith("all ") else who


def verdict_on_one(
    source: str, name: str, metrics: Sequence[tuple[str, Credits]], *, waiting: Sequence[str] = ()
) -> tuple[Statement, ...]:
    """Say what metrics think of one output, and which edits they reward or punish.

    Args:
        name: The name of the output.
        metrics: The credits of the output under each metric, the most important metric first.
        waiting: The metrics that have not answered yet: nothing is said about all metrics then.
    """
    tokens = source.split()
    if not metrics:
        return ()
    edits = metrics[0][1].edits
    if not edits:
        return (Statement(f"{name} leaves the sentence as it is"),)
    lead, credits = metrics[0]
    scores = f"{lead}: {number(credits.score)}, the source {number(credits.source_score)}"
    told = [Statement("", f"{name} {done(edits, tokens)} ({scores})")]
    everyone = None if waiting else [metric for metric, _ in metrics]
    groups: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for edit in edits:
        opinion = _opinion(edit, metrics)
        groups.setdefault(opinion, []).append(doing(edit, tokens))
    disputed_last = sorted(groups.items(), key=lambda item: len([who for who in item[0] if who]))
    told += [_rating(what, opinion, everyone) for opinion, what in disputed_last[:MOST_RATINGS]]
    if rest := sum(len(what) for _, what in disputed_last[MOST_RATINGS:]):
        told.append(Statement("", f"On {counted(rest, 'more edit')} metrics are divided in other ways"))
    return (*told, *_no_answer_yet(waiting))


def _opinion(edit: ValuedEdit, metrics: Sequence[tuple[str, Credits]]) -> tuple[tuple[str, ...], ...]:
    """The metrics that reward an edit, those that punish it, and those to which it makes no difference."""
    found: tuple[list[str], ...] = ([], [], [])
    for metric, credits in metrics:
        value = credits.by_key().get(edit.key, 0.0)
        found[2 if abs(value) < SAME else 0 if value > 0 else 1].append(metric)
    return tuple(map(tuple, found))


VERBS = ("reward", "rewards"), ("punish", "punishes"), ("see no difference in", "sees no difference in")


def _rating(what: Sequence[str], opinion: Sequence[Sequence[str]], everyone: Sequence[str] | None) -> Statement:
    """What metrics think of some edits: the largest group first, with the edits; then the others."""
    shown = joined([*what[:MOST_EDITS], *([f"{len(what) - MOST_EDITS} more"] if len(what) > MOST_EDITS else [])])
    them = "it" if len(what) == 1 else "them"
    sides = sorted(
        ((who, verbs) for who, verbs in zip(opinion, VERBS, strict=True) if who), key=lambda side: -len(side[0])
    )
    clauses = [
        f"{members(who, everyone)} {verbs[len(who) == 1]} {them if place else shown}"
        for place, (who, verbs) in enumerate(sides)
    ]
    return Statement(_begin(clauses[0]), "".join(f"; {each}" for each in clauses[1:]))
