"""`correct`: correct sentences with an offline corrector, to have outputs to analyse."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gec_core.cli.inputs import need_texts
from gec_core.cli.output import group, tell, write_file
from gec_core.errors import CorpusError


def add(commands: Any) -> None:
    command = commands.add_parser(
        "correct", help="correct sentences with a weak offline corrector, to try things with", allow_abbrev=False
    )
    options = group(command, "sentences")
    options.add_argument("--corpus", metavar="DIR|NAME", help="correct the sources of this corpus")
    options.add_argument("--source", metavar="FILE", type=Path, help="correct the sentences in this file, one per line")
    options.add_argument(
        "--with",
        dest="corrector",
        choices=["harper", "tagger"],
        default="harper",
        help="harper, a rule-based checker (default), or tagger, a small model (needs gec-lens[tagger]); both are weak",
    )
    options = group(command, "output")
    options.add_argument("--raw", action="store_true", help="write ordinary text, not tokenised like the sources")
    options.add_argument("--out", metavar="FILE", type=Path, help="write to this file instead of standard output")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    from gec_core.corpora.text import TextFile
    from gec_core.models.corrector import WEAK, WEAK_TAGGER, correct
    from gec_core.scoring.precomputed import open_corpus

    if bool(given.corpus) == bool(given.source):
        raise CorpusError("Say what to correct: either --corpus DIR|NAME or --source FILE.")
    if given.source:
        sources = TextFile.at(given.source).lines()
    else:
        corpus = open_corpus(given.corpus)
        need_texts(corpus, "there is nothing to correct")
        sources = [sentence.source for sentence in corpus.sentences]
    with _stdout_to_stderr():
        lines = correct(sources, raw=given.raw, corrector=given.corrector)
    tell(WEAK_TAGGER if given.corrector == "tagger" else WEAK)
    text = "".join(f"{line}\n" for line in lines)
    if given.out is None:
        print(text, end="")
        return
    write_file(given.out, text.encode())
    changed = sum(" ".join(line.split()) != source for line, source in zip(lines, sources, strict=True))
    tell(f"{given.out}: {len(lines):,} lines" + ("" if given.raw else f", {changed:,} of them changed"))


@contextmanager
def _stdout_to_stderr() -> Iterator[None]:
    """Send what Harper's native code prints to stderr, so that standard output holds outputs alone."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
