"""What pages ask for, computed once and shared by all visitors. The only user of Streamlit's caches.

What holds words of a text is kept for one visitor's session only: the text may be the visitor's own.
"""

from dashboard.services.agreeing import agreements, preferred, reproduced
from dashboard.services.analysing import changes, corrections, type_gains, under_metric
from dashboard.services.by_type import (
    edits_of_errors,
    errors_by_type,
    errors_of_type,
    gold_choices,
    gold_type_groups,
    types_ready,
    types_shipped,
)
from dashboard.services.corpus import (
    corpus_names,
    facts,
    human_ranking,
    human_rankings,
    judged_pairs,
    load_corpus,
    only,
    pairs_among,
)
from dashboard.services.disagreeing import disagreements, edits_key, error_types, read_edits
from dashboard.services.explaining import (
    ask_model,
    in_words,
    model_key,
    output_edits,
    quick,
    quick_worth,
    takes_a_model,
    worth,
)
from dashboard.services.playground import errands, model_steps, quick_steps, typed_scores
from dashboard.services.scoring import all_metrics, jobs, metrics_for, scored, scores, sentence_arrays

__all__ = [
    "agreements",
    "all_metrics",
    "ask_model",
    "changes",
    "corpus_names",
    "corrections",
    "disagreements",
    "edits_key",
    "edits_of_errors",
    "errands",
    "error_types",
    "errors_by_type",
    "errors_of_type",
    "facts",
    "gold_choices",
    "gold_type_groups",
    "human_ranking",
    "human_rankings",
    "in_words",
    "jobs",
    "judged_pairs",
    "load_corpus",
    "metrics_for",
    "model_key",
    "model_steps",
    "only",
    "output_edits",
    "pairs_among",
    "preferred",
    "quick",
    "quick_steps",
    "quick_worth",
    "read_edits",
    "reproduced",
    "scored",
    "scores",
    "sentence_arrays",
    "takes_a_model",
    "type_gains",
    "typed_scores",
    "types_ready",
    "types_shipped",
    "under_metric",
    "worth",
]
