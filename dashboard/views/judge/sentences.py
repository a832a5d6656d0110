"""Sentence by sentence: how the judges of a session ranked the outputs, beside metrics and other judges.

The page *Guess first* asks one visitor; this is the same for a class, after its members have judged.
"""

from __future__ import annotations

from html import escape

import pandas as pd
import streamlit as st

from dashboard import cache, session, url_state
from dashboard.components.controls import step_button
from dashboard.components.edits import change, marked
from dashboard.components.exports import csv_button
from dashboard.components.guess_board import Question, agreement_table, letters, ranking_table
from dashboard.components.messages import plain
from dashboard.views.judge.ranking import session_corpus
from gec_core.formatting import counted
from gec_core.human.ranking import from_scores
from gec_core.judging.database import JudgingDatabase
from gec_core.judging.results import PREFIX, SessionResults, edit_votes, judgments
from gec_core.judging.session import Session
from gec_core.meta.guess import GuessAgreement, Preference, agreement, by_judges, by_scores, wins
from gec_core.types import Array, Corpus, Judgments

HERE = "the judges here"
MOST_DISPUTED = 10
"""Pairs of outputs that are listed at most."""


def sentences_view(database: JudgingDatabase, owned: Session) -> None:
    """Draw one judged sentence, and the agreement of metrics with the judges over all of them."""
    if owned.plan.kind == "edits":
        st.info("Verdicts on edits rank no outputs. The results list every edit with its votes.")
        return
    judged = judgments(owned, database.answers(owned))
    sentences = sorted({item.sentence for item in judged.items if len(item.ranked) > 1})
    if not sentences:
        st.write("No two outputs were compared yet.")
        return
    key = url_state.sentence()
    asked = url_state.value(key)
    index = next((number for number in sentences if number >= asked), sentences[0])
    url_state.set_choice(key, index)
    at = sentences.index(index)
    with st.container(horizontal=True, vertical_alignment="center"):
        step_button("Previous", url_state.set_choice, key, sentences[at - 1], shortcut=False)
        st.markdown(f"Sentence {index + 1}", width="content")
        step_button("Next", url_state.set_choice, key, sentences[(at + 1) % len(sentences)], shortcut=False)
    question, systems = _question(owned, judged, index)
    st.html(f"<p class=lens-text><b>Source</b>&ensp;{marked(question.source, ())}</p>")
    for letter, text in question.outputs.items():
        edits = cache.output_edits(question.source, text)
        st.html(f"<p class=lens-text><b>{letter}</b>&ensp;{marked(question.source, edits)}</p>")
    everyone = _everyone(owned, judged, index, systems)
    ranking_table(question, _places(everyone.pop(HERE), question), everyone, HERE)
    votes = [item for item in judged.items if item.sentence == index]
    st.caption(f"Judged by {plain(', '.join(sorted({item.judge for item in votes})))}.")
    _over_all(owned, judged, sentences)


def _question(owned: Session, judged: Judgments, index: int) -> tuple[Question, dict[str, tuple[str, ...]]]:
    """The outputs of a sentence that were judged, by letter, and the systems behind each letter."""
    seen = {place.systems for item in judged.items if item.sentence == index for place in item.ranked}
    texts: dict[str, list[str]] = {}
    for place in sorted(seen):
        texts.setdefault(owned.texts.text(index, place), []).extend(place)
    outputs = letters(list(texts))
    systems = {letter: tuple(dict.fromkeys(texts[text])) for letter, text in outputs.items()}
    makers = {letter: ", ".join(names) for letter, names in systems.items()}
    return Question(f"{owned.id}-{index}", owned.texts.sources[index], outputs, makers, dict), systems


def _everyone(
    owned: Session, judged: Judgments, index: int, systems: dict[str, tuple[str, ...]]
) -> dict[str, Preference]:
    """The preferences of the judges here, of other judges of the corpus, and of the metrics that are scored."""
    found = {HERE: by_judges(judged, index, systems)}
    corpus = session_corpus(owned)
    if corpus is None:
        return found
    for id, each in corpus.judgment_sets.items():
        if id != f"{PREFIX}{owned.id}":
            found[each.title or f"judges of {corpus.name}"] = by_judges(each.judgments, index, systems)
    for name, arrays in _metric_scores(corpus).items():
        scores = {letter: float(arrays[names[0]][index]) for letter, names in systems.items()}
        found[name] = by_scores(scores)
    return found


def _metric_scores(corpus: Corpus) -> dict[str, dict[str, Array]]:
    table = cache.scores(corpus, session.metrics(), session.uploads().metrics_for(corpus)).table
    return {
        column.metric.title: cache.sentence_arrays(corpus, column.metric.signature, column)
        for column in table.columns
        if column.has_sentences(list(corpus.systems))
    }


def _places(preference: Preference, question: Question) -> dict[str, int]:
    standings = from_scores(wins(list(question.outputs), preference), HERE).standings
    return {one.system: one.rank for one in standings}


def _over_all(owned: Session, judged: Judgments, sentences: list[int]) -> None:
    """Draw how often each metric orders two outputs as the judges here do."""
    total: dict[str, GuessAgreement] = {}
    for index in sentences:
        question, systems = _question(owned, judged, index)
        everyone = _everyone(owned, judged, index, systems)
        mine = _places(everyone.pop(HERE), question)
        for name, preference in everyone.items():
            total[name] = total.get(name, GuessAgreement()) + agreement(mine, preference)
    if total:
        st.subheader(f"Agreement over {len(sentences)} sentences")
        agreement_table(total)
        st.caption(
            "Pairs are two outputs of a sentence that the judges here rank differently, by the majority of votes. Tau "
            "is (same − opposite) / (same + opposite)."
        )


def disputed_outputs(owned: Session, found: SessionResults) -> None:
    """Draw the pairs of outputs on which judges are opposed."""
    if not found.disputed:
        return
    st.subheader("Outputs that judges order differently")
    for item in found.disputed[:MOST_DISPUTED]:
        source = owned.texts.sources[item.sentence]
        rows = "".join(
            f"<tr><th scope=row>{counted(votes, 'vote')}</th><td class=wrap>"
            f"{marked(source, owned.texts.edits(item.sentence, place))}<br>"
            f"<small>{escape(', '.join(place))}</small></td></tr>"
            for place, votes in ((item.first, item.votes[0]), (item.second, item.votes[2]))
        )
        ties = f", {counted(item.votes[1], 'tie')}" if item.votes[1] else ""
        st.html(
            f"<p>Sentence {item.sentence + 1}{ties}</p><div class=lens-scroll>"
            f"<table class='lens-table lens-texts'><tbody>{rows}</tbody></table></div>"
        )


def judged_edits(owned: Session, found: SessionResults) -> None:
    """Draw every edit with its votes."""
    st.subheader("Edits")
    votes = edit_votes(owned, found.answers)
    rows = ""
    for vote in votes:
        words = owned.texts.sources[vote.sentence].split()[vote.start : vote.end]
        rows += (
            f"<tr><td>{vote.sentence + 1}</td><td class=wrap>{change(words, vote.correction)}</td>"
            f"<td class=wrap>{escape(', '.join(vote.systems))}</td><td>{vote.accepted}</td>"
            f"<td>{vote.rejected}</td></tr>"
        )
    st.html(
        "<div class='lens-scroll lens-tall'><table class=lens-table><thead><tr><th>Sentence</th><th>Edit</th>"
        f"<th>Systems</th><th>Accepted</th><th>Rejected</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
    frame = pd.DataFrame([vars(vote) | {"systems": " ".join(vote.systems)} for vote in votes])
    what = f"Edits of {owned.plan.corpus} with the votes of the judges of this session"
    csv_button(frame, "judged-edits", what, shows=(), of_choice=False)
