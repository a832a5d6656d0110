"""`human`: rank systems by human judgments."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import add_corpus, corpus_from, number_from_0, samples_from_0, whole_number
from gec_core.cli.output import add_format, group, print_json, print_rows, tell
from gec_core.errors import MissingInput
from gec_core.formatting import parse_names

if TYPE_CHECKING:
    from gec_core.human import Ranking
    from gec_core.types import Corpus

USUAL = "ew"
SAMPLES = {"ew": 1000, "ts": 100}
"""The usual number of bootstrap samples. TrueSkill has fewer, since each takes a run of its own."""
COLUMNS = ["system", "score", "rank", "rank_low", "rank_high", "cluster"]


def add(commands: Any) -> None:
    command = commands.add_parser(
        "human",
        help="rank systems by human judgments",
        description="Rank systems by human judgments. Scores and ranks are those among all judged systems; --systems "
        "only chooses which to print.",
        allow_abbrev=False,
    )
    add_corpus(command)
    add_ranking(command, "--method")
    add_format(command)
    command.set_defaults(run=run)


def add_ranking(command: argparse.ArgumentParser, flag: str) -> None:
    """The options that choose a human ranking, under `flag`, and say how it is made."""
    command.set_defaults(ranking_flag=flag)
    options = group(command, "human ranking")
    options.add_argument(
        flag,
        dest="human",
        metavar="ew|ts|mean|NAME|FILE",
        help="Expected Wins (the default for rankings), TrueSkill, the mean rating (the default for ratings), `given` "
        "(the human.tsv of the corpus), a published ranking, or a file of systems and scores",
    )
    options.add_argument(
        "--set",
        choices=["expanded", "unexpanded"],
        help="pairs of all systems (expanded, the default for rankings), or of one system per distinct output",
    )
    options.add_argument("--judges", metavar="A,B", help="only these judges")
    options.add_argument("--runs", metavar="N", type=whole_number, help="runs of TrueSkill to average")
    options.add_argument(
        "--seed", metavar="S", type=number_from_0, default=0, help="of TrueSkill and bootstraps (default: %(default)s)"
    )
    options.add_argument(
        "--bootstrap", metavar="N", type=samples_from_0, help="samples for rank ranges and intervals; 0 for none"
    )


def ranking_from(given: argparse.Namespace, corpus: Corpus, *, samples: int = 0) -> Ranking:
    """The human ranking that the arguments name."""
    from gec_core.api.evaluation import human_ranking
    from gec_core.human import trueskill
    from gec_core.human.sources import available

    name = usual_ranking(given, corpus)
    if name in SAMPLES and not corpus.judgments and (others := available(corpus)):
        raise MissingInput(
            f"{corpus.name} has no judgments to make a ranking from. It has other rankings: name one with "
            f"{given.ranking_flag} NAME, where NAME is {' or '.join(others)}."
        )
    return human_ranking(
        corpus,
        name,
        set=given.set or "expanded",
        judges=parse_names(given.judges or ""),
        runs=given.runs or trueskill.RUNS,
        seed=given.seed,
        samples=samples,
    )


def usual_ranking(given: argparse.Namespace, corpus: Corpus) -> str:
    """The name of the human ranking asked for, or of the usual one."""
    return given.human or ("mean" if corpus.ratings is not None else USUAL)


def run(given: argparse.Namespace) -> None:
    corpus = corpus_from(given)
    samples = SAMPLES.get(usual_ranking(given, corpus), 0) if given.bootstrap is None else given.bootstrap
    ranking = ranking_from(given, corpus, samples=samples)
    rows: list[dict[str, Any]] = [
        {column: getattr(standing, column) for column in COLUMNS}
        for standing in ranking.standings
        if not given.systems or standing.system in corpus.systems
    ]
    unjudged = [system for system in corpus.systems if system not in ranking.scores]
    rows += [dict.fromkeys(COLUMNS) | {"system": system} for system in unjudged]
    tell_mismatch(given, corpus, ranking)
    if given.format == "json":
        print_json(
            {
                "corpus": corpus.name,
                "fingerprint": corpus.fingerprint,
                "method": ranking.method,
                "samples": ranking.samples,
                "rows": rows,
            }
        )
        return
    print_rows(rows, COLUMNS, given.format)


def tell_mismatch(given: argparse.Namespace, corpus: Corpus, ranking: Ranking) -> None:
    """Say which systems are only in the ranking or only in the corpus, except for those that --systems leaves out."""
    wanted = not given.systems and corpus.systems
    unknown = [system for system in ranking.systems if wanted and system not in corpus.systems]
    judged = corpus.judgments.systems if corpus.judgments else ()
    unscored = [system for system in corpus.systems if system not in ranking.scores]
    tied, unjudged = ([each for each in unscored if (each in judged) is how] for how in (True, False))
    if tied:
        tell(f"judged, but without a comparison that decides, so without a human score: {', '.join(tied)}")
    if unknown:
        tell(f"judged, but without outputs in {corpus.name}: {', '.join(unknown)}")
    if unjudged:
        tell(f"never judged, so without a human score: {', '.join(unjudged)}")
