"""`import gec_core as gec`: light, lazy, and the same names whichever way its modules were imported before."""

import inspect
import subprocess
import sys
from types import ModuleType

import pytest
from conftest import ROOT

import gec_core as gec

HEAVY = ("numpy", "pandas", "numba", "torch", "scipy", "spacy", "streamlit")


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout.strip()


def test_importing_takes_under_a_tenth_of_a_second_and_loads_nothing_heavy() -> None:
    # Processor time, and any of ten: other processes must not make the difference.
    code = "import time; t = time.process_time(); import gec_core; print(time.process_time() - t)"
    assert any(float(run(code)) < 0.1 for _ in range(10))
    assert run(f"import sys, gec_core; print([name for name in {HEAVY} if name in sys.modules])") == "[]"


def test_every_public_name_is_there_and_listed() -> None:
    assert set(gec.__all__) <= set(dir(gec))
    assert not {"Any", "ModuleType", "sys"} & set(dir(gec))
    for name in gec.__all__:
        assert callable(getattr(gec, name)), name
    with pytest.raises(AttributeError, match="no attribute 'metrix'"):
        _ = gec.metrix  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "before", ["import gec_core.metrics.m2, gec_core.explain.credit", "from gec_core import metrics, explain", "pass"]
)
def test_subpackages_that_share_their_name_with_a_function_can_be_called(before: str) -> None:
    code = (
        f"{before}\nimport gec_core as gec\n"
        "assert gec.metrics()[0].id == 'm2'\n"
        "assert gec.explain('length', 'a b', 'a').score == 0.5\n"
        "from gec_core.metrics import registry\nfrom gec_core.explain.credit import edit_credits\n"
        "print('both')"
    )
    assert run(code) == "both"
    assert isinstance(sys.modules["gec_core.metrics"], ModuleType)


def test_public_functions_say_what_they_take() -> None:
    for name in ("compare", "corpus", "score", "correlate", "disagreements", "analyse", "metric"):
        found = inspect.signature(getattr(gec, name))
        assert all(each.annotation is not inspect.Parameter.empty for each in found.parameters.values()), name
