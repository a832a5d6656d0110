"""Metrics of other packages: found by entry point, scored, listed and shown; a broken one stops nobody."""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from conftest import ROOT
from streamlit.testing.v1 import AppTest

from gec_core.errors import PluginWarning
from gec_core.metrics import registry

METRIC = '''
import numpy as np
from gec_core.metrics.base import Metric, Score


class Unchanged(Metric):
    """The share of outputs that equal their source."""

    id = "unchanged"
    name = "Unchanged"
    family = "sanity"
    summary = "The share of outputs that equal their source."
    reads = "source"

    def statistics(self, pairs):
        return [np.array([float(pair.sentence.source == pair.output)]) for pair in pairs]

    def aggregate(self, statistics):
        return Score(float(statistics.mean()))

    def sentence_scores(self, statistics):
        return statistics[:, 0]


class Nameless(Metric):
    id = "nameless"
    statistics = aggregate = sentence_scores = None


class Twin(Unchanged):
    id = "m2"


class Homeless(Unchanged):
    id = "homeless"
    family = "of my own"


NO_METRIC = 7
'''
GOOD = {"unchanged": "plugged:Unchanged"}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Lay down an installed package with these entry points."""

    def lay(points: Any) -> Path:
        (tmp_path / "plugged.py").write_text(METRIC)
        about = tmp_path / "plugged-0.3.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 0.3\n")
        lines = [f"{name} = {value}" for name, value in points.items()]
        (about / "entry_points.txt").write_text("\n".join(["[gec_lens.metrics]", *lines, ""]))
        # In the second place, because the dashboard sets the first.
        monkeypatch.setattr(sys, "path", [sys.path[0], str(tmp_path), *sys.path[1:]])
        importlib.invalidate_caches()
        registry.cache_clear()
        return tmp_path

    yield lay
    monkeypatch.undo()
    sys.modules.pop("plugged", None)
    registry.cache_clear()


def command(folder: Path, *arguments: str) -> CompletedProcess[str]:
    """What a command prints in a process of its own, as for a user who installed the package."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-m", "gec_core", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )


def test_a_metric_joins_lists_and_scores(install: Any) -> None:
    folder = install(GOOD)
    listed = json.loads(command(folder, "metrics", "--format", "json").stdout)
    (row,) = (row for row in listed if row["id"] == "unchanged")
    assert row["signature"] == "unchanged|v1"
    assert "unchanged" in command(folder, "metrics").stdout
    done = command(
        folder, "score", "--corpus", "demo", "--metric", "m2,unchanged", "--format", "json", "--workers", "2"
    )
    scores = {row["system"]: row["score"] for row in json.loads(done.stdout)["rows"] if row["metric"] == "unchanged"}
    assert scores["INPUT"] == 1.0
    assert 0 < scores["FLUENT"] < 1
    assert done.stderr == ""


def test_a_metric_is_in_the_dashboard(install: Any, app: AppTest) -> None:
    import streamlit as st

    install(GOOD)
    st.cache_resource.clear()
    try:
        app.switch_page(str(ROOT / "pages" / "95_metrics.py")).run()
        assert not app.exception
        assert "Unchanged" in [heading.value for heading in app.subheader]
        assert any("Unchanged" in picker.options for picker in app.pills)
    finally:
        st.cache_resource.clear()


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("gone", "plugged_elsewhere:Metric", "No module named 'plugged_elsewhere'"),
        ("gone", "plugged:Gone", "has no attribute 'Gone'"),
        ("seven", "plugged:NO_METRIC", "must name a subclass"),
        ("nameless", "plugged:Nameless", "does not set: name, family, summary, reads"),
        ("twin", "plugged:Twin", "There is a metric 'm2' already"),
        ("homeless", "plugged:Homeless", "Its family must be one of edits, overlap, model, sanity"),
    ],
)
def test_a_broken_one_is_named_and_the_rest_goes_on(install: Any, name: str, value: str, problem: str) -> None:
    install({**GOOD, name: value})
    with pytest.warns(PluginWarning, match=f"The metric '{name}' of plugged 0.3 .* is left out.*{problem}"):
        found = registry()
    assert "unchanged" in found
    assert {"m2", "gleu"} <= set(found)
    assert found["m2"].name == "M²"


def test_the_command_line_says_it_without_a_trace(install: Any) -> None:
    folder = install({"broken": "plugged:Gone"})
    done = command(folder, "metrics")
    assert done.returncode == 0
    assert done.stderr == (
        "gec-lens: The metric 'broken' of plugged 0.3 (plugged:Gone) is left out. "
        "AttributeError: module 'plugged' has no attribute 'Gone'\n"
    )
