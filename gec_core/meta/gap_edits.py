"""The gap between two systems, edit by edit, and grouped: what the edits of each system contribute.

Within a sentence, the credits of A's edits less those of B's (gec_core.meta.gap_credits) at the prices of the gap sum
to what the sentence contributes. Groups of edits, by error type, by what became of them, by operation or by the
length of the sentence, sum to the gap as well; what no edit contributes (see `Rest`) is a group of its own.

People judge outputs, not edits. What a sentence contributes to their gap is shared evenly among the edits in which
the two outputs differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from gec_core.align import errant_types
from gec_core.errors import MissingInput
from gec_core.meta.edit_fates import FATES, MadeEdit, PairEdits
from gec_core.meta.gap_credits import (
    Edits,
    Scene,
    SummedCredits,
    SystemOutput,
    compute,
    credit_key,
    paces,
    signature,
    texts_for,
)
from gec_core.meta.gap_sentences import NEGLIGIBLE, Gap, Rest
from gec_core.metrics.base import Metric
from gec_core.metrics.sums import Sums
from gec_core.scoring import pair_keys, stored_rows
from gec_core.shipped import lookup
from gec_core.store import Store
from gec_core.types import Array, Corpus, Progress, ignore

By = Literal["type", "fate", "operation", "length"]
BYS: tuple[By, ...] = ("type", "fate", "operation", "length")
LENGTHS = (10, 20, 30, 40)
"""The longest sentences of all groups by length but the last."""
ROUNDING = 1e-5
"""What rounding may leave of a sentence, beside the largest contribution of a sentence."""
NO_EDIT = "no edit"
"""The group of what no edit contributes."""
UNTYPED = "untyped"
"""The group of edits where nothing reads types."""


@dataclass(frozen=True, eq=False)
class EditGap:
    """What every edit of two systems contributes to one side's gap."""

    gap: Gap
    edits: PairEdits
    contributions: Array
    """Of every edit of `edits`: above 0 it speaks for the first system."""
    errors: Array
    """How far each may be off, for edits of outputs with too many edits: a standard error, at most; 0: exact."""
    unmade: Array
    """Of every sentence what no edit contributes: 0 but for metrics that score a system among its peers."""
    _groups: dict[By, tuple[Group, ...]] = field(default_factory=dict, init=False, repr=False)

    @property
    def residual(self) -> float:
        """What is left of the gap beside all contributions: rounding."""
        rest = sum(each.contribution for each in self.gap.rest)
        return self.gap.gap - float(self.contributions.sum() + self.unmade.sum()) - rest

    def strongest(self, count: int | None = None) -> list[int]:
        """The edits with the largest contributions either way; without those that contribute nothing."""
        order = np.argsort(-np.abs(self.contributions), kind="stable")
        return [int(index) for index in order[:count] if self.contributions[index] != 0]

    def groups(self, by: By) -> tuple[Group, ...]:
        """The contributions by group, the largest first, what no edit contributes last."""
        if by not in self._groups:
            self._groups[by] = groups(self, by)
        return self._groups[by]


@dataclass(frozen=True, slots=True)
class Group:
    """What a group of edits contributes to one side's gap."""

    by: By
    name: str
    label: str
    """The name in words."""
    contribution: float
    share: float | None
    """contribution / gap: the shares of a side sum to 1, a negative one speaks against its gap; None if that is 0."""
    edits: tuple[int, int]
    """How many edits the first and the second system have, in sentences on which their outputs differ."""
    parts: tuple[float, float]
    """What the edits of the first and of the second system contribute."""
    sentences: int
    """In which edits of the group contribute something."""
    error: float = 0.0
    """How far the contribution may be off: a standard error, 0 where all credits are exact."""


def edit_gap(
    corpus: Corpus,
    gap: Gap,
    edits: PairEdits,
    texts: Mapping[SystemOutput, Edits] | None,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> EditGap:
    """Split a gap into what each edit contributes.

    Args:
        corpus: The corpus with all systems that were scored.
        gap: The gap by sentence.
        edits: The edits of the two systems (gec_core.meta.edit_fates.pair_edits).
        texts: The same edits with their corrections, by output; None where the texts are not here.
        store: Where credits are looked up and kept.
        on_progress: Told how many texts are scored.

    Raises:
        MissingInput: Credits are not known, and cannot be computed here.
    """
    if gap.prices is None or gap.metric is None:
        return _shared_evenly(gap, edits)
    wanted = edits.differ | (gap.contributions != 0)
    sizes = _sizes(gap, edits)
    states = dict(zip(gap.systems, gap.prices.states, strict=True))
    credits = credits_of(
        corpus, gap.metric, gap.prices.sums, states, sizes, texts, store=store, on_progress=on_progress
    )
    slopes = np.broadcast_to(gap.prices.slopes, gap.prices.numbers[0].shape)
    contributions, errors = np.zeros(len(edits.made)), np.zeros(len(edits.made))
    unmade = np.zeros(len(gap.contributions))
    for sign, system, numbers in zip((1, -1), gap.systems, gap.prices.numbers, strict=True):
        unmade += np.where(wanted, sign * np.sum(slopes * numbers, axis=1), 0.0)
        own = np.flatnonzero((edits.signs == sign) & wanted[edits.sentences])
        if not len(own):
            continue
        lines, prices = np.unique(edits.sentences[own]), slopes[edits.sentences[own]]
        found = [credits[SystemOutput(system, line)] for line in lines.tolist()]
        sources = np.array([each.source for each in found])
        unmade[lines] += sign * np.sum(slopes[lines] * (sources - numbers[lines]), axis=1)
        contributions[own] = sign * np.sum(prices * np.concatenate([each.edits for each in found]), axis=1)
        if sampled := [each.errors for each in found if each.errors is not None]:
            drawn = np.repeat([each.errors is not None for each in found], [len(each.edits) for each in found])
            errors[own[drawn]] = np.sum(np.abs(prices[drawn]) * np.concatenate(sampled), axis=1)
    if not gap.metric.by_peers:
        contributions, unmade = _without_rounding(gap, edits, contributions, unmade)
    for numbers in (unmade, errors):
        numbers[np.abs(numbers) <= NEGLIGIBLE] = 0.0
    return EditGap(gap, edits, contributions, errors, unmade)


def _without_rounding(gap: Gap, edits: PairEdits, contributions: Array, unmade: Array) -> tuple[Array, Array]:
    """Share what is left of each sentence among its edits: a model rounds differently in another batch of texts."""
    size = len(gap.contributions)
    left = gap.contributions - np.bincount(edits.sentences, contributions, size)
    parts = np.bincount(edits.sentences[contributions != 0], minlength=size)
    rounded = (parts > 0) & (np.abs(left) <= ROUNDING * np.max(np.abs(gap.contributions), initial=0.0))
    share = np.divide(left, parts, out=np.zeros(size), where=rounded)
    shared = contributions + np.where(contributions != 0, share[edits.sentences], 0.0)
    return shared, np.where(rounded, 0.0, unmade)


def credits_of(
    corpus: Corpus,
    metric: Metric,
    sums: Sums,
    states: Mapping[str, Array],
    sizes: Mapping[SystemOutput, int],
    texts: Mapping[SystemOutput, Edits] | None,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> dict[SystemOutput, SummedCredits]:
    """The credits of changed outputs: kept, shipped, or computed now.

    Args:
        corpus: The corpus with all systems that were scored.
        metric: The metric.
        sums: How its score follows from sums.
        states: For each system the states of its sentences.
        sizes: The outputs, with how many edits each has.
        texts: The edits of these outputs; None where the texts are not here.
        store: Where credits are looked up and kept.
        on_progress: Told how many texts are scored.

    Raises:
        MissingInput: Credits are not known, and cannot be computed here.
    """
    by_key, rows = credit_rows(corpus, metric, sums, states, sizes, texts, store=store, on_progress=on_progress)
    return {place: SummedCredits.of_row(rows[key], sizes[place]) for key, places in by_key.items() for place in places}


def credit_rows(
    corpus: Corpus,
    metric: Metric,
    sums: Sums,
    states: Mapping[str, Array],
    outputs: Iterable[SystemOutput],
    texts: Mapping[SystemOutput, Edits] | None,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> tuple[dict[bytes, list[SystemOutput]], dict[bytes, Array]]:
    """The keys of outputs, and the rows of their credits by key; see `credits_of`."""
    by_key = _keys(corpus, metric, states, outputs)
    rows = _known_rows(corpus, signature(metric, sums), by_key, store)
    if missing := {key: places[0] for key, places in by_key.items() if key not in rows}:
        _check(corpus, metric, texts)
        beside = stored_rows(corpus, metric, store=store) if metric.by_peers else {}
        scene = Scene(corpus, metric, sums, states, texts or {}, beside)
        in_order = dict(sorted(missing.items(), key=lambda item: item[1].line))
        rows |= compute(scene, in_order, store=store, on_progress=on_progress)
    return by_key, rows


def _keys(
    corpus: Corpus, metric: Metric, states: Mapping[str, Array], outputs: Iterable[SystemOutput]
) -> dict[bytes, list[SystemOutput]]:
    """The outputs by the keys of their credits."""
    keys = pair_keys(corpus, metric.reads)
    by_key: dict[bytes, list[SystemOutput]] = {}
    for place in outputs:
        peers = [column[place.line] for column in keys.values()] if metric.by_peers else []
        key = credit_key(keys[place.system][place.line], states[place.system][place.line], peers)
        by_key.setdefault(key, []).append(place)
    return by_key


def _known_rows(corpus: Corpus, named: str, keys: Mapping[bytes, object], store: Store | None) -> dict[bytes, Array]:
    """The credits that are kept or come with the project; the latter are kept from now on."""
    rows = store.get(named, keys) if store else {}
    if len(rows) < len(keys) and (store or not corpus.has_texts):
        shipped = lookup(named, keys.keys() - rows.keys())
        if store and shipped:
            store.put(named, shipped)
        rows |= shipped
    return rows


def gap_seconds(corpus: Corpus, gap: Gap, edits: PairEdits, store: Store | None = None) -> float:
    """Estimate how long `edit_gap` computes credits; 0 if all of them are known.

    Raises:
        MissingInput: Credits are not known, and cannot be computed here.
    """
    if gap.prices is None or gap.metric is None:
        return 0.0
    states = dict(zip(gap.systems, gap.prices.states, strict=True))
    return credit_seconds(corpus, gap.metric, gap.prices.sums, states, _sizes(gap, edits), store)


def credit_seconds(
    corpus: Corpus,
    metric: Metric,
    sums: Sums,
    states: Mapping[str, Array],
    sizes: Mapping[SystemOutput, int],
    store: Store | None = None,
) -> float:
    """Estimate how long `credits_of` computes; 0 if all credits are known.

    Raises:
        MissingInput: Credits are not known, and cannot be computed here.
    """
    by_key = _keys(corpus, metric, states, sizes)
    rows = _known_rows(corpus, signature(metric, sums), by_key, store)
    missing = [places[0] for key, places in by_key.items() if key not in rows]
    if missing:
        _check(corpus, metric, corpus.has_texts or None)
    lengths = [len(sentence.tokens) for sentence in corpus.sentences]
    return metric.pace * sum(texts_for(metric, sizes[place]) * paces(lengths[place.line]) for place in missing)


def _sizes(gap: Gap, edits: PairEdits) -> Counter[SystemOutput]:
    """The outputs whose credits a gap takes, with how many edits each has."""
    wanted = edits.differ | (gap.contributions != 0)
    return Counter(each.place for each in edits.made if wanted[each.place.line])


def _check(corpus: Corpus, metric: Metric, texts: object) -> None:
    """Raise an error where credits cannot be computed."""
    if texts is None or not corpus.has_texts:
        raise MissingInput(
            f"{corpus.name}: {metric.name}'s credits of these edits do not come with the project, and the texts are "
            "not on this machine. The gap can be split into sentences only."
        )
    available = metric.availability()
    if not available.ready:
        raise MissingInput(
            f"{metric.name} cannot score texts here, so its gap can be split into sentences only. {available.how}"
        )


def _shared_evenly(gap: Gap, edits: PairEdits) -> EditGap:
    """People's gap: each sentence's contribution in equal parts to the edits that only one of the two made."""
    keys = [(each.place.line, each.edit.key) for each in edits.made]
    both = {key for key, sign in zip(keys, edits.signs, strict=True) if sign > 0} & {
        key for key, sign in zip(keys, edits.signs, strict=True) if sign < 0
    }
    alone = np.array([key not in both for key in keys], bool)
    parts = np.bincount(edits.sentences[alone], minlength=len(gap.contributions))
    share = np.divide(gap.contributions, parts, out=np.zeros(len(parts)), where=parts > 0)
    contributions = np.where(alone, share[edits.sentences], 0.0)
    unmade = np.where(parts > 0, 0.0, gap.contributions)
    return EditGap(gap, edits, contributions, np.zeros(len(edits.made)), unmade)


def groups(found: EditGap, by: By) -> tuple[Group, ...]:
    """The contributions to a gap by group: they sum to it."""
    edits, gap = found.edits, found.gap
    names = [name_of(each, by, edits) for each in edits.made]
    order = {name: number for number, name in enumerate(dict.fromkeys(names))}
    number = np.array([order[name] for name in names], np.intp)
    counted = edits.differ[edits.sentences]
    shown = []
    for name, index in order.items():
        own = number == index
        sides = [own & (edits.signs == sign) for sign in (1, -1)]
        parts = tuple(float(found.contributions[side].sum()) for side in sides)
        shown.append(
            Group(
                by=by,
                name=name,
                label=label_of(name, by),
                contribution=parts[0] + parts[1],
                share=None,
                edits=(int((sides[0] & counted).sum()), int((sides[1] & counted).sum())),
                parts=(parts[0], parts[1]),
                sentences=len(np.unique(edits.sentences[own & (found.contributions != 0)])),
                error=float(np.sqrt(np.sum(found.errors[own] ** 2))),
            )
        )
    shown.sort(key=lambda group: (-abs(group.contribution), group.name))
    if by == "length":
        shown.sort(key=lambda group: [name for name, _ in _bins()].index(group.name))
    shown += _without_edit(found, by)
    whole = gap.gap
    return tuple(replace(group, share=group.contribution / whole if whole else None) for group in shown)


def _without_edit(found: EditGap, by: By) -> list[Group]:
    """What no edit contributes, as a group of its own."""
    rest = [*found.gap.rest]
    if found.unmade.any():
        rest.append(Rest("weights that depend on the other systems", float(found.unmade.sum())))
    if not rest:
        return []
    total = sum(each.contribution for each in rest)
    label = "; ".join(each.name for each in rest)
    return [Group(by, NO_EDIT, label, total, None, (0, 0), (0.0, 0.0), int(np.count_nonzero(found.unmade)))]


def name_of(made: MadeEdit, by: By, edits: PairEdits) -> str:
    """The group that an edit of two systems belongs to."""
    return group_name(made, by, int(edits.lengths[made.place.line]))


def group_name(made: MadeEdit, by: By, tokens: int) -> str:
    """The group that an edit of a sentence of so many tokens belongs to."""
    if by == "fate":
        return made.fate
    if by == "length":
        return next(name for name, longest in _bins() if tokens <= longest)
    read = made.edit
    if by == "type":
        return errant_types.group(read.type) or UNTYPED
    if read.type:
        return errant_types.operation(read.type)
    return "M" if read.start == read.end else "U" if read.correction == "" else "R"


def label_of(name: str, by: By) -> str:
    """The name of a group in words."""
    if by == "fate":
        return next(label for fate, label in FATES.items() if fate == name)
    return f"{name} tokens" if by == "length" else errant_types.meaning(name) or name


def _bins() -> list[tuple[str, float]]:
    """The groups by length: name, and the longest sentence in it."""
    shortest = (1, *(longest + 1 for longest in LENGTHS))
    bins: list[tuple[str, float]] = [(f"{low}–{high}", high) for low, high in zip(shortest, LENGTHS, strict=False)]
    return [*bins, (f"{shortest[-1]}+", np.inf)]
