"""The search for the reference of a lattice that is best for a hypothesis.

The best reference has the highest weighted accuracy (see `counts.criteria`). The few references of a small lattice are
aligned one by one. A larger lattice is cut at anchors (`anchors`) into stretches that are aligned separately, so that
counts add up, and the best sum is found without enumerating all of them (`counts.best_choice`). The result is the same.

The baseline, which aligns the source with the reference only, is cut in the same way: it is the case of a hypothesis
that equals the source. A token makes a cut when it is an anchor of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby, pairwise, zip_longest
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from gec_core.align.edits import TokenIds
from gec_core.align.threeway import align3, fits, tally
from gec_core.metrics.imeasure.anchors import Cut, TokenSequences, anchors
from gec_core.metrics.imeasure.counts import Part, Row, best_choice
from gec_core.metrics.imeasure.lattice import Lattice, TooManyReferences, Words

FEW = 1_000_000
"""Up to this many cells, aligning every reference is faster than looking for anchors."""
EDGE = 3
"""The number of unchanged tokens on either side of a slot that are tried as anchors."""
TABLE_LIMIT = 60_000_000
"""The largest number of cells of bounds kept to prove anchors (four bytes per cell)."""
WORK_LIMIT = 400_000_000
"""The largest number of cells filled to prove anchors, and again to align all stretches: about a second."""


@dataclass(frozen=True, slots=True)
class Found:
    """A reference with the counts that an output and the baseline get with it."""

    counts: Row
    reference: Words
    alignment: Literal["exact", "star"] = "exact"


class Search:
    """The references of a lattice, prepared for comparison with hypotheses."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        words = chain.from_iterable(chain.from_iterable(slot.alternatives for slot in lattice.slots))
        self._numbers = {token: number for number, token in enumerate(dict.fromkeys([*lattice.source, *words]))}
        self._source = self._encode(lattice.source)
        self._stretches: dict[tuple[int, int], Stretch] = {}

    def best(self, hypothesis: Sequence[str]) -> Found:
        """Find the best reference for this hypothesis."""
        source = self._lattice.source
        if not fits(len(source), max(len(source), len(hypothesis)), self._lattice.longest):
            return self._by_star(hypothesis)
        tokens = self._encode(hypothesis)
        cells = (len(source) + 1) * (len(tokens) + 1) * (self._lattice.longest + 1)
        cuts = self._cuts(tokens) if self._lattice.size > max(1, FEW // cells) else []
        boxes = [
            (self._stretch(left.source + 1, right.source), left.hypothesis + 1, right.hypothesis)
            for left, right in pairwise([Cut(-1, -1), *cuts, Cut(len(source), len(tokens))])
        ]
        if sum(stretch.cells(end - start) for stretch, start, end in boxes) > WORK_LIMIT:
            raise TooManyReferences
        kept: Part = {(0, len(cuts), 0, 0, 0, len(cuts), 0): 0}
        counts, (_, *choice) = best_choice([kept, *(stretch.part(tokens, *box) for stretch, *box in boxes)])
        texts = [stretch.references[index] for (stretch, *_), index in zip(boxes, choice, strict=True)]
        anchored = [(source[cut.source],) for cut in cuts]
        return Found(counts, tuple(chain.from_iterable(chain(*zip_longest(texts, anchored, fillvalue=())))))

    def _by_star(self, hypothesis: Sequence[str]) -> Found:
        """Align with the only reference through the source, where the cube would be too large."""
        if self._lattice.size > 1:
            raise TooManyReferences
        source = self._lattice.source
        (reference,) = self._lattice.write_out(0, len(source))
        output, baseline = align3(source, hypothesis, reference), align3(source, source, reference)
        return Found((*output.counts, baseline.counts[1], baseline.counts[3]), reference, "star")

    def _cuts(self, tokens: TokenIds) -> list[Cut]:
        """Anchors of this hypothesis that are also anchors of the baseline."""
        cuts = [cut for cut in _matches(self._source, tokens) if cut.source in self._baseline_anchors]
        return self._anchors(tokens, cuts)

    @cached_property
    def _baseline_anchors(self) -> frozenset[int]:
        cuts: list[Cut] = []
        for _, run in groupby(self._lattice.unchanged(), key=lambda token: token.slots_before):
            between_slots = [Cut(token.position, token.position) for token in run]
            cuts += dict.fromkeys([*between_slots[:EDGE], *between_slots[-EDGE:]])
        return frozenset(cut.source for cut in self._anchors(self._source, cuts))

    def _anchors(self, tokens: TokenIds, cuts: Sequence[Cut]) -> list[Cut]:
        cells = (len(self._source) + 1) * (len(tokens) + 1)
        if len(cuts) * cells > TABLE_LIMIT:
            raise TooManyReferences
        left = WORK_LIMIT

        def between(start: int, end: int) -> TokenSequences | None:
            nonlocal left
            work = self._lattice.count(start, end) * (end - start + 2) * cells
            if work > left:
                return None
            left -= work
            return self._stretch(start, end).texts

        return anchors(self._source, tokens, cuts, between)

    def _stretch(self, start: int, end: int) -> Stretch:
        """The references of the source tokens [start, end), cached for the next hypothesis."""
        if (start, end) not in self._stretches:
            references = self._lattice.write_out(start, end)
            numbers = [self._encode(reference) for reference in references]
            texts = TokenSequences(np.concatenate(numbers), np.cumsum([0, *map(len, numbers)]))
            self._stretches[start, end] = Stretch(self._source, start, end, references, texts)
        return self._stretches[start, end]

    def _encode(self, tokens: Sequence[str]) -> TokenIds:
        """Encode tokens as numbers; all tokens that occur in neither source nor references get the same one."""
        unknown = len(self._numbers)
        return np.array([self._numbers.get(token, unknown) for token in tokens], np.int32)


@dataclass(frozen=True)
class Stretch:
    """The source tokens [start, end) with all alternatives that references have for them."""

    source: TokenIds
    start: int
    end: int
    references: tuple[Words, ...]
    texts: TokenSequences
    """The references, encoded."""

    def cells(self, length: int) -> int:
        """The number of cells to fill to align this with so many hypothesis tokens."""
        return (self.end - self.start + 1) * (length + 1) * (len(self.texts.tokens) + len(self.references))

    def part(self, hypothesis: TokenIds, start: int, end: int) -> Part:
        """The counts of every reference, aligned with the hypothesis tokens [start, end)."""
        rows = np.concatenate([self._tally(hypothesis, start, end), self._baseline], axis=1).tolist()
        part: dict[Row, int] = {}
        for index, row in enumerate(rows):
            part.setdefault(tuple(row), index)
        return part

    @cached_property
    def _baseline(self) -> NDArray[np.int64]:
        """TN and FN when nothing is changed."""
        return self._tally(self.source, self.start, self.end)[:, [1, 3]]

    def _tally(self, hypothesis: TokenIds, start: int, end: int) -> NDArray[np.int64]:
        boxes = np.empty((len(self.references), 6), np.int64)
        boxes[:, :4] = self.start, self.end, start, end
        boxes[:, 4], boxes[:, 5] = self.texts.ends[:-1], self.texts.ends[1:]
        return tally(self.source, hypothesis, self.texts.tokens, boxes)


def _matches(source: TokenIds, hypothesis: TokenIds) -> Iterator[Cut]:
    """Equal tokens that an edit-distance alignment matches."""
    for code in Levenshtein.opcodes(source.tolist(), hypothesis.tolist()):
        if code.tag == "equal":
            yield from map(Cut, range(code.src_start, code.src_end), range(code.dest_start, code.dest_end))
