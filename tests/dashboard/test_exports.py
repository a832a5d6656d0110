"""Tables that are taken along."""

import pandas as pd

from dashboard.components.exports import csv_text


def test_no_cell_of_a_table_is_a_formula():
    frame = pd.DataFrame(
        {"system": ["=1+1", "A"], "@score": [-0.125, 1 / 3], "n": [-1, 2]}, index=pd.Index(["-x", "y"], name="which")
    )
    lines = ["which,system,'@score,n", "'-x,'=1+1,-0.125,-1", "y,A,0.3333333333333333,2"]
    assert csv_text(frame, index=True).splitlines() == lines
    assert csv_text(frame).splitlines() == [line.split(",", 1)[1] for line in lines]


def test_other_tables_are_as_pandas_writes_them():
    frame = pd.DataFrame({"a": [1.5, None], "b": ["x", None], "c": [True, False]}, index=[3, 4])
    assert csv_text(frame, index=True) == frame.to_csv()
