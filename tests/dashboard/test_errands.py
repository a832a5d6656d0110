"""Small pieces of work beside the page."""

import gc
from threading import Event
from weakref import ref

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


def test_what_failed_is_tried_again_when_somebody_asks_again():
    errands = Errands()
    first = errands.ask("a", lambda: 1 / 0)
    assert isinstance(first.exception(5), ZeroDivisionError)
    assert errands.find("a") is first
    assert errands.ask("a", lambda: 2).result(5) == 2
    assert errands.ask("a", lambda: 3).result(5) == 2


class Words(list):
    """A result that one can see the end of."""


def test_a_private_errand_is_kept_by_whoever_asked_and_by_nobody_else():
    errands, go = Errands(), Event()
    asked = errands.ask("a", lambda: go.wait(5) and Words(["mine"]), private=True)
    assert errands.ask("a", lambda: "another", private=True) is asked is errands.find("a")
    go.set()
    words = ref(asked.result(5))
    assert words() == ["mine"]
    errands.ask("b", lambda: None).result(5)  # the thread is done with the first one
    del asked
    gc.collect()
    assert words() is None
    assert errands.find("a") is None


def test_a_failure_does_not_keep_what_it_was_about():
    errands, seen = Errands(), []

    def fail():
        text = Words(["mine"])
        seen.append(ref(text))
        try:
            raise KeyError(0)
        except KeyError:
            raise ScoreError("no") from None

    assert str(errands.ask("a", fail).exception(5)) == "no"
    assert errands.find("a") is not None
    gc.collect()
    assert seen[0]() is None


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
