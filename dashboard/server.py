"""The server: streamlit run dashboard/server.py

It serves `app.py` and imports what pages need while the first browser is still loading, because importing takes as long
as drawing a page.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event, Thread

from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit import net_util
from streamlit.starlette import App

FOLDER = Path(__file__).resolve().parent
sys.path[0] = str(FOLDER.parent)  # in place of dashboard/, which `streamlit run` puts there


def _no_address() -> None:
    """Stand in for Streamlit's questions to outside services, which a page of another site could trigger."""


net_util.get_external_ip = net_util.get_internal_ip = _no_address


@asynccontextmanager
async def _prepared(_: App) -> AsyncIterator[None]:
    Thread(target=_prepare, name="prepare", daemon=True).start()
    ended = Event()
    Thread(target=_sweep, args=(ended,), name="sweep", daemon=True).start()
    yield
    ended.set()


def _sweep(ended: Event) -> None:
    """Delete uploads that have been kept long enough, from time to time."""
    with IMPORTING:
        from dashboard import visitors

    visitors.sweep_until(ended)


def _prepare() -> None:
    """Import what all pages share, and what would otherwise be imported on first use."""
    with IMPORTING:
        import pyarrow  # noqa: F401
        import streamlit.emojis  # noqa: F401

        from dashboard import cache, navigation, sidebar  # noqa: F401
        from dashboard.views import overview  # noqa: F401
        from gec_core.metrics import registry

        registry()
    cache.WARMING.set()


from dashboard import IMPORTING  # noqa: E402
from dashboard.ahead import ReadingAhead  # noqa: E402
from dashboard.judging import routes  # noqa: E402
from dashboard.navigation import FIRST, to_first_page  # noqa: E402
from dashboard.protection import Protection  # noqa: E402

app = App(
    FOLDER / "app.py",
    lifespan=_prepared,
    routes=[Route(f"/{FIRST}", to_first_page), *routes()],
    middleware=[Middleware(Protection), Middleware(ReadingAhead)],
)
