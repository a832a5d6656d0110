"""Build the API reference from docstrings with pdoc.

    python tools/docs.py [FOLDER]     default: build/docs, with index.html

The front page is the public interface of `gec_core`. The other pages are the modules whose classes it returns, and
those that a metric or a plug-in is written with.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULES = (
    "gec_core",
    "gec_core.analysis",
    "gec_core.api.comparison",
    "gec_core.api.corpus",
    "gec_core.api.evaluation",
    "gec_core.api.metric",
    "gec_core.api.results",
    "gec_core.errors",
    "gec_core.explain.credit",
    "gec_core.human.ranking",
    "gec_core.meta.correlation",
    "gec_core.meta.disagreement",
    "gec_core.meta.gap",
    "gec_core.metrics.base",
    "gec_core.metrics.blocks",
    "gec_core.metrics.options",
    "gec_core.scoring.table",
    "gec_core.types",
)


def build(folder: Path) -> None:
    """Write one HTML page per module into the folder."""
    from pdoc import doc, render

    import gec_core

    imported = {name: importlib.import_module(name) for name in MODULES}
    for name in gec_core.__all__:
        # Two public functions share their name with a subpackage; the reference is about the functions.
        vars(gec_core)[name] = getattr(imported["gec_core.api.metric"], name, None) or getattr(gec_core, name)
    render.configure(docformat="google", footer_text=f"GEC Lens {gec_core.__version__}", show_source=True)
    modules = {name: doc.Module(module) for name, module in imported.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, module in modules.items():
        page = folder / f"{name.replace('.', '/')}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(render.html_module(module, modules), encoding="utf-8")
    (folder / "index.html").write_text(render.html_index(modules), encoding="utf-8")
    (folder / "search.js").write_text(render.search_index(modules), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "docs"
    build(target)
    print(f"{target / 'index.html'}: the reference of {len(MODULES)} modules")
