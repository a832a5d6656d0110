"""The error analysis of one system beside the others of a corpus: where it stands, whether that is chance, and why.

`analyse` does all of it from the scores of a corpus; each module here does one part and says how it is defined.
"""

from gec_core.analysis.analysis import (
    Analysis,
    UnderMetric,
    analyse,
    analyse_metric,
    choose_rival,
    possible_corrections,
    possible_gains,
)

__all__ = [
    "Analysis",
    "UnderMetric",
    "analyse",
    "analyse_metric",
    "choose_rival",
    "possible_corrections",
    "possible_gains",
]
