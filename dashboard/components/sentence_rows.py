"""Tables whose rows are sentences, each of which can be opened where its text is here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pandas as pd
import streamlit as st

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
