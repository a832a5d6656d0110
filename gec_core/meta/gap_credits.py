"""Credits of edits that hold for every opponent: Shapley values of all numbers that a metric sums.

The score of a system is a function of sums over sentences (gec_core.metrics.sums). What an edit of an output does to
the summed numbers, on the mean over all orders in which the edits of the output can be made, does not depend on what
the system is compared with. So it is computed once for an output and kept in the store; the prices of a gap
(gec_core.meta.gap_sentences) turn it into what the edit contributes to the difference of any two systems' scores.

The texts between source and output, one for each coalition of edits, are scored for many outputs at once, each
distinct text once. Where an output has too many edits, orders are drawn at random (gec_core.explain.credit), and
`errors` says how far the credits may be off. The edits of a text between source and output are taken to be those it
was made by, so that ERRANT need not parse it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import factorial
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from gec_core.align import errant_edits
from gec_core.errors import ScoreError
from gec_core.explain.credit import (
    Credits,
    Order,
    draw_orders,
    edits_read_by,
    joining,
    most_drawn,
    most_exact,
    most_texts,
)
from gec_core.metrics.base import Metric, stack
from gec_core.metrics.blocks import valued
from gec_core.metrics.sums import Sums
from gec_core.shipped import lookup
from gec_core.store import MemoryStore, Store, context_key, pair_key
from gec_core.types import Array, Corpus, Edit, Pair, Progress, Sentence, ignore

VERSION = 1
"""Raised whenever the same texts would give other credits."""
SECONDS = 0.3
"""What the texts of one output may cost, by the pace of the metric."""
TEXTS = 2048
"""Texts that are scored, and whose credits are kept, at a time."""
BETWEEN_NEWS = 0.5
"""Seconds after which there should be news of progress."""
TOKENS = 30
"""Up to this length a text costs the pace of its metric; beyond it, as much more as it is longer."""
KEPT = 0.2
"""Seconds a text costs from which on its row is kept in the store: work on slow ones goes on where it was stopped."""
REMEMBERED = 256 << 20
"""Bytes of what texts have in common, and of their rows, that are kept in memory meanwhile."""

Edits = tuple[Edit, ...]


class SystemOutput(NamedTuple):
    """The output of a system for one sentence."""

    system: str
    line: int


@dataclass(frozen=True, eq=False)
class SummedCredits:
    """What the edits of one output do to the summed numbers of its sentence."""

    source: Array
    """The numbers of the source itself, as if the system had left the sentence as it is."""
    edits: Array
    """Edits × numbers; with `source` they sum to the numbers of the output."""
    errors: Array | None = None
    """Standard errors of `edits`; None where credits are exact."""

    def row(self) -> Array:
        """One row of numbers, as the store keeps it."""
        parts = [np.array([float(self.errors is not None)]), self.source, self.edits.ravel()]
        return np.concatenate([*parts, *([] if self.errors is None else [self.errors.ravel()])])

    @classmethod
    def of_row(cls, row: Array, edits: int) -> SummedCredits:
        """The credits of an output with so many edits, from its row."""
        sampled = bool(row[0])
        numbers = (len(row) - 1) // (1 + edits * (1 + sampled))
        blocks = row[1 + numbers :].reshape(1 + sampled, edits, numbers)
        return cls(row[1 : 1 + numbers], blocks[0], blocks[1] if sampled else None)


@dataclass(frozen=True, eq=False)
class Scene:
    """What texts are counted in: a metric on a corpus, with the states of its systems' sentences."""

    corpus: Corpus
    metric: Metric
    sums: Sums
    states: Mapping[str, Array]
    edits: Mapping[SystemOutput, Edits]
    """The edits of every output that credits are wanted of, from left to right."""
    peers: Mapping[str, Array] = field(default_factory=dict)
    """The stored rows of all systems, for metrics that look at these."""


def signature(metric: Metric, sums: Sums) -> str:
    """What credits depend on besides texts and states."""
    parts = ["credits", f"v{VERSION}", f"edits:{edits_read_by()}", f"seconds:{SECONDS}"]
    return "|".join([*parts, *([f"sums:{sums.variant}"] if sums.variant else []), metric.signature])


def credit_key(pair: bytes, state: Array, peers: Sequence[bytes] = ()) -> bytes:
    """The key of an output's credits, given that of its row, its state and, where they matter, its peers' keys."""
    if not len(state) and not peers:
        return pair
    return hashlib.blake2b(state.tobytes() + b"".join(peers), digest_size=16, key=pair).digest()


def known_credits(
    metric: Metric, sentence: Sentence, output: str, edits: Sequence[Edit], store: Store | None = None
) -> Credits | None:
    """The credits of an output that are kept or come with the project; None if they are not known.

    Known are those of metrics that sum or average sentence scores, since the summed number is the score itself.
    """
    if metric.by_peers or not edits:
        return None
    try:
        sums = metric.sums(())
    except ScoreError:
        return None
    if not sums.by_sentence:
        return None
    named, key = signature(metric, sums), pair_key(context_key(sentence, metric.reads), output)
    rows = (store.get(named, [key]) if store else {}) or lookup(named, [key])
    if key not in rows:
        return None
    found = SummedCredits.of_row(rows[key], len(edits))
    values = found.edits[:, 0]
    return Credits(
        score=float(found.source[0] + values.sum()),
        source_score=float(found.source[0]),
        error=0.0 if found.errors is None else float(found.errors[:, 0].max()),
        edits=tuple(valued(edit, sentence.tokens, value) for edit, value in zip(edits, values.tolist(), strict=True)),
        exact=found.errors is None,
    )


def compute(
    scene: Scene,
    places: Mapping[bytes, SystemOutput],
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> dict[bytes, Array]:
    """Compute the credits of outputs, given by the keys of their credits, and keep them in the store; rows by key."""
    sources = [sentence.source for sentence in scene.corpus.sentences]
    plans = {key: _plan(scene.metric, sources[at.line], scene.edits[at]) for key, at in places.items()}
    total, done, started = sum(len(plan.texts) for plan in plans.values()), 0, time.monotonic()
    known = _Known(store)
    found: dict[bytes, Array] = {}
    for part in _parts(plans):
        known.expect({places[key].line: sources[places[key].line] for key in part}, part, places)
        wanted = dict.fromkeys((places[key].line, text) for key, plan in part.items() for text in plan.texts)
        keys = _text_keys(scene, wanted)
        rows = _known_rows(scene.metric.statistics_signature, keys.values(), store)
        for some in _in_time(scene.metric, [text for text, key in keys.items() if key not in rows]):
            pairs = [Pair(scene.corpus.sentences[line], text) for line, text in some]
            fresh_rows = dict(zip(map(keys.__getitem__, some), scene.metric.gather(pairs, known), strict=True))
            _RECENT.put(scene.metric.statistics_signature, fresh_rows)
            if store and (slow := [each for each in some if scene.metric.pace * paces(len(each[1].split())) >= KEPT]):
                store.put(scene.metric.statistics_signature, {keys[each]: fresh_rows[keys[each]] for each in slow})
            rows |= fresh_rows
            on_progress(Progress(scene.metric.name, done + len(rows), total, time.monotonic() - started))
        done += sum(len(plan.texts) for plan in part.values())
        fresh = _credits(scene, part, places, {text: rows[key] for text, key in keys.items()})
        if store:
            store.put(signature(scene.metric, scene.sums), fresh)
        found |= fresh
    return found


_RECENT = MemoryStore(REMEMBERED)
"""The rows of texts that were scored last: M² and SentM², or a metric under two options, need the same ones."""


def _known_rows(signature: str, keys: Iterable[bytes], store: Store | None) -> dict[bytes, Array]:
    """The rows of texts that were scored before. Outputs of systems keep the rows that they were scored by."""
    wanted = set(keys)
    found = store.get(signature, wanted) if store else {}
    return found | _RECENT.get(signature, wanted - found.keys())


def _text_keys(scene: Scene, wanted: Iterable[tuple[int, str]]) -> dict[tuple[int, str], bytes]:
    """The key of each text, which counts as an output of its sentence."""
    contexts: dict[int, bytes] = {}
    keys = {}
    for line, text in wanted:
        if line not in contexts:
            contexts[line] = context_key(scene.corpus.sentences[line], scene.metric.reads)
        keys[line, text] = pair_key(contexts[line], text)
    return keys


@dataclass(frozen=True, eq=False)
class _Plan:
    """The texts that the credits of one output take."""

    edits: Edits
    coalitions: Sequence[int]
    texts: tuple[str, ...]
    """The text of each coalition."""
    orders: tuple[Order, ...] = ()
    """Sampled orders; empty where all coalitions are there, in the order of their numbers."""


def _plan(metric: Metric, source: str, edits: Edits) -> _Plan:
    pieces = _pieces(source, edits)
    if len(edits) <= most_exact(metric, SECONDS):
        coalitions: Sequence[int] = range(1 << len(edits))
        return _Plan(edits, coalitions, tuple(_text(pieces, each) for each in coalitions))
    orders = tuple(draw_orders(len(edits), most_texts(metric, SECONDS), seed=0))
    coalitions = tuple(dict.fromkeys(each for order in orders for each in joining(order)))
    return _Plan(edits, coalitions, tuple(_text(pieces, each) for each in coalitions), orders)


def texts_for(metric: Metric, edits: int) -> int:
    """At most how many texts the credits of an output with so many edits take."""
    return 1 << edits if edits <= most_exact(metric, SECONDS) else most_drawn(metric, edits, SECONDS)


def paces(tokens: int) -> float:
    """What a text of so many tokens costs, in paces of its metric."""
    return max(tokens / TOKENS, 1.0)


def _pieces(source: str, edits: Edits) -> list[tuple[int, str, str]]:
    """The source from left to right: the bit of an edit (0: none), what stands there without it, and with it."""
    tokens, at = source.split(), 0
    pieces = []
    for number, edit in enumerate(edits):
        kept = " ".join(tokens[at : edit.start])
        pieces += [(0, kept, kept), (1 << number, " ".join(tokens[edit.start : edit.end]), edit.correction)]
        at = edit.end
    kept = " ".join(tokens[at:])
    return [each for each in [*pieces, (0, kept, kept)] if each[1] or each[2]]


def _text(pieces: Iterable[tuple[int, str, str]], coalition: int) -> str:
    """The source with the edits of a coalition made."""
    return " ".join(filter(None, [after if coalition & bit else before for bit, before, after in pieces]))


def _parts(plans: Mapping[bytes, _Plan]) -> Iterator[dict[bytes, _Plan]]:
    """The plans in parts of about `TEXTS` texts."""
    part: dict[bytes, _Plan] = {}
    size = 0
    for key, plan in plans.items():
        part[key] = plan
        size += len(plan.texts)
        if size >= TEXTS:
            yield part
            part, size = {}, 0
    if part:
        yield part


def _in_time(metric: Metric, wanted: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """As many texts at a time as can be scored until there should be news of progress; fewer of long ones."""
    at_once = min(max(int(BETWEEN_NEWS / metric.pace), 16), metric.chunk)
    some: list[tuple[int, str]] = []
    size = 0.0
    for line, text in wanted:
        some.append((line, text))
        size += paces(len(text.split()))
        if size >= at_once:
            yield some
            some, size = [], 0.0
    if some:
        yield some


def _credits(
    scene: Scene,
    part: Mapping[bytes, _Plan],
    places: Mapping[bytes, SystemOutput],
    rows: Mapping[tuple[int, str], Array],
) -> dict[bytes, Array]:
    """The credits of some outputs, from the rows of all their texts."""
    at = [places[key] for key, plan in part.items() for _ in plan.texts]
    texts = [text for plan in part.values() for text in plan.texts]
    stacked = stack([rows[place.line, text] for place, text in zip(at, texts, strict=True)])
    digested = scene.metric.digest_texts(stacked, at, scene.peers)
    states = np.array([scene.states[place.system][place.line] for place in at])
    numbers = scene.sums.count(states, digested)
    found, first = {}, 0
    for key, plan in part.items():
        values = numbers[first : first + len(plan.texts)]
        first += len(plan.texts)
        found[key] = _shapley(plan, values).row()
    return found


def _shapley(plan: _Plan, values: Array) -> SummedCredits:
    """The Shapley value of every edit for every number, from the numbers of all coalitions."""
    if not plan.orders:
        return SummedCredits(values[0], shapley_weights(len(plan.edits)) @ values)
    where = {coalition: index for index, coalition in enumerate(plan.coalitions)}
    gains = np.empty((len(plan.orders), len(plan.edits), values.shape[1]))
    for gain, order in zip(gains, plan.orders, strict=True):
        gain[list(order)] = np.diff(values[[where[each] for each in joining(order)]], axis=0)
    pairs = (gains[::2] + gains[1::2]) / 2
    errors = pairs.std(axis=0, ddof=1) / np.sqrt(len(pairs))
    return SummedCredits(values[where[0]], pairs.mean(axis=0), errors)


@cache
def shapley_weights(players: int) -> Array:
    """Players × coalitions: the Shapley value of each player as a weighted sum of the values of all coalitions."""
    coalitions = np.arange(1 << players)
    member = coalitions >> np.arange(players)[:, None] & 1
    sizes = member.sum(axis=0)
    orders = [factorial(size) * factorial(players - size - 1) / factorial(players) for size in range(players)]
    share = np.array([*orders, 0.0])
    weights: Array = np.where(member == 1, share[sizes - 1], -share[sizes])
    weights.setflags(write=False)
    return weights


class _Known(MemoryStore):
    """The store, which also knows the edits of texts by the edits they were made of, if it is asked for them."""

    def __init__(self, store: Store | None) -> None:
        super().__init__(REMEMBERED)
        self._store = store
        self._expected: list[tuple[str, _Plan]] = []

    def expect(
        self, sources: Mapping[int, str], part: Mapping[bytes, _Plan], places: Mapping[bytes, SystemOutput]
    ) -> None:
        """The texts that will be asked for next."""
        self._expected = [(sources[places[key].line], plan) for key, plan in part.items()]

    def get(self, signature: str, keys: Iterable[bytes]) -> dict[bytes, Array]:
        if self._expected and signature == errant_edits.signature():
            made = [row for source, plan in self._expected for row in _made(source, plan)]
            # What a system wrote is read as its own edits, even if edits of another one lead to the same text.
            super().put(signature, {key: row for _, key, row in sorted(made, key=itemgetter(0))})
            self._expected = []
        wanted = list(keys)
        found = super().get(signature, wanted)
        if self._store and len(found) < len(wanted):
            found |= self._store.get(signature, [key for key in wanted if key not in found])
        return found

    def put(self, signature: str, rows: Mapping[bytes, Array]) -> None:
        super().put(signature, rows)
        if self._store:
            self._store.put(signature, rows)


def _made(source: str, plan: _Plan) -> Iterator[tuple[bool, bytes, Array]]:
    """Of each text of a plan whether it is the whole output, and key and row of ERRANT's edits."""
    for coalition, text in zip(plan.coalitions, plan.texts, strict=True):
        edits = [edit for number, edit in enumerate(plan.edits) if coalition >> number & 1]
        yield len(edits) == len(plan.edits), *errant_edits.row_of(errant_edits.TextPair(source, text), edits)
