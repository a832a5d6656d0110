"""Across corpora.

Which metric holds up where: metrics on every corpus, set of judgments and set of systems.
"""

from dashboard.views import across

across.show()
