"""Tables of numbers, as people read them."""

import pyarrow as pa
from opening import opened


def test_numbers_below_zero_have_a_minus_sign_and_stay_numbers(app):
    opened(app, "30_correlation.py", corpus="conll14", metrics=["m2", "imeasure"])
    (found,) = (each for each in app.dataframe if "pearson" in each.value.columns)
    assert found.value["pearson"].min() < 0
    written = str(pa.ipc.open_stream(found.proto.arrow_data.styler.display_values).read_pandas())
    assert "−0.247" in written
    assert "-0." not in written
    assert "r −0.247 [−0.7" in " ".join(each.value for each in app.markdown)
