"""Rankings, agreement and files from answers; real judgments replayed give what their file gives."""

from pathlib import Path

import numpy as np
import pytest
from conftest import CONLL14, needs_conll14, needs_seeda
from defusedxml.ElementTree import fromstring
from judged import seeda
from made_session import opened

from gec_core import corpora
from gec_core.corpora.judgments import read_pairs, read_rankings
from gec_core.corpora.text import TextFile
from gec_core.errors import JudgingError
from gec_core.human import pairs
from gec_core.human.ranking import expected_wins
from gec_core.judging.database import JudgingDatabase, OwnedSession
from gec_core.judging.files import export, import_judgments
from gec_core.judging.results import edit_votes, judgment_set, judgments, results
from gec_core.judging.session import Answer, Item, Plan, Texts
from gec_core.judging.simulation import curves_svg, judgments_for, simulate
from gec_core.types import Judgment, Judgments, Ranked

PLACES = (("A",), ("B",), ("C", "D"))


def answered(folder: Path, answers: list[Answer], **changes: object) -> tuple[JudgingDatabase, OwnedSession]:
    database, owned = opened(folder, **changes)
    database.record(owned.session, answers)
    return database, owned


def answer(judge: str, sentence: int, *values: float, repeat_of: int | None = None) -> Answer:
    return Answer(Item(0, sentence, PLACES, repeat_of), judge, values, 1_700_000_000.0, 2.5)


ANSWERS = [answer("Ada", 0, 1, 2, 3), answer("Bob", 0, 2, 1, 3), answer("Ada", 3, 1, 2, 2), answer("Ada", 0, 1, 2, 3)]


def test_answers_become_a_ranking(tmp_path: Path) -> None:
    database, owned = answered(tmp_path, ANSWERS)
    found = results(owned.session, database.answers(owned.session))
    assert found.expected_wins is not None
    assert found.expected_wins.systems[0] == "A"
    assert found.expected_wins.scores == expected_wins(pairs.expanded(judgments(owned.session, ANSWERS)))
    assert found.between is not None
    assert found.within is not None
    assert (found.between.comparisons, found.within.raw) == (6, 1.0)
    (disputed,) = found.disputed
    assert (disputed.sentence, disputed.first, disputed.second, disputed.votes) == (0, ("A",), ("B",), (2, 0, 1))
    assert found.neighbours[0].better == "A"
    assert [len(found.pairs), len(found.neighbours)] == [6, 3]
    assert "ts" not in found.intervals  # four judgments are too few for an interval of TrueSkill
    for name, one in found.intervals["ew"].items():
        assert one.low is not None
        assert one.high is not None
        assert one.low <= found.expected_wins.scores[name] <= one.high


@pytest.mark.parametrize("names", [True, False])
def test_exported_files_give_the_same_ranking(tmp_path: Path, names: bool) -> None:
    database, owned = answered(tmp_path, ANSWERS)
    files = export(owned.session, database.answers(owned.session), names=names)
    wanted = expected_wins(pairs.expanded(judgments(owned.session, ANSWERS)))
    for name, read in (("judgments.xml", read_rankings), ("judgments.csv", read_pairs)):
        path = tmp_path / name
        path.write_text(files[name], encoding="utf-8")
        found = read(TextFile.at(path))
        assert expected_wins(pairs.expanded(found)) == pytest.approx(wanted, abs=1e-12)
        assert ("Ada" in found.judges) == names
    assert 'time="2023-11-14T22:13:20+00:00"' in files["judgments.xml"]


def test_an_export_imported_elsewhere_gives_the_same_ranking(tmp_path: Path) -> None:
    database, owned = answered(tmp_path, ANSWERS)
    path = tmp_path / "judgments.xml"
    path.write_text(export(owned.session, database.answers(owned.session))["judgments.xml"], encoding="utf-8")
    (tmp_path / "other").mkdir()
    other, fresh = opened(tmp_path / "other")
    assert import_judgments(other, fresh.session, TextFile.at(path)) == len(ANSWERS)
    one, two = (
        results(session.session, where.answers(session.session)).expected_wins
        for where, session in ((database, owned), (other, fresh))
    )
    assert one is not None
    assert two is not None
    assert one.scores == two.scores


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ('<ranking-item src-id="99" user="x"><translation rank="1" system="A"/></ranking-item>', "sentence 99"),
        ('<ranking-item src-id="0" user="x"><translation rank="1" system="Z"/></ranking-item>', "ranks Z"),
    ],
)
def test_judgments_of_something_else_are_refused(tmp_path: Path, item: str, message: str) -> None:
    database, owned = opened(tmp_path)
    path = tmp_path / "judgments.xml"
    path.write_text(f"<appraise-results>{item}</appraise-results>", encoding="utf-8")
    with pytest.raises(JudgingError, match=message):
        import_judgments(database, owned.session, TextFile.at(path))
    assert not database.answers(owned.session)


def test_ratings_rank_and_average(tmp_path: Path) -> None:
    database, owned = answered(tmp_path, [answer("Ada", 0, 90, 40, 40), answer("Bob", 3, 80, 60, 20)], kind="rating")
    found = results(owned.session, database.answers(owned.session))
    assert found.means == {"A": 85.0, "B": 50.0, "C": 30.0, "D": 30.0}
    assert found.expected_wins is not None
    assert found.expected_wins.systems[0] == "A"
    files = export(owned.session, database.answers(owned.session))
    assert files["ratings.csv"].splitlines()[1].startswith("0,Ada,A,90,")


def test_mean_ratings_are_the_same_while_judging_and_afterwards(tmp_path: Path) -> None:
    given = [answer("Ada", 0, 90, 40, 40), answer("Bob", 0, 70, 40, 40), answer("Ada", 3, 20, 60, 100)]
    database, owned = answered(tmp_path, given, kind="rating")
    answers = database.answers(owned.session)
    afterwards = judgment_set(owned.session, answers, 12).ratings
    assert afterwards is not None
    assert results(owned.session, answers).means == afterwards.means
    assert afterwards.means["A"] == 50.0  # 80 for one sentence and 20 for the other


def test_verdicts_on_edits_are_counted(tmp_path: Path) -> None:
    item = Item(0, 1, (("A",),))
    given = [Answer(item, "Ada", (1.0,), 0.0), Answer(item, "Bob", (0.0,), 0.0), Answer(item, "Eve", (1.0,), 0.0)]
    database, owned = answered(tmp_path, given, kind="edits")
    (vote,) = edit_votes(owned.session, database.answers(owned.session))
    assert (vote.correction, vote.accepted, vote.rejected) == ("goes", 2, 1)
    assert results(owned.session, given).means["A"] == pytest.approx(2 / 3)
    assert "1,Ada,A,1,2,goes,true," in export(owned.session, given)["verdicts.csv"]


def test_few_judgments_settle_nothing_however_they_agree(tmp_path: Path) -> None:
    _, owned = opened(tmp_path)
    few = results(owned.session, [answer("Ada", 0, 1, 2, 3)] * 3)
    assert few.pairs
    assert max(pair.certainty for pair in few.pairs) < 0.95
    assert few.needed() != 0
    once = results(owned.session, [answer("Ada", 0, 1, 2, 3)])
    assert {pair.certainty for pair in once.pairs} == {0.5}
    many = results(owned.session, [answer("Ada", 0, 1, 2, 3)] * 40)
    assert {pair.certainty >= 0.95 for pair in many.pairs if pair.worse != "D" or pair.better != "C"} == {True}


def test_a_spreadsheet_runs_nothing(tmp_path: Path) -> None:
    database, owned = answered(tmp_path, [answer("=cmd()", 0, 1, 2, 3)])
    text = export(owned.session, database.answers(owned.session))["judgments.csv"]
    assert ",=cmd()" not in text


def test_no_answers_are_a_defined_state(tmp_path: Path) -> None:
    _, owned = opened(tmp_path)
    found = results(owned.session, [])
    assert found.expected_wins is None
    assert export(owned.session, [])["judgments.xml"].count("ranking-item") == 0


@needs_conll14
@needs_seeda
@pytest.mark.parametrize(("name", "items"), [("conll14", 2319), ("sent", 600), ("edit", 600)])
def test_real_judgments_replayed_give_the_ranking_of_their_file(tmp_path: Path, name: str, items: int) -> None:
    """CoNLL-2014's rankings, and SEEDA's of sentences and of edits."""
    real = corpora.load(CONLL14) if name == "conll14" else corpora.load(seeda(tmp_path / "seeda")).judged_by(name)
    assert real.judgments is not None
    plan = Plan("replay", real.name, real.fingerprint, "ranking", tuple(real.systems), tuple(range(len(real))))
    database = JudgingDatabase(tmp_path / "judging.sqlite")
    owned = database.create(plan, Texts.of(real, plan))
    given = [
        Answer(Item(0, one.sentence, tuple(place.systems for place in one.ranked)), one.judge,
               tuple(float(place.rank) for place in one.ranked), float(number))
        for number, one in enumerate(real.judgments.items)
    ]  # fmt: skip
    assert database.record(owned.session, given) == len(real.judgments.items) == items
    again = judgments(owned.session, database.answers(owned.session))
    wanted = expected_wins(pairs.expanded(real.judgments))
    assert expected_wins(pairs.expanded(again)) == pytest.approx(wanted, abs=1e-12)


def test_a_simulation_ends_at_the_full_ranking() -> None:
    made = [answer("Ada", sentence, *values) for sentence, values in enumerate([(1, 2, 3), (2, 1, 3), (1, 3, 2)] * 12)]
    pool = Judgments(
        tuple(
            Judgment(one.item.sentence, one.judge,
                     tuple(Ranked(place, int(rank)) for place, rank in zip(PLACES, one.values, strict=True)))
            for one in made
        )
    )  # fmt: skip
    points = simulate(pool, runs=3)
    assert {point.order for point in points} == {"random", "adaptive"}
    last = [point for point in points if point.judgments == len(made)]
    assert all(point.mean == pytest.approx(1.0) for point in last)
    assert judgments_for(points, "random", 1.0) is not None
    with pytest.raises(JudgingError, match="at least two"):
        simulate(Judgments(pool.items[:1]))


def test_fewer_outputs_at_a_time_need_more_judgments_and_are_drawn() -> None:
    random = np.random.default_rng(0)
    names = ("A", "B", "C", "D", "<E>")
    items = []
    for sentence in range(150):
        scores = np.arange(5) + random.normal(0, 2, 5)
        ranks = 1 + np.argsort(np.argsort(-scores))
        items.append(Judgment(sentence, "x", tuple(Ranked((n,), int(r)) for n, r in zip(names, ranks, strict=True))))
    pool = Judgments(tuple(items))
    two, five = simulate(pool, outputs=2, runs=4), simulate(pool, outputs=5, runs=4)
    assert np.mean([one.mean for one in two]) < np.mean([one.mean for one in five])
    picture = curves_svg([("two & more", two), ("five", five)])
    assert (picture.count("<polyline"), picture.count("<polygon")) == (4, 4)
    assert "two &amp; more" in picture
    fromstring(picture)
