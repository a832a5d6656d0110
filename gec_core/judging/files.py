"""Answers as files that other tools read: judgments.xml, judgments.csv, ratings.csv, verdicts.csv.

Rankings are in the formats of `gec_core.corpora.judgments`, with the time of each answer. Sentences are counted from 0,
as these formats do. Ratings and verdicts have one row per output or edit.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import combinations
from xml.sax.saxutils import quoteattr

import numpy as np

from gec_core.corpora.judgments import read_pairs, read_rankings
from gec_core.corpora.text import TextFile
from gec_core.errors import JudgingError
from gec_core.formatting import spreadsheet_cell
from gec_core.judging.database import JudgingDatabase, Session
from gec_core.judging.plan import Answer, Item
from gec_core.judging.results import judgments
from gec_core.types import Judgments

PAIR_COLUMNS = ("rankingID", "srcIndex", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank", "time")


def export(session: Session, answers: Sequence[Answer], *, names: bool = True) -> dict[str, str]:
    """Write the answers of a session.

    Args:
        session: The session.
        answers: Its answers.
        names: Whether judges keep their names; otherwise they are numbered.

    Returns:
        The text of each file, by name.
    """
    called = _names(answers, names)
    if session.plan.kind == "edits":
        return {"verdicts.csv": _table(_VERDICT_COLUMNS, _verdict_rows(session, answers, called))}
    files = {"judgments.xml": _xml(session, answers, called), "judgments.csv": _pairs(session, answers, called)}
    if session.plan.kind == "rating":
        files["ratings.csv"] = _table(("srcIndex", "judgeID", "system", "rating", "time"), _ratings(answers, called))
    return files


def import_judgments(database: JudgingDatabase, session: Session, file: TextFile) -> int:
    """Add the rankings of a judgments.xml or judgments.csv to a session, all or none; return how many.

    Raises:
        CorpusError: The file cannot be read.
        JudgingError: It is about other sentences or systems, or the session does not collect rankings.
    """
    if session.plan.kind != "ranking":
        raise JudgingError("Only a session that collects rankings can import them.")
    read: Callable[[TextFile], Judgments] = read_pairs if file.name.lower().endswith(".csv") else read_rankings
    found = read(file)
    known = set(session.plan.systems)
    answers = []
    for number, judgment in enumerate(found.items, 1):
        where = f"{file.name}: judgment {number} (of {judgment.judge})"
        if judgment.sentence not in session.texts.sources:
            raise JudgingError(
                f"{where} is about sentence {judgment.sentence} (counted from 0), which is not judged here."
            )
        unknown = sorted({name for place in judgment.ranked for name in place.systems} - known)
        if unknown:
            raise JudgingError(f"{where} ranks {', '.join(unknown)}, which the session does not have.")
        ranks = np.array([place.rank for place in judgment.ranked])
        values = tuple(float(rank) for rank in np.unique(ranks, return_inverse=True)[1] + 1)
        item = Item(0, judgment.sentence, tuple(place.systems for place in judgment.ranked))
        answers.append(Answer(item, judgment.judge, values, session.created))
    return database.record(session, answers)


_VERDICT_COLUMNS = ("srcIndex", "judgeID", "systems", "start", "end", "correction", "accepted", "time")


def _names(answers: Sequence[Answer], names: bool) -> dict[str, str]:
    judges = sorted({answer.judge for answer in answers})
    return {judge: judge if names else f"judge{number:02}" for number, judge in enumerate(judges, 1)}


def _xml(session: Session, answers: Sequence[Answer], called: dict[str, str]) -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<appraise-results>"]
    for answer, judgment in zip(answers, judgments(session, answers).items, strict=True):
        lines.append(
            f'<ranking-item src-id="{judgment.sentence}" user={quoteattr(called[judgment.judge])} '
            f'time="{_time(answer)}" duration="{answer.seconds:.1f}">'
        )
        lines.extend(
            f'  <translation rank="{place.rank}" system={quoteattr(" ".join(place.systems))}/>'
            for place in judgment.ranked
        )
        lines.append("</ranking-item>")
    return "\n".join([*lines, "</appraise-results>", ""])


def _pairs(session: Session, answers: Sequence[Answer], called: dict[str, str]) -> str:
    rows = []
    for number, (answer, judgment) in enumerate(zip(answers, judgments(session, answers).items, strict=True), 1):
        ranks = sorted((system, place.rank) for place in judgment.ranked for system in place.systems)
        for (first, first_rank), (second, second_rank) in combinations(ranks, 2):
            judge = called[judgment.judge]
            rows.append((number, judgment.sentence, judge, first, first_rank, second, second_rank, _time(answer)))
    return _table(PAIR_COLUMNS, rows)


def _ratings(answers: Sequence[Answer], called: dict[str, str]) -> list[tuple[object, ...]]:
    return [
        (answer.item.sentence, called[answer.judge], system, f"{value:g}", _time(answer))
        for answer in answers
        for place, value in zip(answer.item.places, answer.values, strict=True)
        for system in place
    ]


def _verdict_rows(session: Session, answers: Sequence[Answer], called: dict[str, str]) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for answer in answers:
        values = iter(answer.values)
        for place in answer.item.places:
            for edit in session.texts.edits(answer.item.sentence, place):
                told = "true" if next(values) else "false"
                where = (answer.item.sentence, called[answer.judge], " ".join(place))
                rows.append((*where, edit.start, edit.end, edit.correction, told, _time(answer)))
    return rows


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([spreadsheet_cell(cell) for cell in row] for row in rows)
    return file.getvalue()


def _time(answer: Answer) -> str:
    return datetime.fromtimestamp(answer.received, UTC).isoformat(timespec="seconds")
