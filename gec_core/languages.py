"""The language of a text: its name, a guess by script and common words, and how it is written.

A guess is worth a warning, never more: a corpus says its language in corpus.toml. Scripts decide most cases; among
languages of one script, letters or the commonest words do. A short text without any of these words has no guess.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import islice

ENGLISH = "en"
NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese",
    "ko": "Korean", "lv": "Latvian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sl": "Slovenian", "sv": "Swedish", "th": "Thai", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
UNSPACED = frozenset({"zh", "ja", "th"})
"""Languages that are written without spaces between words."""
_SCRIPTS = {
    "ARABIC": "ar", "CJK": "zh", "HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "HEBREW": "he", "GREEK": "el",
    "DEVANAGARI": "hi", "THAI": "th", "CYRILLIC": "ru", "LATIN": "",
}  # fmt: skip
"""Scripts by the first word of the names of their letters, with their best-known language."""
_WORDS = {
    "en": "the of and to in is that it for was on are with he be this have from they you i not she we a",
    "de": "der die und das ist nicht ich ein eine zu mit den von auf es sie er wir dass auch dem war habe haben",
    "fr": "le la les et est des une un que je pas dans pour il elle nous vous qui avec sur sont du ce au",
    "es": "el la los las y es que de en un una no por con para se su lo como pero muy está yo del",
    "it": "il la che di e è un una non per sono con ho si mi ma anche del della gli questo più ha",
    "ca": "el la els les i és que de en un una no per amb es ha però molt jo hi dels del meu seu aquest",
    "pt": "o a os as e é que de em um uma não por com para se mais mas eu foi do da no na",
    "nl": "de het een en van is dat niet ik in te op zijn met voor hij ze ook maar er aan was",
    "sv": "och att det som en är jag inte på för med av den har till ett om var han hon",
    "da": "og at det som en er jeg ikke på for med af den har til et om var han hun",
    "no": "og at det som en er jeg ikke på for med av den har til et om var han hun",
    "pl": "i w nie na się że z jest do to jak ale co po od tym dla są być był",
    "cs": "a v se na je že s to do i ale jako za by pro jsem jsou byl není tak",
    "fi": "ja on ei se että en hän oli ovat mutta kun minä niin kuin myös olen tämä ole",
    "tr": "ve bir bu da de için çok ne ben o ile gibi ama daha var değil olan sonra",
    "ro": "și în de la nu este că un o cu pe din care mai pentru sunt am au fi",
    "hu": "a az és nem hogy egy is van de ez ha csak már meg volt én mert vagy",
}
_COMMON = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_SAMPLE = 20_000
"""Characters that a guess reads at most."""
_LETTERS, _HITS = 4, 3
"""Letters of another script, and common words, that a guess needs at least."""
_DISTINCT = 3
"""How many different common words a guess needs at least, so that letters in place of words give none."""


def name(language: str) -> str:
    """The English name of a language, or its code if it is not a known one."""
    return NAMES.get(base(language), language)


def base(language: str) -> str:
    """The code without a region or script: `zh` of `zh-Hans`."""
    return re.split("[-_]", language.strip().lower())[0]


def guess(texts: Iterable[str]) -> str:
    """Guess the language of texts.

    >>> guess(["Ich habe das nicht gewusst , und er auch nicht ."]), guess(["他昨天去学校了，没有看见我"])
    ('de', 'zh')
    """
    text = " ".join(islice(texts, 2000))[:_SAMPLE].lower()
    if text.isascii():
        return _by_words(text)
    scripts = Counter(script(letter) for letter in text if letter.isalpha())
    scripts.pop("", None)
    if not scripts:
        return ""
    most, count = scripts.most_common(1)[0]
    if most == "LATIN":
        return _by_words(text)
    if count < _LETTERS or count < 0.5 * scripts.total():
        return ""
    if most == "CJK" and scripts["HIRAGANA"] + scripts["KATAKANA"] > 0.05 * scripts.total():
        return "ja"
    if most == "CYRILLIC":
        return _cyrillic(text)
    if most == "ARABIC" and any(letter in text for letter in "پچژگ"):
        return "ur" if any(letter in text for letter in "ٹڈڑے") else "fa"
    return _SCRIPTS[most]


def script(character: str) -> str:
    """The script of a letter, by its name in Unicode; empty for rare ones."""
    if character.isascii():
        return "LATIN"
    first = unicodedata.name(character, "").split(" ", 1)[0]
    return first if first in _SCRIPTS else ""


def _cyrillic(text: str) -> str:
    if any(letter in text for letter in "іїєґ"):
        return "uk"
    return "ru" if any(letter in text for letter in "ыэё") or "ъ" not in text else "bg"


def _by_words(text: str) -> str:
    words = re.findall(r"[^\W\d_]+", text)
    hits = Counter({language: sum(word in common for word in words) for language, common in _COMMON.items()})
    del hits[_other_than("es", "ca", words)]  # they share most of their common words
    (first, most), (_, second) = hits.most_common(2)
    if (
        most < max(_HITS, (0.15 if len(words) > 40 else 0.3) * len(words))
        or len(_COMMON[first].intersection(words)) < _DISTINCT
    ):
        return ""
    # Two languages that share their commonest words are told apart only by a clear lead.
    return first if first == ENGLISH or (most >= 1.2 * second and most >= 2 * hits[ENGLISH]) else ""


def _other_than(usual: str, rare: str, words: Iterable[str]) -> str:
    """Of two languages, the one with fewer common words in the text that the other lacks; the rare one if equal."""
    theirs, ours = _COMMON[rare] - _COMMON[usual], _COMMON[usual] - _COMMON[rare]
    return usual if sum((word in theirs) - (word in ours) for word in words) > 0 else rare


def misfit(language: str, texts: Iterable[str]) -> str:
    """Say that texts do not seem to be of that language; empty if they may be, or if there is no guess."""
    found = guess(texts)
    return "" if not found or not language or found == base(language) else found


def alone(character: str) -> bool:
    """Whether a character is a token of its own where a language without spaces is compared by characters."""
    return not character.isascii() and (
        script(character) in ("CJK", "HIRAGANA", "KATAKANA", "THAI") or "\u3000" <= character <= "\u303f"
    )


def characters_apart(text: str) -> str:
    """The text with a space around every character of a script without spaces; other words stay whole.

    >>> characters_apart("我有3本book。")
    '我 有 3 本 book 。'
    """
    pieces = []
    for character in text:
        if unicodedata.category(character).startswith("M"):
            pieces.append(character)
        elif alone(character) or (not character.isascii() and unicodedata.category(character).startswith("P")):
            pieces.append(f" {character}\0")
        else:
            pieces.append(character)
    # A combining mark stays with the character before it: the space comes after both.
    joined = re.sub(r"\0([\u0300-\u036f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]*)", r"\1 ", "".join(pieces))
    return " ".join(joined.split())


def unsegmented(texts: Iterable[str]) -> bool:
    """Whether texts of a language without spaces are written without them: their tokens are long."""
    tokens = [token for text in islice(texts, 400) for token in text.split() if any(map(alone, token))]
    return bool(tokens) and sum(map(len, tokens)) > 5 * len(tokens)
