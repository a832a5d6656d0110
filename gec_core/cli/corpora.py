"""`corpora`: list, show, check and download corpora."""

from __future__ import annotations

import argparse
import sys
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_core.cli.output import StatusLine, add_format, print_json, print_rows
from gec_core.errors import CorpusError, CorpusWarning
from gec_core.formatting import counted

if TYPE_CHECKING:
    from gec_core.corpora.download import DownloadProgress


def add(commands: Any) -> None:
    command = commands.add_parser("corpora", help="list, show, check or download corpora", allow_abbrev=False)
    command.set_defaults(run=run_list, format="table")
    actions = command.add_subparsers(title="actions", metavar="list|show|check|fetch|build")
    listing = actions.add_parser("list", help="list the corpora that are known by name", allow_abbrev=False)
    add_format(listing)
    listing.set_defaults(run=run_list)
    show = actions.add_parser("show", help="count what is in a corpus", allow_abbrev=False)
    show.add_argument("corpus", metavar="DIR|NAME")
    add_format(show, ("table", "json"))
    show.set_defaults(run=run_show)
    check = actions.add_parser("check", help="look for errors and oddities in a corpus", allow_abbrev=False)
    check.add_argument("corpus", metavar="DIR|NAME")
    check.add_argument(
        "--strict",
        action="store_true",
        help="take gold edits outside their sentences, and judgments that look damaged, for errors",
    )
    add_format(check, ("table", "json"))
    check.set_defaults(run=run_check)
    fetch = actions.add_parser("fetch", help="download a corpus from its authors", allow_abbrev=False)
    fetch.add_argument("name", metavar="NAME")
    fetch.add_argument("--mirror", metavar="ADDRESS", help="download the same files from this address instead")
    fetch.set_defaults(run=run_fetch)
    build = actions.add_parser("build", help="make a corpus from the files its authors published", allow_abbrev=False)
    build.add_argument("name", metavar="NAME")
    build.add_argument(
        "--from", dest="source", metavar="FOLDER", type=Path, required=True, help="where the files are, at any depth"
    )
    build.add_argument("--out", metavar="FOLDER", type=Path, help="the corpus folder to write")
    build.set_defaults(run=run_build)


def run_list(given: argparse.Namespace) -> None:
    from gec_core import corpora

    rows = [
        {"name": entry.name, "title": entry.title, "where": str(entry.path) if entry.path else None, "how": entry.how}
        for entry in corpora.catalogue_entries()
    ]
    if given.format == "json":
        print_json(rows)
        return
    for row in rows:
        row["where"] = row["where"] or f"not here. {row['how']}"
    print_rows(rows, ["name", "title", "where"], given.format)


def run_show(given: argparse.Namespace) -> None:
    from gec_core import corpora

    corpus = corpora.load(given.corpus)
    facts = {"name": corpus.name, "fingerprint": corpus.fingerprint}
    facts |= {key: value for key, value in asdict(corpus.info).items() if value}
    facts |= asdict(corpora.summarise(corpus)) | {"systems": list(corpus.systems)}
    if given.format == "json":
        print_json(facts)
        return
    width = max(len(key) for key in facts)
    for key, value in facts.items():
        print(f"{key:<{width}}  {', '.join(value) if isinstance(value, list) else value}")


def run_check(given: argparse.Namespace) -> None:
    from gec_core import corpora

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CorpusWarning)  # they are among the findings
        findings = corpora.check(given.corpus, notes=True, strict=given.strict)
    if given.format == "json":
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            print(f"{finding.level}: {finding.message}")
    errors = sum(finding.level == "error" for finding in findings)
    if errors:
        raise CorpusError(f"{given.corpus} cannot be used as it is ({counted(errors, 'error')}).")
    if not any(finding.level != "note" for finding in findings) and given.format == "table":
        print("No problems found.")


def run_build(given: argparse.Namespace) -> None:
    from gec_core.corpora.building import build

    _tell_terms(given.name)
    print(f"{given.name} is in {build(given.name, given.source, target=given.out)}", file=sys.stderr)


def _tell_terms(name: str) -> None:
    """Print licence and citation of a corpus, before anything of it is fetched."""
    from gec_core.corpora import catalogue

    if about := catalogue.info(name):
        print(f"{about.title}\nLicence: {about.licence}\nPlease cite: {about.citation}", file=sys.stderr)


def run_fetch(given: argparse.Namespace) -> None:
    from gec_core.corpora.download import fetch

    _tell_terms(given.name)
    line = StatusLine()

    def show(progress: DownloadProgress) -> None:
        of = f" of {progress.total / 1e6:.1f}" if progress.total else ""
        line.show(f"{progress.file}: {progress.received / 1e6:.1f}{of} MB, {progress.rate / 1e6:.1f} MB a second")

    try:
        path = fetch(given.name, on_progress=show, mirror=given.mirror)
    finally:
        line.close()
    print(f"{given.name} is in {path}", file=sys.stderr)
