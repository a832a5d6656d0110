"""What would turn the order of two systems around; every answer is checked by scoring again.

* The fewest sentences, by their contributions to the gap, without which the leading system no longer leads.
* The order when a group of edits is left out of both systems: texts are rebuilt without these edits, and scored.
* The order when wrong edits that people accepted count as right: the references are extended by annotators who make
  them, and the same outputs are scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from gec_core.align.edits import apply_edits, diff_edits
from gec_core.errors import GecLensError, MissingInput
from gec_core.meta.edit_fates import PairEdits
from gec_core.meta.gap_credits import Edits, SystemOutput
from gec_core.meta.gap_edits import By, name_of
from gec_core.meta.gap_sentences import Gap
from gec_core.metrics.base import Metric
from gec_core.metrics.readings import trimmed
from gec_core.scoring import missing, score
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Annotation, Corpus, Edit, Progress, Sentence, ignore

Kind = Literal["without sentences", "without edits", "accepted edits"]
CHECKED = 40
"""How many sentences more or less are tried where sums predict a number that scoring does not confirm."""


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """The scores of two systems if something were different."""

    kind: Kind
    side: str
    systems: tuple[str, str]
    before: tuple[float, float]
    after: tuple[float, float]
    """Scored again."""
    sentences: tuple[int, ...] = ()
    """Those left out, counted from 0, the largest contribution first."""
    by: By | None = None
    name: str = ""
    """The group of edits that is left out."""
    edits: tuple[int, int] = (0, 0)
    """How many edits are left out or accepted, of the first system and of the second."""

    @property
    def flips(self) -> bool:
        """Whether the system that led before no longer leads."""
        return order(self.before) != order(self.after)


def order(scores: tuple[float, float]) -> int:
    """1 if the first is better, −1 if the second is, 0 if they are equal but for rounding."""
    difference = scores[0] - scores[1]
    return 0 if abs(difference) <= 1e-12 else 1 if difference > 0 else -1


def fewest_sentences(gap: Gap, column: MetricScores | None) -> Counterfactual | None:
    """The fewest sentences without which the leading system no longer leads.

    Sentences are left out in the order of what they contribute to the lead. Sums predict how many it takes, scoring
    the others confirms it.

    Args:
        gap: The gap by sentence.
        column: The scores that the gap is about; None for people.

    Returns:
        None if the two are level, if one leads whatever is left out, or if there is a single sentence.
    """
    leads = order(gap.scores)
    if not leads:
        return None
    ranked = np.argsort(-leads * gap.contributions, kind="stable")
    ranked = ranked[leads * gap.contributions[ranked] > 0]
    most = min(len(ranked), len(gap.contributions) - 1)
    if not most:
        return None

    def after(count: int) -> tuple[float, float]:
        return rescored(gap, column, ranked[:count])

    def turned(scores: tuple[float, float]) -> bool:
        return order(scores) != leads

    count = _predicted(gap, ranked[:most], leads)
    tried = {count: after(count)}
    while not turned(tried[count]) and count < most and len(tried) <= CHECKED:
        count += 1
        tried[count] = after(count)
    while turned(tried[count]) and count > 1 and len(tried) <= CHECKED:
        if (count - 1) not in tried:
            tried[count - 1] = after(count - 1)
        if not turned(tried[count - 1]):
            break
        count -= 1
    if not turned(tried[count]):
        return None
    left_out = tuple(int(line) for line in ranked[:count])
    return Counterfactual("without sentences", gap.side, gap.systems, gap.scores, tried[count], left_out)


def _predicted(gap: Gap, ranked: NDArray[np.intp], leads: int) -> int:
    """How many sentences must be left out by the sums of the others: at least 1, at most all that are ranked."""
    if gap.prices is None or gap.prices.sums.choices is not None:
        left = leads * (gap.gap - np.cumsum(gap.contributions[ranked]))
    else:
        sums = gap.prices.sums
        first, second = (numbers.sum(axis=0) - np.cumsum(numbers[ranked], axis=0) for numbers in gap.prices.numbers)
        function = sums.smooth or sums.score
        left = leads * (function(first) - function(second))
    turned = np.flatnonzero(~(left > 0))
    return int(turned[0]) + 1 if len(turned) else len(ranked)


def rescored(gap: Gap, column: MetricScores | None, left_out: NDArray[np.intp] | Sequence[int]) -> tuple[float, float]:
    """The scores of the two systems without these sentences."""
    keep = np.ones(len(gap.contributions), bool)
    keep[np.asarray(left_out, np.intp)] = False
    if gap.votes is not None:
        won, lost = (float(votes[keep].sum()) for votes in gap.votes)
        return (won / (won + lost), lost / (won + lost)) if won + lost else (0.5, 0.5)
    if gap.ratings is not None:
        rated = [row[keep & ~np.isnan(row)] for row in gap.ratings]
        return (float(rated[0].mean()), float(rated[1].mean())) if len(rated[0]) and len(rated[1]) else gap.scores
    assert column is not None
    rows = [column.systems[name].statistics[keep] for name in gap.systems]
    first, second = (column.metric.aggregate(each).value for each in rows)
    return first, second


def without_group(
    corpus: Corpus,
    metrics: Sequence[Metric],
    edits: PairEdits,
    texts: Mapping[SystemOutput, Edits] | None,
    by: By,
    name: str,
    *,
    before: Mapping[str, tuple[float, float]],
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    patience: float | None = None,
) -> list[Counterfactual]:
    """The order under each metric when a group of edits is left out of both systems.

    Args:
        corpus: The corpus with all systems that were scored.
        metrics: The metrics to score with.
        edits: The edits of the two systems.
        texts: The same edits with their corrections, by output.
        by: What edits are grouped by.
        name: The group that is left out.
        before: The scores of the two systems as they are, by the signature of the metric.
        store: Where scores are looked up and kept.
        on_progress: Told how many pairs are scored.
        patience: Leave out metrics that would take more seconds than this; None: wait.

    Raises:
        MissingInput: The texts are not here.
    """
    if texts is None or not corpus.has_texts:
        raise MissingInput(f"{corpus.name}: texts without some of their edits can be scored where the texts are only.")
    changed = leave_out(corpus, edits, texts, by, name)
    removed = Counter(each.place.system for each in edits.made if name_of(each, by, edits) == name)
    first, second = edits.systems
    scores = _scored(changed, metrics, edits.systems, store, on_progress, patience)
    return [
        Counterfactual(
            kind="without edits",
            side=metric.id,
            systems=edits.systems,
            before=before[metric.signature],
            after=after,
            by=by,
            name=name,
            edits=(removed[first], removed[second]),
        )
        for metric, after in scores
    ]


def _scored(
    changed: Corpus,
    metrics: Sequence[Metric],
    systems: tuple[str, str],
    store: Store | None,
    on_progress: Callable[[Progress], None],
    patience: float | None,
) -> Iterator[tuple[Metric, tuple[float, float]]]:
    """The scores of two systems of a changed corpus, under the metrics that give them within `patience` seconds."""
    alone = changed.only(systems)  # once: keys are kept for the corpus that was asked for last
    for metric in metrics:
        scored = changed if metric.by_peers else alone
        longest = len(scored) * len(scored.systems) * metric.pace
        if patience is not None and longest > patience and missing(scored, metric, store) * metric.pace > patience:
            continue
        try:
            values = score(scored, [metric], store=store, on_progress=on_progress, workers=1).columns[0].values
        except GecLensError:
            continue
        yield metric, (values[systems[0]], values[systems[1]])


def leave_out(corpus: Corpus, edits: PairEdits, texts: Mapping[SystemOutput, Edits], by: By, name: str) -> Corpus:
    """The corpus with outputs of the two systems rebuilt without a group of edits."""
    kept: dict[SystemOutput, list[bool]] = {}
    for each in edits.made:
        kept.setdefault(each.place, []).append(name_of(each, by, edits) != name)
    systems = dict(corpus.systems)
    for system in edits.systems:
        outputs = list(systems[system])
        for line, sentence in enumerate(corpus.sentences):
            place = SystemOutput(system, line)
            flags = kept.get(place, [])
            if not all(flags):
                left = [edit for edit, keep in zip(texts[place], flags, strict=True) if keep]
                outputs[line] = apply_edits(sentence.source, left)
        systems[system] = tuple(outputs)
    return replace(corpus, systems=systems)


class Verdict(Protocol):
    """A judge's verdict on a single edit of an output."""

    @property
    def sentence(self) -> int: ...
    @property
    def systems(self) -> tuple[str, ...]: ...
    @property
    def edit(self) -> Edit: ...
    @property
    def accepted(self) -> bool: ...


def accepted_edits(verdicts: Iterable[Verdict]) -> dict[SystemOutput, list[Edit]]:
    """The edits of each output that more judges accepted than refused."""
    votes: Counter[tuple[SystemOutput, Edit]] = Counter()
    for verdict in verdicts:
        for system in verdict.systems:
            edit = Edit(verdict.edit.start, verdict.edit.end, verdict.edit.correction)
            votes[SystemOutput(system, verdict.sentence), edit] += 1 if verdict.accepted else -1
    found: dict[SystemOutput, list[Edit]] = {}
    for (place, edit), lead in votes.items():
        if lead > 0:
            found.setdefault(place, []).append(edit)
    return found


def with_accepted(
    corpus: Corpus,
    metrics: Sequence[Metric],
    edits: PairEdits,
    texts: Mapping[SystemOutput, Edits] | None,
    accepted: Mapping[SystemOutput, Collection[Edit]],
    *,
    before: Mapping[str, tuple[float, float]],
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    patience: float | None = None,
) -> list[Counterfactual]:
    """The order under each metric when wrong edits that people accepted count as right.

    An edit is wrong if it is in no reference. For each annotator of its sentence, another one joins who makes the
    accepted edits of the system as well, instead of those that overlap them. Metrics without references are left out:
    nothing changes for them.

    Args:
        corpus: The corpus with all systems that were scored.
        metrics: The metrics to score with.
        edits: The edits of the two systems.
        texts: The same edits with their corrections, by output.
        accepted: The edits of outputs that people accepted; see `accepted_edits`.
        before: The scores of the two systems as they are, by the signature of the metric.
        store: Where scores are looked up and kept.
        on_progress: Told how many pairs are scored.
        patience: Leave out metrics that would take more seconds than this; None: wait.

    Returns:
        Nothing if no wrong edit of the two systems was accepted.

    Raises:
        MissingInput: The texts are not here.
    """
    if texts is None or not corpus.has_texts:
        raise MissingInput(f"{corpus.name}: accepted edits can count as right where the texts are only.")
    added = accepted_wrong(corpus, edits, texts, accepted)
    if not added:
        return []
    changed = accept(corpus, added)
    counted = Counter(place.system for place, chosen in added.items() for _ in chosen)
    reading = [metric for metric in metrics if metric.reads != "source"]
    first, second = edits.systems
    return [
        Counterfactual(
            kind="accepted edits",
            side=metric.id,
            systems=edits.systems,
            before=before[metric.signature],
            after=after,
            edits=(counted[first], counted[second]),
        )
        for metric, after in _scored(changed, reading, edits.systems, store, on_progress, patience)
    ]


def accepted_wrong(
    corpus: Corpus,
    edits: PairEdits,
    texts: Mapping[SystemOutput, Edits],
    accepted: Mapping[SystemOutput, Collection[Edit]],
) -> dict[SystemOutput, list[Edit]]:
    """The edits of the two systems that are in no reference and that people accepted, by output."""
    found: dict[SystemOutput, list[Edit]] = {}
    numbers: Counter[SystemOutput] = Counter()
    for made in edits.made:
        edit = texts[made.place][numbers[made.place]]
        numbers[made.place] += 1
        if made.edit.match not in ("error", "elsewhere") or made.place not in accepted:
            continue
        tokens = corpus.sentences[made.place.line].tokens
        if _bare(trimmed(edit, tokens)) in {_bare(trimmed(each, tokens)) for each in accepted[made.place]}:
            found.setdefault(made.place, []).append(edit)
    return found


def _bare(edit: Edit) -> Edit:
    return Edit(edit.start, edit.end, edit.correction)


def accept(corpus: Corpus, added: Mapping[SystemOutput, Sequence[Edit]]) -> Corpus:
    """The corpus with further annotators who make these edits of outputs, each beside what one of the others does."""
    sentences = list(corpus.sentences)
    for place, edits in added.items():
        sentences[place.line] = _with_annotators(sentences[place.line], corpus.sentences[place.line], edits)
    return replace(corpus, sentences=tuple(sentences))


def _with_annotators(sentence: Sentence, original: Sentence, edits: Sequence[Edit]) -> Sentence:
    """The sentence with one more annotator for each of the original ones."""
    golds = [each.edits for each in original.annotations] or [
        diff_edits(original.source, text) for text in original.references
    ]
    numbers = [each.annotator for each in sentence.annotations]
    annotations, references = list(sentence.annotations), list(sentence.references)
    for gold in golds:
        kept = [edit for edit in gold if not any(_meet(edit, other) for other in edits)]
        joined = tuple(sorted([*kept, *edits], key=lambda edit: (edit.start, edit.end)))
        if original.annotations:
            annotations.append(Annotation(max(numbers, default=-1) + 1, joined))
            numbers.append(annotations[-1].annotator)
        if original.references:
            references.append(apply_edits(original.source, joined))
    return replace(sentence, annotations=tuple(annotations), references=tuple(references))


def _meet(edit: Edit, other: Edit) -> bool:
    """Whether two edits cannot both be made: they overlap, or insert at one place."""
    return (edit.start, edit.end) == (other.start, other.end) or edit.overlaps(other)
