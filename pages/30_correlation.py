"""Correlation.

How well the system scores of each metric agree with people's.
"""

from dashboard.views import correlation

correlation.show()
