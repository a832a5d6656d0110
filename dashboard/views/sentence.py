"""One sentence: what it says, what the systems made of it, and what everybody thought of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from html import escape
from typing import Literal

import numpy as np
import streamlit as st

from dashboard import cache, navigation, session, url_state
from dashboard.components.comparison import Comparison, comparison
from dashboard.components.controls import step_button
from dashboard.components.disagreement import JUDGES, LISTED, NAMES, Dispute, Stop, stop_at
from dashboard.components.edits import alignment_table, credit_table, difference_table, marked
from dashboard.components.explanation import explanations
from dashboard.components.messages import end_page, in_markdown, plain
from dashboard.components.progress import Offer, work_lines
from dashboard.components.sentences import judges, source_and_references, text_table, without_texts
from gec_core.errors import GecLensError
from gec_core.explain.credit import Worth, difference
from gec_core.explain.edits import edits_read_by
from gec_core.formatting import minus
from gec_core.human.ranking import from_scores
from gec_core.metrics.base import Metric
from gec_core.metrics.imeasure import IMeasure
from gec_core.types import Array

LEGEND = {
    "TP": "rightly changed",
    "TN": "rightly kept",
    "FP": "wrongly changed",
    "FN": "should have been changed",
    "FPN": "changed, but not to the reference: FP and FN at once",
}
NONE = "–"
"""The option that compares with no output, or shades by no metric."""


@dataclass(frozen=True)
class Chosen:
    """The outputs of a sentence that are looked at: one, or two side by side."""

    found: Comparison
    index: int
    outputs: Mapping[str, str]
    """By the first of the systems that share the output."""
    sharing: Mapping[str, list[str]]
    """All systems of each output."""

    @property
    def source(self) -> str:
        """The sentence before correction."""
        return self.found.corpus.sentences[self.index].source

    @cached_property
    def worths(self) -> dict[str, list[Worth]]:
        """For each metric what the outputs are worth to it, as far as this is known by now."""
        known = {}
        for name, metric in self.found.metrics.items():
            worths = [cache.worth(self.found.corpus, metric, self.index, output) for output in self.outputs.values()]
            if all(worths):
                known[name] = [worth for worth in worths if worth]
        return known


def show() -> None:
    """Draw the page."""
    st.title("Sentence")
    st.write(
        "What the systems made of one sentence: ~~deleted~~ words are struck through, inserted ones underlined. "
        "An edit's credit is what it adds to a metric's score, averaged over all orders in which the edits could be "
        "made."
    )
    found = comparison()
    if not found.corpus.has_texts:
        st.info(without_texts(found.corpus))
        end_page()
    index = _step_bar(found)
    source_and_references(found.corpus, index)

    st.subheader("Edit by edit")
    chosen = _choose_outputs(found, index)
    _credits(chosen)
    _ask_models(chosen)
    _in_words(chosen)

    st.subheader("All outputs")
    shades = [NONE, *chosen.worths]
    shade = st.selectbox(
        "Shade edits by their credit under",
        shades,
        key=url_state.choice("shade", shades, shades[min(1, len(shades) - 1)]),
    )
    _outputs_table(found, index, found.metrics.get(shade))
    with st.expander("What the judges said"):
        judges(found, index)

    st.subheader("Aligned with source and reference")
    st.write("As the I-measure sees it: the cheapest alignment of all three, and the class of each column.")
    _alignments(chosen)
    st.subheader("In each metric's own terms")
    for name, worths in chosen.worths.items():
        with st.expander(name):
            explanations({system: worth.explanation for system, worth in zip(chosen.outputs, worths, strict=True)})


def _choose_outputs(found: Comparison, index: int) -> Chosen:
    """Choose an output and one to compare it with; systems with the same output are one option."""
    source = found.corpus.sentences[index].source
    sharing = {systems[0]: systems for systems in _groups(found, index).values()}
    outputs = {name: found.corpus.systems[name][index] for name in sharing}
    same = {system: name for name, systems in sharing.items() for system in systems}
    changed_first = sorted(outputs, key=lambda name: outputs[name] == source)
    first = same[session.uploaded_or_first([*changed_first, *same])]
    left, right = st.columns(2)
    system = left.selectbox(
        "Output of",
        changed_first,
        format_func=lambda name: ", ".join(sharing[name]),
        key=url_state.choice("system", changed_first, first, same),
    )
    others = [NONE, *(name for name in changed_first if name != system)]
    against = right.selectbox(
        "Compared with",
        others,
        format_func=lambda name: ", ".join(sharing.get(name, [name])),
        key=url_state.choice("against", others, NONE, same),
    )
    names = [name for name in (system, against) if name in outputs]
    text_table([(name, marked(source, cache.output_edits(source, outputs[name]))) for name in names])
    return Chosen(found, index, {name: outputs[name] for name in names}, {name: sharing[name] for name in names})


def _credits(chosen: Chosen) -> None:
    """What each edit adds to the score, or to the difference of two scores."""
    credits = {name: [worth.credit for worth in worths] for name, worths in chosen.worths.items()}
    alone = len(chosen.outputs) == 1
    if alone:
        credit_table(chosen.source, {name: one for name, (one,) in credits.items()})
    else:
        differences = {name: difference(*both) for name, both in credits.items()}
        difference_table(chosen.source, differences, *chosen.outputs)
    total = "the score of the output less that of the source" if alone else "the difference of the scores"
    st.caption(
        "Each row is shaded on its metric's own scale: blue adds to the score, orange takes from it. Credits of a row "
        f"add up to {total}. Edits are read by {plain(edits_read_by())}."
    )


def _in_words(chosen: Chosen) -> None:
    """The two outputs compared in words."""
    if len(chosen.outputs) == 1 or not chosen.worths:
        return
    st.subheader("In words")
    told = cache.in_words(chosen.found.corpus, chosen.index, chosen.found.metrics, *chosen.sharing.values())
    st.markdown("\n".join(f"- {in_markdown(line)}" for line in told.sentences))


def _groups(found: Comparison, index: int) -> dict[str, list[str]]:
    """The distinct outputs of a sentence, each with the systems that gave it."""
    same: dict[str, list[str]] = {}
    for system, outputs in found.corpus.systems.items():
        if system not in found.left_out:
            same.setdefault(outputs[index], []).append(system)
    return same


def _outputs_table(found: Comparison, index: int, shaded_by: Metric | None) -> None:
    """Every distinct output with its edits, and its score and rank by every metric."""
    source = found.corpus.sentences[index].source
    columns = {
        column.metric.name: cache.sentence_arrays(found.corpus, column.metric.signature, column)
        for column in found.table.columns
        if column.scores_sentences
    }
    ranked = {
        name: {
            s.system: s.rank
            for s in from_scores({s: float(scores[s][index]) for s in found.kept if s in scores}, name).standings
        }
        for name, scores in columns.items()
    }
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in columns)
    body = ""
    for output, systems in sorted(_groups(found, index).items(), key=lambda item: _mean_rank(ranked, item[1])):
        weights = _weights(found, index, output, shaded_by) if shaded_by else None
        cells = "".join(
            _score_cell(ranked[name], scores, systems, index, found.metrics[name]) for name, scores in columns.items()
        )
        text = marked(source, cache.output_edits(source, output), weights)
        body += f"<tr><th scope=row class=wrap>{escape(', '.join(systems))}</th><td class=wrap>{text}</td>{cells}</tr>"
    st.html(
        "<div class='lens-scroll lens-tall' tabindex=0><table class='lens-table lens-outputs lens-pinned'><thead><tr>"
        f"<th scope=col>systems</th><th scope=col>output</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _score_cell(ranks: dict[str, int], scores: dict[str, Array], systems: list[str], index: int, metric: Metric) -> str:
    """Rank and score of the output of these systems, if the metric scored one of them."""
    one = next((system for system in systems if system in scores), None)
    if one is None:
        return "<td>–</td>"
    return f"<td>{ranks[one]}<span class=score>{_number(scores[one][index], metric)}</span></td>"


def _mean_rank(ranked: dict[str, dict[str, int]], systems: list[str]) -> float:
    """Of an output over the metrics, as far as they rank one of its systems."""
    places = [by_system[system] for by_system in ranked.values() for system in systems[:1] if system in by_system]
    return float(np.mean(places)) if places else 0.0


def _weights(found: Comparison, index: int, output: str, metric: Metric) -> dict[tuple[int, int, str], float]:
    """Each edit's credit as a share of the largest of this output; nothing if a model has not been asked about it."""
    worth = cache.worth(found.corpus, metric, index, output)
    edits = worth.credit.edits if worth else ()
    most = max((abs(edit.credit) for edit in edits), default=0) or 1
    return {edit.key: edit.credit / most for edit in edits}


def _alignments(chosen: Chosen) -> None:
    """The three-way alignment of the I-measure for each output, with a legend."""
    for name, output in chosen.outputs.items():
        if len(chosen.outputs) > 1:
            st.markdown(f"**{plain(name)}**")
        sentence = chosen.found.corpus.sentences[chosen.index]
        st.html(alignment_table(IMeasure().alignment(sentence, output)))
    st.caption(" · ".join(f"**{name}** {meaning}" for name, meaning in LEGEND.items()))


def _number(value: float, metric: Metric) -> str:
    return minus(f"{value:.2f}" if metric.percent else f"{value:.3f}")


def _step_bar(found: Comparison) -> int:
    """Previous and next, side by side on a telephone, too, and the number of the sentence, which is given."""
    dispute = Dispute.read(url_state.carried(NAMES))
    stops = _stops(found, dispute)
    last = len(found.corpus) - 1
    key = url_state.sentence()
    here = url_state.chosen_sentence()
    place = _place(stops, Stop(*here))
    if dispute:
        _where(found, dispute, stops, place)
    if place is None:
        stops, place = [Stop(number) for number in range(last + 1)], here[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _step_button("Previous", stops, place - 1)
        _step_button("Next", stops, place + 1)
        return st.number_input(f"Sentence (0 to {last})", 0, last, key=key, step=1, width=180)


def _step_button(label: Literal["Previous", "Next"], stops: Sequence[Stop], to: int) -> None:
    there = 0 <= to < len(stops)
    step_button(label, url_state.go_to_sentence, *(stops[to] if there else ()), enabled=there)


def _stops(found: Comparison, dispute: Dispute | None) -> list[Stop]:
    """What the list that one came from goes through; nothing if there is none, or it cannot be made any more."""
    ids = {column.metric.id for column in found.table.columns} | {JUDGES}
    if dispute is None or not {dispute.a, dispute.b} <= ids:
        return []
    compared = cache.disagreements(found.corpus, dispute.a, dispute.b, tuple(found.table.columns))
    try:
        return [stop_at(row, found.left_out) for row in dispute.narrow(compared, found.left_out).top(LISTED)]
    except GecLensError:  # a type or a system that is not there (any more)
        return []


def _place(stops: Sequence[Stop], here: Stop) -> int | None:
    """Where in the list one is: at these two outputs, or else at this sentence."""
    exact = (number for number, stop in enumerate(stops) if stop == here)
    close = (number for number, stop in enumerate(stops) if stop.sentence == here.sentence)
    return next(exact, next(close, None))


def _where(found: Comparison, dispute: Dispute, stops: Sequence[Stop], place: int | None) -> None:
    names = {column.metric.id: column.metric.name for column in found.table.columns} | {JUDGES: "the judges"}
    sides = " and ".join(plain(names.get(side, side)) for side in (dispute.a, dispute.b))
    filters = f", with {dispute.filters} filter{'s' if dispute.filters > 1 else ''}" if dispute.filters else ""
    told = f"**{place + 1} of {len(stops)}** in" if place is not None else "This sentence is not in"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            navigation.page("disagreements"),
            label="Back to the list",
            icon=":material/arrow_back:",
            query_params=url_state.link(dispute.address),
        )
        st.markdown(f"{told} the disagreements of {sides}{filters}", width="content")
        st.button("Go through all sentences", type="tertiary", on_click=url_state.drop_carried)


def _ask_models(chosen: Chosen) -> None:
    """A button that asks all models that have not been asked yet, then how far each of them is."""
    corpus, index = chosen.found.corpus, chosen.index
    slow = {name: metric for name, metric in chosen.found.metrics.items() if cache.needs_model(metric)}
    offers = [
        Offer(
            cache.model_key(corpus, metric, index, output),
            f"{name}, {system}",
            partial(cache.ask_model, corpus, metric, index, output, system),
            "Compute",
        )
        for name, metric in slow.items()
        for system, output in chosen.outputs.items()
        if cache.worth(corpus, metric, index, output) is None
    ]
    if not offers:
        return
    with st.container(border=True):
        begun = [offer for offer in offers if cache.jobs().known(offer.key)]
        if begun:
            st.markdown("**Asking the models.** You can go on; what is done shows up by itself.")
            work_lines(tuple(begun))
            return
        names = plain(", ".join(slow))
        st.write(f"What the edits are worth to {names} takes a model: a few seconds to a minute.")
        if st.button(f"Compute credits of {names}", icon=":material/calculate:"):
            for offer in offers:
                offer.start()
            st.rerun()
