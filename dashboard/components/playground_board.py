"""The playground below its title: texts to type, and what the view makes of them. Drawn again as one types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from urllib.parse import urlencode

import streamlit as st

from dashboard import playground, session, url_state
from dashboard.components.address import replace_address
from dashboard.components.edit_switches import edit_switches
from dashboard.components.guess_board import guess_board, typed_question
from dashboard.components.messages import plain, problems_shown
from dashboard.components.score_board import score_board, usable
from dashboard.components.step_view import step_view
from dashboard.components.text_box import Text, Typed, text_box
from dashboard.playground import MOST_OUTPUTS, MOST_REFERENCES, Texts
from gec_core.corpora.suspicions import mismatch
from gec_core.errors import CorpusError
from gec_core.metrics.base import Metric
from gec_core.types import Corpus


@st.fragment
def board(view: str, ids: Sequence[str]) -> None:
    """Everything that depends on the texts; only this runs while one types."""
    with problems_shown():
        texts = playground.current()
        if view == "scores":
            left, right = st.columns([5, 7], gap="medium")
            with left:
                texts = _boxes(texts)
            with right:
                _body(view, texts, ids)
        else:
            above = st.container()
            with st.expander("Texts", expanded=view == "edits"):
                texts = _boxes(texts)
            with st.container() if view == "edits" else above:
                _body(view, texts, ids)


def _boxes(texts: Texts) -> Texts:
    """The text boxes; gives the texts as they are now."""

    def box(label: str, content: str, key: str, placeholder: str, *, removable: bool = False) -> Typed:
        text = Text(content, texts.version)
        return text_box(label, text, key=f"play-{key}", placeholder=placeholder, removable=removable)

    source = box("Source", texts.source, "source", "The sentence as the learner wrote it .")
    several = len(texts.outputs) > 1, len(texts.references) > 1
    outputs = [
        box(name, text, f"output-{number}", "The sentence as a system corrects it .", removable=several[0])
        for number, (name, text) in enumerate(texts.outputs)
    ]
    references = [
        box(
            f"Reference {number}",
            text,
            f"reference-{number}",
            "The sentence as an annotator corrects it .",
            removable=several[1],
        )
        for number, text in enumerate(texts.references, 1)
    ]
    found = replace(
        texts,
        source=source.text,
        outputs=tuple((name, box.text) for (name, _), box in zip(texts.outputs, outputs, strict=True)),
        references=tuple(box.text for box in references),
    )
    playground.keep(found)
    _add_or_remove(found, [box.removed for box in outputs], [box.removed for box in references])
    replace_address(url_state.typed_query())
    if not found.fit_an_address:
        st.caption("These texts are too long for the address: there is no link to them, and a reload loses them.")
    return found


def _add_or_remove(texts: Texts, outputs: Sequence[bool], references: Sequence[bool]) -> None:
    """Buttons for one box more, and the link; the flags say which boxes are to go."""
    with st.container(horizontal=True):
        if st.button("Add an output", icon=":material/add:", disabled=len(outputs) >= MOST_OUTPUTS):
            playground.add_output(texts)
            st.rerun()
        if st.button("Add a reference", icon=":material/add:", disabled=len(references) >= MOST_REFERENCES):
            playground.add_reference(texts)
            st.rerun()
        if texts.fit_an_address:
            with st.popover("Link", icon=":material/link:", help="An address that opens these texts."):
                query = urlencode({"corpus": session.corpus().name, "preset": texts.preset} | texts.address, doseq=True)
                st.code(f"{_base()}?{query}", language=None, wrap_lines=True)
    if any(outputs):
        playground.remove_output(texts, outputs.index(True))
        st.rerun()
    if any(references):
        playground.remove_reference(texts, references.index(True))
        st.rerun()


def _base() -> str:
    return str(st.context.url or "").split("?", 1)[0]


def _body(view: str, texts: Texts, ids: Sequence[str]) -> None:
    try:
        corpus = texts.corpus
    except CorpusError as problem:
        st.info(plain(str(problem)))
        return
    if not corpus.systems:
        st.info("There is no output yet: type the sentence as a system might correct it.")
        return
    metrics = usable(corpus, ids)
    if not metrics:
        st.info("Choose a metric that needs no reference in the sidebar, such as Scribendi Score.")
        return
    if view == "scores":
        models = st.toggle(
            "Models, too",
            value=True,
            help="Metrics with a model follow when you pause. They run beside the page and hold nothing up.",
        )
        score_board(corpus, metrics, models=models)
        _remarks(corpus)
    elif view == "edits":
        edit_switches(corpus, metrics)
    elif view == "guess":
        _guess(corpus, metrics)
    else:
        step_view(corpus, metrics)


def _guess(corpus: Corpus, metrics: Mapping[str, Metric]) -> None:
    if len({text for (text,) in corpus.systems.values()}) < 2:
        st.info("Type at least two different outputs to rank.")
        return
    st.html(f"<p class=lens-text><b>Source</b>&ensp;{escape(corpus.sentences[0].source)}</p>")
    guess_board(typed_question(corpus, metrics))


def _remarks(corpus: Corpus) -> None:
    """What a score alone does not say: outputs that change nothing, equal a reference, or are cut otherwise."""
    sentence = corpus.sentences[0]
    for name, (output,) in corpus.systems.items():
        if output == sentence.source:
            st.caption(f"{plain(name)} leaves the source as it is.")
        elif output in sentence.references:
            st.caption(f"{plain(name)} is reference {sentence.references.index(output) + 1}, word for word.")
        elif found := mismatch(sentence.source, output):
            theirs, ours = (plain(text) for text in found)
            st.caption(f"{plain(name)} writes “{theirs}” where the source has “{ours}”: metrics compare tokens.")
