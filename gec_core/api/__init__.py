"""The public functions of GEC Lens, which `import gec_core as gec` offers by name.

`metric` scores and explains lists of sentences, `corpus` opens or makes a corpus, and `score` and what follows from it
(`correlate`, `disagreements`, `analyse`) work on whole corpora.
"""
