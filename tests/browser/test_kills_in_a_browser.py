"""A server that is killed while jobs run: after the restart they go on from what was stored, and nothing is done twice.

`GEC_LENS_KILLS=20` kills it twenty times.
"""

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT, wait_for
from playwright.sync_api import Page
from visiting import in_chromium

from gec_core import corpora
from gec_core.store import Store, context_key, pair_key
from tools.browser import free_port, serve

pytestmark = in_chromium

KILLS = int(os.environ.get("GEC_LENS_KILLS", "2"))
PAIRS = 300 * (KILLS + 1)
CHUNK = 32
METRICS = f'''
import os, time
import numpy as np
from gec_core.metrics.base import Metric, Score

class Noted(Metric):
    """The number of letters; every pair that is scored is noted in a file."""
    id, name, family, summary, reads = "noted", "Noted", "sanity", "Letters.", "source"
    pace, chunk, own_process = 0.02, {CHUNK}, True

    def statistics(self, pairs):
        rows = []
        for pair in pairs:
            time.sleep(0.004)
            note = os.open(os.environ["LENS_NOTES"] + "/" + self.id, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.write(note, (pair.output + "\\n").encode())
            os.close(note)
            rows.append(np.array([float(len(pair.output))]))
        return rows

    def aggregate(self, statistics):
        return Score(float(statistics.sum()))

    def sentence_scores(self, statistics):
        return statistics[:, 0]

class Shared(Noted):
    """The same in several processes."""
    id, name, own_process = "shared", "Shared", False
'''


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """A corpus, two slow metrics of another package, and a store of its own."""
    plugged = tmp_path / "plugged"
    (plugged / "noted-1.dist-info").mkdir(parents=True)
    (plugged / "noted.py").write_text(METRICS)
    (plugged / "noted-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: noted\nVersion: 1\n")
    points = "[gec_lens.metrics]\nnoted = noted:Noted\nshared = noted:Shared\n"
    (plugged / "noted-1.dist-info" / "entry_points.txt").write_text(points)
    systems = tmp_path / "data" / "many" / "systems"
    systems.mkdir(parents=True)
    (systems.parent / "source.txt").write_text("".join(f"source {number} .\n" for number in range(PAIRS)))
    (systems / "A.txt").write_text("".join(f"output {number} .\n" for number in range(PAIRS)))
    for name in ("cache", "notes"):
        (tmp_path / name).mkdir()
    # What was measured before, so that the jobs begin without a click and the second one in several processes.
    paces = {"noted|v1": 90 / PAIRS, "shared|v1": 100 / PAIRS}
    (tmp_path / "cache" / "pace.json").write_text(json.dumps(paces))
    return {
        "PYTHONPATH": f"{plugged}:{ROOT}",
        "GEC_LENS_CACHE": str(tmp_path / "cache"),
        "GEC_LENS_DATA": str(tmp_path / "data"),
        "LENS_NOTES": str(tmp_path / "notes"),
    }


def test_a_job_goes_on_after_a_kill_and_nothing_is_done_twice(page: Page, surroundings: dict[str, str]) -> None:
    corpus = corpora.load(Path(surroundings["GEC_LENS_DATA"]) / "many")
    contexts = [context_key(sentence, "source") for sentence in corpus.sentences]
    keys = dict(zip(corpus.systems["A"], map(pair_key, contexts, corpus.systems["A"]), strict=True))
    store = Path(surroundings["GEC_LENS_CACHE"]) / "scores.sqlite"
    notes = {name: Path(surroundings["LENS_NOTES"]) / name for name in ("noted", "shared")}

    def noted(name: str) -> list[str]:
        return notes[name].read_text().splitlines() if notes[name].exists() else []

    def stored(name: str) -> dict[bytes, float]:
        return {key: float(row[0]) for key, row in Store(store).get(f"{name}|v1", keys.values()).items()}

    port = free_port()
    server = serve(port, surroundings)
    before = {name: (set[bytes](), 0) for name in notes}
    try:
        page.goto(f"http://127.0.0.1:{port}/rankings?corpus=many&metrics=noted&metrics=shared")
        for kill in range(1, KILLS + 1):
            goal = sum(len(noted(name)) for name in notes) + 2 * PAIRS // (KILLS + 1) - 2 * CHUNK
            wait_for(lambda goal=goal: sum(len(noted(name)) for name in notes) >= goal)  # type: ignore[misc]
            server.kill()
            server.wait(60)
            for name, (known, read) in before.items():
                again = [output for output in noted(name)[read:] if keys[output] in known]
                assert not again, (kill, name, len(again))
                before[name] = set(stored(name)), len(noted(name))
            server = serve(port, surroundings)  # the window is still open, and finds it by itself
        wait_for(lambda: all(len(stored(name)) == PAIRS for name in notes))
        page.reload()  # once in five runs the open window kept its last picture
        page.get_by_text(f"{sum(map(len, keys))}.0").first.wait_for()
    finally:
        server.kill()
        server.wait(60)
    for name in notes:
        assert stored(name) == {key: float(len(output)) for output, key in keys.items()}
        twice = Counter(noted(name))
        lost = sum(twice.values()) - PAIRS
        print(f"{name}: {KILLS} kills, {PAIRS:,} pairs, {lost} computed again because they were not stored yet")
        assert set(twice) == set(keys)
        assert lost <= KILLS * CHUNK * 4  # what was being computed: a chunk of every process, and those queued
