"""`make docs`: the reference has a page for every module, and every public function on its front page."""

from pathlib import Path

import pytest
from conftest import ROOT

import gec_core

pytest.importorskip("pdoc")


def test_the_reference_is_built(tmp_path: Path) -> None:
    import subprocess
    import sys

    built = subprocess.run([sys.executable, ROOT / "tools" / "docs.py", tmp_path], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    front = (tmp_path / "gec_core.html").read_text(encoding="utf-8")
    for name in gec_core.__all__:
        assert f'id="{name}"' in front, name
    assert "one list per annotator" in (tmp_path / "gec_core" / "api" / "metric.html").read_text(encoding="utf-8")
