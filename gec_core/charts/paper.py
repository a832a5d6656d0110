"""The tables and figures that papers print of a corpus, for the command line and for the button *Export* alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from gec_core.analysis.paper import PaperTable, bibtex, made_with, provenance
from gec_core.formatting import joined, minus
from gec_core.meta import Coefficient, correlate, rank_differences

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from gec_core.metrics.base import Metric
    from gec_core.types import Corpus, Note

Values = Mapping[str, float]
CELLS = (
    "A cell has the rank, how many ranks higher (↑) or lower (↓) than by people it is (✓ or =: the same), and the "
    "score; ranks in brackets are those that a system without judgments would take."
)
TABLES = {"scores": "Scores", "ranking": "Rankings", "correlation": "Correlation with people"}
"""The titles of tables, by name."""
FIGURES = {
    "ranking": "Ranks of systems",
    "correlation": "Scores of metrics and of people",
    "leave-one-out": "Correlation with people without each system",
    "top": "Correlation with people among the best systems",
    "metrics": "Correlation of metrics with one another",
}
"""The titles of figures, by name."""
SYMBOLS: dict[Coefficient, str] = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}
_NAMES: dict[Coefficient, str] = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}
INTERVALS = "Low and high are the ends of 95% intervals (bootstrap over systems)."
"""What the intervals of correlations are."""
_LARGE = 10
"""Scores from here on have one decimal."""


def named(corpus: Corpus) -> str:
    """The name of a corpus, with the number of its sentences if they are a part of it."""
    return corpus.name if corpus.lines is None else f"{corpus.name} ({len(corpus):,} of its sentences)"


def cited(corpus: Corpus) -> str:
    """The publications of a corpus, also where only its scores are on this machine."""
    from gec_core.corpora import catalogue

    known = catalogue.info(corpus.name)
    return corpus.info.citation or (known.citation if known else "")


@dataclass(frozen=True)
class PaperScores:
    """Scores of systems beside a human ranking, and where all of it comes from.

    Attributes:
        corpus: The name of the corpus (see `named`).
        metrics: The metrics, by the title that tables and figures show.
        values: The scores of the systems under each of them.
        human: The name of the human ranking; empty without one.
        people: Its title.
        judged: Its scores of the systems that are not left out.
        left_out: Systems that are not shown.
        notes: What was done to the outputs of systems, by system.
        citation: The publications of the corpus.
    """

    corpus: str
    metrics: Mapping[str, Metric]
    values: Mapping[str, Values]
    human: str = ""
    people: str = ""
    judged: Values | None = None
    left_out: Sequence[str] = ()
    notes: Mapping[str, Sequence[Note]] = field(default_factory=dict)
    citation: str = ""

    def caption(self, what: str) -> list[str]:
        """The sentences that say where the numbers come from."""
        shown = {system for each in self.values.values() for system in each}
        noted = [(name, note) for name, notes in self.notes.items() if name in shown or not name for note in notes]
        done = [f"{self._marked(name)}: {note.text}." if name else f"{note.text}." for name, note in noted]
        sentences = provenance(
            what,
            self.corpus,
            human=f"{self.people} ({self.human})" if self.human and self.people else self.human,
            left_out=sorted(self.left_out),
        )
        unseen = sorted(shown - self.judged.keys()) if self.judged else []
        if unseen and what not in (TABLES["scores"], FIGURES["metrics"]):
            done.append(f"Without judgments, and so outside of the ranking: {joined(unseen)}.")
        return [*sentences, *done]

    @property
    def made_with(self) -> list[str]:
        """The signatures of the metrics, and the versions."""
        return made_with((name, metric.signature, metric.citation) for name, metric in self.metrics.items())

    def _marked(self, system: str) -> str:
        """The name of a system, with † if its scores do not mean what they seem to; the caption says why."""
        return f"{system} †" if any(note.caution for note in self.notes.get(system, ())) else system

    def bibtex(self) -> str:
        """The publications of the metrics and of the corpus."""
        return bibtex([*(metric.citation for metric in self.metrics.values()), self.citation])

    def table(self, which: str) -> PaperTable:
        """One of TABLES."""
        made: dict[str, Callable[[], PaperTable]] = {
            "scores": self._scores, "ranking": self._ranking, "correlation": self._correlations
        }  # fmt: skip
        return made[which]()

    def panels(self, which: str, kind: Coefficient = "pearson") -> list[go.Figure]:
        """The figures of one of FIGURES, side by side in its file.

        Args:
            which: The name.
            kind: The coefficient, where the figure is about one.
        """
        from gec_core import charts

        if which == "ranking":
            placed = ((name, _ranks(each, self.judged)) for name, each in self._everything.items())
            shown = {name: {self._marked(system): ranks[system] for system in ranks} for name, ranks in placed}
            return [charts.bump_chart(shown)]
        if which == "metrics":
            names = list(self.values)
            grid = [[correlate(self.values[one], self.values[each], kind).value for each in names] for one in names]
            texts = [[_rounded(cell, 2) for cell in row] for row in grid]
            return [charts.heatmap(grid, texts, names, low=-1, high=1, colours=charts.DIVERGING, bar=SYMBOLS[kind])]
        judged = self.judged or {}
        if which == "correlation":
            return [
                charts.scatter(each, judged, x=name, y=self.people, told=_above(each, judged))
                for name, each in self.values.items()
            ]
        return [self._left_one_out(judged, kind) if which == "leave-one-out" else self._best_only(judged, kind)]

    @property
    def _everything(self) -> dict[str, Values]:
        return ({self.people: self.judged} if self.judged is not None else {}) | dict(self.values)

    def _scores(self) -> PaperTable:
        first = next(iter(self.values.values()))
        systems = sorted(first, key=lambda system: -first[system])
        rows: list[list[Any]] = [[system, *(each.get(system) for each in self.values.values())] for system in systems]
        printed = [[self._marked(system), *scores] for system, *scores in rows]
        heads, best = ["system", *self.values], frozenset(range(1, len(self.values) + 1))
        return PaperTable(
            heads, printed, self.caption(TABLES["scores"]), 4, best, numbers=(heads, rows), notes=self.made_with
        )

    def _ranking(self) -> PaperTable:
        """Rank, arrow and score of every system, as the page *Rankings* shows them; the first ranks are bold."""
        everything, judged = self._everything, self.judged
        placed = {name: _ranks(each, judged) for name, each in everything.items()}
        compared = {name: rank_differences(each, judged) for name, each in self.values.items()} if judged else {}
        arrows = {name: {row.system: row.arrow for row in found.rows} for name, found in compared.items()}
        by = next(iter(everything.values()))
        systems = sorted(
            {system for each in everything.values() for system in each},
            key=lambda system: (system not in by, -by.get(system, 0.0), system),
        )
        rows: list[list[Any]] = []
        numbers: list[list[Any]] = []
        first = set[tuple[int, int]]()
        for system in systems:
            first |= {(len(rows), column) for column, each in enumerate(placed.values(), 1) if each.get(system) == 1}
            cells = [_cell(system, each, placed[name], arrows.get(name, {})) for name, each in everything.items()]
            rows.append([self._marked(system), *cells])
            plain = [(each.get(system), placed[name].get(system)) for name, each in everything.items()]
            told = [] if judged is None else ["yes" if system in judged else "no"]
            numbers.append([system, *(number for pair in plain for number in pair), *told])
        if judged:
            rows.append(["sum of distances", "", *(str(found.total) for found in compared.values())])
        heads = ["system", *(head for name in everything for head in (name, f"{name} rank"))]
        first_sentence, *told = self.caption(TABLES["ranking"])
        return PaperTable(
            ["system", *everything],
            rows,
            [first_sentence, CELLS if judged else "A cell has the rank and the score.", *told],
            bold=frozenset(first),
            numbers=([*heads, "judged"] if judged is not None else heads, numbers),
            centred=True,
            notes=self.made_with,
        )

    def _correlations(self) -> PaperTable:
        """All coefficients with their intervals, as the page *Correlation* shows them."""
        rows = []
        for name, each in self.values.items():
            found = [correlate(each, self.judged or {}, kind) for kind in get_args(Coefficient)]
            ends = [result.interval() for result in found]
            cells = ((result.value, end.low, end.high) for result, end in zip(found, ends, strict=True))
            rows.append([name, found[0].n, *(cell for each in cells for cell in each)])
        rows.sort(key=lambda row: -2.0 if row[2] is None else row[2], reverse=True)
        heads = [f"{SYMBOLS[kind]}{end}" for kind in get_args(Coefficient) for end in ("", ", low", ", high")]
        caption = [*self.caption(TABLES["correlation"]), INTERVALS]
        return PaperTable(["metric", "systems", *heads], rows, caption, 3, frozenset({2, 5, 8}), notes=self.made_with)

    def _left_one_out(self, judged: Values, kind: Coefficient) -> go.Figure:
        from gec_core import charts

        without: dict[str, dict[str, float]] = {}
        for name, each in self.values.items():
            parts = {system: correlate(each, judged, kind, without=[system]).value for system in judged}
            without[name] = {system: value for system, value in parts.items() if value is not None}
        whole = {name: correlate(each, judged, kind).value for name, each in self.values.items()}
        return charts.strips(without, whole, x=_NAMES[kind])

    def _best_only(self, judged: Values, kind: Coefficient) -> go.Figure:
        from gec_core import charts
        from gec_core.meta.correlation import FEWEST

        lines = {
            name: {count: correlate(each, judged, kind, top=count).value for count in range(FEWEST, len(judged) + 1)}
            for name, each in self.values.items()
        }
        return charts.curves(lines, x=f"number of best systems by {self.people}", y=_NAMES[kind])


def _above(values: Values, judged: Values) -> str:
    """The correlations, as a figure in a paper has them above its panel."""
    kinds: tuple[Coefficient, ...] = ("pearson", "spearman")
    return ", ".join(f"{SYMBOLS[kind]} = {_rounded(correlate(values, judged, kind).value, 3)}" for kind in kinds)


def _cell(system: str, scores: Values, placed: Mapping[str, int], arrows: Mapping[str, str]) -> str | None:
    if system not in scores:
        return None
    rank = str(placed[system]) if system in placed else f"({1 + sum(scores[o] > scores[system] for o in placed)})"
    digits = 3 if max(map(abs, scores.values())) < _LARGE else 1
    return " ".join(filter(None, [rank, arrows.get(system, ""), _rounded(scores[system], digits)]))


def _ranks(scores: Values, among: Iterable[str] | None) -> dict[str, int]:
    """Competition ranks among the judged systems: systems with the same score share one."""
    kept = scores if among is None else {system: scores[system] for system in among if system in scores}
    return {system: 1 + sum(other > score for other in kept.values()) for system, score in kept.items()}


def _rounded(value: float | None, digits: int) -> str:
    return "–" if value is None else minus(f"{value:.{digits}f}")
