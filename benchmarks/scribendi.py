"""Scribendi Score beside the package `gec-metrics`, on the same language model, in this process.

Sentences of CoNLL-2014 are drawn at random and scored with all 13 systems' outputs. Loading is left out on both
sides, and no store is used. gec-metrics begins texts with another token by itself; here it uses ours, so that both
give the same scores. Ours is faster because each distinct sentence is read once, and common beginnings with it.

A second table has the language model alone, with oneDNN and with torch's own products of matrices, in CPU seconds (a
busy machine changes these less), and how many verdicts differ."""

import random
import sys
import time
import types
from collections.abc import Sequence
from typing import Any

from rapidfuzz import fuzz, utils

from benchmarks._common import conll14, parser, table
from benchmarks.gec_metrics import peer
from gec_core import corpora
from gec_core.metrics.scribendi import Scribendi
from gec_core.models import causal_lm, loading
from gec_core.models.causal_lm import END_OF_TEXT, load_lm
from gec_core.models.loading import device, unpacked
from gec_core.scoring import score
from gec_core.types import Corpus

SENTENCES = 40


def sample() -> Corpus:
    corpus = corpora.load(conll14())
    lines = sorted(random.Random(0).sample(range(len(corpus)), SENTENCES))
    systems = {name: tuple(outputs[line] for line in lines) for name, outputs in corpus.systems.items()}
    return Corpus(corpus.name, tuple(corpus.sentences[line] for line in lines), systems)


def their_scorer(metric: Scribendi) -> Any:
    """Theirs on our model; the package that it compares words with gives way to a faster one with the same results."""
    fuzzywuzzy = types.ModuleType("fuzzywuzzy.fuzz")
    fuzzywuzzy.token_sort_ratio = lambda *texts: round(  # type: ignore[attr-defined]
        fuzz.token_sort_ratio(*texts, processor=utils.default_process)
    )
    sys.modules |= {"fuzzywuzzy": types.ModuleType("fuzzywuzzy"), "fuzzywuzzy.fuzz": fuzzywuzzy}
    cls = peer("scribendi", "Scribendi")
    scorer = cls(cls.Config(model=str(unpacked(metric.place).path), no_cuda=True))
    scorer.tokenizer.bos_token = END_OF_TEXT
    return scorer


def products(corpus: Corpus, metric: Scribendi) -> None:
    """Print the time of the language model with oneDNN and without, and compare the verdicts."""
    outputs = [(one.source, texts[at]) for texts in corpus.systems.values() for at, one in enumerate(corpus.sentences)]
    texts = list(dict.fromkeys(causal_lm.detokenise(text) for pair in outputs for text in pair))
    seconds, means = [], []
    for use in (loading.use_onednn, lambda model, rows: None):
        setattr(causal_lm, "use_onednn", use)  # noqa: B010
        lm = load_lm.__wrapped__(metric.place)
        started = time.process_time()
        nats = lm.nats(texts)
        seconds.append(time.process_time() - started)
        means.append({text: each.mean() for text, each in zip(texts, nats, strict=True) if len(each)})
    read = [tuple(map(causal_lm.detokenise, pair)) for pair in outputs]
    verdicts = [[each[output] < each[source] for source, output in read] for each in means]
    differ = sum(one != other for one, other in zip(*verdicts, strict=True))
    off = max(abs(means[0][text] - means[1][text]) for text in means[0])
    head = [
        f"{len(texts)} texts",
        "oneDNN, CPU s",
        "MKL, CPU s",
        "times faster",
        "largest difference, nats",
        "verdicts",
    ]
    table(head, [[metric.label, *seconds, seconds[1] / seconds[0], f"{off:.1e}", f"{differ} of {len(read)} differ"]])


def main(arguments: Sequence[str]) -> None:
    parser(__file__, __doc__).parse_args(arguments)
    corpus, metric = sample(), Scribendi()
    sources = [sentence.source for sentence in corpus.sentences]
    device()
    theirs = their_scorer(metric)
    load_lm(metric.place)
    started = time.perf_counter()
    found = score(corpus, [metric]).columns[0].values
    own = time.perf_counter() - started
    started = time.perf_counter()
    expected = {name: theirs.score_corpus(sources, list(outputs)) for name, outputs in corpus.systems.items()}
    other = time.perf_counter() - started
    equal = sum(found[name] == expected[name] for name in found)
    head = [metric.label, "ours, s", "gec-metrics, s", "times faster", "equal scores"]
    table(head, [[f"{SENTENCES} sentences × 13 systems", own, other, other / own, f"{equal} of {len(found)}"]])
    products(corpus, metric)
