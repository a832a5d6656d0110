"""Sentence agreement.

Whether metrics prefer the outputs that judges prefer, sentence by sentence.
"""

from dashboard.views import agreement

agreement.show()
