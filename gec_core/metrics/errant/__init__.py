"""ERRANT (Bryant et al. 2017), SentERRANT, and the base of other metrics on ERRANT edits."""

from gec_core.metrics.errant.metric import Errant, SentErrant

__all__ = ["Errant", "SentErrant"]
