"""The Streamlit app over gec_core: pages, their views, and what these share."""

from threading import RLock

IMPORTING = RLock()
"""Held by a thread that imports modules of this project: a visitor's page, or one of the server's own at the start.

While one thread imports a package, another one that begins with a module of it gets half a module, or a deadlock error.
"""
