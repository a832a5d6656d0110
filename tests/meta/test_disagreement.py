"""Opposite orders: three systems by hand, judges, filters, summaries, and the real corpus in time."""

import time

import numpy as np
import pytest
from conftest import needs_conll14, sentence
from errant_cases import needs_errant

from gec_core import precomputed
from gec_core.errors import MissingInput, ScoreError
from gec_core.meta.disagreement import disagreements
from gec_core.meta.metric_agreement import OrderAgreement, sentence_agreement
from gec_core.metrics import create
from gec_core.scoring import distinct_rows, score
from gec_core.types import Corpus, Edit, Judgment, Judgments, Ranked

SENTENCES = (sentence("a b c", "a x c"), sentence("d e f g", "d e f y"))
OUTPUTS = {"A": ("a x c", "d e f g"), "B": ("a b c", "d e f y"), "C": ("a b z", "d e f g")}
CORPUS = Corpus("tiny", SENTENCES, OUTPUTS)
ONE = {"A": [1.0, 0.2], "B": [0.5, 0.6], "C": [0.0, 0.2]}
OTHER = {"A": [0.3, 0.9], "B": [0.2, 0.5], "C": [0.4, 0.9]}
"""Sentence 0: C is last for the one and first for the other. Sentence 1: A and C have one output, B another."""


def found(first=("one", ONE), second=("other", OTHER), **more):
    return disagreements(CORPUS, first, second, **more)


def test_opposite_orders_by_hand():
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


def test_what_each_side_thinks_is_told():
    (first,) = found().top(1)
    assert first.first.difference == pytest.approx(0.5)
    assert (first.first.better_score, first.first.worse_score) == (0.5, 0.0)
    assert (first.second.better_score, first.second.worse_score) == (0.4, 0.2)
    assert first.first.votes is None


def test_each_pair_of_outputs_counts_once():
    assert found().order == OrderAgreement(alike=1, opposed=3, one_tied=0, both_tied=0)
    assert len(found()) == 3
    assert sentence_agreement(ONE, OTHER).opposed == 4  # A and C separately, and their tie counts there


def test_ties_are_counted_but_not_listed():
    tied = disagreements(CORPUS, ("one", ONE), ("tied", {name: [0, 0] for name in OUTPUTS}))
    assert tied.order == OrderAgreement(alike=0, opposed=0, one_tied=4, both_tied=0)
    assert tied.top() == []


def test_filters_leave_strengths_as_they_are():
    (only,) = found().where(systems=["B", "C"], longest=3).top()
    assert (only.sentence, only.strength) == (0, 0.25)
    assert [each.sentence for each in found().where(shortest=4).top()] == [1]
    assert len(found().where(longest=2)) == 0
    assert len(found().where(unanimous=True)) == 3


def test_unknown_names_are_told():
    with pytest.raises(ScoreError, match=r"No system X here\. There are: A, B, C"):
        found().where(systems=["A", "X"])
    with pytest.raises(ScoreError, match=r"No error type R:NOUN here\. There are: none"):
        found().where(type="R:NOUN")


def test_scores_of_another_corpus_are_refused():
    with pytest.raises(ScoreError, match="one has scores of 1 sentences, tiny has 2"):
        disagreements(CORPUS, ("one", {name: [1.0] for name in OUTPUTS}), ("other", OTHER))


def test_systems_that_are_disputed():
    """A and B: opposed on sentence 1, alike on 0; B and C: opposed on both; A and C: opposed on 0, same output on 1."""
    assert [(each.what, each.opposed, each.pairs) for each in found().by_systems()] == [
        (("B", "C"), 2, 2),
        (("A", "C"), 1, 1),
        (("A", "B"), 1, 2),
    ]


EDITS = {
    ("a b c", "a x c"): (Edit(1, 2, "x", "R:NOUN"),),
    ("a b c", "a b c"): (),
    ("a b c", "a b z"): (Edit(2, 3, "z", "R:VERB"),),
    ("d e f g", "d e f g"): (),
    ("d e f g", "d e f y"): (Edit(3, 4, "y", "R:NOUN"),),
}


def test_error_types_that_are_disputed():
    by_type = found(edits=EDITS).by_type()
    assert [(each.what, each.opposed, each.pairs) for each in by_type] == [(("R:VERB",), 2, 2), (("R:NOUN",), 2, 3)]
    assert [each.sentence for each in found(edits=EDITS).where(type="R:VERB").top()] == [0, 0]


def ranking(sentence, judge, **places):
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


def test_judges_are_as_far_apart_as_the_places_they_gave():
    side = found(second=("judges", JUDGMENTS)).second
    assert side.differences.tolist() == [[-2, 1], [-3, 0], [0, -1]]
    assert np.isnan(found(second=("judges", JUDGMENTS.by(["bob"]))).second.differences[0, 0])


def test_a_metric_against_judges():
    listed = found(second=("judges", JUDGMENTS))
    assert listed.order == OrderAgreement(alike=0, opposed=3, one_tied=1, both_tied=0)
    top = listed.top()
    assert [(each.sentence, each.second.better, each.second.difference, each.second.votes) for each in top] == [
        (0, ("C",), 3, (1, 0, 1)),
        (0, ("B",), 2, (1, 0, 1)),
        (1, ("A", "C"), 1, (1, 0, 2)),
    ]
    assert top[0].second.better_score is None


def test_only_where_all_judges_prefer_the_same():
    assert [each.sentence for each in found(second=("judges", JUDGMENTS)).where(unanimous=True).top()] == [0, 0]


def test_pairs_that_nobody_judged_are_left_out():
    nobody = Judgments((ranking(0, "ann", A=1, B=2),))
    assert found(second=("judges", nobody)).order.pairs == 1


def test_systems_that_are_judged_but_not_here_are_passed_over():
    stranger = Judgments((ranking(0, "ann", Z=1, B=2),))
    assert found(second=("judges", stranger)).order.pairs == 0


def test_without_texts_outputs_are_told_apart_by_their_keys(tmp_path, monkeypatch):
    metrics = [create("m2"), create("gleu")]
    rows, about, keys = {}, {}, {}
    for metric in metrics:
        keys[metric.reads], rows[metric.statistics_signature] = distinct_rows(CORPUS, metric)
        about[metric.statistics_signature] = {"metrics": [metric.id], "seconds": 0.1}
    precomputed.write(tmp_path / "tiny", CORPUS, keys, rows, about)
    stored = precomputed.all_precomputed(tmp_path)
    monkeypatch.setattr(precomputed, "all_precomputed", lambda: stored)
    bare = precomputed.scores_only("tiny")
    textless = disagreements(bare, ("one", ONE), ("other", OTHER))
    assert textless.top() == found().top()
    with pytest.raises(MissingInput, match="texts of the corpus are not here"):
        textless.where(longest=3)


@needs_conll14
def test_13_systems_within_a_second(conll14):
    table = score(conll14, [create("m2"), create("gleu")])
    scores = {id: {name: table[id].sentence_scores(name) for name in conll14.systems} for id in ("m2", "gleu")}
    started = time.process_time()
    metrics = disagreements(conll14, ("m2", scores["m2"]), ("gleu", scores["gleu"]))
    judges = disagreements(conll14, ("gleu", scores["gleu"]), ("judges", conll14.judgments))
    assert len(metrics.top(50)) == len(judges.top(50)) == 50
    assert time.process_time() - started < 1
    assert metrics.order.opposed == 2273
    for each in judges.where(unanimous=True).top(50):
        votes = each.second.votes
        assert votes[0] == votes[2] > 0 == votes[1]
        better, worse = each.second.better[0], each.first.better[0]
        assert scores["gleu"][better][each.sentence] < scores["gleu"][worse][each.sentence]


@needs_errant
def test_types_of_real_outputs(tmp_path):
    from gec_core.align.errant_edits import TextPair, edits_of

    given = (sentence("He go home .", "He goes home ."),)
    corpus = Corpus("one", given, {"A": ("He goes home .",), "B": ("He go to home .",)})
    edits = edits_of([TextPair(given[0].source, outputs[0]) for outputs in corpus.systems.values()])
    both = disagreements(corpus, ("x", {"A": [1], "B": [0]}), ("y", {"A": [0], "B": [1]}), edits=edits)
    assert [each.what for each in both.by_type()] == [("M:PREP",), ("R:VERB:SVA",)]
