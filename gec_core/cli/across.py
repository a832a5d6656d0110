"""`across`: how well metrics agree with people on every corpus, set of judgments and set of systems."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import number_from_0, whole_number, with_sessions
from gec_core.cli.output import add_format, group, print_json, print_rows, tell
from gec_core.cli.scoring import add_aggregate, add_metrics, add_scoring, metrics_from, scoring_with
from gec_core.errors import GecLensError, MissingInput
from gec_core.formatting import parse_names

if TYPE_CHECKING:
    from gec_core.meta.across import Cell
    from gec_core.metrics.base import Metric
    from gec_core.types import Corpus

COLUMNS = ["corpus", "human", "systems", "metric", "n", "pearson", "low", "high", "spearman", "kendall", "accuracy"]

ADVICE = ["metric", "mean", "worst", "worst_low", "worst_high", "worst_view", "views", "of", "systems"]


def add(commands: Any) -> None:
    command = commands.add_parser(
        "across",
        help="correlate metrics with people on several corpora",
        description="Correlate metrics with people on every corpus, set of judgments and named set of systems. Without "
        "--metric, all metrics whose scores are known already, which takes no scoring.",
        allow_abbrev=False,
    )
    options = group(command, "corpora")
    options.add_argument(
        "--corpus",
        metavar="DIR|NAME",
        action="append",
        default=[],
        help="a corpus; may be repeated (default: all that are known by name and were judged; of the demo, only "
        "finished sessions of the page Judge)",
    )
    options.add_argument(
        "--human", choices=["ew", "ts"], default="ts", help="how rankings by people are made (default: TrueSkill)"
    )
    options.add_argument("--system-set", metavar="A,B", help="only these named sets of systems")
    options.add_argument("--seed", metavar="S", type=number_from_0, default=0, help="of TrueSkill and the bootstrap")
    options.add_argument("--bootstrap", metavar="N", type=whole_number, default=1000, help="samples for intervals")
    add_metrics(command, required=False)
    add_aggregate(command)
    add_scoring(command)
    options.add_argument(
        "--sort", choices=["mean", "worst"], default="mean", help="order metrics by mean or worst r (default: mean)"
    )
    advice = group(command, "which metric to trust")
    advice.add_argument(
        "--purpose", choices=["minimal", "fluency"], help="advise on a metric for minimal edits or for fluency"
    )
    advice.add_argument("--no-references", action="store_true", help="there are no references")
    advice.add_argument("--language-models", action="store_true", help="language models are among the systems")
    add_format(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.meta.across import ordered

    asked = metrics_from(given) if given.metric else []
    wanted = parse_names(given.system_set or "")
    found = [cell for corpus in _corpora(given) for cell in _cells(given, corpus, asked, wanted)]
    if not found:
        named = f" on the systems {', '.join(wanted)}" if wanted else ""
        raise MissingInput(f"None of the corpora has both human judgments and scores{named}. {_instead(given, wanted)}")
    place = {metric: number for number, metric in enumerate(ordered(found, "pearson", given.sort))}
    found.sort(key=lambda cell: place.get(cell.metric, len(place)))
    rows = [cell.as_dict() for cell in found]
    if given.purpose:
        _advise(given, rows, {cell.view.title: cell.view.label for cell in found})
    elif given.format == "json":
        print_json({"rows": rows})
    else:
        print_rows(rows, COLUMNS, given.format)


def _instead(given: argparse.Namespace, wanted: list[str]) -> str:
    from gec_core.types import ALL_SYSTEMS

    if not wanted:
        return "Name a metric with --metric."
    sets = dict.fromkeys(name for corpus in _corpora(given) for name in (*corpus.system_sets, ALL_SYSTEMS))
    return f"Sets of systems: {', '.join(sets)}."


def _advise(given: argparse.Namespace, rows: list[dict[str, object]], labels: dict[str, str]) -> None:
    from gec_core.meta.trust import Purpose, advice, told
    from gec_core.metrics import registry

    purpose = Purpose(given.purpose, not given.no_references, given.language_models)
    known = registry()
    found = advice(rows, purpose, {id: made.reads for id, made in known.items()})
    alone = [id for id, made in known.items() if made.output_alone]
    said = told(found, purpose, {id: made().title for id, made in known.items()}, labels, alone)
    table = [each.as_dict() for each in found]
    if given.format == "json":
        print_json({"purpose": purpose.words, "advice": said, "rows": table})
        return
    print_rows(table, ADVICE, given.format)
    if given.format == "table":
        print()
        print("\n".join(said))


def _corpora(given: argparse.Namespace) -> list[Corpus]:
    from gec_core.corpora import catalogue_entries
    from gec_core.scoring.precomputed import open_corpus
    from gec_core.shipped import all_precomputed

    names = given.corpus or [
        entry.name for entry in catalogue_entries() if entry.path or entry.name in all_precomputed()
    ]
    found = []
    for name in names:
        try:
            found.append(open_corpus(name))
        except GecLensError as problem:
            if given.corpus:
                raise
            tell(f"{name} is left out. {problem}")
    return found


def _cells(given: argparse.Namespace, corpus: Corpus, asked: list[Metric], wanted: list[str]) -> list[Cell]:
    from gec_core.human.ranking import aggregated
    from gec_core.judging.results import PREFIX
    from gec_core.meta.across import cells, views
    from gec_core.scoring import known_column, score
    from gec_core.store import Store

    found = [view for view in views(with_sessions(corpus), given.human) if not wanted or view.systems in wanted]
    if corpus.name == "demo" and not given.corpus:
        found = [view for view in found if view.corpus.chosen_set.startswith(PREFIX)]
    if not found:
        return []
    with scoring_with(given) as how:
        if asked:
            fitting = [metric for metric in asked if _applies(corpus, metric)]
            columns = list(score(corpus, fitting, **how).columns) if fitting else []
        else:
            columns = [each for metric in _usual(corpus) if (each := known_column(corpus, metric, Store()))]
    scores = {column.metric.id: aggregated(column, given.aggregate, seed=given.seed).values for column in columns}
    return [cell for view in found for cell in cells(view, scores, samples=given.bootstrap, seed=given.seed)]


def _usual(corpus: Corpus) -> list[Metric]:
    """The metrics that can have scores of this corpus."""
    from gec_core.metrics import registry

    metrics = [made() for made in registry().values()]
    return [metric for metric in metrics if metric.family != "sanity" and _applies(corpus, metric)]


def _applies(corpus: Corpus, metric: Metric) -> bool:
    """Whether a metric can score the corpus; without its texts, whether its scores are shipped."""
    from gec_core.shipped import all_precomputed

    if corpus.has_texts:
        return not metric.obstacle(corpus.sentences[0])
    return all_precomputed()[corpus.name].has(metric.statistics_signature)
