"""GEC Lens, the library: corpora, metrics, human rankings and what they have to say to each other.

Importing this package is cheap. Metrics load what they need (numba, torch, spaCy) when they first run.
"""

__version__ = "0.1.0"
