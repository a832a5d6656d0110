"""The page *Sentence*: one sentence, all outputs, and the credit of every edit under every metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from html import escape
from typing import Literal

import numpy as np
import streamlit as st

from dashboard import cache, glossary, navigation, session, url_state
from dashboard.components.comparison import Comparison, comparison
from dashboard.components.controls import step_button
from dashboard.components.disagreement import JUDGES, LISTED, NAMES, Dispute, Stop, stop_at
from dashboard.components.edits import (
    alignment_table,
    credit_table,
    difference_table,
    judges,
    marked,
    source_and_references,
    text_table,
)
from dashboard.components.explanation import explanations
from dashboard.components.messages import end_page, in_markdown, plain, without_texts
from dashboard.components.progress import Offer, work_lines
from gec_core.errors import GecLensError
from gec_core.explain.credit import CreditDifference, OutputExplanation
from gec_core.explain.edits import edits_read_by
from gec_core.formatting import minus
from gec_core.human.ranking import from_scores
from gec_core.metrics.base import Metric
from gec_core.metrics.imeasure import IMeasure
from gec_core.types import Array

LEGEND = {
    "TP": "corrected",
    "TN": "kept",
    "FP": "changed without need",
    "FN": "should have been changed",
    "FPN": "changed, but not as in the reference (FP and FN)",
}
NONE = "–"
"""The option that compares with no output, or shades by no metric."""


@dataclass(frozen=True)
class Chosen:
    """The outputs of a sentence that are shown: one, or two side by side."""

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
    def explained(self) -> dict[str, list[OutputExplanation]]:
        """The explanations of the outputs by metric, as far as they have been computed."""
        known = {}
        for name, metric in self.found.metrics.items():
            found = [
                cache.explain_output(self.found.corpus, metric, self.index, each) for each in self.outputs.values()
            ]
            if all(found):
                known[name] = [each for each in found if each]
        return known


def show() -> None:
    """Draw the page."""
    st.title("Sentence")
    st.write(
        "One sentence as corrected by every system: ~~deleted~~ words are struck through, inserted ones underlined. "
        "The credit of an edit is what it adds to a metric's score."
    )
    found = comparison()
    if not found.corpus.has_texts:
        st.info(without_texts(found.corpus))
        end_page()
    index = _step_bar(found)
    source_and_references(found.corpus, index)

    st.subheader("Edit by edit", help=glossary.help("Credit"))
    chosen = _choose_outputs(found, index)
    _credits(chosen)
    _ask_models(chosen)
    _in_words(chosen)

    st.subheader("All outputs")
    shades = [NONE, *chosen.explained]
    shade = st.selectbox(
        "Shade edits by their credit under",
        shades,
        key=url_state.choice("shade", shades, shades[min(1, len(shades) - 1)]),
    )
    _outputs_table(found, index, found.metrics.get(shade))
    with st.expander("Rankings by the judges"):
        judges(found.corpus, index)

    st.subheader("Alignment with source and reference")
    st.write(
        "The alignment that the I-measure uses: the cheapest one of all three texts, with the class of each column."
    )
    _alignments(chosen)
    st.subheader("How each metric computes its score")
    for name, explained in chosen.explained.items():
        with st.expander(name):
            explanations({system: each.explanation for system, each in zip(chosen.outputs, explained, strict=True)})


def _choose_outputs(found: Comparison, index: int) -> Chosen:
    """Draw the choice of outputs; systems with the same output are one option."""
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
    """Draw what each edit adds to the score, or to the difference of two scores."""
    credits = {name: [each.credits for each in found] for name, found in chosen.explained.items()}
    alone = len(chosen.outputs) == 1
    if alone:
        credit_table(chosen.source, {name: one for name, (one,) in credits.items()})
    else:
        differences = {name: CreditDifference(*both) for name, both in credits.items()}
        difference_table(chosen.source, differences, *chosen.outputs)
    total = "the score of the output minus that of the source" if alone else "the difference between the scores"
    st.caption(
        "Each row is shaded on its own scale: blue adds to the score, orange takes away from it. The credits of a row "
        f"sum to {total}. Edits are extracted by {plain(edits_read_by())}."
    )


def _in_words(chosen: Chosen) -> None:
    """Draw the comparison of the two outputs in words."""
    if len(chosen.outputs) == 1 or not chosen.explained:
        return
    st.subheader("In words")
    told = cache.in_words(chosen.found.corpus, chosen.index, chosen.found.metrics, *chosen.sharing.values())
    st.markdown("\n".join(f"- {in_markdown(line)}" for line in told.sentences))


def _groups(found: Comparison, index: int) -> dict[str, list[str]]:
    """The different outputs of a sentence, each with its systems."""
    same: dict[str, list[str]] = {}
    for system, outputs in found.corpus.systems.items():
        if system not in found.left_out:
            same.setdefault(outputs[index], []).append(system)
    return same


def _outputs_table(found: Comparison, index: int, shaded_by: Metric | None) -> None:
    """Draw every different output with its edits, and its rank and score by every metric."""
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
    """The rank and score of the output of these systems, if the metric scored one of them."""
    one = next((system for system in systems if system in scores), None)
    if one is None:
        return "<td>–</td>"
    return f"<td>{ranks[one]}<span class=score>{_number(scores[one][index], metric)}</span></td>"


def _mean_rank(ranked: dict[str, dict[str, int]], systems: list[str]) -> float:
    """The mean rank of an output over the metrics that rank one of its systems."""
    places = [by_system[system] for by_system in ranked.values() for system in systems[:1] if system in by_system]
    return float(np.mean(places)) if places else 0.0


def _weights(found: Comparison, index: int, output: str, metric: Metric) -> dict[tuple[int, int, str], float]:
    """Each credit as a share of the largest one of this output; empty if a model has not been asked yet."""
    explained = cache.explain_output(found.corpus, metric, index, output)
    edits = explained.credits.edits if explained else ()
    most = max((abs(edit.value) for edit in edits), default=0) or 1
    return {edit.key: edit.value / most for edit in edits}


def _alignments(chosen: Chosen) -> None:
    """Draw the three-way alignment of the I-measure for each output, with a legend."""
    for name, output in chosen.outputs.items():
        if len(chosen.outputs) > 1:
            st.markdown(f"**{plain(name)}**")
        sentence = chosen.found.corpus.sentences[chosen.index]
        st.html(alignment_table(IMeasure().alignment(sentence, output)))
    st.caption(" · ".join(f"**{name}** {meaning}" for name, meaning in LEGEND.items()))


def _number(value: float, metric: Metric) -> str:
    return minus(f"{value:.2f}" if metric.percent else f"{value:.3f}")


def _step_bar(found: Comparison) -> int:
    """Draw the way to other sentences, and return the index of this one."""
    dispute = Dispute.read(url_state.carried(NAMES))
    stops = _stops(found, dispute)
    url_state.sentence()
    here = url_state.chosen_sentence()
    place = _place(stops, Stop(*here))
    if dispute:
        _where(found, dispute, stops, place)
    if place is None:
        stops, place = [Stop(index) for index in range(len(found.corpus))], here[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _step_button("Previous", stops, place - 1)
        _step_button("Next", stops, place + 1)
        st.number_input(
            f"Sentence (1 to {len(found.corpus):,})",
            1,
            len(found.corpus),
            key=url_state.sentence_number(),
            step=1,
            width=180,
            on_change=url_state.go_to_number,
        )
    return here[0]


def _step_button(label: Literal["Previous", "Next"], stops: Sequence[Stop], to: int) -> None:
    there = 0 <= to < len(stops)
    step_button(label, url_state.go_to_sentence, *(stops[to] if there else ()), enabled=there)


def _stops(found: Comparison, dispute: Dispute | None) -> list[Stop]:
    """The stops of the list that the visitor came from; empty if there is none or it cannot be made any more."""
    ids = {column.metric.id for column in found.table.columns} | {JUDGES}
    if dispute is None or not {dispute.a, dispute.b} <= ids:
        return []
    compared = cache.disagreements(found.corpus, dispute.a, dispute.b, tuple(found.table.columns))
    try:
        return [stop_at(row, found.left_out) for row in dispute.narrow(compared, found.left_out).top(LISTED)]
    except GecLensError:  # a type or a system that does not exist (any more)
        return []


def _place(stops: Sequence[Stop], here: Stop) -> int | None:
    """The place of these two outputs in the list, or else of this sentence."""
    exact = (number for number, stop in enumerate(stops) if stop == here)
    close = (number for number, stop in enumerate(stops) if stop.sentence == here.sentence)
    return next(exact, next(close, None))


def _where(found: Comparison, dispute: Dispute, stops: Sequence[Stop], place: int | None) -> None:
    """Draw the place in the list that the visitor came from, and the way back."""
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
    """Draw a button that asks all models that have not been asked yet, then their progress."""
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
        if cache.explain_output(corpus, metric, index, output) is None
    ]
    if not offers:
        return
    with st.container(border=True):
        begun = [offer for offer in offers if cache.jobs().known(offer.key)]
        if begun:
            st.markdown("**Asking the models.** You can keep working; credits appear when they are ready.")
            work_lines(tuple(begun))
            return
        names = plain(", ".join(slow))
        st.write(f"Credits under {names} need a model. This takes a few seconds to a minute.")
        if st.button(f"Compute credits of {names}", icon=":material/calculate:"):
            for offer in offers:
                offer.start()
            st.rerun()
