"""The layers of the house: pages -> dashboard -> gec_core, never back; and nothing heavy before it is needed."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from conftest import ROOT

from tools.house import House, cycles

MAY_IMPORT = {
    "gec_core": {"gec_core"},
    "dashboard": {"gec_core", "dashboard", "streamlit"},
    "pages": {"gec_core", "dashboard", "streamlit"},
}
WATCHED = {"gec_core", "dashboard", "pages", "streamlit"}
LAYERS = (
    {"cli"},
    {""},  # the door, gec_core/__init__.py
    {"api"},
    {"charts"},
    {"analysis", "judging", "papers"},
    {"meta"},
    {"explain"},
    {"human"},
    {"scoring"},
    {"metrics"},
    {"models"},
    {"corpora"},
    {"align"},
    {"store", "shipped", "compiled"},
    {"types"},
    {"formatting", "environment"},
    {"errors", "languages"},
)
"""The packages and modules of gec_core, top to bottom: each imports those below it, and itself, and nothing else."""


@cache
def _house() -> House:
    """The tree, parsed once for all tests."""
    return House(ROOT)


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_a_layer_imports_only_itself_and_those_below(layer: str) -> None:
    files = list((ROOT / layer).rglob("*.py"))
    assert files
    for path in files:
        assert set(imported(path)) & WATCHED <= MAY_IMPORT[layer], path.relative_to(ROOT)


def test_packages_of_gec_core_import_only_those_below() -> None:
    """Imports inside functions and those for type checks count, too."""
    depth = {name: number for number, layer in enumerate(LAYERS) for name in layer}
    upward = set()
    for module, imported_modules in _house().imports.items():
        own = _part(module)
        if own is None or own == "__main__":
            continue
        for other in imported_modules:
            if (part := _part(other)) and part != own and depth[part] <= depth[own]:
                upward.add((module, other))
    assert not upward


def _part(module: str) -> str | None:
    """The package or module right under gec_core: "" for the door itself, None outside of gec_core."""
    top, *rest = module.split(".")
    return (rest[0] if rest else "") if top == "gec_core" else None


def test_no_modules_import_one_another_in_a_circle() -> None:
    found = cycles(_house().imports)
    assert found == []


DASHBOARD = (
    {"app", "server"},
    {"views"},
    {"sidebar"},
    {"components"},
    {"ahead", "url_state", "navigation"},
    {"session"},
    {"cache", "glossary", "judging", "visitors"},
    {"background", "protection"},
)
"""The packages and modules of dashboard, top to bottom: each imports those below it, and itself."""


def test_modules_of_the_dashboard_import_only_those_below() -> None:
    """Pages import views alone; views do not import one another."""
    depth = {name: number for number, layer in enumerate(DASHBOARD) for name in layer}
    for module, imported_modules in _house().imports.items():
        top, *rest = module.split(".")
        for other in imported_modules:
            if not other.startswith("dashboard."):
                continue
            part = other.split(".")[1]
            if top == "pages":
                assert part == "views", (module, other)
            elif top == "dashboard" and (part != rest[0] or (part == "views" and other.split(".")[2] != rest[1])):
                assert depth[part] > depth[rest[0]], (module, other)


@pytest.mark.parametrize(
    ("marker", "users"),
    [
        ("st.cache_", {"cache"}),
        ("session_state", {"session.py", "url_state.py", "sidebar.py"}),
        ("st.query_params", {"url_state.py"}),
    ],
)
def test_caches_session_state_and_the_address_have_known_users(marker: str, users: set[str]) -> None:
    for path in [*(ROOT / "dashboard").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]:
        if not {path.name, path.parent.name} & users:
            assert marker not in path.read_text(encoding="utf-8"), path.relative_to(ROOT)


def test_every_figure_is_drawn_with_its_table_beside_it() -> None:
    """`exports.figure` sees to it, and to the text for those who do not see the figure."""
    for path in [*(ROOT / "dashboard").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]:
        if path.name != "exports.py":
            assert "plotly_chart" not in path.read_text(encoding="utf-8"), path.relative_to(ROOT)


@pytest.mark.parametrize("command", ["import gec_core", "from gec_core.cli import parser; parser()"])
def test_nothing_heavy_is_imported_to_begin_with(command: str) -> None:
    heavy = ("numba", "torch", "transformers", "spacy", "pandas", "scipy", "streamlit", "sacrebleu", "numpy")
    code = f"import sys; {command}; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout.strip() == "[]"


def test_no_model_is_loaded_to_look_at_tables() -> None:
    """Scores of models that come with the project are shown without loading torch."""
    code = """
import sys
from streamlit.testing.v1 import AppTest
root = sys.argv[1]
app = AppTest.from_file(f"{root}/dashboard/app.py", default_timeout=120)
for page in ("10_overview", "20_rankings", "30_correlation", "40_agreement"):
    app.query_params.update({"corpus": "demo", "metrics": ["m2", "scribendi", "ptm2", "bertscore"]})
    app.switch_page(f"{root}/pages/{page}.py").run()
    assert not app.exception, app.exception[0].stack_trace
assert len(app.get("plotly_chart")) == 1
print([name for name in ("torch", "transformers", "spacy") if name in sys.modules])
"""
    found = subprocess.run(
        [sys.executable, "-c", code, str(ROOT)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert found.stdout.strip() == "[]"


def test_listing_metrics_compiles_nothing() -> None:
    code = "import sys; from gec_core.metrics import registry; registry(); print('numba' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout.strip() == "False"
