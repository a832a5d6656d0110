"""Sentence.

One sentence, all outputs, and the credit of every edit under every metric.
"""

from dashboard.views import sentence

sentence.show()
