"""`verdicts`: how often a metric's credit of an edit has the sign that people gave it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import add_corpus, corpus_from, need_texts, whole_number
from gec_core.cli.output import SENTENCES_FROM_0, add_format, group, print_json, print_rows, tell
from gec_core.cli.scoring import add_metrics, add_store, metrics_from, storing_with

if TYPE_CHECKING:
    from gec_core.meta.edit_level import EditAgreement, JudgedEdit, SignAgreement
    from gec_core.types import Corpus

COLUMNS = ["metric", "verdicts", "accepted", "refused", "accuracy", "balanced", "auc", "neutral"]
BY_TYPE = ["metric", "type", *COLUMNS[1:]]
MISTAKES = ["metric", "sentence", "system", "edit", "type", "credit", "accepted", "refused"]
SHOWN = 5
"""Mistakes of each metric that are listed."""


def add(commands: Any) -> None:
    command = commands.add_parser(
        "verdicts",
        help="compare credits of edits with people's verdicts on them",
        description="With verdicts on single edits (SEEDA), how often the credit that a metric gives an edit has the "
        "sign that people gave it: accuracy, the mean of the accuracies on accepted and refused edits, AUC, by error "
        "type; and the most confident mistakes.",
        allow_abbrev=False,
    )
    add_corpus(command)
    add_metrics(command)
    options = group(command, "what to list")
    options.add_argument("--by-type", action="store_true", help="also by error type")
    options.add_argument(
        "--top", metavar="N", type=whole_number, default=SHOWN, help=f"mistakes per metric (default: {SHOWN})"
    )
    add_store(command)
    add_format(command, note=f"tsv prints several tables. {SENTENCES_FROM_0}")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.meta.edit_level import edit_agreement, judged_edits

    metrics = metrics_from(given)
    corpus = corpus_from(given)
    need_texts(corpus, "its verdicts come with its texts")
    with storing_with(given) as how:
        judged = judged_edits(corpus, how["store"])
        found = [edit_agreement(corpus, metric, judged, **how) for metric in metrics]
    if judged.unmatched:
        tell(f"{judged.unmatched:,} verdicts are left out: they are on edits that ERRANT cuts otherwise.")
    overall = [_row(each, each.overall) for each in found]
    by_type = [_row(each, one) for each in found for one in each.by_type()]
    mistakes = [_mistake(corpus, each, *one) for each in found for one in each.mistakes(given.top)]
    if given.format == "json":
        about = {"corpus": corpus.name, "fingerprint": corpus.fingerprint, "unmatched": judged.unmatched}
        print_json(about | {"rows": overall, "types": by_type, "mistakes": mistakes})
        return
    print_rows(overall, COLUMNS, given.format)
    if given.by_type:
        print()
        print_rows(by_type, BY_TYPE, given.format)
    print("\nThe most confident mistakes" if given.format == "table" else "")
    if given.format == "table":
        mistakes = [row | {"sentence": row["sentence"] + 1} for row in mistakes]
    print_rows(mistakes, MISTAKES, given.format)


def _row(found: EditAgreement, one: SignAgreement) -> dict[str, Any]:
    row = {"metric": found.metric.id, "type": one.name} | {name: getattr(one, name) for name in COLUMNS[1:]}
    return row | {"signature": found.metric.signature}


def _mistake(corpus: Corpus, found: EditAgreement, judged: JudgedEdit, credit: float) -> dict[str, Any]:
    edit = judged.edit
    tokens = corpus.sentences[judged.place.line].tokens[edit.start : edit.end]
    return {
        "metric": found.metric.id,
        "sentence": judged.place.line,
        "system": judged.place.system,
        "edit": f"[{' '.join(tokens)}→{edit.correction}]",
        "type": edit.type,
        "credit": credit,
        "accepted": judged.accepted,
        "refused": judged.refused,
    }
