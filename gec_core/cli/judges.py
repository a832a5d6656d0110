"""`judges`: how far human judges agree with each other and with themselves."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import add_corpus, corpus_from, need_texts, samples_from_0
from gec_core.cli.output import SENTENCES_FROM_0, add_format, group, print_json, print_rows
from gec_core.errors import MissingInput
from gec_core.formatting import parse_names

if TYPE_CHECKING:
    from gec_core.human.agreement import AgreementCounts, JudgeAgreement, Together
    from gec_core.types import Corpus

COLUMNS = ["judges", "comparisons", "raw", "kappa", "pi"]
TOGETHER = ["judgments", "units", "answers", "raw", "fleiss", "alpha"]
CONTESTED = ["sentence", "comparisons", "opposed", "judges"]
SHOWN = 10
"""Contested sentences that the table lists."""


def add(commands: Any) -> None:
    command = commands.add_parser(
        "judges",
        help="measure how far human judges agree",
        description="Agreement of judges about the same two outputs (first better, tie, second better): raw, Cohen's "
        "kappa by pair of judges (between judges: their mean, weighted by comparisons), Scott's pi, whose chance comes "
        "from the answers of both judges together (what WMT calls kappa), Fleiss' kappa and Krippendorff's alpha of "
        "all of them, and the sentences about which they disagree. For ratings: of the raters, where single ratings "
        "were published.",
        allow_abbrev=False,
    )
    add_corpus(command)
    options = group(command, "judges")
    options.add_argument("--judges", metavar="A,B", help="only these judges")
    options.add_argument(
        "--top", metavar="N", type=samples_from_0, help=f"list N contested sentences (default: {SHOWN}; json, tsv: all)"
    )
    add_format(command, note=SENTENCES_FROM_0)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    corpus = corpus_from(given)
    pairs, raters = _pairwise(given, corpus), _raters(corpus)
    if pairs is None and not raters:
        need_texts(corpus, "its judgments come with its texts")
        raise MissingInput(_why_not(corpus))
    together = [_together_row("rankings", pairs.together)] if pairs else []
    together += [_together_row(name, found) for name, found in raters.items()]
    rows = _rows(pairs) if pairs else []
    contested = [asdict(each) for each in pairs.contested] if pairs else []
    top = given.top if given.top is not None else SHOWN if given.format == "table" else len(contested)
    if given.format == "json":
        named = {"corpus": corpus.name, "fingerprint": corpus.fingerprint, "judgments": corpus.chosen_set}
        print_json(named | {"together": together, "rows": rows, "contested": contested[:top]})
        return
    print_rows(together, TOGETHER, given.format)
    if rows:
        print()
        print_rows(rows, COLUMNS, given.format)
    if contested[:top]:
        print(f"\n{len(contested)} sentences with opposed answers" if given.format == "table" else "")
        shown = [row | {"judges": ", ".join(row["judges"])} for row in contested[:top]]
        if given.format == "table":
            shown = [row | {"sentence": row["sentence"] + 1} for row in shown]
        print_rows(shown, CONTESTED, given.format)


def _why_not(corpus: Corpus) -> str:
    if corpus.ratings is not None:
        return f"{corpus.name}: only the means of ratings were published, so the agreement of raters is not known."
    return f"{corpus.name} has no judgments (judgments.xml or judgments.csv), so there is no agreement of judges."


def _pairwise(given: argparse.Namespace, corpus: Corpus) -> JudgeAgreement | None:
    from gec_core.human import judge_agreement
    from gec_core.human.sources import judged_pairs

    if not corpus.judgments or corpus.ratings is not None:
        return None
    return judge_agreement(judged_pairs(corpus, "unexpanded", judges=parse_names(given.judges or "")))


def _raters(corpus: Corpus) -> dict[str, Together]:
    """The agreement of raters about every aspect that was rated."""
    from gec_core.human.agreement import rating_agreement

    sets = corpus.judgment_sets.items() if corpus.ratings is not None else ()
    found = {id: rating_agreement(each.ratings, corpus.systems) for id, each in sets if each.ratings is not None}
    return {id: each for id, each in found.items() if each is not None}


def _together_row(name: str, found: Together) -> dict[str, Any]:
    return {"judgments": name, **asdict(found)}


def _rows(found: JudgeAgreement) -> list[dict[str, Any]]:
    """Between judges, within judges, then every two judges who judged the same outputs."""
    return [
        _row("between judges", found.inter),
        _row("within judges", found.intra),
        *(_row(each.name, each) for each in found.by_judges if each.comparisons),
    ]


def _row(name: str, found: AgreementCounts) -> dict[str, Any]:
    return {"judges": name, "comparisons": found.comparisons, "raw": found.raw, "kappa": found.kappa, "pi": found.pi}
