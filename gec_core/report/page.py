"""The report: one HTML file with its figures inside. No script, nothing from elsewhere; it prints, too."""

from __future__ import annotations

from pathlib import Path

from gec_core.analysis import Analysis
from gec_core.report import sentences, systems
from gec_core.report.markup import note, paragraph, percent, section, span, table, text

STYLE = Path(__file__).with_name("style.css")


def page(found: Analysis) -> str:
    """The whole file."""
    parts = [
        systems.standing(found),
        systems.significance(found),
        systems.error_types(found),
        systems.correction(found),
        sentences.costly(found),
        sentences.splits(found),
        sentences.what_changed(found),
        sentences.appendix(found),
        made(found),
    ]
    title = f"{text(found.system)} on {text(found.provenance.corpus)}"
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; "
        'img-src data:">'
        f"<title>{title} · GEC Lens</title><style>{STYLE.read_text(encoding='utf-8')}</style></head><body>"
        f"<header><h1>{title}</h1>{_about(found)}{_answers(found)}{_contents(found)}</header>"
        f"<main>{''.join(parts)}</main>"
        f"<footer>{note(f'Made by GEC Lens {text(found.provenance.version)}.')}</footer></body></html>\n"
    )


def _about(found: Analysis) -> str:
    told, info = found.provenance, found.corpus.info
    against = f", compared with {text(found.rival)}" if found.rival else ""
    lines = f"{text(info.title or told.corpus)}: {told.sentences:,} sentences, {len(told.systems)} systems{against}."
    return f"<p class=about>{lines} {text(info.notice)}</p>"


def _answers(found: Analysis) -> str:
    """What one wants to know first, in sentences."""
    ranks = [each.standing(found.system) for each in found.metrics]
    best, worst = min(row.rank for row in ranks), max(row.rank for row in ranks)
    of = f"of {len(found.corpus.systems)}"
    answers = [
        f"It ranks <b>{span(best, worst, 0)}</b> {of} under the {len(ranks)} metrics."
        if len(ranks) > 1
        else f"It ranks <b>{best}</b> {of} under {text(found.metrics[0].metric.name)}."
    ]
    if found.rival:
        said = [systems.verdict(each.difference(found.rival)) for each in found.metrics]
        sure = [f"{word} under <b>{said.count(word)}</b>" for word in ("better", "worse") if word in said]
        answers.append(
            f"Against {text(found.rival)} it is significantly {' and '.join(sure)} of {len(said)}."
            if sure
            else f"Under none of them its difference from {text(found.rival)} is significant."
        )
    for row in found.corrections:
        if row.system == found.system:
            share = f" ({percent(row.correct / row.proposed)})" if row.proposed else ""
            answers.append(
                f"It proposes <b>{row.proposed:,}</b> edits, of which <b>{row.correct:,}</b>{share} are right, and "
                f"misses <b>{row.missed:,}</b>."
            )
            answers.append(
                f"It changes <b>{percent(row.overcorrected)}</b> of the sentences that are free of errors, and leaves "
                f"<b>{percent(row.untouched)}</b> of those with errors untouched."
            )
    return f"<ul class=answers>{''.join(f'<li>{answer}</li>' for answer in answers)}</ul>"


CONTENTS = {
    "standing": "Where it stands",
    "significance": "Chance?",
    "types": "Error types",
    "correction": "Too much, too little",
    "costly": "Costly sentences",
    "splits": "Metrics split",
    "changes": "What changed",
    "sentences": "The sentences",
    "made": "How it was made",
}


def _contents(found: Analysis) -> str:
    there = {
        "significance": found.rival is not None,
        "types": bool(found.gains),
        "correction": bool(found.corrections),
        "splits": bool(found.changes and found.changes.splits(1)),
        "changes": found.changes is not None,
    }
    links = [f'<a href="#{id}">{words}</a>' for id, words in CONTENTS.items() if there.get(id, True)]
    return f"<nav>{''.join(links)}</nav>"


def made(found: Analysis) -> str:
    """Signatures, versions, options, seed and fingerprint: what it takes to get the same numbers."""
    told = found.provenance
    facts = [
        ("corpus", text(told.corpus)),
        ("fingerprint", f"<code>{text(told.fingerprint)}</code>"),
        ("systems", text(", ".join(told.systems))),
        ("samples", f"{told.samples:,}"),
        ("seed", str(told.seed)),
        ("GEC Lens", text(told.version)),
        *((text(name), text(version)) for name, version in told.packages.items()),
    ]
    signatures = [(text(told.labels[id]), f"<code>{text(each)}</code>") for id, each in told.signatures.items()]
    left_out = [f"{text(id)} is left out. {text(problem)}" for id, problem in told.problems.items()]
    return section(
        "made",
        "How it was made",
        paragraph(
            "Every metric with its signature, which says its version, options and model. The fingerprint is that of "
            "the corpus with all systems in it."
        ),
        table(["metric", "signature"], signatures, prose=(1,)),
        *(note(problem) for problem in left_out),
        table(["what", "which"], facts, prose=(1,)),
        paragraph("The scores, on the command line:"),
        f"<pre><code>python -m gec_core score --corpus {text(told.corpus)} --metric "
        f"{text(','.join(told.signatures))}</code></pre>",
    )
