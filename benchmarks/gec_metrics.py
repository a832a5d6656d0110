"""GLEU and GREEN beside the package `gec-metrics`, both in this process, on the 13 systems of CoNLL-2014.

Compilation (once a machine) and imports are left out on both sides; no store is used. gec-metrics draws
references with Python 3's randint, so its GLEU is compared with ours of the same draw."""

import importlib
import importlib.util
import sys
import time
import types
from collections.abc import Sequence
from typing import Any

from benchmarks._common import conll14, parser, table
from gec_core import corpora
from gec_core.metrics import create
from gec_core.scoring import score


def peer(module: str, name: str) -> Any:
    """A metric of gec-metrics, without importing the whole package, which needs several GB of others."""
    if "gec_metrics" not in sys.modules:
        spec = importlib.util.find_spec("gec_metrics")
        if spec is None or spec.submodule_search_locations is None:
            sys.exit("The package gec-metrics is not installed: `make bench` does it.")
        root = spec.submodule_search_locations[0]
        for package, path in (("gec_metrics", root), ("gec_metrics.metrics", f"{root}/metrics")):
            sys.modules[package] = types.ModuleType(package)
            sys.modules[package].__path__ = [path]
        sys.modules["gecommon"] = types.ModuleType("gecommon")
        sys.modules["gecommon"].apply_edits = None  # type: ignore[attr-defined]
    return getattr(importlib.import_module(f"gec_metrics.metrics.{module}"), name)


def main(arguments: Sequence[str]) -> None:
    parser(__file__, __doc__).parse_args(arguments)
    corpus = corpora.load(conll14())
    sources = [sentence.source for sentence in corpus.sentences]
    references = [list(column) for column in zip(*(each.references for each in corpus.sentences), strict=True)]
    rows = []
    for ours, theirs in (
        (create("gleu", {"draw": "python3"}), peer("gleu", "GLEUOfficial")()),
        (create("green"), peer("green", "GREEN")()),
    ):
        score(corpus.only(["INPUT"]), [ours], workers=1)
        started = time.perf_counter()
        found = score(corpus, [ours], workers=1).columns[0].values
        own = time.perf_counter() - started
        started = time.perf_counter()
        expected = {
            system: theirs.score_corpus(sources, list(outputs), references)
            for system, outputs in corpus.systems.items()
        }
        other = time.perf_counter() - started
        apart = max(abs(found[system] - expected[system]) for system in found)
        rows.append([ours.name, own, other, other / own, f"{apart:.1e}"])
    table(["13 systems", "ours, s", "gec-metrics, s", "times faster", "largest difference in score"], rows)
