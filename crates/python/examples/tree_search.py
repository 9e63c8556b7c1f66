"""Searches with the environment itself: each place is tried, the game goes on at random from there, and is put back.

Flat Monte Carlo search with a heuristic at the leaves: ``get_state`` and ``set_state`` take about a microsecond, so that a
search needs no model of the game beside the game. Run it with ``python tree_search.py [pieces]``.
"""

from __future__ import annotations

import sys

import numpy as np

import maxout
from maxout.gym import Tetris

#: Worth of a board by the names of its features: few holes, low, even.
WORTH = {"holes": -8.0, "row_transitions": -3.0, "column_transitions": -9.0, "well_sums": -3.0, "max_height": -1.0}
WEIGHTS = np.array([WORTH.get(name, 0.0) for name in maxout.FEATURES], np.float32)
#: What a line is worth beside that, and a game that is lost.
LINE, LOST = 10.0, -1e6


def value(env: Tetris, depth: int) -> float:
    """The best worth within ``depth`` pieces from here."""
    state = env.get_state()
    best = LOST
    for action in np.flatnonzero(env.action_masks()):
        observation, lines, terminated, _, _ = env.step(int(action))
        if terminated:
            worth = LOST
        else:
            worth = LINE * lines + (value(env, depth - 1) if depth > 1 else float(observation @ WEIGHTS))
        best = max(best, worth)
        env.set_state(state)
    return best


def choose(env: Tetris, depth: int = 1) -> int:
    """The action whose worst luck is not asked for: the one with the best worth after the next piece."""
    state = env.get_state()
    best = (2 * LOST, 0)
    for action in np.flatnonzero(env.action_masks()):
        _, lines, terminated, _, _ = env.step(int(action))
        worth = LOST if terminated else LINE * lines + value(env, depth)
        best = max(best, (worth, int(action)))
        env.set_state(state)
    return best[1]


def main(pieces: int) -> float:
    env = Tetris(observation="features", reward="lines")
    env.reset(seed=0)
    lines = 0.0
    for piece in range(pieces):
        _, reward, terminated, _, _ = env.step(choose(env))
        lines += reward
        if terminated:
            break
    print(f"{lines:.0f} lines of {pieces} pieces")
    return lines


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
