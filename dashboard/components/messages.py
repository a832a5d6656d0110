"""Problems and notices, told to the person in front of the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from gec_core.errors import GecLensError


@contextmanager
def problems_shown() -> Iterator[None]:
    """What goes wrong for a reason that a person can mend is shown as its message, not as a traceback."""
    try:
        yield
    except GecLensError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.stop()


def plain(text: str) -> str:
    """Text that Streamlit shows as it is: markdown, colour and formula marks taken literally."""
    return "".join(f"\\{character}" if character in r"\`*_{}[]()<>#+-.!|~$:^" else character for character in text)
