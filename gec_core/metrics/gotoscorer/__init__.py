"""GoToScorer (Gotou et al. 2020): chunks of the source, weighted by how few systems are right about them."""

from gec_core.metrics.gotoscorer.difficulty import TypeDifficulty
from gec_core.metrics.gotoscorer.metric import GoToScorer

__all__ = ["GoToScorer", "TypeDifficulty"]
