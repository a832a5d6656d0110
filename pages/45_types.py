"""Error types.

Which kinds of errors each system corrects, misses and overdoes.
"""

import streamlit as st

from dashboard import cache, session, url_state
from dashboard.comparison import chosen_systems
from dashboard.components import error_types
from dashboard.components.messages import end_page, plain
from dashboard.components.progress import need_types
from gec_core.meta.error_types import References, types_metric

st.title("Error types")
st.write(
    "How well each system does on each kind of error, as ERRANT names them. A row is a type, a column a system; "
    "the bluer a cell, the better. Choose a cell to read the errors behind its number."
)
corpus = session.corpus()
systems = chosen_systems(corpus)

with st.container(horizontal=True, gap="small"):
    levels, measures = list(error_types.LEVELS), list(error_types.MEASURES)
    level = st.segmented_control(
        "Types",
        levels,
        format_func=error_types.LEVELS.__getitem__,
        key=url_state.choice("level", levels, "group"),
        required=True,
    )
    measure = st.segmented_control(
        "Measure",
        measures,
        format_func=error_types.MEASURES.__getitem__,
        key=url_state.choice("measure", measures, "f"),
        required=True,
    )
    references: References = "auto"
    if len(golds := cache.gold_choices(corpus)) > 1:
        references = st.segmented_control(
            "Gold edits",
            golds,
            format_func=error_types.GOLDS.__getitem__,
            key=url_state.choice("references", golds, "auto"),
            required=True,
            help="The edits that ERRANT reads off the references, as it reads those of systems off their outputs; or "
            "the annotators' own.",
        )
need_types(corpus, references)
all_counts = cache.errors_by_type(corpus, level, references)
counts = {system: all_counts[system] for system in systems}
types = error_types.by_frequency(counts)
if not types:
    st.info("Neither the annotators nor the systems changed anything in this corpus.")
    end_page()
error_types.heatmap(counts, types, measure, f"{corpus.name}-{level}")
told = "Gold edits are read off the references." if references == "auto" else "Gold edits are the annotators' own."
st.caption(plain(f"{told} {types_metric(references).signature}"))

st.subheader("The errors behind a number")
if not corpus.has_texts:
    st.info(
        "To read the errors themselves takes the texts of the corpus: "
        f"`python -m gec_core corpora fetch {corpus.name}` gets them."
    )
    error_types.count_table(counts, types, f"{corpus.name}-{level}")
    end_page()
left, right = st.columns(2)
system = left.selectbox(
    "System", systems, key=url_state.choice("errors_of", systems, session.uploaded_or_first(systems))
)
type_ = right.selectbox("Type", types, format_func=error_types.titled, key=url_state.choice("type", types, types[0]))
found = cache.errors_of_type(corpus, system, level, type_, references)
error_types.errors(corpus, systems, system, found, references)

st.subheader("In numbers")
error_types.count_table(counts, types, f"{corpus.name}-{level}")
