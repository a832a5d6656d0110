"""The report: one HTML file with its figures inside. No script, nothing from elsewhere; it prints, too."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path

from gec_core.analysis import Analysis
from gec_core.explain.phrases import joined
from gec_core.report import sentences, systems
from gec_core.report.markup import note, paragraph, percent, section, span, table, text
from gec_core.scoring.imported import Imported

STYLE = Path(__file__).with_name("style.css")


def page(found: Analysis) -> str:
    """The whole file."""
    sections = {title: draw(found) for title, draw in SECTIONS.items()}
    title = f"{text(found.system)} on {text(found.provenance.corpus)}"
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f'<meta http-equiv=Content-Security-Policy content="{policy}">'
        f"<title>{title} · GEC Lens</title><style>{STYLE.read_text(encoding='utf-8')}</style></head><body>"
        f"<header><h1>{title}</h1>{_about(found)}{_answers(found)}{_contents(sections)}</header>"
        f"<main>{''.join(sections.values())}</main>"
        f"<footer>{note(f'Made by GEC Lens {text(found.provenance.version)}.')}</footer></body></html>\n"
    )


def _about(found: Analysis) -> str:
    told, info = found.provenance, found.corpus.info
    against = f", compared with {text(found.rival)}" if found.rival else ""
    lines = f"{text(info.title or told.corpus)}: {told.sentences:,} sentences, {len(told.systems)} systems{against}."
    without = (
        f" Without {text(joined(found.waiting))}, which {'was' if len(found.waiting) == 1 else 'were'} not scored yet "
        "when this report was made."
        if found.waiting
        else ""
    )
    return f"<p class=about>{lines}{without} {text(info.notice)}</p>"


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
        said = [each.difference(found.rival).verdict for each in found.metrics]
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


def _contents(sections: Mapping[str, str]) -> str:
    """Links to the sections that there are; each begins with its id."""
    there = {title: html.split('"')[1] for title, html in sections.items() if html}
    links = [f'<a href="#{id}">{title}</a>' for title, id in there.items()]
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
        paragraph("The same on the command line. FILE, and other files that were brought to a page, need their paths:"),
        f"<pre><code>{text(command(found))}</code></pre>",
    )


def command(found: Analysis) -> str:
    """What makes this report anew."""
    told = found.provenance
    asked = list(told.asked) or ["--corpus", told.corpus, "--system", found.system]
    asked += ["--against", found.rival] if found.rival else []
    imported = [each.metric for each in found.metrics if isinstance(each.metric, Imported)]
    built_in = [each.metric for each in found.metrics if not isinstance(each.metric, Imported)]
    asked += ["--metric", ",".join(metric.id for metric in built_in)] if built_in else []
    for metric in built_in:
        usual = set(metric.Options().parts())
        changed = [part.replace(":", "=", 1) for part in metric.options.parts() if part not in usual]
        asked += [word for part in changed for word in ("--option", f"{metric.id}.{part}")]
    asked += [word for file in dict.fromkeys(metric.file for metric in imported) for word in ("--scores", file)]
    asked += ["--samples", str(told.samples), "--seed", str(told.seed), "--out", "report.html"]
    return f"python -m gec_core report {shlex.join(asked)}"


SECTIONS: dict[str, Callable[[Analysis], str]] = {
    "Where it stands": systems.standing,
    "Chance?": systems.significance,
    "Error types": systems.error_types,
    "Too much, too little": systems.correction,
    "Costly sentences": sentences.costly,
    "Metrics split": sentences.splits,
    "What changed": sentences.what_changed,
    "The sentences": sentences.appendix,
    "How it was made": made,
}
"""By what the links to them say; those that have nothing to show are empty."""
