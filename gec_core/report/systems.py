"""The sections about whole systems: where it stands, whether that is chance, error types, how much it corrects."""

from __future__ import annotations

from collections.abc import Sequence

from gec_core.analysis import Analysis, UnderMetric
from gec_core.analysis.correction import Correction
from gec_core.analysis.significance import ALPHA, Difference
from gec_core.meta.error_types import types_metric
from gec_core.report import figures
from gec_core.report.figures import Estimate, Kind
from gec_core.report.markup import (
    figure,
    note,
    number,
    paragraph,
    percent,
    probability,
    section,
    signed,
    span,
    table,
    text,
)
from gec_core.report.markup import figures as grid

DRAWN_TYPES = 16


def kind_of(found: Analysis, system: str) -> Kind:
    return "mine" if system == found.system else "rival" if system == found.rival else "other"


def standing(found: Analysis) -> str:
    rows = []
    for each in found.metrics:
        own, best = each.standing(found.system), each.standings[0]
        rows.append(
            (
                text(each.metric.name),
                number(own.score),
                span(own.low, own.high),
                f"{own.rank} of {own.systems}",
                span(own.rank_low, own.rank_high, 0),
                f"{text(best.system)} <span class=sub>{number(best.score)}</span>",
            )
        )
    heads = ["metric", "score", "95% of samples", "rank", "95% of samples", "first"]
    drawn = [
        Estimate(each.metric.name, own.rank, own.rank_low, own.rank_high, "mine")
        for each in found.metrics
        for own in [each.standing(found.system)]
    ]
    count = len(found.corpus.systems)
    return section(
        "standing",
        "Where it stands",
        paragraph(
            f"Scores and ranks of {text(found.system)} among {count} systems. The intervals say how much depends on "
            f"which sentences happened to be tested: {found.provenance.samples:,} times the sentences of the corpus "
            f"were drawn anew, with replacement. {_marks(found)}"
        ),
        table(heads, rows, words=(5,)),
        grid(
            figure(figures.ranks(drawn, count), "<b>Its rank under each metric</b>"),
            *(
                figure(figures.scores(_estimates(found, each)), f"<b>{text(each.metric.label)}</b>")
                for each in found.metrics
            ),
        ),
    )


def _marks(found: Analysis) -> str:
    """What the figures draw whom as."""
    rival = f", ◆ {text(found.rival)}" if found.rival else ""
    return f"In the figures, ■ is {text(found.system)}{rival}, ● everybody else."


def _estimates(found: Analysis, each: UnderMetric) -> list[Estimate]:
    return [Estimate(row.system, row.score, row.low, row.high, kind_of(found, row.system)) for row in each.standings]


def significance(found: Analysis) -> str:
    if found.rival is None:
        return ""
    rows = []
    for each in found.metrics:
        row = each.difference(found.rival)
        rows.append(
            (
                text(each.metric.name),
                number(each.standing(found.system).score),
                number(each.standing(found.rival).score),
                signed(row.difference),
                f"{signed(row.low)} to {signed(row.high)}",
                probability(row.p_bootstrap),
                probability(row.p_randomisation),
                _verdict(row),
            )
        )
    heads = [
        "metric",
        text(found.system),
        text(found.rival),
        "difference",
        "95% of samples",
        "p, bootstrap",
        "p, randomisation",
        "verdict",
    ]
    return section(
        "significance",
        "Is the difference chance?",
        paragraph(f"{text(found.system)} against {text(found.rival)}, on the same sentences."),
        table(heads, rows, words=(7,)),
        note(
            "Both tests are paired and two-sided; p = (b + 1) / (n + 1), where b of n samples differ at least as much "
            "without there being a difference. Paired bootstrap: sentences are drawn anew, b counts |δ* − δ| ≥ |δ|. "
            "Approximate randomisation: outputs of the two are exchanged at random, b counts |δ′| ≥ |δ|. "
            f"Better or worse stands where both are below {ALPHA}."
        ),
        "<h3>Against every system</h3>",
        table(["system", *(text(each.metric.name) for each in found.metrics)], *_against_all(found)),
        note(
            "Difference of scores; ▲ or ▼ where the paired bootstrap gives p &lt; "
            f"{ALPHA}. Of twenty comparisons without any true difference one would be marked by chance."
        ),
    )


def _verdict(row: Difference) -> str:
    sign = {"better": "▲", "worse": "▼"}.get(row.verdict)
    return f"<span class={row.verdict}>{sign} {row.verdict}</span>" if sign else row.verdict


def _against_all(found: Analysis) -> tuple[list[list[str]]]:
    rivals = [row.rival for row in found.metrics[0].differences]
    return ([[text(rival), *(_short(each.difference(rival)) for each in found.metrics)] for rival in rivals],)


def _short(row: Difference) -> str:
    if row.p_bootstrap >= ALPHA:
        return signed(row.difference, 3)
    sign, said = ("▲", "better") if row.difference > 0 else ("▼", "worse")
    return f"<span class={said}>{sign} {signed(row.difference, 3)}</span>"


def error_types(found: Analysis) -> str:
    if not found.gains or found.rival is None:
        return ""
    beta = types_metric().options.beta
    rows = [
        (
            text(gain.type),
            *(f"{counts.tp:,}" for counts in (gain.system, gain.rival)),
            signed(gain.found, 0),
            *(f"{counts.fp:,}" for counts in (gain.system, gain.rival)),
            signed(gain.overdone, 0),
            number(gain.system.f(beta)),
            number(gain.rival.f(beta)),
        )
        for gain in found.gains
    ]
    mine, rival = text(found.system), text(found.rival)
    heads = ["type", f"found<br>{mine}", f"found<br>{rival}", "more found"]
    heads += [f"overdone<br>{mine}", f"overdone<br>{rival}", "more overdone", f"F<br>{mine}", f"F<br>{rival}"]
    most = sorted(found.gains, key=lambda gain: -abs(gain.found))[:DRAWN_TYPES]
    shown = sorted(most, key=lambda gain: (-gain.found, gain.type))
    overdone = sorted(found.gains, key=lambda gain: -abs(gain.overdone))[:DRAWN_TYPES]
    return section(
        "types",
        "Error types gained and lost",
        paragraph(f"What {mine} finds more and less than {rival}, by ERRANT's types."),
        grid(
            figure(
                figures.gains([(gain.type, gain.found) for gain in shown]),
                f"<b>Errors found</b>, more (right) or fewer than by {rival}",
            ),
            figure(
                figures.gains(
                    [(gain.type, gain.overdone) for gain in sorted(overdone, key=lambda gain: -gain.overdone)],
                    more_is_better=False,
                ),
                f"<b>Wrong edits</b>, more (right) or fewer than by {rival}",
            ),
        ),
        table(heads, rows),
        note(
            "Found are gold edits that the system made, overdone are edits of the system that the annotator did not "
            "make; in each sentence the annotator counts whom ERRANT chooses for the system. Gold edits are read off "
            f"the references. <code>{text(types_metric().signature)}</code>"
        ),
    )


PARTS = {"correct": "correct edits", "wrong": "wrong edits", "missed": "gold edits missed"}


def correction(found: Analysis) -> str:
    if not found.corrections:
        return ""
    ordered = sorted(found.corrections, key=lambda row: -row.proposed)
    rows = [_correction(row) for row in ordered]
    heads = [
        "system",
        "proposed",
        "correct",
        "wrong",
        "missed",
        "error-free sentences changed",
        "errors left untouched",
    ]
    bars = [(row.system, kind_of(found, row.system), (row.correct, row.wrong, row.missed)) for row in ordered]
    return section(
        "correction",
        "Too much, or too little",
        grid(figure(figures.stacked(bars, list(PARTS)), figures.legend(PARTS))),
        table(heads, rows, marks=[kind_of(found, row.system) for row in ordered]),
        note(
            "Edits as M² matches them with the gold edits, under the annotator it chooses for the system. A sentence "
            "is free of errors if no annotator changed anything in it; it has errors if every annotator did. The last "
            "column is the share of sentences with errors in which the system changed nothing."
        ),
    )


def _correction(row: Correction) -> Sequence[str]:
    counts = (row.proposed, row.correct, row.wrong, row.missed)
    return (
        text(row.system),
        *(f"{count:,}" for count in counts),
        f"{percent(row.overcorrected)} <span class=sub>{row.error_free_changed:,} of {row.error_free:,}</span>",
        f"{percent(row.untouched)} <span class=sub>{row.with_errors_untouched:,} of {row.with_errors:,}</span>",
    )
