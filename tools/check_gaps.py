"""Check that the gap between two systems is split exactly: for all pairs of systems, under all metrics.

    python -m tools.check_gaps conll14
    python -m tools.check_gaps conll14 --edits 20 --metrics m2,gleu,imeasure
    python -m tools.check_gaps conll14 --edits UFC:SJTU,UFC:IITB --metrics scribendi

Without --edits: contributions of sentences to the gap of every pair, under every metric that can run here. With it:
contributions of edits, of so many pairs (drawn with a fixed seed) or of the named ones. Prints the largest residual of
every metric, and ends with exit code 1 if one is larger than 1e-9.
"""

import argparse
import random
import sys
import time
from itertools import combinations

from gec_core.corpora.catalogue import located
from gec_core.meta.edit_fates import pair_edits, read_edits
from gec_core.meta.gap_edits import BYS, edit_gap
from gec_core.meta.gap_sentences import EXACT, metric_gap
from gec_core.metrics import registry
from gec_core.scoring import score
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Corpus

Pairs = list[tuple[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--metrics", help="only these (default: all that can run here)")
    parser.add_argument("--edits", metavar="N|A:B,C:D", help="check edits, of N pairs or of these")
    given = parser.parse_args()
    with located(given.corpus) as folder:
        corpus = folder.load()
    store, worst = Store(), 0.0
    for id in given.metrics.split(",") if given.metrics else registry():
        metric = registry()[id]()
        if not metric.availability().ready:
            continue
        (column,) = score(corpus, [metric], store=store).columns
        started = time.monotonic()
        pairs = _pairs(corpus, given.edits)
        if given.edits:
            found = max(edit_residual(corpus, column, pair, store) for pair in pairs)
        else:
            found = max(sentence_residual(column, pair) for pair in pairs)
        worst = max(worst, found)
        each = (time.monotonic() - started) / len(pairs)
        print(f"{id}: {len(pairs)} pairs, largest residual {found:.1e}, {each:.3f} s a pair", flush=True)
    sys.exit(worst > EXACT)


def _pairs(corpus: Corpus, edits: str | None) -> Pairs:
    everything = list(combinations(corpus.systems, 2))
    if edits is None:
        return everything
    if edits.isdecimal():
        return random.Random(0).sample(everything, min(int(edits), len(everything)))
    return [(first, second) for first, second in (pair.split(":") for pair in edits.split(","))]


def sentence_residual(column: MetricScores, pair: tuple[str, str]) -> float:
    """How far the contributions of sentences, and what no sentence contributes, are from the gap."""
    gap = metric_gap(column, *pair)
    return abs(gap.residual)


def edit_residual(corpus: Corpus, column: MetricScores, pair: tuple[str, str], store: Store) -> float:
    """How far the contributions of edits, in all and in groups, are from the gap."""
    gap = metric_gap(column, *pair)
    texts = read_edits(corpus, pair, store)
    found = edit_gap(corpus, gap, pair_edits(corpus, *pair, texts), texts, store=store)
    groups = [sum(group.contribution for group in found.groups(by)) for by in BYS]
    return max(abs(found.residual), *(abs(total - gap.gap) for total in groups))


if __name__ == "__main__":
    main()
