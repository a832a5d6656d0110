"""What metrics with a model make of an output: computed in the background when someone asks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from dashboard import cache
from dashboard.comparison import Comparison
from dashboard.components.messages import plain
from dashboard.components.progress import Offer, work_lines
from gec_core.metrics.base import Metric


def ask_models(found: Comparison, slow: Mapping[str, Metric], index: int, outputs: Mapping[str, str]) -> None:
    """A button that asks all models that have not been asked yet, then how far each of them is."""
    corpus = found.corpus
    offers = [
        Offer(
            cache.model_key(corpus, metric, index, output),
            f"{name}, {system}",
            partial(cache.ask_model, corpus, metric, index, output, system),
            "Compute",
        )
        for name, metric in slow.items()
        for system, output in outputs.items()
        if cache.worth(corpus, metric, index, output) is None
    ]
    if not offers:
        return
    with st.container(border=True):
        begun = [offer for offer in offers if cache.jobs().known(offer.key)]
        if begun:
            st.markdown("**Asking the models.** You can go on; what is done shows up by itself.")
            work_lines(tuple(begun))
            return
        names = plain(", ".join(slow))
        st.write(f"What the edits are worth to {names} takes a model: a few seconds to a minute.")
        if st.button(f"Compute credits of {names}", icon=":material/calculate:"):
            for offer in offers:
                offer.start()
            st.rerun()
