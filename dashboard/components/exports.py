"""Tables and figures with their downloads; every figure has its data as a table, also for those who cannot see it.

A column `sentence` holds indices: tables show them counted from 1, CSV files as `sentence (from 0)`.
"""

from __future__ import annotations

import shlex
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx

from dashboard import cache, session
from gec_core.analysis.paper import PaperTable, bibtex, made_with, provenance
from gec_core.charts.files import WIDTHS, Format, Width, figure_file
from gec_core.charts.paper import FIGURES, TABLES, PaperScores, cited
from gec_core.charts.pictures import SvgPicture
from gec_core.formatting import minus, spreadsheet_cell
from gec_core.meta import Coefficient
from gec_core.metrics.base import Metric

_SYSTEM = "system"
SENTENCE, FROM_0 = "sentence", "sentence (from 0)"
_MOST_STYLED = 5_000
"""The largest table, in cells, for which writing true minus signs is quick enough."""
_LETTER, _ROOM, _WIDEST = 8, 24, 200
"""Pixels: the width of a letter, the room around a text, the widest first column."""


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
    """Draw a table that can be sorted; its first column stays in sight when it scrolls sideways.

    Args:
        frame: The table.
        digits: Digits after the decimal point.
        index: Whether to show the index.
        heads: Headings that differ from the names of the columns.
        helps: Tooltips of columns.
        wide: Columns that hold sentences.
        height: Pixels.
    """
    shown = _marked(from_1(frame if index else frame.reset_index(drop=True)))
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
        # Streamlit's own formats write a hyphen for a minus sign. Styled numbers still sort as numbers.
        shown.style.format(lambda value: minus(f"{value:.{digits}f}"), subset=numbers) if signed else shown,
        hide_index=not index,
        column_config=config,
        height=height,
        placeholder="–",
    )


Panels = Callable[[], Sequence[go.Figure]]
"""Makes the figures of an export when a file is asked for."""


@dataclass(frozen=True)
class ByCommand:
    """A table or figure that `gec-lens table` or `figure` makes, too: the files are the same.

    Attributes:
        which: What the command calls it.
        scores: What it is made from.
        kind: The coefficient that it shows.
    """

    which: str
    scores: PaperScores
    kind: Coefficient = "pearson"

    def panels(self) -> Sequence[go.Figure]:
        """The figures."""
        return self.scores.panels(self.which, self.kind)

    def caption(self, *, drawn: bool) -> list[str]:
        """The caption of the figure or the table."""
        return self.scores.caption((FIGURES if drawn else TABLES)[self.which])

    def command(self, *, drawn: bool) -> str:
        """The command that makes the same file; systems are named where some are left out."""
        corpus = session.corpus()
        ids = ",".join(metric.id for metric in self.scores.metrics.values())
        parts = ["gec-lens", "figure" if drawn else "table", self.which, "--corpus", corpus.name, "--metric", ids]
        if len(corpus.judgment_sets) > 1:
            parts += ["--judgments", corpus.chosen_set]
        if self.scores.human:
            parts += ["--human", self.scores.human]
        if left_out := session.left_out():
            parts += ["--systems", ",".join(name for name in corpus.systems if name not in left_out)]
        if session.aggregate() != "usual":
            parts += ["--aggregate", session.aggregate()]
        if corpus.lines is not None:
            parts += ["--sentences", session.sentences()]
        if drawn and self.kind != "pearson":
            parts += ["--coefficient", self.kind]
        parts += ["--out", f"{self.which}.{'pdf' if drawn else 'tex'}"]
        return shlex.join(parts)


@dataclass(frozen=True)
class Origin:
    """Where the numbers of a table or figure come from.

    Attributes:
        what: What it shows.
        shows: The metrics that it shows; None if these are the chosen ones, beside the human ranking.
        of_choice: Whether it is about the chosen corpus.
    """

    what: str
    shows: Sequence[Metric] | None = None
    of_choice: bool = True

    def metrics(self) -> list[Metric]:
        """The metrics that it shows."""
        if self.shows is not None:
            return list(self.shows)
        known = session.known_metrics()
        return [known[id] for id in session.metrics() if id in known]

    def caption(self) -> list[str]:
        """What is shown, and of the chosen corpus: its name, the human ranking, what is left out."""
        if not self.of_choice:
            return [f"{self.what}."]
        human = (session.human() or "") if self.shows is None else ""
        titles = cache.human_rankings(session.corpus())
        title = titles.get(human, "") or (cache.human_ranking(session.corpus(), human).method if human else "")
        return provenance(
            self.what,
            f"{session.corpus().name}{_part()}",
            left_out=sorted(session.left_out()),
            human=f"{title} ({human})" if title != human else human,
        )

    def made_with(self) -> list[str]:
        """The signatures of the metrics, and the versions."""
        return made_with((metric.title, metric.signature, metric.citation) for metric in self.metrics())

    def citations(self) -> list[str]:
        """The publications of the metrics and of the chosen corpus."""
        corpus = [cited(session.corpus())] if self.of_choice else []
        return [*(metric.citation for metric in self.metrics()), *corpus]


def csv_button(
    frame: pd.DataFrame,
    name: str,
    what: str,
    *,
    index: bool = False,
    panels: Panels | None = None,
    command: ByCommand | None = None,
    shows: Sequence[Metric] | None = None,
    of_choice: bool = True,
) -> None:
    """Draw the button *Export* of a table: CSV, LaTeX, Markdown, with caption, publications and command.

    Args:
        frame: The table.
        name: The name of its files.
        what: What its caption says it shows.
        index: Whether the index is a column of it.
        panels: The figures that show it, to be saved as one file.
        command: How the command line makes the same, with a caption of its own; None if it does not.
        shows: The metrics that it shows; None if these are the chosen ones, beside the human ranking.
        of_choice: Whether it is about the chosen corpus.
    """
    _export(frame, name, index, panels, command, Origin(what, shows, of_choice))


@st.fragment
def _export(
    frame: pd.DataFrame,
    name: str,
    index: bool,
    panels: Panels | None,
    command: ByCommand | None,
    origin: Origin,
) -> None:
    """The button; what is in it is made when it is opened, because a page has many."""
    kind = "figure" if panels else "table"  # a table and the figure of it may have the same name
    popover = st.popover(
        "Export",
        icon=":material/download:",
        help="Files for papers and spreadsheets, with a caption that says where the numbers come from.",
        key=f"export-{kind}-{name}",
        on_change="rerun",
    )
    if not popover.open:
        return
    with popover:
        caption = command.caption(drawn=bool(panels)) if command else origin.caption()
        if panels:
            _figure_buttons(command.panels if command else panels, name, caption, origin)
            st.caption("The numbers")
        with st.container(horizontal=True):  # each file is made when it is asked for: some tables are long
            for label, ending, mime in (
                ("CSV", "csv", "text/csv"),
                ("LaTeX", "tex", "text/x-tex"),
                ("Markdown", "md", "text/markdown"),
            ):
                make = partial(_table_file, frame, index, ending, None if panels else command, caption, origin)
                _file_button(label, _as_this_visitor(make), f"{name}.{ending}", mime, kind)
            if entries := bibtex(origin.citations()):
                _file_button("BibTeX", f"{entries}\n", f"{name}.bib", "application/x-bibtex", kind)
        if command:
            st.caption("The same without a browser")
            st.code(command.command(drawn=bool(panels)), language=None, wrap_lines=True)
        st.caption("The caption, which is part of these files")
        st.code(" ".join(caption), language=None, wrap_lines=True)


def _figure_buttons(panels: Panels, name: str, caption: Sequence[str], origin: Origin) -> None:
    """Draw buttons that download figures, in light colours whatever the page has."""
    width: Width = st.segmented_control(
        "Width of the figure", list(WIDTHS), default="column", key=f"width-{name}", required=True
    )
    with st.container(horizontal=True):
        mimes: dict[Format, str] = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
        for ending, mime in mimes.items():
            make = partial(_figure_file, panels, ending, width, [*caption, *origin.made_with()])
            _file_button(ending.upper(), _as_this_visitor(make), f"{name}-{width}.{ending}", mime, "figure")


def _figure_file(panels: Panels, ending: Format, width: Width, caption: Sequence[str]) -> bytes:
    return figure_file(panels(), ending, width, caption=caption)


def _table_file(
    frame: pd.DataFrame, index: bool, ending: str, command: ByCommand | None, caption: Sequence[str], origin: Origin
) -> bytes:
    if command:
        format = {"csv": "csv", "tex": "latex", "md": "markdown"}[ending]
        return command.scores.table(command.which).text(format).encode()
    if ending == "csv":
        return csv_text(_noted(frame), index=index, notes=[*caption, *origin.made_with()]).encode()
    return (
        paper_table(frame, caption, origin.made_with(), index=index)
        .text("latex" if ending == "tex" else "markdown")
        .encode()
    )


def _file_button(label: str, content: str | Callable[[], bytes], name: str, mime: str, kind: str) -> None:
    st.download_button(
        label,
        content,
        name,
        mime,
        key=f"file-{kind}-{name}",
        on_click="ignore",
        help=f"Download {name.rsplit('.')[-1]}.",
    )


def paper_table(
    frame: pd.DataFrame, caption: Sequence[str], notes: Sequence[str], *, index: bool = False
) -> PaperTable:
    """A table of a page as a paper prints it."""
    shown = from_1(frame.reset_index() if index else frame)
    rows = [[_plain(cell) for cell in row] for row in shown.itertuples(index=False, name=None)]
    return PaperTable([str(head) for head in shown.columns], rows, caption, notes=notes)


def _part() -> str:
    """How many of the sentences are chosen, if not all of them are."""
    corpus = session.corpus()
    return "" if corpus.lines is None else f" ({len(corpus):,} of {len(session.whole_corpus()):,} sentences)"


def _plain(cell: Any) -> Any:
    """A cell without pandas' and numpy's types; None for what is not there."""
    if isinstance(cell, str | bool):
        return str(cell)
    if pd.api.types.is_scalar(cell) and pd.isna(cell):
        return None
    return cell.item() if hasattr(cell, "item") else cell


def _marked(frame: pd.DataFrame) -> pd.DataFrame:
    """Mark the systems whose scores do not mean what they seem to; the sidebar says why."""
    corpus = session.corpus()
    if not any(corpus.mark(system) for system in corpus.notes):
        return frame
    if frame.index.name == _SYSTEM:
        frame = frame.rename(index=lambda name: f"{name}{corpus.mark(str(name))}")
    return (
        frame.assign(system=[f"{name}{corpus.mark(str(name))}" for name in frame[_SYSTEM]])
        if _SYSTEM in frame
        else frame
    )


def _noted(frame: pd.DataFrame) -> pd.DataFrame:
    """Add what was done to the outputs of each system."""
    corpus = session.corpus()
    named = frame if _SYSTEM in frame else frame.reset_index()
    names = named.get(_SYSTEM, ())
    notes = [" ".join(note.text for note in corpus.notes.get(str(name), ())) for name in names]
    return frame.assign(note=notes) if any(notes) else frame


def from_1(frame: pd.DataFrame) -> pd.DataFrame:
    """Count sentences from 1, as people do."""
    return frame.assign(**{SENTENCE: frame[SENTENCE] + 1}) if SENTENCE in frame else frame


def csv_text(frame: pd.DataFrame, *, index: bool = False, notes: Sequence[str] = ()) -> str:
    """Write a table as CSV, in which no spreadsheet finds a formula; notes follow in lines that begin with #."""
    frame = frame.rename(columns={SENTENCE: FROM_0})
    safe = frame.apply(lambda column: column if pd.api.types.is_numeric_dtype(column) else column.map(spreadsheet_cell))
    return safe.rename(index=spreadsheet_cell, columns=spreadsheet_cell).to_csv(index=index) + "".join(
        f"# {' '.join(note.split())}\n" for note in notes
    )


def download(label: str, make: Callable[[], bytes], name: str, mime: str, *, help: str) -> None:
    """Draw a button that downloads something which takes a while to make and is made on demand."""
    st.download_button(
        label,
        _as_this_visitor(make),
        name,
        mime,
        icon=":material/download:",
        key=f"download-{name}",
        on_click="ignore",
        help=help,
    )


def _as_this_visitor(make: Callable[[], bytes]) -> Callable[[], bytes]:
    """Have Streamlit's download thread find what is cached for this visit; without it, session caches refuse."""
    visit = get_script_run_ctx()

    def made() -> bytes:
        # A thread of its own: Streamlit's serves other visitors next.
        with ThreadPoolExecutor(1, initializer=partial(add_script_run_ctx, None, visit)) as pool:
            return pool.submit(make).result()

    return made if visit else make


def figure(
    chart: go.Figure,
    name: str,
    what: str,
    data: pd.DataFrame,
    *,
    caption: str = "",
    index: bool = False,
    on_click: Callable[[str], None] | None = None,
    wide: bool = False,
    command: ByCommand | None = None,
    panels: Panels | None = None,
    shows: Sequence[Metric] | None = None,
    of_choice: bool = True,
) -> None:
    """Draw a figure with a button that exports it, and a button that shows its data as a table.

    Args:
        chart: The figure.
        name: The name of its files.
        what: What its caption says it shows.
        data: The same as a table.
        caption: A line above the table.
        index: Whether the table shows its index.
        on_click: Called with the key of the figure when a point is clicked.
        wide: Whether the figure keeps its width and scrolls where there is too little room.
        command: How the command line makes the same, with a caption of its own; None if it does not.
        panels: What is exported where a paper needs another form than the page.
        shows: The metrics that it shows; None if these are the chosen ones, beside the human ranking.
        of_choice: Whether it is about the chosen corpus.
    """
    key = f"figure-{name}"
    alt = f"Figure: {what}. The button Data gives it as a table."
    config = {
        "displaylogo": False,
        "displayModeBar": True,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": name},
    }
    with st.container(key=f"wide-{name}") if wide else nullcontext():
        if on_click:
            st.plotly_chart(
                chart, key=key, config=config, alt=alt, on_select=partial(on_click, key), selection_mode="points"
            )
        else:
            st.plotly_chart(chart, key=key, config=config, alt=alt)
    _data_and_export(data, name, caption, index, panels or (lambda: [chart]), command, Origin(what, shows, of_choice))


def picture(
    drawn: SvgPicture, name: str, what: str, data: pd.DataFrame, *, panels: Panels, index: bool = False
) -> None:
    """Draw a small figure with the same two buttons; `panels` makes what is exported."""
    alt = escape(f"{drawn.alt} The button Data gives it as a table.")
    coded = b64encode(drawn.in_the_page.encode()).decode()
    st.html(f'<img class="lens-picture" alt="{alt}" src="data:image/svg+xml;base64,{coded}">')
    _data_and_export(data, name, "", index, panels, None, Origin(what))


def _data_and_export(
    data: pd.DataFrame,
    name: str,
    note: str,
    index: bool,
    panels: Panels,
    command: ByCommand | None,
    origin: Origin,
) -> None:
    with st.container(horizontal=True):
        with st.container(width="content"):
            _data(data, name, note, index)
        with st.container(width="content"):
            _export(data, name, index, panels, command, origin)


@st.fragment
def _data(data: pd.DataFrame, name: str, caption: str, index: bool) -> None:
    """A button that shows the data of a figure. The table is made on demand, because a page has many figures."""
    popover = st.popover(
        "Data", icon=":material/table:", help="The figure as a table.", key=f"data-{name}", on_change="rerun"
    )
    if not popover.open:
        return
    with popover:
        if caption:
            st.caption(caption)
        table(data, digits=4, index=index)
