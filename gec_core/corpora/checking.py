"""Check a corpus and the names of its systems, and count what it contains."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Literal

from gec_core.corpora import folder, judgment_sets, suspicions
from gec_core.corpora.catalogue import located
from gec_core.corpora.folder import CorpusFolder
from gec_core.corpora.m2 import left_out
from gec_core.corpora.text import quote
from gec_core.errors import CorpusError, CorpusWarning
from gec_core.formatting import counted
from gec_core.types import Corpus, Edit, Note

LONGEST = 60
"""Characters of a name, at most."""
RESERVED = frozenset({"–", "-", "source", "reference", "references", "judges", "the judges", "people"})
"""Words with another meaning in lists, in tables or on the command line."""
_ENDINGS = (
    ".gz",
    ".zip",
    ".txt",
    ".tsv",
    ".csv",
    ".jsonl",
    ".ndjson",
    ".json",
    ".parquet",
    ".m2",
    ".out",
    ".hyp",
    ".pred",
    ".tok",
)
_FORBIDDEN = '/\\\t"'


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem of a corpus or a file: an error keeps it from being loaded, a warning does not."""

    level: Literal["error", "warning", "note"]
    message: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The size of a corpus."""

    sentences: int
    tokens: int
    references: int
    """References per sentence."""
    annotators: int
    edits: int
    """Gold edits of all annotators together."""
    systems: int
    judgments: int
    judges: int


def check(where: str | Path, *, notes: bool = False, strict: bool = False) -> list[Finding]:
    """Load a corpus (a folder, a zip file or a name in the catalogue) and list everything that is wrong with it.

    Args:
        where: The corpus.
        notes: Also say what human judgments there are and how they were read.
        strict: Gold edits outside their sentences and judgments that look damaged are errors, not warnings.
    """
    level: Literal["error", "warning"] = "error" if strict else "warning"
    try:
        with located(where) as found:
            corpus = found.load()
            damaged = [Finding(level, each.args[0] if strict else str(each)) for each in edits_left_out(found)]
            damaged += [Finding(level, f"{note.text}.") for note in _remarks(corpus) if note.caution]
            warnings = [*_ignored(found), *oddities(corpus), *without_systems(corpus)]
            warnings += [f"{each.place}: {each.what}; it is left out." for each in found.read_human(corpus).unread]
    except CorpusError as problem:
        return [Finding("error", str(problem))]
    about = [Finding("note", message) for message in about_judgments(corpus)] if notes else []
    return [*about, *damaged, *(Finding("warning", message) for message in warnings)]


def about_judgments(corpus: Corpus) -> Iterator[str]:
    """What there is of human judgments, and how it was read."""
    for id, each in corpus.judgment_sets.items():
        judgments = each.judgments
        told = f"judgments {id}" if id != judgment_sets.USUAL else "judgments"
        yield (
            f"{told}: {counted(len(judgments.items), 'ranking')} of {counted(len(judgments.systems), 'system')} by "
            f"{counted(len(judgments.judges), 'judge')} ({', '.join(judgments.judges)}), {each.kind}; sentences are "
            f"counted from {each.counted_from} in the file ({each.evidence})."
        )
        seen: dict[tuple[str, int], int] = {}
        for item in judgments.items:
            seen[item.judge, item.sentence] = seen.get((item.judge, item.sentence), 0) + 1
        if repeated := [place for place, times in seen.items() if times > 1]:
            judge, sentence = repeated[0]
            yield (
                f"{told}: {counted(len(repeated), 'time')} a judge ranked outputs of a sentence more than once, for "
                f"example {judge} sentence {sentence + 1}. All are kept."
            )
        for note in each.remarks:
            if not note.caution:
                yield f"{told}: {note.text}."
    if corpus.verdicts:
        accepted = sum(verdict.accepted for verdict in corpus.verdicts)
        judges = {verdict.judge for verdict in corpus.verdicts}
        yield (
            f"verdicts on edits: {len(corpus.verdicts):,} by {counted(len(judges), 'judge')}, {accepted:,} of them "
            "accept the edit."
        )


def _remarks(corpus: Corpus) -> Iterator[Note]:
    """What is said of the sets of judgments; aspects of one file share it."""
    yield from dict.fromkeys(note for each in corpus.judgment_sets.values() for note in each.remarks)


def edits_left_out(found: CorpusFolder) -> list[CorpusWarning]:
    """Warnings about gold edits outside their sentences."""
    gold = found.one_of("gold.m2")
    return left_out(gold) if gold else []


def summarise(corpus: Corpus) -> Summary:
    """Count the sentences, tokens, references, edits, systems and judgments of a corpus."""
    annotations = [annotation for sentence in corpus.sentences for annotation in sentence.annotations]
    return Summary(
        sentences=len(corpus),
        tokens=sum(len(sentence.tokens) for sentence in corpus.sentences),
        references=len(corpus.sentences[0].references),
        annotators=len({annotation.annotator for annotation in annotations}),
        edits=sum(len(annotation.edits) for annotation in annotations),
        systems=len(corpus.systems),
        judgments=len(corpus.judgments.items) if corpus.judgments else 0,
        judges=len(corpus.judgments.judges) if corpus.judgments else 0,
    )


def oddities(corpus: Corpus) -> Iterator[str]:
    """Warnings about a corpus that can be loaded."""
    yield from _empty(corpus)
    yield from _overlapping(corpus)
    yield from _identical(corpus)
    yield from _untouched(corpus)
    yield from suspicions.mismatches(corpus)
    yield from _without_outputs(corpus)


def without_systems(corpus: Corpus) -> Iterator[str]:
    """A warning if there is nothing to score."""
    if not corpus.systems:
        yield f"There are no system outputs to score: put one file per system into {folder.SYSTEMS}/."


def suggest_name(file: str, taken: Collection[str] = ()) -> str:
    """A name for a system made from a file name, different from those that are taken."""
    name = PureWindowsPath(PurePosixPath(file).name).name
    while name.lower().endswith(_ENDINGS):
        name = name[: name.rindex(".")]
    kept = "".join(" " if character in _FORBIDDEN or not character.isprintable() else character for character in name)
    base = " ".join(kept.split()).lstrip(".")[: LONGEST - 4].strip() or "mine"
    numbered = (base if number == 1 else f"{base}-{number}" for number in range(1, len(taken) + len(RESERVED) + 3))
    return next(name for name in numbered if not name_problem(name, taken))


def name_problem(name: str, taken: Collection[str] = ()) -> str:
    """Why a name cannot be used; empty if it can. Names become file names, on any machine."""
    if not name.strip():
        return "Give it a name."
    if name != " ".join(name.split()) or any(character in _FORBIDDEN for character in name) or not name.isprintable():
        return f"{name!r}: remove slashes, quotation marks, line ends, and spaces at the ends."
    if name.startswith("."):
        return f"{name!r}: a name must not begin with a dot."
    if len(name) > LONGEST:
        return f"{name[:20]!r}…: {len(name)} characters; a name may have at most {LONGEST}."
    if name.casefold() in RESERVED:
        return f"{name!r} is reserved. Choose another name."
    if name.casefold() in {one.casefold() for one in taken}:
        return f"The name {name!r} is taken. Choose another name."
    return ""


def _ignored(found: CorpusFolder) -> Iterator[str]:
    """Files and keys that are not read."""
    for name in (folder.REFERENCES, folder.SYSTEMS):
        read = {file.path for file in found.texts(name).values()}
        for path in sorted((found.path / name).glob("[!.]*")):
            if path not in read:
                yield f"{name}/{path.name} is not read: file names must end in .txt or .txt.gz there."
    if info := found.one_of(folder.INFO):
        for key in sorted(set(folder.parse_toml(info)) - {*folder.INFO_KEYS, *folder.TABLES}):
            yield f"{folder.INFO}: unknown key {key!r}. There are: {', '.join(folder.INFO_KEYS)}."


def _empty(corpus: Corpus) -> Iterator[str]:
    texts = {"source": [sentence.source for sentence in corpus.sentences], **corpus.systems}
    for name, lines in texts.items():
        empty = [number for number, line in enumerate(lines, 1) if not line]
        if empty:
            yield f"{name}: {counted(len(empty), 'empty line')}, the first is line {empty[0]}."
    bare = [n for n, each in enumerate(corpus.sentences, 1) if each.source and not all(each.references)]
    if bare:
        yield (
            f"references: {counted(len(bare), 'sentence')} with an empty reference although the source is not empty, "
            f"the first is sentence {bare[0]}. It is scored as a correction that deletes everything."
        )


def _overlapping(corpus: Corpus) -> Iterator[str]:
    """Gold edits of one annotator that cannot all be made, or whose order matters."""
    overlaps: list[tuple[int, Edit, Edit]] = []
    insertions: list[tuple[int, Edit, Edit]] = []
    for number, sentence in enumerate(corpus.sentences, 1):
        for annotation in sentence.annotations:
            for one, other in combinations(annotation.edits, 2):
                if one.start < other.end and other.start < one.end:
                    overlaps.append((number, one, other))
                elif one.start == one.end == other.start == other.end:
                    insertions.append((number, one, other))
    for found, what, treated in (
        (overlaps, counted(len(overlaps), "pair") + " of overlapping edits", "from the last to the first"),
        (insertions, counted(len(insertions), "pair") + " of insertions at one place", "in the order of the file"),
    ):
        if found:
            number, one, other = found[0]
            yield (
                f"gold edits: {what} by one annotator, the first in sentence {number} ({_edit(one)} and "
                f"{_edit(other)}). Metrics that match edits count each edit; references are made from them {treated}."
            )


def _edit(edit: Edit) -> str:
    return f"{edit.start} {edit.end} → {quote(edit.correction)}"


def _identical(corpus: Corpus) -> Iterator[str]:
    same: dict[tuple[str, ...], list[str]] = {}
    for name, outputs in corpus.systems.items():
        same.setdefault(outputs, []).append(name)
    for names in same.values():
        if len(names) > 1:
            yield f"{' and '.join(names)} have the same output for every sentence."


def _untouched(corpus: Corpus) -> Iterator[str]:
    pairs = [(reference, sentence.source) for sentence in corpus.sentences for reference in sentence.references]
    if pairs and all(reference == source for reference, source in pairs):
        yield "Every reference equals its source: there is nothing to correct."


def _without_outputs(corpus: Corpus) -> Iterator[str]:
    sets = [("The judgments rank", corpus.judgments.systems if corpus.judgments else ())]
    if len(corpus.judgment_sets) > 1:
        sets = [(f"The judgments {id} rank", each.judgments.systems) for id, each in corpus.judgment_sets.items()]
    for where, names in (*sets, (f"{folder.HUMAN} has scores of", tuple(corpus.human or ()))):
        missing = sorted(set(names) - set(corpus.systems))
        if missing:
            yield f"{where} {', '.join(missing)}, for which there are no outputs."
