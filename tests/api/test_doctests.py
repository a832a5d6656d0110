"""The examples in the docstrings of the public functions give what they say."""

import doctest
import importlib

import pytest

import gec_core

MODULES = [f"gec_core.api.{name}" for name in ("comparison", "corpus", "evaluation", "metric", "results")]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert found.attempted
    assert not found.failed


def test_every_public_function_has_an_example() -> None:
    for name in set(gec_core.__all__) - {"Corpus", "Edit", "GecLensError"}:
        function = next(
            found for module in MODULES if (found := getattr(importlib.import_module(module), name, None)) is not None
        )
        for part in ("Args:", "Returns:", ">>> "):
            assert part in (function.__doc__ or "") or (name, part) == ("metrics", "Args:"), (name, part)
