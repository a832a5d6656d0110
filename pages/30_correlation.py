"""Correlation.

How far each metric's scores of whole systems go with people's.
"""

from dashboard.views import correlation

correlation.show()
