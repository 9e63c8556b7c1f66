"""Eyes and hands of agents that play by buttons: what they see, as numbers, and which buttons an action presses.

A decision is one of :data:`ACTIONS`: a tap, or a drop, which holds Down until the piece has locked. Nothing can be decided
meanwhile, and after :data:`PATIENCE` decisions a piece drops by itself. :class:`Eyes` read the falling piece and the field, from
fields or from pictures alone, and :func:`features` are the inputs of a network. All of it works on many games at once, and is the
same for training and for play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .shapes import CELLS
from .tasks import Task

__all__ = ["ACTIONS", "FEATURES", "LARGEST", "SCALE", "Eyes", "Hands", "View", "features", "landed", "surface"]

#: What can be decided.
ACTIONS: tuple[str, ...] = ("left", "right", "a", "b", "drop")
#: The pad's byte of each.
_BYTES: npt.NDArray[np.int64] = np.array([2, 1, 128, 64, 4], np.int64)
_DROP = len(ACTIONS) - 1
#: Decisions for a piece, after which it is dropped: five columns, two turns, and some to spare.
PATIENCE = 10
#: No piece in play.
_HIDDEN = 19
_CELLS: npt.NDArray[np.int64] = np.array([*CELLS, ((0, 0),) * 4], np.int64)
#: Of how a shape fits in each column, from nine to the left of the piece to nine to the right.
_FITS: tuple[tuple[str, int, float], ...] = (("gaps", 9, 3), ("rise", 20, 8), ("roughness", 20, 6))
#: Features: their name, how many, the largest size, and what brings them to about 1.
_PARTS: tuple[tuple[str, int, int, float], ...] = (
    ("shape", 19, 1, 1),
    ("column", 10, 1, 1),
    *((f"{name}_{turned}", 19, largest, scale) for turned in ("as_it_is", "by_a", "by_b") for name, largest, scale in _FITS),
    ("height", 10, 20, 8),
    ("holes", 10, 20, 3),
    ("fall", 1, 20, 10),
    ("new_holes", 1, 20, 3),
    ("new_steps", 1, 180, 6),
    ("lines", 1, 4, 1),
    ("all_holes", 1, 200, 10),
    ("steps", 1, 180, 20),
    ("highest", 1, 20, 10),
)
FEATURES: tuple[str, ...] = tuple(f"{name}_{at}" if count > 1 else name for name, count, *_ in _PARTS for at in range(count))
#: No feature is larger.
LARGEST: tuple[int, ...] = tuple(largest for _, count, largest, _ in _PARTS for _ in range(count))
SCALE: npt.NDArray[np.float32] = np.array([scale for _, count, _, scale in _PARTS for _ in range(count)], np.float32)
#: The middles of the field's cells in a picture of 84 x 84.
_ROWS: npt.NDArray[np.int64] = (47 + 8 * np.arange(20) + 4) * 84 // 240
_COLUMNS: npt.NDArray[np.int64] = (95 + 8 * np.arange(10) + 4) * 84 // 256
#: No taken cell is darker.
_DARKEST = 25


#: Of each orientation, the piece's number.
_PIECE: tuple[int, ...] = (0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6, 7)


def _known() -> dict[tuple[int, tuple[int, ...]], tuple[int, int, int]]:
    """Orientation, row and column of the pivot by the piece and the cells that are seen: some may be above the first row."""
    known: dict[tuple[int, tuple[int, ...]], tuple[int, int, int]] = {}
    for orientation, cells in enumerate(CELLS):
        for row in range(20):
            for column in range(10):
                at = sorted((row + r, column + c) for r, c in cells)
                if at[-1][0] < 20 and all(0 <= c < 10 for _, c in at):
                    seen = tuple(10 * r + c for r, c in at if r >= 0)
                    known[_PIECE[orientation], seen] = (orientation, row, column)
    return known


_KNOWN = _known()


class View(NamedTuple):
    """What is seen of games."""

    #: Cells that have locked, (games, 20, 10) bool.
    field: npt.NDArray[np.bool_]
    #: Orientation of the piece in play, 19 for none; column and row of its pivot: (games,) int64.
    shape: npt.NDArray[np.int64]
    column: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]


def landed(view: View) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The fields after each piece fell straight down, the rows that this cleared, and how far it fell."""
    games = np.arange(len(view.shape))[:, None]
    cells = _CELLS[view.shape]
    rows, columns = view.row[:, None] + cells[..., 0], np.clip(view.column[:, None] + cells[..., 1], 0, 9)
    first = np.where(view.field, np.arange(20)[:, None], 20)
    first = np.minimum.accumulate(first[:, ::-1], axis=1)[:, ::-1]
    depth = np.maximum((first[games, np.clip(rows, 0, 19), columns] - rows - 1).min(1), 0)
    depth[view.shape == _HIDDEN] = 0
    field = view.field.copy()
    at = rows + depth[:, None]
    seen = (at >= 0) & (at < 20) & (view.shape != _HIDDEN)[:, None]
    field[np.broadcast_to(games, at.shape)[seen], at[seen], columns[seen]] = True
    full = field.all(2)
    lines = full.sum(1)
    for game in np.flatnonzero(lines):
        kept = field[game][~full[game]]
        field[game] = False
        field[game, 20 - len(kept) :] = kept
    return field, lines, depth


def surface(field: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Heights of the columns, holes in each (games, 10), and the sum of steps between neighbours (games,)."""
    heights = np.where(field.any(1), 20 - field.argmax(1), 0)
    holes = heights - field.sum(1)
    return heights, holes, np.abs(np.diff(heights, axis=1)).sum(1)


def _profiles() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Of each orientation, by columns from two to the left of the pivot: lowest row, highest row, and whether it has a cell."""
    low, high, has = np.full((20, 5), -99), np.full((20, 5), 99), np.zeros((20, 5), np.bool_)
    for orientation, cells in enumerate(CELLS):
        for row, column in cells:
            at = (orientation, column + 2)
            low[at], high[at], has[at] = max(low[at], row), min(high[at], row), True
    return low, high, has


_LOW, _HIGH, _HAS = _profiles()
#: Each orientation after a turn clockwise (A) and the other way (B).
_BY_A: npt.NDArray[np.int64] = np.array([1, 2, 3, 0, 5, 6, 7, 4, 9, 8, 10, 12, 11, 14, 15, 16, 13, 18, 17, 19])
_BY_B: npt.NDArray[np.int64] = np.argsort(_BY_A)


def _fits(heights: npt.NDArray[np.int64], shape: npt.NDArray[np.int64], column: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How a shape would lie in each column: gaps below it, height of its pivot, and how much rougher the field is then."""
    count = len(shape)
    walled = np.full((count, 14), 99)
    walled[:, 2:12] = heights
    under = walled[:, np.arange(10)[:, None] + np.arange(5)]
    has = _HAS[shape][:, None]
    pivot = np.where(has, under + _LOW[shape][:, None], -99).max(2)
    gaps = np.where(has, pivot[..., None] - _LOW[shape][:, None] - under, 0).sum(2)
    after = np.repeat(walled[:, None], 10, axis=1)
    columns = np.arange(10)
    for part in range(5):
        new = pivot - _HIGH[shape][:, None, part] + 1
        after[:, columns, columns + part] = np.where(has[..., part], new, after[:, columns, columns + part])
    rougher = np.abs(np.diff(after[:, :, 2:12], axis=2)).sum(2) - np.abs(np.diff(heights, axis=1)).sum(1)[:, None]
    outside = pivot > 30
    fits = np.full((count, 3, 28), 20)
    fits[:, 0, 9:19] = np.where(outside, 9, np.minimum(gaps, 9))
    fits[:, 1, 9:19] = np.where(outside, 20, np.clip(pivot, 0, 20))
    fits[:, 2, 9:19] = np.where(outside, 20, np.clip(rougher, -20, 20))
    fits[:, 0, :9], fits[:, 0, 19:] = 9, 9
    at = (np.minimum(column, 9)[:, None] + np.arange(19))[:, None]
    return np.take_along_axis(fits, np.repeat(at, 3, axis=1), axis=2).reshape(count, 57)


def features(view: View) -> npt.NDArray[np.float32]:
    """Numbers of each game, whole ones: (games, features)."""
    heights, holes, steps = surface(view.field)
    after, lines, depth = landed(view)
    _, holes_after, steps_after = surface(after)
    fits = [_fits(heights, shape, view.column) for shape in (view.shape, _BY_A[view.shape], _BY_B[view.shape])]
    shape, column = np.eye(20)[view.shape][:, :19], np.eye(10)[np.minimum(view.column, 9)]
    more = np.stack(
        [depth, np.clip(holes_after.sum(1) - holes.sum(1), -20, 20), steps_after - steps, lines, holes.sum(1), steps, heights.max(1)], 1
    )
    return np.concatenate([shape, column, *fits, heights, holes, more], 1).astype(np.float32)


class Eyes:
    """Reads observations of a task by buttons."""

    def __init__(self, games: int) -> None:
        self._before: npt.NDArray[np.bool_] = np.zeros((games, 20, 10), np.bool_)
        self._view = View(self._before.copy(), *(np.full(games, number, np.int64) for number in (_HIDDEN, 0, 0)))

    def see(self, observation: Any, begun: npt.NDArray[np.bool_]) -> View:
        """What is seen, one row a game. ``begun`` says which games have just begun. Pictures have to be shown one after the other."""
        if isinstance(observation, Mapping):
            active = observation["active"].astype(np.int64)
            return View(observation["field"].astype(np.bool_), np.minimum(active[:, 2], _HIDDEN), active[:, 0], active[:, 1])
        return self._read(observation[:, -1], begun)

    def _read(self, pictures: npt.NDArray[np.uint8], begun: npt.NDArray[np.bool_]) -> View:
        """Of a picture the middles of the field's cells."""
        taken = pictures[:, _ROWS][:, :, _COLUMNS] > _DARKEST
        # The first picture of a game still has a piece of the time before it.
        taken[begun], self._before[begun] = False, False
        field, shape, column, row = (numbers.copy() for numbers in self._view)
        field[begun], shape[begun] = False, _HIDDEN
        # A piece has appeared where four cells are new near the top, and none has gone.
        new, gone = taken & ~self._before, (self._before & ~taken).any((1, 2))
        appeared = (new[:, :4].sum((1, 2)) == 4) & (new.sum((1, 2)) == 4) & ~gone
        for game in np.flatnonzero(appeared):
            cells = tuple(np.flatnonzero(new[game]).tolist())
            found = next((_KNOWN[piece, cells] for piece in range(7) if (piece, cells) in _KNOWN), None)
            appeared[game] = found is not None
            if found is not None:
                field[game] = taken[game] & ~new[game]
                shape[game], row[game], column[game] = found
        falling = taken & ~field
        moved = (shape != _HIDDEN) & ~appeared & (new.any((1, 2)) | gone) & ~(field & ~taken).any((1, 2))
        for game in np.flatnonzero(moved & (falling.sum((1, 2)) <= 4)):
            found = _KNOWN.get((_PIECE[shape[game]], tuple(np.flatnonzero(falling[game]).tolist())))
            if found is not None:
                shape[game], row[game], column[game] = found
        self._before = taken
        self._view = View(field, shape, column, row)
        return self._view


class Hands:
    """Turns decisions into buttons, for some games of a task."""

    def __init__(self, task: Task, games: int) -> None:
        self._frames: int = task.settings["frame_skip"]
        named = task.settings["buttons"]
        #: Steps of a decision: a tap is a step with the button and the rest of them without.
        self.steps: int = 4 if self._frames == 1 else 2
        numbers = {int(byte): number for number, byte in enumerate(range(256) if named == "byte" else named)}
        self._actions: npt.NDArray[np.int64] = np.array([numbers[int(byte)] for byte in _BYTES], np.int64)
        self._none: int = numbers[0]
        self._drops: npt.NDArray[np.bool_] = np.zeros(games, np.bool_)
        self._lies: npt.NDArray[np.bool_] = np.zeros(games, np.bool_)
        self._taps: npt.NDArray[np.int64] = np.zeros(games, np.int64)
        self._before: View | None = None

    def free(self, view: View, begun: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Which games can decide: a piece is in play, and is not dropped."""
        if self._before is not None:
            before = self._before
            same = (view.shape == before.shape) & (view.row == before.row) & (view.column == before.column)
            # Where pictures are read, a piece that has landed is seen until the next appears.
            self._lies |= self._drops & same & (self._frames > 1)
            ended = begun | (view.shape == _HIDDEN) | (view.row < before.row)
            self._drops &= ~ended
            self._lies &= ~ended
            self._taps[ended] = 0
        self._before = view
        self._drops |= (self._taps >= PATIENCE) & (view.shape != _HIDDEN)
        return (view.shape != _HIDDEN) & ~self._drops

    def press(self, chosen: npt.NDArray[np.int64], free: npt.NDArray[np.bool_]) -> list[npt.NDArray[np.int64]]:
        """The actions of the steps of a decision; ``chosen`` counts where a game is free."""
        self._taps += free
        self._drops |= free & (chosen == _DROP)
        first = np.where(free, self._actions[chosen], self._none)
        held = self._drops & ~self._lies
        first[held] = self._actions[_DROP]
        then = np.where(held, self._actions[_DROP], self._none)
        return [first] + [then] * (self.steps - 1)
