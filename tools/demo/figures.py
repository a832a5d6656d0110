"""The table of data/demo/README.md: systems by people and by metrics. `python -m tools.demo.figures` prints it."""

from __future__ import annotations

from collections.abc import Mapping

from gec_core import corpora, scoring
from gec_core.human.pairs import expanded
from gec_core.human.ranking import expected_wins
from gec_core.metrics import create
from tools.build_demo import DEMO

PEOPLE = "people"
METRICS = ("m2", "sentm2", "imeasure", "gleu", "bleu", "green")


def scores() -> dict[str, dict[str, float]]:
    """Scores of the systems by the made-up people (Expected Wins) and, by id, by every metric at its defaults."""
    corpus = corpora.load(DEMO)
    assert corpus.judgments is not None
    table = scoring.score(corpus, [create(id) for id in METRICS])
    by_metric = {column.metric.id: column.values for column in table.columns}
    return {PEOPLE: expected_wins(expanded(corpus.judgments)), **by_metric}


def ranks(values: Mapping[str, float]) -> dict[str, int]:
    """1 for the best."""
    return {name: 1 + sum(other > value for other in values.values()) for name, value in values.items()}


def table() -> str:
    """Rank and score of every system, in the order in which people like them, as Markdown."""
    columns = scores()
    places = {id: ranks(values) for id, values in columns.items()}
    headings = ["Expected Wins", *(create(id).name for id in METRICS)]
    lines = [f"| system | {' | '.join(headings)} |", "|---" * (1 + len(headings)) + "|"]
    for system in sorted(places[PEOPLE], key=places[PEOPLE].__getitem__):
        cells = (
            f"{places[id][system]} ({values[system]:{'.1f' if _in_percent(id) else '.3f'}})"
            for id, values in columns.items()
        )
        lines.append(f"| {system} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _in_percent(id: str) -> bool:
    return id in METRICS and create(id).percent


if __name__ == "__main__":
    print(table())
