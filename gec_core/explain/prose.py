"""Compare two outputs of a sentence in words: what they changed, and what metrics and judges make of it.

Every sentence is computed from credits, explanations and judgments. Words of the text stand between backticks,
so that whoever shows them can set them apart.

Three things puzzle readers of credits. The two outputs may be compared with different annotators. A metric may find a
correction in an output that is none of its edits: M² reads an output in the way that suits the annotator best, and
takes a replacement for a deletion (which the annotator made) and an insertion. And where an annotator left the
sentence alone, the source itself has the best score of all, so that every edit costs something.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gec_core.explain.blocks import EditLine, Edits
from gec_core.explain.credit import Difference, EditCredit, EditDifference, Worth, difference
from gec_core.explain.phrases import SAME, apart, doing, done, joined, named, number, weights_in_words
from gec_core.types import Judgments

MOST_REASONS = 3
WORTH_TELLING = 0.1
"""A reason is told if it is this share of all that speaks for or against either output."""


class Votes(NamedTuple):
    """How often judges preferred the first of two outputs, the second, or neither."""

    first: int
    second: int
    tied: int


@dataclass(frozen=True, slots=True)
class Valued:
    """Two outputs of a sentence under one metric."""

    name: str
    first: Worth
    second: Worth


@dataclass(frozen=True, slots=True)
class Comparison:
    """What there is to say about two outputs, sentence by sentence."""

    edits: tuple[str, ...]
    """What they did to the source."""
    metrics: tuple[str, ...]
    """Which output each metric prefers, and for which edits; metrics that say the same share a sentence."""
    readings: tuple[str, ...]
    """What must be known to understand that: which annotators, what is taken for a correction, a better source."""
    weights: str
    """Which edits the metrics weigh differently; empty if none."""
    judges: str
    """What people think, and which metrics go with them; empty where nobody compared the two."""

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(each for each in (*self.edits, *self.metrics, *self.readings, self.weights, self.judges) if each)


def compare(source: str, names: tuple[str, str], metrics: Sequence[Valued], votes: Votes | None = None) -> Comparison:
    """Compare the outputs that go by these names, under at least one metric."""
    tokens = source.split()
    found = [(each.name, difference(each.first.credit, each.second.credit)) for each in metrics]
    return Comparison(
        edits=tuple(_what_they_did(found[0][1].edits, names, tokens)),
        metrics=tuple(_valuations(found, names, tokens)),
        readings=tuple(readings_in_words([(each.name, (each.first, each.second)) for each in metrics], names, tokens)),
        weights=weights_in_words(
            [(each.name, (each.first.explanation, each.second.explanation)) for each in metrics], names, tokens
        ),
        judges=_judges(votes, names, found) if votes and sum(votes) else "",
    )


def count_votes(judgments: Judgments, sentence: int, first: Collection[str], second: Collection[str]) -> Votes:
    """What judges said of two outputs, each given by the systems that have it."""
    ahead = []
    for item in judgments.items:
        if item.sentence == sentence:
            ranks = {system: place.rank for place in item.ranked for system in place.systems}
            one, other = ([ranks[system] for system in systems if system in ranks] for systems in (first, second))
            if one and other:
                ahead.append(other[0] - one[0])
    return Votes(sum(each > 0 for each in ahead), sum(each < 0 for each in ahead), ahead.count(0))


def _what_they_did(edits: Sequence[EditDifference], names: tuple[str, str], tokens: Sequence[str]) -> Iterator[str]:
    both = [edit for edit in edits if edit.first is not None and edit.second is not None]
    only = [edit for edit in edits if edit.second is None], [edit for edit in edits if edit.first is None]
    if not edits:
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
    found: Sequence[tuple[str, Difference]], names: tuple[str, str], tokens: Sequence[str]
) -> Iterator[str]:
    same: dict[tuple[str, str], list[str]] = {}
    for metric, each in found:
        same.setdefault(_valuation(each, names, tokens), []).append(metric)
    for (verb, rest), metrics in same.items():
        yield f"{joined(metrics)} {verb if len(metrics) > 1 else f'{verb}s'} {rest}"


def _valuation(found: Difference, names: tuple[str, str], tokens: Sequence[str]) -> tuple[str, str]:
    """Which of the two a metric prefers, and which edits make the difference: the verb, and what follows."""
    if abs(found.value) < SAME:
        verb, what = "rate", f"both alike ({number(found.first_score)})"
    else:
        scores = apart(found.first_score, found.second_score)
        (better, worse), (more, less) = (names, scores) if found.value > 0 else (names[::-1], scores[::-1])
        verb, what = "prefer", f"{better} to {worse} ({more} against {less})"
    reasons = _reasons(found, names, tokens)
    if not reasons:
        return verb, f"{what}."
    estimated = "" if found.exact else f" These are estimates, give or take {number(found.error)}."
    return verb, f"{what}: {'; '.join(reasons)}.{estimated}"


class _Reason(NamedTuple):
    """An edit, and what the metric makes of it: edits with the same fate are told together."""

    what: str
    verbs: tuple[str, str]
    """For one edit, and for several."""
    rest: str


def _reasons(found: Difference, names: tuple[str, str], tokens: Sequence[str]) -> list[str]:
    """What contributes most to the difference, then what speaks against it."""
    at_stake = sum(abs(edit.credit) for edit in found.edits) + abs(found.baseline)
    parts = [(edit.credit, _reason(edit, names, tokens)) for edit in found.edits]
    parts.append((found.baseline, _baseline(found.baseline, names)))
    telling = [part for part in parts if abs(part[0]) > max(WORTH_TELLING * at_stake, SAME)]
    telling.sort(key=lambda part: -abs(part[0]))
    sign = 1 if found.value >= 0 else -1
    first, second = (_told([reason for part, reason in telling if part * way > 0]) for way in (sign, -sign))
    return [*first, *([f"but {', and '.join(second)}"] if second else [])]


def _told(reasons: Iterable[_Reason]) -> list[str]:
    groups: dict[tuple[tuple[str, str], str], list[str]] = {}
    for reason in reasons:
        groups.setdefault((reason.verbs, reason.rest), []).append(reason.what)
    return [
        f"{joined(what)}{verbs[len(what) > 1]} {rest}" for (verbs, rest), what in list(groups.items())[:MOST_REASONS]
    ]


def _reason(edit: EditDifference, names: tuple[str, str], tokens: Sequence[str]) -> _Reason:
    if edit.first is not None and edit.second is not None:
        (more, richer), (less, poorer) = sorted(zip((edit.first, edit.second), names, strict=True), reverse=True)
        verbs = ", which both have, is worth", ", which both have, are each worth"
        worth = f"{number(more)} among the edits of {richer} and {number(less)} among those of {poorer}"
        return _Reason(named(edit, tokens), verbs, worth)
    credit, name = (edit.first, names[0]) if edit.first is not None else (edit.second or 0.0, names[1])
    verbs = (" earns", " each earn") if credit > 0 else (" costs", " each cost")
    return _Reason(doing(edit, tokens), verbs, f"{name} {number(abs(credit))}")


def _baseline(value: float, names: tuple[str, str]) -> _Reason:
    better = names[value < 0]
    return _Reason("the source itself", (" would get", ""), f"{number(abs(value))} more in {better}'s place")


def _judges(votes: Votes, names: tuple[str, str], found: Sequence[tuple[str, Difference]]) -> str:
    """What people said, and which metrics are of the same mind."""
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
    alike, opposed = ([name for name, sign in decided if sign * way > 0] for way in (1, -1))
    clauses = [f"{joined(alike)} {'agrees' if len(alike) == 1 else 'agree'}"] if alike else []
    if opposed:
        one = len(opposed) == 1
        without = ("does not" if one else "do not") if alike else ("disagrees" if one else "disagree")
        clauses.append(f"{joined(opposed)} {without}")
    return "; ".join([said, *([", ".join(clauses)] if clauses else [])]) + "."


def _plural(phrase: str) -> str:
    """What several do, from what one does."""
    verb, rest = phrase.split(" ", 1)
    return f"{verb.removesuffix('s')} {rest}"


ValuedBy = tuple[str, tuple[Worth, Worth]]
"""A metric's name, and what it makes of both outputs."""


def readings_in_words(metrics: Sequence[ValuedBy], names: tuple[str, str], tokens: Sequence[str]) -> list[str]:
    """What puzzles, once for all metrics that it is true of."""
    told: dict[tuple[str, str], list[str]] = {}
    for metric, both in metrics:
        for sentence in (*_annotators(both, names), *_sources(both), *_found(both, names, tokens)):
            told.setdefault(sentence, []).append(metric)
    return [f"{joined(who)} {verb if len(who) > 1 else f'{verb}s'} {rest}" for (verb, rest), who in told.items()]


def _annotators(both: tuple[Worth, Worth], names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    one, other = (worth.explanation.annotator for worth in both)
    if one != other and one is not None and other is not None:
        yield "compare", f"{names[0]} with annotator {one + 1} and {names[1]} with annotator {other + 1}."


def _sources(both: tuple[Worth, Worth]) -> Iterator[tuple[str, str]]:
    """The source in either's place; these differ only for metrics that look at the other systems, too."""
    source = min(worth.credit.source_score for worth in both)
    if source > max(worth.credit.score for worth in both) + SAME:
        yield "give", f"the source itself {number(source)}, more than either output."


def _found(both: tuple[Worth, Worth], names: tuple[str, str], tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name, worth in zip(names, both, strict=True):
        lines = [line for block in worth.explanation.all(Edits) for line in block.edits if line.verdict == "correct"]
        foreign = [doing(line, tokens) for line in lines if not _made(line, worth.credit.edits, tokens)]
        if foreign:
            edits = "that edit" if len(foreign) == 1 else "those edits"
            yield "count", f"{joined(foreign)} among {name}'s corrections, since the annotator made {edits}."


def _made(line: EditLine, edits: Iterable[EditCredit], tokens: Sequence[str]) -> bool:
    """Whether the edits of the output within the span of a metric's edit come to the same."""
    words, at = [], line.start
    for edit in edits:
        if line.start <= edit.start and edit.end <= line.end:
            words += [*tokens[at : edit.start], *edit.correction.split()]
            at = edit.end
    return [*words, *tokens[at : line.end]] == line.correction.split()
