"""The board as a model for accelerators: place a piece, in JAX, for ``jit`` and ``vmap``.

The game of ``machine="board"`` with ``reach="drop"``, cell for cell: field, top-outs, lines, levels and points are those of the board in
Rust (a test plays both beside each other). Whoever calls deals the pieces, or takes :func:`step`, which draws any with equal odds.

::

    import jax
    from maxout import jax as board

    keys = jax.random.split(jax.random.key(0), 4096)
    games = jax.vmap(lambda key: board.reset(key, level=18))(keys)
    step = jax.jit(jax.vmap(board.step))
    masks = jax.vmap(board.mask)(games)              # (4096, 40) bool
    games, lines = step(games, masks.argmax(-1))     # a game that is over stays as it is

Actions are ``10 * turn + column``. Points are exact below 2**31.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

try:
    import jax
    import jax.numpy as jnp
    from jax import lax
except ImportError as _error:
    raise ImportError("maxout.jax needs JAX: pip install 'maxout[jax]'") from _error

__all__ = ["State", "cells", "mask", "place", "reset", "step"]

_FULL: int = 0x3FF
#: Rows of a field: two above the first, twenty, two of floor.
_ROWS: int = 24
#: Orientations of each piece, and the number of its first.
_TURNS: Any = np.array([4, 4, 2, 1, 2, 4, 2], np.int32)
_FIRST: Any = np.array([0, 4, 8, 10, 11, 13, 17], np.int32)
#: The orientation in which each piece appears.
_SPAWN: Any = np.array([2, 7, 8, 10, 11, 14, 18], np.int32)
#: Points of a lock by rows, times level and one.
_POINTS: Any = np.array([0, 40, 100, 300, 1200], np.int32)
#: Row and column of each cell from the pivot, by orientation.
_CELLS: tuple[tuple[tuple[int, int], ...], ...] = (
    ((0, -1), (0, 0), (0, 1), (-1, 0)),
    ((-1, 0), (0, 0), (0, 1), (1, 0)),
    ((0, -1), (0, 0), (0, 1), (1, 0)),
    ((-1, 0), (0, -1), (0, 0), (1, 0)),
    ((-1, 0), (0, 0), (1, -1), (1, 0)),
    ((-1, -1), (0, -1), (0, 0), (0, 1)),
    ((-1, 0), (-1, 1), (0, 0), (1, 0)),
    ((0, -1), (0, 0), (0, 1), (1, 1)),
    ((0, -1), (0, 0), (1, 0), (1, 1)),
    ((-1, 1), (0, 0), (0, 1), (1, 0)),
    ((0, -1), (0, 0), (1, -1), (1, 0)),
    ((0, 0), (0, 1), (1, -1), (1, 0)),
    ((-1, 0), (0, 0), (0, 1), (1, 1)),
    ((-1, 0), (0, 0), (1, 0), (1, 1)),
    ((0, -1), (0, 0), (0, 1), (1, -1)),
    ((-1, -1), (-1, 0), (0, 0), (1, 0)),
    ((-1, 1), (0, -1), (0, 0), (0, 1)),
    ((-2, 0), (-1, 0), (0, 0), (1, 0)),
    ((0, -2), (0, -1), (0, 0), (0, 1)),
)


def _shapes() -> tuple[Any, Any, Any]:
    """Four rows of each orientation about its pivot, bit 2 the pivot's column; least and greatest column of the pivot."""
    shapes, least, most = np.zeros((19, 4), np.int32), np.zeros(19, np.int32), np.zeros(19, np.int32)
    for orientation, orientation_cells in enumerate(_CELLS):
        for row, column in orientation_cells:
            shapes[orientation, row + 2] |= 1 << (column + 2)
        columns = [column for _, column in orientation_cells]
        least[orientation], most[orientation] = -min(columns), 9 - max(columns)
    return shapes, least, most


_SHAPES, _LEAST, _MOST = _shapes()


class State(NamedTuple):
    """A game: arrays, one for each game under ``vmap``."""

    #: (24,) int32: two rows above the first, twenty, two of floor; bit 0 is the leftmost cell.
    rows: Any
    piece: Any
    next: Any
    level: Any
    lines: Any
    score: Any
    pieces: Any
    over: Any
    key: Any


def reset(key: Any, level: int = 18, piece: Any = None, next: Any = None) -> State:
    """A game at its beginning. Pieces that are not given are drawn by ``key``."""
    first, second, key = jax.random.split(key, 3)
    floor = np.zeros(_ROWS, np.int32)
    floor[-2:] = 0xFFFF
    zero = jnp.int32(0)
    return State(
        rows=jnp.asarray(floor),
        piece=jax.random.randint(first, (), 0, 7) if piece is None else jnp.int32(piece),
        next=jax.random.randint(second, (), 0, 7) if next is None else jnp.int32(next),
        level=jnp.int32(level),
        lines=zero,
        score=zero,
        pieces=zero,
        over=jnp.bool_(False),
        key=key,
    )


def _windows(rows: Any) -> Any:
    """The four rows about a pivot, for each row of it: (21, 4)."""
    return jnp.stack([rows[first : first + 21] for first in range(4)], axis=1)


def _shifted(orientation: Any, column: Any) -> Any:
    """A piece's four rows at a column."""
    return (jnp.asarray(_SHAPES)[orientation] << column) >> 2


def _room(rows: Any, piece: Any) -> Any:
    """Where each turn of a piece has room in the first row: (4, 10) bool."""
    turns = jnp.arange(4)
    orientations = jnp.minimum(jnp.asarray(_FIRST)[piece] + turns, 18)
    columns = jnp.arange(10)
    shapes = (jnp.asarray(_SHAPES)[orientations][:, None, :] << columns[None, :, None]) >> 2
    free = (shapes & rows[:4][None, None, :]).sum(-1) == 0
    inside = (columns >= jnp.asarray(_LEAST)[orientations][:, None]) & (columns <= jnp.asarray(_MOST)[orientations][:, None])
    return free & inside & (turns < jnp.asarray(_TURNS)[piece])[:, None]


def mask(state: State) -> Any:
    """Which actions are legal, (40,) bool: brought in the first row from where the piece appears. None where the game is over."""
    room = _room(state.rows, state.piece)
    turns = jnp.asarray(_TURNS)[state.piece]
    left, right = (jnp.arange(4) + turns - 1) % turns, (jnp.arange(4) + 1) % turns
    spawn = jnp.asarray(_SPAWN)[state.piece] - jnp.asarray(_FIRST)[state.piece]
    begin = room & ((jnp.arange(4) == spawn)[:, None] & (jnp.arange(10) == 5)[None, :])

    def spread(reached: Any) -> Any:
        edge = jnp.zeros((4, 1), bool)
        sideways = jnp.concatenate([reached[:, 1:], edge], 1) | jnp.concatenate([edge, reached[:, :-1]], 1)
        return (reached | sideways | reached[left] | reached[right]) & room

    # Nothing is in the way of most pieces: two turns, then five columns to the left or four to the right.
    reached, _ = lax.while_loop(
        lambda pair: (pair[0] != pair[1]).any(), lambda pair: (spread(pair[0]), pair[0]), (spread(begin), begin)
    )
    return reached.reshape(40) & ~state.over


def _take_out(rows: Any, row: Any) -> Any:
    """A full row is taken out: what is above moves down by one. Row 0 takes the rows below along, as in the game."""
    index = jnp.arange(_ROWS)
    moved = jnp.roll(rows, 1)
    usual = jnp.where((index > 2) & (index <= 2 + row), moved, rows).at[2].set(0)
    first = jnp.where((index > 2) & (index < 22), moved, rows).at[1].set(rows[0]).at[0].set(0).at[2].set(0)
    return jnp.where(row == 0, first, usual)


def _lock(rows: Any, orientation: Any, column: Any) -> tuple[Any, Any]:
    """A piece falls from the first row and locks; full rows are taken out. The rows, and how many were full."""
    shape = _shifted(orientation, column)
    hits = (_windows(rows) & shape).any(-1)
    y = jnp.argmax(hits[1:])
    window = lax.dynamic_slice(rows, (y,), (4,)) | shape
    rows = lax.dynamic_update_slice(rows, window, (y,))
    top = jnp.maximum(y - 2, 0)
    cleared = jnp.int32(0)
    for offset in range(4):
        row = top + offset
        full = (row < 20) & (rows[jnp.minimum(2 + row, _ROWS - 1)] == _FULL)
        rows = jnp.where(full, _take_out(rows, row), rows)
        cleared += full
    return rows, cleared


def _level_after(level: Any, lines: Any, cleared: Any) -> tuple[Any, Any]:
    """Level and lines after so many rows, one after the other, with the game's reading of its decimal counter."""
    for number in range(4):
        counts = number < cleared
        lines = lines + counts
        reached = (((lines // 100) << 4) | (lines // 10 % 10)) & 0xFF
        behind = ((level - reached) & 0xFF) >= 0x80
        level = jnp.where(counts & (lines % 10 == 0) & behind, (level + 1) & 0xFF, level)
    return level, lines


def place(state: State, action: Any, dealt: Any) -> tuple[State, Any]:
    """Places the piece by a legal action; ``dealt`` is the piece after the next. The game, and the rows that were cleared."""
    orientation = jnp.asarray(_FIRST)[state.piece] + action // 10
    rows, cleared = _lock(state.rows, orientation, action % 10)
    level, lines = _level_after(state.level, state.lines, cleared)
    score = state.score + jnp.asarray(_POINTS)[cleared] * (level + 1)
    spawn = _shifted(jnp.asarray(_SPAWN)[state.next], 5)
    over = ((rows[:4] & spawn) != 0).any()
    after = State(rows, state.next, jnp.asarray(dealt, jnp.int32), level, lines, score, state.pieces + 1, over, state.key)
    # A game that is over stays as it is.
    kept = jax.tree.map(partial(jnp.where, state.over), state._replace(key=jnp.int32(0)), after._replace(key=jnp.int32(0)))
    return kept._replace(key=state.key), jnp.where(state.over, 0, cleared)


def step(state: State, action: Any) -> tuple[State, Any]:
    """:func:`place` with a piece of equal odds. The game, and the rows that were cleared."""
    key, drawn = jax.random.split(state.key)
    return place(state._replace(key=key), action, jax.random.randint(drawn, (), 0, 7))


def cells(state: State) -> Any:
    """The field, (20, 10) uint8: 0 free, 1 taken."""
    return ((state.rows[2:22, None] >> jnp.arange(10)) & 1).astype(jnp.uint8)
