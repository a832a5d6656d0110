"""The guided tour: eight steps through the demo corpus, for someone who has never heard of these metrics.

It follows one sentence: the one on which M² disagrees most strongly with three or more judges of one mind.
Every figure is computed from the corpus as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape

import pandas as pd
import streamlit as st

from dashboard import cache, charts, navigation, url_state
from dashboard.components.comparison import Comparison, Human, rank_rows, ranks
from dashboard.components.controls import step_button
from dashboard.components.edits import marked
from dashboard.components.explanation import explanation
from dashboard.components.exports import figure
from dashboard.components.messages import in_markdown, plain
from dashboard.components.sentences import judges, source_and_references
from gec_core.formatting import minus
from gec_core.meta.disagreement import Disagreement
from gec_core.meta.findings import ContestedSystem, most_contested_system
from gec_core.types import Corpus

CORPUS = "demo"
METRICS = ("m2", "imeasure", "gleu")
RANKING = "ew"
JUDGES = 3
"""So many must be of one mind about a disagreement to be told of, if there is one such."""


def show() -> None:
    """Draw the page."""
    st.title("Tour")
    titles = list(STEPS)
    key = url_state.number("step", len(titles), first=1)
    at = url_state.value(key)
    with st.container(horizontal=True, vertical_alignment="center"):
        step_button("Previous", url_state.set_choice, key, at - 1, enabled=at > 1)
        st.markdown(f"Step {at} of {len(titles)}", width="content")
        step_button("Next", url_state.set_choice, key, at + 1, enabled=at < len(titles))
    st.header(titles[at - 1], anchor=False)
    STEPS[titles[at - 1]](load_story())


@dataclass(frozen=True)
class Story:
    """What the tour tells: the corpus, its scores, and the disagreement it ends on."""

    found: Comparison
    human: Human

    @property
    def corpus(self) -> Corpus:
        return self.found.corpus

    @cached_property
    def dispute(self) -> Disagreement:
        found = cache.disagreements(self.corpus, "m2", "judges", self.found.table.columns).top()
        return next((each for each in found if _of_one_mind(each)), found[0])

    @property
    def index(self) -> int:
        return self.dispute.sentence

    @property
    def rivals(self) -> tuple[str, str]:
        """The system whose output M² prefers, and the one whose output the judges prefer."""
        return self.dispute.first.better[0], self.dispute.second.better[0]

    def output(self, system: str) -> str:
        return self.corpus.systems[system][self.index]


def _of_one_mind(found: Disagreement) -> bool:
    ahead, _, count = found.second.votes or (0, 0, 0)
    return ahead == count >= JUDGES


def load_story() -> Story:
    corpus = cache.load_corpus(CORPUS)
    scored = cache.scores(corpus, METRICS)
    ranking = cache.human_ranking(corpus, RANKING, ranges=True)
    human = Human(RANKING, cache.human_rankings(corpus)[RANKING], ranking, ranking.scores, ranking.scores)
    return Story(Comparison(corpus, scored.table, human, ()), human)


def _learner(story: Story) -> None:
    st.write(
        "Someone who learns English wrote this sentence, and a person, the *annotator*, corrected it: ~~deleted~~ "
        "words are struck through, inserted ones underlined. Doing that by computer is called grammatical error "
        "correction. An annotator's version is a *reference*; there may be several, for there is rarely one right way."
    )
    source_and_references(story.corpus, story.index)
    _link("sentence", "This sentence, with everything about it", sentence=str(story.index))


def _systems(story: Story) -> None:
    same: dict[str, list[str]] = {}
    for system in story.corpus.systems:
        same.setdefault(story.output(system), []).append(system)
    st.write(
        f"{len(story.corpus.systems)} systems corrected it, and gave {len(same)} different answers. "
        "Some do too little, some too much. Which answer is the best?"
    )
    source = story.corpus.sentences[story.index].source
    rows = "".join(
        f"<tr><th scope=row class=wrap>{escape(', '.join(systems))}</th>"
        f"<td class=wrap>{marked(source, cache.output_edits(source, output))}</td></tr>"
        for output, systems in same.items()
    )
    st.html(f"<div class=lens-scroll><table class='lens-table lens-outputs'><tbody>{rows}</tbody></table></div>")
    _link("guess", "Rank them yourself first", sentence=str(story.index))


def _people(story: Story) -> None:
    st.write(
        "The plainest way to find out is to ask people. Judges see some of the answers, without names, and put them "
        "in order: **\\>** means better than, **=** as good as. (The judges of this corpus are made up, too.)"
    )
    judges(story.found, story.index)
    st.write("On this sentence " + _votes(story))
    _link("agreement", "How far judges agree, with each other and with metrics")


def _votes(story: Story) -> str:
    other, preferred = (plain(system) for system in story.rivals)
    ahead, _, count = story.dispute.second.votes or (0, 0, 0)
    if count == 1:
        return f"the one judgment of {preferred} and {other} prefers {preferred}."
    return f"{ahead} of the {count} judgments of {preferred} and {other} prefer {preferred}."


def _ranking(story: Story) -> None:
    standings = story.human.ranking.standings
    st.write(
        f"Many judgments together rank the systems: {len(cache.judged_pairs(story.corpus, 'expanded')):,} pairs of "
        f"answers were compared. By {plain(story.human.title)}, how probably a system beats a random other one, "
        f"{plain(standings[0].system)} is the best and {plain(standings[-1].system)} the worst. The bars show which "
        "ranks other sentences might have given."
    )
    rows = rank_rows(story.human.ranking, story.corpus.systems)
    data = pd.DataFrame(rows, columns=["system", "rank", "lowest", "highest"])
    figure(charts.intervals(rows, x="rank"), "tour-ranking", data)
    _link("rankings", "All rankings")


def _metric(story: Story) -> None:
    first, _ = story.rivals
    metric = story.found.metrics["M²"]
    told = cache.quick_worth(story.corpus, metric.signature, metric, story.index, story.output(first)).explanation
    st.write(
        "People are slow and expensive, so there are *metrics*: programs that compare an answer with references. The "
        f"best known, M², counts edits. Here is how it sees the answer of {plain(first)}: precision is the share of "
        "its edits that the annotator made, too; recall the share of the annotator's edits that it made. F, from both, "
        f"is {told.score:.3f}."
    )
    explanation(told)
    _link("metrics", "What each metric does")


def _others(story: Story) -> None:
    first, second = story.rivals
    st.write(
        "Other metrics count other things: the I-measure words that got better or worse, GLEU runs of words that "
        f"the references have. Here are the answers of {plain(first)} and {plain(second)} under each; the "
        "better one is in bold."
    )
    body = ""
    for column in story.found.table.columns:
        values = [float(column.sentence_scores(system)[story.index]) for system in (first, second)]
        texts = [minus(f"{value:.2f}" if column.metric.percent else f"{value:.3f}") for value in values]
        cells = "".join(
            f"<td>{f'<b>{text}</b>' if value == max(values) != min(values) else text}</td>"
            for text, value in zip(texts, values, strict=True)
        )
        body += f"<tr><th scope=row>{escape(column.metric.name)}</th>{cells}</tr>"
    st.html(
        f"<div class=lens-scroll><table class=lens-table><thead><tr><th scope=col>metric</th><th scope=col>"
        f"{escape(first)}</th><th scope=col>{escape(second)}</th></tr></thead><tbody>{body}</tbody></table></div>"
    )
    _link("playground", "Try out sentences of your own")


def _crossing(story: Story) -> None:
    values = story.found.values
    contested = most_contested_system(values, story.human.scores)
    st.write(
        "Over the whole corpus each metric ranks the systems, too. If all were of one mind, these lines would not "
        f"cross. {_contested(contested)}"
    )
    placed = ranks({story.human.title: story.human.scores} | values)
    figure(
        charts.bump_chart(placed, contested.difference.system if contested else None),
        "tour-bump-chart",
        pd.DataFrame(placed).rename_axis("system"),
        index=True,
    )
    _link("rankings", "The rankings as a table")


def _contested(contested: ContestedSystem | None) -> str:
    if contested is None:
        return "They do not."
    raised, system = contested.difference.raised, plain(contested.difference.system)
    places = f"{abs(raised)} place{'s' if abs(raised) > 1 else ''}"
    way = "higher" if raised > 0 else "lower"
    return f"They do: {plain(contested.metric)} puts {system} {places} {way} than people do."


def _dispute(story: Story) -> None:
    first, second = story.rivals
    st.write(
        f"Back to the sentence. M² prefers {plain(first)}; the judges prefer {plain(second)}. Edit by edit, this is "
        "why:"
    )
    metrics = {"M²": story.found.metrics["M²"]}
    groups = story.dispute.first.better, story.dispute.second.better
    for line in cache.in_words(story.corpus, story.index, metrics, *groups).sentences:
        st.markdown(f"- {in_markdown(line)}")
    st.write("That is what this dashboard is for: to find such cases, and to see who paid for what.")
    _link("sentence", "The two answers side by side", sentence=str(story.index), system=first, against=second)
    _link("disagreements", "All disagreements of M² and the judges", a="m2", b="judges")


def _link(page: str, label: str, **query: str) -> None:
    st.page_link(
        navigation.page(page),
        label=label,
        icon=":material/arrow_forward:",
        query_params={"corpus": CORPUS} | query,
    )


STEPS: dict[str, Callable[[Story], None]] = {
    "A sentence to correct": _learner,
    "What systems make of it": _systems,
    "What people think": _people,
    "People rank systems": _ranking,
    "Counting edits": _metric,
    "Counting otherwise": _others,
    "The rankings cross": _crossing,
    "A real disagreement": _dispute,
}
