"""How far long work has come."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a scoring run has come, in (sentence, output) pairs."""

    what: str
    done: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        """Pairs a second so far."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """None as long as there is nothing to estimate it from."""
        return (self.total - self.done) / self.rate if self.done and self.rate else None


def ignore(progress: Progress) -> None:
    """The progress callback of those who do not care. A callback may raise to cancel the run."""
