"""Disagreements.

Pairs of outputs that two metrics, or a metric and the judges, order in opposite ways.
"""

from dashboard.views import disagreements

disagreements.show()
