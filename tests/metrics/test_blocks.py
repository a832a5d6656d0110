"""The building blocks of explanations: numbers in formulas, and values for JSON."""

import json

import pytest

from gec_core.metrics.blocks import Edits, Explanation, ValuedEdit, shown
from gec_core.metrics.blocks import valued as with_value
from gec_core.types import Edit


@pytest.mark.parametrize(("value", "text"), [(0.66666, "0.6667"), (-12.5, "−12.5"), (1e-9, "0"), (3, "3")])
def test_numbers_are_short(value: float, text: str) -> None:
    assert shown(value) == text


def test_an_edit_with_a_number() -> None:
    edit = with_value(Edit(1, 2, "dogs", "R:NOUN:NUM"), ["Two", "dog", "bark"], 0.5, "correct")
    assert edit == ValuedEdit(1, 2, "dog", "dogs", "R:NOUN:NUM", "correct", 0.5)
    assert (str(edit), str(ValuedEdit(1, 1, "", "the")), edit.key) == ("dog → dogs", "∅ → the", (1, 2, "dogs"))


def test_the_number_is_named_in_json() -> None:
    edits = Edits("Edits", (ValuedEdit(1, 2, "dog", "dogs", value=0.5),))
    found = Explanation("m2", "M²", "m2|v1", 0.5, (edits,))
    (block,) = json.loads(json.dumps(found.as_dict()))["blocks"]
    assert block["edits"] == [
        {
            "start": 1,
            "end": 2,
            "original": "dog",
            "correction": "dogs",
            "type": "",
            "verdict": None,
            "weight": 0.5,
        }
    ]
