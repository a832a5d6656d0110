"""Answers as files that other tools read: judgments.xml, judgments.csv, ratings.csv, verdicts.csv.

Rankings are in the formats of `gec_core.corpora.judgments`, with the time of each answer. Sentences are counted from 0,
as these formats do. Ratings and verdicts have one row per output or edit. `session.json` has everything, texts
included: another server makes a session of it, with codes of its own.
"""

from __future__ import annotations

import csv
import io
import json
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from xml.sax.saxutils import quoteattr

import numpy as np

from gec_core.corpora.judgments import read_pairs, read_rankings
from gec_core.corpora.text import TextFile
from gec_core.errors import JudgingError
from gec_core.formatting import spreadsheet_cell
from gec_core.judging.database import JudgingDatabase, OwnedSession
from gec_core.judging.results import edit_verdicts, judgments
from gec_core.judging.session import Answer, Item, Plan, Session, Texts, checked_values
from gec_core.types import Corpus, Judgment, Judgments

SESSION = "session.json"
LARGEST = 200 << 20
"""Bytes of a session.json that are read."""
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
    whole = {SESSION: _whole(session, answers, called)}
    if session.plan.kind == "edits":
        return {"verdicts.csv": _table(_VERDICT_COLUMNS, _verdict_rows(session, answers, called))} | whole
    files = whole | {"judgments.xml": _xml(session, answers, called), "judgments.csv": _pairs(session, answers, called)}
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
        answers.append(_answer(judgment, session.created))
    return database.record(session, answers)


def archive(session: Session, answers: Sequence[Answer], *, names: bool = True) -> bytes:
    """The files of `export` as a zip file."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in export(session, answers, names=names).items():
            packed.writestr(name, text)
    return data.getvalue()


def import_session(database: JudgingDatabase, data: bytes, name: str) -> OwnedSession:
    """Make a session of an exported one: the same plan, texts and answers, closed if it was, with codes of its own.

    Args:
        database: Where to make it.
        data: A session.json, or the zip file that has one.
        name: What to call the file in errors.

    Raises:
        JudgingError: The file is not an exported session.
    """
    try:
        text = data
        if data.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                if packed.getinfo(SESSION).file_size > LARGEST:
                    raise JudgingError(f"{name}: its {SESSION} is larger than {LARGEST >> 20} MB.")
                text = packed.read(SESSION)
        given = json.loads(text)
        plan, texts = Plan.from_json(given["plan"]), Texts.from_json(given["texts"])
        if set(plan.sentences) != set(texts.sources) or set(plan.systems) != set(texts.outputs):
            raise JudgingError(f"{name}: its plan and its texts do not fit together.")
        if any(set(outputs) != set(texts.sources) for outputs in texts.outputs.values()):
            raise JudgingError(f"{name}: a system lacks outputs.")
        answers = []
        for each in given["answers"]:
            item = Item(0, int(each["sentence"]), tuple(map(tuple, each["places"])), each.get("repeat_of"))
            if set(item.places) - set(texts.places(item.sentence)):
                raise JudgingError(f"{name}: an answer about sentence {item.sentence} names unknown outputs.")
            values = checked_values(plan, item, texts, each["values"])
            received, seconds = float(each["received"]), float(each["seconds"])
            answers.append(Answer(item, str(each["judge"]), values, received, seconds))
    except (KeyError, ValueError, TypeError, AttributeError, zipfile.BadZipFile, RecursionError):
        raise JudgingError(f"{name}: not an exported session. Choose its zip file or {SESSION}.") from None
    owned = database.create(plan, texts)
    database.record(owned.session, answers)
    if given.get("closed"):
        database.close(owned.session)
    return replace(owned, session=database.current(owned.session))


def from_rankings(database: JudgingDatabase, corpus: Corpus, rankings: Judgments, title: str) -> OwnedSession:
    """Make a closed session of rankings of a corpus that were collected in another way."""
    sentences = tuple(sorted({item.sentence for item in rankings.items}))
    plan = Plan(
        title, corpus.name, corpus.fingerprint, "ranking", tuple(corpus.systems), sentences, repeat_every=0,
        judgments_per_sentence=max(Counter(item.sentence for item in rankings.items).values(), default=1),
        items_per_judge=max(Counter(item.judge for item in rankings.items).values(), default=1),
    )  # fmt: skip
    owned = database.create(plan, Texts.of(corpus, plan))
    database.record(owned.session, [_answer(item, time.time()) for item in rankings.items])
    database.close(owned.session)
    return replace(owned, session=database.current(owned.session))


def _answer(judgment: Judgment, received: float) -> Answer:
    """A ranking as an answer; its ranks are counted anew from 1 without gaps."""
    ranks = np.array([place.rank for place in judgment.ranked])
    values = tuple(float(rank) for rank in np.unique(ranks, return_inverse=True)[1] + 1)
    item = Item(0, judgment.sentence, tuple(place.systems for place in judgment.ranked))
    return Answer(item, judgment.judge, values, received)


def _whole(session: Session, answers: Sequence[Answer], called: dict[str, str]) -> str:
    given = [
        {
            "sentence": one.item.sentence,
            "places": one.item.places,
            "repeat_of": one.item.repeat_of,
            "judge": called[one.judge],
            "values": one.values,
            "received": one.received,
            "seconds": one.seconds,
        }
        for one in answers
    ]
    whole = {"plan": session.plan.as_json(), "texts": session.texts.as_json(), "closed": session.closed is not None}
    return json.dumps(whole | {"answers": given}, indent=1)


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
    return [
        (one.sentence, called[one.judge], " ".join(one.systems), one.edit.start, one.edit.end, one.edit.correction,
         "true" if one.accepted else "false", _time(answer))
        for answer in answers
        for one in edit_verdicts(session, [answer])
    ]  # fmt: skip


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([spreadsheet_cell(cell) for cell in row] for row in rows)
    return file.getvalue()


def _time(answer: Answer) -> str:
    return datetime.fromtimestamp(answer.received, UTC).isoformat(timespec="seconds")
