"""`human`: the systems as people rank them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import add_corpus, corpus_from, number_from_0, whole_number
from gec_core.cli.output import FORMATS, print_json, print_rows
from gec_core.errors import MissingInput
from gec_core.formatting import parse_names

if TYPE_CHECKING:
    from gec_core.human import Ranking
    from gec_core.types import Corpus

USUAL = "ew"
SAMPLES = {"ew": 1000, "ts": 100}
"""Bootstrap samples unless asked otherwise: each takes TrueSkill a run of its own."""
COLUMNS = ["system", "score", "rank", "rank_low", "rank_high", "cluster"]


def add(commands: Any) -> None:
    command = commands.add_parser(
        "human",
        help="rank systems by human judgments",
        description="Scores and ranks are those among all judged systems; --systems says which to show.",
        allow_abbrev=False,
    )
    add_corpus(command)
    add_ranking(command, "--method")
    command.add_argument("--format", choices=FORMATS, default="table")
    command.set_defaults(run=run)


def add_ranking(command: argparse.ArgumentParser, flag: str) -> None:
    """Which human ranking, and how it is made."""
    command.set_defaults(ranking_flag=flag)
    group = command.add_argument_group("what people thought")
    group.add_argument(
        flag,
        dest="human",
        metavar="ew|ts|NAME|FILE",
        help="Expected Wins (the default), TrueSkill, `given` (human.tsv), a published ranking, or a file of systems "
        "and scores",
    )
    group.add_argument(
        "--set", choices=["expanded", "unexpanded"], help="which pairs of outputs (rankings: expanded by default)"
    )
    group.add_argument("--judges", metavar="A,B", help="only these judges")
    group.add_argument("--runs", metavar="N", type=whole_number, help="runs of TrueSkill whose mean is taken")
    group.add_argument("--seed", metavar="S", type=number_from_0, default=0)
    group.add_argument("--bootstrap", metavar="N", type=whole_number, help="samples behind ranges and intervals")


def ranking_from(given: argparse.Namespace, corpus: Corpus, *, samples: int = 0) -> Ranking:
    """The human ranking that the arguments name."""
    from gec_core.human import from_scores, trueskill
    from gec_core.human.sources import available, ranking_for

    name = given.human or USUAL
    if name in SAMPLES and not corpus.judgments and (there := available(corpus)):
        raise MissingInput(
            f"{corpus.name} has no judgments to make a ranking from. It has others: name one with "
            f"{given.ranking_flag} NAME, where NAME is {' or '.join(there)}."
        )
    if _is_file(name):
        from gec_core.corpora import judgments
        from gec_core.corpora.text import TextFile

        return from_scores(judgments.read_scores(TextFile.at(name)), name)
    return ranking_for(
        corpus,
        name,
        which=given.set or "expanded",
        judges=parse_names(given.judges or ""),
        runs=given.runs or trueskill.RUNS,
        seed=given.seed,
        samples=samples,
    )


def _is_file(name: str) -> bool:
    return Path(name).suffix != "" or "/" in name


def run(given: argparse.Namespace) -> None:
    corpus = corpus_from(given)
    samples = SAMPLES.get(given.human or USUAL, 0) if given.bootstrap is None else given.bootstrap
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
    """Say on stderr which systems only one side knows; nothing is amiss about those that --systems leaves out."""
    wanted = not given.systems and corpus.systems
    unknown = [system for system in ranking.systems if wanted and system not in corpus.systems]
    unjudged = [system for system in corpus.systems if system not in ranking.scores]
    if unknown:
        print(f"gec_core: judged, but without outputs in {corpus.name}: {', '.join(unknown)}", file=sys.stderr)
    if unjudged:
        print(f"gec_core: never judged, so without a human score: {', '.join(unjudged)}", file=sys.stderr)
