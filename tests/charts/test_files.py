"""Figures as files for papers."""

import warnings
from typing import get_args

import pytest

from gec_core import charts
from gec_core.charts.files import FORMATS, Format, Width, figure_file

MAGIC: dict[Format, bytes] = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.mark.parametrize("width", get_args(Width))
@pytest.mark.parametrize("format", FORMATS)
def test_a_heatmap_of_many_long_names_keeps_room_for_its_cells(format: Format, width: Width) -> None:
    columns = [f"A corpus, a part of it · judged in way {number}, mean rating" for number in range(15)]
    rows = [f"A metric of number {number} (Model)" for number in range(17)]
    values = [[0.5 for _ in columns] for _ in rows]
    texts = [["−.50" for _ in columns] for _ in rows]
    panel = charts.heatmap(values, texts, columns, rows=rows, low=-1, high=1, colours=charts.DIVERGING, bar="r")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # Matplotlib warns where there is no room left
        made = figure_file([panel], format, width)
    assert made.startswith(MAGIC[format])
