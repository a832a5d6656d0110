"""GLEU (Napoles et al. 2015): the metric, and its expectation over all choices of references."""

from gec_core.metrics.gleu.metric import Gleu

__all__ = ["Gleu"]
