"""A comparison of two outputs of a sentence in words: what they changed, and how metrics and judges rate it.

Every sentence is computed from credits, explanations and judgments. Words of the text are between backticks, so that a
page can format them.

Three things about credits need explaining. The two outputs may be compared with different annotators. A metric may find
a correction in an output that is not one of its edits: M² extracts edits so that they match the annotator's as well as
possible, and may read a replacement as a deletion (which the annotator made) and an insertion. And where an annotator
left the sentence unchanged, the source itself has the best score, so that every edit has a negative credit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gec_core.explain.credit import CreditDifference, OutputExplanation
from gec_core.explain.phrases import SAME, apart, doing, done, members, number, weights_in_words
from gec_core.formatting import joined
from gec_core.metrics.blocks import Edits, ValuedEdit
from gec_core.types import Judgments

MOST_REASONS = 3
MENTIONED_FROM = 0.1
"""The share of the sum of all absolute contributions from which a reason is mentioned."""


class Votes(NamedTuple):
    """The number of judgments that prefer the first of two outputs, the second, or neither."""

    first: int
    second: int
    tied: int


@dataclass(frozen=True, slots=True)
class ComparedOutputs:
    """Two outputs of a sentence under one metric."""

    name: str
    """The name of the metric."""
    first: OutputExplanation
    second: OutputExplanation

    @property
    def difference(self) -> CreditDifference:
        return CreditDifference(self.first.credits, self.second.credits)


@dataclass(frozen=True, slots=True)
class ComparisonInWords:
    """The sentences that compare two outputs."""

    edits: tuple[str, ...]
    """What they changed in the source."""
    metrics: tuple[str, ...]
    """Which output each metric prefers, and because of which edits; metrics that agree share a sentence."""
    notes: tuple[str, ...]
    """Notes on the metrics: different annotators, corrections that are not edits, a source that scores higher."""
    weights: str
    """Two edits that the metrics weigh differently; empty if there are none."""
    judges: str
    """What the judges said, and which metrics agree with them; empty where nobody compared the two."""

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(each for each in (*self.edits, *self.metrics, *self.notes, self.weights, self.judges) if each)


def compare(
    source: str, names: tuple[str, str], metrics: Sequence[ComparedOutputs], votes: Votes | None = None
) -> ComparisonInWords:
    """Compare two outputs in words.

    Args:
        names: The names of the two outputs.
        metrics: The two outputs under at least one metric.
        votes: What judges said about the two, if anybody compared them.
    """
    tokens = source.split()
    found = [(each.name, each.difference) for each in metrics]
    return ComparisonInWords(
        edits=tuple(_what_they_did(found[0][1], names, tokens)),
        metrics=tuple(_valuations(found, names, tokens)),
        notes=tuple(_notes([(each.name, (each.first, each.second)) for each in metrics], names, tokens)),
        weights=weights_in_words(
            [(each.name, (each.first.explanation, each.second.explanation)) for each in metrics], names, tokens
        ),
        judges=judges_said(votes, names, found) if votes and sum(votes) else "",
    )


def count_votes(judgments: Judgments, sentence: int, first: Collection[str], second: Collection[str]) -> Votes:
    """Count the judgments on two outputs, each given by the systems that have it."""
    ahead = []
    for item in judgments.items:
        if item.sentence == sentence:
            ranks = {system: place.rank for place in item.ranked for system in place.systems}
            one, other = ([ranks[system] for system in systems if system in ranks] for systems in (first, second))
            if one and other:
                ahead.append(other[0] - one[0])
    return Votes(sum(each > 0 for each in ahead), sum(each < 0 for each in ahead), ahead.count(0))


def _what_they_did(found: CreditDifference, names: tuple[str, str], tokens: Sequence[str]) -> Iterator[str]:
    credits = [(edit, *found.credits(edit)) for edit in found.edits]
    both = [edit for edit, first, second in credits if first is not None and second is not None]
    only = (
        [edit for edit, _, second in credits if second is None],
        [edit for edit, first, _ in credits if first is None],
    )
    if not credits:
        yield "Both leave the sentence as it is."
    elif not any(only):
        yield "Both outputs are the same."
    if both:
        yield f"Both {done(both, tokens, by_both=True)}."
    for name, own, others in zip(names, only, only[::-1], strict=True):
        if own:
            yield f"Only {name} {done(own, tokens)}."
        elif others:
            yield f"{name} changes nothing else." if both else f"{name} leaves the sentence as it is."


def _valuations(
    found: Sequence[tuple[str, CreditDifference]], names: tuple[str, str], tokens: Sequence[str]
) -> Iterator[str]:
    same: dict[tuple[str, str], list[str]] = {}
    for metric, each in found:
        same.setdefault(_valuation(each, names, tokens), []).append(metric)
    for (verb, rest), metrics in same.items():
        yield f"{joined(metrics)} {verb if len(metrics) > 1 else f'{verb}s'} {rest}"


def _valuation(found: CreditDifference, names: tuple[str, str], tokens: Sequence[str]) -> tuple[str, str]:
    """Which of the two a metric prefers, and which edits make the difference: the verb, and the rest."""
    if abs(found.value) < SAME:
        verb, what = "give", f"both the same score ({number(found.first.score)})"
    else:
        scores = apart(found.first.score, found.second.score)
        (better, worse), (more, less) = (names, scores) if found.value > 0 else (names[::-1], scores[::-1])
        verb, what = "prefer", f"{better} to {worse} ({more} against {less})"
    found_reasons = reasons(found, names, tokens)
    if not found_reasons:
        return verb, f"{what}."
    estimated = (
        "" if found.exact else f" These credits are estimates with a standard error of up to {number(found.error)}."
    )
    return verb, f"{what}: {'; '.join(found_reasons)}.{estimated}"


class _Reason(NamedTuple):
    """An edit and its effect on the score; edits with the same effect are mentioned together."""

    what: str
    verbs: tuple[str, str]
    """For one edit, and for several."""
    rest: str


def reasons(
    found: CreditDifference, names: tuple[str, str], tokens: Sequence[str], *, shared: bool = True
) -> list[str]:
    """The largest contributions to the difference, then those against it.

    Args:
        shared: Whether to mention edits that both outputs have, whose credits may differ too.
    """
    at_stake = sum(abs(edit.value) for edit in found.edits) + abs(found.baseline)
    edits = [edit for edit in found.edits if shared or None in found.credits(edit)]
    parts = [(edit.value, _reason(edit, found.credits(edit), names, tokens)) for edit in edits]
    parts.append((found.baseline, _baseline(found.baseline, names)))
    sign = 1 if found.value >= 0 else -1
    telling: list[tuple[float, _Reason]] = []
    for part in sorted(parts, key=lambda part: -abs(part[0])):
        # Where the largest contributions cancel out, it is a smaller one that makes the difference.
        unexplained = sign * sum(value for value, _ in telling) < abs(found.value) / 2
        least = MENTIONED_FROM * (abs(found.value) if unexplained else at_stake)
        if abs(part[0]) > max(least, SAME):
            telling.append(part)
    first, second = (_told([reason for part, reason in telling if part * way > 0]) for way in (sign, -sign))
    return [*first, *([f"but {', and '.join(second)}"] if second else [])]


def deciding_reasons(found: CreditDifference, names: tuple[str, str], tokens: Sequence[str]) -> list[str]:
    """The reasons from edits that only one output has; from all edits where those speak against the preference."""
    why = reasons(found, names, tokens, shared=False)
    return reasons(found, names, tokens) if not why or why[0].startswith("but ") else why


def _told(reasons: Iterable[_Reason]) -> list[str]:
    groups: dict[tuple[tuple[str, str], str], list[str]] = {}
    for reason in reasons:
        groups.setdefault((reason.verbs, reason.rest), []).append(reason.what)
    return [
        f"{joined(what)}{verbs[len(what) > 1]} {rest}" for (verbs, rest), what in list(groups.items())[:MOST_REASONS]
    ]


def _reason(
    edit: ValuedEdit, credits: tuple[float | None, float | None], names: tuple[str, str], tokens: Sequence[str]
) -> _Reason:
    first, second = credits
    if first is not None and second is not None:
        (more, richer), (less, poorer) = sorted(zip((first, second), names, strict=True), reverse=True)
        verbs = ", which both did, has credit", ", which both did, each have credit"
        return _Reason(doing(edit, tokens), verbs, f"{number(more)} in {richer} and {number(less)} in {poorer}")
    credit, name = (first, names[0]) if first is not None else (second or 0.0, names[1])
    verbs = (" earns", " each earn") if credit > 0 else (" costs", " each cost")
    return _Reason(doing(edit, tokens), verbs, f"{name} {number(abs(credit))}")


def _baseline(value: float, names: tuple[str, str]) -> _Reason:
    better = names[value < 0]
    return _Reason("the source itself", (" would get", ""), f"{number(abs(value))} more in {better}'s place")


def judges_said(votes: Votes, names: tuple[str, str], found: Sequence[tuple[str, CreditDifference]]) -> str:
    """What the judges said, and which metrics agree."""
    count, ahead = sum(votes), votes.first - votes.second
    answers = [f"prefers {names[0]}", f"prefers {names[1]}", "sees no difference"]
    if count == 1:
        said = f"The judge who compared the two {answers[votes.index(1)]}"
    elif max(votes) == count:
        said = f"All {count} judgments of the two {_plural(answers[votes.index(count)])}"
    else:
        given = [(times, answer) for times, answer in zip(votes, answers, strict=True) if times]
        parts = [f"1 {answer}" if times == 1 else f"{times} {_plural(answer)}" for times, answer in given]
        said = f"Of {count} judgments of the two, {joined(parts)}"
    decided = [(name, each.value * ahead) for name, each in found if ahead and abs(each.value) >= SAME]
    everyone = [name for name, _ in found]
    alike, opposed = ([name for name, sign in decided if sign * way > 0] for way in (1, -1))
    clauses = [f"{members(alike, everyone)} {'agrees' if len(alike) == 1 else 'agree'}"] if alike else []
    if opposed:
        one = len(opposed) == 1
        without = ("does not" if one else "do not") if alike else ("disagrees" if one else "disagree")
        clauses.append(f"{members(opposed, everyone)} {without}")
    return "; ".join([said, *([", ".join(clauses)] if clauses else [])]) + "."


def _plural(phrase: str) -> str:
    """The plural of a verb phrase."""
    verb, rest = phrase.split(" ", 1)
    return f"{verb.removesuffix('s')} {rest}"


Both = tuple[OutputExplanation, OutputExplanation]


def _notes(metrics: Sequence[tuple[str, Both]], names: tuple[str, str], tokens: Sequence[str]) -> list[str]:
    """The notes on metrics, each once for all metrics that it holds for."""
    told: dict[tuple[str, str], list[str]] = {}
    for metric, both in metrics:
        for sentence in (*_annotators(both, names), *_sources(both), *_found(both, names, tokens)):
            told.setdefault(sentence, []).append(metric)
    return [f"{joined(who)} {verb if len(who) > 1 else f'{verb}s'} {rest}" for (verb, rest), who in told.items()]


def _annotators(both: Both, names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    one, other = (each.explanation.annotator for each in both)
    if one != other and one is not None and other is not None:
        yield "compare", f"{names[0]} with annotator {one + 1} and {names[1]} with annotator {other + 1}."


def _sources(both: Both) -> Iterator[tuple[str, str]]:
    """The score of the source, which differs between the two only for metrics that compare systems."""
    source = min(each.credits.source_score for each in both)
    if source > max(each.credits.score for each in both) + SAME:
        yield "give", f"the source itself {number(source)}, more than either output."


def _found(both: Both, names: tuple[str, str], tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name, each in zip(names, both, strict=True):
        correct = [edit for block in each.explanation.all(Edits) for edit in block.edits if edit.verdict == "correct"]
        foreign = [doing(edit, tokens) for edit in correct if not _made(edit, each.credits.edits, tokens)]
        if foreign:
            edits = "that edit" if len(foreign) == 1 else "those edits"
            yield "count", f"{joined(foreign)} among {name}'s corrections, since the annotator made {edits}."


def _made(wanted: ValuedEdit, edits: Iterable[ValuedEdit], tokens: Sequence[str]) -> bool:
    """Say whether the edits of the output within the span of a metric's edit give the same words."""
    words, at = [], wanted.start
    for edit in edits:
        if wanted.start <= edit.start and edit.end <= wanted.end:
            words += [*tokens[at : edit.start], *edit.correction.split()]
            at = edit.end
    return [*words, *tokens[at : wanted.end]] == wanted.correction.split()
