"""Meta-evaluation: correlation of metrics with people, significance, sentence-level agreement, rank differences."""

from gec_core.meta.agreement import (
    OrderAgreement,
    Ties,
    pair_agreement,
    rank_differences,
    sentence_agreement,
    system_agreement,
)
from gec_core.meta.correlation import (
    Coefficient,
    Correlation,
    LeaveOneOut,
    LeftOut,
    common_systems,
    correlate,
    williams,
    windows,
)

__all__ = [
    "Coefficient",
    "Correlation",
    "LeaveOneOut",
    "LeftOut",
    "OrderAgreement",
    "Ties",
    "common_systems",
    "correlate",
    "pair_agreement",
    "rank_differences",
    "sentence_agreement",
    "system_agreement",
    "williams",
    "windows",
]
