"""Human evaluation of systems: pairs, rankings, agreement between judges.

`expanded(judgments)` and `unexpanded(judgments)` make pairs; `rank(pairs, "ew")` ranks the systems by them.
"""

from gec_core.human.agreement import judge_agreement
from gec_core.human.pairs import Pairs, expanded, unexpanded
from gec_core.human.ranking import Interval, Method, Ranking, from_scores, rank, rank_by_sentence_scores
from gec_core.human.sources import published, published_ranking

__all__ = [
    "Interval",
    "Method",
    "Pairs",
    "Ranking",
    "expanded",
    "from_scores",
    "judge_agreement",
    "published",
    "published_ranking",
    "rank",
    "rank_by_sentence_scores",
    "unexpanded",
]
