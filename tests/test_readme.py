"""The Python code in README.md runs as it stands there."""

import re

import pytest
from conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_the_python_blocks_run_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert printed.startswith("0.8333333333333334\n")
    assert "changing `are` to `is` earns the hypothesis 1.00" in printed


def test_the_section_on_the_library_opens_with_five_lines_that_work() -> None:
    library = README.split("## The library\n", 1)[1]
    first = re.match(r"\s*```python\n(.*?)^```$", library, re.DOTALL | re.MULTILINE)
    assert first
    assert len([line for line in first[1].splitlines() if line.strip()]) == 5
