"""Edits beside an annotator's: unchanged words at their ends are trimmed."""

import pytest

from gec_core.metrics.readings import trimmed
from gec_core.types import Edit


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (Edit(0, 3, "a x c"), Edit(1, 2, "x")),
        (Edit(0, 2, "a b b", "T"), Edit(2, 2, "b", "T")),
        (Edit(0, 3, "a c"), Edit(1, 2, "")),
        (Edit(1, 1, "x"), Edit(1, 1, "x")),
        (Edit(0, 2, "a b"), Edit(0, 2, "a b")),
        (Edit(0, 3, "x b y"), Edit(0, 3, "x b y")),
    ],
)
def test_unchanged_words_at_the_ends_are_trimmed(edit: Edit, expected: Edit) -> None:
    assert trimmed(edit, ["a", "b", "c"]) == expected
