"""Phrases for edits, numbers and weights, from which comparisons in words are built.

Only metrics on edits have weights: 1 for all edits in M² and ERRANT, a model's in PT-M². Of all pairs of edits that the
outputs have, one is described: two corrections rather than wrong edits, a pair whose heavier edit is in one output
only, and among these the pair whose ratio of weights differs most between metrics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, log

from gec_core.formatting import joined, minus
from gec_core.metrics.blocks import EditKey, Edits, Explanation, ValuedEdit
from gec_core.types import Edit

MOST_WORDS = 8
"""Longer pieces of text are shortened in the middle."""
ORDINALS = ("first", "second", "third", "fourth", "fifth")
MANY = 4
"""So many metrics are named by those that are left, if these are at most `MOST_LEFT`."""
MOST_LEFT = 2
SAME = 1e-9
"""Smaller differences come from rounding."""


AnyEdit = Edit | ValuedEdit


def quoted(text: str) -> str:
    """Quote a piece of text; of many words only the first and the last."""
    words = text.split()
    if len(words) > MOST_WORDS:
        text = " ".join([*words[: MOST_WORDS // 2], "…", *words[-MOST_WORDS // 2 :]])
    return f"“{text}”" if "`" in text else f"`{text}`"


def number(value: float) -> str:
    """Format a number with two decimals; large ones with one, small ones with two significant digits."""
    size = abs(value)
    text = f"{value:.1f}" if size >= 10 else f"{value:.2f}" if size >= 0.1 or size < SAME else f"{value:.2g}"
    return minus(text)


def apart(one: float, other: float) -> tuple[str, str]:
    """Format two different numbers with as many decimals as are needed to tell them apart."""
    if (texts := (number(one), number(other)))[0] != texts[1]:
        return texts
    digits = next((digits for digits in range(3, 9) if f"{one:.{digits}f}" != f"{other:.{digits}f}"), 9)
    return minus(f"{one:.{digits}f}"), minus(f"{other:.{digits}f}")


def times(ratio: float) -> str:
    """Format a ratio: twice, 4.2 times, 31 times."""
    if round(ratio, 1) == 2:
        return "twice"
    return f"{ratio:.1f} times" if ratio < 10 else f"{ratio:.0f} times" if ratio < 1000 else "over 1,000 times"


def members(names: Sequence[str], among: Sequence[str] | None) -> str:
    """Name some of the metrics; where they are many and few are left, name those that are left.

    Args:
        names: The metrics.
        among: All metrics; None if some have not answered yet, so that nothing can be said about all of them.

    >>> members(["M²", "GLEU"], ["M²", "GLEU", "BLEU"])
    'M² and GLEU'
    >>> members(["M²", "GLEU", "BLEU", "GREEN"], ["M²", "GLEU", "BLEU", "GREEN", "ERRANT"])
    'all metrics but ERRANT'
    """
    rest = [name for name in among or () if name not in names]
    if among is None or len(names) < MANY or len(rest) > MOST_LEFT:
        return joined(names)
    return f"all metrics but {joined(rest)}" if rest else f"all {len(names)} metrics"


def done(edits: Iterable[AnyEdit], tokens: Sequence[str], *, by_both: bool = False) -> str:
    """Say what one system did, or two: `changes a to b and c to d and deletes e`."""
    groups: dict[str, list[str]] = {}
    for edit in edits:
        verb, what = _phrase(edit, tokens)
        groups.setdefault(verb if by_both else f"{verb}s", []).append(what)
    return joined([f"{verb} {joined(what)}" for verb, what in groups.items()])


def doing(edit: AnyEdit, tokens: Sequence[str]) -> str:
    """Name an edit as an action: `changing a to b`."""
    verb, what = _phrase(edit, tokens)
    return f"{verb.removesuffix('e')}ing {what}"


def _phrase(edit: AnyEdit, tokens: Sequence[str]) -> tuple[str, str]:
    """A verb and its object."""
    new = quoted(edit.correction)
    if edit.start == edit.end:
        return "insert", f"{new} {_place(edit, tokens)}"
    old = _which(edit, tokens)
    return ("change", f"{old} to {new}") if edit.correction else ("delete", old)


def _place(edit: AnyEdit, tokens: Sequence[str]) -> str:
    return f"before {quoted(tokens[edit.end])}" if edit.end < len(tokens) else "at the end"


def _which(edit: AnyEdit, tokens: Sequence[str]) -> str:
    """The words that an edit changes; equal ones are told apart by the word that follows, or by counting."""
    old, size = quoted(" ".join(tokens[edit.start : edit.end])), edit.end - edit.start
    same = [at for at in range(len(tokens) - size + 1) if tokens[at : at + size] == tokens[edit.start : edit.end]]
    if len(same) == 1:
        return old
    followers = [tokens[at + size : at + size + 1] for at in same]
    if followers.count(followers[same.index(edit.start)]) == 1:
        return f"{old} {_place(edit, tokens)}"
    return f"the {_ordinal(same.index(edit.start))} {old}"


def _ordinal(index: int) -> str:
    return ORDINALS[index] if index < len(ORDINALS) else f"{index + 1}th"


ALIKE = 1.1
"""Up to this ratio two edits count as having the same weight."""
MENTIONED_FROM = 1.5
"""The factor by which metrics must differ in the ratio of two weights for it to be mentioned."""

ExplainedBy = tuple[str, tuple[Explanation, Explanation]]
"""A metric's name and its explanations of both outputs."""


@dataclass(frozen=True, slots=True)
class _Contrast:
    """Two edits, and the ratio of their weights under each metric."""

    one: ValuedEdit
    other: ValuedEdit
    ratios: Mapping[str, float]
    makers: Mapping[EditKey, tuple[str, ...]]
    """The systems whose outputs have each edit."""

    @property
    def extreme(self) -> str:
        """The metric whose weights differ most."""
        return max(self.ratios, key=lambda name: _factor(self.ratios[name]))

    @property
    def spread(self) -> float:
        """The factor by which metrics differ, as a logarithm."""
        logs = [log(ratio) if 0 < ratio < inf else inf if ratio else -inf for ratio in self.ratios.values()]
        return max(logs) - min(logs) if max(logs) > min(logs) else 0.0

    @property
    def heavier(self) -> ValuedEdit:
        """The edit to which the metric with the most extreme ratio gives more weight."""
        return self.one if self.ratios[self.extreme] > 1 else self.other

    @property
    def corrections(self) -> bool:
        return self.one.verdict == self.other.verdict == "correct"

    @property
    def apart(self) -> bool:
        """Whether only one of the outputs has one of the two edits."""
        return any(len(self.makers[edit.key]) == 1 for edit in (self.one, self.other))

    @property
    def merit(self) -> tuple[bool, bool, float]:
        """The criteria for choosing which contrast to mention."""
        return self.corrections, len(self.makers[self.heavier.key]) == 1, self.spread


def _factor(ratio: float) -> float:
    """The weight of the heavier edit divided by that of the lighter one."""
    return max(ratio, 1 / ratio) if ratio else inf


def weights_in_words(
    metrics: Sequence[ExplainedBy],
    names: tuple[str, str],
    tokens: Sequence[str],
    preferred: Mapping[str, str] | None = None,
) -> str:
    """Describe the two edits whose weights differ most between metrics; empty if none differ.

    Pairs of edits that both outputs have do not tell the outputs apart, and are not mentioned.

    Args:
        names: The names of the two outputs.
        preferred: The output that each metric prefers, empty where it prefers neither. Given this, only weights that
            speak for the preference of one metric against that of another are mentioned.
    """
    weighed = {name: lines for name, explanations in metrics if (lines := _made(explanations))}
    edits = dict.fromkeys(key for lines in weighed.values() for key in lines)
    makers = {key: _makers(key, metrics, names) for key in edits}
    contrasts = (_contrast(one, other, weighed, makers) for one, other in combinations(edits, 2))
    telling = [found for found in contrasts if found and found.apart and found.spread >= log(MENTIONED_FROM)]
    if preferred is not None:
        telling = [found for found in telling if _tells_apart(found, names, preferred)]
    return _tell(max(telling, key=lambda found: found.merit), tokens) if telling else ""


def _tells_apart(found: _Contrast, names: tuple[str, str], preferred: Mapping[str, str]) -> bool:
    """Whether the weights speak for what the extreme metric prefers, and another metric does not prefer it, too."""
    edit = found.heavier
    makers = found.makers[edit.key]
    right = edit.verdict == "correct"
    if len(makers) > 1:  # then the lighter edit is in one output only, and counts for little there
        makers = found.makers[(found.other if edit is found.one else found.one).key]
        right = not right
    spoken_for = makers[0] if right else next(name for name in names if name not in makers)
    choice = preferred[found.extreme]
    return choice == spoken_for and any(preferred[name] != choice for name in found.ratios)


def _made(explanations: Iterable[Explanation]) -> dict[EditKey, ValuedEdit]:
    """The edits that any of the explained outputs has."""
    lines = (line for one in explanations for block in one.all(Edits) for line in block.edits)
    return {line.key: line for line in lines if line.verdict != "missed"}


def _contrast(
    one: EditKey,
    other: EditKey,
    weighed: Mapping[str, Mapping[EditKey, ValuedEdit]],
    makers: Mapping[EditKey, tuple[str, ...]],
) -> _Contrast | None:
    both = {name: (lines[one], lines[other]) for name, lines in weighed.items() if one in lines and other in lines}
    both = {name: lines for name, lines in both.items() if any(line.value for line in lines)}
    if len(both) < 2:
        return None
    ratios = {name: first.value / second.value if second.value else inf for name, (first, second) in both.items()}
    return _Contrast(*next(iter(both.values())), ratios, makers)


def _makers(key: EditKey, metrics: Sequence[ExplainedBy], names: tuple[str, str]) -> tuple[str, ...]:
    """The names of the systems whose outputs have the edit."""
    return tuple(
        name
        for place, name in enumerate(names)
        if any(key in _made([explanations[place]]) for _, explanations in metrics)
    )


def _tell(found: _Contrast, tokens: Sequence[str]) -> str:
    alike = [name for name, ratio in found.ratios.items() if 1 / ALIKE <= ratio <= ALIKE]
    clauses = []
    if alike:
        what = "corrections" if found.corrections else "edits"
        clauses.append(f"{joined(alike)} {'gives' if len(alike) == 1 else 'give'} both {what} the same weight")
    # The metric with the most extreme ratio comes last, so that `it` refers to its heavier edit.
    for name, ratio in sorted(found.ratios.items(), key=lambda item: _factor(item[1])):
        if name not in alike:
            heavier, lighter = (found.one, found.other) if ratio > 1 else (found.other, found.one)
            clauses.append(f"{name} gives {_more(doing(heavier, tokens), doing(lighter, tokens), _factor(ratio))}")
    rare = found.other if found.heavier is found.one else found.one
    makers, others = found.makers[found.heavier.key], found.makers[rare.key]
    if len(makers) == 1:
        return f"{'; '.join(clauses)}, and only {makers[0]} made {'both' if makers == others else 'it'}."
    return f"{'; '.join(clauses)}, and only {others[0]} made the lighter edit."


def _more(heavier: str, lighter: str, factor: float) -> str:
    if factor == inf:
        return f"no weight to {lighter}, but some to {heavier}"
    return f"{heavier} {times(factor)} the weight of {lighter}"
