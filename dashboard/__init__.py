"""The Streamlit app over gec_core: pages, their views, and what these share."""

from threading import RLock

IMPORTING = RLock()
"""Held while modules of this project are imported for a page, and by the threads that the server starts by itself.

While one thread imports a package, another one that begins with a module of it gets half a module, or a deadlock error.
Not held for what a function imports when it is first called, in a page or in a job that a visitor starts.
"""
