"""The page *Error types*: a heatmap of systems by type, the counts behind it, and the errors behind a count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dashboard import cache, glossary, navigation, session, url_state
from dashboard.components.comparison import chosen_systems
from dashboard.components.controls import choose_one
from dashboard.components.edits import marked
from dashboard.components.explanation import MARKS
from dashboard.components.exports import SENTENCE, csv_button, csv_text, download, figure, table
from dashboard.components.messages import end_page, plain
from dashboard.components.progress import need_types, waiting_metrics
from gec_core import charts
from gec_core.align.errant_types import meaning
from gec_core.environment import how_to_run
from gec_core.meta.error_types import Level, Outcome, References, TypeCounts, types_metric
from gec_core.types import Corpus, Edit

LEVELS: dict[Level, str] = {"operation": "Operation", "group": "Kind of error", "type": "Full type"}
GOLDS: dict[References, str] = {"auto": "From references", "gold": "As annotated"}
MEASURES = {"p": "Precision", "r": "Recall", "f": "F0.5"}
BETA = 0.5
TERMS = {"tp": "Correct", "fp": "Wrong", "fn": "Missed", "p": "Precision", "r": "Recall", "f": "F0.5"}
"""The terms of the glossary that explain the columns of counts."""
LISTED = 10
"""Errors per page of the list."""

Counts = Mapping[str, Mapping[str, TypeCounts]]
"""For each system its counts by type."""


def show() -> None:
    """Draw the page."""
    st.title("Error types")
    st.write(
        "How well each system corrects each kind of error, as classified by ERRANT. Rows are types, columns systems; "
        "the darker the blue, the better. Click a cell to read the errors behind its number."
    )
    corpus = session.corpus()
    systems = chosen_systems(corpus)

    with st.container(horizontal=True, gap="small"):
        level = choose_one("Types", "level", LEVELS, "group")
        measure = choose_one("Measure", "measure", MEASURES, "f")
        references = _choose_gold(corpus)
    need_types(corpus, references)
    all_counts = cache.errors_by_type(corpus, level, references)
    counts = {system: all_counts[system] for system in systems}
    types = by_frequency(counts)
    if not types:
        st.info("Neither annotators nor systems changed anything in this corpus.")
        end_page()
    heatmap(counts, types, measure, f"{corpus.name}-{level}", references)
    told = "Gold edits: read from the references by ERRANT." if references == "auto" else "Gold edits: as annotated."
    st.caption(plain(f"{told} {types_metric(references).signature}"))

    st.subheader("Errors of one type")
    if not corpus.has_texts:
        st.info(
            "Reading the errors themselves needs the texts of the corpus. "
            f"Get them with `{how_to_run(f'corpora fetch {corpus.name}')}`."
        )
        _rest(corpus, counts, types, level, references)
        end_page()
    left, right = st.columns(2)
    system = left.selectbox(
        "System", systems, key=url_state.choice("errors_of", systems, session.uploaded_or_first(systems))
    )
    type_ = right.selectbox("Type", types, format_func=titled, key=url_state.choice("type", types, types[0]))
    found = cache.errors_of_type(corpus, system, level, type_, references)
    errors(corpus, systems, system, found, references)

    _rest(corpus, counts, types, level, references)


def _rest(corpus: Corpus, counts: Counts, types: Sequence[str], level: Level, references: References) -> None:
    st.subheader("Difficulty")
    difficulty_table(corpus, level, references)
    st.subheader("All counts")
    count_table(counts, types, f"{corpus.name}-{level}", references)


def difficulty_table(corpus: Corpus, level: Level, references: References) -> None:
    """Draw how few systems correct the errors of each type, as GoToScorer weights them."""
    st.write(
        "The difficulty of an error is the share of all systems that do not correct it as the first annotator did: 0 "
        "if all of them do, 1 if none does. GoToScorer gives each error this weight (Gotou et al. 2020). The table has "
        "the mean of each type, the most difficult first, and its standard deviation."
    )
    found = cache.difficulty(corpus, level, references)
    if found is None and corpus.has_texts:
        waiting_metrics(corpus, [cache.difficulty_metric(references)])
    if found is None:
        st.info("It is not known for this corpus yet.")
        return
    rows = [(each.type, meaning(each.type), each.mean, each.deviation, each.count) for each in found]
    frame = pd.DataFrame(rows, columns=["type", "meaning", "mean", "deviation", "errors"])
    table(frame, height=380)
    what = "The difficulty of gold edits, by error type: the weights that GoToScorer gives to them"
    csv_button(frame, f"{corpus.name}-{level}-difficulty", what, shows=[cache.difficulty_metric(references)])


def _choose_gold(corpus: Corpus) -> References:
    golds = cache.gold_choices(corpus)
    if len(golds) == 1:
        return golds[0]
    return choose_one(
        "Gold edits",
        "references",
        {gold: GOLDS[gold] for gold in golds},
        "auto",
        help="From references: ERRANT compares sources with references, just as it compares sources with outputs. "
        "As annotated: the edits and types that the annotators gave.",
    )


def by_frequency(counts: Counts) -> list[str]:
    """Sort the types by the number of gold edits, then by the number of wrong edits."""
    seen: dict[str, tuple[int, int]] = {}
    for found in counts.values():
        for name, each in found.items():
            gold, made_up = seen.get(name, (0, 0))
            seen[name] = gold + each.tp + each.fn, made_up + each.fp
    return sorted(seen, key=lambda name: (*(-number for number in seen[name]), name))


def titled(name: str) -> str:
    """Return a type with its meaning."""
    return f"{name} ({meaning(name)})" if meaning(name) else name


_VALUES: dict[str, Callable[[TypeCounts], float]] = {
    "p": lambda found: found.p,
    "r": lambda found: found.r,
    "f": lambda found: found.f(BETA),
}
_OUT_OF: dict[str, Callable[[TypeCounts], int]] = {
    "p": lambda found: found.tp + found.fp,
    "r": lambda found: found.tp + found.fn,
    "f": lambda found: found.tp + found.fp + found.fn,
}
"""The denominators of the rates; 0/0 is defined as 1."""


def heatmap(counts: Counts, types: Sequence[str], measure: str, name: str, references: References) -> None:
    """Draw the chosen measure for every system and type; a click chooses a cell."""
    cells = [[counts[system].get(type_) for system in counts] for type_ in types]
    values = [[_VALUES[measure](cell) if cell else None for cell in row] for row in cells]
    texts = [["" if value is None else f"{value:.2f}" for value in row] for row in values]
    shades = [
        [value if cell and _OUT_OF[measure](cell) else None for cell, value in zip(*row, strict=True)]
        for row in zip(cells, values, strict=True)
    ]
    notes = [[_told(type_, system, counts[system].get(type_)) for system in counts] for type_ in types]
    chart = cache.shared(
        session.corpus(),
        ("types", repr((shades, texts, notes, types))),
        lambda: charts.type_heatmap(shades, texts, notes, types, list(counts)),
    )
    data = pd.DataFrame(values, types, list(counts)).rename_axis("type")
    what = f"ERRANT's {TERMS[measure]} of each system, by error type"
    shows = [types_metric(references)]
    figure(chart, f"{name}-{measure}", what, data, index=True, on_click=_choose_cell, wide=True, shows=shows)
    st.caption(
        "1.00 without colour is 0/0, which ERRANT defines as 1: no edits made (precision) or no errors to correct "
        "(recall). An empty cell has neither edits nor errors."
    )


def _choose_cell(figure: str) -> None:
    """Callback: show the errors of the cell that was clicked."""
    for type_, system, *_ in session.clicked(figure):
        url_state.set_choice("type", type_)
        url_state.set_choice("errors_of", system)


def _told(type_: str, system: str, found: TypeCounts | None) -> str:
    if found is None:
        return f"{system}, {titled(type_)}: none"
    return f"{system}, {titled(type_)}: {found.tp} correct, {found.fp} wrong, {found.fn} missed"


def count_table(counts: Counts, types: Sequence[str], name: str, references: References) -> None:
    """Draw all counts and rates, as the `types` command prints them."""
    frame = pd.DataFrame(
        [
            (system, type_, meaning(type_), each.tp, each.fp, each.fn, each.p, each.r, each.f(BETA))
            for system in counts
            for type_ in types
            if (each := counts[system].get(type_))
        ],
        columns=["system", "type", "meaning", "tp", "fp", "fn", "p", "r", "f"],
    )
    table(frame, helps={name: glossary.help(term) for name, term in TERMS.items()}, height=380)
    what = "Correct, wrong and missed edits of each system, by error type"
    csv_button(frame, f"{name}-counts", what, shows=[types_metric(references)])


@st.fragment
def errors(
    corpus: Corpus, systems: Sequence[str], system: str, found: Sequence[Outcome], references: References
) -> None:
    """Draw the errors of one type in their sentences, with a link to each."""
    counts = {verdict: sum(each.verdict == verdict for each in found) for verdict in MARKS}
    verdicts = st.pills(
        "Verdicts",
        list(MARKS),
        selection_mode="multi",
        default=list(MARKS),
        format_func=lambda verdict: f"{MARKS[verdict]} ({counts[verdict]})",
        label_visibility="collapsed",
    )
    chosen = [each for each in found if each.verdict in verdicts]
    if not chosen:
        st.info("There is no such error.")
        return
    pages = -(-len(chosen) // LISTED)
    page = st.pagination(pages, key=f"page-of-{pages}") if pages > 1 else 1
    listed = chosen[(page - 1) * LISTED : page * LISTED]
    for each, edit in zip(listed, cache.edits_of_errors(corpus, system, listed, references), strict=True):
        _line(corpus, systems, system, each, edit)
    download(
        "CSV",
        partial(_errors_csv, corpus, system, chosen, references),
        f"{corpus.name}-{system}-errors.csv",
        "text/csv",
        help="Download all of these errors as CSV.",
    )


def _errors_csv(corpus: Corpus, system: str, found: Sequence[Outcome], references: References) -> bytes:
    edits = cache.edits_of_errors(corpus, system, found, references)
    rows = [
        (each.sentence, each.verdict, edit.start, edit.end, edit.correction, edit.type)
        for each, edit in zip(found, edits, strict=True)
    ]
    columns = [SENTENCE, "verdict", "start", "end", "correction", "type"]
    return csv_text(pd.DataFrame(rows, columns=columns)).encode()


def _line(corpus: Corpus, systems: Sequence[str], system: str, found: Outcome, edit: Edit) -> None:
    """Draw one error in its sentence, with a link to the sentence."""
    source, outputs = corpus.sentences[found.sentence].source, corpus.systems
    same = next(each for each in systems if outputs[each][found.sentence] == outputs[system][found.sentence])
    left, right = st.columns([1, 5], vertical_alignment="center")
    left.page_link(
        navigation.page("sentence"),
        label=f"Sentence {found.sentence + 1}",
        icon=":material/arrow_forward:",
        query_params={"sentence": str(found.sentence), "system": same},
    )
    right.html(f"<span class=lens-verdict>{MARKS[found.verdict]}</span> {marked(source, [edit])}")
