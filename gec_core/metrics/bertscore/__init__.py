"""BERTScore (Zhang et al. 2020): the metric, and the similarity that PT-M² and PT-ERRANT use as well."""

from gec_core.metrics.bertscore.metric import BERTScore

__all__ = ["BERTScore"]
