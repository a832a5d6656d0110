"""Tables on pages and in files."""

import pandas as pd
import pyarrow as pa
from opening import opened
from streamlit.testing.v1 import AppTest

from dashboard.components.exports import csv_text, from_1


def test_no_cell_of_a_table_is_a_formula() -> None:
    frame = pd.DataFrame(
        {"system": ["=1+1", "A"], "@score": [-0.125, 1 / 3], "n": [-1, 2]}, index=pd.Index(["-x", "y"], name="which")
    )
    lines = ["which,system,'@score,n", "'-x,'=1+1,-0.125,-1", "y,A,0.3333333333333333,2"]
    assert csv_text(frame, index=True).splitlines() == lines
    assert csv_text(frame).splitlines() == [line.split(",", 1)[1] for line in lines]


def test_other_tables_are_as_pandas_writes_them() -> None:
    frame = pd.DataFrame({"a": [1.5, None], "b": ["x", None], "c": [True, False]}, index=[3, 4])
    assert csv_text(frame, index=True) == frame.to_csv()


def test_numbers_below_zero_have_a_minus_sign_and_stay_numbers(app: AppTest) -> None:
    opened(app, "30_correlation.py", corpus="conll14", metrics=["m2", "imeasure"])
    (found,) = (each for each in app.dataframe if "pearson" in each.value.columns)
    assert found.value["pearson"].min() < 0
    written = str(pa.ipc.open_stream(found.proto.arrow_data.styler.display_values).read_pandas())
    assert "−0.247" in written
    assert "-0." not in written
    assert found.proto.placeholder == "–", "what has no number would be called None"
    opened(app, "30_correlation.py", corpus="conll14", metrics=["m2", "imeasure"], view="scatter")
    assert "r −0.247 [−0.7" in " ".join(each.value for each in app.markdown)


def test_sentences_are_counted_from_1_on_pages_and_from_0_in_files() -> None:
    frame = pd.DataFrame({"sentence": [0, 7], "score": [0.5, 1.0]})
    assert list(from_1(frame)["sentence"]) == [1, 8]
    assert csv_text(frame).splitlines() == ["sentence (from 0),score", "0,0.5", "7,1.0"]


def test_a_table_for_a_paper_says_where_it_comes_from(app: AppTest) -> None:
    opened(app, "20_rankings.py", corpus="demo", metrics=["m2", "gleu"], without=["NOISY"])

    def script() -> None:
        import pandas as pd
        import streamlit as st

        from dashboard.components.exports import Origin, paper_table
        from gec_core.metrics import create

        frame = pd.DataFrame({"sentence": [0, 7], "score": [0.5, None], "yes": [True, False]})
        chosen, other = Origin("Scores"), Origin("Rankings of many corpora", [create("green")], of_choice=False)
        st.text(paper_table(frame, chosen.caption(), chosen.made_with()).text("markdown"))
        st.caption(" ".join(other.caption()))
        st.caption(" ".join(other.made_with()))
        st.caption(" ".join(Origin("Edits", shows=[]).caption()))
        st.caption(str(len(other.citations())))

    made = AppTest.from_function(script, default_timeout=120)
    for key in ("corpus", "human", "metrics", "without"):
        made.session_state[key] = app.session_state[key]
    (text,) = (each.value for each in made.run().text)
    what, made_with, of_corpus, cited = (each.value for each in made.caption)
    assert what == "Rankings of many corpora."
    assert of_corpus == "Edits on demo. Left out: NOISY.", "no human ranking is shown"
    assert "green" in made_with
    assert "m2" not in made_with, "these are the chosen metrics, not those that are shown"
    assert cited == "1", "of the metric, not of the chosen corpus"
    assert "| 1 | 0.500 | True |\n| 8 | – | False |" in text
    assert "Scores on demo. Human ranking: Expected Wins (ew). Left out: NOISY.\n\n- M²: m2" in text.replace("\\", "")
