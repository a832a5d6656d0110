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
    without = ["non-native"]       # judges whose judgments are left out

Sentences are counted from 0 or from 1 in a file; `numbering` finds out.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Literal

import numpy as np

from gec_core.corpora import edit_verdicts, ratings
from gec_core.corpora.edit_verdicts import Verdicts
from gec_core.corpora.judgments import read_pairs, read_rankings, renamed
from gec_core.corpora.numbering import Outputs, described, numbered, wrongly_shared
from gec_core.corpora.published_corpora import JUDGED
from gec_core.corpora.text import TextFile
from gec_core.formatting import counted
from gec_core.types import EditVerdict, Judgments, JudgmentSet, Note, Ratings

FOLDER = "human"
USUAL = "judgments"
"""The id of the set in judgments.xml or judgments.csv."""
KEYS = ("title", "citation", "names", "first", "scale", "without")
RARE = 0.1
"""A system without outputs that is judged less often than this share of another one is taken for a misspelt name."""
REPEATED = 0.1
"""The share of rankings that may be there twice, word for word: judges repeat some on purpose."""
UNRATED = 0.05
"""The share of sentences without ratings from which on a file of ratings seems to be cut off."""
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
    without: tuple[str, ...] = ()


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
            verdicts += edit_verdicts.read_table(files[id], sources, systems)
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
        lines.append("first = 0")
    return "\n".join([*lines, ""]) if lines else ""


def _about(file: TextFile, id: str, values: Mapping[str, Any]) -> About:
    names, first, scale = values.get("names", {}), values.get("first"), values.get("scale")
    without = values.get("without", [])
    right = {
        "title": isinstance(values.get("title", ""), str),
        "citation": isinstance(values.get("citation", ""), str),
        "names": isinstance(names, Mapping) and all(isinstance(each, str) for each in names.values()),
        "first": first in (None, 0, 1),
        "scale": scale is None
        or (isinstance(scale, list) and len(scale) == 2 and all(isinstance(each, int | float) for each in scale)),
        "without": isinstance(without, list) and all(isinstance(each, str) for each in without),
    }
    for key in values:
        if not right.get(key, False):
            raise file.error(f"human.{id}: {key} = {values[key]!r} is not understood. Keys: {', '.join(KEYS)}.")
    limits = (float(scale[0]), float(scale[1])) if scale else None
    return About(values.get("title", ""), values.get("citation", ""), names, first, limits, tuple(without))


def _read_file(
    id: str, file: TextFile, about: About, sources: Sequence[str], systems: Outputs
) -> dict[str, JudgmentSet]:
    """The sets of one file: one, or one per aspect."""
    if _suffix(file) == ".csv" and ratings.is_ratings(file):
        start = ratings.first_number(file, len(sources), about.first)
        found = ratings.read(file, sources, systems, names=about.names, scale=about.scale, first=start)
        rated = [_rated(file, id, aspect, one, about, start, systems) for aspect, one in found.items()]
        return {each.id: each for each in rated}
    rankings = _suffix(file) == ".xml"
    every = renamed(read_rankings(file) if rankings else read_pairs(file), about.names)
    items, left_out = _without_judges(file, every, about.without)
    judgments, first, told = numbered(file, items, len(sources), systems, first=about.first, every=every)
    counts = Counter(name for item in items.items for place in item.ranked for name in place.systems)
    misspelt = _misspelt(file, counts, systems)
    title = about.title or ("" if id == USUAL else id)
    kind: Literal["rankings", "pairs"] = "rankings" if rankings else "pairs"
    remarks = (*left_out, *misspelt, *_cut_off(file, kind, every), *_oddities(file, items, every, systems, first))
    return {id: JudgmentSet(id, title, kind, judgments, None, first, told, about.citation, remarks)}


def _rated(
    file: TextFile, id: str, aspect: str, found: Ratings, about: About, first: int, systems: Outputs
) -> JudgmentSet:
    title = ", ".join(part for part in (about.title or ("" if aspect else id), aspect) if part)
    told = ratings.numbering(file)
    judgments = found.ranked("mean rating")
    unrated = np.flatnonzero(np.isnan(found.values).all(axis=0))
    counts = np.count_nonzero(~np.isnan(found.values), axis=1).tolist()
    misspelt = _misspelt(file, dict(zip(found.systems, counts, strict=True)), systems)
    remarks = (*misspelt, *ratings.oddities(file, found, systems))
    if len(unrated):
        size = found.values.shape[1]
        caution = len(unrated) > UNRATED * size
        text = (
            f"{file.name}: {counted(len(unrated), 'sentence')} of {size:,} without ratings, the first is sentence "
            f"{unrated[0] + 1}{'; the file seems to be cut off' if caution else ''}"
        )
        remarks = (*remarks, Note(text, caution))
    return JudgmentSet(aspect or id, title, "ratings", judgments, found, first, told, about.citation, remarks)


def _without_judges(file: TextFile, every: Judgments, without: Sequence[str]) -> tuple[Judgments, tuple[Note, ...]]:
    """The judgments of the other judges, and what is left out."""
    if not without:
        return every, ()
    if unknown := [name for name in without if name not in every.judges]:
        raise file.error(f"no judgments by {', '.join(unknown)}, whom corpus.toml leaves out (without).")
    kept = Judgments(tuple(item for item in every.items if item.judge not in without))
    if not kept.items:
        raise file.error(f"corpus.toml leaves out all judges (without): {', '.join(without)}.")
    left_out = counted(len(every.items) - len(kept.items), "ranking")
    return kept, (Note(f"{left_out} by {', '.join(without)} left out, as corpus.toml says (without)"),)


def _misspelt(file: TextFile, counts: Mapping[str, int], systems: Outputs) -> tuple[Note, ...]:
    """Notes about systems without outputs whose names are like that of a system; refuse those that must be misspelt.

    Such a name is judged much more rarely than the one that it is like, which is not judged at all otherwise; or all
    others are judged much more often. People may judge what is not in the corpus, such as a reference.
    """
    known = [counts.get(name, 0) for name in systems if name in counts]
    if not known:
        return ()
    usual, notes = median(known), []
    for name, count in counts.items():
        if name in systems:
            continue
        close = difflib.get_close_matches(name.casefold(), [each.casefold() for each in systems], n=1, cutoff=0.6)
        meant = next((each for each in systems if [each.casefold()] == close), None)
        hint = f" Did you mean {meant!r}?" if meant is not None else ""
        judged, line = f"{name!r} has no outputs here and is judged {counted(count, 'time')}", _line_of(file, name)
        if (meant is not None and (meant not in counts or count <= RARE * counts[meant])) or count <= RARE * usual:
            raise file.error(
                f"{judged}, other systems {usual:,.0f} times.{hint} Correct the name, say what it stands for in "
                f"corpus.toml (names), or remove it. Systems: {', '.join(systems)}.",
                line,
            )
        if meant is not None:
            place = f"{file.name}:{line}" if line else file.name
            notes.append(
                Note(f"{place}: {judged}; it may stand for {meant!r}, judged {counts[meant]:,} times", caution=True)
            )
    return tuple(notes)


def _line_of(file: TextFile, name: str) -> int | None:
    """The first line that has this name."""
    whole = re.compile(rf"(?<![\w.+-]){re.escape(name)}(?![\w.+-])")
    return next((number for number, line in enumerate(file.text().split("\n"), 1) if whole.search(line)), None)


def _oddities(file: TextFile, found: Judgments, every: Judgments, systems: Outputs, first: int) -> Iterator[Note]:
    """Notes about judgments that a slip may have damaged; judgments and sentences have the numbers of the file."""
    if wrong := wrongly_shared(found, systems, first):
        item, what = wrong[0]
        text = f"{described(item, every)} {what} ({counted(len(wrong), 'such place')} in all)"
        yield Note(f"{file.name}: {text}", caution=True)
    sizes = [(item, sum(len(each.systems) for each in item.ranked)) for item in found.items]
    for item, size in sizes:
        if (worst := max((each.rank for each in item.ranked), default=0)) > size:
            text = f"{described(item, every)} has the rank {worst:,} among {counted(size, 'system')}"
            yield Note(f"{file.name}: {text}", caution=True)
            break
    times = Counter((item.judge, item.sentence, frozenset(item.ranked)) for item in found.items)
    if (again := len(found.items) - len(times)) > REPEATED * len(found.items):
        text = f"{file.name}: {again:,} of {counted(len(found.items), 'ranking')} are there twice, word for word"
        yield Note(text, caution=True)
    if alone := [item for item, size in sizes if size < 2]:
        item = alone[0]
        yield Note(
            f"{counted(len(alone), 'ranking')} of fewer than two systems, for example by {item.judge} of the "
            f"sentence {item.sentence}: nothing is compared"
        )


def _cut_off(file: TextFile, kind: str, found: Judgments) -> tuple[Note, ...]:
    """A note if the file is a published one that has more judgments."""
    for each in JUDGED:
        ours = (set(found.judges), set(found.systems))
        if each.kind == kind and ours[0] <= each.judges and ours[1] <= each.systems and each.items > len(found.items):
            text = (
                f"{file.name}: {counted(len(found.items), 'ranking')}, but {each.title} has {each.items:,}; the "
                "file seems to be cut off"
            )
            return (Note(text, caution=True),)
    return ()


def _suffix(file: TextFile) -> str:
    return Path(file.path.name.removesuffix(".gz")).suffix


def _has_suffix(path: Path) -> bool:
    return Path(path.name.removesuffix(".gz")).suffix in _SUFFIXES
