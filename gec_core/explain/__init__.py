"""Why a score is what it is, and why two scores differ.

`credit` computes the contribution of each edit to a score, by one definition for all metrics, and to the difference of
two scores; `prose` says it in words. The explanation of a score in a metric's own terms is part of the metric:
`metric.explain(sentence, output)`.
"""
