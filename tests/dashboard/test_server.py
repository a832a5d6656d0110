"""What the server does before the first visitor comes."""

import subprocess
import sys

from conftest import ROOT

CODE = """
import sys
sys.path.insert(0, "dashboard")  # as `streamlit run` does
import server
server._prepare()
from streamlit.testing.v1 import AppTest
testing = set(sys.modules)
app = AppTest.from_file("dashboard/app.py", default_timeout=120).run()
assert not app.exception, app.exception[0].stack_trace
print([name for name in ("torch", "transformers", "spacy", "numba", "scipy") if name in sys.modules])
print([name for name in set(sys.modules) - testing if name.startswith(("gec_core", "dashboard", "pandas."))])
"""


def test_the_first_page_finds_its_modules_there() -> None:
    found = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, cwd=ROOT)
    heavy, late = found.stdout.splitlines()[-2:]
    assert heavy == "[]"
    assert late == "[]"
