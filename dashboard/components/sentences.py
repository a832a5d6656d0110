"""Sentences: their texts with edits, what judges said of them, and tables whose rows open one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Literal

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.components.comparison import Comparison
from dashboard.components.edits import marked
from dashboard.components.messages import plain
from gec_core.types import Corpus


def sentence_rows(
    corpus: Corpus,
    frame: pd.DataFrame,
    *,
    key: str,
    told: str = "",
    config: Mapping[str, Any] | None = None,
    height: int | Literal["auto"] = "auto",
    row_height: int | None = None,
) -> int | None:
    """Draw the table under a line of what is `told` of it; gives the row whose sentence is to be opened, if any."""
    how = "Choose a row to open its sentence." if corpus.has_texts else without_texts(corpus)
    st.caption(" ".join(part for part in (told, how, "Sentences are counted from 0.") if part))
    number = {"sentence": st.column_config.NumberColumn("no.", width=60, help="The sentence, counted from 0.")}
    looks: dict[str, Any] = {
        "hide_index": True,
        "column_config": number | dict(config or {}),
        "height": height,
        "row_height": row_height,
    }
    if not corpus.has_texts:
        st.dataframe(frame, **looks)
        return None
    chosen = st.dataframe(frame, **looks, on_select="rerun", selection_mode="single-row", key=key)
    return chosen.selection.rows[0] if chosen.selection.rows else None


def without_texts(corpus: Corpus) -> str:
    """Why there is no text to open, and how to get it."""
    return (
        "The texts of this corpus are not on this machine, so its sentences cannot be opened: "
        f"`python -m gec_core corpora fetch {corpus.name}` gets them."
    )


def source_and_references(corpus: Corpus, index: int) -> None:
    sentence = corpus.sentences[index]
    rows = [("source", escape(sentence.source))]
    for number, reference in enumerate(sentence.references, 1):
        edits = cache.output_edits(sentence.source, reference)
        rows.append((f"reference {number}", marked(sentence.source, edits)))
    text_table(rows)


def text_table(rows: Sequence[tuple[str, str]]) -> None:
    """Texts in HTML, each with its name before it."""
    body = "".join(f"<tr><th scope=row>{escape(name)}</th><td class=wrap>{text}</td></tr>" for name, text in rows)
    st.html(f"<div class=lens-scroll><table class='lens-table lens-texts'><tbody>{body}</tbody></table></div>")


def judges(found: Comparison, index: int) -> None:
    """What the judges said about this sentence."""
    items = [
        item
        for item in (found.corpus.judgments.items if found.corpus.judgments else ())
        if item.sentence == index and item.ranked
    ]
    if not items:
        st.caption("No judge looked at this sentence.")
        return
    for item in items:
        places: dict[int, list[str]] = {}
        for ranked in item.ranked:
            places.setdefault(ranked.rank, []).append(", ".join(ranked.systems))
        order = "  >  ".join("  =  ".join(names) for _, names in sorted(places.items()))
        st.markdown(f"{plain(item.judge)}: {plain(order)}")
