"""Which benchmarks run, and with which options."""

import asyncio
import math
import sys

import pytest

from benchmarks import __main__, load, why
from tools.browser import dashboard


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The arguments that benchmarks saw."""
    seen: list[list[str]] = []
    for module in (load, why):
        monkeypatch.setattr(module, "main", lambda arguments: seen.append(list(arguments)))
    return seen


def _run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["python -m benchmarks", *arguments])
    __main__.main()


def test_options_after_a_name_are_for_that_benchmark(monkeypatch: pytest.MonkeyPatch, ran: list[list[str]]) -> None:
    _run(monkeypatch, "load", "--visitors", "50", "--job")
    assert ran == [["--visitors", "50", "--job"]]


def test_several_benchmarks_run_one_after_another(monkeypatch: pytest.MonkeyPatch, ran: list[list[str]]) -> None:
    _run(monkeypatch, "load", "why")
    assert ran == [[], []]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["lod"], "No benchmark 'lod'"),
        (["load", "why", "--visitors", "50"], "--visitors is an option of one benchmark"),
        (["--visitors", "50"], "--visitors is an option of one benchmark"),
    ],
)
def test_what_nobody_reads_is_refused(
    monkeypatch: pytest.MonkeyPatch, ran: list[list[str]], arguments: list[str], told: str
) -> None:
    with pytest.raises(SystemExit, match=told):
        _run(monkeypatch, *arguments)
    assert ran == []


@pytest.mark.parametrize("name", ["errant", "judging", "load", "ui", "why"])
def test_every_benchmark_reads_its_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        _run(monkeypatch, name, "--no-such-option")
    told = capsys.readouterr().err
    assert told.startswith(f"usage: python -m benchmarks {name} [-h]")
    assert "unrecognized arguments: --no-such-option" in told


def test_visitors_of_the_load_see_the_corpus_that_they_ask_for() -> None:
    """From the third page on, they saw the first of the list, and the benchmark measured another corpus."""
    with dashboard() as address:
        seen = asyncio.run(load.crowd(address, 2, [["overview", "rankings", "correlation"]] * 2, math.inf, 0))
    assert not seen.problems
    assert {page: len(times) for page, times in seen.seconds.items()} == {
        "overview": 2,
        "rankings": 2,
        "correlation": 2,
    }
