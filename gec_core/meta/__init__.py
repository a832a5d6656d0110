"""How well metrics do what people do: correlations, significance, sentence-level agreement, rank differences."""

from gec_core.meta.correlation import (
    Coefficient,
    Correlation,
    LeaveOneOut,
    LeftOut,
    Window,
    correlate,
    windows,
)
from gec_core.meta.metric_agreement import OrderAgreement, SystemAgreement, sentence_agreement, system_agreement
from gec_core.meta.rankdiff import RankDifference, RankDifferences, rank_differences
from gec_core.meta.tau import PairAgreement, Ties, pair_agreement
from gec_core.meta.williams import Williams, williams

__all__ = [
    "Coefficient",
    "Correlation",
    "LeaveOneOut",
    "LeftOut",
    "OrderAgreement",
    "PairAgreement",
    "RankDifference",
    "RankDifferences",
    "SystemAgreement",
    "Ties",
    "Williams",
    "Window",
    "correlate",
    "pair_agreement",
    "rank_differences",
    "sentence_agreement",
    "system_agreement",
    "williams",
    "windows",
]
