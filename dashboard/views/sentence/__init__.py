"""The page *Sentence*: a verdict, then one grid of texts, classes and every metric's numbers under the words."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import cache, session, url_state
from dashboard.components.comparison import ChosenScores, comparison
from dashboard.components.edits import judges, source_and_references
from dashboard.components.explanation import explanations
from dashboard.components.exports import csv_button, table
from dashboard.components.grid import grid_html, legend_html
from dashboard.components.messages import end_page, in_html, in_markdown, plain, without_texts
from dashboard.components.progress import Offer, answers, work_lines
from dashboard.views.sentence.stops import Stop, groups, outputs_table, remember, step_bar
from gec_core.explain.arrange import ExplainedMetric, sentence_grid
from gec_core.explain.credit import OutputExplanation, edits_read_by
from gec_core.explain.grid import SentenceGrid
from gec_core.explain.verdict import Statement, verdict_on_one, verdict_on_two
from gec_core.formatting import joined
from gec_core.metrics.base import Metric

NONE = "–"
"""The option that compares with no output, or shades by no metric."""
OUTPUT_WIDTH = 220
"""Pixels of a list of outputs; two of them fit beside the other controls."""
MOST_SYSTEMS = 8
"""Systems with the same output that are named."""
LOADING = 0.02
"""The pace by which quick metrics that have to load something are sorted: after encoders, before language models."""
PATIENCE = 0.7
"""Seconds that the page waits for models before it is drawn without their numbers."""


@dataclass(frozen=True)
class ChosenOutputs:
    """The outputs of a sentence that are shown: one, or two side by side."""

    found: ChosenScores
    index: int
    outputs: Mapping[str, str]
    """By one of the systems that share the output: the chosen one, or else the first."""
    sharing: Mapping[str, list[str]]
    """All systems of each output."""
    twin: str = ""
    """The system to compare with, where it has the same output as the first, so that one output is shown."""

    @property
    def source(self) -> str:
        """The sentence before correction."""
        return self.found.corpus.sentences[self.index].source

    @cached_property
    def found_by(self) -> dict[str, tuple[OutputExplanation | None, ...]]:
        """The explanations of the outputs by metric; None where a model has not answered."""
        corpus, texts = self.found.corpus, self.outputs.values()
        return {
            name: tuple(cache.explain_output(corpus, metric, self.index, text) for text in texts)
            for name, metric in self.found.metrics.items()
            if cache.quick(metric) or cache.needs_model(metric)
        }

    @property
    def explained(self) -> dict[str, list[OutputExplanation]]:
        """The explanations by the metrics that know all outputs."""
        return {name: [each for each in found if each] for name, found in self.found_by.items() if all(found)}


def show() -> None:
    """Draw the page."""
    st.title("Sentence")
    found = comparison()
    if not found.corpus.has_texts:
        st.info(without_texts(found.corpus))
        end_page()
    way = step_bar(found)
    chosen = _choose_outputs(found, way.index, way.bar)
    waiting = _ask_models(chosen)
    grid = _grid(chosen)
    if said := _verdict(chosen, way.sides):
        st.html(f"<div class=lens-verdict-box>{''.join(map(_statement, said))}</div>")
    st.html(grid_html(grid) + legend_html(grid))
    _follow_models(waiting)
    _more(chosen, grid)
    _look_ahead(chosen, way.following)


def _choose_outputs(found: ChosenScores, index: int, bar: DeltaGenerator) -> ChosenOutputs:
    """Draw the choice of outputs; systems with the same output are one option, under the name of the chosen one.

    So a chosen system stays chosen from sentence to sentence, whatever systems it shares its output with. Where both
    chosen ones have the same output, the second is an option of its own.
    """
    source = found.corpus.sentences[index].source
    wanted = [name for part in ("system", "against") for name in url_state.current(part)]
    sharing = {
        next((name for name in wanted if name in systems), systems[0]): systems
        for systems in groups(found, index).values()
    }

    def named(name: str) -> str:
        return ", ".join(dict.fromkeys([name, *sharing.get(name, ())]))

    outputs = {name: found.corpus.systems[name][index] for name in sharing}
    same = {system: name for name, systems in sharing.items() for system in systems}
    changed_first = sorted(outputs, key=lambda name: outputs[name] == source)
    first = same[session.uploaded_or_first([*changed_first, *same])]
    system = bar.selectbox(
        "Output of",
        changed_first,
        format_func=named,
        key=url_state.choice("system", changed_first, first, same),
        width=OUTPUT_WIDTH,
    )
    twins = [name for name in url_state.current("against") if name in sharing[system] and name != system]
    others = [NONE, *twins, *(name for name in changed_first if name != system)]
    against = bar.selectbox(
        "Compared with",
        others,
        format_func=lambda name: f"{name} (same output)" if name in twins else named(name),
        key=url_state.choice("against", others, NONE, same | {system: NONE} | {name: name for name in twins}),
        width=OUTPUT_WIDTH,
    )
    remember(found, Stop(index, system, against))
    names = [name for name in (system, against) if name in outputs]
    return ChosenOutputs(
        found,
        index,
        {name: outputs[name] for name in names},
        {name: sharing[name] for name in names},
        against if against in twins else "",
    )


def _ask_models(chosen: ChosenOutputs) -> list[Offer]:
    """Ask the models that answer within seconds, wait a moment, and return what is still unknown."""
    corpus, index = chosen.found.corpus, chosen.index
    offers = []
    turn = cache.jobs().next_turn()
    for name, metric in _models(chosen.found):
        for system, output in chosen.outputs.items():
            key = cache.model_key(corpus, metric, index, output)
            start = partial(cache.ask_model, corpus, metric, index, output, system, turn=turn)
            job = cache.jobs().known(key)
            if cache.explain_output(corpus, metric, index, output) is None:
                offers.append(Offer(key, f"{name}, {system}", start, "Compute"))
                if (job is None or job.status == "waiting") and cache.asked_without_click(
                    corpus, metric, index, output
                ):
                    start()
    return answers(offers, PATIENCE)


def _models(found: ChosenScores) -> list[tuple[str, Metric]]:
    """The chosen metrics that need a model, by name; the quickest first, so that its numbers do not wait."""
    slow = [(name, metric) for name, metric in found.metrics.items() if cache.needs_model(metric)]
    return sorted(slow, key=lambda item: LOADING if cache.quick(item[1]) else item[1].pace)


def _look_ahead(chosen: ChosenOutputs, following: Stop | None) -> None:
    """Ask models about the next sentence of the list, once they have answered about this one."""
    if following is None:
        return
    corpus, index = chosen.found.corpus, following.sentence
    names = [following.system, following.against] if following.system else [*chosen.outputs, chosen.twin]
    texts = {corpus.systems[name][index]: name for name in names if name in corpus.systems}
    for _, metric in _models(chosen.found):
        for output, system in texts.items():
            known = cache.jobs().known(cache.model_key(corpus, metric, index, output))
            if known is None and cache.asked_without_click(corpus, metric, index, output):
                cache.ask_model(corpus, metric, index, output, system, urgency="soon")


def _follow_models(waiting: Sequence[Offer]) -> None:
    """Draw the progress of models that have not answered, and buttons to ask those that take long."""
    if waiting:
        with st.container(border=True):
            st.markdown("**Numbers of models** appear when they are ready. You can keep working.")
            work_lines(tuple(waiting))


def _grid(chosen: ChosenOutputs) -> SentenceGrid:
    corpus, index = chosen.found.corpus, chosen.index
    metrics = [
        ExplainedMetric(name, found, chosen.found.metrics[name].percent) for name, found in chosen.found_by.items()
    ]
    alignments = [cache.alignment(corpus, index, output) for output in chosen.outputs.values()]
    return sentence_grid(
        corpus.sentences[index], list(chosen.outputs.items()), metrics, alignments, edits_of=cache.output_edits
    )


def _verdict(chosen: ChosenOutputs, sides: Sequence[str]) -> Sequence[Statement]:
    """What metrics and judges say; first the two sides, ids of metrics, that the visitor came to compare."""
    corpus, index = chosen.found.corpus, chosen.index
    metrics = dict(sorted(chosen.found.metrics.items(), key=lambda item: item[1].id not in sides))
    if len(chosen.outputs) == 1:
        ((name, _),) = chosen.outputs.items()
        known = chosen.explained
        credits = [(each, known[each][0].credits) for each in metrics if each in known]
        said = verdict_on_one(chosen.source, name, credits, waiting=_waiting(metrics, known))
        sharing = sorted(chosen.sharing[name], key=lambda each: (each != name, each != chosen.twin))
        return (*_shared(sharing), *said)
    first, second = chosen.outputs
    compared = cache.compared_outputs(corpus, index, metrics, *chosen.outputs.values())
    if not compared:
        return ()
    votes = cache.votes_on(corpus, index, *chosen.sharing.values())
    waiting = _waiting(metrics, {each.name for each in compared})
    return verdict_on_two(chosen.source, (first, second), compared, votes, waiting=waiting)


def _waiting(metrics: Mapping[str, Metric], answered: Container[str]) -> list[str]:
    """The metrics whose models have not answered yet."""
    return [name for name, metric in metrics.items() if name not in answered and cache.needs_model(metric)]


def _shared(systems: Sequence[str]) -> list[Statement]:
    """That several systems have the output, which is why they cannot be compared."""
    if len(systems) == 1:
        return []
    more = [f"{len(systems) - MOST_SYSTEMS} more"] if len(systems) > MOST_SYSTEMS else []
    return [Statement(f"{joined([*systems[:MOST_SYSTEMS], *more])} have the same output here")]


def _statement(said: Statement) -> str:
    """A statement as HTML; words of the text are set in italics."""
    return f"<p><b>{in_html(said.claim)}</b>{in_html(said.rest)}.</p>"


def _more(chosen: ChosenOutputs, grid: SentenceGrid) -> None:
    """Draw everything else, folded; what is folded is not computed."""
    for title, draw in {
        "Numbers of the grid as a table": partial(_numbers, chosen, grid),
        "In words, at length": partial(_in_words, chosen),
        "All outputs": partial(_all_outputs, chosen),
        "All references": partial(source_and_references, chosen.found.corpus, chosen.index),
        "Rankings by the judges": partial(judges, chosen.found.corpus, chosen.index),
        "How each metric computes its score": partial(_computations, chosen),
    }.items():
        section = st.expander(title, key=f"section-{title}", on_change="rerun")
        if section.open:
            with section:
                draw()


def _numbers(chosen: ChosenOutputs, grid: SentenceGrid) -> None:
    rows = [
        (block.text.name, row.metric, row.reference, entry.kind, str(entry.edit), entry.edit.type, entry.value)
        for block in grid.outputs
        for row in block.metrics
        for cell in (*row.credits, *row.weights)
        for entry in cell.entries
    ]
    heads = ["output", "metric", "reference", "number", "edit", "type", "value"]
    frame = pd.DataFrame(rows, columns=heads)
    st.caption(f"Edits are extracted by {plain(edits_read_by())}; weights are those of a metric's own edits.")
    table(frame, digits=4)
    name = f"{chosen.found.corpus.name}-sentence-{chosen.index + 1}"
    outputs = " and ".join(chosen.outputs)
    csv_button(frame, name, f"What each metric gives to the edits of {outputs} in sentence {chosen.index + 1}")


def _in_words(chosen: ChosenOutputs) -> None:
    if len(chosen.outputs) == 1 or not chosen.explained:
        st.caption("Choose an output to compare with above.")
        return
    told = cache.in_words(chosen.found.corpus, chosen.index, chosen.found.metrics, *chosen.sharing.values())
    st.markdown("\n".join(f"- {in_markdown(line)}" for line in told.sentences))


def _all_outputs(chosen: ChosenOutputs) -> None:
    shades = [NONE, *chosen.explained]
    shade = st.selectbox(
        "Shade edits by their credit under",
        shades,
        key=url_state.choice("shade", shades, shades[min(1, len(shades) - 1)]),
    )
    outputs_table(chosen.found, chosen.index, chosen.found.metrics.get(shade))


def _computations(chosen: ChosenOutputs) -> None:
    for name, explained in chosen.explained.items():
        st.markdown(f"#### {plain(name)}")
        explanations({system: each.explanation for system, each in zip(chosen.outputs, explained, strict=True)})
