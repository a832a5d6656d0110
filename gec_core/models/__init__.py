"""Pretrained models: found on this machine (`places`), loaded safely (`loading`), run in batches by length.

Nothing here imports torch or transformers before a model is really needed: asking which model a metric would
use, and whether it is there, takes milliseconds.
"""
