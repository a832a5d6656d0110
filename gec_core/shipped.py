"""Rows of numbers that come with the project: our own statistics on corpora whose texts are not ours to pass on.

A folder of data/precomputed holds, for one corpus, the rows of many metrics in Parquet files:

    manifest.json           the corpus (name, title, fingerprint, systems, sentences) and what each file holds
    keys-READS.parquet      for each system (column) and sentence (row) the key of the pair, as in the store
    rows-NUMBER.parquet     the distinct rows of one statistics signature: key, row

A folder NAME-papers holds the rows that `reproduce` needs besides (other references and outputs), and no keys. A folder
NAME-credits holds the edits of all outputs (spans, types, hashes of corrections), what each of them does to the numbers
that a metric sums (gec_core.meta.gap_credits), and the results of encoders that explanations of outputs take.

`seconds` in the manifest is the time that the rows took in a run over all metrics with an empty store, in order: a
metric reuses what an earlier one left in the store (perplexities, edits). It is null where it was not measured.

Keys are hashes of texts: with the texts, the rows are found by them, also for a corpus with added systems.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gec_core.environment import bundled
from gec_core.types import Array, Corpus, Reads

FOLDER = bundled("data", "precomputed")
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Precomputed:
    """The scores of one corpus."""

    folder: Path
    manifest: Mapping[str, Any]

    @property
    def fingerprint(self) -> str:
        return str(self.manifest["fingerprint"])

    def has(self, signature: str) -> bool:
        return signature in self.manifest["signatures"]

    def seconds(self, signature: str) -> float | None:
        """The time it took to compute the rows of a statistics signature, if it was measured."""
        found: float | None = self.manifest["signatures"].get(signature, {}).get("seconds")
        return found

    def rows(self, signature: str) -> dict[bytes, Array]:
        """All rows of a statistics signature by key."""
        return _read_rows(self.folder / self.manifest["signatures"][signature]["file"])

    def keys(self, reads: Reads) -> dict[str, list[bytes]]:
        """The key of each sentence's pair, by system."""
        return _read_keys(self.folder / f"keys-{reads}.parquet")


@cache
def all_precomputed(folder: Path = FOLDER) -> dict[str, Precomputed]:
    """All precomputed scores, by the name of the corpus."""
    found = {}
    for path in sorted(folder.glob(f"*/{MANIFEST}")):
        found[path.parent.name] = Precomputed(path.parent, json.loads(path.read_text(encoding="utf-8")))
    return found


def lookup(signature: str, keys: Iterable[bytes], first: str = "") -> dict[bytes, Array]:
    """The precomputed rows of these keys, as far as there are any, of all corpora.

    Args:
        signature: The statistics signature.
        keys: The keys.
        first: The corpus that probably has them; files of others are read only for what it lacks.
    """
    wanted = set(keys)
    found: dict[bytes, Array] = {}
    for _, one in sorted(all_precomputed().items(), key=lambda each: each[0] != first):
        if wanted and one.has(signature):
            rows = one.rows(signature)
            here = wanted & rows.keys()
            found |= {key: rows[key] for key in here}
            wanted -= here
    return found


def write(
    folder: Path,
    corpus: Corpus,
    keys: Mapping[Reads, Mapping[str, list[bytes]]],
    rows: Mapping[str, Mapping[bytes, Array]],
    about: Mapping[str, Mapping[str, Any]],
) -> None:
    """Write the scores of a corpus; `about` are the manifest's entries for each statistics signature."""
    import pyarrow
    import pyarrow.parquet

    folder.mkdir(parents=True, exist_ok=True)
    for reads, by_system in keys.items():
        columns = {system: pyarrow.array(values, pyarrow.binary(16)) for system, values in by_system.items()}
        pyarrow.parquet.write_table(pyarrow.table(columns), folder / f"keys-{reads}.parquet", compression="zstd")
    signatures = {}
    for number, (signature, found) in enumerate(sorted(rows.items())):
        file = f"rows-{number:02}.parquet"
        ordered = sorted(found)
        table = pyarrow.table(
            {
                "key": pyarrow.array(ordered, pyarrow.binary(16)),
                "row": pyarrow.array(
                    [np.asarray(found[key], float) for key in ordered], pyarrow.list_(pyarrow.float64())
                ),
            }
        )
        pyarrow.parquet.write_table(table, folder / file, compression="zstd", use_dictionary=["row.list.element"])
        signatures[signature] = {"file": file, **about[signature]}
    manifest = {
        "name": corpus.name,
        "title": corpus.info.title or corpus.name,
        "fingerprint": corpus.fingerprint,
        "sentences": len(corpus),
        "systems": list(corpus.systems),
        "signatures": signatures,
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@cache
def _read_rows(path: Path) -> dict[bytes, Array]:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    values = table["row"].combine_chunks()
    flat, offsets = values.values.to_numpy(), values.offsets.to_numpy()
    keys = table["key"].to_pylist()
    return {key: flat[offsets[index] : offsets[index + 1]] for index, key in enumerate(keys)}


@cache
def _read_keys(path: Path) -> dict[str, list[bytes]]:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    return {system: table[system].to_pylist() for system in table.column_names}
