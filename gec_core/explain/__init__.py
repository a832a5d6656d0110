"""Why a score is what it is, and why two scores differ.

`metric.explain(sentence, output)` tells it in the metric's own terms: see `native`, and `blocks` for what comes
back. `credit.credit` says what each edit of an output is worth, by one definition for all metrics;
`credit.difference` sets two outputs against each other, and `words.compare` says it in plain words.
"""
