"""Robustness.

How often a metric's score moves the right way when a text is changed in a way whose effect is known.
"""

from dashboard.views import robustness

robustness.show()
