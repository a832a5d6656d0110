"""The command line: `gec-lens COMMAND …`, or `python -m gec_core COMMAND …`.

Each command is a module with `add(commands)`, which defines its options, and a function that runs it. What a command
needs is imported when it runs, so that --help is quick. Results go to stdout, messages to stderr.
"""

from __future__ import annotations

import argparse
import errno
import gc
import io
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gec_core import __version__
from gec_core.cli import (
    across,
    corpora,
    correct,
    disagree,
    explain,
    figure,
    human,
    judge,
    judges,
    meta,
    metrics,
    rank,
    report,
    reproduce,
    run,
    score,
    stress,
    table,
    trial,
    types,
    verdicts,
    why,
)
from gec_core.cli.output import COMMAND, tell
from gec_core.errors import GecLensError, UserNotice

EXIT_CODES = """\
exit codes:
  0    success
  1    a bug in GEC Lens: please report the traceback
  2    bad input or bad arguments: the message says what to change
  3    a metric that was asked for is left out: the message says why
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
    for module in (
        score,
        types,
        human,
        judges,
        rank,
        meta,
        across,
        verdicts,
        explain,
        disagree,
        why,
        stress,
        trial,
        report,
        reproduce,
        correct,
        metrics,
        corpora,
        judge,
        table,
        figure,
        run,
    ):
        module.add(commands)
    return top


RARELY = (100_000, 50, 100)
"""When garbage is looked for: a command makes many objects that stay, and few that refer to each other in a circle."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (`EXIT_CODES`)."""
    _prepare_output()
    gc.set_threshold(*RARELY)
    given = parser().parse_args(arguments)
    warnings.showwarning = _show_warning
    try:
        given.run(given)
        sys.stdout.flush()
    except GecLensError as error:
        tell(error)
        return 2
    except UnicodeEncodeError as error:
        tell(f"{error.object[:80]!a} is not UTF-8 text. Rename the file or the system.")
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        tell("interrupted; what was scored so far is kept.")
        return 130
    except BrokenPipeError:
        # The reader (head, less) closed the pipe; this keeps Python from complaining about it at exit.
        _discard_output()
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EBADF) or error.filename:
            raise
        tell(f"the output cannot be written ({error.strerror}).")
        _discard_output()
        return 2
    return getattr(given, "exit_code", 0)


def _prepare_output() -> None:
    """Names that are no text, and terminals without Unicode, must not stop a command; nor a closed output."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_show_with_place = warnings.showwarning


def _show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """Print a warning that is for the user as errors are; others show where in the code they arose."""
    if issubclass(category, UserNotice):
        tell(message)
    else:
        _show_with_place(message, category, *place, **more)
