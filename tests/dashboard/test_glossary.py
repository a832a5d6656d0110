"""The glossary: every term that a page asks for is there, and explained in a sentence."""

import ast
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from conftest import ROOT
from opening import opened, shown
from streamlit.testing.v1 import AppTest

from dashboard import glossary
from dashboard.views import agreement, types
from dashboard.views.correlation import matrices
from gec_core.meta.agreement import Ties


def asked_for() -> Iterator[Any]:
    """The terms that modules of the dashboard ask for by name."""
    for path in (ROOT / "dashboard").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "glossary.help":
                yield from (each.value for each in node.args if isinstance(each, ast.Constant))


@pytest.mark.parametrize("term", sorted({*asked_for(), *types.TERMS.values(), *matrices.TITLES.values()}))
def test_terms_of_tooltips_are_explained(term: Any) -> None:
    assert glossary.help(term).endswith(".")


def test_every_treatment_of_ties_and_set_of_pairs_is_explained() -> None:
    assert {*get_args(Ties), *(name.capitalize() for name in agreement.SETS)} <= set(glossary.terms())


def test_an_unknown_term_is_an_error() -> None:
    with pytest.raises(KeyError):
        glossary.help("gibberish")


def test_the_page_of_metrics_shows_the_glossary(app: AppTest) -> None:
    app.session_state["section-glossary"] = True
    opened(app, "95_metrics.py", corpus="demo")
    assert "Tau without the pairs that the judge ties" in shown(app)
