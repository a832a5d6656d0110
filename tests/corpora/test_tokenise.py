"""Tokenisation like the source, and the characters of a corpus."""

import re

import pytest
from conftest import CONLL14, needs_conll14

from gec_core.corpora.characters import Characters
from gec_core.corpora.tokenise import TREEBANK, Convention, like_source, tokenise
from gec_core.models.causal_lm import detokenise

CASES = [
    ("He doesn't know it.", "He do n't know it .", "He does n't know it ."),
    ('He said "yes", etc.', 'He said " yes " , etc .', 'He said " yes " , etc .'),
    ("I live in the U.S. (or so).", "I live in US ( or so ) .", "I live in the U.S. ( or so ) ."),
    ("It costs $5,000, i.e. 20%.", "It cost $ 5,000 , i.e. 20 % .", "It costs $ 5,000 , i.e. 20 % ."),
    ("In decades, medical care grew.", "In decades,medical care grow .", "In decades , medical care grew ."),
    ("anyone knows", "any one know", "anyone knows"),
    ("He saw <unk>.", "He see <unk> .", "He saw <unk> ."),
    ("Wait... what?!", "Wait ... what ? !", "Wait ... what ? !"),
    ("He said 'a' here.", "He say ' a ' here .", "He said ' a ' here ."),
    ("Such was Davis's fame.", "Such was Davis ' fame .", "Such was Davis 's fame ."),
    ("It was 'normal 'for us.", "It was 'normal ' to us .", "It was 'normal ' for us ."),
    ("They can't swim.", "They can not swims .", "They ca n't swim ."),
    ("They can’t swim.", "They can swims .", "They ca n’t swim ."),
    ("They can't swim.", "They can 't swims .", "They can 't swim ."),
    ("They can't swim.", "They can't swims .", "They can't swim ."),
    ("Airfield..", "Airfield museum .", "Airfield . ."),
    ("", "He go .", ""),
    ("In the early '90s.", "In the early 90s .", "In the early '90s ."),
    ("The Bottle's's crew.", "The Bottle Ship 's crew .", "The Bottle 's 's crew ."),
    ("He was'normal 'then.", "He is 'normal ' then .", "He was 'normal ' then ."),
]


@pytest.mark.parametrize(("raw", "source", "tokens"), CASES)
def test_an_output_is_split_as_its_source_is(raw: str, source: str, tokens: str) -> None:
    assert like_source(raw, source, TREEBANK) == tokens


RUNS = Convention.of(["What ?! Wait .. He went ..", "So !!"])


@pytest.mark.parametrize(
    ("raw", "source", "tokens"),
    [
        ("I saw a thing..", "I see a thing .", "I saw a thing . ."),
        ("Tokyo <unk>..", "Tokyo MusicBird transmissions .", "Tokyo <unk> . ."),
        ("It is unknown..", "It be unknown ..", "It is unknown .."),
        ("He left?!", "He leave ?!", "He left ?!"),
    ],
)
def test_runs_of_marks_follow_the_corpus_and_the_source(raw: str, source: str, tokens: str) -> None:
    assert like_source(raw, source, RUNS) == tokens


def test_tokenised_text_stays_as_it_is() -> None:
    source = "He do n't know the well-known ' facts ' ."
    assert like_source(source, source, Convention.of([source])) == source


def test_the_convention_of_the_corpus_decides() -> None:
    apart = Convention.of(["He is n't here and / or there . I ca n't ."])
    joined = Convention.of(["He isn't here and/or there . I can't ."])
    assert like_source("She won't go and/or come.", "", apart) == "She wo n't go and / or come ."
    assert like_source("She won't go and/or come.", "", joined) == "She won't go and/or come ."


FRENCH = ["Je n' ai pas vu l' école .", "Il m' a dit que il vient .", "C' est le eau .", "Quand aujourd'hui ?"]
ITALIAN = ["Non c' è nessuno in la aula .", "Ho visto l' amico e un' altra .", "Un po' di acqua ."]
CATALAN = ["La aigua no és molt freda per el noi .", "Vaig a la escola amb els nens però no hi ha ningú ."]
UKRAINIAN = ["Моя сім'я живуть у Києві .", "Він купив м'яч ."]
ARABIC = ["كان الجو بارد ، فبقينا ."]
GERMAN = ["Wie geht's dein Vater und die Mutter , das ist nicht klar .", "Wir kaufen z.B. Obst ."]


@pytest.mark.parametrize(
    ("sources", "outputs"),
    [
        (
            FRENCH,
            ["Je n' ai pas vu d' école .", "Il m' a dit qu' il vient .", "C' est l' eau .", "Lorsqu' aujourd'hui ?"],
        ),
        (ITALIAN, ["Non c' è nessuno nell' aula .", "Ho visto l' amica e un' altra .", "Un po' d' acqua ."]),
        (CATALAN, ["L' aigua no és molt freda per al noi .", "Vaig a l' escola amb els nens però no hi ha ningú ."]),
        (UKRAINIAN, ["Моя сім'я живе у Києві .", "Він купив п'ять м'ячів ."]),
        (ARABIC, ["كان الجو باردا ، فبقينا ."]),
        (GERMAN, ["Wie geht's und gibt's Vater und die Mutter , das ist nicht klar .", "Wir kaufen z.B. Obst ."]),
    ],
)
def test_elisions_and_apostrophes_of_other_languages(sources: list[str], outputs: list[str]) -> None:
    """Tokenised outputs are left as they are, and raw ones get their tokens back, with either apostrophe."""
    assert tokenise(outputs, "like-source", sources).changed == ()
    raw = [re.sub(r" (?=[.,?،])|(?<=\w') (?!di)", "", output) for output in outputs]
    for apostrophe in "'’ʼ":
        written = [text.replace("'", apostrophe) for text in raw]
        assert list(tokenise(written, "like-source", sources).lines) == outputs


def test_elisions_stay_joined_where_the_corpus_joins_them() -> None:
    joined = [line.replace("' ", "'") for line in FRENCH]
    assert tokenise(["Je n'ai pas vu d'école ."], "like-source", joined[:1]).changed == ()


def test_typographic_characters_become_those_of_the_corpus() -> None:
    result = tokenise(["“It’s\u00a0fine”—he said…"], "like-source", ['" It \'s fine " he say ...'])
    assert result.lines == ('" It \'s fine " - he said ...',)
    assert result.characters == {
        "quotation mark": 2, "apostrophe": 1, "dash": 1, "ellipsis": 1, "non-breaking or special space": 1
    }  # fmt: skip


def test_characters_that_a_corpus_uses_stay() -> None:
    assert Characters.of(["“ a ” – b"]).written("“c” – 'd'")[0] == "“c” – 'd'"


@needs_conll14
def test_detokenised_outputs_of_conll14_get_their_tokens_back() -> None:
    folder = CONLL14
    sources = [" ".join(line.split()) for line in (folder / "source.txt").read_text().split("\n")[:1312]]
    convention = Convention.of(sources)
    total = same = 0
    for system in ("CAMB", "AMU", "POST"):
        lines = (folder / "systems" / f"{system}.txt").read_bytes().decode().split("\n")[:1312]
        for source, line in list(zip(sources, lines, strict=True))[::8]:
            tokens = " ".join(line.split())
            total += 1
            same += like_source(detokenise(tokens), source, convention) == tokens
    assert same >= 0.99 * total
