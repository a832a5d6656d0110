"""Published figures in plain words; their keys are for the file."""

import re

import pytest
from conftest import CONLL14, needs_conll14
from opening import opened
from streamlit.testing.v1 import AppTest

from dashboard.views.correlation.published import column_words, place, row_words


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        (
            ("chollampatt2018", "table2", "M2", "expected_wins without_IPN pearson"),
            ("Table 2", "M²", "Expected Wins, without IPN, Pearson's r"),
        ),
        (
            ("chollampatt2018", "table3", "GLEU", "unexpanded NoTies"),
            ("Table 3", "tau of GLEU", "unexpanded pairs, NoTies"),
        ),
        (
            ("chollampatt2018", "table4", "example 2 hyp3", "i_percent"),
            ("Table 4", "example 2, hypothesis 3", "I-measure, in percent"),
        ),
        (("felice2015", "table3", "hyp2", "r"), ("Table 3", "hypothesis 2", "recall")),
        (
            ("gong2022", "table5", "PT-M2 BERT", "ts_sentence_r"),
            ("Table 5", "PT-M² BERT", "TrueSkill, means of sentence scores, Pearson's r"),
        ),
        (("gong2022", "table6", "3", "human_ts"), ("Table 6", "system on rank 3", "people, by TrueSkill")),
        (("gong2022", "table3", "sentence 248 AMU", "bertscore"), ("Table 3", "sentence 248 AMU", "BERTScore")),
        (
            ("gong2022", "figure3", "PT-M2 BERT, inverse", "pearson less SentM2's"),
            ("Figure 3", "PT-M² BERT, inverse", "Pearson's r less SentM²'s"),
        ),
    ],
)
def test_a_figure_in_words(cell: tuple[str, str, str, str], told: tuple[str, str, str]) -> None:
    paper, table, row, column = cell
    assert (place(table), row_words(paper, table, row), column_words(paper, column)) == told


@needs_conll14
def test_no_key_is_left_on_the_page(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEC_LENS_DATA", str(CONLL14.parent))
    opened(app, "30_correlation.py", corpus="conll14", view="published", paper="asano2017")
    (table,) = (each.value for each in app.dataframe)
    for text in {*table["where"], *table["of"], *table["figure"]}:
        assert not re.search(r"_|M2|\bLT\b|pearson|spearman|hyp\d|table\d", text), text
    assert not [text for text in (*table["published"], *table["ours"]) if text.startswith("-")]
