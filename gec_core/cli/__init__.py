"""The command line: `gec-lens COMMAND …`, or `python -m gec_core COMMAND …`.

Each command is a module with `add(commands)`, which defines its options, and a function that runs it. What a command
needs is imported when it runs, so that --help is quick. Results go to stdout, messages to stderr.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gec_core import __version__
from gec_core.cli import corpora, disagree, explain, human, meta, metrics, rank, report, reproduce, run, score, types
from gec_core.cli.output import tell
from gec_core.errors import GecLensError, PluginWarning

COMMAND = "gec-lens"

EXIT_CODES = """\
exit codes:
  0    success
  1    a bug in GEC Lens: please report the traceback
  2    bad input or bad arguments: the message says what to change
  130  interrupted with Ctrl-C: what was scored so far is kept
"""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog=COMMAND if Path(sys.argv[0]).stem == COMMAND else "python -m gec_core",
        description="GEC Lens: metrics of grammatical error correction, and why they disagree.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"GEC Lens {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (score, types, human, rank, meta, explain, disagree, report, reproduce, metrics, corpora, run):
        module.add(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (`EXIT_CODES`)."""
    given = parser().parse_args(arguments)
    warnings.showwarning = _show_warning
    try:
        given.run(given)
        sys.stdout.flush()
    except GecLensError as error:
        tell(error)
        return 2
    except KeyboardInterrupt:
        print("\ngec_core: interrupted; what was scored so far is kept.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader (head, less) closed the pipe; this keeps Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


_show_with_place = warnings.showwarning


def _show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """Print a warning that is for the user as errors are; others show where in the code they arose."""
    if issubclass(category, PluginWarning):
        tell(message)
    else:
        _show_with_place(message, category, *place, **more)
