# mypy: disable-error-code="union-attr"
"""The gap between two systems as a sum over sentences."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import needs_conll14, sentence

from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError, MissingInput, ScoreError
from gec_core.human import expanded, rank
from gec_core.meta.counterfactuals import fewest_sentences
from gec_core.meta.gap import compare
from gec_core.meta.gap_sentences import EXACT, metric_gap, people_gap, people_gaps, ratings_gap
from gec_core.metrics import create, registry
from gec_core.metrics.base import Metric, Score
from gec_core.scoring import score
from gec_core.scoring.imported import read
from gec_core.store import Store
from gec_core.types import Array, Corpus, Judgment, Judgments, JudgmentSet, Pair, Ranked, Ratings, Sentence

AVAILABLE = [id for id, metric in registry().items() if metric().availability().ready]
MORE = [
    ("m2", {"beta": "1"}),
    ("sentm2", {"sentence": "chosen"}),
    ("gleu", {"sampling": "exact"}),
    ("ptm2", {"level": "corpus", "weights": "one"}),
]


@pytest.fixture(scope="module")
def columns(conll14: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Scores of all systems, from what comes with the project."""
    store = Store(tmp_path_factory.mktemp("gap") / "scores.sqlite")
    return lambda metric: score(conll14, [metric], store=store).columns[0]


@needs_conll14
@pytest.mark.parametrize("id", AVAILABLE)
def test_contributions_sum_to_the_gap_for_all_pairs(columns: Any, id: str) -> None:
    column = columns(create(id, {}))
    for first, second in combinations(column.systems, 2):
        found = metric_gap(column, first, second)
        rest = sum(each.contribution for each in found.rest)
        assert abs(found.gap - found.contributions.sum() - rest) <= EXACT
        assert abs(rest) < (1e-3 if id == "gleu" else EXACT)
        assert found.residual == pytest.approx(0, abs=EXACT)
        assert found.prices.added < 1e-6


@needs_conll14
@pytest.mark.parametrize(("id", "options"), MORE)
def test_contributions_sum_to_the_gap_with_options(columns: Any, id: str, options: str) -> None:
    column = columns(create(id, options))  # type: ignore[arg-type]
    for first, second in [("CAMB", "AMU"), ("NTHU", "UFC"), ("INPUT", "RAC")]:
        found = metric_gap(column, first, second)
        assert not found.rest
        assert abs(found.gap - found.contributions.sum()) <= EXACT


@needs_conll14
def test_nthu_and_ufc_swap_although_no_sentence_is_ordered_oppositely(columns: Any) -> None:
    sentm2, ptm2 = (metric_gap(columns(create(id, {})), "NTHU", "UFC") for id in ("sentm2", "ptm2"))
    assert sentm2.ranks == (5, 10)
    assert ptm2.ranks == (12, 7)
    assert sentm2.gap == pytest.approx(0.02052, abs=1e-5)
    assert ptm2.gap == pytest.approx(-0.00786, abs=1e-5)
    assert np.count_nonzero(sentm2.contributions * ptm2.contributions < 0) == 1
    wins = (sentm2.contributions > 0) & (ptm2.contributions > 0)
    margins = [gap.contributions[wins].mean() * 1312 for gap in (sentm2, ptm2)]
    assert margins == pytest.approx([0.58, 0.48], abs=0.005)


def corpus(systems: Any, *sentences: Any, judgments: Any = None) -> Corpus:
    return Corpus("made", sentences, {name: tuple(outputs) for name, outputs in systems.items()}, judgments)


PAIR = (
    sentence("he go home now .", "he goes home now .", "he went home ."),
    sentence("a big dogs bark .", "big dogs bark ."),
)
OUTPUTS = {"A": ["he goes home now .", "a big dog bark ."], "B": ["he go to home now .", "big dogs bark ."]}
WITHOUT_MODEL = [id for id, metric in registry().items() if metric().pace < 0.002]


@pytest.mark.parametrize("id", WITHOUT_MODEL)
def test_the_score_is_the_function_of_the_sums(id: str) -> None:
    metric = create(id, {})
    column = score(corpus(OUTPUTS, *PAIR), [metric]).columns[0]
    statistics = [scored.statistics for scored in column.systems.values()]
    sums = metric.sums(statistics)
    for scored in column.systems.values():
        totals = sums.totals(sums.of_system(scored.statistics)[1])
        assert np.mean(sums.score(totals)) == pytest.approx(scored.score.value, abs=0.05 if id == "gleu" else 1e-12)


@pytest.mark.parametrize("id", WITHOUT_MODEL)
@pytest.mark.parametrize(
    ("sentences", "outputs"),
    [
        (PAIR, OUTPUTS),
        (PAIR[:1], {"A": OUTPUTS["A"][:1], "B": OUTPUTS["B"][:1]}),  # one sentence
        (PAIR, {"A": OUTPUTS["A"], "B": OUTPUTS["A"]}),  # equal outputs
        ((sentence("fine .", "fine ."),), {"A": ["fine ."], "B": ["fine indeed ."]}),  # 0/0 on one side
        ((sentence("fine .", "fine ."),), {"A": ["fine ."], "B": [""]}),  # an empty output
    ],
)
def test_small_corpora_have_an_exact_answer(
    id: str, sentences: tuple[Sentence, ...], outputs: dict[str, list[str]]
) -> None:
    found = metric_gap(score(corpus(outputs, *sentences), [create(id, {})]).columns[0], "A", "B")
    assert np.isfinite(found.contributions).all()
    assert abs(found.residual) <= EXACT
    if outputs["A"] == outputs["B"]:
        assert not found.contributions.any()
        assert found.ranks == (1, 1)


def test_imported_scores_are_split_by_sentence(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("system\tsentence\tscore\nA\t0\t.5\nA\t1\t.25\nB\t0\t.5\nB\t1\t1\n")
    (metric,) = read(TextFile.at(path))
    found = metric_gap(metric.column(corpus(OUTPUTS, *PAIR)), "A", "B")
    assert found.contributions == pytest.approx([0, -0.375])
    assert abs(found.residual) <= EXACT


def test_imported_scores_of_systems_alone_cannot_be_split(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("system\tscore\nA\t.5\nB\t.25\n")
    (metric,) = read(TextFile.at(path))
    with pytest.raises(MissingInput, match="no sentence scores of A and B, only scores of whole systems"):
        metric_gap(metric.column(corpus(OUTPUTS, *PAIR)), "A", "B")


def test_a_metric_that_does_not_tell_its_sums_cannot_be_split() -> None:
    class Longest(Metric):
        id, name, family, summary, reads = "longest", "Longest", "sanity", "The longest output.", "source"

        def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
            return [np.array([float(len(pair.output))]) for pair in pairs]

        def aggregate(self, statistics: Array) -> Score:
            return Score(float(statistics.max()))

        def sentence_scores(self, statistics: Array) -> Array:
            return statistics[:, 0]

    with pytest.raises(ScoreError, match="Longest does not say how its score follows from sums"):
        metric_gap(score(corpus(OUTPUTS, *PAIR), [Longest()]).columns[0], "A", "B")


def test_systems_must_be_two_that_are_there() -> None:
    column = score(corpus(OUTPUTS, *PAIR), [create("m2", {})]).columns[0]
    with pytest.raises(CorpusError, match=r"no system C\. There are: A, B"):
        metric_gap(column, "A", "C")
    with pytest.raises(CorpusError, match="the same system"):
        metric_gap(column, "A", "A")


def ranked(line: int, *places: str) -> Judgment:
    return Judgment(
        line, "judge", tuple(Ranked(tuple(names.split("+")), number) for number, names in enumerate(places, 1))
    )


def test_people_contribute_wins_less_losses() -> None:
    judgments = Judgments((ranked(0, "A", "B", "C"), ranked(0, "B", "A"), ranked(1, "A", "B"), ranked(1, "A+B", "C")))
    pairs = expanded(judgments)
    found = people_gap(pairs, rank(pairs, "ew"), "A", "B", sentences=3)
    assert found.contributions == pytest.approx([0, 1 / 3, 0])
    assert found.scores == pytest.approx((2 / 3, 1 / 3))
    assert found.ranks == (1, 2)
    back = people_gap(pairs, rank(pairs, "ew"), "B", "A", sentences=3)
    assert back.contributions == pytest.approx(-found.contributions)


def test_people_who_never_told_two_systems_apart_have_no_gap() -> None:
    judgments = Judgments((ranked(0, "A", "C"), ranked(0, "C", "B"), ranked(1, "A+B", "C")))
    pairs = expanded(judgments)
    with pytest.raises(ScoreError, match="No judge preferred A to B"):
        people_gap(pairs, rank(pairs, "ew"), "A", "B", sentences=2)
    with pytest.raises(CorpusError, match="no system D"):
        people_gap(pairs, rank(pairs, "ew"), "A", "D", sentences=2)


NAN = float("nan")
RATINGS = Ratings(("A", "B", "C"), np.array([[80.0, 60, NAN], [50, NAN, 70], [NAN, NAN, NAN]]), 0, 100)


def prefers(line: int, *names: str) -> Judgment:
    return Judgment(line, "one", tuple(Ranked((name,), place) for place, name in enumerate(names, 1)))


def judged() -> Corpus:
    rankings = Judgments((prefers(0, "A", "B"), prefers(1, "A", "B"), prefers(2, "B", "A")))
    sets = {
        "pairs": JudgmentSet("pairs", "Students", "rankings", rankings),
        "rated": JudgmentSet("rated", "", "ratings", RATINGS.ranked("mean"), RATINGS),
    }
    return Corpus(
        "judged",
        tuple(sentence(f"he go {word} .", f"he goes {word} .") for word in ("home", "out", "on")),
        {"A": ("he goes home .", "he went out .", "he go on ."), "B": ("he go home .", "he go out .", "he goes on .")},
        rankings,
        judgment_sets=sets,
        chosen_set="pairs",
    )


def test_ratings_contribute_the_difference_of_means() -> None:
    gap = ratings_gap(RATINGS, "A", "B", side="mean")
    assert gap.scores == (70, 60)
    assert gap.contributions == pytest.approx([40 - 25, 30, -35])
    assert abs(gap.residual) <= EXACT
    assert gap.ranks == (1, 2)
    assert fewest_sentences(gap, None) is None  # A leads as long as any of its outputs is rated


def test_systems_that_nobody_rated_have_no_gap() -> None:
    with pytest.raises(CorpusError, match="no system C"):
        ratings_gap(RATINGS, "A", "C", side="mean")


def test_sets_of_judgments_are_sides_by_name() -> None:
    gaps, problems = people_gaps(judged(), "A", "B", ["pairs", "rated", "rated:ew"])
    assert not problems
    assert [gap.side for gap in gaps] == ["pairs", "rated", "rated:ew"]
    assert [gap.label for gap in gaps] == ["People (Students)", "People (rated, Mean rating)", "People (rated)"]
    assert gaps[1].gap == 10


def test_rankings_of_the_same_comparisons_are_one_side() -> None:
    (gap,), problems = people_gaps(judged(), "A", "B", ["ew", "ts", "pairs", "pairs:ts"])
    assert not problems
    assert (gap.side, gap.label) == ("ew", "People")
    assert gap.gap == pytest.approx(1 / 3)
    assert gap.rankings == (("Expected Wins", (1, 2)), ("TrueSkill", (1, 2)))


@pytest.mark.parametrize("name", ["none", "pairs:none", "other:ew"])
def test_a_ranking_that_is_not_there_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(MissingInput, match=r"There are: .*ew, ts.*, pairs, rated"):
        people_gaps(judged(), "A", "B", ["ew", name])


def test_a_ranking_without_judgments_of_sentences_is_left_whole() -> None:
    corpus = replace(judged(), judgments=None, judgment_sets={}, chosen_set="", human={"A": 2.0, "B": 5.0})
    (gap,), _ = people_gaps(corpus, "A", "B", ["given"])
    assert (gap.gap, gap.ranks) == (-3.0, (2, 1))
    assert not gap.contributions.any()
    assert sum(each.contribution for each in gap.rest) == -3.0


def test_edits_share_what_a_sentence_contributes_to_ratings() -> None:
    found = compare(judged(), "A", "B", [], human=["rated"], by="fate")
    (side,) = found.sides
    assert side.edits is not None
    assert abs(side.edits.residual) <= EXACT
    assert side.edits.contributions == pytest.approx([15, 30, -35])
    assert found.words[0] == "People (rated, Mean rating) put A above B by 10.00 (1st and 2nd)."
