# mypy: disable-error-code="comparison-overlap"
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gec_core.models import loading
from gec_core.models.loading import remembered, text_key
from gec_core.store import MemoryStore, Store


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_recent", MemoryStore(1 << 20))


def lengths(asked: list[Any]) -> Any:
    def compute(texts: str) -> Any:
        asked.append(texts)
        return [np.array([float(len(text))]) for text in texts]

    return compute


def payloads(*texts: str) -> dict[bytes, Any]:
    return {text_key(text): text for text in texts}


def test_a_text_is_computed_once_and_all_missing_ones_together(tmp_path: Path) -> None:
    asked: list[str] = []
    store = Store(tmp_path / "store.sqlite")
    rows = remembered(store, "length", payloads("one", "three"), lengths(asked))
    assert rows[text_key("three")].tolist() == [5]
    rows = remembered(store, "length", payloads("three", "eleven", "one"), lengths(asked))
    assert {key: row.tolist() for key, row in rows.items()} == {
        text_key("one"): [3],
        text_key("three"): [5],
        text_key("eleven"): [6],
    }
    assert asked == [["one", "three"], ["eleven"]]


def test_another_process_finds_it_in_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    store = Store(tmp_path / "store.sqlite")
    remembered(store, "length", payloads("one"), lengths(asked))
    monkeypatch.setattr(loading, "_recent", MemoryStore(1 << 20))
    assert remembered(store, "length", payloads("one"), lengths(asked))[text_key("one")].tolist() == [3]
    assert asked == [["one"]]


def test_what_comes_with_the_project_is_not_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    shipped = {("length", text_key("one")): np.array([3.0])}
    monkeypatch.setattr(
        loading,
        "lookup",
        lambda signature, keys: {key: shipped[signature, key] for key in keys if (signature, key) in shipped},
    )
    rows = remembered(Store(tmp_path / "store.sqlite"), "length", payloads("one", "three"), lengths(asked))
    assert {key: row.tolist() for key, row in rows.items()} == {text_key("one"): [3], text_key("three"): [5]}
    assert asked == [["three"]]


def test_signatures_are_kept_apart_and_no_store_is_fine() -> None:
    asked: list[str] = []
    remembered(None, "length|model:a", payloads("one"), lengths(asked))
    remembered(None, "length|model:b", payloads("one"), lengths(asked))
    remembered(None, "length|model:a", payloads("one"), lengths(asked))
    assert asked == [["one"], ["one"]]


def test_the_least_recently_used_rows_are_forgotten_first() -> None:
    recent = MemoryStore(3 * 8)
    for key in (b"a", b"b", b"c"):
        recent.put("s", {key: np.zeros(1)})
    recent.get("s", [b"a"])
    recent.put("s", {b"d": np.zeros(1)})
    assert set(recent.get("s", [b"a", b"b", b"c", b"d"])) == {b"a", b"c", b"d"}
    recent.put("s", {b"a": np.zeros(3)})
    assert set(recent.get("s", [b"a", b"c", b"d"])) == {b"a"}


def test_keys_tell_texts_and_their_borders_apart() -> None:
    assert len({text_key("ab", "c"), text_key("a", "bc"), text_key("abc"), text_key("c", "ab")}) == 4
