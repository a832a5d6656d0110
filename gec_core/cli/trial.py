"""`trial`: put an LLM judge on trial: position bias, length bias, agreement with itself and with people."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import add_corpus, corpus_from, need_texts, whole_number
from gec_core.cli.output import add_format, group, print_json, print_rows
from gec_core.cli.scoring import LEFT_OUT, add_metrics, add_store, metrics_from, storing_with, tell_problems
from gec_core.errors import OptionError

if TYPE_CHECKING:
    from gec_core.metrics.llm import LLMJudge
    from gec_core.store import Store
    from gec_core.types import Corpus

_JUDGES = "llm-sentence, llm-edits"
COLUMNS = ["what", "value", "cases", "reading"]


def add(commands: Any) -> None:
    command = commands.add_parser(
        "trial",
        help="put an LLM judge on trial",
        description="Ask an LLM judge (llm-sentence, llm-edits) every question three times: as in scoring, with the "
        "outputs in the opposite order, and once more. Prints its position bias, its length bias, and its agreement "
        "with itself and with people.",
        allow_abbrev=False,
    )
    add_corpus(command)
    add_metrics(command)
    add_store(command)
    options = group(command, "trial")
    options.add_argument(
        "--first", metavar="N", type=whole_number, default=50, help="the number of sentences asked about (default: 50)"
    )
    options.add_argument(
        "--dry-run", action="store_true", help="send nothing; say how much would be sent, and show a question"
    )
    add_format(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.meta.judge_trial import trial
    from gec_core.metrics.llm import LLMJudge

    if not given.metric:
        raise OptionError(f"Name an LLM judge with --metric. There are: {_JUDGES}.")
    judges = []
    for metric in metrics_from(given):
        if not isinstance(metric, LLMJudge):
            raise OptionError(f"--metric {metric.id}: only LLM judges can be put on trial ({_JUDGES}).")
        judges.append(metric)
    corpus = corpus_from(given)
    need_texts(corpus, "there is nothing to judge")
    found = []
    with storing_with(given) as how:
        for judge in judges:
            if given.dry_run:
                _show_outlay(corpus.at(range(min(given.first, len(corpus)))), judge, how["store"])
            elif not judge.availability().ready:
                tell_problems({judge.id: judge.availability().how})
                given.exit_code = LEFT_OUT
            else:
                found.append((judge, trial(corpus, judge, sentences=given.first, **how)))
    if given.format == "json" and not given.dry_run:
        rows = [{"judge": judge.id, "signature": each.signature, "rows": each.rows()} for judge, each in found]
        print_json({"corpus": corpus.name, "fingerprint": corpus.fingerprint, "judges": rows})
        return
    for judge, each in found:
        if given.format == "table":
            print(f"{judge.label} on {corpus.name}\n{each.signature}\n")
        print_rows(each.rows(), COLUMNS, given.format)


def _show_outlay(corpus: Corpus, judge: LLMJudge, store: Store | None) -> None:
    """What a trial would send: everything three times, and one question as an example."""
    from gec_core.meta.judge_trial import trial_pairs

    pairs = trial_pairs(corpus)
    print(judge.costs(pairs, store))
    print("A trial asks each of them three times.")
    for message in judge.questions(pairs)[0].messages():
        print(f"\n{message['role']}: {message['content']}")
