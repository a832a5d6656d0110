"""Asano et al. 2017: grammar, fluency and meaning without references, and the three parts as metrics of their own."""

from gec_core.metrics.asano.fluency import AsanoFluency
from gec_core.metrics.asano.grammar import AsanoGrammar
from gec_core.metrics.asano.meaning import AsanoMeaning
from gec_core.metrics.asano.metric import Asano

__all__ = ["Asano", "AsanoFluency", "AsanoGrammar", "AsanoMeaning"]
