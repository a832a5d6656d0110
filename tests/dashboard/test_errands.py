"""Small pieces of work beside the page."""

from threading import Event

import pytest

from dashboard import services
from dashboard.errands import Errands
from gec_core.errors import ScoreError


def test_an_errand_is_done_once_and_remembered():
    errands, done = Errands(), []
    first = errands.ask("a", lambda: done.append(1) or "result")
    assert first.result(5) == "result"
    assert errands.ask("a", lambda: done.append(2)) is first
    assert errands.find("a") is first
    assert done == [1]
    assert errands.find("b") is None


def test_a_failure_is_told_to_whoever_asks_and_the_next_one_runs():
    errands = Errands()

    def fail():
        raise ScoreError("no")

    with pytest.raises(ScoreError, match="no"):
        errands.ask("a", fail).result(5)
    assert errands.ask("b", lambda: 1).result(5) == 1


def test_what_has_not_begun_can_be_dropped():
    errands, go, begun = Errands(), Event(), Event()
    running = errands.ask("a", lambda: begun.set() or go.wait(5))
    waiting = errands.ask("b", lambda: 1)
    assert begun.wait(5)
    errands.drop(["a", "b", "c"])
    assert waiting.cancelled()
    assert errands.find("b") is None
    go.set()
    assert running.result(5)
    assert errands.find("a") is running


def test_the_oldest_are_forgotten():
    errands = Errands(most=2)
    for number in range(3):
        errands.ask(number, lambda: None).result(5)
    assert errands.find(0) is None
    assert errands.find(2) is not None


def test_all_visitors_share_the_errands_of_the_server():
    assert services.errands() is services.errands()
