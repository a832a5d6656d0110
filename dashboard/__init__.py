"""The Streamlit app over gec_core: pages, their views, and what these share."""

from threading import RLock

IMPORTING = RLock()
"""Held by a thread that imports modules of this project. While one thread imports a package, another that begins with
one of its modules gets half a module or a deadlock error: a visitor's page and the server's own threads, at the start."""
