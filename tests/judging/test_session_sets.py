"""A finished session as a set of judgments of its corpus, and a session that moves to another server."""

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_session import corpus, opened
from test_judging_results import ANSWERS, answer, answered

from gec_core.cli import main
from gec_core.errors import JudgingError
from gec_core.human import pairs
from gec_core.human.ranking import expected_wins
from gec_core.human.sources import ranking_for
from gec_core.judging.database import JudgingDatabase
from gec_core.judging.files import archive, export, from_rankings, import_session
from gec_core.judging.next_item import metric_splits
from gec_core.judging.results import PREFIX, joined, judgments, own_corpus, results
from gec_core.judging.session import Answer, Item
from gec_core.types import Annotation, Corpus, Edit, Judgments, Sentence


def test_a_session_is_a_set_of_judgments_of_its_corpus(tmp_path: Path) -> None:
    database, owned = answered(tmp_path, ANSWERS)
    given = database.answers(owned.session)
    found = joined(corpus(), [(owned.session, given)])
    id = f"{PREFIX}{owned.session.id}"
    assert (list(found.judgment_sets), found.chosen_set) == ([id], id)  # the corpus had none
    wanted = expected_wins(pairs.expanded(judgments(owned.session, ANSWERS)))
    assert ranking_for(found, "ew").scores == wanted
    others = Judgments(judgments(owned.session, ANSWERS).items[:1])
    both = joined(replace(corpus(), judgments=others), [(owned.session, given)])
    assert both.judgments == others  # its own judgments stay the chosen ones
    assert ranking_for(both.judged_by(id), "ew").scores == wanted


def test_ratings_and_verdicts_join_as_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "edits").mkdir()
    database, rated = answered(tmp_path, [answer("Ada", 0, 90, 40, 40), answer("Bob", 0, 80, 60, 20)], kind="rating")
    found = joined(corpus(), [(rated.session, database.answers(rated.session))])
    assert found.ratings is not None
    assert found.ratings.means == {"A": 85.0, "B": 50.0, "C": 30.0, "D": 30.0}
    assert ranking_for(found, "mean").systems[0] == "A"
    verdict = Answer(Item(0, 1, (("A",),)), "Ada", (1.0,), 0.0)
    database, judged = answered(tmp_path / "edits", [verdict], kind="edits")
    (one,) = joined(corpus(), [(judged.session, database.answers(judged.session))]).verdicts
    assert (one.sentence, one.systems, one.edit.correction, one.accepted) == (1, ("A",), "goes", True)


@pytest.mark.parametrize("change", ["source", "output", "system", "shorter"])
def test_judgments_of_other_texts_do_not_join(tmp_path: Path, change: str) -> None:
    database, owned = answered(tmp_path, ANSWERS)
    other = corpus()
    if change == "source":
        other = replace(other, sentences=(Sentence("another one ."), *other.sentences[1:]))
    elif change == "output":
        other = replace(other, systems=dict(other.systems) | {"A": ("another one .", *other.systems["A"][1:])})
    elif change == "system":
        other = other.only(["A", "B", "C"])
    else:
        other = other.at([0, 1])
    assert joined(other, [(owned.session, database.answers(owned.session))]) is other


def test_the_judged_sentences_open_without_their_corpus(tmp_path: Path) -> None:
    """An upload is gone when its visitor leaves; a session keeps what was judged, with references and gold edits."""
    gold = Annotation(0, (Edit(1, 2, "goes", "R:VERB", ("went",)),))
    given = corpus()
    sentences = tuple(replace(each, references=(f"{each.source} !",), annotations=(gold,)) for each in given.sentences)
    given = replace(given, sentences=sentences)
    database = JudgingDatabase(tmp_path / "judging.sqlite")
    _, owned = opened(tmp_path, sentences=(3, 7, 11))
    from gec_core.judging.session import Texts

    owned = database.create(owned.session.plan, Texts.of(given, owned.session.plan))
    places = (("A",), ("B",))
    database.record(owned.session, [Answer(Item(0, 7, places), "Ada", (1.0, 2.0), 0.0)])
    part = own_corpus(database.current(owned.session), database.answers(owned.session), "kept")
    assert (part.name, part.lines) == ("kept", (3, 7, 11))
    assert part.sentences == tuple(sentences[index] for index in (3, 7, 11))
    assert part.judgments is not None
    assert [item.sentence for item in part.judgments.items] == [1]
    with pytest.raises(JudgingError, match="Nobody has answered"):
        own_corpus(owned.session, [], "kept")


@pytest.mark.parametrize(("kind", "values"), [("ranking", (1, 2, 3)), ("rating", (90, 40, 10)), ("edits", ())])
def test_a_session_moves_to_another_server(tmp_path: Path, kind: str, values: tuple[float, ...]) -> None:
    given = answer("Ada", 0, *values) if values else Answer(Item(0, 1, (("A",),)), "Ada", (1.0,), 12.5, 3.0)
    database, owned = answered(tmp_path, [given], kind=kind)
    packed = archive(owned.session, database.answers(owned.session))
    other = JudgingDatabase(tmp_path / "other.sqlite")
    made = import_session(other, packed, "session.zip")
    assert made.session.plan == owned.session.plan
    assert made.session.texts == owned.session.texts
    assert made.session.code != owned.session.code
    assert made.session.closed is None
    (one,) = other.answers(made.session)
    assert (one.judge, one.values, one.received, one.seconds) == ("Ada", given.values, given.received, given.seconds)
    assert results(made.session, [one]).means == results(owned.session, [given]).means
    database.close(owned.session)
    packed = archive(database.current(owned.session), database.answers(owned.session))
    assert import_session(other, packed, "session.zip").session.closed is not None


def test_files_that_are_no_session_are_refused(tmp_path: Path) -> None:
    database, owned = answered(tmp_path, ANSWERS)
    good = json.loads(export(owned.session, database.answers(owned.session))["session.json"])
    bad = [b"", b"[]", b"{}", b"PK\x03\x04 broken", b"\xff", json.dumps(good | {"plan": {}}).encode()]
    for key, value in (("values", [9, 9, 9]), ("sentence", 99), ("places", [["Z"], ["A"]])):
        bad.append(json.dumps(good | {"answers": [good["answers"][0] | {key: value}]}).encode())
    bad.append(json.dumps(good | {"texts": good["texts"] | {"outputs": {"A": {}}}}).encode())
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        packed.writestr("other.txt", "")
    for each in (*bad, data.getvalue()):
        with pytest.raises(JudgingError):
            import_session(database, each, "file")
    assert len(database.sessions()) == 1


def test_guesses_become_a_session(tmp_path: Path) -> None:
    database, owned = opened(tmp_path)
    rankings = Judgments(judgments(owned.session, ANSWERS[:2]).items)
    made = from_rankings(database, corpus(), rankings, "My guesses")
    assert made.session.closed is not None
    assert joined(corpus(), [(made.session, database.answers(made.session))]).judgments == rankings


def test_sessions_are_sets_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from gec_core import corpora

    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path))
    demo = corpora.load("demo")
    assert demo.judgments is not None
    database = JudgingDatabase()
    made = from_rankings(database, demo, Judgments(demo.judgments.items[:30]), "A part of it")
    id = f"{PREFIX}{made.session.id}"
    assert main(["judge", "list"]) in (0, None)
    assert id in capsys.readouterr().out
    assert main(["human", "--corpus", "demo", "--judgments", id, "--method", "ew", "--format", "json"]) in (0, None)
    told = json.loads(capsys.readouterr().out)
    rows = told["rows"]
    wanted = expected_wins(pairs.expanded(Judgments(demo.judgments.items[:30])))
    found = {row["system"]: row["score"] for row in rows if row["score"] is not None}
    assert found == pytest.approx(wanted, abs=1e-12)
    assert main(["across", "--corpus", "demo", "--metric", "m2", "--bootstrap", "10", "--format", "json"]) in (0, None)
    assert f"{id}/ts" in {row["human"] for row in json.loads(capsys.readouterr().out)["rows"]}
    database.close(made.session, closed=False)
    assert main(["human", "--corpus", "demo", "--judgments", id]) == 2
    assert f"{id} is still open" in capsys.readouterr().err


def test_metrics_split_on_sentences(tmp_path: Path) -> None:
    _, owned = opened(tmp_path, sentences=(0, 1))
    texts = owned.session.texts
    up = {name: np.full(12, float(number)) for number, name in enumerate("ABCD")}
    down = {name: -values for name, values in up.items()}
    assert metric_splits([up, up], texts) == (0.0, 0.0)
    assert metric_splits([up, down], texts) == (1.0, 1.0)
    assert metric_splits([up], texts) == (0.0, 0.0)


def test_a_corpus_without_texts_stays_as_it_is(tmp_path: Path) -> None:
    database, owned = answered(tmp_path, ANSWERS)

    class Scores(Corpus):
        has_texts = False  # type: ignore[assignment]

    bare = Scores("made", corpus().sentences, corpus().systems)
    assert joined(bare, [(owned.session, database.answers(owned.session))]) is bare
