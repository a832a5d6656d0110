"""Which benchmarks run, and with which options."""

import sys

import pytest

from benchmarks import __main__, load, why


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The arguments that benchmarks saw."""
    seen: list[list[str]] = []
    for module in (load, why):
        monkeypatch.setattr(module, "main", lambda: seen.append(sys.argv[1:]))
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
        (["why", "--visitors", "50"], "The benchmark why has no options"),
    ],
)
def test_what_nobody_reads_is_refused(
    monkeypatch: pytest.MonkeyPatch, ran: list[list[str]], arguments: list[str], told: str
) -> None:
    with pytest.raises(SystemExit, match=told):
        _run(monkeypatch, *arguments)
    assert ran == []
