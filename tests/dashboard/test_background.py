# mypy: disable-error-code="func-returns-value, union-attr"
"""Background work: long jobs that are followed and cancelled, and short tasks that are asked for by key."""

import gc
import itertools
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from weakref import ref

import numpy as np
import pytest
from conftest import sentence, wait_for

from dashboard import cache
from dashboard.background import Jobs, Tasks
from dashboard.components.progress import progress_text
from gec_core.errors import MissingInput, ScoreError
from gec_core.metrics.base import Metric, Score
from gec_core.scoring import pace
from gec_core.types import Array, Corpus, Pair, Progress


class Words(list[str]):
    """A result that one can see the end of."""


class Gate(Metric):
    """A metric that waits to be let through, one chunk at a time. What one has scored, no other finds in the store."""

    id, name, family, summary, reads = "gate", "Gate", "test", "Waits.", "source"
    chunk = 1
    made = itertools.count()

    def __init__(self, error: Any = None) -> None:
        super().__init__()
        self.open = threading.Semaphore(0)
        self.error = error
        self.scored = 0
        self.number = next(self.made)

    @property
    def statistics_signature(self) -> str:
        return f"gate-{self.number}"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        assert self.open.acquire(timeout=300)
        if self.error:
            raise self.error
        self.scored += len(pairs)
        return [np.ones(1) for _ in pairs]

    def aggregate(self, statistics: Array) -> Score:
        return Score(1.0)

    def sentence_scores(self, statistics: Array) -> Array:
        return statistics[:, 0]


@pytest.fixture
def corpus() -> Corpus:
    return Corpus("made", tuple(sentence(text, text) for text in "abcd"), {"A": ("w", "x", "y", "z")})


def test_a_run_goes_from_waiting_to_done(corpus: Corpus) -> None:
    jobs, gate = Jobs(), Gate()
    job = jobs.submit(corpus, gate)
    wait_for(lambda: job.status == "running")
    gate.open.release(4)
    wait_for(lambda: job.status == "done")
    assert (job.progress.done, job.progress.total) == (4, 4)


def test_the_same_run_asked_for_twice_is_one_run(corpus: Corpus) -> None:
    jobs, gate = Jobs(), Gate()
    assert jobs.submit(corpus, gate) is jobs.submit(corpus, gate)
    assert jobs.find(corpus, gate) is jobs.submit(corpus, gate)
    gate.open.release(4)
    wait_for(lambda: jobs.find(corpus, gate).status == "done")
    assert gate.scored == 4


def test_a_cancelled_run_stops_and_can_be_taken_up_again(corpus: Corpus) -> None:
    jobs, gate = Jobs(), Gate()
    job = jobs.submit(corpus, gate)
    gate.open.release(2)
    wait_for(lambda: gate.scored == 2)
    job.cancel()
    gate.open.release(1)
    wait_for(lambda: job.status == "cancelled")
    assert gate.scored < 4
    again = jobs.submit(corpus, gate)
    gate.open.release(4)
    wait_for(lambda: again.status == "done")
    assert gate.scored == 4  # what was scored before came out of the store


def test_cancel_answers_at_once_although_a_chunk_is_being_computed(corpus: Corpus) -> None:
    jobs, gate, other = Jobs(), Gate(), Gate()
    first, second = jobs.submit(corpus, gate), jobs.submit(corpus, other)
    wait_for(lambda: "running" in (first.status, second.status))
    jobs.cancel_all([first.key, second.key])
    assert (first.status, second.status) == ("cancelled", "cancelled")  # no chunk has been let through
    assert first.wait(0)
    gate.open.release(4)
    other.open.release(4)
    again = jobs.submit(corpus, gate)
    gate.open.release(4)
    wait_for(lambda: again.status == "done")
    assert first.status == "cancelled"


def test_quick_work_does_not_wait_behind_long_work_nor_behind_its_place(corpus: Corpus) -> None:
    jobs, held, order = Jobs(), threading.Event(), []

    def work(name: str) -> Any:
        return lambda _: order.append(name)

    long = jobs.start("long", "Long", lambda _: held.wait(300), seconds=3600)
    wait_for(lambda: long.status == "running")
    later = [jobs.start(name, name, work(name), seconds=seconds) for name, seconds in (("hour", 3600), ("minute", 60))]
    quick = jobs.start("types", "Types", work("types"), seconds=5)
    wait_for(lambda: quick.status == "done")
    assert long.status == "running"
    held.set()
    wait_for(lambda: all(job.status == "done" for job in later))
    assert order == ["types", "minute", "hour"]


def test_the_measured_pace_is_kept_and_told_before_anything_starts(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path))
    gate = Gate()
    assert pace.pace(gate) == gate.pace
    pace.measured(gate, 100, 50.0)
    assert pace.pace(gate) == 0.5
    pace.measured(gate, 100, 150.0)
    assert pace.estimate(gate, 10) == 10.0
    pace.measured(gate, 2, 50.0)  # mostly start-up
    assert pace.pace(gate) == 1.0
    jobs = Jobs()
    job = jobs.submit(corpus, gate)
    assert job.seconds == 4.0
    job.cancel()
    gate.open.release(4)
    (tmp_path / "pace.json").write_text("damaged")
    assert pace.pace(gate) == gate.pace


def test_a_line_says_what_goes_on_before_the_first_report(corpus: Corpus) -> None:
    jobs, gate = Jobs(), Gate()
    job = jobs.submit(corpus, gate)
    wait_for(lambda: job.status == "running")
    assert progress_text(job).startswith("starting for 0 s, a moment")
    gate.open.release(4)
    wait_for(lambda: job.status == "done")
    assert progress_text(job) == "almost done"


def test_a_waiting_run_can_be_cancelled_before_it_begins(corpus: Corpus) -> None:
    jobs, first, second = Jobs(), Gate(), Gate()
    jobs.submit(corpus, first)
    waiting = jobs.submit(corpus, second)
    waiting.cancel()
    assert waiting.status == "cancelled"
    first.open.release(4)
    wait_for(lambda: jobs.find(corpus, first).status == "done")
    assert second.scored == 0


def test_a_failed_run_says_why_and_others_go_on(corpus: Corpus) -> None:
    jobs, broken, sound = Jobs(), Gate(error=MissingInput("No weights here.")), Gate()
    job = jobs.submit(corpus, broken)
    broken.open.release(1)
    wait_for(lambda: job.status == "failed")
    assert job.problem == "No weights here."
    after = jobs.submit(corpus, sound)
    sound.open.release(4)
    wait_for(lambda: after.status == "done")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_does_not_end_the_worker(corpus: Corpus) -> None:
    jobs, buggy, sound = Jobs(), Gate(error=ZeroDivisionError("oops")), Gate()
    job = jobs.submit(corpus, buggy)
    buggy.open.release(1)
    wait_for(lambda: job.status == "failed")
    assert "oops" in job.problem
    after = jobs.submit(corpus, sound)
    sound.open.release(4)
    wait_for(lambda: after.status == "done")


def test_a_run_that_is_over_forgets_the_texts(corpus: Corpus) -> None:
    """A visitor's own corpus does not stay on the server; the scores are in the store."""
    jobs, gates = Jobs(), [Gate(), Gate(error=MissingInput("No weights here.")), Gate(), Gate()]
    done, failed, running, waiting = (jobs.submit(corpus, gate) for gate in gates)
    waiting.cancel()
    gates[0].open.release(4)
    gates[1].open.release(1)
    gates[2].open.release(1)
    wait_for(lambda: running.status == "running" and gates[2].scored)
    running.cancel()
    gates[2].open.release(1)
    wait_for(lambda: not running.active)
    assert [job.status for job in (done, failed, running, waiting)] == ["done", "failed", "cancelled", "cancelled"]
    assert [job.work for job in (done, failed, running, waiting)] == [None] * 4
    assert done.result is None


def test_what_the_store_cannot_keep_is_kept(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "file"))
    jobs, gate = Jobs(), Gate()
    job = jobs.submit(corpus, gate)
    gate.open.release(4)
    wait_for(lambda: job.status == "done")
    assert job.result is not None
    assert job.result.values == {"A": 1.0}


def test_runs_that_are_over_are_forgotten_in_time(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.background.REMEMBERED", 2)
    jobs, gates = Jobs(), [Gate() for _ in range(4)]
    for gate in gates:
        gate.open.release(4)
        job = jobs.submit(corpus, gate)
        wait_for(lambda job=job: job.status == "done")  # type: ignore[misc]
    assert [jobs.find(corpus, gate) is None for gate in gates] == [True, True, False, False]


def test_any_work_can_be_followed_and_is_forgotten_when_it_is_over() -> None:
    jobs, steps = Jobs(), threading.Semaphore(0)

    def work(follow: Any) -> str:
        for done in range(3):
            assert steps.acquire(timeout=300)
            follow(Progress("Counting", done + 1, 3, 1.0))
        return "counted"

    job = jobs.start("counting", "Counting", work)
    assert jobs.start("counting", "Counting", work) is job is jobs.known("counting")
    steps.release()
    wait_for(lambda: job.progress is not None)
    assert (job.status, job.progress.done) == ("running", 1)
    steps.release(2)
    wait_for(lambda: job.status == "done")
    assert (job.result, job.work) == ("counted", None)


def test_private_work_is_found_while_it_runs_and_goes_with_the_last_who_holds_it() -> None:
    jobs, go = Jobs(), threading.Event()
    jobs.start("a", "A", lambda _: go.wait(300) and Words(["mine"]), private=True)
    gc.collect()
    job = jobs.known("a")  # as after a reload: nobody held on to it, but it runs
    assert job.active
    assert jobs.start("a", "A", lambda _: None, private=True) is job
    go.set()
    wait_for(lambda: jobs.known("a").status == "done")
    words = ref(job.result)
    assert words() == ["mine"]
    after = jobs.start("b", "B", lambda _: None)
    wait_for(lambda: after.status == "done")
    del job
    gc.collect()
    assert words() is None
    assert jobs.known("a") is None


def test_a_task_is_done_once_and_remembered() -> None:
    tasks, done = Tasks(), []
    first = tasks.ask("a", lambda: done.append(1) or "result")
    assert first.result(5) == "result"
    assert tasks.ask("a", lambda: done.append(2)) is first
    assert tasks.find("a") is first
    assert done == [1]
    assert tasks.find("b") is None


def test_a_failed_task_raises_where_its_result_is_asked_for_and_the_next_one_runs() -> None:
    tasks = Tasks()

    def fail() -> None:
        raise ScoreError("no")

    with pytest.raises(ScoreError, match="no"):
        tasks.ask("a", fail).result(5)
    assert tasks.ask("b", lambda: 1).result(5) == 1


def test_what_failed_is_tried_again_when_somebody_asks_again() -> None:
    tasks = Tasks()
    first = tasks.ask("a", lambda: 1 / 0)
    assert isinstance(first.exception(5), ZeroDivisionError)
    assert tasks.find("a") is first
    assert tasks.ask("a", lambda: 2).result(5) == 2
    assert tasks.ask("a", lambda: 3).result(5) == 2


def test_a_private_task_is_kept_by_whoever_asked_and_by_nobody_else() -> None:
    tasks, go = Tasks(), threading.Event()
    asked = tasks.ask("a", lambda: go.wait(5) and Words(["mine"]), private=True)
    assert tasks.ask("a", lambda: "another", private=True) is asked is tasks.find("a")
    go.set()
    words = ref(asked.result(5))
    assert words() == ["mine"]
    tasks.ask("b", lambda: None).result(5)  # the thread is done with the first one
    del asked
    gc.collect()
    assert words() is None
    assert tasks.find("a") is None


def test_a_failure_does_not_keep_what_it_was_about() -> None:
    tasks, seen = Tasks(), []

    def fail() -> None:
        text = Words(["mine"])
        seen.append(ref(text))
        try:
            raise KeyError(0)
        except KeyError:
            raise ScoreError("no") from None

    assert str(tasks.ask("a", fail).exception(5)) == "no"
    assert tasks.find("a") is not None
    gc.collect()
    assert seen[0]() is None


def test_what_has_not_begun_can_be_dropped() -> None:
    tasks, go, begun = Tasks(), threading.Event(), threading.Event()
    running = tasks.ask("a", lambda: begun.set() or go.wait(5))
    waiting = tasks.ask("b", lambda: 1)
    assert begun.wait(5)
    tasks.drop(["a", "b", "c"])
    assert waiting.cancelled()
    assert tasks.find("b") is None
    go.set()
    assert running.result(5)
    assert tasks.find("a") is running


def test_the_oldest_are_forgotten() -> None:
    tasks = Tasks(most=2)
    for number in range(3):
        tasks.ask(number, lambda: None).result(5)
    assert tasks.find(0) is None
    assert tasks.find(2) is not None


def test_all_visitors_share_the_tasks_of_the_server() -> None:
    assert cache.tasks() is cache.tasks()


def test_questions_of_one_page_are_answered_in_its_order_and_those_of_a_later_page_first() -> None:
    jobs, go, done = Jobs(), threading.Event(), list[str]()
    busy = jobs.start("busy", "Busy", lambda _: go.wait(300), urgency="now")
    wait_for(lambda: busy.status == "running")
    for turn, names in ((jobs.next_turn(), "ab"), (jobs.next_turn(), "cd")):
        last = [
            jobs.start(name, name, lambda _, name=name: done.append(name), urgency="now", turn=turn)  # type: ignore[misc]
            for name in names
        ]
    go.set()
    wait_for(lambda: all(job.status == "done" for job in last) and len(done) == 4)
    assert done == ["c", "d", "a", "b"]
