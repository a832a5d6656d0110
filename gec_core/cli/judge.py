"""`judge`: list, export and import sessions of judging, or simulate how many judgments a ranking needs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_core.cli.inputs import add_corpus, corpus_from, number_from_0, whole_number
from gec_core.cli.output import add_format, print_json, print_rows, write_file
from gec_core.errors import JudgingError, MissingInput
from gec_core.formatting import counted

if TYPE_CHECKING:
    from gec_core.judging.database import JudgingDatabase
    from gec_core.judging.session import Session


def add(commands: Any) -> None:
    command = commands.add_parser("judge", help="export, import or simulate human judgments", allow_abbrev=False)
    actions = command.add_subparsers(title="actions", metavar="ACTION", required=True)
    export = actions.add_parser("export", help="write the judgments of a session to a folder", allow_abbrev=False)
    _add_session(export)
    export.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="the folder to write to")
    export.add_argument("--anonymous", action="store_true", help="number the judges instead of naming them")
    export.set_defaults(run=_export)
    read = actions.add_parser(
        "import", help="make a session of an exported one, or add rankings to a session", allow_abbrev=False
    )
    _add_session(read, required=False)
    read.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        help="session.json or the zip file that has it; or rankings: judgments.xml|csv",
    )
    read.set_defaults(run=_import)
    listing = actions.add_parser("list", help="the sessions on this machine", allow_abbrev=False)
    _add_database(listing)
    add_format(listing, ["text", "json"])
    listing.set_defaults(run=_list)
    simulate = actions.add_parser(
        "simulate", help="how many judgments give the ranking of all of them", allow_abbrev=False
    )
    add_corpus(simulate)
    simulate.add_argument(
        "--outputs",
        metavar="N",
        type=int,
        choices=range(2, 6),
        default=5,
        help="outputs at a time, 2 to 5 (default: 5)",
    )
    simulate.add_argument("--svg", metavar="FILE", type=Path, help="draw the curves, too")
    simulate.add_argument("--runs", metavar="N", type=whole_number, default=20, help="runs (default: %(default)s)")
    simulate.add_argument("--seed", metavar="N", type=number_from_0, default=0, help="seed (default: %(default)s)")
    add_format(simulate, ["text", "tsv", "json"])
    simulate.set_defaults(run=_simulate)


def _add_session(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    command.add_argument("--session", metavar="ID", required=required, help="the id in the owner's link")
    command.add_argument("--owner", metavar="SECRET", required=required, help="the secret in the owner's link")
    _add_database(command)


def _add_database(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--database", metavar="FILE", type=Path, help="a judging.sqlite (default: that of the dashboard)"
    )


def _session(given: argparse.Namespace) -> tuple[JudgingDatabase, Session]:
    from gec_core.judging.database import JudgingDatabase

    if given.database is not None and not given.database.is_file():
        raise MissingInput(f"{given.database}: there is no such file.")
    database = JudgingDatabase(given.database)
    return database, database.owned(given.session, given.owner)


def _export(given: argparse.Namespace) -> None:
    from gec_core.judging.files import export

    database, session = _session(given)
    files = export(session, database.answers(session), names=not given.anonymous)
    try:
        given.out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (given.out / name).write_text(text, encoding="utf-8", newline="")
            print(given.out / name)
    except OSError as error:
        raise JudgingError(f"{given.out}: cannot be written ({error.strerror}).") from None


def _import(given: argparse.Namespace) -> None:
    from gec_core.corpora.text import TextFile
    from gec_core.judging.database import JudgingDatabase
    from gec_core.judging.files import import_judgments, import_session

    if bool(given.session) != bool(given.owner):
        raise JudgingError("Name the session with both --session and --owner, or with neither to make a new one.")
    if given.session:
        database, session = _session(given)
        print(f"Added {counted(import_judgments(database, session, TextFile.at(given.file)), 'judgment')}.")
        return
    try:
        data = given.file.read_bytes()
    except OSError as error:
        raise MissingInput(f"{given.file}: cannot be read ({error.strerror}).") from None
    database = JudgingDatabase(given.database)
    made = import_session(database, data, str(given.file))
    print(f"Made a session with {counted(len(database.answers(made.session)), 'judgment')}. Code: {made.session.code}")
    print(f"Open it on the page Judge: /judge?session={made.session.id}&owner={made.secret}")


def _list(given: argparse.Namespace) -> None:
    from gec_core.judging.database import JudgingDatabase
    from gec_core.judging.results import PREFIX

    database = JudgingDatabase(given.database)
    rows = [
        {
            "judgments": f"{PREFIX}{one.id}",
            "corpus": one.plan.corpus,
            "title": one.plan.title,
            "kind": one.plan.kind,
            "judges": len(database.judges(one)),
            "answers": len(database.answers(one)),
            "closed": one.closed is not None,
        }
        for one in database.sessions()
    ]
    if given.format == "json":
        print_json(rows)
        return
    for row in rows:
        state = "closed" if row["closed"] else "open"
        print(f"{row['judgments']}  {row['corpus']}  {row['title']}: {row['answers']} answers, {state}")
    if not rows:
        print(f"No sessions in {database.path}.")


def _simulate(given: argparse.Namespace) -> None:
    from gec_core.judging.simulation import curves_svg, judgments_for, simulate

    corpus = corpus_from(given)
    if corpus.judgments is None:
        raise MissingInput(f"{corpus.name} has no rankings by judges to draw from.")
    points = simulate(corpus.judgments, outputs=given.outputs, runs=given.runs, seed=given.seed)
    if given.svg:
        drawn = curves_svg([(f"{corpus.name}, {given.outputs} outputs", points)], 1)
        write_file(given.svg, drawn.encode())
    rows = [
        {"order": one.order, "judgments": one.judgments, "rho": one.mean, "low": one.low, "high": one.high}
        for one in points
    ]
    if given.format == "json":
        print_json(rows)
        return
    if given.format == "tsv":
        print_rows(rows, ["order", "judgments", "rho", "low", "high"], "tsv")
        return
    print(
        f"{corpus.name}: judgments until Spearman's rho with the ranking by all "
        f"{len(corpus.judgments.items):,} of them stays at"
    )
    for rho in (0.8, 0.9, 0.95):
        counts = [f"{order} {judgments_for(points, order, rho)}" for order in ("random", "adaptive")]
        print(f"  {rho:.2f} or more: {', '.join(counts)}")
    print(f"Means of {counted(given.runs, 'run')}. Both orders draw from these rankings; a live session makes its own.")
