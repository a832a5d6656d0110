"""Tables of numbers that can be sorted; style.css tells of those that are wider than their place."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

import pandas as pd
import streamlit as st

from gec_core.formatting import minus

_MOST_STYLED = 5_000
"""Cells up to which a table is quickly written with true minus signs."""
_LETTER, _ROOM, _WIDEST = 8, 24, 200
"""Pixels of a letter, around a text, and of the widest first column."""


def table(
    frame: pd.DataFrame,
    *,
    digits: int = 3,
    index: bool = False,
    heads: Mapping[str, str] | None = None,
    helps: Mapping[str, str] | None = None,
    wide: Collection[str] = (),
    height: int | Literal["auto"] = "auto",
) -> None:
    """A table with so many digits after the point, whose first column stays in sight when it scrolls sideways.

    `heads` are what columns are called on the page where this is not their name, `helps` what they are, and `wide`
    those that hold sentences.
    """
    shown = frame if index else frame.reset_index(drop=True)
    numbers = [name for name in shown.columns if pd.api.types.is_float_dtype(shown[name])]
    signed = shown.size <= _MOST_STYLED and bool((shown[numbers] < 0).any(axis=None))
    config: dict[Any, Any] = {
        name: st.column_config.Column((heads or {}).get(name), help=(helps or {}).get(name))
        if signed or name not in numbers
        else st.column_config.NumberColumn((heads or {}).get(name), help=(helps or {}).get(name), format=f"%.{digits}f")
        for name in shown.columns
    }
    for name in wide:
        config[name] |= {"width": "large"}
    if not index and len(shown.columns):
        first = shown.columns[0]
        longest = max((len(str(name)) for name in (first, *shown[first])), default=0)
        config[first] |= {"pinned": True, "width": min(_ROOM + _LETTER * longest, _WIDEST)}
    st.dataframe(
        # Streamlit's own formats know no minus sign; the numbers below a style sort as they did.
        shown.style.format(lambda value: minus(f"{value:.{digits}f}"), subset=numbers) if signed else shown,
        hide_index=not index,
        column_config=config,
        height=height,
    )
