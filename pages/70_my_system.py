"""My system.

Your own outputs beside those of the corpus, visible to you alone, and the error analysis of any system.
"""

from dashboard.views import my_system

my_system.show()
