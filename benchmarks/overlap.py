"""The overlap metrics on the 13 systems of CoNLL-2014, as a user runs them: a fresh process, start-up included.

The originals' seconds were measured on the same kind of machine (2 cores); M2 of NTHU did not finish there
in 280 s and counts with these, and mixed references are impossible for the original I-measure."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks._common import conll14, parser, run, table

CASES = [
    # what, arguments, seconds of the original for all 13 systems (None: cannot be done)
    ("M2", ["--metric", "m2"], 12 * 12.2 + 280),
    ("GLEU", ["--metric", "gleu"], 13 * 5.4),
    ("I-measure, nomix", ["--metric", "imeasure"], 12 * 131 + 8),
    ("I-measure, mix", ["--metric", "imeasure", "--option", "imeasure.mode=mix"], None),
    ("BLEU", ["--metric", "bleu"], None),
    ("GREEN", ["--metric", "green"], None),
]
EVERYTHING = "m2,sentm2,imeasure,gleu,bleu,green,length,constant"


def main(arguments: Sequence[str]) -> None:
    parser(__file__, __doc__).parse_args(arguments)
    corpus = str(conll14())
    rows = []
    for what, options, original in CASES:
        took = run(["score", "--corpus", corpus, *options, "--workers", "2" if "mode=mix" in options[-1] else "1"])
        ratio = original / took.seconds if original else "–"
        rows.append([what, took.seconds, original or "–", ratio, took.megabytes])
    with tempfile.TemporaryDirectory() as cache:
        everything = ["score", "--corpus", corpus, "--metric", EVERYTHING]
        cold = run(everything)
        run(everything, Path(cache))
        warm = run(everything, Path(cache))
    rows.append(["all eight, cold store", cold.seconds, "–", "–", cold.megabytes])
    rows.append(["all eight, warm store", warm.seconds, "–", "–", warm.megabytes])
    table(["13 systems", "ours, s", "original, s (at least)", "times faster (at least)", "peak MB"], rows)
