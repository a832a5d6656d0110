"""The verdict on a system: better or worse than each rival, under which metrics, and by which edits.

A verdict counts the metrics to trust: of the chosen ones, those that agree best with people on judged corpora, and
those that no judged corpus tells apart from the best (`meta.trust`); at least three, if there are so many. Where
nothing is known about the chosen metrics, or the corpus is not English, all of them count, and it says so.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from gec_core.analysis.analysis import Analysis, MetricAnalysis
from gec_core.analysis.document import Paragraph, Range, Role, Section, SectionTable, TableColumn, paragraph
from gec_core.analysis.sentence_sections import NOTHING
from gec_core.corpora.prepare import by_models
from gec_core.formatting import joined
from gec_core.languages import ENGLISH
from gec_core.meta import trust
from gec_core.meta.edit_fates import FATES
from gec_core.meta.gap import GapSide
from gec_core.metrics import registry

FEWEST = 3
"""Metrics that count at least: a verdict of one would hang on its whims."""
NO_TYPE = "–"
TOP = 10
"""Edits in each list."""

Outcome = Literal["better", "worse", "mixed", "not to be told apart"]
_ORDER: tuple[Outcome, ...] = ("better", "worse", "mixed", "not to be told apart")


@dataclass(frozen=True, slots=True)
class RivalVerdict:
    """How a system compares with one rival, by the names of metrics."""

    rival: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    metrics: int
    """The number of metrics that count."""

    @property
    def outcome(self) -> Outcome:
        """One word: better or worse if at least half of the metrics say so significantly and none the opposite."""
        if self.better and self.worse:
            return "mixed"
        if 2 * len(self.better) >= self.metrics:
            return "better"
        return "worse" if 2 * len(self.worse) >= self.metrics else "not to be told apart"


def verdicts(found: Analysis) -> list[RivalVerdict]:
    """The verdict on everything there is to compare with, the analysis' rival first."""
    counted = trusted(found)
    others = [name for name in found.compared.systems if name != found.system]
    others.sort(key=lambda name: name != found.rival)
    return [
        RivalVerdict(rival, _under(counted, rival, "better"), _under(counted, rival, "worse"), len(counted))
        for rival in others
    ]


def trusted(found: Analysis) -> list[MetricAnalysis]:
    """The metrics of an analysis whose verdicts count."""
    if not _judged_language(found):
        return list(found.metrics)
    best, order = _advised(purpose(found))
    known = sorted((each for each in found.metrics if each.metric.id in order), key=lambda e: order.index(e.metric.id))
    counted = {each.metric.id for each in known[:FEWEST]} | {each.metric.id for each in known if each.metric.id in best}
    return [each for each in found.metrics if each.metric.id in counted] or list(found.metrics)


def verdict(found: Analysis) -> Section:
    """Better or worse than whom, which metrics say so, and the edits that cost and earn most."""
    told = verdicts(found)
    if not told:
        return Section("verdict", missing="There is no other system to compare with.")
    rows = tuple(
        (each.rival, each.outcome, ", ".join(each.better) or "–", ", ".join(each.worse) or "–",
         each.metrics - len(each.better) - len(each.worse), _under_all(found, each.rival))
        for each in told
    )  # fmt: skip
    columns = (
        TableColumn("compared with"),
        TableColumn("verdict"),
        TableColumn("significantly better under", "names"),
        TableColumn("significantly worse under", "names"),
        TableColumn("not significant", "count"),
        TableColumn("under all chosen metrics"),
    )
    numbers = [
        {"rival": each.rival, "verdict": each.outcome, "better": list(each.better), "worse": list(each.worse),
         "metrics": each.metrics} for each in told
    ]  # fmt: skip
    edits = _edit_tables(found)
    roles: tuple[Role, ...] = tuple("rival" if each.rival == found.rival else "other" for each in told)
    return Section(
        "verdict",
        prose=tuple(_why_these(found)),
        tables=(
            SectionTable("rivals", columns, tuple((row[0], row[1], (row[2],), (row[3],), *row[4:]) for row in rows),
                         roles=roles),
            *edits,
        ),
        notes=(
            paragraph(
                "Better: significantly better (paired bootstrap over sentences, p < 0.05) under at least half of the "
                "metrics that count, and worse under none; worse likewise; mixed: better under one and worse under "
                "another."
            ),
        ),
        data={"verdict": numbers} | {f"edits-{table.id}": _numbers(table) for table in edits},
    )  # fmt: skip


def trust_section(found: Analysis) -> Section:
    """Which metric the judged corpora speak for, for the purpose of this analysis."""
    if not _judged_language(found):
        return Section(
            "trust", missing="The judged corpora, which show how well metrics agree with people, are English."
        )
    known = registry()
    wanted = purpose(found)
    advised = trust.advice(trust.shipped(), wanted, {id: made.reads for id, made in known.items()})
    names = {id: made().title for id, made in known.items()}
    alone = [id for id, made in known.items() if made.output_alone]
    columns = (
        TableColumn("metric"),
        TableColumn("mean r", "number", 3),
        TableColumn("worst r", "number", 3),
        TableColumn("worst r, 95% interval", "interval", 3, of="worst r"),
        TableColumn("worst view"),
        TableColumn("views", "count"),
        TableColumn("systems at most", "count"),
    )
    rows = tuple(
        (names.get(each.metric, each.metric), each.mean, each.worst["pearson"],
         Range(each.worst["low"], each.worst["high"]), trust.label(each.worst), len(each.rows), each.systems[1])
        for each in advised if each.worst["low"] is not None
    )  # fmt: skip
    return Section(
        "trust",
        prose=(
            *(paragraph("{said}", said=said) for said in trust.told(advised, wanted, names, output_alone=alone)),
            _why_purpose(found),
        ),
        tables=(SectionTable("trust", columns, rows),) if rows else (),
        notes=(
            paragraph(
                "A view is one ranking by people of one set of systems; r is Pearson's correlation of a metric's "
                "scores with it. All purposes: the page Across corpora, or `across --purpose`."
            ),
        ),
        data={"trust": [each.as_dict() for each in advised]},
    )


def purpose(found: Analysis) -> trust.Purpose:
    """What metrics are wanted for: as chosen, and where nothing is chosen, as the files of outputs suggest."""
    references = bool(found.corpus.sentences[0].references) or not found.corpus.has_texts
    chosen = found.language_models
    return trust.Purpose(found.edits, references, bool(by_models(found.corpus)) if chosen is None else chosen)


def _why_purpose(found: Analysis) -> Paragraph:
    """Why language models count as being among the systems, or not, and what the other evidence says."""
    wanted, models = purpose(found), by_models(found.corpus)
    if found.language_models is not None:
        why = "as chosen"
    else:
        why = f"as the files suggest: {joined(models)}" if models else "since no file suggests it"
    means = [
        {each.metric: f"{each.mean:.2f}".replace("-", "−") for each in _ranked(replace(wanted, language_models=which))}
        for which in (True, False)
    ]
    said = [
        f"{each.metric.title} {' and '.join(by_id.get(each.metric.id, '–') for by_id in means)}"
        for each in trusted(found)
    ]
    return paragraph(
        "Language models among the systems: {taken}, {why}. Mean r with and without them: {said}.",
        taken="yes" if wanted.language_models else "no",
        why=why,
        said="; ".join(said),
    )


def sentence(found: Analysis) -> Paragraph:
    """The verdict in one sentence."""
    told = verdicts(found)
    if not told:
        return paragraph("There is no other system to compare {system} with.", system=found.system)
    by = {outcome: [each.rival for each in told if each.outcome == outcome] for outcome in _ORDER}
    parts = []
    for outcome, words in (("better", "**better** than"), ("worse", "**worse** than"),
                           ("mixed", "better under some metrics and worse under others than"),
                           ("not to be told apart", "not to be told apart from")):  # fmt: skip
        if by[outcome]:  # type: ignore[index]
            parts.append(f"{words} {{{_key(outcome)}}}")
    values = {_key(outcome): joined(names) for outcome, names in by.items()}
    return paragraph("{system} is " + "; ".join(parts) + ".", system=found.system, **values)


def _key(outcome: str) -> str:
    return outcome.replace(" ", "_")


def _why_these(found: Analysis) -> list[Paragraph]:
    """Which metrics count, and why these."""
    names = [each.metric.title for each in trusted(found)]
    if not _judged_language(found):
        return [
            paragraph(
                "All {count} metrics count: the judged corpora, which show how well metrics agree with people, are "
                "English.",
                count=len(names),
            )
        ]
    _, order = _advised(purpose(found))
    if not any(each.metric.id in order for each in found.metrics):
        return [
            paragraph(
                "All {count} metrics count: none of them has been compared with people on the judged corpora.",
                count=len(names),
            )
        ]
    left = [each.metric.title for each in found.metrics if each.metric.title not in names]
    text = "What counts here: {names}. Of the chosen metrics, they agree best with people on the judged corpora for "
    text += "{purpose}"
    text += ", or are not told apart from the best. {left} {do} not count." if left else "."
    said = [paragraph(text, names=joined(names), left=joined(left), do="does" if len(left) == 1 else "do",
                      purpose=purpose(found).words), _why_purpose(found)]  # fmt: skip
    if missing := [
        registry()[id]
        for id in order[:FEWEST]
        if id in registry() and id not in {each.metric.id for each in found.metrics}
    ]:
        text = "{missing} agrees with people even better: choose it as well."
        if missing[0].output_alone:
            text += " It reads the output alone, though: changes of meaning and needless edits go unseen."
        said.append(paragraph(text, missing=missing[0].name))
    return said


def _judged_language(found: Analysis) -> bool:
    return found.corpus.language in ("", ENGLISH)


@cache
def _advised(purpose: trust.Purpose) -> tuple[frozenset[str], tuple[str, ...]]:
    """The metric that agrees best with people and those not told apart from it; and all metrics, best first."""
    advised = _ranked(purpose)
    order = tuple(each.metric for each in advised)
    return frozenset((*order[:1], *trust.rivals(advised))), order


@cache
def _ranked(purpose: trust.Purpose) -> list[trust.Advice]:
    """The metrics for a purpose, best first."""
    reads = {id: made.reads for id, made in registry().items()}
    return trust.advice(trust.shipped(), purpose, reads)


def _under_all(found: Analysis, rival: str) -> str:
    """How many of all metrics find the system significantly better, and worse."""
    told = [each.difference(rival).verdict for each in found.metrics]
    return f"better under {told.count('better')}, worse under {told.count('worse')} of {len(told)}"


def _under(counted: Sequence[MetricAnalysis], rival: str, word: str) -> tuple[str, ...]:
    return tuple(each.metric.name for each in counted if each.difference(rival).verdict == word)


def _edit_tables(found: Analysis) -> list[SectionTable]:
    """The edits of the system that cost it most, and those that earn it most, under the first metric that counts."""
    names = {each.metric.id for each in trusted(found)}
    split = [side for side in found.sides if side.edits]
    side = next((each for each in split if each.gap.side in names), next(iter(split), None))
    if side is None or side.edits is None or not found.corpus.has_texts:
        return []
    parts = side.edits.contributions
    own = [place for place, sign in enumerate(side.edits.edits.signs) if sign > 0 and parts[place] != 0]
    own.sort(key=lambda place: float(parts[place]))
    costing = [place for place in own[:TOP] if parts[place] < 0]
    earning = [place for place in own[::-1][:TOP] if parts[place] > 0]
    return [
        _edits(found, side, places, id, title)
        for places, id, title in (
            (costing, "costing", "Edits that cost most"),
            (earning, "earning", "Edits that earn most"),
        )
        if places
    ]


def _edits(found: Analysis, side: GapSide, places: Sequence[int], id: str, title: str) -> SectionTable:
    assert side.edits is not None
    rows: list[tuple[Any, ...]] = []
    for place in places:
        made = side.edits.edits.made[place]
        line = made.place.line
        tokens = found.corpus.sentences[line].tokens
        before = " ".join(tokens[made.edit.start : made.edit.end]) or NOTHING
        change = f"{before}{_arrow(before)}{made.edit.correction or NOTHING}"
        rows.append((line, change, made.edit.type or NO_TYPE, float(side.edits.contributions[place]), FATES[made.fate]))
    columns = [
        TableColumn("sentence", "sentence"),
        TableColumn("edit"),
        TableColumn("type"),
        TableColumn(f"{side.gap.name}", "signed", 5),
        TableColumn("beside the references"),
    ]
    if all(row[2] == NO_TYPE for row in rows):  # without ERRANT
        del columns[2]
        rows = [(*row[:2], *row[3:]) for row in rows]
    return SectionTable(
        id,
        tuple(columns),
        tuple(rows),
        title=title,
        prose=(
            paragraph(
                "Under {metric}: what each edit of {system} adds to its score or takes from it.",
                metric=side.gap.name,
                system=found.system,
            ),
        ),
        beside=(found.rival,) * len(rows),
    )


def _arrow(text: str) -> str:
    """An arrow that points away from the text, also in scripts that run from right to left."""
    mark = "\u200e" if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text) else ""
    return f"{mark} → {mark}"


def _numbers(table: SectionTable) -> list[dict[str, Any]]:
    return [dict(zip((column.name for column in table.columns), row, strict=True)) for row in table.rows]
