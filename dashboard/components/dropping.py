"""What the places to drop files share: getting at the files, telling what is wrong, showing what was understood."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

import streamlit as st

from dashboard import session
from dashboard.components.edits import marked
from dashboard.components.messages import plain
from gec_core.align.edits import diff_edits
from gec_core.corpora import Finding, checking
from gec_core.corpora.uploads import Outputs, Upload
from gec_core.types import Corpus

SHOWN = 3
"""Changed lines that a preview shows."""


def dropped_files(name: str, label: str, help: str) -> tuple[list[Upload], tuple[str, ...]]:
    """The files that lie in a place to drop them, and what tells them from others."""
    files = st.file_uploader(label, accept_multiple_files=True, key=session.upload_key(name), help=help)
    return [Upload(file.name, file.getvalue()) for file in files], tuple(file.file_id for file in files)


def tell(findings: Iterable[Finding]) -> None:
    """Each finding in a box: what is refused in red, what is odd in yellow, both with a word for it."""
    for finding in findings:
        if finding.level == "error":
            st.error(f"Refused: {plain(finding.message)}", icon=":material/block:")
        else:
            st.warning(f"Odd: {plain(finding.message)}", icon=":material/help:")


def name_systems(read: Sequence[Outputs], corpus: Corpus, key: str) -> dict[str, tuple[str, ...]] | None:
    """The outputs by the names that the visitor gives them; None as long as one will not do or nothing was read."""
    systems: dict[str, tuple[str, ...]] = {}
    fine = True
    for number, one in enumerate(read):
        with st.container(border=True):
            if one.file:
                st.text(one.file)
            if one.lines is None:
                tell(one.findings)
                continue
            left, right = st.columns([2, 3], vertical_alignment="bottom")
            name = left.text_input("Call it", one.name, max_chars=checking.LONGEST, key=f"_name-{key}-{number}").strip()
            right.markdown(
                f"{len(one.lines):,} lines · {one.tokens:,} tokens · {one.unchanged:.0%} of the lines unchanged"
            )
            if problem := checking.name_problem(name, (*corpus.systems, *systems)):
                st.error(plain(problem), icon=":material/block:")
                fine = False
            systems[name] = one.lines
            tell(one.findings)
            _first_changes(corpus, one.lines)
    return systems if fine and systems else None


def _first_changes(corpus: Corpus, lines: Sequence[str]) -> None:
    changed = [number for number, line in enumerate(lines) if line != corpus.sentences[number].source][:SHOWN]
    if not changed:
        return
    with st.expander("The first changed lines"):
        rows = ""
        for number in changed:
            source = corpus.sentences[number].source
            text = marked(source, diff_edits(source, lines[number]))
            rows += f"<tr><th scope=row>{number + 1}</th><td class=wrap>{text}</td></tr>"
        st.html(f"<div class=lens-scroll><table class=lens-table><tbody>{rows}</tbody></table></div>")


def listed(items: Sequence[tuple[str, str]], key: str, on_remove: Callable[[str], None]) -> None:
    """Things that the visitor has, each with what it is and a button to remove it."""
    for name, told in items:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f"<b>{escape(name)}</b> <span style='opacity:.72'>{escape(told)}</span>", width="stretch")
            st.button("Remove", key=f"_remove-{key}-{name}", on_click=on_remove, args=(name,), icon=":material/close:")
