"""People's verdicts on single edits beside the credits that metrics give these edits.

A credit is the Shapley value of an edit for the metric's sentence score (gec_core.explain.credit): positive if the edit
raises the score. SEEDA's judges accepted or refused single edits. Two figures say how far a metric agrees with them:

* **accuracy**: the share of verdicts whose sign the credit has: above 0 for an accepted edit, below 0 for a refused
  one. A credit of 0 has neither sign and counts as wrong. Most verdicts are acceptances, so the mean of the accuracies
  on accepted and on refused edits (`balanced`) is given as well.
* **AUC**: the probability that an accepted edit has a higher credit than a refused one; a tie counts one half. It does
  not depend on where the line between good and bad is drawn; .5 is chance.

Credits belong to the edits that ERRANT reads in an output, as on the page Sentence. A verdict on an edit that was cut
otherwise (`[a b→c]` in one, `[a→c]`, `[b→]` in the other) is left out, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gec_core.align.errant_types import group
from gec_core.environment import how_to_run
from gec_core.errors import MissingInput
from gec_core.explain.credit import output_edits
from gec_core.meta.gap_credits import Edits, SystemOutput
from gec_core.meta.gap_edits import credit_rows, credit_seconds, credits_of
from gec_core.metrics.base import Metric
from gec_core.metrics.sums import Sums
from gec_core.store import Store
from gec_core.types import Array, Corpus, Edit, EditVerdict, Integers, Progress, ignore

EXACTLY_0 = 1e-12
"""Credits up to this size are rounding."""
FEWEST = 20
"""The fewest verdicts for which a group is shown."""


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit of one output with the verdicts of its judges."""

    place: SystemOutput
    edit: Edit
    """As ERRANT reads it, with its type."""
    number: int
    """Its place among the edits of the output."""
    accepted: int
    refused: int
    systems: tuple[str, ...]

    @property
    def type(self) -> str:
        """The group of its ERRANT type."""
        return group(self.edit.type) or "untyped"


@dataclass(frozen=True)
class JudgedEdits:
    """All edits with verdicts, the outputs that they are in, and the verdicts that fit no edit."""

    edits: tuple[JudgedEdit, ...]
    outputs: Mapping[SystemOutput, Edits]
    unmatched: int
    """Verdicts on edits that ERRANT cuts otherwise."""

    @property
    def verdicts(self) -> int:
        return sum(each.accepted + each.refused for each in self.edits)


@dataclass(frozen=True, slots=True)
class SignAgreement:
    """How far the credits of a metric have people's signs, for all verdicts or those of one error type."""

    name: str
    accepted: int
    refused: int
    right: int
    """Verdicts whose sign the credit has."""
    right_refused: int
    neutral: int
    """Verdicts on edits with a credit of 0."""
    auc: float | None
    """None without both acceptances and refusals."""

    @property
    def verdicts(self) -> int:
        return self.accepted + self.refused

    @property
    def accuracy(self) -> float | None:
        return self.right / self.verdicts if self.verdicts else None

    @property
    def balanced(self) -> float | None:
        """The mean of the accuracies on accepted and on refused edits."""
        if not self.accepted or not self.refused:
            return None
        return ((self.right - self.right_refused) / self.accepted + self.right_refused / self.refused) / 2


@dataclass(frozen=True)
class EditAgreement:
    """One metric beside people's verdicts."""

    metric: Metric
    judged: JudgedEdits
    credits: Array
    """Of every edit of `judged`."""

    @property
    def overall(self) -> SignAgreement:
        return self._of("all", self.judged.edits, self.credits)

    def by_type(self, fewest: int = FEWEST) -> list[SignAgreement]:
        """The same by error type, those with most verdicts first."""
        types = np.array([each.type for each in self.judged.edits])
        found = []
        for name in dict.fromkeys(types.tolist()):
            kept = np.flatnonzero(types == name)
            found.append(self._of(name, [self.judged.edits[at] for at in kept], self.credits[kept]))
        found.sort(key=lambda each: (-each.verdicts, each.name))
        return [each for each in found if each.verdicts >= fewest]

    def mistakes(self, count: int | None = None) -> list[tuple[JudgedEdit, float]]:
        """Edits whose credit has the sign that most judges did not give, the largest credits first."""
        wrong = [
            (each, float(credit))
            for each, credit in zip(self.judged.edits, self.credits, strict=True)
            if credit * (each.accepted - each.refused) < 0 and abs(credit) > EXACTLY_0
        ]
        wrong.sort(key=lambda item: (-abs(item[1]), item[0].place.line))
        return wrong[:count]

    def _of(self, name: str, edits: Sequence[JudgedEdit], credits: Array) -> SignAgreement:
        accepted = np.array([each.accepted for each in edits], dtype=np.int64)
        refused = np.array([each.refused for each in edits], dtype=np.int64)
        up, down = credits > EXACTLY_0, credits < -EXACTLY_0
        neutral = ~(up | down)
        right_refused = int(refused[down].sum())
        return SignAgreement(
            name,
            int(accepted.sum()),
            int(refused.sum()),
            int(accepted[up].sum()) + right_refused,
            right_refused,
            int((accepted + refused)[neutral].sum()),
            _auc(np.where(neutral, 0.0, credits), accepted, refused),
        )


def judged_edits(corpus: Corpus, store: Store | None = None) -> JudgedEdits:
    """The edits of the corpus that people accepted or refused, as ERRANT reads them.

    Raises:
        MissingInput: The corpus has no verdicts on single edits.
    """
    if not corpus.verdicts:
        raise MissingInput(
            f"{corpus.name} has no verdicts on single edits (human/NAME/JUDGE/*.txt, or human/NAME.tsv). SEEDA has: "
            f"get it with `{how_to_run('corpora fetch seeda')}`."
        )
    found: dict[tuple[int, str], list[EditVerdict]] = {}
    systems: dict[tuple[int, str], tuple[str, ...]] = {}
    for verdict in corpus.verdicts:
        known = tuple(name for name in verdict.systems if name in corpus.systems)
        if known:
            output = corpus.systems[known[0]][verdict.sentence]
            found.setdefault((verdict.sentence, output), []).append(verdict)
            systems[verdict.sentence, output] = known
    outputs: dict[SystemOutput, Edits] = {}
    edits: list[JudgedEdit] = []
    unmatched = 0
    for (line, output), verdicts in sorted(found.items()):
        place = SystemOutput(systems[line, output][0], line)
        outputs[place] = output_edits(corpus.sentences[line].source, output, store)
        votes = _votes(verdicts)
        for number, edit in enumerate(outputs[place]):
            accepted, refused = votes.pop((edit.start, edit.end, edit.correction), (0, 0))
            if accepted or refused:
                edits.append(JudgedEdit(place, edit, number, accepted, refused, systems[line, output]))
        unmatched += sum(accepted + refused for accepted, refused in votes.values())
    return JudgedEdits(tuple(edits), outputs, unmatched)


def edit_agreement(
    corpus: Corpus,
    metric: Metric,
    judged: JudgedEdits,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> EditAgreement:
    """Compare the credits of a metric with people's verdicts.

    Args:
        corpus: The corpus with all systems.
        metric: The metric.
        judged: What `judged_edits` found.
        store: Where credits are looked up and kept.
        on_progress: Told how many texts are scored.
    """
    sizes = {place: len(edits) for place, edits in judged.outputs.items()}
    found = credits_of(
        corpus,
        metric,
        sentence_sums(metric),
        _no_states(corpus),
        sizes,
        judged.outputs,
        store=store,
        on_progress=on_progress,
    )
    credits = np.array([found[each.place].edits[each.number, 0] for each in judged.edits], dtype=np.float64)
    return EditAgreement(metric, judged, credits)


def agreement_seconds(corpus: Corpus, metric: Metric, judged: JudgedEdits, store: Store | None = None) -> float:
    """Estimate how long `edit_agreement` takes; 0 if all credits are known."""
    sizes = {place: len(edits) for place, edits in judged.outputs.items()}
    return credit_seconds(corpus, metric, sentence_sums(metric), _no_states(corpus), sizes, store)


def agreement_rows(
    corpus: Corpus,
    metric: Metric,
    judged: JudgedEdits,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> dict[bytes, Array]:
    """The credits behind `edit_agreement` as rows by key, to be shipped (tools/precompute.py)."""
    sums, states = sentence_sums(metric), _no_states(corpus)
    return credit_rows(
        corpus, metric, sums, states, judged.outputs, judged.outputs, store=store, on_progress=on_progress
    )[1]


def sentence_sums(metric: Metric) -> Sums:
    """The sentence score of a text on its own as the only number, so that credits are those of sentence scores."""

    def count(_: Array, rows: Array) -> Array:
        return np.array([metric.sentence_scores(rows[line : line + 1]) for line in range(len(rows))]).reshape(-1, 1)

    return Sums(count=count, score=lambda sums: sums[..., 0], variant="sentence")


def _no_states(corpus: Corpus) -> dict[str, Array]:
    return {system: np.empty((len(corpus), 0)) for system in corpus.systems}


def _votes(verdicts: Iterable[EditVerdict]) -> dict[tuple[int, int, str], tuple[int, int]]:
    """How many judges accepted and refused each edit."""
    votes: dict[tuple[int, int, str], tuple[int, int]] = {}
    for verdict in verdicts:
        key = (verdict.edit.start, verdict.edit.end, verdict.edit.correction)
        accepted, refused = votes.get(key, (0, 0))
        votes[key] = (accepted + verdict.accepted, refused + (not verdict.accepted))
    return votes


def _auc(credits: Array, accepted: Integers, refused: Integers) -> float | None:
    """The probability that an accepted edit has the higher credit; edits count once per verdict."""
    if not accepted.sum() or not refused.sum():
        return None
    values, number = np.unique(credits, return_inverse=True)
    up, down = (np.bincount(number, each, len(values)) for each in (accepted, refused))
    below = np.cumsum(down) - down
    return float((up * (below + down / 2)).sum() / (up.sum() * down.sum()))
