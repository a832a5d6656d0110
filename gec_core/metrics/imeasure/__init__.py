"""The I-measure (Felice and Briscoe 2015): the metric, and the search for the best reference."""

from gec_core.metrics.imeasure.metric import IMeasure

__all__ = ["IMeasure"]
