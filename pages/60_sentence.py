"""Sentence.

One sentence, all outputs, and what every edit was worth to every metric.
"""

import streamlit as st

from dashboard import cache, session, url_state
from dashboard.comparison import comparison
from dashboard.components import sentence_view
from dashboard.components.credit_tables import credit_table, difference_table
from dashboard.components.explanation import explanations
from dashboard.components.messages import end_page, in_markdown, plain
from dashboard.components.models_asked import ask_models
from dashboard.components.sentence_rows import without_texts
from dashboard.components.sentence_steps import step_bar
from gec_core.explain.credit import difference
from gec_core.explain.edits import edits_read_by

st.title("Sentence")
st.write(
    "What the systems made of one sentence: ~~deleted~~ words are struck through, inserted ones underlined. "
    "An edit's credit is what it adds to a metric's score, averaged over all orders in which the edits could be made."
)
found = comparison()
corpus = found.corpus
if not corpus.has_texts:
    st.info(without_texts(corpus))
    end_page()

index = step_bar(found)
source = corpus.sentences[index].source
sentence_view.source_and_references(corpus, index)

st.subheader("Edit by edit")
by_output = sentence_view.groups(found, index)
names = {systems[0]: output for output, systems in by_output.items()}
labels = {systems[0]: ", ".join(systems) for systems in by_output.values()}
same = {system: systems[0] for systems in by_output.values() for system in systems}
outputs = sorted(names, key=lambda name: names[name] == source)
first = same[session.uploaded_or_first([*outputs, *same])]
left, right = st.columns(2)
system = left.selectbox(
    "Output of", outputs, format_func=labels.__getitem__, key=url_state.choice("system", outputs, first, same)
)
others = ["–", *(name for name in outputs if name != system)]
against = right.selectbox(
    "Compared with",
    others,
    format_func=lambda name: labels.get(name, name),
    key=url_state.choice("against", others, "–", same),
)
chosen = {name: names[name] for name in (system, against) if name in names}
sentence_view.chosen_outputs(found, index, chosen)
known = {
    name: worths
    for name, metric in found.metrics.items()
    if all(worths := [cache.worth(corpus, metric, index, output) for output in chosen.values()])
}
if against == "–":
    credit_table(source, {name: worths[0].credit for name, worths in known.items()})
else:
    credits = {name: [worth.credit for worth in worths] for name, worths in known.items()}
    difference_table(source, {name: difference(*both) for name, both in credits.items()}, system, against)
st.caption(
    "Each row is shaded on its metric's own scale: blue adds to the score, orange takes from it. Credits of a row add "
    f"up to {'the score of the output less that of the source' if against == '–' else 'the difference of the scores'}. "
    f"Edits are read by {plain(edits_read_by())}."
)
slow = {name: metric for name, metric in found.metrics.items() if cache.needs_model(metric)}
ask_models(found, slow, index, chosen)
if against != "–" and known:
    st.subheader("In words")
    told = cache.in_words(corpus, index, found.metrics, *(by_output[output] for output in chosen.values()))
    st.markdown("\n".join(f"- {in_markdown(line)}" for line in told.sentences))

st.subheader("All outputs")
shades = ["–", *known]
shade = st.selectbox(
    "Shade edits by their credit under", shades, key=url_state.choice("shade", shades, shades[min(1, len(known))])
)
sentence_view.outputs_table(found, index, found.metrics.get(shade))
with st.expander("What the judges said"):
    sentence_view.judges(found, index)

st.subheader("Aligned with source and reference")
st.write("As the I-measure sees it: the cheapest alignment of all three, and the class of each column.")
sentence_view.alignments(found, index, chosen)
st.subheader("In each metric's own terms")
for name, worths in known.items():
    with st.expander(name):
        explanations({name: worth.explanation for name, worth in zip(chosen, worths, strict=True)})
