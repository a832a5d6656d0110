"""What the benchmarks share: the corpus, a command run on its own, a table."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data" / "conll14"


def parser(file: str, about: str | None) -> argparse.ArgumentParser:
    """A parser of the options of the benchmark in this file, to which none have been added yet."""
    return argparse.ArgumentParser(
        prog=f"python -m benchmarks {Path(file).stem}",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def conll14() -> Path:
    """The folder of the real corpus, without which there is nothing worth measuring."""
    for folder in [SHARED, *(Path(name) for name in os.environ.get("GEC_LENS_DATA", "").split(os.pathsep) if name)]:
        for place in (folder, folder / "conll14"):
            if (place / "source.txt").is_file() and (place / "systems").is_dir():
                return place
    sys.exit("The benchmarks need CoNLL-2014: name its folder in GEC_LENS_DATA.")


@dataclass(frozen=True)
class Run:
    """How long a command took, start-up included, and the most memory it held."""

    seconds: float
    megabytes: float


def run(arguments: Sequence[str], cache: Path | None = None) -> Run:
    """Run `python -m gec_core …` in a process of its own; without a cache, nothing that is known already is used."""
    if cache is None:
        arguments = [*arguments, "--no-store"]
    with tempfile.TemporaryDirectory() as empty:
        environment = os.environ | {"GEC_LENS_CACHE": str(cache or empty)}
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "gec_core", *arguments], env=environment, cwd=ROOT, stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
    if status:
        sys.exit(f"gec_core {' '.join(arguments)} failed.")
    return Run(seconds, usage.ru_maxrss / 1024)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A Markdown table, numbers to two digits after the point."""
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(f"{cell:,.2f}" if isinstance(cell, float) else str(cell) for cell in row) + " |")
    print(flush=True)
