"""`explain`: explain the score of an output, edit by edit, or the difference to the score of another one."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import add_corpus, corpus_from, need_texts, number_from_0
from gec_core.cli.output import add_format, group, print_json, print_rows, short
from gec_core.cli.scoring import add_metrics, add_store, metrics_from, storing_with
from gec_core.errors import CorpusError, OptionError

if TYPE_CHECKING:
    from gec_core.explain.credit import CreditDifference, OutputExplanation
    from gec_core.metrics.base import Metric
    from gec_core.metrics.blocks import Block, Explanation, NGramOrder
    from gec_core.types import Corpus


def add(commands: Any) -> None:
    command = commands.add_parser("explain", help="explain the score of an output, edit by edit", allow_abbrev=False)
    add_corpus(command)
    options = group(command, "what to explain")
    options.add_argument("--system", metavar="NAME", required=True, help="the system whose output is explained")
    options.add_argument(
        "--sentence", metavar="N", type=number_from_0, required=True, help="the number of the sentence, counted from 0"
    )
    options.add_argument("--against", metavar="NAME", help="another system: explain the difference between the two")
    add_metrics(command, one=True)
    add_store(command).add_argument(
        "--seed", metavar="S", type=number_from_0, default=0, help="for credits that are sampled (default: %(default)s)"
    )
    add_format(command, ("text", "json"), note="text counts annotators from 1, json from 0 as M2 files do")
    command.set_defaults(run=run)


@dataclass(frozen=True)
class Explained:
    """One system's output with its credits and the metric's own explanation."""

    system: str
    output: str
    found: OutputExplanation

    def as_dict(self) -> dict[str, Any]:
        about = {"system": self.system, "output": self.output}
        return about | {"credit": self.found.credits.as_dict(), "explanation": self.found.explanation.as_dict()}


def run(given: argparse.Namespace) -> None:
    from gec_core.explain.credit import CreditDifference

    metric = _metric(given)
    corpus = corpus_from(given)
    _check(given, corpus)
    with storing_with(given) as how:
        own = _explained(given, corpus, metric, given.system, how)
        other = _explained(given, corpus, metric, given.against, how) if given.against else None
    apart = CreditDifference(own.found.credits, other.found.credits) if other else None
    if given.format == "json":
        _print_json(given, corpus, metric, own, other, apart)
    else:
        _print_text(given, corpus, metric, own, other, apart)


def _metric(given: argparse.Namespace) -> Metric:
    found = metrics_from(given)
    if len(found) != 1:
        raise OptionError(f"explain takes one --metric, not {len(found)}: {', '.join(each.id for each in found)}.")
    return found[0]


def _check(given: argparse.Namespace, corpus: Corpus) -> None:
    need_texts(corpus, "there is no output to explain")
    for system in (given.system, given.against or given.system):
        corpus.outputs(system)
    if given.sentence >= len(corpus):
        last = len(corpus) - 1
        raise CorpusError(f"{corpus.name}: no sentence {given.sentence}. Sentences are counted from 0 to {last}.")


def _explained(
    given: argparse.Namespace, corpus: Corpus, metric: Metric, system: str, how: Mapping[str, Any]
) -> Explained:
    from gec_core.explain.credit import explain_output

    sentence = corpus.sentences[given.sentence]
    outputs = {name: column[given.sentence] for name, column in corpus.systems.items()}
    output = outputs.pop(system)
    peers = tuple(outputs.values())
    found = explain_output(metric, sentence, output, peers=peers, seed=given.seed, **how)
    return Explained(system, output, found)


def _words(given: argparse.Namespace, corpus: Corpus, metric: Metric, own: Explained, other: Explained) -> list[str]:
    """The comparison in plain words, with what the judges said of the two outputs."""
    from gec_core.explain.prose import ComparedOutputs, compare, count_votes

    systems = [
        [name for name, column in corpus.systems.items() if column[given.sentence] == each.output]
        for each in (own, other)
    ]
    votes = count_votes(corpus.judgments, given.sentence, *systems) if corpus.judgments else None
    compared = ComparedOutputs(metric.title, own.found, other.found)
    source = corpus.sentences[given.sentence].source
    return list(compare(source, (own.system, other.system), [compared], votes).sentences)


def _print_json(
    given: argparse.Namespace,
    corpus: Corpus,
    metric: Metric,
    own: Explained,
    other: Explained | None,
    apart: CreditDifference | None,
) -> None:
    from gec_core.explain.credit import edits_read_by

    answer: dict[str, Any] = {
        "corpus": corpus.name,
        "fingerprint": corpus.fingerprint,
        "sentence": given.sentence,
        "source": corpus.sentences[given.sentence].source,
        "metric": metric.id,
        "signature": metric.signature,
        "edits_by": edits_read_by(),
        **own.as_dict(),
    }
    if other and apart:
        answer |= {"against": other.as_dict(), "difference": apart.as_dict()}
        answer["words"] = _words(given, corpus, metric, own, other)
    print_json(answer)


def _print_text(
    given: argparse.Namespace,
    corpus: Corpus,
    metric: Metric,
    own: Explained,
    other: Explained | None,
    apart: CreditDifference | None,
) -> None:
    from gec_core.explain.credit import edits_read_by

    source = corpus.sentences[given.sentence].source
    print(f"{corpus.name}, sentence {given.sentence} (counted from 0)\nsource  {source}")
    for each in filter(None, (own, other)):
        found = each.found.credits
        sure = "exact" if found.exact else f"sampled, standard error up to {found.error:.4f}"
        print(
            f"\n{each.system}  {each.output}\n{metric.label}: {found.score:.4f}; the source: {found.source_score:.4f}"
        )
        print(f"\nCredits of its edits ({sure}; edits by {edits_read_by()})")
        _print_edits(source, found.as_dict()["edits"], ["credit"])
        print_explanation(each.found.explanation)
    if other and apart:
        print(f"\n{own.system} − {other.system} = {apart.value:.4f}")
        _print_edits(source, apart.as_dict()["edits"], ["first", "second", "credit"])
        print()
        for line in _words(given, corpus, metric, own, other):
            print(line)
    print(f"\n  {metric.id}: {metric.signature}{' (in percent)' if metric.percent else ''}")


def _print_edits(source: str, edits: list[dict[str, Any]], columns: list[str]) -> None:
    """Edits with what they replace; deletions and insertions have an empty side."""
    tokens = source.split()
    rows = [edit | {"source": " ".join(tokens[edit["start"] : edit["end"]])} for edit in edits]
    if rows:
        print_rows(rows, ["start", "end", "source", "correction", "type", *columns], "table")
    else:
        print("none: the output is the source")


EDIT = ["start", "end", "original", "correction", "type", "verdict"]
COLUMN = ["source", "hypothesis", "reference", "correction", "detection"]


def print_explanation(found: Explanation) -> None:
    """One block after the other, under its title."""
    if found.reference is not None:
        annotator = "" if found.annotator is None else f" of annotator {found.annotator + 1}"
        print(f"\nReference{annotator}: {found.reference}")
    for block in found.blocks:
        print(f"\n{block.title}")
        _print_block(block)


def _print_block(block: Block) -> None:
    if block.kind == "facts":
        width = max((len(name) for name in block.values), default=0)
        for name, value in block.values.items():
            print(f"  {name:<{width}}  {short(value)}")
    elif block.kind == "ngrams":
        for order in block.orders:
            _print_order(order)
    elif block.kind == "tokens":
        partner = ["partner"] if any(token.partner for token in block.tokens) else []
        rows = [asdict(token) | {block.measure: token.value} for token in block.tokens]
        print_rows(rows, ["text", *partner, block.measure], "table")
    elif block.kind == "table":
        print_rows([dict(zip(block.heads, row, strict=True)) for row in block.rows], list(block.heads), "table")
    elif block.kind == "matrix":
        print("  " + " | ".join(block.columns))
        for name, row in zip(block.rows, block.values, strict=True):
            print(f"  {name}: " + " ".join(f"{value:.2f}" for value in row))
    elif block.kind == "edits":
        print_rows([edit.as_dict(block.measure) for edit in block.edits], [*EDIT, block.measure], "table")
    else:
        print_rows([asdict(column) for column in block.columns], COLUMN, "table")


def _print_order(order: NGramOrder) -> None:
    print(f"  {order.order}-grams: {order.top} of {order.bottom}")
    for name, found in (("rewarded", order.rewarded), ("penalised", order.penalised), ("neither", order.other)):
        if found:
            shown = (f"{each.text}{f' ×{each.count}' if each.count > 1 else ''}" for each in found)
            print(f"    {name}: {' | '.join(shown)}")
