"""Playground.

Type a sentence and its corrections and see every metric; switch edits; compute scores step by step.
"""

from dashboard.views import playground

playground.show()
