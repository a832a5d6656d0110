"""Files of ratings: a score for each output, on one or several aspects.

Three layouts, told apart by the first line:

* GMEG (Napoles et al. 2019): one column per system, one row per sentence, mean ratings from 0 to 100;
  an empty cell was not rated.
* TMU-GFM (Yoshimura et al. 2020): columns source, output, grammer, fluency, meaning, system, and means `ave_g`, …;
  single ratings between commas, from 1 to 4, or 0 where a rater could not tell (the published means leave these out);
  `system` names all systems with that output.
* One rating per row: columns sentence (from 0, or from 1), system, rating, and optionally aspect and rater.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from gec_core.corpora.text import TextFile, normalise, quote
from gec_core.types import Array, Note, Ratings

ASPECTS = {"grammer": "grammaticality", "fluency": "fluency", "meaning": "meaning"}
"""The aspects of TMU-GFM by the names of their columns."""
_MEANS = {"grammer": "ave_g", "fluency": "ave_f", "meaning": "ave_m"}
_TMU = ("source", "output", *ASPECTS, "system")
_LONG = ("sentence", "system", "rating")
_NO_SYSTEMS = {"aspect", "id", "judge", "line", "rater", "sentence", "source", "srcid"}
"""What a column of a layout of one's own may hold instead of ratings."""
_TOLERANCE = 1e-6
_LAYOUTS = (
    "The first line must name the columns, with commas between them: srcIndex, judgeID, system1Id, system1rank, "
    "system2Id, system2rank (comparisons of two outputs a row); sentence, system, rating (one rating a row); or the "
    "systems of the corpus (ratings, one sentence a row)."
)
UNUSED = 0.05
"""If all ratings are in this lowest part of the scale, another one seems to be meant."""
SCALE, SCALE_TMU = (0.0, 100.0), (0.0, 4.0)


@dataclass(frozen=True, slots=True)
class RatedOutput:
    """One row of TMU-GFM."""

    line: int
    source: str
    output: str
    systems: tuple[str, ...]
    ratings: Mapping[str, tuple[float, ...]]
    """By aspect, one number per rater, NaN where a rater could not tell."""


def is_ratings(file: TextFile) -> bool:
    """Whether a CSV file has ratings rather than pairs, by its first line."""
    return not {"srcIndex", "judgeID", "system1Id", "system2Id"} & set(_header(file))


def numbering(file: TextFile) -> str:
    """How a file of ratings says which sentence a rating is of, by its first line."""
    return {
        "numbered": "every row has its number",
        "texts": "ratings are found by their texts",
        "in order": "ratings are in the order of the sentences",
    }[_layout(file)]


def _layout(file: TextFile) -> Literal["numbered", "texts", "in order"]:
    """One rating a row, one output a row as in TMU-GFM, or one sentence a row, by the first line."""
    header = set(_header(file))
    if {"source", "output"} <= header or "grammer" in header:
        return "texts"
    return "numbered" if set(_LONG) <= header else "in order"


def first_number(file: TextFile, size: int, given: int | None = None) -> int:
    """The number that a file with a column of sentences gives to the first one; 0 for other files.

    Args:
        file: The file.
        size: The number of sentences of the corpus.
        given: What corpus.toml says.

    Raises:
        CorpusError: The numbers fit both ways of counting, and the smallest is 1.
    """
    if _layout(file) != "numbered":
        return 0
    if given is not None:
        return given
    numbers = {int(row["sentence"]) for _, row in _rows(file, _LONG) if row["sentence"].isdecimal()}
    if not numbers or min(numbers) != 1 or max(numbers) > size:
        return 0
    if max(numbers) == size:
        return 1
    raise file.error(
        f"the sentences are 1 to {max(numbers):,}, and the corpus has {size:,}: either the first has no ratings, or "
        "they are counted from 1. Say which in corpus.toml, in the table of this file ([human.NAME]): first = 0 or "
        "first = 1."
    )


def read(
    file: TextFile,
    sources: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    *,
    names: Mapping[str, str],
    scale: tuple[float, float] | None = None,
    first: int = 0,
) -> dict[str, Ratings]:
    """Read ratings by aspect; the aspect of a file with one aspect is empty.

    Args:
        file: The file.
        sources: The source sentences of the corpus.
        systems: The outputs of each system of the corpus.
        names: The names in the corpus of systems that the file calls otherwise.
        scale: The lowest and the highest rating.
        first: The number of the first sentence in a file that has a column of sentences (`first_number`).

    Raises:
        CorpusError: A rating is outside the scale or no number, or the rows are not those of this corpus.
    """
    layout = _layout(file)
    if layout == "texts":
        return _tmu(file, sources, systems, names)
    if layout == "numbered":
        return _long(file, len(sources), names, scale or SCALE, first)
    return {"": _wide(file, len(sources), systems, names, scale or SCALE)}


def read_tmu(file: TextFile) -> list[RatedOutput]:
    """The rows of a file in the layout of TMU-GFM.

    Raises:
        CorpusError: A column is missing, a rating is outside the scale, or a mean is not that of its ratings.
    """
    rows = []
    for line, row in _rows(file, _TMU):
        ratings = {}
        for column, aspect in ASPECTS.items():
            given = [_rating(file, line, part, SCALE_TMU) for part in row[column].split(",")]
            values = tuple(value or math.nan for value in given)
            told = [value for value in given if value]
            mean = _rating(file, line, row[_MEANS[column]], SCALE_TMU) if _MEANS[column] in row else None
            if mean is not None and told and abs(mean - sum(told) / len(told)) > _TOLERANCE:
                raise file.error(f"{_MEANS[column]} is {mean}, but the mean of {row[column]} is not.", line)
            ratings[aspect] = values
        systems = tuple(name.strip() for name in row["system"].split(",") if name.strip())
        if not systems:
            raise file.error("the row names no system.", line)
        rows.append(RatedOutput(line, normalise(row["source"]), normalise(row["output"]), systems, ratings))
    return rows


def placed(rows: Sequence[RatedOutput]) -> list[tuple[str, dict[str, RatedOutput]]]:
    """The rows by sentence, in the order of the file: the source, and the row of each system.

    A source that occurs several times has several groups of rows.
    """
    groups: dict[str, list[dict[str, RatedOutput]]] = {}
    for row in rows:
        copies = groups.setdefault(row.source, [])
        free = next((each for each in copies if not any(name in each for name in row.systems)), None)
        if free is None:
            free = {}
            copies.append(free)
        free.update(dict.fromkeys(row.systems, row))
    return [(source, copy) for source, copies in groups.items() for copy in copies]


def write(ratings: Mapping[str, Ratings]) -> str:
    """The text of a file with one rating per row."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(["sentence", "system", "aspect", "rater", "rating"])
    for aspect, found in ratings.items():
        values = found.values[:, :, None] if found.each is None else found.each
        for system, sentence, rater in zip(*np.nonzero(~np.isnan(values)), strict=True):
            cells = [sentence, found.systems[system], aspect, "" if found.each is None else rater + 1]
            out.writerow([*cells, repr(float(values[system, sentence, rater]))])
    return text.getvalue()


def _tmu(
    file: TextFile, sources: Sequence[str], systems: Mapping[str, Sequence[str]], names: Mapping[str, str]
) -> dict[str, Ratings]:
    rows = read_tmu(file)
    known = [names.get(name, name) for name in dict.fromkeys(name for row in rows for name in row.systems)]
    raters = max((len(values) for row in rows for values in row.ratings.values()), default=0)
    each = {aspect: np.full((len(known), len(sources), raters), np.nan) for aspect in ASPECTS.values()}
    sentences: dict[str, list[int]] = {}
    for at, source in enumerate(sources):
        sentences.setdefault(source, []).append(at)
    for source, by_system in placed(rows):
        if not sentences.get(source):
            continue  # a sentence for which not all systems have an output is not in the corpus
        at = sentences[source].pop(0)
        for name, row in by_system.items():
            system = names.get(name, name)
            if system in systems and systems[system][at] != row.output:
                raise file.error(
                    f"the output of {name} is {quote(row.output)} here, but {quote(systems[system][at])} in sentence "
                    f"{at + 1} of the corpus. Are these ratings of other outputs?",
                    row.line,
                )
            for aspect, values in row.ratings.items():
                each[aspect][known.index(system), at, : len(values)] = values
    left = [at for many in sentences.values() for at in many]
    if len(left) > len(sources) / 2:
        raise file.error(
            f"no ratings of sentence {left[0] + 1} ({quote(sources[left[0]])}) and {len(left) - 1} others."
        )
    return {aspect: Ratings(tuple(known), _mean(values), *SCALE_TMU, values) for aspect, values in each.items()}


def _wide(
    file: TextFile,
    size: int,
    outputs: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
    scale: tuple[float, float],
) -> Ratings:
    header = _header(file)
    systems = tuple(names.get(name, name) for name in header)
    if not header:
        raise file.error(f"the file is empty. {_LAYOUTS}")
    strange = [name for name, system in zip(header, systems, strict=True) if outputs and system not in outputs]
    if len(strange) == len(header):
        raise file.error(f"the columns {quote(', '.join(header))} are not systems of this corpus. {_LAYOUTS}", 1)
    if wrong := [name for name in strange if name.lower() in _NO_SYSTEMS]:
        raise file.error(f"the column {quote(wrong[0])} is not a system of this corpus. {_LAYOUTS}", 1)
    rows = list(_rows(file, header))
    if len(rows) != size:
        raise file.error(f"{len(rows):,} rows of ratings, but the corpus has {size:,} sentences.")
    values = np.array(
        [[_rating(file, line, row[name], scale) if row[name] else math.nan for name in header] for line, row in rows]
    ).T
    return Ratings(systems, values.reshape(len(systems), size), *scale)


def _long(
    file: TextFile, size: int, names: Mapping[str, str], scale: tuple[float, float], first: int
) -> dict[str, Ratings]:
    cells: dict[str, dict[tuple[str, int, str], float]] = {}
    for line, row in _rows(file, _LONG):
        at = int(row["sentence"]) - first if row["sentence"].isdecimal() else -1
        if not 0 <= at < size:
            raise file.error(
                f"found {quote(row['sentence'])} as a sentence; expected {first} to {size - 1 + first}: they are "
                f"counted from {first}.",
                line,
            )
        place = (names.get(row["system"], row["system"]), at, row.get("rater") or "")
        if place in cells.setdefault(row.get("aspect") or "", {}):
            raise file.error(
                f"{place[0]} has a rating of sentence {row['sentence']} by this rater on a line above.", line
            )
        cells[row.get("aspect") or ""][place] = _rating(file, line, row["rating"], scale)
    found = {}
    for aspect, rated in cells.items():
        systems = tuple(sorted({system for system, _, _ in rated}))
        raters = tuple(sorted({rater for _, _, rater in rated}))
        each = np.full((len(systems), size, len(raters)), np.nan)
        for (system, sentence, rater), value in rated.items():
            each[systems.index(system), sentence, raters.index(rater)] = value
        found[aspect] = Ratings(systems, _mean(each), *scale, each if raters != ("",) else None)
    return found


def _same_outputs(ratings: Ratings, systems: Mapping[str, Sequence[str]]) -> tuple[int, int, str]:
    """How many rated pairs of systems have the same output, how many of these differ in rating, and an example."""
    known = [(row, name) for row, name in zip(ratings.values, ratings.systems, strict=True) if name in systems]
    pairs, different, example = 0, 0, ""
    for (ours, name), (theirs, other) in combinations(known, 2):
        same = np.array([one == two for one, two in zip(systems[name], systems[other], strict=True)], np.bool_)
        rated = same & ~np.isnan(ours) & ~np.isnan(theirs)
        odd = np.flatnonzero(rated & (ours != theirs))
        pairs, different = pairs + int(rated.sum()), different + len(odd)
        if len(odd) and not example:
            example = f"{name} and {other} have the same output for sentence {odd[0] + 1}"
    return pairs, different, example


def oddities(file: TextFile, ratings: Ratings, systems: Mapping[str, Sequence[str]]) -> Iterator[Note]:
    """Notes about ratings that a slip may have damaged; refuse rows in order that are not those of these outputs.

    There, the same output has one rating.
    """
    pairs, different, example = _same_outputs(ratings, systems)
    if _layout(file) == "in order" and different > 0.1 * pairs and different >= 5:
        raise file.error(
            f"the ratings do not fit the outputs: of {pairs:,} pairs of systems with the same output, only "
            f"{pairs - different:,} have the same rating. For example, {example}. Are rows missing, or in another "
            "order?"
        )
    if different:
        text = f"of {pairs:,} pairs of systems with the same output, {different:,} differ in rating; {example}"
        yield Note(f"{file.name}: {text}", caution=True)
    most = float(np.nanmax(ratings.values, initial=ratings.low))
    if most <= ratings.low + UNUSED * (ratings.high - ratings.low):
        text = f"no rating is above {most:g} on the scale from {ratings.low:g} to {ratings.high:g}; corpus.toml can say"
        yield Note(f"{file.name}: {text} what the scale is (scale = [0, 1])", caution=True)


def _header(file: TextFile) -> list[str]:
    return [name.strip() for name in next(csv.reader(io.StringIO(file.text(), newline="")), [])]


def _rows(file: TextFile, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a CSV file by column, each with its line."""
    reader = csv.reader(io.StringIO(file.text(), newline=""), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        if missing := [name for name in needed if name not in header]:
            raise file.error(f"the columns {', '.join(missing)} are missing. The first line must name the columns.", 1)
        if len(set(header)) < len(header) or not all(header):
            raise file.error("two columns have the same name, or one has none.", 1)
        for row in reader:
            if not row:
                continue  # a blank line
            if len(row) != len(header):
                raise file.error(f"{len(row)} columns, but the first line names {len(header)}.", reader.line_num)
            yield reader.line_num, dict(zip(header, row, strict=True))
    except csv.Error as problem:
        raise file.error(f"not a CSV file ({problem}).", reader.line_num) from None


def _rating(file: TextFile, line: int, text: str, scale: tuple[float, float]) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not scale[0] <= value <= scale[1]:
        raise file.error(f"found the rating {quote(text)}; expected a number from {scale[0]:g} to {scale[1]:g}.", line)
    return value


def _mean(each: Array) -> Array:
    counts = (~np.isnan(each)).sum(axis=2)
    sums = np.nansum(each, axis=2)
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
