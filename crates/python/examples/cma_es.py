"""CMA-ES in one file: eight weights that rate the boards that places leave, learnt without a net (Hansen 2016, arXiv 1604.00772).

A candidate is one weight for each of ``maxout.AFTERSTATE_FEATURES``; it puts a piece where the weighted sum is greatest. All
candidates of a generation play the same pieces side by side, and their ranks move the mean, the step size and the covariance of
the next.

    python cma_es.py --out cma-es.json --curve cma-es.png
    python -m maxout.bench TetrisPlace-v1 --agent cma_es.py:Agent   # plays by cma-es.json of this folder, or by $MAXOUT_CMA_ES

Needs NumPy alone.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np

import maxout
from maxout.agents import Trained
from maxout.chart import chart
from maxout.gym import TetrisVector
from maxout.tasks import TASKS, Task, seeds
from maxout.trained import save

#: What brings the numbers of ``maxout.AFTERSTATE_FEATURES`` to about 1.
SCALE = np.array([20, 8, 60, 60, 20, 60, 10, 4], np.float64)


def play(weights: np.ndarray, task: Task, of_seeds: list[int]) -> np.ndarray:
    """The results (candidates, seeds) of games by each row of weights."""
    settings = {**task.settings, "observation": "afterstates"}
    candidates, of_each = len(weights), len(of_seeds)
    games = TetrisVector(candidates * of_each, copy=False, infos=(), **settings)
    observation, _ = games.reset(seed=of_seeds * candidates)
    by = np.repeat((weights / SCALE).astype(np.float32), of_each, axis=0)
    results, alive = np.zeros(len(by)), np.ones(len(by), bool)
    while alive.any():
        rows, actions = np.nonzero(games.action_mask)
        rated = (observation[rows, actions] * by[rows]).sum(-1)
        # The best of each game: the last of its rows, sorted by rating.
        order = np.lexsort((-actions, rated, rows))
        last = np.searchsorted(rows, np.arange(len(by)), "right") - 1
        observation, _, terminated, truncated, _ = games.step(actions[order][last])
        results = np.where(alive, games.statistics[task.score], results)
        alive &= ~(terminated | truncated)
    return results.reshape(candidates, of_each)


class Agent(Trained):
    """Plays a task of the benchmark: by ``cma-es.json`` beside this file, or by the file that ``$MAXOUT_CMA_ES`` names."""

    def __init__(self, task: Task) -> None:
        super().__init__(task, os.environ.get("MAXOUT_CMA_ES", Path(__file__).with_name("cma-es.json")))


def train(arguments: argparse.Namespace) -> tuple[np.ndarray, list[list[float]]]:
    rng = np.random.default_rng(arguments.seed)
    task, size, count = TASKS[arguments.task], len(SCALE), arguments.candidates
    parents = count // 2
    shares = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    shares /= shares.sum()
    # The constants that the paper recommends, by its names.
    mu = 1 / (shares**2).sum()
    c_c = (4 + mu / size) / (size + 4 + 2 * mu / size)
    c_sigma = (mu + 2) / (size + mu + 5)
    c_1 = 2 / ((size + 1.3) ** 2 + mu)
    c_mu = min(1 - c_1, 2 * (mu - 2 + 1 / mu) / ((size + 2) ** 2 + mu))
    damping = 1 + 2 * max(0.0, np.sqrt((mu - 1) / (size + 1)) - 1) + c_sigma
    length = np.sqrt(size) * (1 - 1 / (4 * size) + 1 / (21 * size**2))
    mean, sigma, covariance = np.zeros(size), 1.0, np.eye(size)
    path_c, path_sigma = np.zeros(size), np.zeros(size)
    curve: list[list[float]] = [[], []]
    begun = time.monotonic()
    for generation in range(arguments.generations):
        if time.monotonic() - begun > 60 * arguments.minutes:
            break
        values, basis = np.linalg.eigh(covariance)
        spread = np.sqrt(np.maximum(values, 1e-20))
        drawn = rng.standard_normal((count, size)) * spread @ basis.T
        first = 1_000_000 * arguments.seed + generation * arguments.games
        results = play(mean + sigma * drawn, task, list(range(first, first + arguments.games))).mean(1)
        chosen = drawn[np.argsort(-results, kind="stable")[:parents]]
        step = shares @ chosen
        mean = mean + sigma * step
        path_sigma = (1 - c_sigma) * path_sigma + np.sqrt(c_sigma * (2 - c_sigma) * mu) * (basis / spread @ basis.T @ step)
        is_short = np.linalg.norm(path_sigma) / np.sqrt(1 - (1 - c_sigma) ** (2 * generation + 2)) < (1.4 + 2 / (size + 1)) * length
        path_c = (1 - c_c) * path_c + is_short * np.sqrt(c_c * (2 - c_c) * mu) * step
        covariance = (
            (1 - c_1 - c_mu + (1 - is_short) * c_1 * c_c * (2 - c_c)) * covariance
            + c_1 * np.outer(path_c, path_c)
            + c_mu * (chosen.T * shares) @ chosen
        )
        sigma *= np.exp(c_sigma / damping * (np.linalg.norm(path_sigma) / length - 1))
        # Weights are worth the same at any size: one size keeps them within range.
        size_of = np.linalg.norm(mean)
        if size_of > 5:
            mean, sigma = mean * 5 / size_of, sigma * 5 / size_of
        curve[0].append(float(results.mean()))
        curve[1].append(float(results.max()))
        if (generation + 1) % 10 == 0:
            took = (time.monotonic() - begun) / 60
            print(f"generation {generation + 1}: mean {results.mean():,.0f}, best {results.max():,.0f} {task.score}, {took:.1f} minutes", flush=True)
    return mean, curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="TetrisPlace-v1", choices=["TetrisPlace-v1", "TetrisSurvive-v1"])
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=60.0, help="end then, if the generations are not over")
    parser.add_argument("--candidates", type=int, default=12)
    parser.add_argument("--games", type=int, default=4, help="games of each candidate in a generation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--exam", type=int, default=20, help="games of the evaluation at the end")
    parser.add_argument("--out", default="cma-es.json")
    parser.add_argument("--curve")
    arguments = parser.parse_args()
    weights, curve = train(arguments)
    save(arguments.out, [(weights[None], [0.0])], SCALE, task=arguments.task, command=" ".join(["cma_es.py", *sys.argv[1:]]))
    task = TASKS[arguments.task]
    if arguments.curve:
        title = f"{task.score} a game, by generation: mean and best"
        Path(arguments.curve).write_bytes(maxout.png(chart(curve, title)))
    for name, weight in zip(maxout.AFTERSTATE_FEATURES, weights / SCALE):
        print(f"  {name:20} {weight:+.4f}")
    results = play(weights[None], task, seeds(task, arguments.exam))[0]
    error = results.std(ddof=1) / len(results) ** 0.5
    print(f"{task.name}: {len(results)} games by the best places, mean {results.mean():,.1f} +- {error:,.1f}")


if __name__ == "__main__":
    main()
