"""Names for systems and corpora that people bring along: made from file names, and checked."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath, PureWindowsPath

LONGEST = 60
RESERVED = frozenset({"–", "-", "source", "reference", "references", "judges", "the judges", "people"})
"""Words that stand for something else in lists, tables or on the command line."""
_ENDINGS = (".gz", ".zip", ".txt", ".tsv", ".csv", ".json", ".m2", ".out", ".hyp", ".pred", ".tok")
_FORBIDDEN = '/\\\t"'


def suggest(file: str, taken: Collection[str] = ()) -> str:
    """A name made from that of a file, unlike those that are taken."""
    name = PureWindowsPath(PurePosixPath(file).name).name
    while name.lower().endswith(_ENDINGS):
        name = name[: name.rindex(".")]
    kept = "".join(" " if character in _FORBIDDEN or not character.isprintable() else character for character in name)
    base = " ".join(kept.split()).lstrip(".")[: LONGEST - 4].strip() or "mine"
    numbered = (base if number == 1 else f"{base}-{number}" for number in range(1, len(taken) + len(RESERVED) + 3))
    return next(name for name in numbered if not problem(name, taken))


def problem(name: str, taken: Collection[str] = ()) -> str:
    """What speaks against a name; empty if it will do. Names become file names, on any machine."""
    if not name.strip():
        return "Give it a name."
    if name != " ".join(name.split()) or any(character in _FORBIDDEN for character in name) or not name.isprintable():
        return f"{name!r}: leave out slashes, quotation marks, line ends, and spaces at the ends."
    if name.startswith("."):
        return f"{name!r}: a name does not begin with a dot."
    if len(name) > LONGEST:
        return f"{name[:20]!r}…: {len(name)} characters; a name has at most {LONGEST}."
    if name.casefold() in RESERVED:
        return f"{name!r} has a meaning of its own here. Choose another name."
    if name.casefold() in {one.casefold() for one in taken}:
        return f"There is already one called {name!r}. Choose another name."
    return ""
