"""The board in JAX beside the board in Rust: equal at every placement, and how fast it is alone.

    python jax_board.py --placements 10000000
"""

from __future__ import annotations

import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np

from maxout import jax as board
from maxout.gym import TetrisVector


#: What a place is worth where lines are wanted, by ``maxout.AFTERSTATE_FEATURES``.
WEIGHTS = np.array([-4.5, 3.4, -3.2, -9.3, -7.9, -3.4, 0, 0], np.float32)
#: Places by lot, of all: some games end soon, and others clear many rows.
LOT = 0.3


def compare(placements: int, count: int, level: int, seed: int = 0) -> tuple[int, int]:
    """Plays legal places on both boards until so many have been placed, good ones and some by lot. How many games ended, and
    how many rows were cleared. Raises where the boards differ."""
    games = TetrisVector(count, level=level, infos=(), copy=False, autoreset_mode="Disabled")
    judge = TetrisVector(count, level=level, infos=(), copy=False, autoreset_mode="Disabled", observation="afterstates")
    observation, _ = games.reset(seed=seed)
    afterstates, _ = judge.reset(seed=seed)
    rng = np.random.default_rng(seed)
    begin = jax.jit(jax.vmap(lambda piece, next: board.reset(jax.random.key(0), level, piece, next)))
    place, mask, cells = jax.jit(jax.vmap(board.place)), jax.jit(jax.vmap(board.mask)), jax.jit(jax.vmap(board.cells))
    blend = jax.jit(lambda which, one, other: jax.tree.map(lambda a, b: jnp.where(which.reshape(-1, *[1] * (a.ndim - 1)), a, b), one, other))
    state = begin(observation["pieces"][:, 0], observation["pieces"][:, 1])
    placed, ends, rows = 0, 0, 0
    while placed < placements:
        legal = games.action_masks()
        best = np.where(legal, afterstates @ WEIGHTS, -np.inf).argmax(1)
        actions = np.where(rng.random(count) < LOT, games.sample(rng), best)
        assert np.array_equal(np.asarray(mask(state)), legal), f"masks differ after {placed} placements"
        observation, _, terminated, _, _ = games.step(actions)
        afterstates, *_ = judge.step(actions)
        state, cleared = place(state, actions, observation["pieces"][:, 1])
        rows += int(cleared.sum())
        statistics = games.statistics
        for name, one, other in (
            ("fields", np.asarray(cells(state)), observation["field"]),
            ("pieces", np.asarray(state.piece), observation["pieces"][:, 0]),
            ("lines", np.asarray(state.lines), statistics["lines"]),
            ("levels", np.asarray(state.level), statistics["level"]),
            ("scores", np.asarray(state.score), statistics["score"]),
            ("ends", np.asarray(state.over), terminated),
        ):
            assert np.array_equal(one, other), f"{name} differ after {placed} placements"
        placed += count
        ends += int(terminated.sum())
        if terminated.any():
            observation, _ = games.reset(options={"reset_mask": terminated})
            afterstates, _ = judge.reset(options={"reset_mask": terminated})
            fresh = begin(observation["pieces"][:, 0], observation["pieces"][:, 1])
            state = blend(terminated, fresh._replace(key=state.key), state)
    return ends, rows


def speed(count: int, seconds: float) -> float:
    """Placements a second by any legal action, games begun anew by jit alone."""
    begin = jax.vmap(lambda key: board.reset(key, 18))

    @jax.jit
    def run(state: board.State, key: jax.Array) -> board.State:
        def one(state: board.State, key: jax.Array) -> tuple[board.State, None]:
            drawn = jax.random.uniform(key, (count, 40)) * jax.vmap(board.mask)(state)
            after, _ = jax.vmap(board.step)(state, drawn.argmax(-1))
            fresh = begin(after.key)
            anew = lambda a, b: jnp.where(after.over.reshape(-1, *[1] * (a.ndim - 1)), a, b)  # noqa: E731
            return jax.tree.map(anew, fresh._replace(key=after.key), after), None

        return jax.lax.scan(one, state, jax.random.split(key, 64))[0]

    state = run(begin(jax.random.split(jax.random.key(0), count)), jax.random.key(1))
    jax.block_until_ready(state.rows)
    begun, rounds = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        state = run(state, jax.random.key(rounds))
        jax.block_until_ready(state.rows)
        rounds += 1
    return rounds * 64 * count / (time.perf_counter() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--placements", type=int, default=200_000)
    parser.add_argument("--games", type=int, default=4_096)
    parser.add_argument("--seconds", type=float, default=5.0)
    arguments = parser.parse_args()
    levels = (0, 18, 28)
    for level in levels:
        share = arguments.placements // len(levels) + 1
        ends, rows = compare(share, arguments.games, level, level)
        print(f"level {level}: {share:,} placements are equal, {ends:,} games ended, {rows:,} rows cleared", flush=True)
    if arguments.seconds:
        for count in (64, 1_024, arguments.games):
            print(f"{jax.default_backend()}, {count} games: {speed(count, arguments.seconds):,.0f} placements a second", flush=True)


if __name__ == "__main__":
    main()
