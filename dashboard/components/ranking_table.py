"""The table of systems under metrics."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from gec_core.scores import ScoreTable


def ranks(table: ScoreTable) -> pd.DataFrame:
    """The rank of each system under each metric, 1 for the best; equal scores share the better rank."""
    return scores(table).rank(ascending=False, method="min").astype(int)


def scores(table: ScoreTable) -> pd.DataFrame:
    """Systems down, metrics across, best system of the first metric on top."""
    frame = pd.DataFrame({column.metric.name: column.values for column in table.columns})
    frame.index.name = "system"
    return frame.sort_values(frame.columns[0], ascending=False, kind="stable")


def ranking_table(table: ScoreTable, *, as_ranks: bool) -> None:
    """A sortable table; the signature of each metric is one hover away."""
    frame = ranks(table) if as_ranks else scores(table)
    columns = {
        column.metric.name: st.column_config.NumberColumn(
            help=f"{column.metric.summary} Signature: `{column.metric.signature}`",
            format="%d" if as_ranks else "%.2f" if column.metric.percent else "%.4f",
        )
        for column in table.columns
    }
    st.dataframe(frame, column_config=columns, height="content")
