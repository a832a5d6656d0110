"""The server: streamlit run dashboard/server.py

It serves `app.py`, and prepares for the first visitor while the browser is still loading: what pages import takes
as long as drawing one.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread

from streamlit.starlette import App

FOLDER = Path(__file__).resolve().parent
sys.path[0] = str(FOLDER.parent)  # in place of dashboard/, which `streamlit run` puts there


@asynccontextmanager
async def _prepared(_: App) -> AsyncIterator[None]:
    Thread(target=_prepare, name="prepare", daemon=True).start()
    yield


def _prepare() -> None:
    """Import what pages have in common, and what is imported only when it is first used."""
    import pyarrow  # noqa: F401
    import streamlit.emojis  # noqa: F401

    from dashboard import navigation, sidebar  # noqa: F401
    from dashboard.views import overview  # noqa: F401
    from gec_core.metrics import registry

    registry()


app = App(FOLDER / "app.py", lifespan=_prepared)
