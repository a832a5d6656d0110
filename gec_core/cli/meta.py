"""`meta`: how well metrics agree with people, over systems or on pairs of outputs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, get_args

from gec_core.cli.human import add_ranking, ranking_from, tell_mismatch
from gec_core.cli.inputs import add_corpus, corpus_from, whole_number
from gec_core.cli.output import add_format, group, print_json, print_rows
from gec_core.cli.scoring import (
    add_aggregate,
    add_imports,
    add_metrics,
    add_scoring,
    metrics_from,
    on_sentences,
    table_from,
)
from gec_core.errors import OptionError
from gec_core.formatting import join_names, parse_names

if TYPE_CHECKING:
    from gec_core.api.results import Results
    from gec_core.human import Ranking
    from gec_core.scoring.table import ScoreTable
    from gec_core.types import Corpus

SAMPLES = 1000
SYSTEM_COLUMNS = [
    "metric",
    "n",
    "pearson",
    "pearson_low",
    "pearson_high",
    "spearman",
    "spearman_low",
    "spearman_high",
    "kendall",
]
NOT_FOR_SENTENCES = ("human", "runs", "top", "window")
"""Options that are about rankings of systems."""
TEST_COLUMNS = ["better", "worse", "difference", "p"]
CLUSTER_COLUMNS = {
    "system": ["metric", "pearson", "cluster", "accuracy", "soft_accuracy"],
    "sentence": ["metric", "accuracy", "epsilon", "pairs", "cluster"],
}
SENTENCE_COLUMNS = ["metric", "set", "variant", "agree", "disagree", "pairs", "tau", "low", "high"]
WILLIAMS_COLUMNS = ["better", "worse", "coefficient", "p"]
FOR_PROGRAMS = {"rows": ["signature", "reason"], "williams": ["reason"], "tests": ["swaps"]}
"""Columns that only TSV has."""
WINDOW_COLUMNS = ["metric", "first", "last", "pearson", "spearman", "kendall"]


def add(commands: Any) -> None:
    command = commands.add_parser("meta", help="correlate metrics with people", allow_abbrev=False)
    add_corpus(command)
    add_metrics(command)
    add_imports(command)
    add_aggregate(command)
    add_ranking(command, "--human")
    add_scoring(command)
    options = group(command, "what to correlate")
    options.add_argument(
        "--level",
        choices=["system", "sentence"],
        default="system",
        help="correlation over systems (default), or agreement on pairs of outputs",
    )
    options.add_argument("--without", metavar="A,B", help="leave these systems out")
    options.add_argument(
        "--system-set", metavar="NAME", help="only the systems of this named set of the corpus, such as SEEDA's base"
    )
    options.add_argument("--top", metavar="K", type=whole_number, help="only the K systems that people rank highest")
    options.add_argument(
        "--window", metavar="K", type=whole_number, help="also over every K neighbours in the human ranking"
    )
    options.add_argument(
        "--tests",
        action="store_true",
        help="also permutation tests between metrics, their significance clusters, soft pairwise accuracy (system "
        "level) or accuracy with optimised ties (sentence level), as mt-metrics-eval defines them",
    )
    options.add_argument(
        "--permutations", metavar="N", type=whole_number, default=1000, help="the most swaps of a test (default: 1000)"
    )
    add_format(command, note="tsv prints several tables, with an empty line between them")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.api.results import Results

    metrics = metrics_from(given)
    if given.level == "sentence" and (idle := [name for name in NOT_FOR_SENTENCES if getattr(given, name) is not None]):
        raise OptionError(f"--{' and --'.join(idle)}: no effect on --level sentence, which is about outputs.")
    corpus = corpus_from(given)
    if given.system_set:
        kept = corpus.system_set(given.system_set)
        outside = [name for name in corpus.systems if name not in kept]
        given.without = join_names([*parse_names(given.without or ""), *outside])
    if given.level == "sentence":
        table = table_from(given, corpus, metrics)
        found: dict[str, list[dict[str, Any]]] = {"rows": sentence_rows(given, corpus, table)}
        if given.tests:
            found |= sentence_tests(given, corpus, table)
    else:
        human = ranking_from(given, corpus)
        tell_mismatch(given, corpus, human)
        table = table_from(given, corpus, metrics)
        found = system_rows(given, Results(corpus, table), human)
        if given.tests:
            found |= system_tests(given, corpus, table, human)
    if given.format == "json":
        print_json({"corpus": corpus.name, "fingerprint": corpus.fingerprint} | found)
        return
    for heading, name, columns in (
        ("", "rows", SENTENCE_COLUMNS if given.level == "sentence" else SYSTEM_COLUMNS),
        (
            "Does one metric correlate better than another? (Williams test, one-tailed)",
            "williams",
            WILLIAMS_COLUMNS,
        ),
        (f"Over every {given.window} neighbours in the human ranking", "windows", WINDOW_COLUMNS),
        ("Metrics in the same cluster cannot be told apart", "clusters", CLUSTER_COLUMNS[given.level]),
        ("Is one metric better than another? (permutation test, one-sided)", "tests", TEST_COLUMNS),
    ):
        if not found.get(name):
            continue
        if heading:
            print(f"\n{heading}" if given.format == "table" else "")
        print_rows(found[name], columns + (FOR_PROGRAMS.get(name, []) if given.format == "tsv" else []), given.format)
    if given.level == "system" and given.format == "table":
        for reason in dict.fromkeys(f"{row['metric']}: {row['reason']}" for row in found["rows"] if row["reason"]):
            print(f"–: undefined. {reason}.")


def system_rows(given: argparse.Namespace, table: Results, human: Ranking) -> dict[str, list[dict[str, Any]]]:
    """Correlations with intervals, Williams tests and windows."""
    from gec_core.api.evaluation import correlate
    from gec_core.meta import Coefficient, common_systems, williams, windows

    without, coefficients = parse_names(given.without or ""), get_args(Coefficient)
    found = correlate(
        table,
        human,
        bootstrap=_samples(given),
        seed=given.seed,
        without=without,
        top=given.top,
    )
    values = table.values
    known = {system: 0.0 for scores in values.values() for system in scores}
    kept = common_systems(human.scores, known, without=without)[: given.top]
    people = {system: human.scores[system] for system in kept}
    tests = [
        {
            "better": test.better,
            "worse": test.worse,
            "coefficient": test.coefficient,
            "p": test.p,
            "reason": test.reason,
        }
        for coefficient in ("pearson", "spearman")
        for test in williams(values, people, coefficient)
    ]
    if given.window and given.window > len(people):
        raise OptionError(
            f"--window {given.window}: people rank only {len(people)} of the systems. Choose a smaller one."
        )
    sliding = []
    for metric, scores in values.items() if given.window else ():
        by_coefficient = [windows(scores, people, coefficient, given.window) for coefficient in coefficients]
        for same in zip(*by_coefficient, strict=True):
            row = {"metric": metric, "first": same[0].first, "last": same[0].last}
            sliding.append(row | {one.correlation.coefficient: one.correlation.value for one in same})
    rows = [_with_or_without_intervals(given, row.as_dict()) for row in found]
    return {"rows": rows, "williams": tests, "windows": sliding}


def system_tests(
    given: argparse.Namespace, corpus: Corpus, table: ScoreTable, human: Ranking
) -> dict[str, list[dict[str, Any]]]:
    """Clusters of metrics by r, with pairwise and soft pairwise accuracy, and the tests behind them."""
    from dataclasses import asdict

    import numpy as np

    from gec_core.human.sources import judged_pairs
    from gec_core.meta import common_systems
    from gec_core.meta.across import pairwise_accuracy
    from gec_core.meta.permutation import compare_on_systems, soft_pairwise_accuracy

    values = {column.metric.id: column.values for column in table.columns}
    kept = common_systems(human.scores, *values.values(), without=parse_names(given.without or ""))[: given.top]
    people = {name: human.scores[name] for name in kept}
    found = compare_on_systems(values, people, samples=given.permutations, seed=given.seed)
    told = corpus.ratings or (judged_pairs(corpus, given.set or "expanded") if corpus.judgments else None)
    rows = []
    for each in found.ranked:
        column = table[each.metric]
        scores, ranked = (np.array([[one[name] for name in kept]]) for one in (column.values, people))
        soft = None
        if told is not None and column.has_sentences(kept):
            by_sentence = {name: column.sentence_scores(name) for name in kept}
            soft = soft_pairwise_accuracy(by_sentence, told, kept, samples=given.permutations, seed=given.seed)
        rows.append(
            {
                "metric": each.metric,
                "pearson": each.value,
                "cluster": each.cluster,
                "accuracy": float(pairwise_accuracy(scores, ranked)[0]),
                "soft_accuracy": soft,
            }
        )
    return {"clusters": rows, "tests": [asdict(test) for test in found.tests]}


def sentence_tests(given: argparse.Namespace, corpus: Corpus, table: ScoreTable) -> dict[str, list[dict[str, Any]]]:
    """Clusters of metrics by accuracy with optimised ties, and the tests behind them."""
    from dataclasses import asdict

    from gec_core.cli.output import StatusLine
    from gec_core.human.sources import judged_pairs
    from gec_core.meta.permutation import compare_on_pairs, tied_accuracy

    left = _judged_systems(given, corpus)
    pairs = judged_pairs(corpus, given.set or "unexpanded", judges=parse_names(given.judges or ""), systems=left)
    scores = {
        column.metric.id: {system: column.sentence_scores(system) for system in left}
        for column in on_sentences(table, left).columns
    }
    line = StatusLine()
    found = compare_on_pairs(
        pairs, scores, samples=given.permutations, seed=given.seed, on_progress=line.counting("tests")
    )
    line.close()
    rows = [
        {"metric": each.metric, "cluster": each.cluster, **asdict(tied_accuracy(pairs, scores[each.metric]))}
        for each in found.ranked
    ]
    return {"clusters": rows, "tests": [asdict(test) for test in found.tests]}


def _judged_systems(given: argparse.Namespace, corpus: Corpus) -> list[str]:
    """The systems that people judged and that are not left out; one judge may have judged some of them only."""
    judged = corpus.judgments.by(parse_names(given.judges)) if corpus.judgments and given.judges else corpus.judgments
    without = parse_names(given.without or "")
    return [name for name in (judged.systems if judged else ()) if name in corpus.systems and name not in without]


def _samples(given: argparse.Namespace) -> int:
    return SAMPLES if given.bootstrap is None else given.bootstrap or 1


def _with_or_without_intervals(given: argparse.Namespace, row: dict[str, Any]) -> dict[str, Any]:
    """A row; with --bootstrap 0 the ends of its intervals are empty."""
    ends = [name for name in row if name.endswith(("low", "high"))] if given.bootstrap == 0 else []
    return row | dict.fromkeys(ends)


def sentence_rows(given: argparse.Namespace, corpus: Corpus, table: ScoreTable) -> list[dict[str, Any]]:
    """Agreement on pairs of outputs, by set of pairs and by the treatment of ties."""
    from gec_core.human.sources import judged_pairs
    from gec_core.meta.agreement import Ties, compare, preferences

    rows = []
    left = _judged_systems(given, corpus)
    for which in (given.set,) if given.set else ("expanded", "unexpanded"):
        pairs = judged_pairs(corpus, which, judges=parse_names(given.judges or ""), systems=left)
        for column in (table := on_sentences(table, left)).columns:
            scores = {system: column.sentence_scores(system) for system in left}
            preferred = preferences(pairs, scores)
            for variant in get_args(Ties):
                found = compare(pairs, preferred, variant)
                interval = found.tau_interval(samples=_samples(given), seed=given.seed)
                row = {
                    "metric": column.metric.id,
                    "set": which,
                    "variant": variant,
                    "agree": found.agree,
                    "disagree": found.disagree,
                    "pairs": found.pairs,
                    "tau": found.tau,
                    "low": interval.low,
                    "high": interval.high,
                    "accuracy": found.accuracy,
                    "signature": column.metric.signature,
                }
                rows.append(_with_or_without_intervals(given, row))
    return rows
