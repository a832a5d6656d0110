# mypy: disable-error-code="index, union-attr"
"""Opposite orders: three systems by hand, judges, filters, summaries, and the real corpus in time."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import needs_conll14, sentence
from errant_cases import needs_errant

from gec_core import shipped
from gec_core.errors import MissingInput, ScoreError
from gec_core.meta.agreement import OrderAgreement, sentence_agreement
from gec_core.meta.disagreement import Disagreements, disagreements
from gec_core.meta.disagreement_counts import DisagreementCount, by_system, by_systems, by_type
from gec_core.meta.sides import type_tables
from gec_core.metrics import create
from gec_core.scoring import distinct_rows, precomputed, score
from gec_core.types import Corpus, Edit, Judgment, Judgments, Ranked

SENTENCES = (sentence("a b c", "a x c"), sentence("d e f g", "d e f y"))
OUTPUTS = {"A": ("a x c", "d e f g"), "B": ("a b c", "d e f y"), "C": ("a b z", "d e f g")}
CORPUS = Corpus("tiny", SENTENCES, OUTPUTS)
ONE = {"A": [1.0, 0.2], "B": [0.5, 0.6], "C": [0.0, 0.2]}
OTHER = {"A": [0.3, 0.9], "B": [0.2, 0.5], "C": [0.4, 0.9]}
"""Sentence 0: C is last for the one and first for the other. Sentence 1: A and C have one output, B another."""


def found(first: Any = ("one", ONE), second: Any = ("other", OTHER), **more: Any) -> Disagreements:
    return disagreements(CORPUS, first, second, **more)


def test_opposite_orders_by_hand() -> None:
    """Differences of `one`, smallest first: .4, .5, .5, 1; of `other`: .1, .1, .2, .4. The strengths are the smaller
    shares: A and C on sentence 0 are 3 quarters to the one, none to the other."""
    listed = [
        (each.sentence, each.first.better, each.second.better, each.strength, each.first.share, each.second.share)
        for each in found().top()
    ]
    assert listed == [
        (0, ("B",), ("C",), 0.25, 0.25, 0.5),
        (0, ("A",), ("C",), 0.0, 0.75, 0.0),
        (1, ("B",), ("A", "C"), 0.0, 0.0, 0.75),
    ]


def test_what_each_side_thinks_is_told() -> None:
    (first,) = found().top(1)
    assert first.first.difference == pytest.approx(0.5)
    assert (first.first.better_score, first.first.worse_score) == (0.5, 0.0)
    assert (first.second.better_score, first.second.worse_score) == (0.4, 0.2)
    assert first.first.votes is None


def test_each_pair_of_outputs_counts_once() -> None:
    assert found().order == OrderAgreement(alike=1, opposed=3, one_tied=0, both_tied=0)
    assert len(found()) == 3
    assert sentence_agreement(ONE, OTHER).opposed == 4  # A and C separately, and their tie counts there


def test_ties_are_counted_but_not_listed() -> None:
    tied = disagreements(CORPUS, ("one", ONE), ("tied", {name: [0, 0] for name in OUTPUTS}))
    assert tied.order == OrderAgreement(alike=0, opposed=0, one_tied=4, both_tied=0)
    assert tied.top() == []


def test_pairs_that_one_side_ties_can_be_asked_for() -> None:
    """The strength is the share of the side that decides: 1, .5, .5 and .4 apart."""
    tied = disagreements(CORPUS, ("one", ONE), ("tied", {name: [0, 0] for name in OUTPUTS})).where(tied="second")
    assert [(each.outputs, each.strength, each.second.better, each.second.difference) for each in tied.top()] == [
        ((("A",), ("C",)), 0.75, (), 0.0),
        ((("A",), ("B",)), 0.25, (), 0.0),
        ((("B",), ("C",)), 0.25, (), 0.0),
        ((("B",), ("A", "C")), 0.0, (), 0.0),
    ]
    assert len(tied) == 4
    assert len(tied.where(tied="first")) == 0


def test_pairs_in_the_same_order_by_chance() -> None:
    (alike,) = found().alike(5)
    assert (alike.sentence, alike.outputs, alike.first.better, alike.second.better) == (
        0,
        (("A",), ("B",)),
        ("A",),
        ("A",),
    )


def test_filters_leave_strengths_as_they_are() -> None:
    (only,) = found().where(systems=["B", "C"], longest=3).top()
    assert (only.sentence, only.strength) == (0, 0.25)
    assert [each.sentence for each in found().where(shortest=4).top()] == [1]
    assert len(found().where(longest=2)) == 0
    with pytest.raises(MissingInput, match="The corpus has no judgments"):
        found().where(unanimous=True)


def test_an_output_that_a_system_outside_the_filter_shares_stays() -> None:
    """On sentence 1 A has C's output, and comes first."""
    pair = found(types=TYPES).where(systems=["B", "C"])
    assert pair.order == OrderAgreement(alike=0, opposed=2, one_tied=0, both_tied=0)
    assert [(each.sentence, each.outputs, each.strength) for each in pair.top()] == [
        (0, (("B",), ("C",)), 0.25),
        (1, (("B",), ("C",)), 0.0),
    ]
    assert [(each.what, each.opposed, each.pairs) for each in by_type(pair)] == [
        (("R:NOUN",), 1, 1),
        (("R:VERB",), 1, 1),
    ]
    assert pair.where(systems=["A", "B"]).top() == []
    both = found().where(systems=["A", "B", "C"])
    assert both.top() == found().top()


@needs_conll14
def test_two_systems_of_many_are_counted_as_if_they_were_alone(conll14: Corpus) -> None:
    table = score(conll14, [create("m2"), create("gleu")])
    scores = [(id, {name: table[id].sentence_scores(name) for name in conll14.systems}) for id in ("m2", "gleu")]
    pair = ["NTHU", "UMC"]
    narrowed = disagreements(conll14, *scores).where(systems=pair)
    alone = disagreements(conll14.only(pair), *((id, {name: all[name] for name in pair}) for id, all in scores))
    assert narrowed.order == alone.order
    assert (narrowed.order.pairs, narrowed.order.opposed) == (1004, 98)
    assert {each.what: each.pairs for each in by_systems(narrowed)} == {("NTHU", "UMC"): 1004}


def test_unknown_names_are_told() -> None:
    with pytest.raises(ScoreError, match=r"No system X here\. There are: A, B, C"):
        found().where(systems=["A", "X"])
    with pytest.raises(ScoreError, match=r"No error type R:NOUN here\. There are: none"):
        found().where(type="R:NOUN")


def test_scores_of_another_corpus_are_refused() -> None:
    with pytest.raises(ScoreError, match="one has scores of 1 sentences, but tiny has 2"):
        disagreements(CORPUS, ("one", {name: [1.0] for name in OUTPUTS}), ("other", OTHER))


def test_systems_that_are_disputed() -> None:
    """A and B: opposed on sentence 1, alike on 0; B and C: opposed on both; A and C: opposed on 0, same output on 1."""
    rows = [(each.what, each.opposed, each.pairs, each.for_first, each.for_second) for each in by_systems(found())]
    assert rows == [(("B", "C"), 2, 2, 2, 0), (("A", "C"), 1, 1, 1, 0), (("A", "B"), 1, 2, 0, 1)]


def test_a_large_share_of_few_pairs_is_not_certain() -> None:
    """Wilson's interval for 1 of 2 begins at .0945, that for 5 of 10 at .2366."""
    assert DisagreementCount(("a",), 1, 2, 1, 0).at_least == pytest.approx(0.0945, abs=1e-4)
    assert DisagreementCount(("a",), 5, 10, 5, 0).at_least == pytest.approx(0.2366, abs=1e-4)


def test_one_system_beside_all_others() -> None:
    """Of B's three disputes (both with C, one with A) `one` is for B each time; of C's three never."""
    rows = [(each.what, each.opposed, each.pairs, each.for_first, each.for_second) for each in by_system(found())]
    assert rows == [(("C",), 3, 3, 0, 3), (("B",), 3, 4, 3, 0), (("A",), 2, 3, 1, 1)]


EDITS = {
    ("a b c", "a x c"): (Edit(1, 2, "x", "R:NOUN"),),
    ("a b c", "a b c"): (),
    ("a b c", "a b z"): (Edit(2, 3, "z", "R:VERB"),),
    ("d e f g", "d e f g"): (),
    ("d e f g", "d e f y"): (Edit(3, 4, "y", "R:NOUN"),),
}


TYPES = type_tables(CORPUS, EDITS)


def test_error_types_that_are_disputed() -> None:
    rows = by_type(found(types=TYPES))
    assert [(each.what, each.opposed, each.pairs) for each in rows] == [(("R:VERB",), 2, 2), (("R:NOUN",), 2, 3)]
    assert [each.sentence for each in found(types=TYPES).where(type="R:VERB").top()] == [0, 0]
    assert [each.sentence for each in found(types=TYPES).where(type="NOUN").top()] == [0, 1]


def test_who_is_for_the_edits_of_a_type() -> None:
    """`one` never wants C's verb; it wants A's noun rather than C's verb, and B's noun rather than none."""
    assert [(each.what, each.for_first, each.for_second) for each in by_type(found(types=TYPES))] == [
        (("R:VERB",), 0, 2),
        (("R:NOUN",), 2, 0),
    ]


def ranking(sentence: int, judge: str, **places: Any) -> Judgment:
    return Judgment(sentence, judge, tuple(Ranked(tuple(names), int(rank)) for names, rank in places.items()))


JUDGMENTS = Judgments(
    (
        ranking(0, "ann", C=1, B=2, A=4),
        ranking(0, "bob", C=2, B=1),
        ranking(1, "ann", AC=1, B=3),
        ranking(1, "bob", B=2, C=2),
    )
)
"""Sentence 0: C is one place ahead of B, then one behind. Sentence 1: bob saw C's output, which is also A's."""


def test_judges_are_as_far_apart_as_the_places_they_gave() -> None:
    side = found(second=("judges", JUDGMENTS)).second
    assert side.differences.tolist() == [[-2, 1], [-3, 0], [0, -1]]
    assert np.isnan(found(second=("judges", JUDGMENTS.by(["bob"]))).second.differences[0, 0])


def test_a_metric_against_judges() -> None:
    listed = found(second=("judges", JUDGMENTS))
    assert listed.order == OrderAgreement(alike=0, opposed=3, one_tied=1, both_tied=0)
    top = listed.top()
    assert [(each.sentence, each.second.better, each.second.difference, each.second.votes) for each in top] == [
        (0, ("C",), 3, (1, 0, 1)),
        (0, ("B",), 2, (1, 0, 1)),
        (1, ("A", "C"), 1, (1, 0, 2)),
    ]
    assert top[0].second.better_score is None


def test_only_where_all_judges_prefer_the_same() -> None:
    assert [each.sentence for each in found(second=("judges", JUDGMENTS)).where(unanimous=True).top()] == [0, 0]


def test_judges_say_who_is_right_of_two_metrics() -> None:
    """C over A on sentence 0, and A's output over B's on sentence 1, as `other` has it; B and C are a draw to them."""
    judged = disagreements(replace(CORPUS, judgments=JUDGMENTS), ("one", ONE), ("other", OTHER))
    assert judged.sided == (0, 2, 1)
    assert [each.judges.better for each in judged.top()] == [(), ("C",), ("A", "C")]
    assert len(judged.where(unanimous=True)) == 1
    assert found().sided is None


def test_pairs_that_nobody_judged_are_left_out() -> None:
    nobody = Judgments((ranking(0, "ann", A=1, B=2),))
    assert found(second=("judges", nobody)).order.pairs == 1


def test_systems_that_are_judged_but_not_here_are_passed_over() -> None:
    stranger = Judgments((ranking(0, "ann", Z=1, B=2),))
    assert found(second=("judges", stranger)).order.pairs == 0


def test_without_texts_outputs_are_told_apart_by_their_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = [create("m2"), create("gleu")]
    rows, about, keys = {}, {}, {}
    for metric in metrics:
        keys[metric.reads], rows[metric.statistics_signature] = distinct_rows(CORPUS, metric)
        about[metric.statistics_signature] = {"metrics": [metric.id], "seconds": 0.1}
    shipped.write(tmp_path / "tiny", CORPUS, keys, rows, about)
    stored = shipped.all_precomputed(tmp_path)
    monkeypatch.setattr(shipped, "all_precomputed", lambda: stored)
    bare = precomputed.scores_only("tiny")
    textless = disagreements(bare, ("one", ONE), ("other", OTHER))  # type: ignore[arg-type]
    assert textless.top() == found().top()
    with pytest.raises(MissingInput, match="without the texts of the corpus"):
        textless.where(longest=3)


@needs_conll14
def test_13_systems_of_conll14(conll14: Corpus) -> None:
    table = score(conll14, [create("m2"), create("gleu")])
    scores = {id: {name: table[id].sentence_scores(name) for name in conll14.systems} for id in ("m2", "gleu")}
    metrics = disagreements(conll14, ("m2", scores["m2"]), ("gleu", scores["gleu"]))
    judges = disagreements(conll14, ("gleu", scores["gleu"]), ("judges", conll14.judgments))  # type: ignore[arg-type]
    assert len(metrics.top(50)) == len(judges.top(50)) == 50
    assert metrics.order.opposed == 2273
    for each in judges.where(unanimous=True).top(50):
        votes = each.second.votes
        assert votes[0] == votes[2] > 0 == votes[1]
        better, worse = each.second.better[0], each.first.better[0]
        assert scores["gleu"][better][each.sentence] < scores["gleu"][worse][each.sentence]


@needs_errant
def test_types_of_real_outputs(tmp_path: Path) -> None:
    from gec_core.align.errant_edits import TextPair, edits_of

    given = (sentence("He go home .", "He goes home ."),)
    corpus = Corpus("one", given, {"A": ("He goes home .",), "B": ("He go to home .",)})
    edits = edits_of([TextPair(given[0].source, outputs[0]) for outputs in corpus.systems.values()])
    both = disagreements(
        corpus,
        ("x", {"A": [1], "B": [0]}),
        ("y", {"A": [0], "B": [1]}),
        types=type_tables(corpus, edits),  # type: ignore[arg-type]
    )
    assert [each.what for each in by_type(both)] == [("M:PREP",), ("R:VERB:SVA",)]
