"""The store: what is put comes back, whatever happens to the disk or to other processes.

`GEC_LENS_DAMAGES=50 pytest -s -k scores_are_right` damages a store fifty times in each of four ways.
"""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from conftest import sentence
from hypothesis import given
from hypothesis import strategies as st

from gec_core import corpora
from gec_core.metrics import create
from gec_core.scoring import missing, score
from gec_core.scoring.table import ScoreTable
from gec_core.store import Store, context_key, incidents, pair_key, store_version
from gec_core.types import Annotation, Sentence


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "scores.sqlite")


def test_rows_come_back_as_they_were_put(store: Store) -> None:
    store.put("m2|v1", {b"one": np.array([1.0, 2.5]), b"two": np.array([3.0])})
    found = store.get("m2|v1", [b"one", b"two", b"three"])
    assert {key: row.tolist() for key, row in found.items()} == {b"one": [1.0, 2.5], b"two": [3.0]}


def test_signatures_are_kept_apart(store: Store) -> None:
    store.put("m2|v1", {b"one": np.array([1.0])})
    assert store.get("m2|v2", [b"one"]) == {}


def test_another_store_on_the_same_file_sees_it(store: Store) -> None:
    store.put("m2|v1", {b"one": np.array([1.0])})
    assert Store(store.path).get("m2|v1", [b"one"])[b"one"].tolist() == [1.0]


def test_the_version_of_a_store_differs_once_rows_are_added(tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    nothing = store_version(path)
    store = Store(path)
    versions = [nothing, store_version(path)]
    for number in range(3):
        store.put("m2|v1", {b"%d" % number: np.array([1.0])})
        versions.append(store_version(path))
    assert len(set(versions)) == len(versions)
    assert len(store.get("m2|v1", [b"0", b"1", b"2"])) == 3
    assert Store(path).get("m2|v2", [b"0"]) == {}
    assert store_version(path) == versions[-1]
    with closing(sqlite3.connect(path)) as other, other:  # keeps new rows in the file beside the store
        other.execute("INSERT INTO signatures (signature) VALUES ('gleu')")
        other.commit()
        assert store_version(path) != versions[-1]


def test_more_keys_than_fit_into_one_query(store: Store) -> None:
    rows = {index.to_bytes(4): np.array([float(index)]) for index in range(12_000)}
    store.put("m2|v1", rows)
    assert len(store.get("m2|v1", rows)) == 12_000


def test_a_file_that_is_no_store_is_set_aside_and_said(tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    path.write_bytes(b"not a database, but somebody's only copy of it" * 100)
    store = Store(path)
    assert str(path) in store.notice
    assert not store.problem
    store.put("m2|v1", {b"one": np.array([1.0])})
    assert Store(path).get("m2|v1", [b"one"])[b"one"].tolist() == [1.0]
    (aside,) = tmp_path.glob("scores.damaged-*.sqlite")
    assert aside.name in store.notice
    assert aside.read_bytes().startswith(b"not a database")


ROWS = {
    signature: {f"{signature}{number}".encode().ljust(16): np.array([number + 0.5, 2.0, 3.0 * number])}
    | {f"{signature}-{number}-{more}".encode(): np.array([number, more / 7]) for more in range(300)}
    for number, signature in enumerate(("m2|v1", "gleu|v1", "bleu|v1"))
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a store with all of ROWS."""
    store = Store(tmp_path_factory.mktemp("whole") / "scores.sqlite")
    for signature, rows in ROWS.items():
        store.put(signature, rows)
    with closing(store._connect()) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return store.path.read_bytes()


def bytes_at_random(random: Random, file: bytearray) -> None:
    for _ in range(16):
        file[random.randrange(len(file))] = random.randrange(256)


def one_page(random: Random, file: bytearray) -> None:
    start = random.randrange(len(file) // 4096) * 4096
    file[start : start + 4096] = random.randbytes(4096)


def the_end(random: Random, file: bytearray) -> None:
    del file[random.randrange(len(file)) :]


def the_header(random: Random, file: bytearray) -> None:
    start = random.randrange(4096)
    file[start : start + 16] = random.randbytes(16)


def two_pages(random: Random, file: bytearray) -> None:
    one, other = (slice(start, start + 4096) for start in random.sample(range(0, len(file), 4096), 2))
    file[one], file[other] = file[other], file[one]


@pytest.mark.parametrize("damage", [bytes_at_random, one_page, the_end, the_header, two_pages])
def test_no_damage_of_the_file_gives_wrong_rows(damage: Any, whole: bytes, tmp_path: Path) -> None:
    kept = 0
    for seed in range(40):
        file = bytearray(whole)
        damage(Random(seed), file)
        path = tmp_path / str(seed) / "scores.sqlite"
        path.parent.mkdir()
        path.write_bytes(file)
        store = Store(path)
        for signature, rows in ROWS.items():
            found = store.get(signature, rows)
            assert all(np.array_equal(row, rows[key]) for key, row in found.items()), seed
            store.put(signature, {key: row for key, row in rows.items() if key not in found})
            kept += len(found)
        assert not store.problem, seed
    assert kept > 0


@pytest.mark.parametrize(
    "damage",
    [
        *("UPDATE checked_rows SET row = x'0001'", "UPDATE checked_rows SET row = x''"),
        *("UPDATE checked_rows SET row = 'text'", "UPDATE checked_rows SET row = zeroblob(24)"),
        *("UPDATE checked_rows SET checksum = x''", "UPDATE checked_rows SET signature = signature % 3 + 1"),
        *("UPDATE signatures SET signature = 'x' || signature", "UPDATE signatures SET id = id + 10"),
        *("DROP TABLE signatures", "DROP TABLE checked_rows", "ALTER TABLE checked_rows DROP COLUMN checksum"),
    ],
)
def test_damaged_rows_and_tables_are_missing_and_put_again(damage: str, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(damage)
    store = Store(path)
    for signature, rows in ROWS.items():
        assert store.get(signature, rows) == {}
        store.put(signature, rows)
    if damage.startswith(("UPDATE checked_rows SET row", "UPDATE checked_rows SET checksum", "DROP", "ALTER")):
        assert "damaged" in store.notice
    for signature, rows in ROWS.items():
        assert len(Store(path).get(signature, rows)) == len(rows)
    assert not Store(path).problem


SCORED = ("m2", "gleu", "bleu", "length")
DAMAGES = int(os.environ.get("GEC_LENS_DAMAGES", "3"))


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[bytes, dict[str, Any], int]]:
    """The file of a store with the scores of the demo corpus, these scores, and the number of its rows."""
    store = Store(tmp_path_factory.mktemp("truth") / "scores.sqlite")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gec_core.shipped.lookup", lambda *_: {})  # scores that come with the project mend any damage
        table = score(corpora.load("demo"), [create(id) for id in SCORED], store=store)
        with closing(store._connect()) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (rows,) = connection.execute("SELECT count(*) FROM checked_rows").fetchone()
        yield store.path.read_bytes(), _values(table), rows


def _values(table: ScoreTable) -> dict[str, Any]:
    return {column.metric.id: dict(column.values) for column in table.columns}


def some_bytes(random: Random, path: Path) -> None:
    file = bytearray(path.read_bytes())
    bytes_at_random(random, file)
    path.write_bytes(file)


def some_rows(random: Random, path: Path) -> None:
    value = random.choice(
        ["x''", "x'00'", "zeroblob(24)", "randomblob(length(row))", "substr(row, 9)", "'text'", "1.5"]
    )
    column, part = random.choice(["row", "row", "row", "checksum", "key"]), random.choice(["= 0", "= 1", ">= 0"])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE OR IGNORE checked_rows SET {column} = {value} WHERE unicode(key) % 3 {part}")


def some_pages(random: Random, path: Path) -> None:
    file = bytearray(path.read_bytes())
    for _ in range(random.randrange(1, 4)):
        random.choice([one_page, two_pages, the_end, the_header])(random, file)
        file += bytes(-len(file) % 4096)
    path.write_bytes(file)


def its_schema(random: Random, path: Path) -> None:
    statement = random.choice(
        [
            *("DROP TABLE signatures", "DROP TABLE checked_rows", "ALTER TABLE checked_rows DROP COLUMN checksum"),
            *("ALTER TABLE checked_rows RENAME TO others", "ALTER TABLE signatures RENAME COLUMN signature TO name"),
            *("UPDATE signatures SET id = 10 - id", "UPDATE signatures SET signature = signature || 'x'"),
            *(
                "DELETE FROM signatures WHERE id = 1",
                "CREATE TABLE rows (signature, key, row)",
                "PRAGMA user_version = 9",
            ),
            "CREATE TRIGGER t AFTER INSERT ON checked_rows BEGIN UPDATE checked_rows SET row = zeroblob(24); END",
            "CREATE TRIGGER t BEFORE INSERT ON checked_rows BEGIN SELECT RAISE(ABORT, 'no'); END",
            *("INSERT INTO signatures VALUES (99, x'ff')", "CREATE VIEW v AS SELECT * FROM nowhere"),
        ]
    )
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize("damage", [some_bytes, some_rows, some_pages, its_schema])
def test_scores_are_right_after_any_damage(
    damage: Any, truth: tuple[bytes, dict[str, Any], int], tmp_path: Path
) -> None:
    whole, values, rows = truth
    kept, said = [], 0
    for seed in range(DAMAGES):
        path = tmp_path / str(seed) / "scores.sqlite"
        path.parent.mkdir()
        path.write_bytes(whole)
        damage(Random(seed), path)
        store = Store(path)
        corpus, metrics = corpora.load("demo"), [create(id) for id in SCORED]
        lacking = sum(missing(corpus, metric, Store(path)) for metric in metrics)
        assert _values(score(corpus, metrics, store=store)) == values, seed
        assert _values(score(corpus, metrics, store=Store(path))) == values, seed
        kept.append(1 - lacking / rows)
        said += bool(store.notice or store.problem or any(str(path) in told for told in incidents()))
    print(
        f"{damage.__name__}: {DAMAGES} damages, kept {np.mean(kept):.1%} of {rows} rows, all of them in "
        f"{kept.count(1.0)}, none in {kept.count(0.0)}; {said} told"
    )


def test_what_can_be_read_of_a_damaged_store_is_saved(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    path.write_bytes(whole[: len(whole) // 2] + bytes(4096) + whole[len(whole) // 2 + 4096 :])
    store = Store(path)
    for signature, rows in ROWS.items():
        store.get(signature, rows)
    saved = sum(len(store.get(signature, rows)) for signature, rows in ROWS.items())
    assert 600 < saved < 903
    assert f"{saved:,} rows that could be saved" in store.notice
    assert len(list(tmp_path.glob("scores.damaged-*.sqlite"))) == 1
    assert store.notice in incidents()


def test_a_lost_header_loses_no_rows(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    path.write_bytes(bytes(4096) + whole[4096:])
    assert {signature: len(Store(path).get(signature, rows)) for signature, rows in ROWS.items()} == {
        signature: len(rows) for signature, rows in ROWS.items()
    }
    (aside,) = tmp_path.glob("scores.damaged-*")
    assert aside.suffix == ".sqlite"


def test_rows_from_before_there_were_checksums_are_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            "CREATE TABLE signatures (id INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE);"
            "CREATE TABLE rows (signature INTEGER NOT NULL, key BLOB NOT NULL, row BLOB NOT NULL,"
            " PRIMARY KEY (signature, key)) WITHOUT ROWID;"
        )
        connection.execute("INSERT INTO signatures VALUES (7, 'm2|v1')")
        rows = [(7, b"one", np.array([1.0, 2.5]).tobytes()), (7, b"two", b"odd"), (7, b"three", b"")]
        connection.executemany("INSERT INTO rows VALUES (?, ?, ?)", rows)
    for store in (Store(path), Store(path)):
        found = store.get("m2|v1", [b"one", b"two", b"three"])
        assert {key: row.tolist() for key, row in found.items()} == {b"one": [1.0, 2.5]}
        assert not store.notice


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
def test_a_store_that_cannot_be_written_is_read(store: Store) -> None:
    store.put("m2|v1", {b"one": np.array([1.0])})
    for folder in (store.path.parent, *store.path.parent.parents):
        folder.chmod(folder.stat().st_mode | 0o055)
    os.seteuid(65534)
    try:
        mine = Store(store.path)
        assert mine.get("m2|v1", [b"one"])[b"one"].tolist() == [1.0]
        mine.put("m2|v1", {b"two": np.array([2.0])})
        assert mine.get("m2|v1", [b"two"]) == {}
    finally:
        os.seteuid(0)
    assert "cannot be written" in mine.problem
    assert "Stored scores are used" in mine.problem


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert "cannot be used" in Store(tmp_path / "file" / "scores.sqlite").problem


def test_a_full_disk_is_said_and_the_work_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    store.put("m2|v1", {b"one": np.array([1.0])})
    monkeypatch.setattr("gec_core.store._insert", full)
    store.put("m2|v1", {b"two": np.array([1.0])})
    assert store.get("m2|v1", [b"one"])[b"one"].tolist() == [1.0]  # what is there is read
    assert "database or disk is full" in store.problem


def _write(path: Any, start: Any) -> None:
    store = Store(path)
    for index in range(start, start + 40):
        store.put("m2|v1", {index.to_bytes(4): np.array([float(index)])})
    assert not store.problem


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    context = get_context("spawn")
    writers = [context.Process(target=_write, args=(path, start)) for start in (0, 20)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert len(Store(path).get("m2|v1", [index.to_bytes(4) for index in range(60)])) == 60


def test_what_was_put_before_a_kill_stays(tmp_path: Path) -> None:
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
connection.execute("DELETE FROM checked_rows")
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == -9
    assert Store(path).get("m2|v1", [b"one"])[b"one"].tolist() == [1.0]


def test_a_key_depends_on_what_the_metric_reads_and_on_nothing_else() -> None:
    plain = sentence("a b", "a c")
    other_reference = Sentence("a b", ("a d",), plain.annotations)
    other_gold = Sentence("a b", ("a c",), (Annotation(0),))
    assert context_key(plain, "references") == context_key(other_gold, "references")
    assert context_key(plain, "references") != context_key(other_reference, "references")
    assert context_key(plain, "gold") == context_key(other_reference, "gold")
    assert context_key(plain, "gold") != context_key(other_gold, "gold")
    assert context_key(plain, "source") == context_key(other_gold, "source")


@given(st.text(), st.text())
def test_different_outputs_have_different_keys(one: Any, other: Any) -> None:
    context = context_key(Sentence("a"), "source")
    assert (pair_key(context, one) == pair_key(context, other)) == (one == other)
