"""Uploads that outlive a reload: kept for one browser, deleted in time, and found by nobody else."""

import os
import time
from dataclasses import replace
from http.cookies import SimpleCookie
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest
from conftest import wait_for

import gec_core as gec
from dashboard import visitors
from dashboard.protection import COOKIE, HOURS, new_token, seconds, set_cookie, valid
from dashboard.visitors import Uploads
from gec_core.scoring.imported import Imported, ImportedScores
from gec_core.types import Note

CONTENT = {"systems": {"demo": {"MINE": ["a secret sentence"]}}}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path))


def test_everything_that_was_uploaded_comes_back() -> None:
    mine = Uploads()
    corpus = gec.corpus(sources=["a b"], references=[["a c"]], systems={"S": ["a c"]})
    mine.add_corpus(replace(corpus, name="my corpus", notes={"S": (Note("tokenised", caution=True),)}))
    mine.add_systems("demo", {"MINE": ["x", "y"]}, {"MINE": (Note("filled"),)})
    scores = ImportedScores({"S": 0.5}, {"S": np.array([0.25, 0.75])})
    mine.imported["other"] = Imported("Other", "other", scores, file="o.tsv", digest="d1")
    token = new_token()
    assert visitors.save(token, mine.as_json()) == ""
    back = Uploads.restored(visitors.load(token))
    assert back.systems == mine.systems
    assert back.notes["demo"] == mine.notes["demo"]
    assert back.corpora["my corpus"].fingerprint == corpus.fingerprint
    assert back.corpora["my corpus"].notes == {"S": (Note("tokenised", caution=True),)}
    assert back.imported["other"].signature == mine.imported["other"].signature
    assert back.imported["other"].scores.sentences["S"].tolist() == [0.25, 0.75]


def test_nobody_is_given_the_uploads_of_another(tmp_path: Path) -> None:
    mine, theirs = new_token(), new_token()
    visitors.save(mine, CONTENT)
    assert visitors.load(theirs) == {}
    assert not visitors.load("")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(mine in str(path) for path in files)  # whoever lists the disk does not learn the token
    assert all(path.stat().st_mode & 0o077 == 0 for path in files)
    assert all(path.parent.stat().st_mode & 0o077 == 0 for path in files)


def test_uploads_are_gone_from_disk_after_the_stated_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token, ended = new_token(), Event()
    visitors.save(token, CONTENT)
    visitors.save(new_token(), CONTENT)
    monkeypatch.setenv(HOURS, str(0.2 / 3600))
    assert seconds() == pytest.approx(0.2)
    sweeping = Thread(target=visitors.sweep_until, args=(ended,), daemon=True)
    sweeping.start()
    wait_for(lambda: not list((tmp_path / "visitors").iterdir()))
    ended.set()
    sweeping.join()
    assert visitors.load(token) == {}


def test_what_is_too_old_is_not_given_even_before_it_is_swept(tmp_path: Path) -> None:
    token = new_token()
    visitors.save(token, CONTENT)
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    os.utime(file, (time.time() - seconds() - 1,) * 2)
    assert visitors.load(token) == {}
    assert not file.exists()


def test_a_visit_keeps_them_for_another_while_and_deleting_removes_them(tmp_path: Path) -> None:
    token = new_token()
    visitors.save(token, CONTENT)
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    os.utime(file, (time.time() - seconds() / 2,) * 2)
    assert visitors.load(token) == CONTENT
    assert file.stat().st_mtime > time.time() - 60
    visitors.save(token, Uploads().as_json())  # nothing left: nothing kept
    assert not file.parent.exists()


def test_damage_is_no_upload(tmp_path: Path) -> None:
    token = new_token()
    visitors.save(token, CONTENT)
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    file.write_bytes(file.read_bytes()[:10])
    assert visitors.load(token) == {}


def test_the_cookie_cannot_be_read_by_scripts_or_guessed() -> None:
    token = new_token()
    cookie = SimpleCookie(set_cookie(token, secure=True))[COOKIE]
    assert cookie.value == token
    assert (cookie["httponly"], cookie["secure"], cookie["samesite"]) == (True, True, "Lax")
    assert valid(token)
    assert not any(map(valid, ("", "../../etc", "a" * 42, f"{token}\n")))


@pytest.mark.parametrize(("hours", "words"), [("24", "24 hours"), ("1", "1 hour"), ("0.5", "30 minutes")])
def test_the_time_is_stated(monkeypatch: pytest.MonkeyPatch, hours: str, words: str) -> None:
    monkeypatch.setenv(HOURS, hours)
    assert visitors.in_words() == words
