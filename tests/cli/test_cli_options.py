"""Commands and options are a promise: scripts rely on them, so they may be added to, but not renamed or removed."""

import argparse
from collections.abc import Iterator

import pytest

from gec_core.cli import main, parser

PROMISED = {
    "corpora": "",
    "corpora check": "--format",
    "corpora fetch": "--mirror",
    "corpora list": "--format",
    "corpora show": "--format",
    "disagree": """
        --a --b --by-type --corpus --format --hyp --longest --m2 --no-store --option --ref --scheduler
        --scores --shortest --source --systems --tied --top --type --unanimous --workers
    """,
    "explain": """
        --against --corpus --format --hyp --m2 --metric --no-store --option --ref --seed --sentence --source
        --system --systems
    """,
    "human": """
        --bootstrap --corpus --format --hyp --judges --m2 --method --ref --runs --seed --set --source
        --systems
    """,
    "judges": "--corpus --format --judges --judgments --top",
    "meta": """
        --aggregate --permutations --system-set --tests
        --bootstrap --corpus --format --human --hyp --judges --level --m2 --metric --no-store --option --ref
        --runs --scheduler --scores --seed --set --source --systems --top --window --without --workers
    """,
    "metrics": "--format",
    "rank": """
        --aggregate --bootstrap --corpus --format --human --hyp --judges --m2 --metric --no-store --option --ref --runs
        --scheduler --scores --seed --set --source --systems --workers
    """,
    "report": """
        --against --corpus --hyp --m2 --metric --no-store --option --out --ref --samples --scheduler
        --scores --seed --source --system --systems --workers --zip
    """,
    "reproduce": "--corpus --format --no-store --scheduler --workers",
    "score": """
        --corpus --format --hyp --level --m2 --metric --no-store --option --ref --scheduler --scores
        --source --systems --workers
    """,
    "types": """
        --beta --corpus --format --hyp --level --m2 --no-store --ref --references --scheduler --source
        --systems --workers
    """,
    "verdicts": "--by-type --corpus --format --metric --no-store --option --top",
}


def options(command: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, set[str]]]:
    """The options of every command, and of the actions of those that have some."""
    yield name, {option for action in command._actions for option in action.option_strings}
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each, inner in action.choices.items():
                yield from options(inner, f"{name} {each}".strip())


@pytest.mark.parametrize("command", PROMISED)
def test_commands_and_options_stay(command: str) -> None:
    assert set(PROMISED[command].split()) <= dict(options(parser()))[command]


@pytest.mark.parametrize("command", PROMISED)
def test_help_is_for_a_terminal_of_80_columns(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    assert max(len(line) for line in capsys.readouterr().out.splitlines()) <= 80


def test_help_documents_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out.split("exit codes:")[1]
    assert [line.split()[0] for line in told.strip().splitlines()] == ["0", "1", "2", "3", "130"]


def test_an_interrupted_command_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(given: argparse.Namespace) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gec_core.cli.metrics.run", interrupted)
    assert main(["metrics"]) == 130
    assert "what was scored so far is kept" in capsys.readouterr().err
