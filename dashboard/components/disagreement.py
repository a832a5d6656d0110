"""Which disagreements are listed, shared by the pages that list them and go through them; links to the page *Why*."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from dashboard import cache, navigation, url_state
from dashboard.components.comparison import ChosenScores
from gec_core.meta.disagreement import Disagreement, Disagreements, Order, Tie
from gec_core.meta.findings import swaps
from gec_core.metrics.base import Metric
from gec_core.types import Corpus

JUDGES = "judges"
UNANIMOUS = "unanimous"
NAMES = ("a", "b", "only", "error", "length", "agreement", "tied", "order")
"""The names of the parts of an address."""
TIED: Mapping[str, Tie] = {"a": "first", "b": "second"}
LISTED = 200
"""The most disagreements that are listed."""


@dataclass(frozen=True)
class Dispute:
    """Two sides, each the id of a metric or the judges, and filters on their disagreements."""

    a: str
    b: str
    only: tuple[str, ...] = ()
    """List pairs of these systems, of one system with all others, or of all if empty."""
    error: str = ""
    """An error type or a group of types in which the outputs must differ; any if empty."""
    length: tuple[int, int] | None = None
    """The shortest and longest source, in tokens."""
    unanimous: bool = False
    tied: str = ""
    """a or b to list pairs that this side ties and the other does not, instead of pairs in opposite order."""
    order: Order = "contribution"

    @classmethod
    def read(cls, address: Mapping[str, Sequence[str]]) -> Dispute | None:
        """Read the parts of an address; None if they do not name two sides."""
        first = {name: values[0] for name, values in address.items() if values}
        if "a" not in first or "b" not in first:
            return None
        return cls(
            first["a"],
            first["b"],
            tuple(address.get("only", ())),
            first.get("error", ""),
            url_state.read_range(first.get("length", "")),
            first.get("agreement") == UNANIMOUS,
            first.get("tied", "") if first.get("tied") in TIED else "",
            "strength" if first.get("order") == "strength" else "contribution",
        )

    @property
    def address(self) -> dict[str, list[str]]:
        """The parts of an address."""
        parts: dict[str, list[str]] = {
            "a": [self.a],
            "b": [self.b],
            "only": list(self.only),
            "error": [self.error] if self.error else [],
            "length": [f"{self.length[0]}-{self.length[1]}"] if self.length else [],
            "agreement": [UNANIMOUS] if self.unanimous else [],
            "tied": [self.tied] if self.tied else [],
            "order": [self.order] if self.order == "strength" else [],
        }
        return {name: values for name, values in parts.items() if values}

    @property
    def filters(self) -> int:
        """The number of filters that are set."""
        return len([name for name in self.address if name not in ("a", "b", "order")])

    def narrow(self, found: Disagreements, left_out: Collection[str]) -> Disagreements:
        """Filter the disagreements of the two sides."""
        low, high = self.length or (None, None)
        among = self.only if len(self.only) > 1 else found.systems
        return found.where(
            systems=[name for name in found.systems if name in among and name not in left_out],
            involving=self.only[0] if len(self.only) == 1 else None,
            shortest=low,
            longest=high,
            type=self.error or None,
            unanimous=self.unanimous,
            tied=TIED.get(self.tied),
        )

    def rows(self, narrowed: Disagreements) -> list[Disagreement]:
        """The disagreements that are listed, in their order."""
        return narrowed.top(LISTED, by=self.order)


class Stop(NamedTuple):
    """A sentence to go to, with the systems whose outputs to compare; empty for no particular ones."""

    sentence: int
    system: str = ""
    against: str = ""

    @property
    def address(self) -> dict[str, list[str]]:
        """The parts of an address."""
        return {"sentence": [str(self.sentence)], "system": [self.system], "against": [self.against]}


def stop_at(row: Disagreement, left_out: Collection[str]) -> Stop:
    """Return where a disagreement is, its outputs named by systems that are not left out."""
    one, other = (next(name for name in names if name not in left_out) for names in row.outputs)
    return Stop(row.sentence, one, other)


Sides = Sequence[tuple[str, Metric | None]]
"""The title of each side and its metric; None for the judges."""


@dataclass(frozen=True)
class Listed:
    """The disagreements of two sides that pass the filters."""

    corpus: Corpus
    found: Disagreements
    """All pairs that pass the filters, in whatever order the sides have them."""
    rows: Sequence[Disagreement]
    """The pairs that are listed."""
    dispute: Dispute
    left_out: Collection[str]
    sides: Sides
    key: tuple[str, ...]
    """What is compared and by what it is filtered: for what all visitors share."""

    @property
    def titles(self) -> tuple[str, str]:
        """The names of the two sides."""
        (first, _), (second, _) = self.sides
        return first, second

    @property
    def name(self) -> str:
        """The name of files with these disagreements."""
        return f"{self.corpus.name}-{self.dispute.a}-{self.dispute.b}"

    @property
    def stops(self) -> list[Stop]:
        """Where the listed disagreements are."""
        return [stop_at(row, self.left_out) for row in self.rows]


def list_disagreements(found: ChosenScores, dispute: Dispute, *, typed: bool = True) -> Listed:
    """Return the disagreements of two sides, filtered and listed once for all visitors.

    Args:
        found: The chosen corpus and scores.
        dispute: The two sides and the filters.
        typed: Whether the error types of the pairs are shown; a filter by type needs them in any case.

    Raises:
        GecLensError: If there is no such error type or system.
    """
    corpus, left_out = found.corpus, found.left_out
    compared = cache.disagreements(
        corpus, dispute.a, dispute.b, tuple(found.table.columns), typed=typed or bool(dispute.error)
    )
    metrics = {metric.id: metric for metric in found.metrics.values()}
    two = [metrics.get(side) for side in (dispute.a, dispute.b)]
    signatures = [metric.signature if metric else JUDGES for metric in two]
    key = (repr(dispute), repr(sorted(left_out)), *signatures, str(len(compared.types)))
    narrowed = cache.shared(corpus, ("narrowed", *key), lambda: dispute.narrow(compared, left_out))
    rows = cache.shared(corpus, ("rows", *key), lambda: dispute.rows(narrowed))
    sides = [(metric.title if metric else "the judges", metric) for metric in two]
    return Listed(corpus, narrowed, rows, dispute, left_out, sides, key)


def why_query(first: str, second: str, sides: Iterable[str], **more: str) -> dict[str, list[str]]:
    """Return the query of a link that compares two systems under these sides: ids of metrics, and `judges`."""
    asked = {"first": [first], "second": [second], "sides": list(sides)}
    return url_state.link(asked | {name: [value] for name, value in more.items()})


def why_link(label: str, first: str, second: str, sides: Iterable[str], **more: str) -> None:
    """Draw a link to the page."""
    st.page_link(
        navigation.page("why"),
        label=label,
        icon=":material/compare_arrows:",
        query_params=why_query(first, second, sides, **more),
    )


def open_why(first: str, second: str, sides: Iterable[str]) -> None:
    """Go to the page."""
    st.switch_page(navigation.page("why"), query_params=why_query(first, second, sides))


def side_scores(found: ChosenScores) -> dict[str, dict[str, float]]:
    """Return the scores of the systems that are not left out, by side: metrics that score sentences, and people."""
    scores: dict[str, dict[str, float]] = {
        column.metric.id: {name: value for name, value in column.values.items() if name in found.kept}
        for column in found.table.columns
        if column.scores_sentences
    }
    return scores | ({JUDGES: found.human.scores} if found.human else {})


def counterpart(scores: Mapping[str, Mapping[str, float]], side: str, system: str) -> tuple[str, str]:
    """Return the system that this side and people, or else another side, swap most clearly with a system.

    Without a swap it is the neighbour in the ranking of the side.

    Returns:
        The other system, and the other side.
    """
    others = [JUDGES] if JUDGES in scores and side != JUDGES else [each for each in scores if each != side]
    if found := swaps(scores, [(side, other) for other in others], [system]):
        return next(name for name in found[0].systems if name != system), found[0].sides[1]
    ranked = sorted(scores[side], key=lambda name: -scores[side][name])
    at = ranked.index(system) if system in ranked else 0
    near = [ranked[place] for place in (at - 1, at + 1) if 0 <= place < len(ranked)]
    return (near or [system])[0], (others or [side])[0]
