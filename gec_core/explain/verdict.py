"""The verdict on a sentence in a few words: which output each metric prefers, and the edit that decides it.

Metrics with the same preference share a statement, which gives the reason of the first of them. Words of the text are
between backticks, so that a page can format them. `prose` says the same at length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gec_core.explain.credit import CreditDifference, Credits
from gec_core.explain.phrases import SAME, apart, doing, done, number, weights_in_words
from gec_core.explain.prose import ComparedOutputs, Votes, judges_said, reasons
from gec_core.formatting import joined
from gec_core.metrics.blocks import ValuedEdit

MOST_EDITS = 2
"""Edits that are named as rewarded, and as punished."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What some metrics, or the judges, say: the claim, and what supports it."""

    claim: str
    rest: str = ""

    def __str__(self) -> str:
        return f"{self.claim}{self.rest}."


def deciding_edit(found: CreditDifference) -> ValuedEdit | None:
    """The edit that contributes most to the preference of a metric; None where it has no preference."""
    sign = 1 if found.value > 0 else -1
    helping = [edit for edit in found.edits if edit.value * sign > SAME]
    if abs(found.value) < SAME or not helping:
        return None
    return max(helping, key=lambda edit: edit.value * sign)


def verdict_on_two(
    source: str, names: tuple[str, str], metrics: Sequence[ComparedOutputs], votes: Votes | None = None
) -> tuple[Statement, ...]:
    """Say which of two outputs metrics and judges prefer, and why.

    Args:
        names: The names of the two outputs.
        metrics: The two outputs under each metric, the most important metric first.
        votes: What judges said about the two, if anybody compared them.
    """
    tokens = source.split()
    found = [(each.name, each.difference) for each in metrics]
    groups: dict[int, list[tuple[str, CreditDifference]]] = {}
    for name, difference in found:
        sign = 0 if abs(difference.value) < SAME else 1 if difference.value > 0 else -1
        groups.setdefault(sign, []).append((name, difference))
    told = [_preference(sign, members, names, tokens) for sign, members in groups.items()]
    explained = [(each.name, (each.first.explanation, each.second.explanation)) for each in metrics]
    if weights := weights_in_words(explained, names, tokens):
        told.append(Statement("", weights.removesuffix(".")))
    if votes and sum(votes):
        claim, also, rest = judges_said(votes, names, found).removesuffix(".").partition(";")
        told.append(Statement(claim, also + rest))
    return tuple(told)


def _preference(
    sign: int, members: Sequence[tuple[str, CreditDifference]], names: tuple[str, str], tokens: Sequence[str]
) -> Statement:
    who = joined([name for name, _ in members])
    several = len(members) > 1
    lead, found = members[0]
    if not sign:
        claim = f"{who} {'give' if several else 'gives'} both the same score"
        return Statement(claim, f" ({number(found.first.score)})")
    more, less = apart(found.first.score, found.second.score)[::sign]
    scores = f"{f'{lead}: ' if several else ''}{more} to {less}"
    claim = f"{who} {'prefer' if several else 'prefers'} {names[sign < 0]}"
    why = reasons(found, names, tokens, shared=False)
    if not why or why[0].startswith("but "):  # what decides is the credit of an edit that both have
        why = reasons(found, names, tokens)
    return Statement(claim, f" ({scores}){': ' if why else ''}{'; '.join(why[:MOST_EDITS])}")


def verdict_on_one(source: str, name: str, metrics: Sequence[tuple[str, Credits]]) -> tuple[Statement, ...]:
    """Say what metrics think of one output, and which edits they reward or punish.

    Args:
        name: The name of the output.
        metrics: The credits of the output under each metric, the most important metric first.
    """
    tokens = source.split()
    if not metrics:
        return ()
    edits = metrics[0][1].edits
    if not edits:
        return (Statement(f"{name} leaves the sentence as it is"),)
    told = [Statement("", f"{name} {done(edits, tokens)}")]
    groups: dict[tuple[str, str], list[tuple[str, Credits]]] = {}
    for metric, credits in metrics:
        groups.setdefault((_rewards(credits, tokens, ""), _rewards(credits, tokens, "s")), []).append((metric, credits))
    for (plural, singular), members in groups.items():
        several = len(members) > 1
        lead, credits = members[0]
        scores = f"{f'{lead}: ' if several else ''}{number(credits.score)}, the source {number(credits.source_score)}"
        who = joined([metric for metric, _ in members])
        told.append(Statement(f"{who} {plural if several else singular}", f" ({scores})"))
    return tuple(told)


def _rewards(credits: Credits, tokens: Sequence[str], ending: str) -> str:
    """What a metric rewards and punishes most, with the ending of the verbs."""
    parts = []
    for verb, sign in ((f"reward{ending}", 1), (f"punish{'es' if ending else ''}", -1)):
        hit = sorted((edit for edit in credits.edits if edit.value * sign > SAME), key=lambda edit: -edit.value * sign)
        if hit:
            shown = joined([doing(edit, tokens) for edit in hit[:MOST_EDITS]])
            more = f" and {len(hit) - MOST_EDITS} more" if len(hit) > MOST_EDITS else ""
            parts.append(f"{verb} {shown}{more}")
    return " and ".join(parts) or f"see{ending} no difference"
