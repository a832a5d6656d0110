"""How uploaded files of outputs are read: the choices, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from html import escape

import streamlit as st

from dashboard.components.edits import marked
from dashboard.components.messages import plain
from gec_core.align.edits import diff_edits
from gec_core.corpora import Finding, checking
from gec_core.corpora.prepare import AS_IS, Handling
from gec_core.corpora.tokenise import CHOICES, Choice
from gec_core.corpora.uploads import Outputs
from gec_core.types import Corpus

Read = Callable[[str, dict[str, Handling]], Sequence[Outputs]]
"""Reads the files, each in its own way; the results of every named step are kept."""
SHOWN = 3
"""Changed lines in a preview."""


def tell(findings: Iterable[Finding]) -> None:
    """Draw each finding in a box: errors in red, warnings in yellow."""
    for finding in findings:
        if finding.level == "error":
            st.error(f"Rejected: {plain(finding.message)}", icon=":material/block:")
        else:
            st.warning(f"Please check: {plain(finding.message)}", icon=":material/help:")


def choose_systems(read: Read, corpus: Corpus, key: str) -> dict[str, Outputs] | None:
    """Draw the outputs with a name for each, and how to read them; return them by name.

    What can be chosen depends on what was chosen before: another column may need tokenisation or lack outputs, and
    whether outputs are tokenised is only known once they fit the corpus. So the files are read again after each step.

    Returns:
        None if a name is invalid or nothing was read.
    """
    how: dict[str, Handling] = {}
    found = read("first", how)
    places = [st.container(border=True) for _ in found]
    for step, choose in (("column", _column), ("answers", _answers), ("tokenised", _tokenisation)):
        before = dict(how)
        for number, (one, place) in enumerate(zip(found, places, strict=True)):
            with place:
                chosen = choose(one, how.get(one.file, AS_IS), f"{key}-{number}")
            if chosen != AS_IS:
                how[one.file] = chosen
        found = read(step, dict(how)) if how != before else found
    systems: dict[str, Outputs] = {}
    fine = True
    for number, (one, place) in enumerate(zip(found, places, strict=True)):
        with place:
            if one.lines is None:
                tell(one.findings)
                continue
            left, right = st.columns([2, 3], vertical_alignment="bottom")
            name = left.text_input("Name", one.name, max_chars=checking.LONGEST, key=f"_name-{key}-{number}").strip()
            right.markdown(
                f"{len(one.lines):,} lines · {one.tokens:,} tokens · {one.unchanged:.0%} of the lines unchanged"
            )
            if problem := checking.name_problem(name, (*corpus.systems, *systems)):
                st.error(plain(problem), icon=":material/block:")
                fine = False
            systems[name] = one
            tell(one.findings)
            _split_lines(one)
            _first_changes(corpus, one.lines)
    return systems if fine and systems else None


def _column(one: Outputs, how: Handling, key: str) -> Handling:
    """Draw the name of a file, and which of its columns has the outputs."""
    if one.file:
        st.text(one.file)
    found = one.prepared.records if one.prepared else None
    if found is None or len(found.columns) < 2:
        return how
    picked = st.selectbox("Column of outputs", found.columns, found.columns.index(found.column), key=f"_column-{key}")
    return replace(how, column=picked) if picked != found.column else how


def _answers(one: Outputs, how: Handling, key: str) -> Handling:
    """Draw what to do about answers of language models: those that are missing, and what stands around them."""
    fill = one.fillable and st.checkbox(
        "Take the source where an output is missing, empty or a refusal", key=f"_fill-{key}"
    )
    if one.fillable and one.prepared and one.prepared.unanswered and not fill:
        st.caption(
            f"Empty outputs and refusals (here {len(one.prepared.unanswered):,}) are scored as they stand now: as if "
            "the system had deleted or rewritten the whole sentence. With the box ticked, the source is scored in "
            "their place: as if the system had changed nothing."
        )
    verbatim = (
        one.prepared is not None
        and one.prepared.cleaned
        and st.checkbox("Take outputs as they are, with what stands around them", key=f"_verbatim-{key}")
    )
    return replace(how, fill=fill, verbatim=verbatim)


def _tokenisation(one: Outputs, how: Handling, key: str) -> Handling:
    """Draw how to tokenise outputs that are not tokenised like their sources."""
    raw = one.prepared.raw if one.prepared else None
    if raw is None:
        return how
    st.warning(
        f"These outputs are not tokenised like the sources: {len(raw.changed):,} of {len(raw.lines):,} lines would be "
        "split differently. Metrics compare tokens, so without tokenisation every score would be too low.",
        icon=":material/content_cut:",
    )
    choices: list[Choice] = ["like-source", "none", "treebank", "spacy"]
    choice = st.radio("Tokenise", choices, format_func=CHOICES.__getitem__, horizontal=True, key=f"_tokenise-{key}")
    return replace(how, tokenise=choice) if choice != "none" else how


def _split_lines(one: Outputs) -> None:
    """Preview what tokenisation changed."""
    done = one.prepared.tokenised if one.prepared else None
    if not done or not done.changed:
        return
    with st.expander(f"What tokenisation changed: {len(done.changed):,} of {len(done.lines):,} lines", expanded=True):
        rows = "".join(
            f"<tr><th scope=row>{place + 1}</th><td class=wrap>{_separated(done.lines[place])}</td></tr>"
            for place in done.changed[:SHOWN]
        )
        st.html(f"<div class=lens-scroll><table class=lens-table><tbody>{rows}</tbody></table></div>")


def _separated(line: str) -> str:
    """The tokens of a line with a thin mark between them."""
    return "<span style='opacity:.45'> · </span>".join(escape(token) for token in line.split())


def _first_changes(corpus: Corpus, lines: Sequence[str]) -> None:
    changed = [number for number, line in enumerate(lines) if line != corpus.sentences[number].source][:SHOWN]
    if not changed:
        return
    with st.expander("First changed lines"):
        rows = ""
        for number in changed:
            source = corpus.sentences[number].source
            text = marked(source, diff_edits(source, lines[number]))
            rows += f"<tr><th scope=row>{number + 1}</th><td class=wrap>{text}</td></tr>"
        st.html(f"<div class=lens-scroll><table class=lens-table><tbody>{rows}</tbody></table></div>")
