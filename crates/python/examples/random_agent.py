"""An agent that places pieces anywhere: 256 games at once, and a GIF of one of them.

    python random_agent.py [--pieces 100000] [--gif random.gif]
"""

import argparse

import numpy as np

import maxout
from maxout.gym import TetrisVector


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pieces", type=int, default=100_000)
    parser.add_argument("--gif")
    arguments = parser.parse_args()

    games = TetrisVector(256, reward="lines")
    games.reset(seed=0)
    rng = np.random.default_rng(0)
    lines, ends, pictures = 0, 0, []
    steps = -(-arguments.pieces // games.num_envs)
    for step in maxout.progress(range(steps), label="steps"):
        _, rewards, terminated, _, _ = games.step(games.sample(rng))
        lines += int(rewards.sum())
        ends += int(terminated.sum())
        if arguments.gif and step < 100:
            pictures.append(games.picture(0))
    print(f"{steps * games.num_envs} steps, {ends} games over, {lines} lines")
    if arguments.gif:
        with open(arguments.gif, "wb") as file:
            file.write(maxout.gif(np.stack(pictures), delay=10))


if __name__ == "__main__":
    main()
