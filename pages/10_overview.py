"""Overview.

The corpus at a glance, and what is worth knowing about it.
"""

from dashboard.views import overview

overview.show()
