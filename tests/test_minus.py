"""Numbers as people read them."""

import pytest

from gec_core.formatting import minus


@pytest.mark.parametrize(
    ("written", "read"),
    [("-0.25", "−0.25"), ("0.25", "0.25"), ("-12,345", "−12,345"), ("1e-05", "1e−05"), ("+1", "+1"), ("-0.00", "0.00")],
)
def test_a_number_below_zero_has_a_minus_sign(written, read):
    assert minus(written) == read
