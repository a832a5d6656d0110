"""Sentence.

One sentence, all outputs, and what every edit was worth to every metric.
"""

import streamlit as st

from dashboard import services, state
from dashboard.comparison import comparison
from dashboard.components import sentence_view
from dashboard.components.explanation import explanation
from dashboard.components.messages import end_page, in_markdown, plain
from dashboard.components.sentence_steps import step_bar
from gec_core.explain.credit import difference
from gec_core.explain.edits import edits_read_by
from gec_core.precomputed import ScoresOnly

st.title("Sentence")
st.write(
    "What the systems made of one sentence: ~~deleted~~ words are struck through, inserted ones underlined. "
    "An edit's credit is what it adds to a metric's score, averaged over all orders in which the edits could be made."
)
found = comparison()
corpus = found.corpus
if isinstance(corpus, ScoresOnly):
    st.info("The texts of this corpus are not on this machine: `python -m gec_core corpora fetch conll14` gets them.")
    end_page()

index = step_bar(found)
sentence_view.source_and_references(corpus, index)

st.subheader("Outputs")
quick = {name: metric for name, metric in found.metrics.items() if services.quick(metric)}
shades = ["–", *quick]
shade = st.selectbox(
    "Shade edits by their credit under", shades, key=state.of_page("shade", shades, shades[min(1, len(quick))])
)
sentence_view.outputs_table(found, index, quick.get(shade))
with st.expander("What the judges said"):
    sentence_view.judges(found, index)

st.subheader("Edit by edit")
by_output = sentence_view.groups(found, index)
names = {systems[0]: output for output, systems in by_output.items()}
labels = {systems[0]: ", ".join(systems) for systems in by_output.values()}
same = {system: systems[0] for systems in by_output.values() for system in systems}
choices = sorted(names, key=lambda name: names[name] == corpus.sentences[index].source)
left, right = st.columns(2)
system = left.selectbox(
    "Output of", choices, format_func=labels.__getitem__, key=state.of_page("system", choices, choices[0], same)
)
others = ["–", *(name for name in choices if name != system)]
against = right.selectbox(
    "Compared with",
    others,
    format_func=lambda name: labels.get(name, name),
    key=state.of_page("against", others, "–", same),
)
credits = {
    name: services.credit(corpus, metric.signature, metric, index, names[system]) for name, metric in quick.items()
}
st.caption(
    f"Edits are read by {plain(edits_read_by())}. "
    "Credits of a row add up to the score of the output less that of the source."
)
if against == "–":
    sentence_view.credit_strips(credits)
    st.subheader("Aligned with source and reference")
    st.write("As the I-measure sees it: the cheapest alignment of all three, and the class of each column.")
    sentence_view.alignment(found, index, names[system])
    st.subheader("In each metric's own terms")
    for name, metric in quick.items():
        with st.expander(name):
            explanation(services.explanation(corpus, metric.signature, metric, index, names[system]))
else:
    differences = {
        name: difference(credit, services.credit(corpus, quick[name].signature, quick[name], index, names[against]))
        for name, credit in credits.items()
    }
    sentence_view.difference_table(differences, system, against)
    if not differences:
        end_page()
    st.subheader("In words")
    told = services.in_words(corpus, index, quick, by_output[names[system]], by_output[names[against]])
    for line in told.sentences:
        st.markdown(in_markdown(line))
