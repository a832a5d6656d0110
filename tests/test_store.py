"""The store: what is put comes back, whatever happens to the disk or to other processes."""

import sqlite3
import subprocess
import sys
from multiprocessing import get_context

import numpy as np
import pytest
from conftest import sentence
from hypothesis import given
from hypothesis import strategies as st

from gec_core.store import Store, context_key, pair_key
from gec_core.types import Annotation, Sentence


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "scores.sqlite")


def test_rows_come_back_as_they_were_put(store):
    store.put("m2|v1", {b"one": np.array([1.0, 2.5]), b"two": np.array([3.0])})
    found = store.get("m2|v1", [b"one", b"two", b"three"])
    assert {key: row.tolist() for key, row in found.items()} == {b"one": [1.0, 2.5], b"two": [3.0]}


def test_signatures_are_kept_apart(store):
    store.put("m2|v1", {b"one": np.array([1.0])})
    assert store.get("m2|v2", [b"one"]) == {}


def test_another_store_on_the_same_file_sees_it(store):
    store.put("m2|v1", {b"one": np.array([1.0])})
    assert Store(store.path).get("m2|v1", [b"one"])[b"one"].tolist() == [1.0]


def test_more_keys_than_fit_into_one_query(store):
    rows = {index.to_bytes(4): np.array([float(index)]) for index in range(12_000)}
    store.put("m2|v1", rows)
    assert len(store.get("m2|v1", rows)) == 12_000


def test_a_file_that_is_no_store_is_left_alone_and_said(tmp_path):
    path = tmp_path / "scores.sqlite"
    path.write_bytes(b"not a database, but somebody's only copy of it" * 100)
    store = Store(path)
    assert str(path) in store.problem
    assert "not kept" in store.problem
    store.put("m2|v1", {b"one": np.array([1.0])})
    assert store.get("m2|v1", [b"one"]) == {}
    assert path.read_bytes().startswith(b"not a database")


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert "cannot be used" in Store(tmp_path / "file" / "scores.sqlite").problem


def test_a_full_disk_is_said_and_the_work_goes_on(store, monkeypatch):
    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Store, "_connect", full)
    store.put("m2|v1", {b"one": np.array([1.0])})
    assert "database or disk is full" in store.problem


def _write(path, start):
    store = Store(path)
    for index in range(start, start + 40):
        store.put("m2|v1", {index.to_bytes(4): np.array([float(index)])})
    assert not store.problem


def test_two_processes_write_at_once(tmp_path):
    path = tmp_path / "scores.sqlite"
    context = get_context("spawn")
    writers = [context.Process(target=_write, args=(path, start)) for start in (0, 20)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert len(Store(path).get("m2|v1", [index.to_bytes(4) for index in range(60)])) == 60


def test_what_was_put_before_a_kill_stays(tmp_path):
    """A process that is killed while it writes loses at most the chunk it was writing."""
    path = tmp_path / "scores.sqlite"
    code = """
import os, signal, sys
import numpy as np
from pathlib import Path
from gec_core.store import Store
store = Store(Path(sys.argv[1]))
store.put("m2|v1", {b"one": np.array([1.0])})
connection = store._connect()
connection.execute("BEGIN IMMEDIATE")
connection.execute("DELETE FROM rows")
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == -9
    assert Store(path).get("m2|v1", [b"one"])[b"one"].tolist() == [1.0]


def test_a_key_depends_on_what_the_metric_reads_and_on_nothing_else():
    plain = sentence("a b", "a c")
    other_reference = Sentence("a b", ("a d",), plain.annotations)
    other_gold = Sentence("a b", ("a c",), (Annotation(0),))
    assert context_key(plain, "references") == context_key(other_gold, "references")
    assert context_key(plain, "references") != context_key(other_reference, "references")
    assert context_key(plain, "gold") == context_key(other_reference, "gold")
    assert context_key(plain, "gold") != context_key(other_gold, "gold")
    assert context_key(plain, "source") == context_key(other_gold, "source")


@given(st.text(), st.text())
def test_different_outputs_have_different_keys(one, other):
    context = context_key(Sentence("a"), "source")
    assert (pair_key(context, one) == pair_key(context, other)) == (one == other)
