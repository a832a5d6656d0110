"""Tokenise outputs as their sources are tokenised.

Metrics compare tokens, so raw text of a language model scores close to 0 beside tokenised sources and references. Where
an output repeats its source, it is split as the source is: characters are aligned, and boundaries are copied. The rest
is split by rules (those of the Penn Treebank) with the conventions of the corpus: whether `don't` is `do n't`, whether
hyphens and slashes stand alone, which quotation marks there are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from gec_core import languages
from gec_core.corpora.characters import Characters
from gec_core.errors import MissingInput

Choice = Literal["none", "like-source", "treebank", "spacy", "characters"]
CHOICES: dict[Choice, str] = {
    "none": "As it is",
    "like-source": "Like the sources",
    "treebank": "Penn Treebank rules",
    "spacy": "spaCy's tokeniser",
    "characters": "Single characters",
}
"""The ways to tokenise, with their names on pages."""

_OPENING = frozenset('([{<"“„«¿¡')
_CLOSING = frozenset(')]}>"”»,;:!?%…،؛؟۔।')
_SYMBOLS = frozenset("$#@&£€")
_INNER = frozenset('()[]{}<>"“”«»;?!&@#$%')
"""Characters that stand alone even within a word."""
_CONTRACTION = re.compile(r"(?i)(?<=\w)(n['’]t|['’](?:s|m|d|ll|re|ve))$")
_MERGED = {
    "cannot": 3, "gonna": 3, "gotta": 3, "wanna": 3, "gimme": 3, "lemme": 3, "'tis": 2, "'twas": 2, "d'ye": 1,
}  # fmt: skip
"""Words that the Penn Treebank splits, with the place."""
_ABBREVIATION = re.compile(
    r"(?:[A-Za-z]\.)+[A-Za-z]?\.?|(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|cf|vol|inc|ltd|co|corp|dept|fig|al|"
    r"approx|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec|ph\.d)\.",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S*\w/?|\w[\w.+-]*@\w[\w-]*\.[\w.-]*\w")
_TAG = re.compile(r"</?[a-z][a-z-]*>")
_SPECIAL = re.compile(r"[:;=8]-?[()DPp/]|&\w+;|.*\w@@|\.{3,}")
"""Subwords, emoticons, entities, ellipses: never split."""
_ELIDED = re.compile(r"['‘’](?:\d\ds?|em|cause|til|tis|twas)\b", re.IGNORECASE)
"""Words whose first apostrophe stands for letters that are left out."""
_ELISION = re.compile(r"([^\W\d_]+)['’]")
_ELISIONS = frozenset({
    "c", "d", "j", "l", "m", "n", "s", "t", "v", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu",
    "un", "all", "coll", "dall", "dell", "nell", "sull", "quell", "quest", "bell", "sant", "gl", "com", "dov", "cos",
    "anch", "nessun",
})  # fmt: skip
"""Words that lose their last letter before a vowel, as `le` does in `l'homme`."""
_ELIDING = ("fr", "it", "ca")
"""Languages whose tokenisers set these words apart, which is taken for granted where a corpus does not show it."""
_ENOUGH_ELISIONS = 3
"""How many of them a corpus needs as tokens, for the others to be tokens, too."""
_UNIT = re.compile(r"``|''|.", re.DOTALL)
_RUN = re.compile(r"(?:\.{2,}|[!?.]+)$")


@dataclass(frozen=True, slots=True)
class Convention:
    """How a corpus is tokenised, as far as its sources and references show it."""

    characters: Characters
    contractions: bool = True
    """Whether `don't` is two tokens."""
    alone: frozenset[str] = frozenset()
    """Of the hyphen and the slash, those that are tokens of their own between letters."""
    runs: bool = False
    """Whether `?!` is one token."""
    merged: frozenset[str] = frozenset()
    """Words such as `cannot` that are two tokens."""
    dots: bool = False
    """Whether `..` is one token."""
    single_quotes: bool = False
    """Whether a single quotation mark before a word stays with it."""
    elisions: frozenset[str] = frozenset()
    """Words such as the `l` of `l'homme` that are tokens with their apostrophe."""
    by_characters: bool = False
    """Whether each character of a script without spaces is a token."""
    words: frozenset[str] = field(default=frozenset(), repr=False)
    """Tokens with punctuation in them."""

    @property
    def unasked(self) -> Choice | None:
        """How outputs are tokenised without being asked: nobody writes spaces between characters."""
        return "like-source" if self.by_characters else None

    @classmethod
    def of(cls, texts: Iterable[str]) -> Convention:
        """Learn the convention from tokenised texts."""
        texts = list(texts)
        lines, language = [text.split() for text in texts], languages.guess(texts)
        tokens = Counter(token for line in lines for token in line)
        lower = Counter({token.lower().replace("’", "'"): 0 for token in tokens})
        for token, count in tokens.items():
            lower[token.lower().replace("’", "'")] += count
        joined = sum(count for token, count in lower.items() if (at := _CONTRACTION.search(token)) and at.start())
        apart = sum(lower[suffix] for suffix in ("n't", "'s", "'m", "'d", "'ll", "'re", "'ve"))
        pairs = Counter(first.lower() + second.lower() for line in lines for first, second in pairwise(line))
        runs = sum(count for token, count in tokens.items() if len(token) > 1 and set(token) <= set("!?"))
        split_runs = sum(a[-1:] in "!?" and b in ("!", "?") for line in lines for a, b in pairwise(line))
        split_dots = sum(a == b == "." for line in lines for a, b in pairwise(line))
        return cls(
            Characters.of(" ".join(line) for line in lines),
            contractions=apart > joined or (apart == joined and language in ("", languages.ENGLISH)),
            alone=frozenset(mark for mark in "-/" if tokens[mark] > _within(mark, tokens)),
            runs=runs > split_runs,
            merged=frozenset(word for word in _MERGED if pairs[word] > lower[word]),
            dots=tokens[".."] > split_dots,
            single_quotes=_quotes_stay(lines),
            elisions=_elisions(lines, language),
            by_characters=_by_characters(tokens),
            words=frozenset(token for token in tokens if not token.isalnum() and any(map(str.isalnum, token))),
        )


TREEBANK = Convention(Characters.of(()), merged=frozenset(_MERGED))
_SUFFIXES = frozenset({"n't", "'s", "'m", "'d", "'ll", "'re", "'ve"})


def _quotes_stay(lines: Iterable[Sequence[str]]) -> bool:
    """Whether more single quotation marks stand at the beginning of a token than alone before a word."""
    stay = 0
    for line in lines:
        opened = False
        for before, token in pairwise(["", *line]):
            if re.match(r"'\w", token) and token.lower() not in _SUFFIXES:
                stay, opened = stay + 1, not token.endswith("'")
            elif token == "'" and not opened and not before.endswith("s"):
                stay, opened = stay - 1, True
            elif token.endswith("'"):
                opened = False
    return stay > 0


def _elisions(lines: Iterable[Sequence[str]], language: str) -> frozenset[str]:
    """The words that more often are tokens with their apostrophe than parts of longer tokens, or without it."""
    apart: Counter[str] = Counter()
    for line in lines:
        for token, after in pairwise(line):
            if (found := _ELISION.match(token)) and found.end() < len(token):
                apart[found[1].lower()] -= 1
            elif found:
                apart[found[1].lower()] += after[0].isalpha()
            elif after in ("'", "’"):
                apart[token.lower()] -= 1
    known = frozenset(word for word, count in apart.items() if count > 0)
    joined = any(apart[word] < 0 for word in _ELISIONS)
    usual = len(known & _ELISIONS) >= _ENOUGH_ELISIONS or (language in _ELIDING and not joined)
    return known | _ELISIONS if usual else known


def _by_characters(tokens: Counter[str]) -> bool:
    """Whether tokens of a script without spaces have one character each."""
    lengths = Counter[bool]()
    for token, count in tokens.items():
        if not token.isascii() and any(map(languages.alone, token)):
            lengths[len(token) == 1] += count
    return lengths[True] > 10 * lengths[False]


def _within(mark: str, tokens: Counter[str]) -> int:
    return sum(count for token, count in tokens.items() if re.search(rf"\w{re.escape(mark)}\w", token))


@dataclass(frozen=True, slots=True)
class Tokenised:
    """Lines after tokenisation, and what it changed."""

    lines: tuple[str, ...]
    choice: Choice
    changed: tuple[int, ...]
    """The places of the lines that changed, counted from 0."""
    characters: Counter[str]
    """How many characters of each kind were written in another form."""


def tokenise(
    lines: Sequence[str], choice: Choice, sources: Sequence[str] = (), convention: Convention | None = None
) -> Tokenised:
    """Tokenise lines.

    Args:
        lines: Texts, one per source.
        choice: How to tokenise them.
        sources: The tokenised sources; needed for "like-source".
        convention: How the corpus is tokenised; learned from the sources by default.

    Returns:
        The tokens of each line joined by single spaces, and what was changed.

    Raises:
        MissingInput: spaCy was asked for and is not installed.
    """
    convention = convention or (Convention.of(sources) if choice == "like-source" else TREEBANK)
    characters: Counter[str] = Counter()
    split = _spacy(languages.guess(sources or lines)) if choice == "spacy" else None
    found = []
    for place, line in enumerate(lines):
        if choice == "none":
            found.append(" ".join(line.split()))
            continue
        text, changed = convention.characters.written(line)
        characters += changed
        if choice == "characters" or (choice == "like-source" and convention.by_characters):
            text = languages.characters_apart(text)
        if choice == "characters":
            found.append(text)
        elif split:
            found.append(" ".join(split(" ".join(text.split()))))
        else:
            found.append(like_source(text, sources[place] if choice == "like-source" else "", convention))
    changed_lines = tuple(
        place for place, (old, new) in enumerate(zip(lines, found, strict=True)) if " ".join(old.split()) != new
    )
    return Tokenised(tuple(found), choice, changed_lines, characters)


def like_source(text: str, source: str, convention: Convention) -> str:
    """Split a text as its source is split, and by rules where the two differ.

    >>> like_source("He doesn't know it.", "He do n't know it .", TREEBANK)
    "He does n't know it ."
    """
    output, gaps = _units(text)
    if not output:
        return ""
    known, bounds = _units(source)
    if output[-2:] == [".", "."] and known and known[-1] == "." and bounds[-1]:
        convention = replace(convention, dots=False)  # a second full stop, after a word that is gone
    cuts = _rule_cuts(output, gaps, convention)
    places = _aligned(output, known, convention)
    whole = _whole_tokens(places, gaps, bounds, len(known))
    pieces = [output[0] if places[0] < 0 else known[places[0]]]
    for at in range(1, len(output)):
        unit = known[places[at]] if places[at] >= 0 else output[at]
        cut = gaps[at] or _cut(at, output, places, gaps, bounds, cuts, whole, known)
        pieces.append(f" {unit}" if cut else unit)
    return "".join(pieces)


def _units(text: str) -> tuple[list[str], list[bool]]:
    """The characters without spaces (`` and '' are one), and whether a space stands before each."""
    units: list[str] = []
    gaps: list[bool] = []
    for token in text.split():
        own = _UNIT.findall(token)
        units += own
        gaps += [True] + [False] * (len(own) - 1)
    return units, gaps


def _aligned(output: Sequence[str], known: Sequence[str], convention: Convention) -> list[int]:
    """The place in the source of each unit of the output; -1 if it is not there."""
    from rapidfuzz.distance import Levenshtein

    places = [-1] * len(output)
    quotes = () if '"' in convention.characters.used else ("``", "''")
    canonical = [['"' if unit in quotes else unit for unit in units] for units in (known, output)]
    for block in Levenshtein.opcodes(*canonical):
        if block.tag == "equal":
            for step in range(block.dest_end - block.dest_start):
                places[block.dest_start + step] = block.src_start + step
    return places


def _whole_tokens(places: Sequence[int], gaps: Sequence[bool], bounds: Sequence[bool], length: int) -> list[bool]:
    """For each unit of the source, whether the output has its token unchanged and without a space in it."""
    at = {place: number for number, place in enumerate(places) if place >= 0}
    whole = [False] * length
    starts = [number for number, bound in enumerate(bounds) if bound] + [length]
    for start, end in pairwise(starts):
        first = at.get(start)
        if first is not None and all(
            at.get(start + step) == first + step and not (step and gaps[first + step]) for step in range(end - start)
        ):
            whole[start:end] = [True] * (end - start)
    return whole


def _cut(
    at: int,
    output: Sequence[str],
    places: Sequence[int],
    gaps: Sequence[bool],
    bounds: Sequence[bool],
    cuts: frozenset[int],
    whole: Sequence[bool],
    known: Sequence[str],
) -> bool:
    """Whether a token of the output begins at this unit, which no space precedes."""
    place = places[at]
    if place > 0 and output[at] in "'‘" and bounds[place] and whole[place] and output[at - 1].isalnum():
        return True
    if place < 1 or places[at - 1] != place - 1:
        closed = output[at - 1] in "'’" and gaps[at - 1] and _alone(places[at - 1], bounds)
        return closed or (at in cuts and not _inner_in_both(at, output, places, gaps, bounds))
    if not bounds[place]:
        # `can't` for `can not` has the source's `can` only by its letters.
        negated = output[at + 1 : at + 2] in (["'"], ["’"]) and output[at] in "nN" and places[at + 1] != place + 1
        return at in cuts and (negated or not whole[place]) and not _inner_in_both(at, output, places, gaps, bounds)
    if at in cuts:
        return True
    if output[at].isalnum() and (output[at - 1].isalnum() or (output[at - 1] in "'’" and at - 1 in cuts)):
        token = "".join(known[place : next((n for n in range(place + 1, len(known)) if bounds[n]), len(known))])
        return whole[place] and token.lower().replace("’", "'") in _SUFFIXES
    if not (whole[place] and whole[place - 1]):
        return False
    joiner = next((number for number in (at - 1, at) if output[number] in "-/"), None)
    return joiner is None or not _within_word(joiner, output, gaps)


def _alone(place: int, bounds: Sequence[bool]) -> bool:
    """Whether a unit of the source is a token of its own."""
    return place >= 0 and bounds[place] and (place + 1 == len(bounds) or bounds[place + 1])


def _within_word(at: int, output: Sequence[str], gaps: Sequence[bool]) -> bool:
    """Whether letters or digits stand on both sides of a unit, without spaces."""
    inside = 0 < at < len(output) - 1 and not gaps[at] and not gaps[at + 1]
    return inside and output[at - 1].isalnum() and output[at + 1].isalnum()


def _inner_in_both(
    at: int, output: Sequence[str], places: Sequence[int], gaps: Sequence[bool], bounds: Sequence[bool]
) -> bool:
    """Whether the punctuation at this cut stands within a word in the output, and within a token in the source."""
    for number in (at - 1, at):
        place = places[number]
        if not output[number].isalnum() and output[number] not in "'’" and 0 < place < len(bounds) - 1:
            return _within_word(number, output, gaps) and not bounds[place] and not bounds[place + 1]
    return False


def _rule_cuts(output: Sequence[str], gaps: Sequence[bool], convention: Convention) -> frozenset[int]:
    """The places where rules split the text, besides its spaces."""
    starts = [number for number, gap in enumerate(gaps) if gap] + [len(output)]
    cuts: set[int] = set()
    for start, end in pairwise(starts):
        cuts |= {start + cut for cut in _chunk_cuts(output[start:end], end == len(output), convention)}
    return frozenset(cuts)


def _chunk_cuts(units: Sequence[str], last: bool, convention: Convention) -> set[int]:
    """The places where rules split a text without spaces."""
    if tag := _TAG.search("".join(units)):
        before, after = units[: tag.start()], units[tag.end() :]
        around = {tag.start()} if before and not before[-1].isalnum() else set()
        around |= {tag.end()} if after and not after[0].isalnum() else set()
        around |= _chunk_cuts(before, False, convention) if before else set()
        return around | ({tag.end() + cut for cut in _chunk_cuts(after, last, convention)} if after else set())
    cuts: set[int] = set()
    start, end = 0, len(units)
    while start < end - 1 and (units[start] in _OPENING or units[start] in ("``", "''") or (
        units[start] in "'‘" and not convention.single_quotes and units[start + 1].isalnum() and end - start > 3
        and not _ELIDED.match("".join(units[start:]))
    )):  # fmt: skip
        start += 1
        cuts.add(start)
    while end - 1 > start:
        text = "".join(units[start:end])
        if _ADDRESS.fullmatch(text) or _SPECIAL.fullmatch(text) or (text in convention.words and units[end - 1] != "."):
            break
        run = match[0] if (match := _RUN.search(text)) else ""
        if len(run) > 1 and _one_token(run, convention):
            end -= len(run)
            cuts.add(end)
            continue
        if units[end - 1] == "." and _ABBREVIATION.fullmatch(text) and (not last or text.count(".") > 1):
            break
        if units[end - 1] in "'’" and text[:-1].lower() in convention.elisions:
            break
        if units[end - 1] in _CLOSING or units[end - 1] in (".", "''", "'", "’", "``"):
            end -= 1
            cuts.add(end)
        else:
            break
    cuts |= {start + cut for cut in _word_cuts(units[start:end], convention)}
    return {cut for cut in cuts if 0 < cut < len(units)}


def _one_token(run: str, convention: Convention) -> bool:
    """Whether a run of marks is one token: an ellipsis is, two full stops and `?!` are where the corpus says so."""
    return (len(run) > 2 or convention.dots) if set(run) == {"."} else convention.runs


def _word_cuts(units: Sequence[str], convention: Convention) -> set[int]:
    """The places where a word without punctuation around it is split."""
    text = "".join(units)
    if text in convention.words or _ADDRESS.fullmatch(text) or _SPECIAL.fullmatch(text) or len(text) != len(units):
        return set()
    cuts: set[int] = set()
    if text.lower() in convention.merged:
        return {_MERGED[text.lower()]}
    rest = text
    while convention.contractions and (found := _CONTRACTION.search(rest)):
        rest = rest[: found.start()]
        cuts.add(len(rest))
    elided = 0
    while (elision := _ELISION.match(text, elided)) and elision[1].lower() in convention.elisions:
        elided = elision.end()
        cuts.add(elided)
    for at, unit in enumerate(units):
        before, after = units[at - 1] if at else " ", units[at + 1] if at + 1 < len(units) else " "
        alone = unit in _INNER or (unit in convention.alone and before.isalnum() and after.isalnum())
        alone = alone or (unit in ",:" and not after.isdigit())
        alone = alone or (unit in "–—" and not (before.isdigit() and after.isdigit()))
        if alone or (unit in _SYMBOLS and at == 0):
            cuts |= {at, at + 1}
    for found in re.finditer(r"\.{2,}|--+", text):
        cuts |= {found.start(), found.end()}
    return cuts


def _spacy(language: str) -> Callable[[str], list[str]]:
    from gec_core.align.errant_pipeline import LOADING

    try:
        with LOADING:
            import spacy
    except ImportError:
        raise MissingInput(
            "spaCy is not installed, so its tokeniser cannot be used. Install gec-lens[errant], or use like-source."
        ) from None
    try:
        tokeniser = spacy.blank(language or languages.ENGLISH).tokenizer
    except ImportError:  # a language that spaCy does not know, or whose tokeniser is a package of its own
        tokeniser = spacy.blank("xx").tokenizer
    return lambda text: [token.text for token in tokeniser(text)]
