"""Figures as files for papers: SVG, PDF and PNG at the width of a column or a page, always light, without a browser.

A figure of the page is drawn again by Matplotlib, from the same data: type sizes of a paper, labels placed anew for
the width, fonts embedded, and the caption in the file's metadata. Several panels share one file.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from html import unescape
from io import BytesIO
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from gec_core import __version__
from gec_core.charts.style import GREY, INK, PALETTE, place_labels

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Format = Literal["svg", "pdf", "png"]
Width = Literal["column", "page"]
FORMATS: tuple[Format, ...] = ("svg", "pdf", "png")
WIDTHS: dict[Width, float] = {"column": 3.03, "page": 6.3}
"""Inches, as in the style of ACL."""
_POINTS: dict[Width, float] = {"column": 7.0, "page": 8.0}
_PIXELS_AN_INCH, _PANEL = 110, 2.0
"""What a figure's height on the page is divided by; inches that a panel needs at least."""
_DOTS = 300
_LONG_NAME = 0.25
"""The share of a figure's width from which a name above or below a panel is long."""
_MARKERS = {
    "circle": "o", "square": "s", "diamond": "D", "triangle-up": "^", "x": "X", "cross": "P", "star": "*",
    "triangle-down": "v", "pentagon": "p", "line-ns": "|",
}  # fmt: skip
_DASHES = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-."}
_HATCHES = {"": "", "/": "////", ".": "...."}
_drawing = Lock()
"""Matplotlib's settings belong to the process, and visitors draw at the same time."""


def figure_file(
    panels: Sequence[go.Figure], format: Format, width: Width = "column", *, caption: Sequence[str] = ()
) -> bytes:
    """Draw figures side by side in one file.

    Args:
        panels: The figures; several have their titles above them (`layout.meta["panel"]`).
        format: The kind of file.
        width: The width of a column or of a page.
        caption: Sentences for the metadata of the file.
    """
    import matplotlib
    from matplotlib.figure import Figure

    settings: Any = {
        "font.size": _POINTS[width],
        "font.family": "DejaVu Sans",
        "text.parse_math": False,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.6,
        "hatch.linewidth": 0.4,
        "pdf.fonttype": 42,
        "svg.hashsalt": "gec-lens",
    }
    with _drawing, matplotlib.rc_context(settings):
        across = min(len(panels), max(1, int(WIDTHS[width] / _PANEL)))
        across = 2 if len(panels) == 4 and across == 3 else across
        down = -(-len(panels) // across)
        height = sum(
            max(_height(panel, across > 1) for panel in panels[row * across : (row + 1) * across])
            for row in range(down)
        )
        drawn = Figure(figsize=(WIDTHS[width], height), layout="constrained")
        places = drawn.subplots(down, across, squeeze=False).ravel()
        for panel, axes in zip(panels, places, strict=False):
            _draw(panel, axes, _POINTS[width])
        for axes in places[len(panels) :]:
            axes.set_axis_off()
        with warnings.catch_warnings():  # long names leave no room before they are slanted
            warnings.filterwarnings("ignore", "constrained_layout not applied")
            drawn.draw_without_rendering()  # the sizes of the panels are known only now
        if [axes for axes in places if _slanted(axes)]:
            drawn.draw_without_rendering()
        for panel, axes in zip(panels, places, strict=False):
            _thin(axes)
            _write_numbers(panel, axes, _POINTS[width])
            _keep_inside(axes)
            _label_points(panel, axes, drawn, _POINTS[width])
        return _written(drawn, format, caption)


def _written(drawn: Figure, format: Format, caption: Sequence[str]) -> bytes:
    told = " ".join(caption)
    metadata: dict[Format, dict[str, Any]] = {
        "svg": {"Description": told, "Creator": f"GEC Lens {__version__}", "Date": None},
        "pdf": {"Subject": told, "Creator": f"GEC Lens {__version__}", "CreationDate": None},
        "png": {"Description": told, "Software": f"GEC Lens {__version__}"},
    }
    written = BytesIO()
    drawn.savefig(written, format=format, dpi=_DOTS, metadata=metadata[format], facecolor="white")
    return written.getvalue()


def _height(panel: go.Figure, small: bool) -> float:
    return min(max((panel.layout.height or 400) / _PIXELS_AN_INCH * (0.72 if small else 1), 1.3), 9.0)


def _draw(panel: go.Figure, axes: Axes, points: float) -> None:
    layout = panel.layout
    across = _categories(panel, "x")
    down = _categories(panel, "y")
    left: dict[Any, float] = {}
    for trace in panel.data:
        if trace.type == "heatmap":
            _heatmap(trace, axes)
        elif trace.type == "bar":
            _bars(trace, axes, down, left if layout.barmode == "stack" else {})
        elif trace.type == "scatter":
            _scatter(trace, axes, across, down)
    for shape in layout.shapes:
        if shape.type == "line" and shape.y0 == shape.y1:
            axes.axhline(shape.y0, color=_colour(shape.line.color), linewidth=0.6)
    for note in layout.annotations if not (layout.meta or {}).get("labels") else ():
        _annotate(note, axes, across, down, points)
    _axis(axes, layout.xaxis, "x", across)
    _axis(axes, layout.yaxis, "y", down)
    if (layout.meta or {}).get("panel"):
        axes.set_title(clean(layout.meta["panel"]), fontsize=points)
    if layout.showlegend:
        axes.legend(
            loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, frameon=False, fontsize=points - 1,
            handlelength=2.2,
        )  # fmt: skip


def _scatter(trace: Any, axes: Axes, across: dict[str, int], down: dict[str, int]) -> None:
    if trace.opacity == 0 or (trace.marker.opacity == 0):
        return  # there to be clicked, not to be seen
    xs, ys = _placed(trace.x, across), _placed(trace.y, down)
    modes = (trace.mode or "lines").split("+")
    colour = trace.line.color or _first(trace.marker.color) or PALETTE[0]
    name = clean(trace.name) if trace.name else None
    if "lines" in modes:
        kept = [(x, y) for x, y in zip(xs, ys, strict=True) if y is not None]
        axes.plot(
            [x for x, _ in kept], [y for _, y in kept], color=_colour(colour), zorder=2,
            linestyle=_DASHES.get(trace.line.dash or "solid", "-"), linewidth=0.55 * (trace.line.width or 2),
            label=None if "markers" in modes else name,
        )  # fmt: skip
    if trace.error_x.array is not None:
        less = trace.error_x.arrayminus if trace.error_x.arrayminus is not None else trace.error_x.array
        axes.errorbar(
            xs, ys, xerr=[list(less), list(trace.error_x.array)], fmt="none", ecolor=_colour(colour), elinewidth=1
        )
    if "markers" in modes:
        symbols = _each(trace.marker.symbol or "circle", len(xs))
        colours = _each(trace.marker.color or colour, len(xs))
        for number, (x, y, symbol, own) in enumerate(zip(xs, ys, symbols, colours, strict=True)):
            if x is None or y is None:
                continue
            hollow = str(symbol).endswith("-open")
            shape = _MARKERS.get(str(symbol).removesuffix("-open"), "o")
            axes.plot(
                [x], [y], marker=shape, linestyle="none", markersize=0.45 * float(_first(trace.marker.size) or 8),
                color=_colour(own), markerfacecolor="none" if hollow and shape != "|" else _colour(own),
                markeredgewidth=0.8, alpha=_first(trace.marker.opacity), label=None if number else name, zorder=3,
                clip_on=False,
            )  # fmt: skip


def _bars(trace: Any, axes: Axes, down: dict[str, int], left: dict[Any, float]) -> None:
    values = [float(value or 0) for value in trace.x]
    places = _placed(trace.y, down)
    starts = [left.get(place, 0.0) for place in places]
    colours, patterns = _each(trace.marker.color, len(values)), _each(trace.marker.pattern.shape or "", len(values))
    for number, (place, value, start) in enumerate(zip(places, values, starts, strict=True)):
        axes.barh(
            place, value, left=start, height=0.7, color=_colour(colours[number]), edgecolor="white", linewidth=0.3,
            hatch=_HATCHES.get(patterns[number] or "", ""),
            label=None if number or not trace.name else clean(trace.name),
        )  # fmt: skip
        left[place] = start + value
        if trace.text is not None and trace.textposition == "outside":
            side = 1 if value >= 0 else -1
            axes.annotate(
                clean(trace.text[number]), (value, place), (3 * side, 0), textcoords="offset points", va="center",
                ha="left" if side > 0 else "right",
            )  # fmt: skip


def _heatmap(trace: Any, axes: Axes) -> None:
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap

    values = np.array([[np.nan if cell is None else cell for cell in row] for row in trace.z], float)
    scale = LinearSegmentedColormap.from_list("scale", [(stop, shade) for stop, shade in trace.colorscale])
    image = axes.imshow(values, scale, vmin=trace.zmin, vmax=trace.zmax, aspect="auto")
    if trace.showscale is not False:
        bar = axes.figure.colorbar(image, ax=axes, fraction=0.04, pad=0.02)
        bar.outline.set_visible(False)
        if trace.colorbar.title.text:
            bar.set_label(clean(trace.colorbar.title.text))
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _write_numbers(panel: go.Figure, axes: Axes, points: float) -> None:
    """Write the numbers of a heatmap as large as its cells allow; under three and a half points nobody reads them."""
    width = axes.get_window_extent().width * 72 / axes.figure.dpi
    for trace in panel.data:
        if trace.type != "heatmap" or trace.text is None:
            continue
        longest = max((len(clean(str(cell))) for row in trace.text for cell in row), default=1)
        size = min(points, width / max(len(trace.z[0]), 1) / max(longest, 1) / 0.66)
        for row, texts in enumerate(trace.text if size >= 3.5 else ()):
            for column, text in enumerate(texts):
                axes.text(column, row, clean(str(text)), ha="center", va="center", fontsize=size, color=INK)


def _axis(axes: Axes, axis: Any, which: Literal["x", "y"], names: dict[str, int]) -> None:
    own = axes.xaxis if which == "x" else axes.yaxis
    if axis.title.text:
        own.set_label_text(clean(axis.title.text))
    if names or axis.tickvals is not None:
        places = list(names.values()) if names else list(axis.tickvals)
        labels = dict(zip(axis.tickvals, axis.ticktext, strict=True)) if axis.ticktext is not None else {}
        told = [clean(str(labels.get(name, name))) for name in (names or places)]
        own.set_ticks(places, told)
    elif axis.dtick:
        from matplotlib.ticker import MultipleLocator

        own.set_major_locator(MultipleLocator(axis.dtick))
    if str(axis.tickformat or "").endswith("%"):
        from matplotlib.ticker import PercentFormatter

        own.set_major_formatter(PercentFormatter(1, 0))
    if axis.range is not None and None not in axis.range:
        (axes.set_xlim if which == "x" else axes.set_ylim)(*axis.range)
    elif axis.autorange == "reversed" and not own.get_inverted():
        own.set_inverted(True)
    if axis.side == "top":
        axes.xaxis.tick_top()
        axes.spines["bottom"].set_visible(False)
    if axis.showticklabels is False or axis.visible is False:
        own.set_ticks([])
    if axis.visible is False:
        axes.spines[["left", "right"] if which == "y" else ["bottom", "top"]].set_visible(False)


def _annotate(note: Any, axes: Axes, across: dict[str, int], down: dict[str, int], points: float) -> None:
    paper = str(note.xref).startswith("paper"), str(note.yref).startswith("paper")
    where = (
        note.x if paper[0] else across.get(note.x, note.x),
        note.y if paper[1] else down.get(note.y, note.y),
    )
    transform = axes.get_xaxis_transform() if paper[1] and not paper[0] else axes.transAxes if all(paper) else "data"
    sides = {"left": "left", "right": "right", "top": "top", "bottom": "bottom"}
    axes.annotate(
        clean(str(note.text)),
        where,
        (0.6 * (note.xshift or 0), 0.6 * (note.yshift or 0)),
        xycoords=transform,
        textcoords="offset points",
        ha=sides.get(note.xanchor or "", "center"),
        va=sides.get(note.yanchor or "", "center"),
        fontsize=points - 0.5 if not note.font.size or note.font.size >= 12 else points - 1,
        color=_colour(note.font.color) if note.font.color else INK,
        fontweight="bold" if "<b>" in str(note.text) else "normal",
        annotation_clip=False,
    )


def _slanted(axes: Axes) -> bool:
    """Slant the names below or above a panel if two of them would touch; return whether they would.

    Long names stand upright: slanted ones would take half of the width.
    """
    from matplotlib.ticker import FixedLocator

    if not isinstance(axes.xaxis.get_major_locator(), FixedLocator):
        return False
    names = axes.get_xticklabels()
    boxes = sorted((name.get_window_extent() for name in names), key=lambda box: float(box.x0))
    room = max((box.height for box in boxes), default=0.0) / 2
    crowded = any(right.x0 - left.x1 < room for left, right in pairwise(boxes))
    upright = max((box.width for box in boxes), default=0.0) > _LONG_NAME * axes.figure.get_window_extent().width
    side = "left" if axes.xaxis.get_ticks_position() == "top" else "right"
    for name in names if crowded else ():
        name.set(rotation=45, ha=side, rotation_mode="anchor")
        if upright:
            name.set(rotation=90, va="center")
    return crowded


def _thin(axes: Axes) -> None:
    """Make upright names so small that they fit beside one another."""
    names = axes.get_xticklabels()
    width = axes.get_window_extent().width * 72 / axes.figure.dpi
    for name in names:
        if name.get_rotation() == 90:
            name.set_fontsize(max(4.0, min(float(name.get_fontsize()), width / len(names) / 1.1)))


def _keep_inside(axes: Axes) -> None:
    """Move words above or below points that would cross the left or right end of their panel."""
    from matplotlib.text import Annotation

    panel = axes.get_window_extent()
    for note in axes.texts:
        if isinstance(note, Annotation) and note.xycoords == "data" and note.get_horizontalalignment() == "center":
            box = note.get_window_extent()
            beyond = min(0.0, box.x0 - panel.x0) or max(0.0, box.x1 - panel.x1)
            across, up = note.xyann
            note.xyann = (across - beyond * 72 / axes.figure.dpi, up)


def _label_points(panel: go.Figure, axes: Axes, drawn: Figure, points: float) -> None:
    """Name points anew: where there was room for a name on the page, there may be none in a column."""
    names = (panel.layout.meta or {}).get("labels")
    if not names:
        return
    size = points - 1
    pixel = size * 0.6 / 7  # points; `place_labels` counts with letters of 7 pixels
    box = axes.get_window_extent().transformed(drawn.dpi_scale_trans.inverted())
    where = list(zip(panel.data[0].x, panel.data[0].y, strict=True))
    spots = place_labels(where, names, width=box.width * 72 / pixel, height=box.height * 72 / pixel)
    for place, name, spot in zip(where, names, spots, strict=True):
        lead = {"arrowstyle": "-", "linewidth": 0.4, "color": _colour(GREY), "shrinkA": 0, "shrinkB": 2}
        axes.annotate(
            name, place, (spot.right * pixel, spot.up * pixel), textcoords="offset points", ha="center", va="center",
            fontsize=size, annotation_clip=False, arrowprops=lead if spot.far else None,
        )  # fmt: skip


def _categories(panel: go.Figure, which: Literal["x", "y"]) -> dict[str, int]:
    """Names on an axis with their places; empty for an axis of numbers."""
    found: dict[str, int] = {}
    for trace in panel.data:
        values = getattr(trace, which)
        for value in values if values is not None else ():
            if isinstance(value, str):
                found.setdefault(value, len(found))
    return found


def _placed(values: Any, names: dict[str, int]) -> list[Any]:
    return [names.get(value, value) if isinstance(value, str) else value for value in values]


def _each(value: Any, count: int) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value] * count


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple) and value else value


def _colour(value: Any) -> Any:
    """A colour of Plotly's as Matplotlib writes it."""
    if found := re.fullmatch(r"rgba?\(([^)]*)\)", str(value)):
        red, green, blue, *opacity = (float(part) for part in found[1].split(","))
        return red / 255, green / 255, blue / 255, *(opacity or [1.0])
    return value


def clean(text: str) -> str:
    """Text without Plotly's tags."""
    return unescape(re.sub(r"</?(b|i|sup|sub|span)\b[^>]*>", "", re.sub(r"<br\s*/?>", "\n", text)))
