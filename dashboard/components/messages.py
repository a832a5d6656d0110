"""Problems and notices, told to the person in front of the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import streamlit as st

from gec_core.errors import GecLensError


class _End(Exception):
    """The page is drawn as far as it can be."""


def end_page() -> NoReturn:
    """Draw no more of this page. Unlike st.stop, this lets the frame finish its own work."""
    raise _End


@contextmanager
def problems_shown() -> Iterator[None]:
    """What goes wrong for a reason that a person can mend is shown as its message, not as a traceback."""
    try:
        yield
    except _End:
        pass
    except GecLensError as error:
        st.error(plain(str(error)), icon=":material/error:")


def plain(text: str) -> str:
    """Text that Streamlit shows as it is: markdown, colour and formula marks taken literally."""
    return "".join(f"\\{character}" if character in r"\`*_{}[]()<>#+-.!|~$:^" else character for character in text)


def told(problem: BaseException) -> str:
    """What to tell of something that failed beside the page; of a bug of ours only what kind it is."""
    return str(problem) if isinstance(problem, GecLensError) else f"failed: {type(problem).__name__}"


def in_markdown(text: str) -> str:
    """A sentence in which words of a corpus stand between backticks: these in bold, everything taken literally."""
    parts = text.split("`")
    return "".join(
        f"**{plain(part)}**" if index % 2 and part.strip() else plain(part) for index, part in enumerate(parts)
    )
