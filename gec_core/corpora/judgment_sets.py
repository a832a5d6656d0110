"""The sets of judgments of a corpus folder: judgments.xml or judgments.csv, and the files in human/.

    human/NAME.xml                 rankings
    human/NAME.csv                 pairs or ratings, told apart by the first line
    human/NAME/JUDGE/*.txt         verdicts on single edits, as SEEDA writes them
    human/NAME.tsv                 verdicts on single edits, as a table

corpus.toml says more about a set, all of it optional; sets come in the order in which it names them:

    [human.NAME]
    title = "sentence-based rankings"
    citation = "Kobayashi et al. 2024"
    names = { src = "INPUT" }      # systems that the file calls otherwise than the corpus
    first = 1                      # the number of the first sentence, if it cannot be found out
    scale = [0, 100]               # the lowest and the highest rating

Files do not say whether they count sentences from 0 or from 1: that of Grundkiewicz et al. (2015) counts from 0, that
of SEEDA from 1, and read with the wrong number every judgment is about the sentence next to it. Two facts decide:

* systems that share a place of a ranking have the same output;
* outputs that are the same text are tied.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from gec_core.corpora import edit_verdicts, ratings
from gec_core.corpora.edit_verdicts import Verdicts
from gec_core.corpora.judgments import read_pairs, read_rankings, renamed
from gec_core.corpora.text import TextFile
from gec_core.types import EditVerdict, Judgment, Judgments, JudgmentSet

FITS = 0.9
"""The share of places, or of pairs with one output, from which on a way of counting fits."""
ENOUGH = 5
"""Facts below which nothing can be decided."""
NOT_CHECKED = "not checked: no place is shared by two systems, and no two outputs that were compared are the same"
Outputs = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for one number of the first sentence."""

    first: int
    beyond: int
    """Judgments of sentences that the corpus does not have."""
    shared: tuple[int, int]
    """Places shared by several systems: those with one output, all."""
    tied: tuple[int, int]
    """Pairs of systems with one output: those that are tied, all."""

    @property
    def fits(self) -> bool:
        return not self.beyond and all(part >= FITS * whole for part, whole in (self.shared, self.tied))

    @property
    def facts(self) -> int:
        return self.shared[1] + self.tied[1]

    @property
    def score(self) -> float:
        """The share of facts that speak for it."""
        return (self.shared[0] + self.tied[0]) / self.facts if self.facts else 0.0

    def __str__(self) -> str:
        parts = []
        if self.shared[1]:
            parts.append(f"{self.shared[0]:,} of {self.shared[1]:,} shared places have one output")
        if self.tied[1]:
            parts.append(f"{self.tied[0]:,} of {self.tied[1]:,} pairs with one output are tied")
        if self.beyond:
            parts.append(f"{self.beyond:,} judgments are of sentences that the corpus does not have")
        return "; ".join(parts) or NOT_CHECKED


def numbered(
    file: TextFile, judgments: Judgments, size: int, systems: Outputs, *, first: int | None = None
) -> tuple[Judgments, int, str]:
    """The judgments with sentences counted from 0, the number of the first sentence, and the evidence for it.

    Args:
        file: The file they come from, for messages.
        judgments: With the numbers of the file.
        size: The number of sentences of the corpus.
        systems: The outputs of each system.
        first: The number of the first sentence, if it is known (corpus.toml).

    Raises:
        CorpusError: Neither 0 nor 1 fits; the message has an example.
    """
    known = {name for name in judgments.systems if name in systems}
    if systems and not known and len(judgments.items) >= ENOUGH:
        raise file.error(
            f"none of the judged systems has outputs here: {', '.join(judgments.systems[:5])} …. "
            f"The corpus has {', '.join(list(systems)[:5])} …. Are these judgments of another corpus?"
        )
    found = [evidence(judgments, size, systems, each) for each in ((0, 1) if first is None else (first,))]
    possible = [each for each in found if each.fits or (not each.beyond and each.facts < ENOUGH)]
    if not possible:
        raise file.error(_misfit(judgments, size, systems, found))
    best = max(possible, key=lambda each: (each.fits, each.score, -each.first))
    told = str(best)
    if first is None and best.facts < ENOUGH:
        told = f"assumed; {told}" if best.facts else NOT_CHECKED
    if not best.first:
        return judgments, 0, told
    return Judgments(tuple(replace(item, sentence=item.sentence - best.first) for item in judgments.items)), 1, told


def evidence(judgments: Judgments, size: int, systems: Outputs, first: int) -> Evidence:
    """Count what speaks for sentences counted from `first`."""
    beyond, one_output, places, tied, pairs = 0, 0, 0, 0, 0
    for item in judgments.items:
        at = item.sentence - first
        if not 0 <= at < size:
            beyond += 1
            continue
        for place in item.ranked:
            outputs = {systems[name][at] for name in place.systems if name in systems}
            if len(place.systems) > 1 and outputs:
                places += 1
                one_output += len(outputs) == 1
        for rank, other in _same_text(item, systems, at):
            pairs += 1
            tied += rank == other
    return Evidence(first, beyond, (one_output, places), (tied, pairs))


def _same_text(item: Judgment, systems: Outputs, at: int) -> list[tuple[int, int]]:
    """The ranks of every two places with the same output."""
    first = [(place.rank, systems[place.systems[0]][at]) for place in item.ranked if place.systems[0] in systems]
    return [(one[0], other[0]) for one, other in combinations(first, 2) if one[1] == other[1]]


def _misfit(judgments: Judgments, size: int, systems: Outputs, found: Sequence[Evidence]) -> str:
    told = ". ".join(f"Counted from {each.first}: {each}" for each in found)
    best = max(found, key=lambda each: (not each.beyond, each.score))
    return (
        f"the judgments do not fit the outputs, whether sentences are counted from 0 or from 1. {told}. "
        f"For example, {_example(judgments, size, systems, best.first)}. Are the outputs those that were judged, "
        "and in the same order?"
    )


def _example(judgments: Judgments, size: int, systems: Outputs, first: int) -> str:
    for number, item in enumerate(judgments.items, 1):
        where, at = f"judgment {number} (by {item.judge}, of the sentence {item.sentence})", item.sentence - first
        if not 0 <= at < size:
            return f"{where} is of a sentence that the corpus does not have: it has {size:,} sentences"
        for place in item.ranked:
            names = [name for name in place.systems if name in systems]
            if len({systems[name][at] for name in names}) > 1:
                return f"{where} gives one place to {' and '.join(names)}, whose outputs differ"
        for one, other in combinations((place for place in item.ranked if place.systems[0] in systems), 2):
            a, b = one.systems[0], other.systems[0]
            if one.rank != other.rank and systems[a][at] == systems[b][at]:
                return f"{where} ranks {a} {one.rank} and {b} {other.rank}, although they have the same output"
    return "see `corpora check`"


FOLDER = "human"
USUAL = "judgments"
"""The id of the set in judgments.xml or judgments.csv."""
KEYS = ("title", "citation", "names", "first", "scale")
_SUFFIXES = (".xml", ".csv", ".tsv")


@dataclass(frozen=True)
class HumanJudgments:
    """What people said about the outputs of a corpus."""

    sets: Mapping[str, JudgmentSet] = field(default_factory=dict)
    verdicts: tuple[EditVerdict, ...] = ()
    unread: tuple[edit_verdicts.Unread, ...] = ()
    """What of the verdicts cannot be read."""


@dataclass(frozen=True, slots=True)
class About:
    """What corpus.toml says about one set."""

    title: str = ""
    citation: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    first: int | None = None
    scale: tuple[float, float] | None = None


def read(
    files: Mapping[str, TextFile],
    folders: Mapping[str, Sequence[tuple[str, TextFile]]],
    about: Mapping[str, About],
    sources: Sequence[str],
    systems: Outputs,
) -> HumanJudgments:
    """Read all sets.

    Args:
        files: The files of rankings, pairs, ratings and tables of verdicts, by id.
        folders: The files of verdicts with their judges, by id.
        about: What corpus.toml says, by id.
        sources: The source sentences.
        systems: The outputs of each system.

    Raises:
        CorpusError: A file cannot be read, or is not about these outputs; the message names the file and the place.
    """
    order = [*(id for id in about if id in files), *(id for id in files if id not in about)]
    sets: dict[str, JudgmentSet] = {}
    verdicts: list[EditVerdict] = []
    unread: list[edit_verdicts.Unread] = []
    for id in order:
        if _suffix(files[id]) == ".tsv":
            verdicts += edit_verdicts.read_table(files[id], len(sources))
        else:
            sets |= _read_file(id, files[id], about.get(id, About()), sources, systems)
    for marked in folders.values():
        found: Verdicts = edit_verdicts.read(marked, sources, systems)
        verdicts += found.items
        unread += found.unread
    return HumanJudgments(sets, tuple(verdicts), tuple(unread))


def found_in(folder: Path) -> tuple[list[Path], dict[str, list[Path]]]:
    """The files of human/ that hold judgments, and the files of verdicts by the name of their folder."""
    files = [path for path in sorted((folder / FOLDER).glob("[!.]*")) if path.is_file() and _has_suffix(path)]
    marked = {}
    for inside in sorted(path for path in (folder / FOLDER).glob("[!.]*") if path.is_dir()):
        if texts := sorted(inside.glob("*/*.txt"), key=lambda path: (path.parent.name, len(path.name), path.name)):
            marked[inside.name] = texts
    return files, marked


def stem(path: Path) -> str:
    """The id of the set in a file."""
    return Path(path.name.removesuffix(".gz")).stem


def read_about(file: TextFile, values: object) -> dict[str, About]:
    """The table `human` of corpus.toml.

    Raises:
        CorpusError: An entry is not of the form above.
    """
    if not isinstance(values, Mapping) or not all(isinstance(each, Mapping) for each in values.values()):
        raise file.error("human must be tables, one per set: [human.NAME].")
    return {id: _about(file, id, each) for id, each in values.items()}


def about_toml(sets: Mapping[str, JudgmentSet]) -> str:
    """The tables of corpus.toml about these sets."""
    from json import dumps

    lines = []
    for id, each in sets.items():
        lines += ["", f"[{FOLDER}.{dumps(id)}]", f"title = {dumps(each.title, ensure_ascii=False)}"]
        if each.citation:
            lines.append(f"citation = {dumps(each.citation, ensure_ascii=False)}")
        if each.ratings:
            lines.append(f"scale = [{each.ratings.low:g}, {each.ratings.high:g}]")
        elif each.kind != "ratings":
            lines.append("first = 0")
    return "\n".join([*lines, ""]) if lines else ""


def _about(file: TextFile, id: str, values: Mapping[str, Any]) -> About:
    names, first, scale = values.get("names", {}), values.get("first"), values.get("scale")
    right = {
        "title": isinstance(values.get("title", ""), str),
        "citation": isinstance(values.get("citation", ""), str),
        "names": isinstance(names, Mapping) and all(isinstance(each, str) for each in names.values()),
        "first": first in (None, 0, 1),
        "scale": scale is None
        or (isinstance(scale, list) and len(scale) == 2 and all(isinstance(each, int | float) for each in scale)),
    }
    for key in values:
        if not right.get(key, False):
            raise file.error(f"human.{id}: {key} = {values[key]!r} is not understood. Keys: {', '.join(KEYS)}.")
    limits = (float(scale[0]), float(scale[1])) if scale else None
    return About(values.get("title", ""), values.get("citation", ""), names, first, limits)


def _read_file(
    id: str, file: TextFile, about: About, sources: Sequence[str], systems: Outputs
) -> dict[str, JudgmentSet]:
    """The sets of one file: one, or one per aspect."""
    if _suffix(file) == ".csv" and ratings.is_ratings(next(csv.reader(io.StringIO(file.text(), newline="")), [])):
        found = ratings.read(file, sources, systems, names=about.names, scale=about.scale)
        return {each.id: each for each in (_rated(id, aspect, one, about) for aspect, one in found.items())}
    rankings = _suffix(file) == ".xml"
    items = renamed(read_rankings(file) if rankings else read_pairs(file), about.names)
    judgments, first, told = numbered(file, items, len(sources), systems, first=about.first)
    _refuse_beyond(file, judgments, len(sources))
    title = about.title or ("" if id == USUAL else id)
    kind = "rankings" if rankings else "pairs"
    return {id: JudgmentSet(id, title, kind, judgments, None, first, told, about.citation)}  # type: ignore[arg-type]


def _rated(id: str, aspect: str, found: Any, about: About) -> JudgmentSet:
    title = ", ".join(part for part in (about.title or ("" if aspect else id), aspect) if part)
    told = "ratings are in the order of the sentences" if not aspect else "ratings are found by their texts"
    judgments = found.ranked("mean rating")
    return JudgmentSet(aspect or id, title, "ratings", judgments, found, 0, told, about.citation)


def _refuse_beyond(file: TextFile, judgments: Judgments, size: int) -> None:
    for number, item in enumerate(judgments.items, 1):
        if not 0 <= item.sentence < size:
            raise file.error(f"judgment {number} is about sentence {item.sentence}, but the corpus has {size:,}.")


def _suffix(file: TextFile) -> str:
    return Path(file.path.name.removesuffix(".gz")).suffix


def _has_suffix(path: Path) -> bool:
    return Path(path.name.removesuffix(".gz")).suffix in _SUFFIXES
