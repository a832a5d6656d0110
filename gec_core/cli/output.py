"""Print results on stdout (tables for people, JSON and TSV for programs), messages and progress on stderr."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_core.errors import CorpusError
from gec_core.formatting import duration

if TYPE_CHECKING:
    from gec_core.types import Progress

COMMAND = "gec-lens"
Row = Mapping[str, Any]
FORMATS = ("table", "json", "tsv")
SENTENCES_FROM_0 = "Sentences are counted from 0, as `explain --sentence` takes them."


def add_format(command: argparse.ArgumentParser, choices: Sequence[str] = FORMATS, *, note: str = "") -> None:
    """--format; the first choice is the default."""
    told = f"{choices[0]} for people (default), {' or '.join(choices[1:])} for programs"
    group(command, "output").add_argument(
        "--format", choices=choices, default=choices[0], help=f"{told}; {note}" if note else told
    )


def group(command: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """The group of options under this title, made when first asked for."""
    made = {each.title: each for each in command._action_groups}
    return made.get(title) or command.add_argument_group(title)


def tell(message: object) -> None:
    """A message to the person, on stderr."""
    print(f"{COMMAND}: {message}", file=sys.stderr)


def write_file(path: Path, content: bytes) -> None:
    """Write what an option such as --out names.

    Raises:
        CorpusError: The file cannot be written.
    """
    try:
        path.write_bytes(content)
    except OSError as problem:
        raise CorpusError(f"{path}: cannot be written ({problem.strerror}).") from None


def print_json(value: Any) -> None:
    """Print strict JSON: NaN and infinity become null."""
    print(json.dumps(_finite(value), ensure_ascii=False, indent=1))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value


def print_rows(rows: Sequence[Row], columns: Sequence[str], format: str) -> None:
    """Print rows under a heading: aligned for people, or separated by tabs."""
    if format == "tsv":
        print("\t".join(columns))
        for row in rows:
            print("\t".join(_exact(row.get(column)) for column in columns))
        return
    cells = [[short(row.get(column)) for column in columns] for row in rows]
    widths = [max(len(column), *(len(line[at]) for line in cells), 0) for at, column in enumerate(columns)]
    right = [_numeric(row.get(column) for row in rows) for column in columns]
    for line in [list(columns), *cells]:
        fields = (
            f"{text:>{width}}" if number else f"{text:<{width}}"
            for text, width, number in zip(line, widths, right, strict=True)
        )
        print("  ".join(fields).rstrip())


def _numeric(values: Any) -> bool:
    return all(isinstance(value, int | float) or value is None for value in values)


def _exact(value: Any) -> str:
    return "" if value is None else " ".join(str(value).split("\t"))


def short(value: Any) -> str:
    """A value in a table for people: four decimals, and a dash for what is not there."""
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


class StatusLine:
    """A line on stderr that is overwritten as work goes on. Silent unless stderr is a terminal."""

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty()
        self.width = 0

    def show(self, text: str) -> None:
        if self.shown:
            self.width = max(self.width, len(text))
            print(f"\r{text:<{self.width}}", end="", file=sys.stderr, flush=True)

    def scoring(self, progress: Progress) -> None:
        """Show how far a scoring run is: pairs done, rate, time left."""
        left = progress.seconds_left
        text = f"{progress.what}: {progress.done:,} of {progress.total:,} pairs, {progress.rate:,.0f} a second"
        self.show(text + (f", {duration(left)} left" if left is not None else ""))

    def counting(self, what: str) -> Callable[[Progress], None]:
        """A callback that shows how many of something are done."""

        def show(progress: Progress) -> None:
            left = progress.seconds_left
            text = f"{progress.what}: {progress.done:,} of {progress.total:,} {what}"
            self.show(text + (f", {duration(left)} left" if left is not None else ""))

        return show

    def close(self) -> None:
        """Clear the line."""
        if self.width:
            print(f"\r{' ' * self.width}\r", end="", file=sys.stderr, flush=True)
