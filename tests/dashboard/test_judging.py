"""What judges' browsers send and get, and the page of the owner."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from starlette.applications import Starlette

pytest.importorskip("httpx", reason="httpx is not installed")
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from dashboard import judging
from dashboard.protection import COOKIE
from dashboard.views.judge.projector import nearest_metrics
from gec_core import corpora
from gec_core.judging.database import JudgingDatabase, OwnedSession
from gec_core.judging.next_item import choose_item
from gec_core.judging.results import results
from gec_core.judging.session import Answer, Item, Plan, Texts


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JudgingDatabase:
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path))
    monkeypatch.setattr(judging, "_tries", judging.Tries())
    return JudgingDatabase()


@pytest.fixture
def owned(database: JudgingDatabase) -> OwnedSession:
    return opened(database)


def opened(database: JudgingDatabase, **changes: Any) -> OwnedSession:
    demo = corpora.load("demo")
    values: dict[str, Any] = {"items_per_judge": 5, "predictions": ("M²",)} | changes
    plan = Plan(
        values.pop("title", "<script>alert(1)</script>"), demo.name, demo.fingerprint, values.pop("kind", "ranking"),
        tuple(demo.systems), tuple(range(20)), **values,
    )  # fmt: skip
    return database.create(plan, Texts.of(demo, plan))


@pytest.fixture
def web() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=judging.routes())) as client:
        yield client


def join(web: TestClient, owned: OwnedSession, **given: str) -> dict[str, str]:
    reply = web.post(f"/j/{owned.session.code}/join", json=given)
    assert reply.status_code == 200, reply.text
    return {"Authorization": f"Bearer {reply.json()['token']}"}


def test_a_judge_answers_to_the_end(web: TestClient, database: JudgingDatabase, owned: OwnedSession) -> None:
    base = f"/j/{owned.session.code}"
    assert web.get(base).status_code == 200
    me = join(web, owned, name="Ada", prediction="M²")
    for number in range(1, 6):
        item = web.post(f"{base}/next", headers=me).json()["item"]
        assert item["number"] == number
        answer = {"item": item["id"], "values": [1] * len(item["outputs"]), "request": str(number), "seconds": 3}
        assert web.post(f"{base}/answer", headers=me, json=answer).json() == {"stored": True, "new": True}
        assert web.post(f"{base}/answer", headers=me, json=answer).json() == {"stored": True, "new": False}
    assert web.post(f"{base}/next", headers=me).json()["done"]
    assert len(database.answers(owned.session)) == 5
    back = web.post(f"{base}/back", headers=me).json()
    assert (back["item"]["number"], set(back["values"])) == (5, {1.0})


def test_judges_see_no_system_and_no_metric(web: TestClient, owned: OwnedSession) -> None:
    me = join(web, owned)
    said = web.post(f"/j/{owned.session.code}/next", headers=me).text
    assert not [name for name in owned.session.plan.systems if name in said]
    assert set(web.post(f"/j/{owned.session.code}/next", headers=me).json()["item"]) == {
        "id", "number", "of", "source", "outputs"
    }  # fmt: skip


def test_runs_spell_out_source_and_output(web: TestClient, owned: OwnedSession) -> None:
    me = join(web, owned)
    item = web.post(f"/j/{owned.session.code}/next", headers=me).json()["item"]
    for output in item["outputs"]:
        source = " ".join(run["text"] for run in output["runs"] if run.get("kind") != "ins")
        assert source == item["source"]


def test_edits_are_numbered(web: TestClient, database: JudgingDatabase) -> None:
    owned = opened(database, kind="edits")
    me = join(web, owned)
    item = web.post(f"/j/{owned.session.code}/next", headers=me).json()["item"]
    (output,) = item["outputs"]
    assert {run["edit"] for run in output["runs"] if "edit" in run} == set(range(output["edits"]))


@pytest.mark.parametrize(
    ("path", "given", "status"),
    [
        ("next", {}, 401),  # without a token
        ("answer", {"item": 1, "values": [1]}, 401),
        ("join", {"name": "x", "prediction": "no such metric"}, 409),
        ("answer", "not an object", 400),
    ],
)
def test_requests_out_of_place_are_refused(
    web: TestClient, owned: OwnedSession, path: str, given: object, status: int
) -> None:
    reply = web.post(f"/j/{owned.session.code}/{path}", json=given)
    assert reply.status_code == status
    assert reply.json()["error"]


def test_requests_that_are_too_large_or_no_json_are_refused(web: TestClient, owned: OwnedSession) -> None:
    assert web.post(f"/j/{owned.session.code}/join", content=b"x" * 50_000).status_code == 413
    assert web.post(f"/j/{owned.session.code}/join", content=b"\xff").status_code == 400
    assert web.post(f"/j/{owned.session.code}/join", content=b"[" * 15_000).status_code == 400
    headers = join(web, owned)
    huge = web.post(f"/j/{owned.session.code}/answer", json={"item": 10**30, "values": [1]}, headers=headers)
    assert huge.json()["error"] == "This answer names no item."
    assert web.get("/j/files/../../README.md").status_code == 404


def test_another_session_does_not_know_the_token(
    web: TestClient, database: JudgingDatabase, owned: OwnedSession
) -> None:
    me = join(web, owned)
    other = opened(database)
    assert web.post(f"/j/{other.session.code}/next", headers=me).status_code == 401


def test_a_wrong_code_is_counted(web: TestClient, owned: OwnedSession, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = judging.Tries(browser=3, clock=lambda: 100.0)
    monkeypatch.setattr(judging, "_tries", tries)
    monkeypatch.setattr(judging, "LONGEST_WAIT", 0.0)
    assert [web.post(f"/j/WRONG23{n}/about").status_code for n in range(5)] == [404, 404, 404, 404, 429]
    assert web.post(f"/j/{owned.session.code}/about").status_code == 429  # the right one among many does not help
    web.cookies.set(COOKIE, "another browser of that address")
    assert web.post(f"/j/{owned.session.code}/about").status_code == 200
    web.cookies.clear()
    assert web.post(f"/j/{owned.session.code}/join").status_code == 200  # a code that was right here is no guess


def test_codes_are_not_guessed_by_trying_many() -> None:
    now = [0.0]
    tries = judging.Tries(browser=10, address=100, clock=lambda: now[0])
    looked_up = 0
    for _ in range(60_000):  # one every 10 ms, each from another browser
        wait = tries.wait("10.0.0.1", str(now[0]), "WRONG234")
        if wait is not None:
            looked_up += 1
            tries.count("10.0.0.1", str(now[0]), "WRONG234", right=False)
        now[0] += 0.01
    assert looked_up <= 10 * (100 + judging.SLOW_SECONDS)  # in ten minutes: below 3 a second of 8.5e11 codes
    assert tries.wait("10.0.0.2", "", "WRONG234") == 0.0  # other addresses do not wait


def test_a_class_behind_one_address_is_not_locked_out() -> None:
    now = [0.0]
    tries = judging.Tries(clock=lambda: now[0])
    for student in range(30):  # everybody mistypes twice, then types the right code
        for _ in range(2):
            assert tries.wait("10.0.0.1", f"phone {student}", "WRONG234") == 0.0
            tries.count("10.0.0.1", f"phone {student}", "WRONG234", right=False)
        assert tries.wait("10.0.0.1", f"phone {student}", "RIGHT234") == 0.0
        tries.count("10.0.0.1", f"phone {student}", "RIGHT234", right=True)
    for _ in range(200):  # one of them tries codes
        tries.count("10.0.0.1", "hostile", "WRONG234", right=False)
    assert tries.wait("10.0.0.1", "late", "RIGHT234") == 0.0
    waits = [tries.wait("10.0.0.1", "late", "OTHER234") for _ in range(8)]
    assert waits == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, None, None]  # another session: in turn, then later
    now[0] += judging.SLOW_SECONDS + 5
    assert tries.wait("10.0.0.1", "late", "OTHER234") == 0.0


def test_times_that_make_no_sense_are_not_kept(web: TestClient, database: JudgingDatabase, owned: OwnedSession) -> None:
    me = join(web, owned)
    for seconds in ("NaN", "-3", "1e400", '"soon"', "null"):
        item = web.post(f"/j/{owned.session.code}/next", headers=me).json()["item"]
        body = json.dumps({"item": item["id"], "values": [1] * len(item["outputs"]), "request": seconds})
        body = f'{body[:-1]}, "seconds": {seconds}}}'
        assert web.post(f"/j/{owned.session.code}/answer", headers=me, content=body).status_code == 200
    assert all(0 <= answer.seconds <= 1e6 for answer in database.answers(owned.session))


def test_a_deleted_session_is_gone_for_its_judges(
    web: TestClient, database: JudgingDatabase, owned: OwnedSession
) -> None:
    me = join(web, owned)
    database.delete(owned.session)
    reply = web.post(f"/j/{owned.session.code}/next", headers=me)
    assert (reply.status_code, reply.json()["error"]) == (404, "No session has this code.")


def test_a_script_in_texts_and_names_stays_text(web: TestClient, database: JudgingDatabase) -> None:
    owned = opened(database, title="<img src=x onerror=alert(1)>", instructions="</script><script>alert(1)</script>")
    reply = web.post(f"/j/{owned.session.code}/join", json={"name": "<script>alert(1)</script>"})
    assert reply.headers["content-type"] == "application/json"
    script = (ROOT / "assets" / "judge" / "judge.js").read_text(encoding="utf-8")
    assert not [word for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write") if word in script]


def test_two_tabs_of_one_judge_answer_one_item(web: TestClient, database: JudgingDatabase, owned: OwnedSession) -> None:
    base, me = f"/j/{owned.session.code}", join(web, owned, name="Ada")
    first, second = (web.post(f"{base}/next", headers=me).json()["item"] for _ in range(2))
    assert first == second
    values = [1] * len(first["outputs"])
    for tab in ("one", "two"):
        reply = web.post(f"{base}/answer", headers=me, json={"item": first["id"], "values": values, "request": tab})
        assert reply.json() == {"stored": True, "new": tab == "one"}
    assert len(database.answers(owned.session)) == 1
    same_name = web.post(f"{base}/join", json={"name": "Ada "})
    assert same_name.status_code == 409
    assert "another name" in same_name.json()["error"]


def test_the_projector_shows_no_names_until_they_are_revealed(
    app: AppTest, database: JudgingDatabase, owned: OwnedSession
) -> None:
    systems = owned.session.plan.systems
    database.record(owned.session, [Answer(Item(0, 0, ((systems[0],), (systems[1],))), "Ada", (1.0, 2.0), 0.0)])
    app.run()
    app.switch_page(str(ROOT / "pages" / "85_judge.py"))
    app.query_params["session"], app.query_params["projector"] = owned.session.id, database.viewing_key(owned.session)
    app.run()
    assert not app.exception
    drawn = " ".join(element.proto.body for element in app.get("html"))
    assert re.search(r"<th scope=row>System \d", drawn)
    assert systems[0] not in drawn
    assert not app.main.button
    app.query_params["projector"] = owned.secret
    app.run()
    assert "not the link of a projector view" in app.error[0].value


def test_an_answer_after_closing_is_refused(web: TestClient, database: JudgingDatabase, owned: OwnedSession) -> None:
    base = f"/j/{owned.session.code}"
    me = join(web, owned)
    item = web.post(f"{base}/next", headers=me).json()["item"]
    database.close(owned.session)
    reply = web.post(
        f"{base}/answer", headers=me, json={"item": item["id"], "values": [1] * len(item["outputs"]), "request": "1"}
    )
    assert (reply.status_code, "closed" in reply.json()["error"]) == (409, True)
    assert web.post(f"{base}/next", headers=me).json()["closed"]
    assert not database.answers(owned.session)


def test_pages_carry_headers_that_keep_scripts_out(web: TestClient, owned: OwnedSession) -> None:
    for reply in (web.get(f"/j/{owned.session.code}"), web.post(f"/j/{owned.session.code}/about")):
        assert "default-src 'self'" in reply.headers["content-security-policy"]
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "script>alert" not in reply.text or reply.headers["content-type"] == "application/json"


def test_judging_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, app: AppTest) -> None:
    monkeypatch.setenv("GEC_LENS_JUDGING", "off")
    assert judging.routes() == []
    app.run()
    app.switch_page(str(ROOT / "pages" / "85_judge.py")).run()
    assert "switched judging off" in app.info[0].value
    monkeypatch.setenv("GEC_LENS_JUDGING", "login")
    assert judging.routes()
    app.run()
    assert [button.label for button in app.button if button.label == "Open the session"] == []
    assert "No login is set up" in app.info[0].value


def test_a_finished_session_is_on_every_page(app: AppTest, database: JudgingDatabase, owned: OwnedSession) -> None:
    """The owner closes it and uses its judgments: the sidebar lists them, Correlation compares with them."""
    judge, _ = database.join(owned.session, "Ada")
    while (item := database.next_item(owned.session, judge, choose_item)) is not None:
        database.answer(owned.session, judge, item.id, list(range(1, len(item.places) + 1)), str(item.id))
    app.run()
    app.switch_page(str(ROOT / "pages" / "85_judge.py"))
    for name, value in {"corpus": "demo", "session": owned.session.id, "owner": owned.secret, "view": "manage"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert "Judgments" not in [box.label for box in app.sidebar.selectbox]
    next(button for button in app.button if button.label == "Close the session").click().run()
    next(button for button in app.button if button.label == "Use these judgments").click().run()
    assert not app.exception
    chosen = next(box for box in app.sidebar.selectbox if box.label == "Judgments")
    assert chosen.value == f"session-{owned.session.id}"
    app.switch_page(str(ROOT / "pages" / "30_correlation.py")).run()
    assert not app.exception
    ranked = results(owned.session, database.answers(owned.session)).expected_wins
    assert ranked is not None
    assert next(box for box in app.sidebar.selectbox if box.label == "Judgments").value == chosen.value


def test_a_session_draws_sentences_with_something_to_compare(app: AppTest, database: JudgingDatabase) -> None:
    app.run()
    app.switch_page(str(ROOT / "pages" / "85_judge.py")).run()
    next(box for box in app.multiselect if box.label == "Systems").set_value(["CAREFUL", "INPUT"])
    next(button for button in app.button if button.label == "Open the session").click().run()
    assert not app.exception
    demo = corpora.load("demo")
    outputs = zip(demo.outputs("CAREFUL"), demo.outputs("INPUT"), strict=True)
    differ = [index for index, (careful, given) in enumerate(outputs) if careful != given]
    assert len(differ) < 40  # what the form proposes
    assert database.sessions()[0].plan.sentences == tuple(differ)


@pytest.mark.parametrize(
    ("ranks", "told"), [(("AB", "AB", "AB"), "all metrics equally"), (("AB", "BA", "AB"), "M², ERRANT")]
)
def test_the_nearest_metrics_are_named(database: JudgingDatabase, ranks: tuple[str, ...], told: str) -> None:
    session = opened(database, predictions=("M²", "GLEU", "ERRANT")).session
    database.join(session, "Ada", "GLEU")
    others = {
        name: {each: order.index(each) for each in "AB"}
        for name, order in zip(session.plan.predictions, ranks, strict=True)
    }
    right = int("all" in told)
    assert nearest_metrics(database, session, {"A": 0, "B": 1}, others) == (
        told,
        [f"{right} of 1 prediction came true."],
    )


def test_the_owner_is_told_when_everybody_is_done_before_the_plan_is(
    app: AppTest, database: JudgingDatabase, owned: OwnedSession
) -> None:
    judge, _ = database.join(owned.session, "Ada")
    app.run()
    app.switch_page(str(ROOT / "pages" / "85_judge.py"))
    for name, value in {"corpus": "demo", "session": owned.session.id, "owner": owned.secret, "view": "invite"}.items():
        app.query_params[name] = value
    app.run()
    assert not [box.value for box in app.info if "Everybody" in box.value]
    while (item := database.next_item(owned.session, judge, choose_item)) is not None:
        database.answer(owned.session, judge, item.id, list(range(1, len(item.places) + 1)), str(item.id))
    app.run()
    told = next(box.value for box in app.info if "Everybody" in box.value)
    assert "55 planned judgments are left for others who join, or for the same judges" in told
    app.query_params["owner"] = "wrong"
    app.run()
    assert [title.value for title in app.title] == ["Judge"]
    assert "not the link of a session's owner" in app.error[0].value
