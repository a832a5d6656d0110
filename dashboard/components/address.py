"""The address in the browser, kept in step with what one types.

Streamlit adds a step to the browser's history whenever the server sets the address; every pause in typing would be
one step back. Here the browser itself puts the new address in place of the old one.
"""

from __future__ import annotations

import streamlit as st

_JS = """
export default function ({ data }) {
  if (!data.query) return;
  const embedding = location.search.slice(1).split("&").filter((part) => part.startsWith("embed"));
  const query = [...embedding, data.query].join("&");
  if (query !== location.search.slice(1)) history.replaceState(history.state, "", `?${query}${location.hash}`);
}
"""

_address = st.components.v2.component("gec_lens_address", html="", js=_JS)


def replace_address(query: str) -> None:
    """Have the browser show this query in place of the one that stands there; nothing if it is empty."""
    _address(key="address", data={"query": query}, height=0)
