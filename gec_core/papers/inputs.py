"""The inputs of reproduced figures: corpora, scores and human rankings, each computed when first used.

An input that is not available (a metric, its weights, a file, the judgments) raises
`MissingInput`, whose message becomes the reason why the figure is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from gec_core.align.edits import diff_edits
from gec_core.environment import how_to_run
from gec_core.errors import MissingInput, ModelError, OptionError
from gec_core.human import Method, Pairs, published_ranking
from gec_core.human.sources import NAMES, PairSet, judged_pairs, ranking_for
from gec_core.meta import Coefficient, correlate
from gec_core.meta.correlation import Scores
from gec_core.metrics import create, registry
from gec_core.metrics.base import Metric
from gec_core.papers import variants
from gec_core.papers.rows import Attempt
from gec_core.papers.variants import Variant, mixed
from gec_core.scoring import score
from gec_core.scoring.parallel import Workers
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Annotation, Array, Corpus, Edit, Progress, Sentence

PUBLISHED: dict[Method, str] = {"ew": "chollampatt2018-ew", "ts": "chollampatt2018-ts"}
NAPOLES = "napoles2015"
"""The judgments of Napoles et al., as a set of judgments of the corpus and as a published order."""


@dataclass(frozen=True)
class MetricSpec:
    """A metric by its id, with options as text; it need not exist. `{folder}` in an option is the corpus folder."""

    id: str
    options: tuple[tuple[str, str], ...] = ()
    instead_of: str = ""
    """The model of the paper that this one replaces."""

    @property
    def stand_in(self) -> MetricSpec | None:
        """The metric with the model of this machine instead of the paper's, without rescaling by a baseline."""
        options = dict(self.options)
        if "model" not in options:
            return None
        instead_of = options.pop("model") + (", and not rescaled" if options.pop("rescale", None) else "")
        return MetricSpec(self.id, tuple(options.items()), instead_of)

    def metric(self, folder: Path | None) -> Metric:
        if self.id not in registry():
            raise MissingInput(f"the metric {self.id!r} is not part of this version")
        try:
            made = create(self.id, {name: text.format(folder=folder) for name, text in self.options})
        except OptionError as error:
            raise MissingInput(f"a setting of the metric that the paper used: {error}") from None
        if not made.availability().ready:
            raise MissingInput(f"{made.name} cannot run here: {made.availability().how}")
        return made


What = tuple[MetricSpec | Metric, Variant]
"""A metric, and the variant of the corpus that it scores."""
Compute = Callable[[MetricScores], list[Attempt]]
"""The values of a figure, from the scores of a metric."""


@dataclass(frozen=True)
class HumanScores:
    """Human scores of the systems: computed from the judgments, and as published."""

    name: str
    computed: Scores | None
    published: Scores

    def attempts(self, statistic: Callable[[Scores], float]) -> list[Attempt]:
        """A statistic with the computed scores and, as a second attempt, with the published ones.

        Papers used the published ones. They have three decimals, and besides rounding they differ from the computed
        ones by up to .001 (Expected Wins) or by random variation (TrueSkill).
        """
        using = f"with the {self.name} scores that Chollampatt and Ng released"
        if self.computed is None:
            return [Attempt(statistic(self.published), f"{using}: the corpus has no judgments")]
        own = statistic(self.computed)
        return [
            Attempt(own),
            Attempt(statistic(self.published), f"{using}; with those computed here from the judgments: {own:.4f}"),
        ]


class PaperInputs:
    """The inputs of all tables, for one corpus; cached."""

    def __init__(
        self,
        corpus: Corpus,
        folder: Path | None,
        store: Store | None,
        on_progress: Callable[[Progress], None],
        workers: Workers,
    ) -> None:
        self.official = corpus
        self._folder = folder
        self._store = store
        self._on_progress = on_progress
        self._workers = workers
        self._corpora: dict[Variant, Corpus] = {}
        self._columns: dict[What, MetricScores | MissingInput] = {}
        self._people: dict[Method, HumanScores] = {}
        self._pairs: dict[PairSet, Pairs] = {}
        self.seen: list[tuple[Corpus, Metric]] = []
        """The corpora and metrics that were scored (`tools/precompute.py` keeps their rows)."""

    def corpus(self, which: Variant) -> Corpus:
        """The corpus with the references, gold edits or outputs that a paper used."""
        if which not in self._corpora:
            self._corpora[which] = self._make(which)
        return self._corpora[which]

    def _make(self, which: Variant) -> Corpus:
        match which:
            case "official":
                return self.official
            case "um":
                return variants.um(self.official, self._folder)
            case "from_gold":
                return variants.from_gold(self.official)
            case "alternatives":
                return variants.alternatives(self.official, self._folder)
            case "clean":
                return variants.clean(self.corpus("alternatives"))
            case "mixed":
                return mixed(self.corpus("clean"), self.scored)
            case "rewrites":
                return variants.rewrites(self.official, self._folder)

    def column(self, what: MetricSpec | Metric, which: Variant = "official") -> MetricScores:
        """The scores of all systems under a metric."""
        if (what, which) not in self._columns:
            try:
                metric = what.metric(self._folder) if isinstance(what, MetricSpec) else what
                self._columns[what, which] = self.scored(self.corpus(which), metric)
            except MissingInput as error:
                self._columns[what, which] = error
        found = self._columns[what, which]
        if isinstance(found, MissingInput):
            raise found
        return found

    def scored(self, corpus: Corpus, metric: Metric) -> MetricScores:
        """The scores of all systems of any corpus under a metric."""
        self.seen.append((corpus, metric))
        try:
            table = score(corpus, [metric], store=self._store, on_progress=self._on_progress, workers=self._workers)
        except ModelError as error:
            raise MissingInput(str(error)) from error
        return table.columns[0]

    def example(
        self, what: MetricSpec, source: str, references: Sequence[str], output: str, gold: Sequence[Sequence[Edit]] = ()
    ) -> MetricScores:
        """One worked example, as a system called `output`; gold edits are derived from the references if not given."""
        edits = gold or [diff_edits(source, reference) for reference in references]
        annotations = tuple(Annotation(number, tuple(each)) for number, each in enumerate(edits))
        corpus = Corpus("example", (Sentence(source, tuple(references), annotations),), {"output": (output,)})
        return self.scored(corpus, what.metric(self._folder))

    def people(self, method: Method) -> HumanScores:
        """Expected Wins or TrueSkill of the systems."""
        if method not in self._people:
            computed = ranking_for(self.official, method).scores if self.official.judgments else None
            published = published_ranking(PUBLISHED[method]).ranking.scores
            self._people[method] = HumanScores(NAMES[method], computed, published)
        return self._people[method]

    def pairs(self, which: PairSet) -> Pairs:
        """The pairs that the judges compared."""
        if which not in self._pairs:
            self._pairs[which] = judged_pairs(self.official, which)
        return self._pairs[which]

    @cached_property
    def napoles(self) -> Scores:
        """The order of the systems according to the judges of Napoles et al. 2015."""
        return published_ranking(NAPOLES).ranking.scores

    @cached_property
    def napoles_judged(self) -> Scores:
        """TrueSkill from these judges' own judgments, made as for every other set; not fitted to the printed order.

        Raises:
            MissingInput: The corpus has no such set of judgments.
        """
        if NAPOLES not in self.official.judgment_sets:
            raise MissingInput(
                "the judgments of Napoles et al. 2015 (human/napoles2015.xml in the folder of the corpus, which "
                f"`{how_to_run('corpora fetch conll14')}` puts there)"
            )
        scores = ranking_for(self.official.judged_by(NAPOLES), "ts").scores
        return {name: value for name, value in scores.items() if name in self.official.systems}


def spec(id: str, **options: str) -> MetricSpec:
    """A metric with options: `spec("gleu", draw="python3")`."""
    return MetricSpec(id, tuple(sorted(options.items())))


def attempts(inputs: PaperInputs, what: What, compute: Compute) -> list[Attempt]:
    """The values of a figure with the paper's metric, or else with the model of this machine."""
    metric, which = what
    if isinstance(metric, MetricSpec):
        return tried(metric, lambda spec: inputs.column(spec, which), compute)
    return compute(inputs.column(metric, which))


def tried(spec: MetricSpec, scored: Callable[[MetricSpec], MetricScores], compute: Compute) -> list[Attempt]:
    """The same for any way to score; every attempt names the model used instead of the paper's."""
    try:
        column = scored(spec)
    except MissingInput as lacking:
        stand_in = spec.stand_in
        if stand_in is None:
            raise
        try:
            spec, column = stand_in, scored(stand_in)
        except MissingInput:
            raise lacking from None
    found = compute(column)
    if not spec.instead_of:
        return found
    used = column.metric.label.partition(" · ")[2] or "ours"
    return [replace(attempt, instead=f"{used}, in place of {spec.instead_of}") for attempt in found]


def correlations(
    scores: Scores, people: HumanScores, coefficient: Coefficient, without: Sequence[str] = ()
) -> list[Attempt]:
    """The coefficient between a metric and people, with their scores as computed or as published."""
    return people.attempts(lambda human: correlation(scores, human, coefficient, without))


def correlation(one: Scores, other: Scores, coefficient: Coefficient, without: Sequence[str] = ()) -> float:
    """The coefficient.

    Raises:
        MissingInput: It is not defined.
    """
    found = correlate(one, other, coefficient, without=without)
    if found.value is None:
        raise MissingInput(f"{coefficient} is not defined: {found.reason}")
    return found.value


def order(scores: Scores) -> list[str]:
    """The systems from best to worst."""
    return sorted(scores, key=lambda name: (-scores[name], name))


def sentence_scores(column: MetricScores) -> Mapping[str, Array]:
    """The sentence scores of every system."""
    return {system: np.asarray(column.sentence_scores(system)) for system in column.systems}
