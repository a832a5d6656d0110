"""The sections about single sentences, and the sentences themselves at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gec_core.analysis import Analysis
from gec_core.analysis.changes import Verdicts
from gec_core.report import figures
from gec_core.report.figures import Kind
from gec_core.report.markup import figure, marked, note, number, paragraph, section, signed, table, text
from gec_core.report.markup import figures as grid

COSTLY, SPLITS, EXAMPLES = 4, 8, 4
PARTS = {"better": "better", "worse": "worse", "equal": "no difference"}


def shown_sentences(found: Analysis) -> list[int]:
    """The sentences that the report speaks of."""
    numbers = {row.sentence for each in found.metrics for row in each.costly[:COSTLY]}
    if found.changes:
        picked = [found.changes.splits(SPLITS), found.changes.better(EXAMPLES), found.changes.worse(EXAMPLES)]
        numbers |= {row.sentence for rows in picked for row in rows}
    return sorted(numbers)


def costly(found: Analysis) -> str:
    if not any(each.costly for each in found.metrics):
        return ""
    tables = []
    for each in found.metrics:
        rows = [
            (
                _link(found, row.sentence),
                signed(row.cost, 6),
                number(row.score, 3),
                f"{text(row.best)} <span class=sub>{number(row.best_score, 3)}</span>",
            )
            for row in each.costly[:COSTLY]
        ]
        if rows:
            heads = ["sentence", "cost", "score", "best"]
            tables.append(f"<div><h3>{text(each.metric.name)}</h3>{table(heads, rows, words=(3,))}</div>")
    return section(
        "costly",
        "The sentences that cost most",
        paragraph(f"How much higher the score of {text(found.system)} would be without a sentence, metric by metric."),
        grid(*tables),
        note(
            "Cost: the score of the corpus without the sentence, less the score with it, in the metric's own points. "
            "Score: of the sentence alone. Best: a system with the highest sentence score, which may be this one."
        ),
    )


def splits(found: Analysis) -> str:
    rows = found.changes.splits(SPLITS) if found.changes else []
    if not rows:
        return ""
    names = {each.metric.id: each.metric.name for each in found.metrics}
    return section(
        "splits",
        "Where the metrics split",
        paragraph(
            f"Sentences on which some metrics prefer {text(found.system)} and others {text(found.rival)}, the firmest "
            "splits first."
        ),
        table(
            ["sentence", f"prefer {text(found.system)}", f"prefer {text(found.rival)}", "strength"],
            [
                (
                    _link(found, row.sentence),
                    _names(row.prefer_system, names),
                    _names(row.prefer_rival, names),
                    number(row.strength, 2),
                )
                for row in rows
            ],
            prose=(1, 2),
        ),
        note(
            "Strength .9: on either side there is a metric that sets nine of ten pairs of outputs of this corpus less "
            "far apart than these two."
        ),
    )


def what_changed(found: Analysis) -> str:
    if found.changes is None:
        return ""
    changes = found.changes
    names = {each.metric.id: each.metric.name for each in found.metrics}
    bars: list[tuple[str, Kind, tuple[int, int, int]]] = [
        (names[row.metric], "other", (row.better, row.worse, row.equal)) for row in changes.tallies
    ]
    return section(
        "changes",
        f"What changed from {text(changes.rival)} to {text(changes.system)}",
        paragraph(
            f"The two differ on <b>{len(changes.verdicts):,}</b> of {changes.sentences:,} sentences. What each metric "
            "makes of these, by sentence scores:"
        ),
        grid(figure(figures.stacked(bars, list(PARTS)), figures.legend(PARTS))) if bars else "",
        table(
            ["metric", "better", "worse", "no difference"],
            [
                (text(names[row.metric]), f"{row.better:,}", f"{row.worse:,}", f"{row.equal:,}")
                for row in changes.tallies
            ],
        ),
        _examples(found, "Clearest improvements", changes.better(EXAMPLES)),
        _examples(found, "Clearest losses", changes.worse(EXAMPLES)),
    )


def _examples(found: Analysis, title: str, rows: Sequence[Verdicts]) -> str:
    if not rows:
        return ""
    links = ", ".join(_link(found, row.sentence) for row in rows)
    return f"<h3>{title}</h3><p>{links}. The metrics agree most firmly on these, on the mean.</p>"


def appendix(found: Analysis) -> str:
    """Every sentence that was spoken of: source, references, outputs and their scores."""
    if not found.corpus.has_texts:
        return ""
    return section(
        "sentences",
        "The sentences",
        note("Counted from 0. What an output deletes is struck through, what it inserts underlined."),
        *(_sentence(found, line) for line in shown_sentences(found)),
    )


def _sentence(found: Analysis, line: int) -> str:
    sentence = found.corpus.sentences[line]
    best = {row.best for each in found.metrics for row in each.costly[:COSTLY] if row.sentence == line}
    systems = [found.system, *([found.rival] if found.rival else []), *sorted(best - {found.system, found.rival})]
    outputs: dict[str, list[str]] = {}
    for system in systems:
        outputs.setdefault(found.corpus.systems[system][line], []).append(system)
    terms = [("source", text(sentence.source) or "<i>(empty)</i>")]
    terms += [(f"reference {at}", marked(sentence.source, each)) for at, each in enumerate(sentence.references, 1)]
    terms += [(text(", ".join(names)), marked(sentence.source, output)) for output, names in outputs.items()]
    listed = "".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in terms)
    return (
        f'<article class=sentence id="s{line}"><h3>Sentence {line}</h3><dl>{listed}</dl>'
        f"{_scores(found, line, [names[0] for names in outputs.values()])}</article>"
    )


def _scores(found: Analysis, line: int, systems: Sequence[str]) -> str:
    heads = ["score", *(text(column.metric.name) for column in found.table.columns)]
    rows = [
        [text(system), *(number(column.sentence_scores(system)[line], 3) for column in found.table.columns)]
        for system in systems
    ]
    return table(heads, rows)


def _link(found: Analysis, line: int) -> str:
    return f'<a href="#s{line}">{line}</a>' if found.corpus.has_texts else str(line)


def _names(ids: Iterable[str], names: dict[str, str]) -> str:
    return text(", ".join(names[id] for id in ids))
