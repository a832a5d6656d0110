"""Files of human judgments: rankings as XML, pairs as CSV, scores of systems as TSV.

Rankings (Grundkiewicz et al. 2015), where `system` names all systems that share one output and rank 1 is best:

    <ranking-item src-id="135" user="annotator01">
      <translation rank="3" system="A"/>
      <translation rank="1" system="B C"/>
    </ranking-item>

In the file of Napoles et al. (2015) the sentence is the `id` of an item instead, and commas separate systems.

Pairs (Chollampatt and Ng 2018) are rows of a CSV file with the columns srcIndex, judgeID, system1Id, system1rank,
system2Id and system2rank. A system is called `testset.NAME.srclang-trglang` there; plain names are read, too. Without
a column rankingID (Napoles et al. 2015), consecutive rows of one judge and sentence are one ranking.

Sentences have the numbers of the file here; `numbering` finds out whether these start from 0 or from 1.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from xml.sax.saxutils import quoteattr

from gec_core.corpora.text import TextFile, quote
from gec_core.corpora.xmltree import Node, parse
from gec_core.types import Judgment, Judgments, Ranked

_NEEDED = ("srcIndex", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank")
_OPTIONAL = ("rankingID", "srclang", "trglang")
_NUMBER = re.compile(r"[0-9]{1,9}")


def read_rankings(file: TextFile) -> Judgments:
    """Read rankings in the order of the file; an item without translations is kept, as an empty one."""
    nodes = list(parse(file).every("ranking-item"))
    sentence = "src-id" if any("src-id" in node.attributes for node in nodes) else "id"
    if nodes and not any(sentence in node.attributes for node in nodes):
        sentence = "src-id"
    return Judgments(tuple(_ranking(node, sentence) for node in nodes))


def write_rankings(judgments: Judgments) -> str:
    """The text of a judgments.xml."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<appraise-results>"]
    for item in judgments.items:
        lines.append(f'<ranking-item src-id="{item.sentence}" user={quoteattr(item.judge)}>')
        lines.extend(
            f'  <translation rank="{place.rank}" system={quoteattr(" ".join(place.systems))}/>' for place in item.ranked
        )
        lines.append("</ranking-item>")
    return "\n".join([*lines, "</appraise-results>", ""])


def read_pairs(file: TextFile) -> Judgments:
    """Read pairs and join them into the rankings they come from, one per ranking id, judge and sentence.

    Pairs do not say which systems share an output, so every system is ranked alone.
    """
    rankings: dict[tuple[str, str, int], dict[str, int]] = {}
    rows: Counter[tuple[str, str, int]] = Counter()
    last, run = ("", ""), 0
    for line, row in _pair_rows(file):
        index, judge, first, first_rank, second, second_rank, ranking, *languages = row
        if not judge.strip():
            raise file.error("judgeID is empty; expected the name of a judge.", line)
        if not ranking:
            run += (judge, index) != last
            last = (judge, index)
        place = (ranking or f"run {run}", judge, _whole(file, line, index))
        ranks = rankings.setdefault(place, {})
        rows[place] += 1
        suffix = f".{'-'.join(languages)}"
        for identifier, told in ((first, first_rank), (second, second_rank)):
            name, rank = _system(identifier, suffix), _whole(file, line, told)
            if ranks.setdefault(name, rank) != rank:
                raise file.error(
                    f"{name} has rank {rank} here, but rank {ranks[name]} on a line above, in the same ranking.", line
                )
    _refuse_half_a_ranking(file, {place: (rows[place], len(ranks)) for place, ranks in rankings.items()})
    return Judgments(
        tuple(
            Judgment(sentence, judge, tuple(Ranked((name,), rank) for name, rank in ranks.items()))
            for (_, judge, sentence), ranks in rankings.items()
        )
    )


def _refuse_half_a_ranking(file: TextFile, sizes: Mapping[tuple[str, str, int], tuple[int, int]]) -> None:
    """Refuse a file whose last ranking alone lacks pairs: it is cut off.

    Args:
        file: The file.
        sizes: The number of pairs and of systems of every ranking, in the order of the file.
    """
    lacking = [place for place, (pairs, systems) in sizes.items() if pairs < systems * (systems - 1) // 2]
    if len(sizes) > 1 and lacking == list(sizes)[-1:]:
        _, judge, sentence = lacking[0]
        pairs, systems = sizes[lacking[0]]
        whole = systems * (systems - 1) // 2
        raise file.error(
            f"the last ranking (by {judge}, of the sentence {sentence}) has {pairs} of the {whole} pairs of its "
            f"{systems} systems, all others are complete. Is the file cut off? If not, remove its rows."
        )


def read_scores(file: TextFile) -> dict[str, float]:
    """Read the score of every system. Lines that start with # are comments; the first may be a header."""
    scores: dict[str, float] = {}
    lines = [(n, line) for n, line in enumerate(file.raw_lines(), 1) if line.strip() and not line.startswith("#")]
    if lines and _is_header(lines[0][1]):
        del lines[0]
    if not lines:
        raise file.error("has no scores; expected a system, a tab and a number on each line.")
    for number, line in lines:
        name, _, value = (part.strip() for part in line.partition("\t"))
        score = _number(value)
        if not name or score is None or not math.isfinite(score):
            raise file.error(f"found {quote(line)}; expected a system, a tab and a number.", number)
        if name in scores:
            raise file.error(f"{name} has a score on a line above, too. Remove one of the two.", number)
        scores[name] = score
    return scores


def write_scores(scores: Mapping[str, float]) -> str:
    """The text of a human.tsv."""
    return "system\tscore\n" + "".join(f"{name}\t{score!r}\n" for name, score in scores.items())


def renamed(judgments: Judgments, names: Mapping[str, str]) -> Judgments:
    """The judgments with systems called as `names` says."""
    if not names:
        return judgments
    return Judgments(
        tuple(
            replace(
                item,
                ranked=tuple(
                    replace(place, systems=tuple(names.get(name, name) for name in place.systems))
                    for place in item.ranked
                ),
            )
            for item in judgments.items
        )
    )


def _ranking(node: Node, sentence: str) -> Judgment:
    ranked = tuple(
        Ranked(_sharing(place.attribute("system"), sentence), place.integer("rank", least=1))
        for place in node.every("translation")
    )
    names = [name for place in ranked for name in place.systems]
    for name in names:
        if names.count(name) > 1:
            raise node.file.error(f"{name} is ranked more than once in this <ranking-item>. Remove one.", node.line)
    judge = node.attribute("user").strip()
    if not judge:
        raise node.file.error("<ranking-item> has user=''; expected the name of a judge.", node.line)
    return Judgment(node.integer(sentence), judge, ranked)


def _sharing(names: str, sentence: str) -> tuple[str, ...]:
    """The systems that share a place."""
    return tuple(names.split() if sentence == "src-id" else names.replace(",", " ").split())


def _pair_rows(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row in the order of `_NEEDED` and `_OPTIONAL`, with its line."""
    rows = csv.reader(io.StringIO(file.text(), newline=""), strict=True)
    try:
        header = next(rows, [])
        columns = _columns(file, header)
        for row in rows:
            if len(row) == len(header):
                yield rows.line_num, [row[column] if column is not None else "" for column in columns]
            elif row:
                raise file.error(f"{len(row)} columns, but the first line names {len(header)}.", rows.line_num)
    except csv.Error as problem:
        raise file.error(f"not a CSV file ({problem}).", rows.line_num) from None


def _columns(file: TextFile, header: Sequence[str]) -> list[int | None]:
    missing = [name for name in _NEEDED if name not in header]
    if missing:
        raise file.error(f"the columns {', '.join(missing)} are missing. The first line must name the columns.", 1)
    return [header.index(name) if name in header else None for name in (*_NEEDED, *_OPTIONAL)]


def _whole(file: TextFile, line: int, value: str) -> int:
    if not _NUMBER.fullmatch(value):
        raise file.error(f"found {quote(value)} as a sentence or rank; expected a whole number.", line)
    return int(value)


def _system(identifier: str, suffix: str) -> str:
    """The name in the middle of `testset.NAME.srclang-trglang`, or all of a plain name."""
    if identifier.endswith(suffix):
        return identifier.removesuffix(suffix).partition(".")[2] or identifier
    return identifier


def _is_header(line: str) -> bool:
    name, _, value = (part.strip() for part in line.partition("\t"))
    return bool(name) and value.lower() in ("score", "scores", "value", "rating")


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
