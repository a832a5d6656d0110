"""Tables of numbers that can be sorted; style.css tells of those that are wider than their place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pandas as pd
import streamlit as st

from gec_core.minus import minus

_MOST_STYLED = 5_000
"""Cells up to which a table is quickly written with true minus signs."""


def table(
    frame: pd.DataFrame,
    *,
    digits: int = 3,
    index: bool = False,
    heads: Mapping[str, str] | None = None,
    helps: Mapping[str, str] | None = None,
    height: int | Literal["auto"] = "auto",
) -> None:
    """A table with so many digits after the point, whose first column stays in sight when it scrolls sideways.

    `heads` are what columns are called on the page where this is not their name, `helps` what they are.
    """
    numbers = [name for name in frame.columns if pd.api.types.is_float_dtype(frame[name])]
    config: dict[Any, Any] = {
        name: _column((heads or {}).get(name), (helps or {}).get(name), digits if name in numbers else None)
        for name in frame.columns
    }
    if not index and len(frame.columns):
        config[frame.columns[0]]["pinned"] = True
    shown = frame if index else frame.reset_index(drop=True)
    st.dataframe(_with_minus_signs(shown, numbers, digits), hide_index=not index, column_config=config, height=height)


def _column(head: str | None, told: str | None, digits: int | None) -> Any:
    if digits is None:
        return st.column_config.Column(head, help=told)
    return st.column_config.NumberColumn(head, help=told, format=f"%.{digits}f")


def _with_minus_signs(frame: pd.DataFrame, numbers: list[Any], digits: int) -> Any:
    """The same numbers, which sort as before, written for people: Streamlit's own formats have only the hyphen."""
    if frame.size > _MOST_STYLED or not (frame[numbers] < 0).any(axis=None):
        return frame
    return frame.style.format(lambda value: minus(f"{value:.{digits}f}"), subset=numbers)
