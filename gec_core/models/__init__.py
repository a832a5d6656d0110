"""Pretrained models: found on this machine (`places`), loaded safely (`loading`), run in batches by length.

torch and transformers are imported only when a model runs: finding the model of a metric takes milliseconds.
"""
