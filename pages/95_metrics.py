"""Metrics.

What each metric measures, how it is computed, and where it is known to fail.
"""

from dashboard.views import metrics

metrics.show()
