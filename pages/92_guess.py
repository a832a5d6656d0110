"""Guess first.

Rank the outputs of a sentence yourself before the metrics and the judges do.
"""

from dashboard.views import guess

guess.show()
