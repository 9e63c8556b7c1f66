"""A linear player that learns where to put pieces, in a minute, without a net: noisy cross-entropy (Szita and Lorincz 2006).

A candidate is one weight for each of ``maxout.AFTERSTATE_FEATURES``; it puts a piece where the weighted sum is greatest. All
candidates of a generation play the same pieces side by side. The best tenth are the mean and spread of the next.

    python linear_learner.py [--seconds 60] [--generations 40] [--seed 0] [--curve curve.png] [--lines 1000]

Then the mean plays games that no generation has seen. Exit status 1 says that half of them had fewer than ``--lines``.
"""

import argparse
import sys
import time

import numpy as np

import maxout
from maxout.chart import chart
from maxout.gym import TetrisVector

CANDIDATES = 64
ELITE = 8
LONGEST = 1_000  # pieces of a game in training
EXAMINED = 16


def lines_of(weights: np.ndarray, seed: int, pieces: int) -> np.ndarray:
    """Lines of a game by each row of weights, (candidates, features), all with the pieces of one seed."""
    games = TetrisVector(
        len(weights), observation="afterstates", reward="lines", copy=False, infos=(), max_steps=pieces
    )
    observation, _ = games.reset(seed=[seed] * len(weights))
    lines = np.zeros(len(weights))
    alive = np.ones(len(weights), bool)
    while alive.any():
        worth = np.einsum("naf,nf->na", observation, weights)
        worth[games.action_mask == 0] = -np.inf
        observation, rewards, terminated, truncated, _ = games.step(worth.argmax(1))
        lines += rewards * alive
        alive &= ~(terminated | truncated)
    return lines


def draw(curve: list[tuple[float, float]], path: str) -> None:
    """Mean and best lines by generation, as a PNG file."""
    best, mean = zip(*curve)
    picture = chart([mean, best], f"lines of a game of {LONGEST} pieces, by generation: mean and best")
    with open(path, "wb") as file:
        file.write(maxout.png(picture))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lines", type=int, default=1_000)
    parser.add_argument("--curve")
    arguments = parser.parse_args()

    rng = np.random.default_rng(arguments.seed)
    features = len(maxout.AFTERSTATE_FEATURES)
    mean, spread = np.zeros(features), np.full(features, 10.0)
    curve: list[tuple[float, float]] = []
    begun = time.monotonic()
    generation = 0
    while time.monotonic() - begun < arguments.seconds and generation < arguments.generations:
        weights = (mean + spread * rng.standard_normal((CANDIDATES, features))).astype(np.float32)
        lines = lines_of(weights, 1_000_000 + generation, LONGEST)
        best = weights[np.argsort(-lines)[:ELITE]]
        # Noise that fades keeps the spread from closing too soon.
        mean, spread = best.mean(0), np.sqrt(best.var(0) + max(0.0, 4.0 - 0.2 * generation))
        curve.append((float(lines.max()), float(lines.mean())))
        generation += 1
        print(f"generation {generation}: best {lines.max():.0f}, mean {lines.mean():.1f} lines", flush=True)
        if len(curve) >= 3 and all(mean_lines > 0.38 * LONGEST for _, mean_lines in curve[-3:]):
            break
    learned = time.monotonic() - begun
    for name, weight in zip(maxout.AFTERSTATE_FEATURES, mean / np.abs(mean).max()):
        print(f"  {name:20} {weight:+.3f}")
    if arguments.curve:
        draw(curve, arguments.curve)

    # Games of their own seeds, none of which was trained on; 2.5 pieces a line, and some more.
    longest = int(arguments.lines * 2.5) + 200
    exam = np.concatenate(
        [lines_of(mean[None].astype(np.float32), seed, longest) for seed in range(EXAMINED)]
    )
    print(f"learned in {learned:.1f} s; lines of {EXAMINED} new games of {longest} pieces: {sorted(exam.astype(int).tolist())}")
    sys.exit(0 if np.median(exam) >= arguments.lines else 1)


if __name__ == "__main__":
    main()
