"""Which item comes next, and how open the order of systems is."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_session import SOURCES, opened

from gec_core.human import pairs
from gec_core.human.ranking import expected_wins
from gec_core.judging.next_item import REPEAT_DISTANCE, Tally, choose_item, judgeable, most_items
from gec_core.judging.results import results
from gec_core.judging.session import Answer, Item
from gec_core.types import Judgment, Judgments, Ranked


def judged(folder: Path, judges: int, **changes: object) -> list[Answer]:
    """All answers of judges who prefer A to B to C to D."""
    database, owned = opened(folder, **changes)
    for number in range(judges):
        judge, _ = database.join(owned.session, f"judge {number}")
        while (item := database.next_item(owned.session, judge, choose_item)) is not None:
            best = sorted(range(len(item.places)), key=lambda at: item.places[at])
            values = [best.index(at) + 1 for at in range(len(item.places))]
            database.answer(owned.session, judge, item.id, values, "x")
    return database.answers(owned.session)


@pytest.mark.parametrize("order", ["random", "adaptive"])
def test_sentences_and_systems_are_spread_evenly(tmp_path: Path, order: str) -> None:
    answers = judged(tmp_path, 3, order=order)
    sentences = Counter(answer.item.sentence for answer in answers)
    assert set(sentences.values()) == {3}
    shown = Counter(system for answer in answers for place in answer.item.places for system in place)
    assert max(shown.values()) < 2 * min(shown.values())


@pytest.mark.parametrize("order", ["random", "adaptive"])
def test_a_class_that_begins_together_gives_no_more_judgments_than_planned(tmp_path: Path, order: str) -> None:
    """Every phone asks for its next item before any of them answers."""
    database, owned = opened(tmp_path, order=order)
    judges = [database.join(owned.session, f"judge {number}")[0] for number in range(30)]
    while items := [
        (judge, item) for judge in judges if (item := database.next_item(owned.session, judge, choose_item)) is not None
    ]:
        for judge, item in items:
            database.answer(owned.session, judge, item.id, list(range(1, len(item.places) + 1)), "x")
    sentences = Counter(answer.item.sentence for answer in database.answers(owned.session))
    assert set(sentences.values()) == {owned.session.plan.judgments_per_sentence}


def test_an_item_that_nobody_answers_is_given_to_another_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database, owned = opened(tmp_path, judgments_per_sentence=1)
    gone, _ = database.join(owned.session, "gone")
    left_behind = database.next_item(owned.session, gone, choose_item)
    assert left_behind is not None
    stays, _ = database.join(owned.session, "stays")

    def judge_all() -> set[int]:
        while (item := database.next_item(owned.session, stays, choose_item)) is not None:
            database.answer(owned.session, stays, item.id, list(range(1, len(item.places) + 1)), "x")
        return {answer.item.sentence for answer in database.answers(owned.session)}

    assert left_behind.sentence not in judge_all()
    monkeypatch.setattr("gec_core.judging.tables.HELD", -1)
    assert left_behind.sentence in judge_all()


def test_identical_outputs_are_one_place(tmp_path: Path) -> None:
    for answer in judged(tmp_path, 2, outputs_per_item=4):
        together = ("C", "D") in answer.item.places
        assert together == (answer.item.sentence % 3 == 0)


def test_items_are_repeated_for_self_agreement(tmp_path: Path) -> None:
    answers = judged(tmp_path, 1, repeat_every=4, items_per_judge=12)
    repeated = [answer.item for answer in answers if answer.item.repeat_of is not None]
    assert [item.number for item in repeated] == [7, 10, 15]  # not the 5th: nothing is far enough away
    by_number = {answer.item.number: answer.item for answer in answers}
    for item in repeated:
        first = by_number[item.repeat_of or 0]
        assert first.sentence == item.sentence
        assert sorted(first.places) == sorted(item.places)
        assert item.number - first.number > REPEAT_DISTANCE


@pytest.mark.parametrize("every", [0, 1, 3, 5, 20])
@pytest.mark.parametrize("items", [3, 7, 12, 30])
def test_repeated_items_come_on_top_of_the_planned_judgments(tmp_path: Path, every: int, items: int) -> None:
    answers = judged(tmp_path, 3, repeat_every=every, items_per_judge=items)
    _, owned = opened(tmp_path / "same", repeat_every=every, items_per_judge=items)
    counts = Counter(answer.judge for answer in answers)
    assert set(counts.values()) == {most_items(owned.session.plan, owned.session.texts)}  # what judges are told
    assert sum(answer.item.repeat_of is None for answer in answers) == 3 * min(items, len(SOURCES))


def test_sentences_with_one_output_are_not_planned(tmp_path: Path) -> None:
    _, owned = opened(tmp_path, systems=("C", "D"), outputs_per_item=2, repeat_every=3)
    plan, texts = owned.session.plan, owned.session.texts
    assert judgeable(plan, texts) == [index for index in range(len(SOURCES)) if index % 3]
    assert most_items(plan, texts) == 10  # eight sentences, and two of them again
    assert judgeable(replace(plan, kind="edits"), texts) == list(range(len(SOURCES)))


def test_items_of_edits_show_one_output_that_changes_something(tmp_path: Path) -> None:
    database, owned = opened(tmp_path, kind="edits")
    judge, _ = database.join(owned.session)
    item = database.next_item(owned.session, judge, choose_item)
    assert item is not None
    assert len(item.places) == 1
    assert owned.session.texts.edits(item.sentence, item.places[0])


def test_a_tally_gives_the_expected_wins_of_the_rankings() -> None:
    random = np.random.default_rng(0)
    systems = ("A", "B", "C", "D")
    items = []
    for sentence in range(40):
        chosen = random.permutation(4)[:3]
        items.append(
            Judgment(sentence, "x", tuple(Ranked((systems[at],), int(random.integers(1, 4))) for at in chosen))
        )
    answers = [
        Answer(Item(1, item.sentence, tuple(place.systems for place in item.ranked)), "x",
               tuple(float(place.rank) for place in item.ranked), 0.0)
        for item in items
    ]  # fmt: skip
    tally = Tally.of(systems, answers, higher_is_better=False)
    wanted = expected_wins(pairs.expanded(Judgments(tuple(items))))
    assert dict(zip(systems, tally.expected_wins(), strict=True)) == pytest.approx(wanted, abs=1e-12)


def test_more_judgments_make_an_order_more_certain(tmp_path: Path) -> None:
    _, owned = opened(tmp_path, systems=("A", "B"))
    certainties = []
    for times in (1, 4, 40):
        answers = [Answer(Item(1, 0, (("A",), ("B",))), "x", (1.0, 2.0), 0.0)] * times
        found = results(owned.session, answers)
        (pair,) = found.neighbours
        assert (pair.better, pair.worse, pair.compared) == ("A", "B", times)
        certainties.append(pair.certainty)
        for goal in (0.8, 0.95, 0.99):
            assert (pair.needed(goal) == 0) == (pair.certainty >= goal)
        assert found.needed(0.95) == pair.needed(0.95)
    assert certainties == sorted(certainties)
    assert certainties[0] < 0.9 < 0.99 < certainties[-1]  # one judgment settles nothing
    even = [Answer(Item(1, 0, (("A",), ("B",))), "x", values, 0.0) for values in ((1.0, 2.0), (2.0, 1.0))] * 5
    (equal,) = results(owned.session, even).neighbours
    assert equal.certainty == pytest.approx(0.5)
    assert equal.needed(0.95) is None


def test_open_pairs_promise_more_information() -> None:
    tally = Tally.empty(("A", "B", "C"))
    for number in range(30):
        tally.add([("A",), ("C",)], [2, 1])
        tally.add([("B",), ("C",)], [2, 1])
        tally.add([("A",), ("B",)], [number % 2, (number + 1) % 2])
    gains = tally.gains()
    assert gains[0, 1] > gains[0, 2]
    assert tally.openness()[0, 1] > 0.5 > tally.openness()[0, 2]
