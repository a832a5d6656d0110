"""The page *Sentence agreement*: how often a metric prefers the output that the judge preferred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import get_args

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import cache, glossary
from dashboard.components.comparison import ChosenScores, comparison, tell_unjudged, with_sentences
from dashboard.components.controls import choose_view
from dashboard.components.exports import csv_button, figure, table
from dashboard.components.messages import end_page, plain
from dashboard.components.progress import need_types
from dashboard.views.agreement.edits import verdicts
from gec_core import charts
from gec_core.align.errant_types import meaning
from gec_core.environment import how_to_run
from gec_core.formatting import minus
from gec_core.human.pairs import TIE, Pairs
from gec_core.human.sources import PairSet
from gec_core.meta.agreement import Ties, compare
from gec_core.meta.permutation import tied_accuracy
from gec_core.types import Flags, Integers

VARIANTS: dict[Ties, str] = {
    "HTies": "HTies: ties count",
    "NoTies": "NoTies: without the judges' ties",
    "Decided": "Decided: without any ties",
    "SEEDA": "SEEDA: as in SEEDA's scripts",
}
SETS: dict[PairSet, str] = {
    "expanded": "Expanded: all systems, even with the same output",
    "unexpanded": "Unexpanded: each different output once",
}
FEWEST = 30
"""The fewest pairs for which a part of the judgments is shown."""
MOST_TYPES = 12
"""The number of error types shown, the most common ones."""
VIEWS = {
    "tau": "Kendall's tau",
    "length": "By sentence length",
    "edits": "By number of edits",
    "type": "By error type",
    "judge": "By judge",
    "ties": "Ties",
    "tests": "Significance",
    "verdicts": "Single edits",
}


def show() -> None:
    """Draw the page."""
    st.title("Sentence agreement")
    st.write(
        "Judges ranked outputs of the same sentence; every two of them form a pair. Tau measures how often a metric "
        "prefers the same output as the judge: 1 means always, 0 as often as not, −1 never."
    )
    found = comparison()
    if not found.corpus.has_texts:
        st.info(
            "The judgments of single outputs come with the texts of this corpus, which are not on this machine. Get "
            f"them with `{how_to_run(f'corpora fetch {found.corpus.name}')}`."
        )
        end_page()
    if not found.corpus.judgments:
        st.info(
            "This corpus has no judgments of single outputs. Add `judgments.xml` or `judgments.csv` to its folder to "
            "compare metrics with judges sentence by sentence."
        )
        end_page()
    judged_systems = found.corpus.judgments.systems
    found = with_sentences(found, [name for name in found.kept if name in judged_systems])

    view = choose_view(VIEWS, "tau")
    tell_unjudged(found, judged_systems)
    if view == "tau":
        tau_table(found)
    elif view == "tests":
        significance(found)
    elif view == "verdicts":
        verdicts(found)
    elif view == "ties":
        st.write(
            "Systems with the same output always tie. The other ties show how often judges and metrics see no "
            "difference between different outputs: a metric with many of them misses a lot."
        )
        ties(found)
    else:
        st.write(
            "Tau (NoTies) on unexpanded pairs, for parts of the judgments. A metric may do well on some parts only."
        )
        if view == "type":
            st.write(
                "A column covers the sentences in which an annotator found such an error, so a sentence may count in "
                "several columns."
            )
            need_types(found.corpus)
        slices(found, view)


def judged(found: ChosenScores, which: PairSet) -> Pairs:
    """Return the judged pairs of the systems that have outputs and are not left out."""
    return cache.pairs_among(found.corpus, which, _kept(found))


def preferred(found: ChosenScores, which: PairSet) -> dict[str, Integers]:
    """Return which output of each pair every metric prefers."""
    return {
        column.metric.title: cache.preferred(found.corpus, which, _kept(found), column.metric.signature, column)
        for column in found.table.columns
    }


def _kept(found: ChosenScores) -> tuple[str, ...]:
    return tuple(name for name in found.corpus.systems if name not in found.left_out)


def tau_table(found: ChosenScores) -> None:
    """Draw tau for every metric, by set of pairs and treatment of ties."""
    rows = []
    for which in get_args(PairSet):
        for column in found.table.columns:
            results = cache.agreements(found.corpus, which, _kept(found), column.metric.signature, column)
            for ties, (result, interval) in results.items():
                counts = (result.agree, result.disagree, result.pairs)
                rows.append((column.metric.title, which, ties, *counts, result.tau, interval.low, interval.high))
    frame = pd.DataFrame(rows, columns=["metric", "set", "variant", "agree", "disagree", "pairs", "tau", "low", "high"])
    left, right = st.columns(2)
    which = left.selectbox(
        "Pairs",
        list(SETS),
        format_func=SETS.__getitem__,
        help=_explained({name: name.capitalize() for name in SETS}),
    )
    variant = right.selectbox(
        "Ties",
        list(VARIANTS),
        index=1,
        format_func=VARIANTS.__getitem__,
        help=_explained({name: name for name in VARIANTS}),
    )
    shown = frame[(frame["set"] == which) & (frame["variant"] == variant)].sort_values("tau", ascending=False)
    drawn = [(str(r.metric), r.tau, r.low, r.high) for r in shown.itertuples() if pd.notna(r.tau)]
    chart = charts.intervals(drawn, x="tau with 95% interval")
    what = "Kendall's tau of each metric with the judges over pairs of outputs"
    figure(
        chart, f"{found.corpus.name}-tau-{which}-{variant}", f"{what} ({which}, {variant}), with 95% intervals", shown
    )
    st.subheader("All pairs and treatments of ties")
    table(
        frame,
        helps={
            "tau": glossary.help("Tau"),
            "low": "The lower end of the 95% interval.",
            "high": "The upper end of the 95% interval.",
        },
    )
    csv_button(frame, f"{found.corpus.name}-tau", f"{what}, with 95% intervals")


def _explained(terms: Mapping[str, str]) -> str:
    """The explanations of several terms, as a list."""
    return "\n".join(f"- **{name}**: {glossary.help(term)}" for name, term in terms.items())


def slices(found: ChosenScores, by: str) -> None:
    """Draw tau for parts of the judgments: by sentence length, number of gold edits, error type or judge."""
    pairs = judged(found, "unexpanded")
    parts = {label: keep for label, keep in _parts(found, pairs, by) if (pairs.relation[keep] != TIE).sum() >= FEWEST}
    if not parts:
        st.info("There are too few judged pairs to look at parts of them.")
        return
    names = list(parts)
    values, texts, metrics, rows = [], [], [], []
    for metric, answers in preferred(found, "unexpanded").items():
        results = [compare(pairs.where(keep), answers[keep], "NoTies") for keep in parts.values()]
        metrics.append(metric)
        values.append([result.tau for result in results])
        texts.append(["–" if result.tau is None else minus(f"{result.tau:.2f}") for result in results])
        rows += [(metric, name, result.pairs, result.tau) for name, result in zip(names, results, strict=True)]
    notes = [f"{int((pairs.relation[keep] != TIE).sum()):,} pairs" for keep in parts.values()]
    chart = charts.heatmap(
        values, texts, names, notes=notes, rows=metrics, low=-0.6, high=0.6, colours=charts.DIVERGING, bar="tau"
    )
    data = pd.DataFrame(rows, columns=["metric", by, "pairs", "tau"])
    what = f"Kendall's tau of each metric with the judges, {VIEWS[by].lower()}"
    figure(chart, f"{found.corpus.name}-tau-by-{by}", what, data, wide=True)
    if by == "type":
        st.caption(" · ".join(f"**{plain(name)}** {meaning(name)}" for name in names))


def _parts(found: ChosenScores, pairs: Pairs, by: str) -> Iterator[tuple[str, Flags]]:
    """Parts of the pairs with their names; parts by error type may overlap."""
    if by == "type":
        types = cache.gold_type_groups(found.corpus)
        often = Counter(name for line in pairs.sentence.tolist() for name in types[line]).most_common(MOST_TYPES)
        for name, _ in often:
            yield name, np.array([name in each for each in types])[pairs.sentence]
        return
    if by == "judge":
        for index, judge in enumerate(pairs.judges):
            yield judge, pairs.judge == index
        return
    if by == "length":
        of_sentence = np.array([len(sentence.tokens) for sentence in found.corpus.sentences])
        unit = "tokens"
    else:
        of_sentence = np.array(
            [max((len(a.edits) for a in sentence.annotations), default=0) for sentence in found.corpus.sentences]
        )
        unit = "gold edits"
    amount = of_sentence[pairs.sentence]
    if not len(amount):
        return
    edges = sorted({int(edge) for edge in np.quantile(amount, [0, 0.2, 0.4, 0.6, 0.8])})
    for low, high in zip(edges, [*edges[1:], int(amount.max()) + 1], strict=True):
        label = f"{low}" if high == low + 1 else f"{low}–{high - 1}"
        yield f"{label} {unit}", (amount >= low) & (amount < high)


def significance(found: ChosenScores) -> None:
    """Draw accuracy with optimised ties, clusters of metrics and the p-values behind them."""
    st.write(
        "Accuracy with optimised ties: the share of judged pairs that metric and judge order alike or both tie, where "
        "the metric ties outputs that differ by less than the threshold that suits it best. Metrics in one cluster "
        "cannot be told apart by permutation tests (p > 0.05). All as in mt-metrics-eval."
    )
    columns = {column.metric.title: column for column in found.table.columns}
    compared = cache.permutation_tests(found.corpus, _kept(found), tuple(columns), list(columns.values()))
    pairs = judged(found, "unexpanded")
    rows = []
    for each in compared.ranked:
        column = columns[each.metric]
        tied = tied_accuracy(pairs, cache.sentence_arrays(found.corpus, column.metric.signature, column))
        rows.append((each.metric, each.cluster, tied.accuracy, tied.epsilon))
    frame = pd.DataFrame(rows, columns=["metric", "cluster", "accuracy", "threshold"])
    table(frame)
    what = "Metrics in clusters by their accuracy on judged pairs, with optimised ties"
    csv_button(frame, f"{found.corpus.name}-clusters", what)
    if len(compared.ranked) < 2:
        return
    st.subheader("Is one metric better than another?")
    names = [each.metric for each in compared.ranked]
    p_values = {(test.better, test.worse): test.p for test in compared.tests}
    values = [[p_values.get((one, other)) for other in names] for one in names]
    chart = charts.heatmap(
        values,
        [["" if p is None else "<.01" if p < 0.01 else f"{p:.2f}".lstrip("0") for p in row] for row in values],
        names,
        rows=names,
        low=0.0,
        high=0.5,
        colours=charts.P_VALUES,
        bar="p",
    )
    data = pd.DataFrame([(test.better, test.worse, test.difference, test.p) for test in compared.tests])
    data.columns = pd.Index(["better", "worse", "difference", "p"])
    what = "The p-value that the metric of the row orders judged pairs no better than that of the column"
    figure(chart, f"{found.corpus.name}-permutation-tests", what, data, wide=True)
    st.caption(f"p that the metric of the row is not better than that of the column, on {len(pairs):,} judged pairs.")


def ties(found: ChosenScores) -> None:
    """Draw the ties of judges and metrics: between equal outputs, and between different ones."""
    pairs = judged(found, "expanded")
    if not len(pairs):
        return
    judge_tie = pairs.relation == TIE
    rows = [("the judges", *(_share(flags) for flags in (pairs.identical & judge_tie, judge_tie & ~pairs.identical)))]
    for metric, answers in preferred(found, "expanded").items():
        tie = answers == TIE
        rows.append((metric, _share(tie & pairs.identical), _share(tie & ~pairs.identical)))
    frame = pd.DataFrame(rows, columns=["side", "same output", "different outputs"])
    chart = charts.stacked(
        frame["side"].tolist(),
        {name: frame[name].tolist() for name in frame.columns[1:]},
        x="ties, as a share of all judged pairs",
    )
    what = "Ties of the judges and of metrics, between equal outputs and between different ones"
    figure(chart, f"{found.corpus.name}-ties", what, frame)


def _share(flags: Flags) -> float:
    return float(flags.mean())
