"""Error types.

Which kinds of errors each system corrects, misses and overdoes.
"""

from dashboard.views import types

types.show()
