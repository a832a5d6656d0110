"""Published figures beside ours, with a verdict on each, in words instead of the short keys of data/published."""

from __future__ import annotations

import re

import pandas as pd
import streamlit as st

from dashboard import cache, url_state
from dashboard.components.exports import csv_button, table
from gec_core.environment import how_to_run
from gec_core.formatting import minus
from gec_core.papers import papers_about
from gec_core.types import Corpus

TITLES = {
    "chollampatt2018": "Chollampatt and Ng 2018",
    "felice2015": "Felice and Briscoe 2015",
    "gong2022": "Gong et al. 2022",
    "islam2021": "Islam and Magnani 2021",
    "asano2017": "Asano et al. 2017",
    "kobayashi2024": "Kobayashi et al. 2024",
}
MARKS = {"equal": "✓ equal", "differs": "≠ differs", "missing": "– missing"}
METRICS = {
    "Scribendi": "Scribendi Score",
    "m2": "M²",
    "sentm2": "SentM²",
    "pt_m2": "PT-M²",
    "gleu": "GLEU",
    "bleu": "BLEU",
    "i_percent": "I-measure, in percent",
    "i_measure": "I-measure",
    "bertscore": "BERTScore",
    "scribendi": "Scribendi Score",
    "some": "SOME",
}
PEOPLE = {
    "expected_wins": "Expected Wins",
    "ew": "Expected Wins",
    "trueskill": "TrueSkill",
    "ts": "TrueSkill",
    "human_ew": "people, by Expected Wins",
    "human_ts": "people, by TrueSkill",
    "human_napoles2015": "people, by Napoles et al. 2015",
    "delta_vs_ew": "sum of distances from Expected Wins",
}
COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "rho": "Spearman's ρ"}
PARTS = {
    "all13": "all 13 systems",
    "without_IPN": "without IPN",
    "corpus": "corpus scores",
    "sentence": "means of sentence scores",
    "expanded": "expanded pairs",
    "unexpanded": "unexpanded pairs",
}
_EDITS = {"p": "precision", "r": "recall", "f05": "F0.5"}
OF_PAPER = {
    "felice2015": _EDITS
    | {f"{key}_original": f"{word} by M², original annotations" for key, word in _EDITS.items()}
    | {f"{key}_mixed": f"{word} by M², mixed annotations" for key, word in _EDITS.items()}
    | {
        "tp": "true positives",
        "tn": "true negatives",
        "fp": "false positives",
        "fn": "false negatives",
        "fpn": "both false positives and false negatives",
        "BASELINE": "the source, unchanged",
        "acc": "accuracy",
        "wacc": "weighted accuracy",
        "wacc_base": "weighted accuracy of the source",
        "i": "I-measure",
        "m2_f05 and f05": "F0.5 by M² and by I-measure's alignment",
        "m2_f05 and i": "F0.5 by M² and I-measure",
        "f05 and i": "F0.5 by I-measure's alignment and I-measure",
    },
    "gong2022": {"r": "Pearson's r"},
    "islam2021": {
        "ppl_source": "perplexity of the source",
        "ppl_prediction": "perplexity of the output",
        "tsr": "token sort ratio",
        "ldr": "Levenshtein distance ratio",
        "score": "Scribendi Score",
        "Asano2017": "Asano et al. 2017",
    },
    "kobayashi2024": {
        "errant": "ERRANT",
        "senterrant": "SentERRANT",
        "ptm2": "PT-M²",
        "pterrant": "PT-ERRANT",
        "gotoscorer": "GoToScorer",
        "impara": "IMPARA",
        "ew_edit": "Expected Wins, edit-based",
        "ew_sent": "Expected Wins, sentence-based",
        "ts_edit": "TrueSkill, edit-based",
        "ts_sent": "TrueSkill, sentence-based",
    },
    "asano2017": {
        "grammaticality_LT": "grammaticality, LanguageTool",
        "grammaticality_Heilman": "grammaticality, model after Heilman et al.",
        "LT": "grammaticality, LanguageTool",
        "Heilman": "grammaticality, model after Heilman et al.",
        "meaning_preservation": "meaning preservation",
        "combined_LT": "all three, LanguageTool",
        "combined_Heilman": "all three, model after Heilman et al.",
        "minA": "minimal edits of expert A",
        "fluA": "fluency edits of expert A",
        "minB": "minimal edits of expert B",
        "fluB": "fluency edits of expert B",
    },
}
_RANKINGS = {("gong2022", "table6"), ("islam2021", "table5")}
"""Tables that list the system at each rank."""
_TAUS = ("chollampatt2018", "table3")


def published(corpus: Corpus) -> None:
    """Draw the figures of the chosen paper beside ours."""
    if not corpus.has_texts:
        st.info(
            "Computing the published figures needs the texts of the corpus. Get them with "
            f"`{how_to_run(f'corpora fetch {corpus.name}')}`."
        )
        return
    papers = papers_about(corpus)
    if not papers:
        st.info("There are published figures about conll14 and seeda only. Choose one of them in the sidebar.")
        return
    left, right = st.columns(2)
    paper = left.selectbox(
        "Paper", papers, format_func=TITLES.__getitem__, key=url_state.choice("paper", papers, papers[0])
    )
    verdicts = right.pills(
        "Verdict", list(MARKS), selection_mode="multi", default=list(MARKS), format_func=MARKS.__getitem__
    )
    rows = cache.reproduced(corpus, paper)
    frame = pd.DataFrame(rows, columns=["table", "row", "column", "published", "ours", "verdict", "why"])
    counts = frame["verdict"].value_counts()
    told = ", ".join(f"{counts.get(verdict, 0)} {mark}" for verdict, mark in MARKS.items())
    st.markdown(f"**{len(frame)} figures:** {told}")
    shown = frame[frame["verdict"].isin(verdicts)]
    table(_in_words(paper, shown), height=520, wide=("why",))
    csv_button(frame, f"{corpus.name}-{paper}", f"Published figures beside ours: {TITLES[paper]},")


def _in_words(paper: str, frame: pd.DataFrame) -> pd.DataFrame:
    """The rows in words; the file has the keys."""
    return pd.DataFrame(
        {
            "where": [place(each) for each in frame["table"]],
            "of": [row_words(paper, *each) for each in zip(frame["table"], frame["row"], strict=True)],
            "figure": [column_words(paper, each) for each in frame["column"]],
            "published": [_number(each) for each in frame["published"]],
            "ours": [_number(each) for each in frame["ours"]],
            "verdict": [MARKS[each] for each in frame["verdict"]],
            "why": list(frame["why"]),
        }
    )


def _number(text: str) -> str:
    """With a minus sign, unless it is a name with a hyphen."""
    return minus(text) if text.startswith("-") else text


def place(table: str) -> str:
    """Return where in the paper a figure is: Table 2."""
    return "Text" if table == "williams" else re.sub(r"(\d+)$", r" \1", table.capitalize())


def row_words(paper: str, table: str, row: str) -> str:
    """Return what a row is about."""
    if (paper, table) in _RANKINGS and row.isdecimal():
        return f"system on rank {row}"
    if (paper, table) == _TAUS:
        return "number of pairs" if row == "pairs" else f"tau of {_squared(row)}"
    if table == "williams":
        return f"Williams test: {_squared(row)}"
    told = (METRICS | PEOPLE | OF_PAPER.get(paper, {})).get(row, row)
    return re.sub(r" ?hyp(\d+)", r", hypothesis \1", _squared(told)).removeprefix(", ")


def column_words(paper: str, column: str) -> str:
    """Return what a column is about; its key may combine several."""
    words = METRICS | PEOPLE | COEFFICIENTS | PARTS | OF_PAPER.get(paper, {})
    if column in words:
        return words[column]
    for separator in (" ", "_"):
        parts = column.split(separator)
        if len(parts) > 1 and parts[0] in PEOPLE | PARTS:
            return ", ".join(words.get(part, part) for part in parts)
    return _squared(" ".join(words.get(part, part) for part in column.split(" ")))


def _squared(text: str) -> str:
    return re.sub(r"M2\b", "M²", text)
