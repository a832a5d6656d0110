"""Rankings.

The systems of the corpus as people and each metric rank them.
"""

from dashboard.views import rankings

rankings.show()
