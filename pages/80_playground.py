"""Playground.

Type a sentence and its corrections, and watch every metric; switch edits on and off; compute step by step.
"""

from dashboard.views import playground

playground.show()
