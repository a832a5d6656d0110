"""The guessing game: rank the outputs of a sentence, then see how metrics and judges rank them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from dashboard import cache, session
from dashboard.components.comparison import ChosenScores
from dashboard.components.edits import marked
from gec_core.formatting import minus
from gec_core.human.ranking import from_scores
from gec_core.meta.guess import GuessAgreement, Preference, agreement, by_judges, by_scores, judged_outputs, wins
from gec_core.metrics.base import Metric
from gec_core.types import Corpus, Judgment, Ranked

_SHOWN, _TALLY = "guess-shown", "guess-tally"
GUESSES = "guesses"
"""What the visitor guessed: rankings by the key of the question."""
JUDGES = "the judges"


@dataclass(frozen=True)
class Question:
    """Outputs to be ranked, by letter, and the rankings that are hidden until the guess is made."""

    key: str
    source: str
    outputs: Mapping[str, str]
    makers: Mapping[str, str]
    """The systems of each output, revealed with the rankings."""
    scores: Callable[[], Mapping[str, Mapping[str, float]]]
    """By metric and letter; called after the guess."""
    judges: Preference | None = None
    sentence: int = -1
    """The number of the sentence in the corpus; -1 for typed text."""


def corpus_question(found: ChosenScores, index: int) -> Question:
    """Ask about the judged outputs of a sentence."""
    corpus = found.corpus
    sharing = judged_outputs(corpus, index)
    outputs = letters(list(sharing))
    systems = {letter: sharing[text] for letter, text in outputs.items()}

    def scores() -> dict[str, dict[str, float]]:
        arrays = {
            column.metric.title: cache.sentence_arrays(corpus, column.metric.signature, column)
            for column in found.table.columns
        }
        return {
            name: {letter: float(array[systems[letter][0]][index]) for letter in outputs}
            for name, array in arrays.items()
        }

    return Question(
        f"{corpus.fingerprint}-{index}",
        corpus.sentences[index].source,
        outputs,
        {letter: ", ".join(names) for letter, names in systems.items()},
        scores,
        by_judges(corpus.judgments, index, systems) if corpus.judgments else None,
        index,
    )


def typed_question(corpus: Corpus, metrics: Mapping[str, Metric]) -> Question:
    """Ask about the outputs of typed text, scored by the metrics that need no model."""
    quick = [metric for metric in metrics.values() if cache.quick(metric)]
    sharing: dict[str, list[str]] = {}
    for system, (text,) in corpus.systems.items():
        sharing.setdefault(text, []).append(system)
    outputs = letters(list(sharing))

    def scores() -> dict[str, dict[str, float]]:
        table = cache.typed_scores(corpus, tuple(metric.signature for metric in quick), quick)
        return {
            column.metric.title: {
                letter: float(column.sentence_scores(sharing[text][0])[0]) for letter, text in outputs.items()
            }
            for column in table.columns
        }

    makers = {letter: ", ".join(sharing[text]) for letter, text in outputs.items()}
    return Question(f"typed-{corpus.fingerprint}", corpus.sentences[0].source, outputs, makers, scores)


def letters(outputs: Sequence[str]) -> dict[str, str]:
    """Name the outputs by letters, in an order that reveals nothing."""
    return {chr(ord("A") + number): text for number, text in enumerate(sorted(outputs, key=lambda text: text[::-1]))}


def guess_board(question: Question) -> None:
    """Draw the outputs with a place to choose for each, and after the guess the agreement with it."""
    guess = _places(question)
    shown = question.key in session.kept(_SHOWN, frozenset[str]())
    complete = len(guess) == len(question.outputs)
    left, right = st.columns([1, 3], vertical_alignment="center")
    left.button(
        "Reveal",
        type="primary",
        disabled=not complete or shown,
        on_click=_reveal,
        args=(question.key,),
        width="stretch",
    )
    if not complete:
        right.caption("Give each output a place, 1 for the best. Two outputs may share a place. Then press Reveal.")
        return
    if not shown:
        return
    everyone = {name: by_scores(scores) for name, scores in question.scores().items()}
    if question.judges:
        everyone = {JUDGES: question.judges, **everyone}
    ranking_table(question, guess, everyone, "you")
    found = {name: agreement(guess, preference) for name, preference in everyone.items()}
    tally = session.kept(_TALLY, {}) | {question.key: found}
    session.keep(_TALLY, tally)
    session.keep(GUESSES, session.kept(GUESSES, {}) | {question.key: _as_judgment(question, guess)})
    st.subheader("Agreement with your ranking")
    agreement_table(found)
    if len(tally) > 1:
        st.subheader(f"Agreement over {len(tally)} sentences")
        agreement_table(_summed(tally))
        st.button("Start over", on_click=_forget)
    st.caption(
        "Pairs are two outputs to which you gave different places. Same order: ranked as you did; opposite: the other "
        "way round; tied: no preference, for the judges as many votes for one output as for the other. "
        "Tau is (same − opposite) / (same + opposite), from 1 (always as you did) to −1 (never)."
    )


def _places(question: Question) -> dict[str, int]:
    """The places that the visitor has given so far."""
    guess = {}
    for letter, output in question.outputs.items():
        with st.container(border=True):
            left, right = st.columns([5, 2], vertical_alignment="center")
            edits = cache.output_edits(question.source, output)
            text = marked(question.source, edits) if edits else f"{escape(output)} <i>(unchanged)</i>"
            left.html(f"<p class=lens-text><b>{letter}</b>&ensp;{text}</p>")
            place = right.segmented_control(
                f"Place of {letter}",
                range(1, len(question.outputs) + 1),
                key=f"guess-{question.key}-{letter}",
                help="1 is the best.",
            )
        if place is not None:
            guess[letter] = int(place)
    return guess


def _as_judgment(question: Question, guess: Mapping[str, int]) -> Judgment:
    places = (Ranked(tuple(question.makers[letter].split(", ")), rank) for letter, rank in guess.items())
    return Judgment(question.sentence, "you", tuple(places))


def _reveal(key: str) -> None:
    session.keep(_SHOWN, session.kept(_SHOWN, frozenset[str]()) | {key})


def _forget() -> None:
    session.keep(_TALLY, {})
    session.keep(GUESSES, {})
    session.keep(_SHOWN, frozenset[str]())


def ranking_table(question: Question, guess: Mapping[str, int], everyone: Mapping[str, Preference], whose: str) -> None:
    """Draw one row per output and one column per ranking; `whose` names the ranking given by `guess`."""
    places = {
        name: {each.system: each.rank for each in from_scores(wins(list(guess), preference), name).standings}
        for name, preference in everyone.items()
    }
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in (whose, *places))
    body = ""
    for letter in sorted(guess, key=lambda letter: (guess[letter], letter)):
        cells = "".join(f"<td>{rank[letter]}</td>" for rank in (guess, *places.values()))
        body += f"<tr><th scope=row class=wrap>{letter} · {escape(question.makers[letter])}</th>{cells}</tr>"
    st.html(
        f"<div class=lens-scroll><table class=lens-table><thead><tr><th scope=col>output</th>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )
    if question.judges:
        st.caption(
            "The judges' places: an output gains a point for every output that most judges rank below it, and loses "
            "one for every output that most rank above it. The output with the most points takes place 1."
        )


def agreement_table(found: Mapping[str, GuessAgreement]) -> None:
    """Draw how many pairs each ranking orders in the same way, in the opposite way, or not at all."""
    body = ""
    for name, each in sorted(found.items(), key=lambda item: (2.0 if item[1].tau is None else -item[1].tau, item[0])):
        tau = "–" if each.tau is None else minus(f"{each.tau:+.2f}")
        body += (
            f"<tr><th scope=row>{escape(name)}</th><td>{each.alike}</td><td>{each.opposed}</td>"
            f"<td>{each.tied}</td><td>{tau}</td></tr>"
        )
    st.html(
        "<div class=lens-scroll><table class=lens-table><thead><tr><th scope=col>ranking</th><th scope=col>same "
        "order</th><th scope=col>opposite</th><th scope=col>tied</th><th scope=col>tau</th></tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _summed(tally: Mapping[str, Mapping[str, GuessAgreement]]) -> dict[str, GuessAgreement]:
    total: dict[str, GuessAgreement] = {}
    for found in tally.values():
        for name, each in found.items():
            total[name] = total.get(name, GuessAgreement()) + each
    return total
