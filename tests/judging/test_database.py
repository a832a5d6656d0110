"""Sessions on disk: codes, judges, answers, and that nothing is lost or counted twice."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from made_session import corpus, opened

from gec_core.errors import JudgingError
from gec_core.judging.database import ALPHABET, CODE_LENGTH, JudgingDatabase
from gec_core.judging.next_item import Tally, choose_item, totals
from gec_core.judging.session import Item, Judge, Plan, Session, Texts
from gec_core.judging.tables import _SCHEMA


def test_codes_are_long_and_unambiguous(tmp_path: Path) -> None:
    _, owned = opened(tmp_path)
    assert len(owned.session.code) == CODE_LENGTH
    assert set(owned.session.code) <= set(ALPHABET)
    assert len(ALPHABET) ** CODE_LENGTH > 5e11
    assert not set(ALPHABET) & set("01ILO")


def test_commands_take_ids_and_secrets_for_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-id", "id", "-secret", "secret"])
    monkeypatch.setattr("gec_core.judging.database.secrets.token_urlsafe", lambda size: next(drawn))
    _, owned = opened(tmp_path)
    assert (owned.session.id, owned.secret) == ("id", "secret")


def test_a_session_opens_by_its_code_in_any_spelling(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    code = owned.session.code
    assert database.with_code(f" {code[:4].lower()}-{code[4:]} ").id == owned.session.id
    with pytest.raises(JudgingError, match="No session has this code"):
        database.with_code("AAAAAAAA")


def test_a_judge_whose_reply_was_lost_joins_once(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    mine = "5e" * 24
    first, token = database.join(owned.session, "Ada", token=mine)
    again, _ = database.join(owned.session, "Ada", token=mine)
    assert (token, again.id, len(database.judges(owned.session))) == (mine, first.id, 1)
    other = database.create(owned.session.plan, owned.session.texts)
    with pytest.raises(JudgingError, match="another token"):
        database.join(other.session, "Ada", token=mine)
    assert database.join(other.session, "Eve", token="short")[1] != "short"


def test_only_the_secret_opens_the_results(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    assert database.owned(owned.session.id, owned.secret).plan == owned.session.plan
    for id, secret in ((owned.session.id, "guess"), ("nobody", owned.secret)):
        with pytest.raises(JudgingError, match="not the link"):
            database.owned(id, secret)
    assert owned.secret.encode() not in database.path.read_bytes()


def test_the_key_of_the_projector_opens_nothing_else(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    other = opened(tmp_path)[1]
    key = database.viewing_key(owned.session)
    assert database.viewed(owned.session.id, key).id == owned.session.id
    assert owned.secret not in key
    with pytest.raises(JudgingError, match="owner"):
        database.owned(owned.session.id, key)
    for id, given in ((other.session.id, key), (owned.session.id, "é" * 32), (owned.session.id, ""), ("none", key)):
        with pytest.raises(JudgingError, match="projector view"):
            database.viewed(id, given)


def test_an_answer_is_kept_once(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    judge, token = database.join(owned.session, "Ada")
    assert database.judge(owned.session, token) == judge
    item = ask(database, owned.session, judge)
    assert ask(database, owned.session, judge) == item  # a second tab gets the same one
    values = list(range(1, len(item.places) + 1))
    assert database.answer(owned.session, judge, item.id, values, "first")
    assert not database.answer(owned.session, judge, item.id, values, "first")  # the reply was lost
    assert not database.answer(owned.session, judge, item.id, [1] * len(values), "another tab")
    (answer,) = database.answers(owned.session)
    assert answer.values == tuple(map(float, values))
    assert database.answer(owned.session, judge, item.id, [1] * len(values), "undo", replace=True)
    (answer,) = database.answers(owned.session)
    assert set(answer.values) == {1.0}


@pytest.mark.parametrize(
    "values", [None, [], [1], ["1", "2", "3"], [0, 1, 2], [1, 2, 99], [1.5, 1, 2], [float("nan")] * 3]
)
def test_answers_that_do_not_fit_are_refused(tmp_path: Path, values: object) -> None:
    database, owned = opened(tmp_path)
    judge, _ = database.join(owned.session)
    item = ask(database, owned.session, judge)
    assert len(item.places) == 3
    with pytest.raises(JudgingError):
        database.answer(owned.session, judge, item.id, values, "x")
    assert not database.answers(owned.session)


def test_nobody_answers_for_another(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    first, _ = database.join(owned.session, "Ada")
    second, _ = database.join(owned.session, "Bob")
    item = ask(database, owned.session, first)
    with pytest.raises(JudgingError, match="not yours"):
        database.answer(owned.session, second, item.id, [1, 2, 3], "x")


def test_names_are_cleaned_and_unique(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    assert database.join(owned.session, "  Ada\n\x1b[31m ")[0].name == "Ada [31m"
    assert database.join(owned.session, "")[0].name == "judge 2"
    assert len(database.join(owned.session, "x" * 500)[0].name) == 40
    with pytest.raises(JudgingError, match="Choose another name"):
        database.join(owned.session, "x" * 40)


def test_a_closed_session_takes_no_answers(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    judge, _ = database.join(owned.session, "Ada")
    item = ask(database, owned.session, judge)
    database.close(owned.session)
    closed = database.with_code(owned.session.code)
    with pytest.raises(JudgingError, match="closed"):
        database.answer(closed, judge, item.id, [1, 2, 3], "late")
    with pytest.raises(JudgingError, match="closed"):
        database.join(closed, "Eve")
    assert database.next_item(closed, judge, choose_item) is None
    database.close(closed, closed=False)
    assert database.with_code(owned.session.code).closed is None


def test_deleting_leaves_no_text_on_disk(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    database.join(owned.session, "Zebrafink")
    database.delete(owned.session)
    with sqlite3.connect(database.path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert connection.execute("SELECT count(*) FROM judges").fetchone() == (0,)
    assert b"Zebrafink" not in database.path.read_bytes()
    assert b"he go to house" not in database.path.read_bytes()


def test_many_judges_at_once(tmp_path: Path) -> None:
    database, owned = opened(tmp_path, judgments_per_sentence=50)

    def judge_all(number: int) -> int:
        mine = JudgingDatabase(database.path)
        judge, _ = mine.join(owned.session, f"judge {number}")
        done = 0
        while (item := mine.next_item(owned.session, judge, choose_item)) is not None:
            assert mine.answer(owned.session, judge, item.id, list(range(1, len(item.places) + 1)), f"{number}-{done}")
            done += 1
        return done

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(judge_all, range(8)))
    assert done == [12] * 8
    answers = database.answers(owned.session)
    assert len(answers) == 96
    assert len({(one.judge, one.item.sentence) for one in answers}) == 96


def test_a_database_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JudgingError, match="cannot be kept"):
        JudgingDatabase(tmp_path / "file" / "judging.sqlite")


@pytest.mark.parametrize(
    "changes",
    [{"kind": "essay"}, {"title": " "}, {"systems": ("A",)}, {"sentences": ()}, {"outputs_per_item": 6},
     {"items_per_judge": 0}, {"order": "alphabetical"}],
)  # fmt: skip
def test_plans_that_make_no_sense_are_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    with pytest.raises(JudgingError):
        opened(tmp_path, **changes)


def test_a_plan_survives_being_written(tmp_path: Path) -> None:
    _, owned = opened(tmp_path, predictions=("M²", "GLEU"))
    assert Plan.from_json(owned.session.plan.as_json() | {"of a later version": 1}) == owned.session.plan


def test_texts_are_needed(tmp_path: Path) -> None:
    _, owned = opened(tmp_path)

    class Scores(type(corpus())):  # type: ignore[misc]
        has_texts = False

    with pytest.raises(JudgingError, match="not on this machine"):
        Texts.of(Scores("made", corpus().sentences, corpus().systems), owned.session.plan)


def ask(database: JudgingDatabase, session: Session, judge: Judge) -> Item:
    item = database.next_item(session, judge, choose_item)
    assert item is not None
    return item


def test_an_old_request_replayed_changes_nothing(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    judge, _ = database.join(owned.session, "Ada")
    item = ask(database, owned.session, judge)
    first, second, third = [1, 2, 3], [3, 2, 1], [1, 1, 1]
    assert database.answer(owned.session, judge, item.id, first, "r1")
    assert database.answer(owned.session, judge, item.id, second, "r2", replace=True)
    assert database.answer(owned.session, judge, item.id, third, "r3", replace=True)
    for values, request in ((first, "r1"), (second, "r2")):
        assert not database.answer(owned.session, judge, item.id, values, request, replace=True)
    (answer,) = database.answers(owned.session)
    assert set(answer.values) == {1.0}


@pytest.mark.parametrize("clock", [-5.0, float("inf"), 1e300])
def test_a_clock_that_is_off_spoils_nothing(tmp_path: Path, clock: float, monkeypatch: pytest.MonkeyPatch) -> None:
    database, owned = opened(tmp_path)
    judge, _ = database.join(owned.session, "Ada")
    order = []
    for now in (2e9, 1e9):  # the clock of the server goes back, too
        monkeypatch.setattr("gec_core.judging.database.time.time", lambda now=now: now)
        item = ask(database, owned.session, judge)
        database.answer(owned.session, judge, item.id, [1, 2, 3], str(now), seconds=clock)
        order.append(item.id)
    found = database.answers(owned.session)
    assert [answer.item.id for answer in found] == order  # as they came in, whatever the clock says
    assert all(0 <= answer.seconds <= 1e6 for answer in found)


def test_a_judge_can_be_left_out_and_taken_back(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    for name in ("Ada", "Eve"):
        judge, _ = database.join(owned.session, name)
        item = ask(database, owned.session, judge)
        database.answer(owned.session, judge, item.id, [1, 2, 3], name)
    assert database.counted(owned.session, totals).judged.total() == 2
    eve = database.judges(owned.session)[1]
    database.exclude(owned.session, eve)
    assert [answer.judge for answer in database.answers(owned.session)] == ["Ada"]
    after = database.counted(owned.session, totals)
    assert (after.judged.total(), after.tally.met.sum()) == (1, Tally.of(
        owned.session.plan.systems, database.answers(owned.session), higher_is_better=False
    ).met.sum())  # fmt: skip
    database.exclude(owned.session, eve, excluded=False)
    assert database.counted(owned.session, totals).judged.total() == 2


def test_totals_follow_undone_answers(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    judge, _ = database.join(owned.session, "Ada")
    item = ask(database, owned.session, judge)
    database.answer(owned.session, judge, item.id, [1, 2, 3], "1")
    database.counted(owned.session, totals)
    database.answer(owned.session, judge, item.id, [3, 2, 1], "2", replace=True)
    found = database.counted(owned.session, totals)
    wanted = Tally.of(owned.session.plan.systems, database.answers(owned.session), higher_is_better=False)
    assert (found.tally.wins == wanted.wins).all()
    assert (found.tally.met == wanted.met).all()


def test_only_closed_and_shared_sessions_are_for_everybody(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    database.share(owned.session)
    assert database.sessions(shared=True) == []
    database.close(owned.session)
    assert [one.id for one in database.sessions(shared=True)] == [owned.session.id]
    database.share(owned.session, shared=False)
    assert database.sessions(shared=True) == []


@pytest.mark.parametrize("version", ["without numbers of changes", "with numbers in the sessions"])
def test_a_database_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path, version: str) -> None:
    _, owned = opened(tmp_path)
    path = tmp_path / "old.sqlite"
    plan, texts = owned.session.plan, owned.session.texts
    with sqlite3.connect(path) as connection:
        connection.executescript(_SCHEMA)
        if version == "with numbers in the sessions":
            connection.execute("ALTER TABLE sessions ADD COLUMN serial INTEGER NOT NULL DEFAULT 0")
        outputs = {name: dict(each) for name, each in texts.outputs.items()}
        kept = json.dumps({"sources": dict(texts.sources), "outputs": outputs})
        connection.execute(
            "INSERT INTO sessions (id, code, owner, plan, texts, created) VALUES ('old', 'OLDCODE2', x'00', ?, ?, 1.0)",
            [json.dumps(plan.as_json()), kept],
        )
    database = JudgingDatabase(path)
    session = database.with_code("OLDCODE2")
    assert (session.plan, session.texts.sources, session.shared) == (plan, texts.sources, False)
    judge, _ = database.join(session, "Ada")
    item = ask(database, session, judge)
    assert database.answer(session, judge, item.id, [1, 2, 3], "x")
    assert database.current(session).serial == 1


def test_the_owner_may_ask_for_more_judgments(tmp_path: Path) -> None:
    database, owned = opened(tmp_path, judgments_per_sentence=1, items_per_judge=2)
    judge, _ = database.join(owned.session)
    for number in (1, 2):
        item = database.next_item(owned.session, judge, choose_item)
        assert item is not None
        database.answer(owned.session, judge, item.id, [1] * len(item.places), str(number))
    assert database.next_item(owned.session, judge, choose_item) is None
    database.ask_for(owned.session, 2, 5)
    more = database.current(owned.session)
    assert (more.plan.judgments_per_sentence, more.plan.items_per_judge) == (2, 5)
    assert database.next_item(more, judge, choose_item) is not None
    with pytest.raises(JudgingError, match="at least 1"):
        database.ask_for(more, 0, 5)
