"""ERRANT on the 13 systems of CoNLL-2014, gold edits as annotated: ours beside the official commands.

Ours is one `score` in a fresh process, start-up included, on an empty store and on a full one. Theirs is
`errant_parallel` and `errant_compare` for one system after the other, on the same pipeline; they use one core.
Their edits and counts are compared with ours."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks._common import conll14, parser, run, table
from gec_core import corpora
from gec_core.align.errant_edits import TextPair, edits_of
from gec_core.align.errant_pipeline import find, label, missing
from gec_core.corpora import m2
from gec_core.corpora.text import TextFile
from gec_core.store import Store
from gec_core.types import Corpus

PARALLEL = """
import errant, spacy, sys
load, nlp = errant.load, spacy.load({folder!r}, disable=["ner"])
errant.load = lambda language: load(language, nlp)
from errant.commands.parallel_to_m2 import main
main()
"""
"""The official command, handed the pipeline that ours found: by itself it looks for one called en_core_web_sm."""
COMPARE = "from errant.commands.compare_m2 import main; main()"


def main(arguments: Sequence[str]) -> None:
    parser(__file__, __doc__).parse_args(arguments)
    pipeline = find()
    if pipeline is None:
        sys.exit(f"ERRANT is not installed. {missing()}")
    folder = conll14()
    corpus = corpora.load(folder)
    ask = ["score", "--corpus", str(folder), "--metric", "errant"]
    run(["score", "--corpus", "demo", "--metric", "errant", "--no-store"])  # compiles, if nothing ever has
    with tempfile.TemporaryDirectory() as temporary:
        cache = Path(temporary)
        cold = run(ask)  # with a store, the scores that come with the project would be found
        run(ask, cache)
        warm = run(ask, cache)
        theirs, counts = _official(PARALLEL.format(folder=str(pipeline.folder)), folder, corpus, cache)
        wrong, edits = _different_edits(corpus, cache, Store(cache / "scores.sqlite"))
        apart = sum(counts[system] != own for system, own in _our_counts(ask, cache).items())
    print(f"{label()}; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    table(
        ["13 systems", "ours, s", "official, s", "times faster", "peak MB"],
        [
            ["nothing known", cold.seconds, theirs, theirs / cold.seconds, cold.megabytes],
            ["warm store", warm.seconds, theirs, theirs / warm.seconds, warm.megabytes],
        ],
    )
    print(f"{wrong} of {edits:,} changed outputs have other edits; {apart} of {len(counts)} systems other counts.")


def _official(parallel: str, folder: Path, corpus: Corpus, work: Path) -> tuple[float, dict[str, list[int]]]:
    """Seconds that the official commands take for all systems, and the counts that they print."""
    source = work / "source.txt"
    source.write_text("".join(f"{sentence.source}\n" for sentence in corpus.sentences))
    seconds, counts = 0.0, {}
    for system, outputs in corpus.systems.items():
        hypothesis, annotated = work / f"{system}.txt", work / f"{system}.m2"
        hypothesis.write_text("".join(f"{output}\n" for output in outputs))
        started = time.perf_counter()
        _python(parallel, "-orig", source, "-cor", hypothesis, "-out", annotated)
        printed = _python(COMPARE, "-hyp", annotated, "-ref", folder / "gold.m2")
        seconds += time.perf_counter() - started
        counts[system] = [int(text) for text in printed.split("F0.5\n")[1].split()[:3]]
    return seconds, counts


def _python(code: str, *arguments: object) -> str:
    command = [sys.executable, "-W", "ignore", "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _our_counts(ask: list[str], cache: Path) -> dict[str, list[int]]:
    found = subprocess.run(
        [sys.executable, "-m", "gec_core", *ask, "--format", "json"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"GEC_LENS_CACHE": str(cache)},
    )
    rows = json.loads(found.stdout)["rows"]
    return {row["system"]: [row["details"][name] for name in ("tp", "fp", "fn")] for row in rows}


def _different_edits(corpus: Corpus, work: Path, store: Store) -> tuple[int, int]:
    """How many distinct changed outputs the official command annotated otherwise, and how many there are."""
    theirs = {}
    for system, outputs in corpus.systems.items():
        for sentence, output in zip(m2.read(TextFile.at(work / f"{system}.m2")), outputs, strict=True):
            if sentence.source != output:
                theirs[TextPair(sentence.source, output)] = sentence.annotations[0].edits
    ours = edits_of(theirs, store)
    return sum(ours[pair] != edits for pair, edits in theirs.items()), len(theirs)
