"""Find the outputs in the answers of a language model.

Asked to correct sentences, language models number them, put them between quotation marks or fences, write "Corrected:"
before and an explanation after them, or refuse. Every rule compares an answer with its source: what the source has as
well is left alone, so that outputs which are nothing but outputs stay as they are. Everything that is removed is told.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from gec_core.corpora import suspicions
from gec_core.corpora.records import Records
from gec_core.corpora.text import quote
from gec_core.formatting import counted

MOST = 0.8
"""The share of answers from which on a habit, such as numbering, counts as that of the whole file."""
_SHOWN = 3
_POLITE = r"(?:(?:sure|certainly|of course|okay|ok)\b\s*[,.!:]?\s*)?"
_WHAT = r"(?:sentences?|text|version|outputs?|answers?|responses?|results?|corrections?|lists?)"
_LABEL = re.compile(
    rf"(?i)(?:\*\*|__)?{_POLITE}(?:(?:here(?: ?['’]s| is| are)|below (?:is|are)|this is)\b[^:.]{{0,80}}|the (?:following|corrected|revised)\b[^:.]{{0,60}}|"  # noqa: E501
    rf"(?:correct(?:ed|ion)s?|revised|fixed|edited|improved|final|grammatical)(?:\s+{_WHAT})?|output|answer|response|"
    r"result|hypothesis|target|assistant)(?:\*\*|__)?\s*[:：](?:\*\*|__)?\s*"
)
_PREAMBLE = re.compile(
    r"(?i)(?:sure|certainly|of course|okay|ok|here(?: ?['’]s| is| are)|below (?:is|are)|the (?:following|corrected)|"
    r"corrected (?:text|sentences?|version|output)s?|output)\b.{0,120}[:.!]?"
)
_COMMENT = re.compile(
    r"(?i)[-*•(\[\s]*(?:let me know|i hope|note|please let me|feel free|explanations?|changes?(?: made)?|reasons?|"
    r"corrections? made|errors? (?:fixed|corrected)|i(?:'ve| have)? (?:changed|corrected|fixed|replaced|added|removed)|"
    r"changed|replaced|added|removed|corrected the|fixed the|original|source|input|before|incorrect)\b.{0,400}"
)
_AFTER = re.compile(
    r"""(?ix) (?<=[.!?"'”’)*\]]) \s+ (?: [(\[]\s* (?:note|explanation|changed?s?|corrected|fixed|added|removed|replaced|
    no\ (?:changes?|errors?|corrections?)|reason|unchanged|correct)\b [^)\]]* [)\]] \s* $ | (?:[-–—*#]+\s*)? (?:\*\*)?
    (?:explanation|notes?|changes(?:\ made)?|corrections?(?:\ made)?|reason(?:ing)?)(?:\*\*)?\s*:.* $ |
    I\ (?:have\ )?(?:changed|corrected|fixed|replaced|added|removed)\b.* $ )"""
)
_ORIGINAL = re.compile(
    r"(?is)(?:\*\*)?(?:original|source|input|before|incorrect|error)(?:\s+(?:sentence|text))?(?:\*\*)?\s*[:：]\s*(?P<old>.+?)"
    r"[\s|;,]*(?:\*\*)?(?:corrected|correction|correct|output|after|fixed|revised)(?:\s+(?:sentence|text|version))?"
    r"(?:\*\*)?\s*[:：]\s*(?P<new>.+)"
)
_ARROW = re.compile(r"(?s)(?P<old>.+?)\s*(?:-+>|=+>|→|⇒|➜)\s*(?P<new>.+)")
_REFUSAL = re.compile(
    r"(?i)[\[(*\"']*(?:(?:i['’]?m|i am|we are)? ?(?:very |so |really )?(?:sorry|unable|afraid)|i (?:can(?:not|['’]?t)|"
    r"could not|don['’]?t|do not|did not)|as an? (?:ai|language model)|unfortunately|please (?:provide|clarify|share)|"
    r"could you|there (?:is|are|were) (?:no|nothing)|no (?:grammatical |spelling )?(?:errors?|mistakes?|changes?|"
    r"corrections?|answer|output)|nothing to|(?:the|this|your) (?:sentence|text|input|original)[\w ]{0,30} (?:is|looks|"
    r"appears|seems|contains|has|does)|(?:it is |already |grammatically )?correct\b|unchanged|same as|n ?/? ?a$|none$|"
    r"null$|nan$|error\b|timeout|rate limit|\{\"error)"
)
_SPLIT_WORD = re.compile(r"(?i) (?=(?:n['’]t|['’](?:m|re|s|ve|ll|d))\b)|(?<=\bcan) (?=not\b)")
"""A space that tokenisation puts into a word: ca n't, I 'm, can not."""
_FENCE = re.compile(r"\s*(?:```|~~~)\w*\s*")
_THOUGHTS = re.compile(r"(?s)<(think|thinking|reasoning)>.*?</\1>\s*")
_NUMBER = re.compile(
    r"(?i)\s*(?:\*\*)?(?:[\[(]\s*(\d+)\s*[\])]|(?:sentence|line|no\.?)?\s*#?(\d+)\s*[.):])(?:\*\*)?(?:\s+|$)"
)
_BULLET = re.compile(r"\s*[-*•‣–]\s+")
_WRAPPED = {
    "fences or back ticks": re.compile(r"(?s)(`{1,3})(?!`)(?P<inner>.+?)\1"),
    "asterisks of Markdown": re.compile(r"(?s)(\*{1,2}|__)(?=\S)(?P<inner>[^*]+?)(?<=\S)\1"),
    "tags": re.compile(r"(?s)<(\w[\w-]*)>\s*(?P<inner>.*?)\s*</\1>"),
}
_QUOTED = re.compile(r"(?s)(?:\"(.+)\"|“(.+)”|„(.+)[“”]|«(.+)»|``(.+)''|'(.+)'|‘(.+)’)")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,4});")
_WORD = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]|[^\\W\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]+")
_EMPHASIS = re.compile(r"(?<![*\w])(\*{1,2}|__)(?=\S)([^*_]+?)(?<=\S)\1(?![*\w])")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Outputs without what was around them."""

    texts: tuple[str, ...]
    told: tuple[str, ...]
    """What was removed, each as a sentence."""
    unanswered: dict[int, str]
    """Answers that are no corrections, such as refusals, by their place."""
    chatty: bool = False
    """Whether something was said around or instead of outputs, as only language models do."""


def outputs_in(found: Records, sources: Sequence[str]) -> tuple[Records, list[str]]:
    """The lines of a text that are outputs, as records with ids where the lines are numbered, and what was left out."""
    told: list[str] = []
    texts = list(found.texts)
    if found.form != "text":
        return found, told
    if len(texts) > len(sources) and not any(text.strip() for text in texts[len(sources) :]):
        told.append(f"dropped {counted(len(texts) - len(sources), 'blank line')} at the end")
        texts = texts[: len(sources)]
    texts = _without_frame(texts, sources, told)
    if (numbered := _numbered(texts, sources)) is not None:
        ids, texts = numbered
        told.append(f"removed the numbers before {counted(len(texts), 'output')}")
        return replace(found, texts=tuple(texts), ids=tuple(ids) if ids else None), told
    if len(texts) <= len(sources) or not all(sources):
        return replace(found, texts=tuple(texts)), told
    few = len(_filled(texts, sources)) - len(sources) < 0.5 * len(sources)  # single extra lines are found by alignment
    for ways, what in _CHOICES[:2] if few else _CHOICES:
        chosen = ways(texts, sources)
        if len(chosen) == len(sources) and _fit(chosen, sources):
            taken = set("\n".join(chosen).split("\n"))
            gone = [quote(text.strip()) for text in texts if text.strip() and text.rstrip() not in taken]
            told.append(
                f"read {what}: {len(texts):,} lines hold {len(chosen):,} outputs"
                + (f"; left out {', '.join(gone[:_SHOWN])}{' …' if len(gone) > _SHOWN else ''}" if gone else "")
            )
            return replace(found, texts=tuple(chosen)), told
    return replace(found, texts=tuple(texts)), told


def _fit(texts: Sequence[str], sources: Sequence[str]) -> bool:
    """Whether most texts have something in common with their sources."""
    return sum(map(_like, texts, sources)) >= MOST * len(sources)


def _filled(texts: Sequence[str], sources: Sequence[str]) -> list[str]:
    return [text for text in texts if text.strip()]


def _labelled(texts: Sequence[str], sources: Sequence[str]) -> list[str]:
    return [text for text in texts if (label := _LABEL.match(text.strip())) and text.strip()[label.end() :]]


def _uncommented(texts: Sequence[str], sources: Sequence[str]) -> list[str]:
    """The lines without comments; one that looks like a comment and like the sentence it would be for is none."""
    kept: list[str] = []
    for text in _filled(texts, sources):
        if not is_comment(text) or (len(kept) < len(sources) and _like(text, sources[len(kept)])):
            kept.append(text)
    return kept


def _paragraphs(texts: Sequence[str], sources: Sequence[str]) -> list[str]:
    return _filled(re.split(r"\n\s*\n", "\n".join(text.rstrip() for text in texts)), sources)


_CHOICES: tuple[tuple[Callable[[Sequence[str], Sequence[str]], list[str]], str], ...] = (
    (_filled, "without blank lines"),
    (_labelled, "the lines that are labelled as corrections"),
    (_uncommented, "without comments between the outputs"),
    (_paragraphs, "by paragraphs"),
)


def _without_frame(texts: list[str], sources: Sequence[str], told: list[str]) -> list[str]:
    """The lines without what a chatbot says before and after its answer."""
    kept = list(texts)
    dropped = []
    while kept and sources:
        first, last, more = kept[0].strip(), kept[-1].strip(), len(kept) > len(sources)
        opening = _PREAMBLE.fullmatch(first) and (more or first.endswith(":")) and not _like(first, sources[0])
        if (more and not first) or _FENCE.fullmatch(kept[0]) or opening:
            dropped.append(kept.pop(0).strip())
        elif (more and not last) or _FENCE.fullmatch(kept[-1]) or (
            more and _COMMENT.fullmatch(last) and not _like(last, sources[-1])
        ):  # fmt: skip
            dropped.append(kept.pop().strip())
        else:
            break
    if lines := [line for line in dropped if line]:
        told.append(f"dropped {counted(len(lines), 'line')} around the outputs: {', '.join(map(quote, lines))}")
    return kept if dropped else texts


def _numbered(texts: Sequence[str], sources: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """The numbers before outputs, if they rise, and the outputs without them; None if most lines have no number.

    Lines without a number belong to the output before them.
    """
    filled = [text for text in texts if text.strip()]
    found = [_NUMBER.match(text) for text in texts]
    most = sum(match is not None for match in found) >= max(2, 0.3 * len(filled))
    if not most or sum(_NUMBER.match(source) is not None for source in sources) > 0.1 * len(sources):
        return None
    numbers: list[int] = []
    outputs: list[str] = []
    for text, match in zip(texts, found, strict=True):
        if match:
            numbers.append(int(match[1] or match[2]))
            outputs.append(text[match.end() :])
        elif text.strip() and outputs:
            outputs[-1] += f"\n{text}"
        elif text.strip():
            return None
    fits = abs(len(outputs) - len(sources)) <= 0.5 * len(sources)
    steps = Counter(b - a for a, b in pairwise(numbers))
    if not fits or steps[1] < 0.5 * max(1, len(numbers) - 1):
        return None
    rising = all(step > 0 for step in steps) and numbers[0] >= 1 and numbers[-1] <= len(sources)
    return ([str(number) for number in numbers] if rising else []), outputs


def cleaned(texts: Sequence[str], sources: Sequence[str]) -> Cleaned:
    """Remove what is no part of the outputs: labels, quotation marks, explanations, markup.

    Args:
        texts: The answers, one per source.
        sources: The sources.
    """
    removed: dict[str, list[int]] = {}
    framed: set[int] = set()
    result = list(texts)

    def go_through(clean: Callable[[str, str, bool], tuple[str, list[str]]]) -> None:
        for place, source in enumerate(sources):
            if _SIGNS.search(result[place]):
                result[place], what = clean(result[place], source, place in framed)
                for each in what:
                    removed.setdefault(each, []).append(place)

    go_through(lambda text, source, _: _unframed(text, source))
    framed.update(place for what, places in removed.items() if what not in (_JOINED, _ENTITIES) for place in places)
    habits = _habits(result, sources)
    go_through(lambda text, source, framed: _undressed(text, source, habits, framed))
    unanswered = {place: text for place, text in enumerate(result) if _is_refusal(text, sources[place])}
    told = tuple(
        f"removed {what} from {counted(len(places), 'output')}, the first for sentence {places[0] + 1}"
        if what != _JOINED
        else f"{what} for {counted(len(places), 'sentence')}, the first is {places[0] + 1}"
        for what, places in removed.items()
    )
    chatty = bool(framed or unanswered or removed.keys() & {_EXPLAINED})
    return Cleaned(tuple(result), told, unanswered, chatty)


_JOINED = "joined the lines of an answer"
_ENTITIES = "HTML entities"
_EXPLAINED = "explanations after them"
_SIGNS = re.compile(r"[\n`*<&→⇒➜:(\[]|->|=>|__|\bI\b|^\s*[-•‣–\"“„«'‘]")
"""What every rule of cleaning needs; most outputs have nothing of it."""


def _habits(texts: Sequence[str], sources: Sequence[str]) -> frozenset[str]:
    """What most answers have and the sources have not: quotation marks around them, bullets before them."""
    if not texts:
        return frozenset()
    found = set()
    for name, pattern in (("quotation marks", _QUOTED), ("bullets", _BULLET)):
        match = pattern.fullmatch if name == "quotation marks" else pattern.match
        own = sum(match(text.strip()) is not None for text in texts)
        theirs = sum(match(source.strip()) is not None for source in sources)
        if own >= MOST * len(texts) and theirs < 0.1 * len(sources):
            found.add(name)
    return frozenset(found)


class _Answer:
    """An answer that is cleaned step by step, and what was removed from it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.removed: list[str] = []

    def change(self, new: str, what: str) -> None:
        if new.strip() != self.text.strip():
            self.text = new.strip()
            self.removed.append(what)


def _unframed(text: str, source: str) -> tuple[str, list[str]]:
    """One answer without what is before the output and on other lines, and what was removed."""
    answer = _Answer(text)
    answer.change(_THOUGHTS.sub("", text), "thoughts")
    if "\n" in answer.text.strip():
        chosen = _of_lines(answer.text, source)
        joined = set(chosen.split()) == set(answer.text.split())
        answer.change(chosen, _JOINED if joined else "lines that are no output")
    if _ENTITY.search(answer.text) and not _ENTITY.search(source):
        answer.change(html.unescape(html.unescape(answer.text)), _ENTITIES)
    for pattern in (_ORIGINAL, _ARROW):
        pair = pattern.fullmatch(answer.text)
        if pair and not pattern.fullmatch(source) and _like(pair["old"], source) and _like(pair["new"], source):
            answer.change(pair["new"], "the source before the output")
    label = _LABEL.match(answer.text)
    if label and not _LABEL.match(source) and _closer(answer.text[label.end() :], answer.text, source):
        answer.change(answer.text[label.end() :], f"labels such as {quote(label[0].strip())}")
    return answer.text, answer.removed


def _undressed(text: str, source: str, habits: frozenset[str], framed: bool) -> tuple[str, list[str]]:
    """One answer without what is around the output in its line, and what was removed.

    Quotation marks are removed if that is a habit of the file, or if something else was removed around this answer
    (`framed` says whether that happened before).
    """
    answer = _Answer(text)
    if "bullets" in habits:
        answer.change(_BULLET.sub("", text, count=1), "bullets")
    for name, pattern in _WRAPPED.items():
        if (match := pattern.fullmatch(answer.text)) and not pattern.fullmatch(source):
            answer.change(match["inner"], name)
    after = _AFTER.search(answer.text)
    if after and not _AFTER.search(source) and _closer(answer.text[: after.start()], answer.text, source):
        answer.change(answer.text[: after.start()], _EXPLAINED)
    quoted = _QUOTED.fullmatch(answer.text)
    if quoted and not _QUOTED.fullmatch(source.strip()):
        inner = next(filter(None, quoted.groups()))
        if "quotation marks" in habits or (
            (framed or answer.removed) and _is_one_quotation(answer.text, inner, source)
        ):
            answer.change(inner, "quotation marks around them")
    if "*" not in source and "__" not in source and _EMPHASIS.search(answer.text):
        answer.change(_EMPHASIS.sub(r"\2", answer.text), "asterisks of Markdown")
    return answer.text, answer.removed


def _is_one_quotation(text: str, inner: str, source: str) -> bool:
    """Whether the first and the last mark of a text belong together, unlike those of "A" and "B"."""
    marks = re.escape(text[0] + text[-1])
    first = re.search(rf"(?<!\w)[{marks}]|[{marks}](?!\w)", inner)  # no apostrophes within words
    if first is None:
        return True
    before, after = inner[: first.start()][-1:].strip(), inner[first.end() :][:1].strip()
    if not before and not after:  # tokenised: nothing says whether it opens or closes
        return len(re.findall(f"[{marks}]", inner)) == len(re.findall(f"[{marks}]", source))
    return not before


def _of_lines(text: str, source: str) -> str:
    """The part of an answer of several lines that is the output."""
    lines = [line.strip() for line in text.split("\n") if line.strip() and not _FENCE.fullmatch(line)]
    labelled = [line for line in lines if (label := _LABEL.match(line)) and line[label.end() :]]
    if len(labelled) == 1:
        return labelled[0]
    known = words(source)
    best = max(lines, key=lambda line: suspicions.overlap(words(line), known), default="")
    kept = [line for line in lines if line == best or not (is_comment(line) or _LABEL.fullmatch(line))]
    near = [line for line in kept if suspicions.overlap(words(line), known) >= suspicions.AT_HOME]
    if len(near) == 1 and all(line in near or not _like(line, source) for line in kept):
        return near[0]
    return " ".join(kept)


def is_comment(line: str) -> bool:
    """Whether a line looks like something that a language model says about its outputs."""
    line = line.strip()
    return any(pattern.fullmatch(line) for pattern in (_PREAMBLE, _COMMENT, _FENCE)) or _refuses(line)


def _refuses(text: str) -> bool:
    """Whether a text, tokenised or not, begins like a refusal or like a remark on the sentence."""
    return bool(_REFUSAL.match(_SPLIT_WORD.sub("", text.strip())))


def _is_refusal(text: str, source: str) -> bool:
    return _refuses(text) and not _refuses(source) and not _like(text, source)


def _closer(part: str, whole: str, source: str) -> bool:
    """Whether a part of an answer is nearer to the source than all of it, and near enough."""
    known = words(source)
    near = suspicions.overlap(words(part), known)
    return near >= suspicions.FOREIGN and near > suspicions.overlap(words(whole), known)


def _like(text: str, source: str) -> bool:
    return suspicions.overlap(words(text), words(source)) >= suspicions.FOREIGN


def words(text: str) -> set[str]:
    """The words of a text, however it is tokenised; characters of scripts without spaces are words."""
    return set(_WORD.findall(text.lower()))
