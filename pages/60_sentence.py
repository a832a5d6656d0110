"""Sentence.

One sentence, all outputs, and what every edit was worth to every metric.
"""

from dashboard.views import sentence

sentence.show()
