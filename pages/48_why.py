"""Why.

Why two sides, metrics or judges, put two systems in different orders: the gap, split into sentences and edits.
"""

from dashboard.views import why

why.show()
