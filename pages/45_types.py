"""Error types.

Which kinds of errors each system corrects, misses and makes up.
"""

from dashboard.views import types

types.show()
