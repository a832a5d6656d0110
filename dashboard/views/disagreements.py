"""Outputs that two sides order in opposite ways: a list, a picture, and who and what they are about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import cast

import pandas as pd
import streamlit as st

from dashboard import cache, charts, navigation, session, url_state
from dashboard.components.comparison import comparison
from dashboard.components.disagreement import JUDGES, LISTED, UNANIMOUS, Dispute, Stop, stop_at
from dashboard.components.exports import csv_button, figure
from dashboard.components.messages import end_page, plain
from dashboard.components.progress import Offer, work_lines
from dashboard.components.sentences import sentence_rows
from gec_core.align import errant_types
from gec_core.meta.disagreement import Disagreement, Disagreements, Opinion, Tally, by_system, by_systems, by_type
from gec_core.types import Corpus

ANY = ""
ALIKE = 800
"""Points of pairs in the same order, drawn behind the others."""
NAMES = 380
"""Pixels for the names of systems in a row, so that the table fits a small screen."""
_CLICKED = "clicked-pair"
"""The sentence and the outputs of the point that was clicked."""
STRENGTH = "Strength 0.9: to either side, the two outputs are farther apart than nine of ten pairs."


def show() -> None:
    """Draw the page."""
    st.title("Disagreements")
    st.write("Pairs of outputs of one sentence that two sides order in opposite ways, the strongest first.")
    found = comparison()
    corpus = found.corpus
    names = {column.metric.id: column.metric.name for column in found.table.columns if column.scores_sentences}
    if silent := [name for name, metric in found.metrics.items() if metric.id not in names]:
        st.caption(f"Left out here: {plain(', '.join(silent))}, of which there are scores of whole systems only.")
    sides = sides_of(corpus, list(names))
    if len(sides) < 2:
        st.info("Choose at least two metrics in the sidebar, or a corpus with judgments.")
        end_page()

    def title(side: str) -> str:
        return names.get(side, "the judges")

    kept = [system for system in corpus.systems if system not in found.left_out]
    dispute = choose_dispute(corpus, sides, title, kept)
    first, second = title(dispute.a), title(dispute.b)
    compared = cache.disagreements(corpus, dispute.a, dispute.b, tuple(found.table.columns))
    if unknown := [system for system in kept if system not in compared.systems]:
        st.caption(f"Without {plain(', '.join(unknown))}, of which one of the two has no scores.")
    narrowed = dispute.narrow(compared, found.left_out)
    filters_told(dispute)
    summary(narrowed, first, second)
    disagreement_table(corpus, narrowed, dispute, found.left_out, first, second)
    tallies(narrowed, first, second, f"{corpus.name}-{dispute.a}-{dispute.b}")


def choose_dispute(
    corpus: Corpus, sides: Sequence[str], title: Callable[[str], str], systems: Sequence[str]
) -> Dispute:
    """The two sides and the filters, as they are chosen."""
    left, right = st.columns(2)
    a = left.selectbox("Who", sides, format_func=title, key=url_state.choice("a", sides, sides[0]))
    others = [side for side in sides if side != a]
    b = right.selectbox("disagrees with whom", others, format_func=title, key=url_state.choice("b", others, others[-1]))
    with st.expander("Filters", icon=":material/filter_list:"):
        left, right = st.columns(2)
        with left:
            only = st.multiselect(
                "Pairs of these systems",
                systems,
                key=url_state.multi_choice("only", systems),
                placeholder="all systems",
            )
            error = _error_type(corpus)
        with right:
            length = _length(corpus)
            agreement = _agreement(corpus)
        tied = st.segmented_control(
            "Which pairs",
            [ANY, "a", "b"],
            format_func=lambda one: (
                f"no difference to {plain(title(a if one == 'a' else b))}" if one else "in opposite order"
            ),
            key=url_state.choice("tied", [ANY, "a", "b"], ANY),
            required=True,
        )
    return Dispute(a, b, tuple(only), error, length, agreement == UNANIMOUS, tied or ANY)


def _error_type(corpus: Corpus) -> str:
    """A type of edits that one output has and the other lacks; single types stand below what they have in common."""
    types = cache.error_types(corpus)
    groups = sorted({errant_types.group(name) for name in types or ()})
    options = [ANY, *groups, *(types or ())]
    chosen = st.selectbox(
        "Outputs differ in an edit of type",
        options,
        format_func=lambda name: type_label(name) if name else "any",
        key=url_state.choice("error", options, ANY),
        disabled=not types,
        help="ERRANT's types: M is missing, R replaced, U unnecessary; DET stands for M:DET, R:DET and U:DET.",
    )
    if types is None:
        offer = Offer(cache.edits_key(corpus), "Error types", lambda: cache.read_edits(corpus), "Read")
        work_lines((offer,))
    return chosen


def type_label(name: str) -> str:
    """An error type with what it means."""
    meaning = errant_types.meaning(name)
    return f"{name} ({meaning})" if meaning else name


def filters_told(dispute: Dispute) -> None:
    """The filters that are set, where one sees them."""
    low, high = dispute.length or (0, 0)
    parts = [
        f"pairs of {', '.join(dispute.only)}" if dispute.only else "",
        f"edits of type {type_label(dispute.error)}" if dispute.error else "",
        f"sources of {low} to {high} tokens" if dispute.length else "",
        "pairs that all their judges order alike" if dispute.unanimous else "",
    ]
    if any(parts):
        st.caption(f"Only {plain('; '.join(part for part in parts if part))}.")


def _length(corpus: Corpus) -> tuple[int, int] | None:
    longest = max(len(sentence.tokens) for sentence in corpus.sentences)
    if not corpus.has_texts or not longest:
        return None
    # The two ends are in the state, so the slider has two: its type does not say so.
    chosen = cast(
        tuple[int, int], st.slider("Tokens of the source", 0, longest, key=url_state.number_range("length", longest))
    )
    return None if chosen == (0, longest) else chosen


def _agreement(corpus: Corpus) -> str:
    if corpus.judgments is None:
        return ANY
    return st.selectbox(
        "Judges",
        [ANY, UNANIMOUS],
        format_func=lambda one: "all who compared the two prefer the same one" if one else "whatever they said",
        key=url_state.choice("agreement", [ANY, UNANIMOUS], ANY),
    )


def sides_of(corpus: Corpus, metrics: Sequence[str]) -> list[str]:
    """Who may disagree: the metrics, and the judges if there are any."""
    return [*metrics, *([JUDGES] if corpus.judgments else [])]


def summary(found: Disagreements, first: str, second: str) -> None:
    """How often the two agree, and with whom people do, in a few sentences."""
    order = found.order
    if not order.pairs:
        st.info("No pair of outputs is left: loosen the filters.")
        return
    text = (
        f"On **{order.opposed:,}** of {order.pairs:,} pairs of different outputs the two prefer opposite ones "
        f"({order.opposed / order.pairs:.1%}); {order.alike:,} they order alike, and on "
        f"{order.one_tied + order.both_tied:,} at least one of them sees no difference."
    )
    if found.sided and any(found.sided):
        with_first, with_second, with_none = found.sided
        text += (
            f" People compared {sum(found.sided):,} of the opposite ones: they agree **{with_first:,}** times with "
            f"{plain(first)}, **{with_second:,}** times with {plain(second)}; {with_none:,} times they see no "
            "difference."
        )
    st.markdown(text)


def disagreement_table(
    corpus: Corpus,
    found: Disagreements,
    dispute: Dispute,
    left_out: Collection[str],
    first: str,
    second: str,
) -> None:
    """The strongest ones as a table and as a picture; choosing a row or a point opens its sentence."""
    name = f"{corpus.name}-{dispute.a}-{dispute.b}"
    if point := session.kept(_CLICKED, None):
        session.keep(_CLICKED, None)
        _open(Stop(*point), dispute)
    rows = found.top(LISTED)
    if not rows:
        st.info("There are none here.")
        return
    frame = _frame(rows, first, second)
    listed = f"The strongest {len(rows)} of {len(found):,}." if len(found) > len(rows) else f"All {len(rows)}."
    margins = {
        f"margin, {side}": st.column_config.NumberColumn(
            format="%.3f", help="By how much it prefers its choice: points of a metric, places of judges."
        )
        for side in (first, second)
    }
    sides = [column for column in frame.columns if column.startswith("better by ")]
    names = dict.fromkeys(sides, st.column_config.TextColumn(width=NAMES // len(sides)))
    strength = st.column_config.ProgressColumn(format="%.2f", min_value=0, max_value=1, width=110, help=STRENGTH)
    opened = sentence_rows(
        corpus,
        frame,
        key=f"rows-{name}",
        told=f"{listed} {STRENGTH}",
        config={"strength": strength, **names, **margins},
        height=420,
    )
    csv_button(frame, name)
    if opened is not None:
        _open(stop_at(rows[opened], left_out), dispute)
    _scatter(corpus, found, rows, left_out, first, second, name)


def _frame(rows: Sequence[Disagreement], first: str, second: str) -> pd.DataFrame:
    columns = {
        "sentence": [row.sentence for row in rows],
        f"better by {first}": [_names(row.first) for row in rows],
        f"better by {second}": [_names(row.second) for row in rows],
        "strength": [row.strength for row in rows],
        f"margin, {first}": [row.first.difference for row in rows],
        f"margin, {second}": [row.second.difference for row in rows],
    }
    if any(row.judges and row.judges not in (row.first, row.second) for row in rows):
        columns["better by the judges"] = [_names(row.judges) if row.judges else "–" for row in rows]
    return pd.DataFrame(columns)


def _names(opinion: Opinion) -> str:
    return ", ".join(opinion.better) or "no difference"


def _scatter(
    corpus: Corpus,
    found: Disagreements,
    rows: Sequence[Disagreement],
    left_out: Collection[str],
    first: str,
    second: str,
    name: str,
) -> None:
    """How far each side sets two outputs apart; below the line the second one has them the other way round."""
    alike = found.alike(ALIKE)
    groups = {"in the same order": [(row, 1) for row in alike], "listed above": [(row, _sign(row)) for row in rows]}
    points = {
        group: [
            charts.Point(
                row.first.share,
                sign * row.second.share,
                (step := stop_at(row, left_out)),
                f"sentence {step.sentence}: {step.system} beside {step.against}",
            )
            for row, sign in members
        ]
        for group, members in groups.items()
    }
    st.subheader(f"{plain(first)} against {plain(second)}")
    here = corpus.has_texts
    st.write(
        f"Each point is a pair of outputs. The farther right, the farther apart they are for {plain(first)}; the "
        f"farther from the line, the farther apart for {plain(second)}: above it in the same order, below it in the "
        "opposite one. Pairs in the same order are a random sample."
        f"{' Click a point to open its sentence.' if here else ''}"
    )
    data = pd.DataFrame(
        [(*point.data, point.x, point.y, group) for group, members in points.items() for point in members],
        columns=["sentence", "one", "other", first, second, "group"],
    )
    chart = charts.clouds(points, x=f"how far apart, {first}", y=f"how far apart, {second}")
    figure(chart, f"{name}-scatter", data, on_click=_remember_clicked if here else None)


def _remember_clicked(figure: str) -> None:
    """Callback: open the sentence of the point that was clicked, when the page is drawn."""
    for index, system, against, *_ in session.clicked(figure):
        session.keep(_CLICKED, (int(index), str(system), str(against)))


def _sign(row: Disagreement) -> int:
    """Which way the second side sees it, from the output that the first prefers."""
    return 1 if row.second.better == row.outputs[0] else -1


def _open(step: Stop, dispute: Dispute) -> None:
    chosen = {"sentence": [str(step.sentence)], "system": [step.system], "against": [step.against]}
    st.switch_page(navigation.page("sentence"), query_params=url_state.link(chosen | dispute.address))


def tallies(found: Disagreements, first: str, second: str, name: str) -> None:
    """On which systems, and on which error types, the two disagree most, and who is for what."""
    summaries = {
        "Systems": (by_system(found), "For it: how often each side prefers the system's output when the two disagree."),
        "Error types": (
            by_type(found),
            "Pairs in which one output has an edit of this type that the other lacks. For it: how often each side "
            "prefers the output with more of them when the two disagree.",
        ),
        "Pairs of systems": (by_systems(found), "For it: how often each side prefers the system that is named first."),
    }
    shown = {title: given for title, given in summaries.items() if given[0]}
    if not shown:
        return
    st.subheader("What they disagree on most")
    st.write(
        "Sorted by “at least”, the lower end of the share's 95% interval: a large share of few pairs may be chance."
    )
    for tab, (title, (rows, caption)) in zip(st.tabs(list(shown)), shown.items(), strict=True):
        with tab:
            st.caption(caption)
            _tally_table(rows, first, second, f"{name}-{title.lower().replace(' ', '-')}")


def _tally_table(rows: Sequence[Tally], first: str, second: str, name: str) -> None:
    columns = ["which", "share", "at least", "opposite", "pairs", f"for it, {first}", f"for it, {second}"]
    frame = pd.DataFrame(
        [
            (
                " – ".join(map(type_label, row.what)),
                row.share,
                row.at_least,
                row.opposed,
                row.pairs,
                row.for_first,
                row.for_second,
            )
            for row in rows
        ],
        columns=columns,
    )
    share = st.column_config.ProgressColumn(
        "share opposite", format="percent", min_value=0, max_value=float(frame["share"].max()) or 1.0, width=130
    )
    config = {"share": share, "at least": st.column_config.NumberColumn(format="percent")}
    st.dataframe(frame, hide_index=True, column_config=config, height=min(420, 38 + 35 * len(frame)))
    csv_button(frame, name)
