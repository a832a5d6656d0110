"""Which disagreements: what their list shows, what its address says, and what next and previous go through."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dashboard import url_state
from gec_core.meta.disagreement import Disagreement, Disagreements, Tie

JUDGES = "judges"
UNANIMOUS = "unanimous"
NAMES = ("a", "b", "only", "error", "length", "agreement", "tied")
"""What it is called in an address."""
TIED: Mapping[str, Tie] = {"a": "first", "b": "second"}
LISTED = 200


@dataclass(frozen=True)
class Dispute:
    """Two sides, each a metric's id or the judges, and what they are to disagree on."""

    a: str
    b: str
    only: tuple[str, ...] = ()
    """Pairs of these systems; none means all."""
    error: str = ""
    """An ERRANT type, or a group of types."""
    length: tuple[int, int] | None = None
    """Tokens of the source, from and to."""
    unanimous: bool = False
    tied: str = ""
    """a or b: pairs that this side ties and the other does not, rather than those in opposite order."""

    @classmethod
    def read(cls, address: Mapping[str, Sequence[str]]) -> Dispute | None:
        """What the parts of an address mean; None if they name no two sides."""
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
        )

    @property
    def address(self) -> dict[str, list[str]]:
        """As it stands in an address; what is not asked for is left out."""
        parts = {
            "a": [self.a],
            "b": [self.b],
            "only": list(self.only),
            "error": [self.error] if self.error else [],
            "length": [f"{self.length[0]}-{self.length[1]}"] if self.length else [],
            "agreement": [UNANIMOUS] if self.unanimous else [],
            "tied": [self.tied] if self.tied else [],
        }
        return {name: values for name, values in parts.items() if values}

    @property
    def filters(self) -> int:
        """How many filters are set."""
        return len(self.address) - 2

    def narrow(self, found: Disagreements, left_out: Collection[str]) -> Disagreements:
        """What is asked for, of all that the two sides make of a corpus."""
        low, high = self.length or (None, None)
        return found.where(
            systems=[name for name in found.systems if name in (self.only or found.systems) and name not in left_out],
            shortest=low,
            longest=high,
            type=self.error or None,
            unanimous=self.unanimous,
            tied=TIED.get(self.tied),
        )


class Stop(NamedTuple):
    """A sentence to go to, with the outputs to set side by side; none of the list's if these are empty."""

    sentence: int
    system: str = ""
    against: str = ""


def stop_at(row: Disagreement, left_out: Collection[str]) -> Stop:
    """The sentence of a disagreement, with its two outputs by systems that are not left out."""
    one, other = (next(name for name in names if name not in left_out) for names in row.outputs)
    return Stop(row.sentence, one, other)
