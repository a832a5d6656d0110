"""The page *My system*: upload outputs, choose a system and a rival, and read the sections of the analysis."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields, replace
from functools import partial

import streamlit as st

from dashboard import cache, navigation, session, url_state
from dashboard.components.comparison import ChosenScores, comparison
from dashboard.components.disagreement import why_link
from dashboard.components.exports import download
from dashboard.components.messages import plain, without_texts
from dashboard.components.progress import waiting_metrics
from dashboard.views.my_system import sections, uploads
from gec_core.analysis import Analysis, Section, bundle, page, report
from gec_core.analysis.analysis import SOURCE, source_alone, usual_rival, with_source
from gec_core.analysis.document import TITLES
from gec_core.analysis.errors import counts_scored
from gec_core.analysis.sections import SECTIONS, summary
from gec_core.analysis.significance import keep_resampleable
from gec_core.formatting import join_names
from gec_core.metrics.base import Metric
from gec_core.scoring.imported import Imported
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.types import Corpus


def show() -> None:
    """Draw the page."""
    st.title("My system")
    st.write(
        "Upload the output of your system for the sentences of a corpus. It then appears beside the other systems on "
        "every page: in rankings, among disagreements, sentence by sentence."
    )
    uploads.panel()
    st.header("Analysis")
    chosen = _chosen(comparison())
    downloads = st.container()
    if chosen.rival and chosen.rival != SOURCE:
        sides = [column.metric.id for column in chosen.table.columns if column.scores_sentences][:2]
        why_link(f"Why {plain(chosen.system)} and {plain(chosen.rival)} differ", chosen.system, chosen.rival, sides)
    top = st.container()
    view = st.segmented_control(
        "Section",
        list(SECTIONS),
        format_func=TITLES.__getitem__,
        key=url_state.choice("view", list(SECTIONS), "verdict"),
        label_visibility="collapsed",
        required=True,
    )
    chosen = sections.with_purpose(chosen, shown=view in ("verdict", "trust"))
    with downloads:
        _downloads(chosen)
    name = _file_name(f"{chosen.corpus.name}-{chosen.system}")
    section = SECTIONS[view or "verdict"](chosen)
    if chosen.corpus.has_texts:
        sections.draw(section, name, chosen.system, partial(_open_sentence, chosen.system))
    else:
        sections.draw(section, name, chosen.system, None)
        if any(table.of_sentences for table in section.tables):
            st.caption(without_texts(chosen.corpus))
    if view == "trust":
        st.page_link(
            navigation.page("across"), label="For another purpose, with all figures", query_params={"view": "trust"}
        )
    with top:  # last, so that the section that was asked for does not wait for what only the summary needs
        _summary(summary(chosen, edits=view == "correction" or counts_scored(chosen.table)))


def _chosen(found: ChosenScores) -> cache.SharedAnalysis:
    """Let the visitor choose a system and its rival."""
    corpus, table, waiting = _with_source(*analysed_scores(found))
    uploaded = [name for name in session.uploaded_systems() if name in corpus.systems]
    systems = [*uploaded, *(name for name in corpus.systems if name not in uploaded)]
    left, right = st.columns(2)
    system = left.selectbox("System", systems, key=url_state.choice("analyse", systems, systems[0]))
    others = [name for name in systems if name != system]
    if not others and SOURCE in table.columns[0].systems:
        others = [SOURCE]
    rival = None
    if others:
        rival = right.selectbox(
            "Compared with",
            others,
            key=url_state.choice("rival", others, first_rival(corpus, table, system, others)),
            help="Another system, or an earlier version of yours. The first choice is the best of the others by mean "
            "rank over the metrics that need no model.",
        )
    return cache.SharedAnalysis(
        corpus,
        table,
        system,
        rival,
        asked=command_arguments(found, system, session.uploaded_systems()),
        waiting=tuple(metric.name for metric in (*found.waiting, *waiting)),
        names={metric.id: name for name, metric in found.metrics.items()},
        dashboard=str(st.context.url or "").split("?", 1)[0].rpartition("/")[0],
    )


def _with_source(corpus: Corpus, table: ScoreTable) -> tuple[Corpus, ScoreTable, tuple[Metric, ...]]:
    """Score the unchanged source beside a system that is alone; offer what takes long or costs money."""
    baseline, metrics = source_alone(corpus), [column.metric for column in table.columns]
    if baseline is None or any(isinstance(metric, Imported) for metric in metrics):
        return corpus, table, ()
    found = cache.scores(baseline, [metric.id for metric in metrics if not metric.by_peers])
    waiting_metrics(baseline, found.waiting)
    both = with_source(table, found.table)
    return corpus, both, found.waiting if both is not table else ()


def _summary(section: Section) -> None:
    for each in section.warnings:
        st.caption(sections.in_markdown(each))
    st.markdown("\n".join(f"- {sections.in_markdown(each)}" for each in section.prose))


def _downloads(chosen: Analysis) -> None:
    whole = cache.WholeAnalysis(**{each.name: getattr(chosen, each.name) for each in fields(chosen)})
    name = _file_name(f"{chosen.corpus.name}-{chosen.system}-report")
    with st.container(horizontal=True):
        download(
            "Report (HTML)",
            lambda: page(report(whole)).encode(),
            f"{name}.html",
            "text/html",
            help="All sections in one file, with figures, signatures, versions and seed. It opens offline.",
        )
        download(
            "Numbers (zip)",
            lambda: bundle(report(whole)),
            f"{name}.zip",
            "application/zip",
            help="The report and its numbers as CSV and JSON.",
        )


def _file_name(text: str) -> str:
    return text.replace("/", "-").replace("\\", "-")


def _open_sentence(system: str, sentence: int, beside: str | None) -> None:
    asked = {
        "sentence": [str(sentence)],
        "system": [system],
        "against": [beside] if beside and beside != SOURCE else [],
    }
    st.switch_page(navigation.page("sentence"), query_params=url_state.link(asked))


def analysed_scores(found: ChosenScores) -> tuple[Corpus, ScoreTable]:
    """The corpus and the scores of the systems that are not left out, under metrics that can be resampled.

    The problems of the table say which metrics cannot.
    """
    if not found.left_out:
        return found.corpus, keep_resampleable(found.table, found.corpus.systems)
    corpus = cache.only(found.corpus, tuple(found.kept))
    columns = tuple(_among(corpus, column) for column in found.table.columns)
    table = replace(found.table, columns=columns, fingerprint=corpus.fingerprint)
    return corpus, keep_resampleable(table, corpus.systems)


def _among(corpus: Corpus, column: MetricScores) -> MetricScores:
    """The column as it is where only the systems of this corpus are scored."""
    if column.metric.by_peers:
        return cache.scored(corpus, column.metric)
    return MetricScores(
        column.metric, {name: column.systems[name] for name in corpus.systems if name in column.systems}
    )


def command_arguments(found: ChosenScores, system: str, uploaded: Collection[str]) -> tuple[str, ...]:
    """Name corpus and systems as on the command line; uploaded systems need their files."""
    given = [name for name in found.kept if name not in uploaded]
    fewer = len(given) < len(set(found.corpus.systems) - set(uploaded))
    added = [name for name in found.kept if name in uploaded and name != system]
    named = [f"{name}=FILE" if name in uploaded else name for name in (system, *added)]
    return (
        "--corpus",
        found.corpus.name,
        *(("--systems", join_names(given)) if fewer else ()),
        *(word for name in named for word in ("--system", name)),
    )


def first_rival(corpus: Corpus, table: ScoreTable, system: str, others: Sequence[str]) -> str:
    """Choose the rival to start with; it stays the same for the whole session, whatever is scored meanwhile."""
    name = f"rival-{corpus.name}-{system}"
    known = session.kept(name, "")
    if known not in others:
        quick = tuple(column for column in table.columns if cache.quick(column.metric))
        known = usual_rival(replace(table, columns=quick or table.columns), system) or others[0]
        session.keep(name, known)
    return known
