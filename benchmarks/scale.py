"""20,000 sentences with 5 systems under the overlap metrics: one process, two, and the workers of a Dask cluster.

The corpus is made from CoNLL-2014's: each sentence comes back with a number added to it, its references and its
outputs, so that no two are the same text. Memory is that of all processes together, sampled while they run. The ways
take turns, and each counts with the best of its runs: other work on the machine only ever makes a run slower."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import psutil
from distributed import LocalCluster

from benchmarks._common import ROOT, conll14, parser, table
from gec_core import corpora
from gec_core.corpora.folder import save
from gec_core.types import Corpus, Sentence

SENTENCES = 20_000
SYSTEMS = ("AMU", "CAMB", "CUUI", "POST", "UMC")
ROUNDS = 3
METRICS = "m2,sentm2,imeasure,gleu,bleu,green,length"


def main(arguments: Sequence[str]) -> None:
    parser(__file__, __doc__).parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        save(many(corpora.load(conll14())), Path(folder) / "many")
        command = [sys.executable, "-m", "gec_core", "score", "--corpus", f"{folder}/many", "--metric", METRICS]
        ways = {"one process": ["--workers", "1"], "two processes": ["--workers", "2"]}
        runs = [[_run([*command, "--no-store", *arguments]) for arguments in ways.values()] for _ in range(ROUNDS)]
        measured = {way: min(each) for way, each in zip(ways, zip(*runs, strict=True), strict=True)}
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", protocol="tcp://") as cluster:
            measured["two Dask workers"] = _run([*command, "--no-store", "--scheduler", cluster.scheduler_address])
    alone = measured["one process"][0]
    rows = [[way, seconds, alone / seconds, megabytes] for way, (seconds, megabytes) in measured.items()]
    table([f"{SENTENCES:,} sentences, {len(SYSTEMS)} systems", "seconds", "times faster than one", "peak MB"], rows)


def many(corpus: Corpus) -> Corpus:
    """The corpus again and again, no two sentences alike."""
    lines = list(islice(cycle(range(len(corpus))), SENTENCES))
    return Corpus(
        "many",
        tuple(_numbered(corpus.sentences[line], number) for number, line in enumerate(lines)),
        {
            system: tuple(f"{corpus.systems[system][line]} {number}".strip() for number, line in enumerate(lines))
            for system in SYSTEMS
        },
    )


def _numbered(sentence: Sentence, number: int) -> Sentence:
    return replace(
        sentence,
        source=f"{sentence.source} {number}",
        references=tuple(f"{reference} {number}".strip() for reference in sentence.references),
    )


def _run(command: Sequence[str]) -> tuple[float, float]:
    """Seconds, and the most memory that the process and its children held at once."""
    started, most = time.perf_counter(), 0.0
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        most = max(most, _megabytes(psutil.Process(process.pid)))
        time.sleep(0.2)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed.")
    return time.perf_counter() - started, most


def _megabytes(process: psutil.Process) -> float:
    try:
        family = [process, *process.children(recursive=True)]
        return sum(one.memory_info().rss for one in family) / 1e6
    except psutil.NoSuchProcess:
        return 0.0
