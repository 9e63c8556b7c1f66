"""The board in JAX beside the board in Rust: equal at every placement, and how fast it is alone.

    python jax_board.py --placements 10000000
    python jax_board.py --placements 0 --peers      # its speed beside that of Jumanji's Tetris (pip install jumanji), in one run
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from maxout import jax as board
from maxout.gym import TetrisVector


#: What a place is worth where lines are wanted, by ``maxout.AFTERSTATE_FEATURES``.
WEIGHTS = np.array([-4.5, 3.4, -3.2, -9.3, -7.9, -3.4, 0, 0], np.float32)
#: Places by lot, of all: some games end soon, and others clear many rows.
LOT = 0.3
#: An odd number for each action.
ODD = (np.arange(1, 41, dtype=np.uint64) * 0x9E3779B1 * 2 + 1).astype(np.uint32)


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


def any_of(masks: jax.Array, key: jax.Array) -> jax.Array:
    """A legal action for each game: one random number, hashed with each action's."""
    drawn = jax.random.bits(key, (len(masks), 1)) * ODD
    return jnp.where(masks, (drawn >> 8).astype(jnp.int32), -1).argmax(-1)


def speed(count: int, seconds: float) -> float:
    """Placements a second by any legal action; games that end begin anew."""
    begin = jax.vmap(lambda key: board.reset(key, 18))

    @jax.jit
    def run(state: board.State, key: jax.Array) -> board.State:
        def one(state: board.State, key: jax.Array) -> tuple[board.State, None]:
            after, _ = jax.vmap(board.step)(state, any_of(jax.vmap(board.mask)(state), key))
            fresh = begin(after.key)
            anew = lambda a, b: jnp.where(after.over.reshape(-1, *[1] * (a.ndim - 1)), a, b)  # noqa: E731
            return jax.tree.map(anew, fresh._replace(key=after.key), after), None

        return jax.lax.scan(one, state, jax.random.split(key, 64))[0]

    return measured(run, begin(jax.random.split(jax.random.key(0), count)), count, seconds)


def measured(run: Callable[[Any, jax.Array], Any], state: Any, count: int, seconds: float) -> float:
    """Placements a second of processor time, of what places 64 pieces in each of so many games."""
    state = jax.block_until_ready(run(state, jax.random.key(1)))
    # An accelerator's time is the clock's.
    clock = time.process_time if jax.default_backend() == "cpu" else time.perf_counter
    begun, rounds = clock(), 0
    while clock() - begun < seconds:
        state = jax.block_until_ready(run(state, jax.random.key(rounds)))
        rounds += 1
    return rounds * 64 * count / (clock() - begun)


def jumanji(count: int, seconds: float, height: int) -> float:
    """The same of Jumanji's Tetris, on a board so high."""
    from jumanji.environments import Tetris

    env = Tetris(num_rows=height, num_cols=10)

    def begin(keys: jax.Array) -> Any:
        state, told = jax.vmap(env.reset)(keys)
        return state, told.observation.action_mask

    @jax.jit
    def run(state: Any, key: jax.Array) -> Any:
        def one(pair: Any, key: jax.Array) -> tuple[Any, None]:
            state, mask = pair
            action = any_of(mask.reshape(count, 40), key)
            after, told = jax.vmap(env.step)(state, jnp.stack([action // 10, action % 10], -1))
            ended = told.last()
            anew = lambda a, b: jnp.where(ended.reshape(-1, *[1] * (a.ndim - 1)), a, b)  # noqa: E731
            return jax.tree.map(anew, begin(after.key), (after, told.observation.action_mask)), None

        return jax.lax.scan(one, state, jax.random.split(key, 64))[0]

    return measured(run, begin(jax.random.split(jax.random.key(0), count)), count, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--placements", type=int, default=200_000)
    parser.add_argument("--games", type=int, default=4_096)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--peers", action="store_true", help="measure Jumanji's Tetris beside it, turn by turn")
    arguments = parser.parse_args()
    levels = (0, 18, 28)
    for level in levels if arguments.placements else ():
        share = arguments.placements // len(levels) + 1
        ends, rows = compare(share, arguments.games, level, level)
        print(f"level {level}: {share:,} placements are equal, {ends:,} games ended, {rows:,} rows cleared", flush=True)
    if arguments.seconds:
        for count in (64, 1_024, arguments.games):
            own = speed(count, arguments.seconds)
            print(f"{jax.default_backend()}, {count} games: {own:,.0f} placements a second", flush=True)
            for height in (10, 20) if arguments.peers else ():
                peer = jumanji(count, arguments.seconds, height)
                print(f"  Jumanji's Tetris, 10 x {height}: {peer:,.0f}; {own / peer:.1f} times", flush=True)


if __name__ == "__main__":
    main()
