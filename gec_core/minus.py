"""Numbers as people read them: with a true minus sign. Files for programs keep the hyphen."""

from __future__ import annotations

MINUS = "−"


def minus(number: str) -> str:
    """A number as Python writes it, with a minus sign in place of its hyphens; one that rounds to 0 has none."""
    if number.startswith("-") and not any(digit in number for digit in "123456789"):
        number = number[1:]
    return number.replace("-", MINUS)
