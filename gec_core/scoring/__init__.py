"""Score a corpus: statistics per sentence, kept in a store, summed into a table of scores."""

from gec_core.scoring.run import distinct_rows, known_column, missing, pair_keys, score, stored_rows
from gec_core.scoring.table import MetricScores, Scored, ScoreTable

__all__ = [
    "MetricScores",
    "ScoreTable",
    "Scored",
    "distinct_rows",
    "known_column",
    "missing",
    "pair_keys",
    "score",
    "stored_rows",
]
