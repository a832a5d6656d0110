"""Options: read from text, refused with a reason, written into the signature."""

import pytest

from gec_core.errors import OptionError, UnknownMetric
from gec_core.metrics import create, registry


def test_defaults_stand_in_the_signature() -> None:
    assert create("m2").signature == "m2|v1|beta:0.5|max_unchanged:2|sentence:max"


def test_options_are_read_from_text() -> None:
    metric = create("m2", {"beta": "1", "max_unchanged": "3", "sentence": "last"})
    assert metric.signature == "m2|v1|beta:1.0|max_unchanged:3|sentence:last"


@pytest.mark.parametrize(
    ("id", "key", "value", "complaint"),
    [
        ("m2", "betta", "1", "m2 has no option 'betta'. It has: beta, max_unchanged, sentence. Did you mean 'beta'?"),
        ("m2", "beta", "half", "m2.beta=half: 'half' is not a number."),
        ("m2", "beta", "-1", "m2.beta=-1: must be at least 0.01."),
        ("m2", "beta", "nan", "m2.beta=nan: 'nan' is not a finite number."),
        ("m2", "beta", "inf", "m2.beta=inf: 'inf' is not a finite number."),
        ("gleu", "iterations", "200000", "gleu.iterations=200000: must be at most 100,000."),
        ("asano", "grammar", "1.5", "asano.grammar=1.5: must be at most 1."),
        ("m2", "max_unchanged", "2.5", "m2.max_unchanged=2.5: '2.5' is not a whole number."),
        ("m2", "sentence", "best", "m2.sentence=best: choose one of max, chosen, last."),
        ("imeasure", "compat", "yes", "imeasure.compat=yes: write true or false."),
        ("m2", "beta", "1e200", "m2.beta=1e200: must be at most 100."),
        ("errant", "beta", "1e200", "errant.beta=1e200: must be at most 100."),
        ("ptm2", "beta", "1e200", "ptm2.beta=1e200: must be at most 100."),
        ("imeasure", "beta", "1e200", "imeasure.beta=1e200: must be at most 100."),
        ("gleu", "iterations", "0", "gleu.iterations=0: must be at least 1."),
        ("bleu", "beta", "1", "bleu has no option 'beta'. It has: none."),
    ],
)
def test_what_does_not_fit_is_refused(id: str, key: str, value: str, complaint: str) -> None:
    with pytest.raises(OptionError) as caught:
        create(id, {key: value})
    assert str(caught.value) == complaint


def test_an_unknown_metric_lists_what_there_is() -> None:
    with pytest.raises(UnknownMetric, match=r"No metric 'm3'\. There are: m2, sentm2, "):
        create("m3")


@pytest.mark.parametrize("id", list(registry()))
def test_every_metric_says_what_it_is(id: str) -> None:
    metric = create(id)
    assert metric.summary.endswith(".")
    assert metric.signature.startswith(f"{id}|v")
    assert all(spec.help for spec in metric.Options.specs())
    numbers = [spec for spec in metric.Options.specs() if spec.kind in (int, float)]
    assert all(spec.least <= spec.default <= spec.most for spec in numbers)


def test_options_that_do_not_change_statistics_share_them() -> None:
    assert create("m2", {"beta": "1"}).statistics_signature == create("sentm2").statistics_signature
    assert create("m2", {"max_unchanged": "1"}).statistics_signature != create("m2").statistics_signature
    assert create("gleu", {"sampling": "exact"}).statistics_signature == create("gleu").statistics_signature
