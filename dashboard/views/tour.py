"""The page *Tour*: eight steps through the demo corpus for someone who has never heard of these metrics.

It follows one sentence: the one on which M² disagrees most strongly with three or more unanimous judges. All numbers
are computed from the corpus.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape

import pandas as pd
import streamlit as st

from dashboard import cache, navigation, url_state
from dashboard.components.comparison import ChosenScores, HumanRanking, rank_rows, ranks
from dashboard.components.controls import step_button
from dashboard.components.disagreement import counterpart, side_scores
from dashboard.components.edits import judges, marked, source_and_references
from dashboard.components.explanation import explanation
from dashboard.components.exports import figure
from dashboard.components.messages import in_markdown, plain
from gec_core import charts
from gec_core.charts.paper import FIGURES
from gec_core.formatting import counted, minus
from gec_core.meta.disagreement import Disagreement
from gec_core.meta.findings import ContestedSystem, most_contested_system
from gec_core.types import Corpus

CORPUS = "demo"
METRICS = ("m2", "imeasure", "gleu")
RANKING = "ew"
JUDGES = 3
"""The number of unanimous judges that the disagreement should have."""


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
    """The corpus, its scores, and the disagreement that the tour ends on."""

    found: ChosenScores
    human: HumanRanking

    @property
    def corpus(self) -> Corpus:
        return self.found.corpus

    @cached_property
    def dispute(self) -> Disagreement:
        found = cache.disagreements(self.corpus, "m2", "judges", self.found.table.columns).top()
        return next((each for each in found if _unanimous(each)), found[0])

    @property
    def index(self) -> int:
        return self.dispute.sentence

    @property
    def rivals(self) -> tuple[str, str]:
        """The system whose output M² prefers, and the one whose output the judges prefer."""
        return self.dispute.first.better[0], self.dispute.second.better[0]

    def output(self, system: str) -> str:
        return self.corpus.systems[system][self.index]


def _unanimous(found: Disagreement) -> bool:
    ahead, _, count = found.second.votes or (0, 0, 0)
    return ahead == count >= JUDGES


def load_story() -> Story:
    """Return the story, from the scores of the demo corpus."""
    corpus = cache.load_corpus(CORPUS)
    scored = cache.scores(corpus, METRICS)
    ranking = cache.human_ranking(corpus, RANKING, ranges=True)
    human = HumanRanking(RANKING, cache.human_rankings(corpus)[RANKING], ranking, ranking.scores, ranking.scores)
    return Story(ChosenScores(corpus, scored.table, human, ()), human)


def _learner(story: Story) -> None:
    st.write(
        "A learner of English wrote this sentence, and a person, the *annotator*, corrected it: ~~deleted~~ words are "
        "struck through, inserted ones underlined. Doing this by computer is called grammatical error correction. The "
        "annotator's version is a *reference*. There may be several, because there is rarely a single right correction."
    )
    source_and_references(story.corpus, story.index)
    _link("sentence", "See everything about this sentence", sentence=str(story.index))


def _systems(story: Story) -> None:
    same: dict[str, list[str]] = {}
    for system in story.corpus.systems:
        same.setdefault(story.output(system), []).append(system)
    st.write(
        f"{len(story.corpus.systems)} systems corrected the sentence and gave {len(same)} different answers. Some "
        "change too little, some too much. Which answer is the best?"
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
        "The most direct way to find out is to ask people. *Judges* see some of the answers, without the names of the "
        "systems, and rank them: **\\>** means better than, **=** as good as. (The judges of this corpus are invented.)"
    )
    judges(story.corpus, story.index)
    st.write("On this sentence " + _votes(story))
    _link("agreement", "See how well metrics agree with judges")


def _votes(story: Story) -> str:
    other, preferred = (plain(system) for system in story.rivals)
    ahead, _, count = story.dispute.second.votes or (0, 0, 0)
    if count == 1:
        return f"the only judgment that compares {preferred} and {other} prefers {preferred}."
    many = f"all {count}" if ahead == count else f"{ahead} of the {count}"
    return f"{many} judgments that compare {preferred} and {other} prefer {preferred}."


def _ranking(story: Story) -> None:
    standings = story.human.ranking.standings
    st.write(
        "Many judgments together rank the systems. Judges compared "
        f"{len(cache.judged_pairs(story.corpus, 'expanded')):,} pairs of answers. {plain(story.human.title)} is the "
        f"probability that a system beats another one: {plain(standings[0].system)} is the best, "
        f"{plain(standings[-1].system)} the worst. The bars show the ranks that other sentences might have given."
    )
    rows = rank_rows(story.human.ranking, story.corpus.systems)
    data = pd.DataFrame(rows, columns=["system", "rank", "lowest", "highest"])
    ranked = f"The ranks by {story.human.title} on {CORPUS}"
    what = f"{ranked}, and those that other sentences might have given (95%)"
    figure(charts.intervals(rows, x="rank"), "tour-ranking", what, data, shows=(), of_choice=False)
    _link("rankings", "See all rankings")


def _metric(story: Story) -> None:
    first, _ = story.rivals
    metric = story.found.metrics["M²"]
    output = story.output(first)
    told = cache.quick_explanation(story.corpus, metric.signature, metric, story.index, output).explanation
    st.write(
        "People are slow and expensive, so there are *metrics*: programs that compare an answer with references. The "
        f"best known one, M², counts edits. This is how it scores the answer of {plain(first)}: *precision* is the "
        "share of its edits that the annotator also made, *recall* the share of the annotator's edits that it made. "
        f"Their combination, *F*, is {told.score:.3f}."
    )
    explanation(told)
    _link("metrics", "See what each metric does")


def _others(story: Story) -> None:
    first, second = story.rivals
    st.write(
        "Other metrics count other things: the I-measure counts words that got better or worse, GLEU counts sequences "
        f"of words that the references contain. These are the scores of the answers of {plain(first)} and "
        f"{plain(second)}, with the better one in bold."
    )
    body = ""
    for column in story.found.table.columns:
        values = [float(column.sentence_scores(system)[story.index]) for system in (first, second)]
        texts = [minus(f"{value:.2f}" if column.metric.percent else f"{value:.3f}") for value in values]
        cells = "".join(
            f"<td>{f'<b>{text}</b>' if value == max(values) != min(values) else text}</td>"
            for text, value in zip(texts, values, strict=True)
        )
        body += f"<tr><th scope=row>{escape(column.metric.title)}</th>{cells}</tr>"
    st.html(
        f"<div class=lens-scroll><table class=lens-table><thead><tr><th scope=col>metric</th><th scope=col>"
        f"{escape(first)}</th><th scope=col>{escape(second)}</th></tr></thead><tbody>{body}</tbody></table></div>"
    )
    _link("playground", "Try sentences of your own")


def _crossing(story: Story) -> None:
    values = story.found.values
    contested = most_contested_system(values, story.human.scores)
    st.write(
        "Over the whole corpus, each metric ranks the systems as well. If all of them agreed, no lines would cross. "
        f"{_contested(contested)}"
    )
    placed = ranks({story.human.title: story.human.scores} | values)
    figure(
        charts.bump_chart(placed, contested.difference.system if contested else None),
        "tour-bump-chart",
        f"{FIGURES['ranking']} on {CORPUS}",
        pd.DataFrame(placed).rename_axis("system"),
        index=True,
        shows=list(story.found.metrics.values()),
        of_choice=False,
    )
    _link("rankings", "See the rankings as a table")
    if contested:
        side, system = story.found.metrics[contested.metric].id, contested.difference.system
        other, beside = counterpart(side_scores(story.found), side, system)
        _link("why", f"See why {plain(system)} moves", first=system, second=other, sides=[side, beside])


def _contested(contested: ContestedSystem | None) -> str:
    if contested is None:
        return "Here, none do."
    raised, system = contested.difference.raised, plain(contested.difference.system)
    places = counted(abs(raised), "place")
    way = "higher" if raised > 0 else "lower"
    return f"Here, they do: {plain(contested.metric)} ranks {system} {places} {way} than people do."


def _dispute(story: Story) -> None:
    first, second = story.rivals
    st.write(
        f"Back to the sentence. M² prefers the answer of {plain(first)}, the judges that of {plain(second)}. This is "
        "why, edit by edit:"
    )
    metrics = {"M²": story.found.metrics["M²"]}
    groups = story.dispute.first.better, story.dispute.second.better
    for line in cache.in_words(story.corpus, story.index, metrics, *groups).sentences:
        st.markdown(f"- {in_markdown(line)}")
    st.write("This is what GEC Lens is for: finding such cases, and seeing which edits explain them.")
    _link("sentence", "Compare the two answers", sentence=str(story.index), system=first, against=second)
    _link("disagreements", "See all disagreements of M² and the judges", a="m2", b="judges")


def _link(page: str, label: str, **query: str | list[str]) -> None:
    st.page_link(
        navigation.page(page),
        label=label,
        icon=":material/arrow_forward:",
        query_params={"corpus": CORPUS, **query},
    )


STEPS: dict[str, Callable[[Story], None]] = {
    "A sentence to correct": _learner,
    "Systems correct it": _systems,
    "People judge the answers": _people,
    "People rank systems": _ranking,
    "A metric counts edits": _metric,
    "Other metrics count differently": _others,
    "The rankings cross": _crossing,
    "A disagreement explained": _dispute,
}
