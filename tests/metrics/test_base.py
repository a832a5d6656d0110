"""What all metrics share: explanations and steps by default, cards, and what they say when something is missing."""

import json
from typing import Any

import pytest
from conftest import sentence
from errant_cases import needs_errant
from hypothesis import given, settings
from hypothesis import strategies as st
from paper_examples import HOSPITAL, HOSPITAL_AN
from tiny_encoder import needs_encoder, save_tiny_bert

from gec_core.errors import MissingInput
from gec_core.metrics import create, registry
from gec_core.metrics.base import Case
from gec_core.metrics.blocks import Facts, Step
from gec_core.types import Sentence

texts = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)
some_text = st.lists(st.sampled_from("abcd"), min_size=1, max_size=9).map(" ".join)


def steps(case: Case) -> tuple[Step, ...]:
    return case.metric.steps(case.sentence, case.output, peers=case.peers)


def test_a_metric_without_an_explanation_of_its_own_shows_its_numbers() -> None:
    found = create("length").explain(sentence("a b"), "a b c")
    assert found.blocks == (Facts("What the score is made of", {"output_tokens": 3, "source_tokens": 2}),)
    assert create("constant").explain(sentence("a b"), "a b c").blocks == ()


def test_every_quick_metric_can_be_explained_and_carried_as_json() -> None:
    given = sentence("Two dog bark at cat .", "Two dogs bark at the cat .")
    quick = [id for id, cls in registry().items() if cls.family in ("overlap", "sanity") or id in ("m2", "sentm2")]
    for id in quick:
        for output in ("Two dogs bark at the cat .", given.source, ""):
            found = create(id).explain(given, output)
            carried = json.loads(json.dumps(found.as_dict()))
            assert carried["metric"] == id
            assert [block["kind"] for block in carried["blocks"]] == [block.kind for block in found.blocks]


@pytest.mark.parametrize("metric", ["m2", "sentm2", "imeasure", "gleu", "bleu", "green", "length"])
@settings(deadline=None, max_examples=50)  # the first example compiles the lattice
@given(source=some_text, output=texts, first=some_text, second=some_text)
def test_the_last_step_has_the_score(metric: str, source: str, output: str, first: Any, second: Any) -> None:
    case = Case(create(metric), sentence(source, first, second), output)
    assert steps(case)[-1].value == pytest.approx(case.score, abs=1e-9)


@needs_errant
@pytest.mark.parametrize("metric", ["errant", "senterrant", "gotoscorer"])
@pytest.mark.parametrize("output", [HOSPITAL_AN, HOSPITAL.source, HOSPITAL.references[0], "Thus advices plays .", ""])
def test_the_last_step_has_the_score_of_typed_edits(metric: str, output: str) -> None:
    case = Case(create(metric), HOSPITAL, output, None, [HOSPITAL_AN, HOSPITAL.source])
    assert steps(case)[-1].value == pytest.approx(case.score, abs=1e-12)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_bert(tmp_path_factory.mktemp("steps") / "bert"))


@needs_encoder
@pytest.mark.parametrize("metric", ["ptm2", pytest.param("pterrant", marks=needs_errant)])
def test_weights_take_the_place_of_counts(metric: str, bert: str) -> None:
    case = Case(create(metric, {"model": bert}), HOSPITAL, HOSPITAL_AN)
    found = steps(case)
    assert found[-1].value == pytest.approx(case.score, abs=1e-9)
    weights = next(step for step in found if "weights" in step.title)
    assert len(weights.formulas) == 1 + 3


def test_a_metric_says_what_it_lacks() -> None:
    with pytest.raises(MissingInput, match="GLEU needs references"):
        create("gleu").explain(Sentence("a b"), "a c")


@pytest.mark.parametrize("id", registry())
def test_every_metric_has_a_card(id: str) -> None:
    card = registry()[id].card
    assert card.startswith("### Formula\n")
    assert not card.endswith("\n")


@pytest.mark.parametrize("id", registry())
def test_formulas_of_cards_are_read_as_formulas(id: str) -> None:
    """Markdown takes what follows `$$` on its line for a name of the block, and a formula may not hold a `$`."""
    fences = 0
    for line in registry()[id].card.split("\n"):
        if "$$" in line:
            assert line == "$$"
            fences += 1
        elif fences % 2:
            assert "$" not in line
        else:
            assert line.count("$") % 2 == 0
    assert fences % 2 == 0
