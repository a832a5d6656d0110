"""The sections about whole systems: ranks, significance, error types, over- and under-correction."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from gec_core.analysis.analysis import Analysis, MetricAnalysis
from gec_core.analysis.document import (
    BarPlot,
    IntervalPlot,
    MarkedDifference,
    Paragraph,
    PlotPoint,
    Range,
    Role,
    Section,
    SectionTable,
    Share,
    StackedPlot,
    TableColumn,
    paragraph,
    percent_text,
)
from gec_core.analysis.errors import CorrectionCounts, TypeGain
from gec_core.analysis.significance import ALPHA, ScoreDifference, Verdict
from gec_core.formatting import counted
from gec_core.meta.error_types import types_metric

DRAWN_TYPES = 16
"""Error types in a figure; the table has all."""
NO_RIVAL = "There is no other system to compare with."


def standing(found: Analysis) -> Section:
    """Score and rank under each metric, with intervals."""
    rows, points = [], []
    for each in found.metrics:
        name, row, best = each.metric.title, each.standing(found.system), each.standings[0]
        intervals = Range(row.low, row.high), Range(row.rank_low, row.rank_high)
        rows.append((name, row.score, intervals[0], row.rank, intervals[1], best.system, best.score))
        points.append(PlotPoint(name, row.rank, row.rank_low, row.rank_high, "system"))
    columns = (
        TableColumn("metric"),
        TableColumn("score", "number"),
        TableColumn("score, 95% interval", "interval", of="score"),
        TableColumn("rank", "count"),
        TableColumn("rank, 95% interval", "interval", digits=0, of="rank"),
        TableColumn("best system"),
        TableColumn("best score", "number"),
    )
    systems = len(found.corpus.systems)
    ranks = IntervalPlot("ranks", "Rank under each metric", "rank", tuple(points), digits=0, ranks=systems)
    return Section(
        "standing",
        prose=(
            paragraph(
                "Scores and ranks of {system} among {systems}. The intervals show how much depends on the "
                "choice of sentences: they hold the middle 95% of the values when the sentences are drawn again, with "
                "replacement, {samples:,} times.",
                system=found.system,
                systems=counted(systems, "system"),
                samples=found.samples,
            ),
            _markers(found),
        ),
        figures=(ranks, *(_score_plot(found, each) for each in found.metrics)),
        tables=(SectionTable("standing", columns, tuple(rows)),),
        data={"standings": rows_by_metric(found, "standings")},
    )


def _score_plot(found: Analysis, each: MetricAnalysis) -> IntervalPlot:
    points = tuple(
        PlotPoint(row.system, row.score, row.low, row.high, role_of(found, row.system)) for row in each.standings
    )
    return IntervalPlot(
        f"scores-{each.metric.id}",
        f"Scores of all systems under {each.metric.label}",
        each.metric.label,
        points,
        metric=each.metric.title,
    )


def role_of(found: Analysis, system: str) -> Role:
    return "system" if system == found.system else "rival" if system == found.rival else "other"


def _markers(found: Analysis) -> Paragraph:
    """The marker of each system."""
    rival = "◆ {rival}, " if found.rival in found.corpus.systems else ""
    return paragraph(
        "Markers in the figures: ■ {system}, " + rival + "● every other system.", system=found.system, rival=found.rival
    )


def significance(found: Analysis) -> Section:
    """Both tests against the rival, and the bootstrap against every system."""
    if (rival := found.rival) is None:
        return Section("significance", missing=NO_RIVAL)
    return Section(
        "significance",
        prose=(
            paragraph(
                "{system} against {rival} on the same sentences. Both tests are paired and two-sided. The verdict is "
                "better or worse where both give p < {alpha}.",
                system=found.system,
                rival=rival,
                alpha=ALPHA,
            ),
        ),
        tables=(_against_rival(found, rival), _against_all(found)),
        notes=(
            paragraph(
                "**Paired bootstrap**: sentences are drawn with replacement, the same for both systems; b counts the "
                "samples whose difference δ* is at least as far from the observed difference δ as δ is from 0."
            ),
            paragraph(
                "**Approximate randomisation**: for every sentence a coin decides whether the two outputs are "
                "exchanged; b counts the samples whose difference is at least as large as δ."
            ),
            paragraph("With b such samples of {n:,}, p = (b + 1) / ({n:,} + 1).", n=found.samples),
        ),
        data={
            "significance": [
                {"metric": row.pop("metric"), "signature": row.pop("signature"), "system": found.system} | row
                for row in rows_by_metric(found, "differences")
            ]
        },
    )


def _against_rival(found: Analysis, rival: str) -> SectionTable:
    columns = (
        TableColumn("metric"),
        TableColumn(f"score, {found.system}", "number"),
        TableColumn(f"score, {rival}", "number"),
        TableColumn("difference", "signed"),
        TableColumn("difference, 95% interval", "interval", of="difference"),
        TableColumn("p, bootstrap", "p"),
        TableColumn("p, randomisation", "p"),
        TableColumn("verdict", "verdict"),
    )
    rows = []
    for each, column in zip(found.metrics, found.table.columns, strict=True):
        row = each.difference(rival)
        scores = (column.values[name] for name in (found.system, rival))
        tests = (Range(row.low, row.high), row.p_bootstrap, row.p_randomisation, row.verdict)
        rows.append((each.metric.title, *scores, row.difference, *tests))
    return SectionTable("significance", columns, tuple(rows))


def _against_all(found: Analysis) -> SectionTable:
    rivals = [row.rival for row in found.metrics[0].differences]
    return SectionTable(
        "against-all",
        (TableColumn("system"), *(TableColumn(each.metric.title, "change") for each in found.metrics)),
        tuple((rival, *(_marked(each.difference(rival)) for each in found.metrics)) for rival in rivals),
        title="Against every system",
        prose=(
            paragraph(
                "Difference from the score of each system, marked ▲ or ▼ where the paired bootstrap gives p < {alpha}. "
                "If no two systems truly differed, one comparison in twenty would still be marked.",
                alpha=ALPHA,
            ),
        ),
        roles=tuple(role_of(found, rival) for rival in rivals),
    )


def _marked(row: ScoreDifference) -> MarkedDifference:
    """By the bootstrap alone, which is the only test made against every system."""
    verdict: Verdict = "not significant" if row.p_bootstrap >= ALPHA else "better" if row.difference > 0 else "worse"
    return MarkedDifference(row.difference, verdict)


def error_types(found: Analysis) -> Section:
    """Correct and wrong edits beside the rival's, by ERRANT type."""
    if found.rival is None:
        return Section("types", missing=NO_RIVAL)
    if not found.gains:
        return Section(
            "types", missing="Error types need ERRANT, references, and the texts of the corpus on this machine."
        )
    metric = types_metric()
    return Section(
        "types",
        prose=(
            paragraph(
                "Correct and wrong edits of {system} beside those of {rival}, by ERRANT error type.",
                system=found.system,
                rival=found.rival,
            ),
        ),
        figures=_type_plots(found, found.rival),
        tables=(_types_table(found, found.rival, metric.options.beta),),
        notes=(
            paragraph(
                "Correct: a gold edit that the system made (true positive). Wrong: an edit of the system that is not "
                "a gold edit (false positive). Each sentence is compared with the annotator that ERRANT chooses for "
                "the system; gold edits are extracted from the references: `{signature}`.",
                signature=metric.signature,
            ),
        ),
        data={"error_types": _type_rows(found, metric.options.beta)},
    )


def _type_plots(found: Analysis, rival: str) -> tuple[BarPlot, BarPlot]:
    unit = f"more (right) or fewer (left) than {rival}"
    correct = _largest([(gain.type, gain.correct) for gain in found.gains])
    wrong = _largest([(gain.type, gain.wrong) for gain in found.gains])
    return (
        BarPlot("types-correct", "Correct edits", unit, correct),
        BarPlot("types-wrong", "Wrong edits", unit, wrong, more_is_better=False),
    )


def _largest(bars: list[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """The largest differences, from more to fewer."""
    shown = sorted(bars, key=lambda bar: -abs(bar[1]))[:DRAWN_TYPES]
    return tuple(sorted(shown, key=lambda bar: (-bar[1], bar[0])))


def _types_table(found: Analysis, rival: str, beta: float) -> SectionTable:
    pair = (found.system, rival)
    columns = (
        TableColumn("type"),
        *(TableColumn(f"correct, {name}", "count") for name in pair),
        TableColumn("correct, difference", "signed", digits=0),
        *(TableColumn(f"wrong, {name}", "count") for name in pair),
        TableColumn("wrong, difference", "signed", digits=0),
        *(TableColumn(f"F{beta:g}, {name}", "number") for name in pair),
    )

    def size(gain: TypeGain) -> int:
        return max(abs(gain.correct), abs(gain.wrong))

    rows = tuple(
        (
            gain.type,
            gain.system.tp,
            gain.rival.tp,
            gain.correct,
            gain.system.fp,
            gain.rival.fp,
            gain.wrong,
            gain.system.f(beta),
            gain.rival.f(beta),
        )
        for gain in sorted(found.gains, key=lambda gain: -size(gain))
    )
    return SectionTable("types", columns, rows)


def _type_rows(found: Analysis, beta: float) -> list[dict[str, Any]]:
    """One row per system and type, as the command `types --level group` prints them."""
    return [
        {"system": system, "type": gain.type} | asdict(counts) | {"p": counts.p, "r": counts.r, "f": counts.f(beta)}
        for system, side in ((found.system, "system"), (found.rival, "rival"))
        for gain in sorted(found.gains, key=lambda gain: gain.type)
        for counts in [getattr(gain, side)]
        if counts.tp or counts.fp or counts.fn
    ]


def correction(found: Analysis) -> Section:
    """Edits proposed, correct and missed, and sentences without and with errors."""
    if not found.corrections:
        return Section(
            "correction", missing="This needs gold edits or references, and the texts of the corpus on this machine."
        )
    rows = sorted(found.corrections, key=lambda row: -row.proposed)
    own = next(row for row in rows if row.system == found.system)
    roles = tuple(role_of(found, row.system) for row in rows)
    columns = (
        TableColumn("system"),
        *(TableColumn(name, "count") for name in ("proposed", "correct", "wrong", "missed")),
        TableColumn("error-free sentences changed", "share"),
        TableColumn("sentences with errors untouched", "share"),
    )
    cells = tuple(
        (
            row.system,
            row.proposed,
            row.correct,
            row.wrong,
            row.missed,
            Share(row.error_free_changed, row.error_free),
            Share(row.with_errors_untouched, row.with_errors),
        )
        for row in rows
    )
    return Section(
        "correction",
        prose=correction_answers(own),
        figures=(
            StackedPlot(
                "edits",
                "Edits of each system",
                "edits",
                (("correct edits", "good"), ("wrong edits", "bad"), ("gold edits missed", "neutral")),
                tuple(
                    (row.system, role, (row.correct, row.wrong, row.missed))
                    for row, role in zip(rows, roles, strict=True)
                ),
            ),
        ),
        tables=(SectionTable("correction", columns, cells, roles=roles),),
        notes=(
            paragraph(
                "Edits as M² matches them with the gold edits of the annotator it chooses for the system. A sentence "
                "is error-free if no annotator changed it ({free:,}), and has errors if every annotator did "
                "({wrong:,}).",
                free=own.error_free,
                wrong=own.with_errors,
            ),
        ),
        data={
            "correction": [
                asdict(row) | {"wrong": row.wrong, "overcorrected": row.overcorrected, "untouched": row.untouched}
                for row in found.corrections
            ]
        },
    )


def correction_answers(row: CorrectionCounts) -> tuple[Paragraph, ...]:
    """How much a system corrects, and what it does to sentences without and with errors."""
    share = f" ({percent_text(row.correct / row.proposed)})" if row.proposed else ""
    return (
        paragraph(
            "{system} proposes **{proposed:,}** edits, of which **{correct:,}**{share} are correct, and misses "
            "**{missed:,}** gold {edits}.",
            system=row.system,
            proposed=row.proposed,
            correct=row.correct,
            share=share,
            missed=row.missed,
            edits="edit" if row.missed == 1 else "edits",
        ),
        paragraph(
            "It changes **{changed}** of the error-free sentences and leaves **{untouched}** of the sentences with "
            "errors untouched.",
            changed=percent_text(row.overcorrected),
            untouched=percent_text(row.untouched),
        ),
    )


def rows_by_metric(found: Analysis, part: str) -> list[dict[str, Any]]:
    return [
        {"metric": each.metric.id, "signature": each.metric.signature} | asdict(row)
        for each in found.metrics
        for row in getattr(each, part)
    ]
