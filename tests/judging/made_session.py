"""A small corpus and sessions about it."""

from pathlib import Path
from typing import Any

from gec_core.judging.database import JudgingDatabase, OwnedSession
from gec_core.judging.session import Plan, Texts
from gec_core.types import Corpus, Sentence

SOURCES = [f"he go to house {number} ." for number in range(12)]


def corpus() -> Corpus:
    """Four systems, of which C and D agree on every third sentence."""
    systems = {
        "A": tuple(line.replace("go", "goes") for line in SOURCES),
        "B": tuple(line.replace("go", "gone") for line in SOURCES),
        "C": tuple(line.replace("house", "the house") for line in SOURCES),
        "D": tuple(
            line.replace("house", "the house" if number % 3 == 0 else "a house") for number, line in enumerate(SOURCES)
        ),
    }
    return Corpus("made", tuple(Sentence(line) for line in SOURCES), systems)


def opened(folder: Path, **changes: Any) -> tuple[JudgingDatabase, OwnedSession]:
    """A new session in a database of its own."""
    given = corpus()
    values: dict[str, Any] = {
        "title": "A class",
        "corpus": given.name,
        "fingerprint": given.fingerprint,
        "kind": "ranking",
        "systems": tuple(given.systems),
        "sentences": tuple(range(len(given))),
        "outputs_per_item": 3,
        "judgments_per_sentence": 3,
        "items_per_judge": 12,
        "repeat_every": 0,
    }
    plan = Plan(**(values | changes))
    database = JudgingDatabase(folder / "judging.sqlite")
    return database, database.create(plan, Texts.of(given, plan))
