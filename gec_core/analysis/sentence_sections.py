"""The sections about single sentences, and the sentences themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from gec_core.align.edits import diff_edits
from gec_core.analysis.analysis import Analysis, MetricAnalysis
from gec_core.analysis.document import (
    Piece,
    Section,
    SectionTable,
    SentenceExample,
    StackedPlot,
    TableColumn,
    paragraph,
)
from gec_core.analysis.sentences import TRIED, SentencePreferences
from gec_core.analysis.system_sections import NO_RIVAL, rows_by_metric
from gec_core.formatting import joined

COSTLY, SPLITS, EXAMPLES = 4, 8, 4
"""Rows of the HTML file's tables of sentences, whose texts it shows."""
NOTHING = "∅"
LISTED_EXAMPLES = 10
"""Clearest improvements and losses on the page."""


def costly(found: Analysis) -> Section:
    """What the score would gain without a sentence."""
    listed = [each for each in found.metrics if each.costly]
    if not listed:
        return Section("costly", missing="No sentence lowers the score of this system.")
    return Section(
        "costly",
        prose=(
            paragraph(
                "The sentences that lower the score of {system} most, metric by metric.",
                system=found.system,
            ),
        ),
        tables=tuple(_costly_table(found, each) for each in listed),
        notes=(
            paragraph(
                "Cost: the score of the corpus without the sentence minus the score with it, in the metric's own "
                "points. Score: the sentence score of {system}. Best system: one with the highest sentence score, "
                "possibly {system} itself."
                + (
                    " Only the {tried:,} sentences with the lowest scores were tried."
                    if len(found.corpus) > TRIED
                    else ""
                ),
                system=found.system,
                tried=TRIED,
            ),
        ),
        data={"costly_sentences": rows_by_metric(found, "costly")},
    )


def _costly_table(found: Analysis, each: MetricAnalysis) -> SectionTable:
    columns = (
        TableColumn("sentence", "sentence"),
        TableColumn("cost", "signed", digits=6),
        TableColumn("score", "number", digits=3),
        TableColumn("best system"),
        TableColumn("best score", "number", digits=3),
        *_passages(found, "source"),
    )
    rows = tuple(
        (row.sentence, row.cost, row.score, row.best, row.best_score, *_sources(found, row.sentence))
        for row in each.costly
    )
    beside = tuple(row.best if row.best != found.system else found.rival for row in each.costly)
    return SectionTable(
        f"costly-{each.metric.id}",
        columns,
        rows,
        each.metric.title,
        metric=each.metric.title,
        beside=beside,
        brief=COSTLY,
    )


def disagreements(found: Analysis) -> Section:
    """Where some metrics prefer the system and others the rival."""
    if (compared := found.comparison) is None:
        return Section("splits", missing=NO_RIVAL)
    rows = compared.disagreements()
    if not rows:
        return Section("splits", missing="The metrics never disagree on these two systems. Choose more metrics.")
    names = _metric_names(found)
    columns = (
        TableColumn("sentence", "sentence"),
        TableColumn("strength", "level", digits=2),
        TableColumn(f"prefer {compared.system}", "names"),
        TableColumn(f"prefer {compared.rival}", "names"),
        *_passages(found, "source"),
    )
    cells = tuple(
        (
            row.sentence,
            row.strength,
            tuple(names[id] for id in row.prefer_system),
            tuple(names[id] for id in row.prefer_rival),
            *_sources(found, row.sentence),
        )
        for row in rows
    )
    return Section(
        "splits",
        prose=(
            paragraph(
                "Sentences on which some metrics prefer {system} and others {rival}, the strongest disagreements "
                "first.",
                system=compared.system,
                rival=compared.rival,
            ),
        ),
        tables=(SectionTable("splits", columns, cells, beside=(compared.rival,) * len(rows), brief=SPLITS),),
        notes=(
            paragraph(
                "Strength 0.9: on either side, a metric sets these two outputs farther apart than 90% of all pairs of "
                "different outputs in this corpus."
            ),
        ),
    )


def changed_outputs(found: Analysis) -> Section:
    """The sentences on which the output differs from the rival's, or from an earlier version's."""
    if (compared := found.comparison) is None:
        return Section("changes", missing=NO_RIVAL)
    names = _metric_names(found)
    counts = [(names[row.metric], (row.better, row.worse, row.equal)) for row in compared.counts]
    heads = ("better", "worse", "no difference")
    clearest = (
        _clearest(found, "improvements", compared.better(LISTED_EXAMPLES)),
        _clearest(found, "losses", compared.worse(LISTED_EXAMPLES)),
    )
    return Section(
        "changes",
        prose=(
            paragraph(
                "The outputs of {system} and {rival} differ on **{differ:,}** of {sentences:,} sentences. The figure "
                "and the table count the sentences on which {system} has the higher sentence score (better), the lower "
                "one (worse) or the same.",
                system=compared.system,
                rival=compared.rival,
                differ=len(compared.preferences),
                sentences=compared.sentences,
            ),
        ),
        figures=(
            StackedPlot(
                "changes",
                "Sentences with different outputs",
                "sentences",
                tuple(zip(heads, ("good", "bad", "neutral"), strict=True)),
                tuple((name, "other", values) for name, values in counts),
            ),
        ),
        tables=(
            SectionTable(
                "changes",
                (TableColumn("metric"), *(TableColumn(head, "count") for head in heads)),
                tuple((name, *values) for name, values in counts),
            ),
            *(table for table in clearest if table.rows),
        ),
        notes=(
            paragraph(
                "Clearest are the sentences with the highest mean strength of preference over all metrics; the tables "
                "say what {system} writes instead of the words of {rival}, and which metrics prefer either of them.",
                system=compared.system,
                rival=compared.rival,
            ),
        ),
        data={
            "changes": [asdict(row) for row in compared.counts],
            "changed_sentences": [asdict(row) for row in compared.preferences],
        },
    )


def _clearest(found: Analysis, what: str, rows: Sequence[SentencePreferences]) -> SectionTable:
    """Sentences with what the system writes instead of the rival's words, and which metrics gain by it."""
    names = _metric_names(found)
    columns = (
        TableColumn("sentence", "sentence"),
        *((TableColumn(f"{found.rival} → {found.system}", "names"),) if found.corpus.has_texts else ()),
        *(TableColumn(f"prefer {name}", "names") for name in (found.system, found.rival)),
        *_passages(found, f"output, {found.system}"),
    )
    cells = []
    for row in rows:
        told = [tuple(names[id] for id in ids) for ids in (row.prefer_system, row.prefer_rival)]
        if not found.corpus.has_texts:
            cells.append((row.sentence, *told))
            continue
        old, new = (found.compared.systems[name][row.sentence] for name in (str(found.rival), found.system))
        cells.append((row.sentence, word_differences(old, new), *told, new))
    beside = (found.rival,) * len(rows)
    return SectionTable(f"clearest-{what}", columns, tuple(cells), f"Clearest {what}", beside=beside, brief=EXAMPLES)


def examples(found: Analysis) -> Section:
    """The texts of the sentences that the other sections name first."""
    if not found.corpus.has_texts:
        return Section("sentences", missing="The texts of this corpus are not on this machine.")
    reasons = _named_sentences(found)
    if not reasons:
        return Section("sentences", missing="No other section names a sentence.")
    return Section(
        "sentences",
        prose=(
            paragraph(
                "The sentences at the head of the tables of sentences. Words that a text deletes from the source are "
                "struck through, words that it inserts are underlined."
            ),
        ),
        examples=tuple(_example(found, line, reasons[line]) for line in sorted(reasons)),
    )


def _named_sentences(found: Analysis) -> dict[int, tuple[str, ...]]:
    """The sentences in the tables of the HTML file, and why they are there."""
    costly: dict[int, list[str]] = {}
    for each in found.metrics:
        for row in each.costly[:COSTLY]:
            costly.setdefault(row.sentence, []).append(each.metric.title)
    reasons: dict[int, tuple[str, ...]] = {line: (f"costly under {joined(names)}",) for line, names in costly.items()}
    if compared := found.comparison:
        for reason, rows in (
            ("metrics disagree", compared.disagreements(SPLITS)),
            ("clear improvement", compared.better(EXAMPLES)),
            ("clear loss", compared.worse(EXAMPLES)),
        ):
            reasons |= {row.sentence: (*reasons.get(row.sentence, ()), reason) for row in rows}
    return reasons


def _example(found: Analysis, line: int, reasons: tuple[str, ...]) -> SentenceExample:
    sentence = found.corpus.sentences[line]
    best = {row.best for each in found.metrics for row in each.costly[:COSTLY] if row.sentence == line}
    systems = [found.system, *([found.rival] if found.rival else []), *sorted(best - {found.system, found.rival})]
    outputs: dict[str, list[str]] = {}
    for system in systems:
        outputs.setdefault(found.compared.systems[system][line], []).append(system)
    references = {f"reference {at}": text for at, text in enumerate(sentence.references, 1)}
    named = [(", ".join(names), text) for text, names in outputs.items()]
    columns = found.table.columns
    scores = SectionTable(
        f"sentence-{line}",
        (TableColumn("sentence score"), *(TableColumn(each.metric.title, "number", digits=3) for each in columns)),
        tuple(
            (", ".join(names), *(float(each.sentence_scores(names[0])[line]) for each in columns))
            for names in outputs.values()
        ),
    )
    texts = (
        ("source", (Piece(sentence.source),)),
        *((name, pieces(sentence.source, text)) for name, text in (*references.items(), *named)),
    )
    return SentenceExample(line, reasons, texts, scores)


def word_differences(old: str, new: str) -> tuple[str, ...]:
    """What a text writes instead of another's words; an insertion or deletion is told with the word after it.

    >>> word_differences("He go to library .", "He goes to the library .")
    ('go → goes', 'library → the library')
    """
    tokens, told = old.split(), []
    for edit in diff_edits(old, new):
        before, after = tokens[edit.start : edit.end], edit.correction.split()
        if not before or not after:
            beside = tokens[edit.end : edit.end + 1]
            before, after = [*before, *beside], [*after, *beside]
        told.append(f"{' '.join(before) or NOTHING} → {' '.join(after) or NOTHING}")
    return tuple(told)


def pieces(source: str, output: str) -> tuple[Piece, ...]:
    """Divide an output into what it keeps of the source, deletes and inserts."""
    tokens, found, at = source.split(), [], 0
    for edit in diff_edits(source, output):
        found += [
            Piece(" ".join(tokens[at : edit.start])),
            Piece(" ".join(tokens[edit.start : edit.end]), "deleted"),
            Piece(edit.correction, "inserted"),
        ]
        at = edit.end
    found.append(Piece(" ".join(tokens[at:])))
    return tuple(piece for piece in found if piece.text)


def _passages(found: Analysis, *names: str) -> tuple[TableColumn, ...]:
    """Columns of texts, where these are on this machine."""
    return () if not found.corpus.has_texts else tuple(TableColumn(name, "passage") for name in names)


def _sources(found: Analysis, line: int) -> tuple[str, ...]:
    return () if not found.corpus.has_texts else (found.corpus.sentences[line].source,)


def _metric_names(found: Analysis) -> Mapping[str, str]:
    return {column.metric.id: column.metric.title for column in found.table.columns}
