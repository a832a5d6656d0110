"""The command line: `python -m gec_core COMMAND …`.

One module a command, each with `add(commands)`; what a command needs is imported when it runs, so that
asking for help is quick. Bad input is told on stderr with exit code 2.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from gec_core import __version__
from gec_core.cli import corpora, disagree, explain, human, meta, metrics, rank, report, reproduce, score, types
from gec_core.errors import GecLensError


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="python -m gec_core",
        description="GEC Lens: scores of grammatical error correction, and why they disagree.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"GEC Lens {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (score, types, human, rank, meta, explain, disagree, report, reproduce, metrics, corpora):
        module.add(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if it went well, 2 if something given was wrong, 130 if it was interrupted."""
    given = parser().parse_args(arguments)
    try:
        given.run(given)
        sys.stdout.flush()
    except GecLensError as error:
        print(f"gec_core: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ngec_core: interrupted; what was scored so far is kept.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader (head, less) has seen enough; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
