"""Judge.

Collect human judgments of outputs, live, and compare the ranking with those of the metrics.
"""

from dashboard.views import judge

judge.show()
