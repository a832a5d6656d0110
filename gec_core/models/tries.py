"""Many nearly equal token sequences as few tries, so that a model reads each common beginning once.

A trie is laid out as one sequence of nodes. In the model's attention mask every node sees only its ancestors
and itself, and its position is its depth: it gets the same vector that it would get in its own sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Trie:
    """Token sequences that share a root; node 0 is the root, and a parent comes before its children."""

    tokens: list[int]
    parents: list[int] = field(default_factory=lambda: [0])
    depths: list[int] = field(default_factory=lambda: [0])
    paths: dict[int, list[int]] = field(default_factory=dict)
    """For every sequence, by its number, the nodes of its tokens."""

    def add(self, number: int, tokens: Sequence[int], shared: Sequence[int]) -> None:
        """Put a sequence in, whose beginning lies on the nodes `shared`."""
        path = list(shared)
        for token in tokens[len(shared) :]:
            self.parents.append(path[-1] if path else 0)
            self.depths.append(len(path) + 1)
            path.append(len(self.tokens))
            self.tokens.append(token)
        self.paths[number] = path

    def sees(self) -> NDArray[np.bool_]:
        """Node × node: whether the first may look at the second."""
        seen = np.eye(len(self.tokens), dtype=np.bool_)
        for node in range(1, len(self.tokens)):
            seen[node] |= seen[self.parents[node]]
        return seen


def tries(sequences: Sequence[Sequence[int]], root: int, most_nodes: int) -> Iterator[Trie]:
    """All sequences, in tries of about `most_nodes` nodes; a longer sequence gets one of its own."""
    trie, before = Trie([root]), -1
    for number in sorted(range(len(sequences)), key=lambda each: list(sequences[each])):
        tokens = sequences[number]
        shared = _shared(sequences[before], tokens) if trie.paths else 0
        if trie.paths and len(trie.tokens) + len(tokens) - shared > most_nodes:
            yield trie
            trie, shared = Trie([root]), 0
        trie.add(number, tokens, trie.paths[before][:shared] if shared else [])
        before = number
    if trie.paths:
        yield trie


def _shared(first: Sequence[int], second: Sequence[int]) -> int:
    """How many tokens two sequences have in common at their beginning."""
    length = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        length += 1
    return length
