"""Tour.

Eight steps through the demo corpus for those who have never heard of these metrics.
"""

from dashboard.views import tour

tour.show()
