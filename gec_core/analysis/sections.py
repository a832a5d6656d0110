"""A report on a system: its summary and all its sections.

All wording that the page *My system* and the HTML file show is here, in `system_sections` and in `sentence_sections`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from gec_core.analysis.analysis import SOURCE, Analysis, command
from gec_core.analysis.document import (
    Paragraph,
    Report,
    Run,
    Section,
    SectionTable,
    TableColumn,
    paragraph,
    range_text,
)
from gec_core.analysis.sentence_sections import changed_outputs, costly, disagreements, examples
from gec_core.analysis.system_sections import (
    NO_RIVAL,
    correction,
    correction_answers,
    error_types,
    significance,
    standing,
)
from gec_core.analysis.verdict import sentence as verdict_sentence
from gec_core.analysis.verdict import trust_section
from gec_core.analysis.verdict import verdict as verdict_section
from gec_core.formatting import counted, joined
from gec_core.meta.gap import GapSide
from gec_core.meta.gap_words import verdict

NOT_SPLIT = (
    "The credits of edits are not known. The page Why, or the command `why`, computes them; after that, this section "
    "has them."
)


def why(found: Analysis) -> Section:
    """The gap between the system and its rival by error type, under every metric whose credits are known."""
    if found.rival is None:
        return Section("why", missing=NO_RIVAL)
    sides = [side for side in found.sides if side.edits]
    if not sides:
        return Section("why", missing=NOT_SPLIT)
    groups = [{group.name: group for group in side.edits.groups("type")} for side in sides if side.edits]
    names = sorted(
        dict.fromkeys(name for each in groups for name in each),
        key=lambda name: -max(_size(side, each, name) for side, each in zip(sides, groups, strict=True)),
    )
    rows: list[tuple[Any, ...]] = []
    for name in names:
        some = next(each[name] for each in groups if name in each)
        values = [each[name].contribution if name in each else 0.0 for each in groups]
        rows.append((f"{some.label} ({name})" if some.label != name else name, *some.edits, *values))
    edits = [sum(row[place] for row in rows) for place in (1, 2)]
    rows.append(("sum: the gap", *edits, *(side.gap.gap for side in sides)))
    columns = (
        TableColumn("error type"),
        TableColumn(f"edits of {found.system}", "count"),
        TableColumn(f"edits of {found.rival}", "count"),
        *(TableColumn(side.gap.name, "signed") for side in sides),
    )
    words = verdict([(side.gap, side.edits) for side in sides[:2]], "type")
    return Section(
        "why",
        prose=(
            paragraph(
                "What the edits of {system} and {rival} contribute to the difference of their scores, by error type. "
                "Above 0 speaks for {system}, below for {rival}; each column sums to the difference exactly.",
                system=found.system,
                rival=found.rival,
            ),
            paragraph("{words}", words=" ".join(words)),
        ),
        tables=(SectionTable("why", columns, tuple(rows)),),
        notes=(*_not_split(found), *(() if found.rival == SOURCE else (_edits_behind(found),))),
        data={"gap-groups": [row for side in sides for row in _numbers(side)]},
    )


def _not_split(found: Analysis) -> tuple[Paragraph, ...]:
    """Which metrics have no column, since the credits of their edits are not known."""
    split = {side.gap.side for side in found.sides if side.edits}
    others = [column.metric.title for column in found.table.columns if column.metric.id not in split]
    told = "Without {names}: the credits of edits are not known. The page Why, or the command `why`, computes them."
    return (paragraph(told, names=joined(others)),) if others else ()


def _edits_behind(found: Analysis) -> Paragraph:
    """Where the dashboard splits this gap: a link, or the part of its address that comes after its own."""
    ids = [side.gap.side for side in found.sides if side.edits]
    asked = {"corpus": found.corpus.name, "first": found.system, "second": found.rival, "sides": ids[:2]}
    address = f"{found.dashboard.rstrip('/')}/why?{urlencode({**asked, 'metrics': ids}, doseq=True)}"
    behind = Run("The edits behind these numbers: the page Why, at ")
    return Paragraph((behind, Run(address, "link" if found.dashboard else "code"), Run(".")))


def _size(side: GapSide, groups: Mapping[str, Any], name: str) -> float:
    return abs(groups[name].contribution) / (side.gap.spread or 1.0) if name in groups else 0.0


def _numbers(side: GapSide) -> list[dict[str, Any]]:
    """The groups of a side, for the file of numbers."""
    assert side.edits is not None
    return [
        {
            "metric": side.gap.side,
            "group": group.name,
            "contribution": group.contribution,
            "edits_of_system": group.edits[0],
            "edits_of_rival": group.edits[1],
        }
        for group in side.edits.groups("type")
    ]


def report(found: Analysis) -> Report:
    """Build everything there is to say about a system."""
    info, rival = found.corpus.info, ", compared with {rival}" if found.rival else ""
    about = paragraph(
        "{title}: {sentences:,} sentences, {systems}" + rival + ". {notice}",
        title=info.title or found.table.corpus,
        sentences=len(found.corpus),
        systems=counted(len(found.corpus.systems), "system"),
        rival=found.rival,
        notice=info.notice,
    )
    numbers = asdict(found.provenance) | {"sentences_counted_from": 0}
    return Report(
        title=f"{found.system} on {found.table.corpus}",
        subtitle=(about,),
        summary=summary(found),
        sections=tuple(build(found) for build in SECTIONS.values()),
        about={"system": found.system, "rival": found.rival} | numbers,
    )


def summary(found: Analysis, *, edits: bool = True) -> Section:
    """The answers to what one asks first; those about `edits` may have to score the corpus."""
    answers = [verdict_sentence(found)] if found.rival else []
    if len(found.corpus.systems) > 1:
        answers.append(_ranks_answer(found))
    if found.rival:
        answers.append(_significance_answer(found, found.rival))
    corrections = found.corrections if edits else ()
    answers += [each for row in corrections if row.system == found.system for each in correction_answers(row)]
    return Section("summary", warnings=_left_out(found), prose=tuple(answers))


def _ranks_answer(found: Analysis) -> Paragraph:
    ranks = [each.standing(found.system).rank for each in found.metrics]
    return paragraph(
        "{system} ranks **{ranks}** of {systems} under " + ("the {count} metrics." if len(ranks) > 1 else "{metric}."),
        system=found.system,
        ranks=range_text(min(ranks), max(ranks), 0),
        systems=len(found.corpus.systems),
        count=len(ranks),
        metric=found.metrics[0].metric.title,
    )


def _significance_answer(found: Analysis, rival: str) -> Paragraph:
    verdicts = [each.difference(rival).verdict for each in found.metrics]
    sure = [f"{word} under **{verdicts.count(word)}**" for word in ("better", "worse") if word in verdicts]
    told = f"{' and '.join(sure)} of {len(verdicts)} {'metrics' if len(verdicts) > 1 else 'metric'}"
    return paragraph(
        "Compared with {rival}, it is significantly " + f"{told}."
        if sure
        else "Its difference from {rival} is not significant under any metric.",
        rival=rival,
    )


def _left_out(found: Analysis) -> tuple[Paragraph, ...]:
    """Which metrics that were asked for do not take part, and why."""
    problems = found.table.problems.items()
    warnings = [
        paragraph("{name} is left out. {problem}", name=found.names.get(id, id), problem=problem)
        for id, problem in problems
    ]
    warnings = [paragraph("{note}", note=note) for note in found.corpus.noted()] + warnings
    if found.waiting:
        are = "is" if len(found.waiting) == 1 else "are"
        warnings.append(paragraph("{names} {are} left out: not scored yet.", names=joined(found.waiting), are=are))
    return tuple(warnings)


def reproducibility(found: Analysis) -> Section:
    """Signatures, versions, options, seed and fingerprint: everything it takes to get the same numbers."""
    told = found.provenance
    facts = {
        "corpus": told.corpus,
        "fingerprint": told.fingerprint,
        "systems": ", ".join(told.systems),
        "samples": f"{told.samples:,}",
        "seed": str(told.seed),
        **({"outputs": " ".join(found.corpus.noted())} if found.corpus.noted() else {}),
        "GEC Lens": told.version,
    } | dict(told.packages)
    signatures = tuple((told.labels[id], signature) for id, signature in told.signatures.items())
    return Section(
        "reproducibility",
        prose=(
            paragraph(
                "The signature of a metric names its version, options and model. The fingerprint is that of the corpus "
                "with all systems in it."
            ),
        ),
        tables=(
            SectionTable("signatures", (TableColumn("metric"), TableColumn("signature", "code")), signatures),
            SectionTable("settings", (TableColumn("setting"), TableColumn("value", "code")), tuple(facts.items())),
        ),
        notes=(
            paragraph(
                "The files of numbers (CSV, JSON) count sentences from 0; the first sentence of this report is number "
                "1."
            ),
            paragraph(
                "This command makes the same report. Put in the paths of FILE and of other uploaded files, and add "
                "--tokenise like-source if they are raw text:"
            ),
        ),
        code=command(found),
    )


SECTIONS: dict[str, Callable[[Analysis], Section]] = {
    "verdict": verdict_section,
    "trust": trust_section,
    "standing": standing,
    "significance": significance,
    "why": why,
    "types": error_types,
    "correction": correction,
    "costly": costly,
    "splits": disagreements,
    "changes": changed_outputs,
    "sentences": examples,
    "reproducibility": reproducibility,
}
"""The sections by id, in their order. Each reads only the parts of the analysis that it shows."""
