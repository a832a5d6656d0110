"""Overview.

The corpus in numbers, and the findings that stand out.
"""

from dashboard.views import overview

overview.show()
