"""The board in JAX is the board in Rust."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))


@pytest.mark.parametrize("level", [0, 18, 28])
def test_the_board_is_rusts_at_every_placement(level):
    from jax_board import compare

    ends, rows = compare(40_000, 1_024, level, seed=level)
    assert ends > 100 and rows > 3_000


def test_games_go_on_by_themselves_and_end():
    from maxout import jax as board

    games = jax.vmap(lambda key: board.reset(key, level=18))(jax.random.split(jax.random.key(0), 64))
    step, mask = jax.jit(jax.vmap(board.step)), jax.jit(jax.vmap(board.mask))
    for _ in range(80):
        games, _ = step(games, mask(games).argmax(-1))
    assert games.over.all() and not mask(games).any() and (games.pieces > 5).all()
    again, rows = step(games, mask(games).argmax(-1))
    assert (again.rows == games.rows).all() and not rows.any()
