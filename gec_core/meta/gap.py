"""Why two systems swap: the gap between them under several sides, split into sentences, edits and groups.

`compare` puts metrics and people side by side for two systems A and B. Each side's gap, score(A) − score(B), is a sum
over sentences (gec_core.meta.gap_sentences), within these over edits (gec_core.meta.gap_edits), and over groups of
edits; gec_core.meta.counterfactuals says what would turn the order around, gec_core.meta.gap_words says it in words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from gec_core.errors import GecLensError, InputError, MissingInput
from gec_core.human.sources import PairSet
from gec_core.meta.counterfactuals import (
    Counterfactual,
    accepted_edits,
    fewest_sentences,
    with_accepted,
    without_group,
)
from gec_core.meta.edit_fates import PairEdits, pair_edits, read_edits, unread
from gec_core.meta.gap_credits import Edits, SystemOutput
from gec_core.meta.gap_edits import BYS, NO_EDIT, By, EditGap, Group, edit_gap, gap_seconds
from gec_core.meta.gap_sentences import Gap, check_pair, column_names, metric_gap, people_gaps
from gec_core.meta.gap_words import told, verdict
from gec_core.metrics.base import Metric
from gec_core.scoring import score
from gec_core.scoring.parallel import Workers
from gec_core.scoring.table import MetricScores
from gec_core.store import MemoryStore, Store
from gec_core.types import Corpus, Edit, Progress, ignore

if TYPE_CHECKING:
    import pandas

Level = Literal["sentence", "edit"]
PATIENCE = 5.0
"""Seconds that a counterfactual may take under one metric unless it is asked for by itself."""
REMEMBERED = 64 << 20
"""Bytes of edits and credits that are kept in memory where there is no store."""
SECONDS_TO_READ = 0.02
"""That ERRANT takes for an output."""


@dataclass(frozen=True, eq=False)
class GapSide:
    """One side of a comparison: its gap by sentence and, where that is possible, by edit."""

    gap: Gap
    edits: EditGap | None = None
    problem: str = ""
    """Why there is no split into edits, if one was asked for."""

    def as_json(self, level: Level, by: Collection[By], top: int | None) -> dict[str, Any]:
        """The side as JSON; sentences are counted from 0, and `top` limits how many sentences and edits are listed.

        What no sentence, or no edit, contributes has a row of its own, whose sentence is null, so that each whole list
        sums to the gap. An edit or a group whose contribution is an estimate has its standard error as `error`; a side
        that cannot be split into edits says why as `problem`.
        """
        gap = self.gap
        found: dict[str, Any] = {
            "side": gap.side,
            "signature": gap.signature,
            "scores": list(gap.scores),
            "ranks": list(gap.ranks),
            "gap": gap.gap,
            "residual": gap.residual,
            "sentences": [
                {"sentence": line, "contribution": float(gap.contributions[line])} for line in gap.strongest(top)
            ]
            + [{"sentence": None, "contribution": each.contribution, "name": each.name} for each in gap.rest],
            "edits": [],
            "groups": [],
        }
        if self.edits and level == "edit":
            found |= {"residual": self.edits.residual, "edits": _edits_json(self.edits, top)}
            found["groups"] = [_group_json(group) for each in by for group in self.edits.groups(each)]
        return found | ({"problem": self.problem} if self.problem else {})


EDIT_FIELDS = ("sentence", "system", "start", "end", "correction", "type", "fate", "contribution")
GROUP_FIELDS = ("by", "name", "contribution", "share", "edits", "sentences")


def _edits_json(found: EditGap, top: int | None) -> list[dict[str, Any]]:
    shown = []
    for index in found.strongest(top):
        place, edit, fate = found.edits.made[index]
        values = (place.line, place.system, edit.start, edit.end, edit.correction, edit.type, fate)
        row = dict(zip(EDIT_FIELDS, (*values, float(found.contributions[index])), strict=True))
        shown.append(row | ({"error": float(found.errors[index])} if found.errors[index] else {}))
    unmade: list[tuple[int | None, float]] = [(None, each.contribution) for each in found.gap.rest]
    unmade += [(line, value) for line, value in enumerate(found.unmade.tolist()) if value]
    for line, contribution in unmade:
        shown.append({**dict.fromkeys(EDIT_FIELDS), "sentence": line, "fate": NO_EDIT, "contribution": contribution})
    return shown


def _group_json(group: Group) -> dict[str, Any]:
    row = {name: getattr(group, name) for name in GROUP_FIELDS} | {"edits": sum(group.edits)}
    return row | ({"error": group.error} if group.error else {})


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two systems under several sides."""

    corpus: Corpus = field(repr=False)
    systems: tuple[str, str]
    sides: tuple[GapSide, ...]
    by: By
    """What words and counterfactuals group edits by."""
    edits: PairEdits | None = field(default=None, repr=False)
    texts: Mapping[SystemOutput, Edits] | None = field(default=None, repr=False)
    counterfactuals: tuple[Counterfactual, ...] = ()
    problems: Mapping[str, str] = field(default_factory=dict)
    """Why a side that was asked for is not here, by its name."""

    @property
    def words(self) -> list[str]:
        """The verdict, in plain words."""
        return verdict([(side.gap, side.edits) for side in self.sides], self.by)

    @property
    def told(self) -> list[str]:
        """The counterfactuals in words."""
        labels = {side.gap.side: side.gap.name for side in self.sides}
        return [told(each, labels[each.side]) for each in self.counterfactuals]

    def __str__(self) -> str:
        return "\n".join([*self.words, *self.told])

    def __repr__(self) -> str:
        sides = ", ".join(side.gap.side for side in self.sides)
        return f"<comparison of {self.systems[0]} and {self.systems[1]} on {self.corpus.name}, under {sides}>"

    def frame(self, level: Literal["group", "sentence", "edit"] = "group") -> pandas.DataFrame:
        """The contributions as a pandas table with one column per side; each column sums to the gap of its side.

        Args:
            level: "group" for one row per group of edits (by error type unless asked otherwise), "sentence" for one
                row per sentence, counted from 0, "edit" for one row per edit of the two systems. What no sentence or
                edit contributes (`Gap.rest`) has a row in the table of groups only.

        Raises:
            InputError: There is no such level, or no side was split into edits.
        """
        import pandas

        named = dict(zip(column_names([side.gap for side in self.sides]), self.sides, strict=True))
        split = {name: side.edits for name, side in named.items() if side.edits}
        if level == "sentence":
            return pandas.DataFrame(
                {name: side.gap.contributions for name, side in named.items()},
                index=pandas.RangeIndex(len(self.corpus), name="sentence"),
            )
        if level not in ("group", "edit"):
            raise InputError(f"level is {level!r}; expected 'group', 'sentence' or 'edit'.")
        if not split or self.edits is None:
            why = next((side.problem for side in self.sides if side.problem), "level='edit' splits it further.")
            raise InputError(f"The gap was split into sentences only. {why}")
        if level == "group":
            columns = {
                name: {group.name: group.contribution for group in each.groups(self.by)} for name, each in split.items()
            }
            return pandas.DataFrame(columns).fillna(0.0).rename_axis(self.by)
        rows = [(*place, *edit[:3], edit.correction, fate) for place, edit, fate in self.edits.made]
        about = pandas.DataFrame(rows, columns=["system", "sentence", "start", "end", "type", "correction", "fate"])
        return about.assign(**{name: each.contributions for name, each in split.items()})

    def as_json(self, *, level: Level = "edit", by: Collection[By] = BYS, top: int | None = None) -> dict[str, Any]:
        """The comparison as `why --format json` prints it; sentences are counted from 0.

        `problems` is there only where a side is not, and says why, by its name.
        """
        found = {
            "systems": list(self.systems),
            "sides": [side.as_json(level, by, top) for side in self.sides],
            "counterfactuals": [
                {key: value for key, value in asdict(each).items() if value not in ((), None, "")}
                | {"flips": each.flips}
                for each in self.counterfactuals
            ],
            "words": [*self.words, *self.told],
        }
        return found | ({"problems": dict(self.problems)} if self.problems else {})


def compare(
    corpus: Corpus,
    first: str,
    second: str,
    metrics: Sequence[Metric],
    *,
    human: Sequence[str] = (),
    level: Level = "edit",
    by: By = "type",
    which: PairSet = "expanded",
    judges: Collection[str] = (),
    counterfactuals: bool = True,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> Comparison:
    """Split the gap between two systems under several metrics, and in the eyes of people.

    Args:
        corpus: The corpus; ranks are among all of its systems.
        first: The system A of score(A) − score(B).
        second: The system B.
        metrics: The metrics whose gaps are split.
        human: Rankings by people to put beside them (`ew`, `ts`, …; see `human`).
        level: "edit" to split sentences into edits, too.
        by: What words and counterfactuals group edits by: error type, fate, operation or sentence length.
        which: The pairs that are made of rankings (gec_core.human.pairs).
        judges: Only what these judges said; empty: all.
        counterfactuals: Whether to find what would turn the order around.
        store: Where scores and credits are looked up and kept.
        on_progress: Called every now and then; it may raise to cancel.
        workers: Where to score (gec_core.scoring).

    Returns:
        The sides that could be split; `problems` says why others could not.

    Raises:
        CorpusError: A system is not in the corpus.
        GecLensError: No side is left; the message is that of the first one.
    """
    check_pair(corpus.systems, first, second, corpus.name)
    people, problems = people_gaps(corpus, first, second, human, which=which, judges=judges)
    columns: Sequence[MetricScores] = ()
    if metrics:
        table = score(corpus, metrics, store=store, on_progress=on_progress, workers=workers)
        columns, problems = table.columns, {**table.problems, **problems}
    return compare_scored(
        corpus,
        first,
        second,
        columns,
        people=people,
        level=level,
        by=by,
        counterfactuals=counterfactuals,
        store=store,
        on_progress=on_progress,
        problems=problems,
    )


def compare_scored(
    corpus: Corpus,
    first: str,
    second: str,
    columns: Sequence[MetricScores],
    *,
    people: Sequence[Gap] = (),
    level: Level = "edit",
    by: By = "type",
    counterfactuals: bool = True,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    problems: Mapping[str, str] | None = None,
) -> Comparison:
    """Split the gap between two systems under metrics whose scores are known; see `compare`."""
    check_pair(corpus.systems, first, second, corpus.name)
    gaps: list[Gap] = []
    told_why = dict(problems or {})
    for column in columns:
        try:
            gaps.append(metric_gap(column, first, second))
        except GecLensError as problem:
            told_why[column.metric.id] = str(problem)
    if not gaps and not people:
        raise MissingInput(next(iter(told_why.values()), "Name a metric or a ranking by people: there is no side."))
    sides, edits, texts = tuple(GapSide(gap) for gap in (*gaps, *people)), None, None
    if level == "edit":
        try:
            texts = read_edits(corpus, [first, second], store, on_progress) if corpus.has_texts else None
            edits = pair_edits(corpus, first, second, texts)
            sides = tuple(_split(corpus, side.gap, edits, texts, store, on_progress) for side in sides)
        except MissingInput as problem:
            sides = tuple(GapSide(side.gap, problem=str(problem)) for side in sides)
    found = Comparison(corpus, (first, second), sides, by, edits, texts, problems=told_why)
    if not counterfactuals:
        return found
    return replace(found, counterfactuals=tuple(turning(found, columns, store=store, on_progress=on_progress)))


def _split(
    corpus: Corpus,
    gap: Gap,
    edits: PairEdits,
    texts: Mapping[SystemOutput, Edits] | None,
    store: Store | None,
    on_progress: Callable[[Progress], None],
) -> GapSide:
    try:
        return GapSide(gap, edit_gap(corpus, gap, edits, texts, store=store, on_progress=on_progress))
    except GecLensError as problem:
        return GapSide(gap, problem=str(problem))


def split_quickly(
    corpus: Corpus,
    columns: Sequence[MetricScores],
    first: str,
    second: str,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    patience: float = PATIENCE,
) -> tuple[GapSide, ...]:
    """The sides whose gaps can be split into edits within `patience` seconds each, as far as that can be told."""
    sides: list[GapSide] = []
    store = MemoryStore(REMEMBERED) if store is None else store
    if unread(corpus, (first, second), store) * SECONDS_TO_READ > patience:
        return ()
    try:
        texts = read_edits(corpus, [first, second], store, on_progress) if corpus.has_texts else None
        edits = pair_edits(corpus, first, second, texts)
    except MissingInput:
        return ()
    for column in columns:
        try:
            gap = metric_gap(column, first, second)
            if gap_seconds(corpus, gap, edits, store) <= patience:
                sides.append(GapSide(gap, edit_gap(corpus, gap, edits, texts, store=store, on_progress=on_progress)))
        except GecLensError:
            continue  # scores of whole systems or imported ones, which cannot be split
    return tuple(sides)


def turning(
    found: Comparison,
    columns: Sequence[MetricScores],
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    patience: float | None = PATIENCE,
    accepted: Mapping[SystemOutput, Collection[Edit]] | None = None,
) -> Iterator[Counterfactual]:
    """What would turn the order around: for each side the fewest sentences, and its strongest group of edits.

    The group that speaks most for the leading system of a side is left out of both systems, under all metrics whose
    new texts can be scored within `patience` seconds. Where people gave verdicts on edits (those of the corpus, or
    `accepted`), wrong edits that they accepted are counted as right.
    """
    by_signature = {column.metric.signature: column for column in columns}
    for side in found.sides:
        if fewest := fewest_sentences(side.gap, by_signature.get(side.gap.signature)):
            yield fewest
    if found.edits is None or found.texts is None:
        return
    scored = [side.gap for side in found.sides if side.gap.metric and side.gap.metric.availability().ready]
    before = {gap.signature: gap.scores for gap in scored}
    for name in strongest_groups(found):
        yield from without_group(
            found.corpus,
            [gap.metric for gap in scored if gap.metric],
            found.edits,
            found.texts,
            found.by,
            name,
            before=before,
            store=store,
            on_progress=on_progress,
            patience=patience,
        )
    if accepted is None:
        accepted = accepted_edits(found.corpus.verdicts)
    if accepted:
        yield from with_accepted(
            found.corpus,
            [gap.metric for gap in scored if gap.metric],
            found.edits,
            found.texts,
            accepted,
            before=before,
            store=store,
            on_progress=on_progress,
            patience=patience,
        )


def strongest_groups(found: Comparison) -> list[str]:
    """For each side the group of edits that speaks most for the system it puts ahead, each once."""
    names = []
    for side in found.sides:
        if side.edits and side.gap.gap:
            leads = 1 if side.gap.gap > 0 else -1
            groups = [group for group in side.edits.groups(found.by) if group.name != NO_EDIT]
            best = max(groups, key=lambda group: leads * group.contribution, default=None)
            if best and leads * best.contribution > 0:
                names.append(best.name)
    return list(dict.fromkeys(names))
