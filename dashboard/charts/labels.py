"""Where to write the names of points so that they do not cover each other."""

from __future__ import annotations

from collections.abc import Sequence

_SPOTS = {
    "top center": (0.0, 1.0),
    "bottom center": (0.0, -1.0),
    "middle right": (1.0, 0.0),
    "middle left": (-1.0, 0.0),
    "top right": (1.0, 1.0),
    "top left": (-1.0, 1.0),
    "bottom right": (1.0, -1.0),
    "bottom left": (-1.0, -1.0),
}
Box = tuple[float, float, float, float]


def place_labels(
    points: Sequence[tuple[float, float]], names: Sequence[str], *, width: float = 300, height: float = 250
) -> list[str]:
    """A text position for each point of a plot of this size in pixels: greedily the one that covers least."""
    spots: list[str] = []
    where = _in_pixels(points, width, height)
    taken: list[Box] = [(x - 5, y - 5, x + 5, y + 5) for x, y in where]
    for (x, y), name in zip(where, names, strict=True):
        boxes = {spot: _box(x, y, len(name), *direction) for spot, direction in _SPOTS.items()}
        best = min(
            boxes, key=lambda spot: sum(_overlap(boxes[spot], other) for other in taken) + _outside(boxes[spot], width)
        )
        spots.append(best)
        taken.append(boxes[best])
    return spots


def _in_pixels(points: Sequence[tuple[float, float]], width: float, height: float) -> list[tuple[float, float]]:
    scaled = []
    for axis, size in ((0, width), (1, height)):
        values = [point[axis] for point in points]
        low, spread = min(values, default=0), (max(values, default=1) - min(values, default=0)) or 1
        scaled.append([(0.1 + 0.8 * (value - low) / spread) * size for value in values])
    return list(zip(*scaled, strict=True))


def _box(x: float, y: float, letters: int, right: float, up: float) -> Box:
    wide, high = 7.0 * letters, 13.0
    left = x + right * (6 + wide / 2) - wide / 2
    bottom = y + up * (6 + high / 2) - high / 2
    return left, bottom, left + wide, bottom + high


def _overlap(one: Box, other: Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    along = min(one[3], other[3]) - max(one[1], other[1])
    return across * along if across > 0 and along > 0 else 0.0


def _outside(box: Box, width: float) -> float:
    return 20 * (max(0.0, -box[0]) + max(0.0, box[2] - width))
