"""Pages opened without a browser, and what stands on them."""

import json

import pandas as pd
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Dataframe

from dashboard.navigation import PAGES

NAMES = [path.name for path in sorted(PAGES.glob("[0-9]*_*.py"))]


def opened(app: AppTest, page: str, **query: str | list[str]) -> AppTest:
    """The page at this address; it must not fail."""
    for name, value in query.items():
        app.query_params[name] = value
    app.switch_page(str(PAGES / page)).run()
    assert not app.exception, app.exception[0].stack_trace
    return app


def unfold(app: AppTest, *sections: str) -> AppTest:
    """The page with these sections open, which it draws only then."""
    for name in sections:
        app.session_state[f"section-{name}"] = True
    app.run()
    assert not app.exception, app.exception[0].stack_trace
    return app


def shown(app: AppTest) -> str:
    """All the text on the page."""
    kinds = (
        app.title,
        app.header,
        app.subheader,
        app.markdown,
        app.caption,
        app.info,
        app.warning,
        app.error,
        app.text,
    )
    html = [element.proto.body for element in app.get("html")] + [clickable(app)]
    return "\n".join([str(element.value) for kind in kinds for element in kind] + html)


def clickable(app: AppTest) -> str:
    """The HTML of all blocks that can be clicked."""
    given = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    return "\n".join(data["html"] for data in given if "html" in data)


def chosen_metrics(app: AppTest) -> set[str]:
    """The ids of the metrics that are chosen in the sidebar, whatever their family."""
    return {id for picker in app.pills if (picker.key or "").startswith("metrics-") for id in picker.value or ()}


def as_displayed(table: Dataframe) -> pd.DataFrame:
    """The cells of a table as they are written on the page."""
    return convert_arrow_bytes_to_pandas_df(table.proto.arrow_data.styler.display_values)
