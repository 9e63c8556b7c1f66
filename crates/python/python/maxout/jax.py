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

from .shapes import CELLS, SPAWN

__all__ = ["State", "cells", "mask", "place", "reset", "step"]

_FULL: int = 0x3FF
#: Rows of a field: two above the first, twenty, two of floor.
_ROWS: int = 24
#: Orientations of each piece, and the number of its first.
_TURNS: Any = np.array([4, 4, 2, 1, 2, 4, 2], np.int32)
_FIRST: Any = np.array([0, 4, 8, 10, 11, 13, 17], np.int32)
_SPAWN: Any = np.array(SPAWN, np.int32)
#: Points of a lock by rows, times level and one.
_POINTS: Any = np.array([0, 40, 100, 300, 1200], np.int32)


def _shapes() -> tuple[Any, Any, Any]:
    """Four rows of each orientation about its pivot, bit 2 the pivot's column; least and greatest column of the pivot."""
    shapes, least, most = np.zeros((19, 4), np.int32), np.zeros(19, np.int32), np.zeros(19, np.int32)
    for orientation, orientation_cells in enumerate(CELLS):
        for row, column in orientation_cells:
            shapes[orientation, row + 2] |= 1 << (column + 2)
        columns = [column for _, column in orientation_cells]
        least[orientation], most[orientation] = -min(columns), 9 - max(columns)
    return shapes, least, most


_SHAPES, _LEAST, _MOST = _shapes()


def _tables() -> tuple[Any, Any, Any, Any]:
    """By piece: which of the four rows about the pivot and of five columns about it each turn takes, as masks (7, 4, 20); the
    columns that the pivot may be in, as bits (7, 4); and the turns to the left and to the right (7, 4)."""
    taken, inside = np.zeros((7, 4, 20), np.int32), np.zeros((7, 4), np.int32)
    left, right = np.zeros((7, 4), np.int32), np.zeros((7, 4), np.int32)
    for piece, turns in enumerate(_TURNS):
        for turn in range(4):
            left[piece, turn], right[piece, turn] = (turn + turns - 1) % turns, (turn + 1) % turns
            if turn >= turns:
                continue
            orientation = _FIRST[piece] + turn
            for row, column in CELLS[orientation]:
                taken[piece, turn, 5 * (row + 2) + column + 2] = -1
            inside[piece, turn] = sum(1 << column for column in range(_LEAST[orientation], _MOST[orientation] + 1))
    return taken, inside, left, right


_TAKEN, _INSIDE, _LEFT, _RIGHT = _tables()


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


def _drawn(key: Any) -> tuple[Any, Any]:
    """Two pieces by a key: what it is made of is random already."""
    data = key if jnp.issubdtype(key.dtype, jnp.uint32) else jax.random.key_data(key)
    return (data[0] % 7).astype(jnp.int32), (data[-1] % 7).astype(jnp.int32)


def reset(key: Any, level: int = 18, piece: Any = None, next: Any = None) -> State:
    """A game at its beginning. Pieces that are not given are drawn by ``key``."""
    key = jax.random.fold_in(key, 0)
    first, second = _drawn(key)
    floor = np.zeros(_ROWS, np.int32)
    floor[-2:] = 0xFFFF
    zero = jnp.int32(0)
    return State(
        rows=jnp.asarray(floor),
        piece=first if piece is None else jnp.int32(piece),
        next=second if next is None else jnp.int32(next),
        level=jnp.int32(level),
        lines=zero,
        score=zero,
        pieces=zero,
        over=jnp.bool_(False),
        key=key,
    )


def _shifted(orientation: Any, column: Any) -> Any:
    """A piece's four rows at a column."""
    return (jnp.asarray(_SHAPES)[orientation] << column) >> 2


def _any(numbers: Any) -> Any:
    """All bits of the last axis together."""
    return lax.reduce(numbers, np.int32(0), lax.bitwise_or, (numbers.ndim - 1,))


def _room(rows: Any, piece: Any) -> Any:
    """Where each turn of a piece has room in the first row: a bit for each column, (4,)."""
    # Column c is in the way of a cell d columns right of the pivot where the pivot is at c - d.
    away = jnp.stack([rows[:4] << 2, rows[:4] << 1, rows[:4], rows[:4] >> 1, rows[:4] >> 2], axis=1).reshape(20)
    return jnp.asarray(_INSIDE)[piece] & ~_any(away & jnp.asarray(_TAKEN)[piece])


def mask(state: State) -> Any:
    """Which actions are legal, (40,) bool: brought in the first row from where the piece appears. None where the game is over."""
    room = _room(state.rows, state.piece)
    left, right = jnp.asarray(_LEFT)[state.piece], jnp.asarray(_RIGHT)[state.piece]
    spawn = jnp.asarray(_SPAWN)[state.piece] - jnp.asarray(_FIRST)[state.piece]
    begin = room & jnp.where(jnp.arange(4) == spawn, 1 << 5, 0)

    def turned(reached: Any, to: Any) -> Any:
        # Four are compared sooner than gathered.
        return _any(jnp.where(to[:, None] == jnp.arange(4), reached, 0))

    def spread(reached: Any) -> Any:
        return (reached | reached << 1 | reached >> 1 | turned(reached, left) | turned(reached, right)) & room

    # Nothing is in the way of most pieces: two turns, then five columns to the left or four to the right.
    reached, _ = lax.while_loop(
        lambda pair: (pair[0] != pair[1]).any(), lambda pair: (spread(pair[0]), pair[0]), (spread(begin), begin)
    )
    return (((reached[:, None] >> jnp.arange(10)) & 1) != 0).reshape(40) & ~state.over


def _take_out(rows: Any, row: Any) -> Any:
    """A full row is taken out: what is above moves down by one. Row 0 takes the rows below along, as in the game."""
    index = jnp.arange(_ROWS)
    is_first = row == 0
    above = jnp.concatenate([rows[:1], rows[:-1]])
    moves = (index > 2) & (index <= 2 + jnp.where(is_first, 19, row)) | is_first & (index == 1)
    return jnp.where((index == 2) | is_first & (index == 0), 0, jnp.where(moves, above, rows))


def _fallen(rows: Any, orientation: Any, column: Any) -> tuple[Any, Any]:
    """A piece falls from the first row and locks. The rows, full ones among them, and the least row it can be in."""
    shape = _shifted(orientation, column)
    hits = sum((rows[first : first + 21] & shape[first]) != 0 for first in range(4)) != 0
    y = jnp.argmax(hits[1:])
    index = jnp.arange(_ROWS)
    for offset in range(4):
        rows = rows | jnp.where(index == y + offset, shape[offset], 0)
    return rows, jnp.maximum(y - 2, 0)


def _counted(level: Any, lines: Any) -> tuple[Any, Any]:
    """Level and lines after one more row, with the game's reading of its decimal counter."""
    lines = lines + 1
    reached = (((lines // 100) << 4) | (lines // 10 % 10)) & 0xFF
    behind = ((level - reached) & 0xFF) >= 0x80
    return jnp.where((lines % 10 == 0) & behind, (level + 1) & 0xFF, level), lines


def _cleared(rows: Any, top: Any, level: Any, lines: Any) -> tuple[Any, Any, Any, Any]:
    """Takes out the full rows among four, from the top. Rows, level, lines, and how many there were."""
    index = jnp.arange(_ROWS) - 2

    def full(rows: Any, first: Any) -> Any:
        return (rows == _FULL) & (index >= first) & (index < jnp.minimum(top + 4, 20))

    def one(kept: Any) -> Any:
        rows, first, level, lines, count = kept
        row = jnp.argmax(full(rows, first)).astype(jnp.int32) - 2
        return _take_out(rows, row), row + 1, *_counted(level, lines), count + 1

    # Few placements clear a row: games are gone through once for each row of the one that clears most.
    rows, _, level, lines, count = lax.while_loop(lambda kept: full(*kept[:2]).any(), one, (rows, top, level, lines, jnp.int32(0)))
    return rows, level, lines, count


def place(state: State, action: Any, dealt: Any) -> tuple[State, Any]:
    """Places the piece by a legal action; ``dealt`` is the piece after the next. The game, and the rows that were cleared."""
    orientation = jnp.asarray(_FIRST)[state.piece] + action // 10
    rows, top = _fallen(state.rows, orientation, action % 10)
    rows, level, lines, cleared = _cleared(rows, top.astype(jnp.int32), state.level, state.lines)
    score = state.score + jnp.asarray(_POINTS)[cleared] * (level + 1)
    spawn = _shifted(jnp.asarray(_SPAWN)[state.next], 5)
    over = ((rows[:4] & spawn) != 0).any()
    after = State(rows, state.next, jnp.asarray(dealt, jnp.int32), level, lines, score, state.pieces + 1, over, state.key)
    # A game that is over stays as it is.
    kept = jax.tree.map(partial(jnp.where, state.over), state._replace(key=jnp.int32(0)), after._replace(key=jnp.int32(0)))
    return kept._replace(key=state.key), jnp.where(state.over, 0, cleared)


def step(state: State, action: Any) -> tuple[State, Any]:
    """:func:`place` with a piece of equal odds. The game, and the rows that were cleared."""
    key = jax.random.fold_in(state.key, 0)
    return place(state._replace(key=key), action, _drawn(key)[0])


def cells(state: State) -> Any:
    """The field, (20, 10) uint8: 0 free, 1 taken."""
    return ((state.rows[2:22, None] >> jnp.arange(10)) & 1).astype(jnp.uint8)
