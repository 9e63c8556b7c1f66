"""Double DQN in one file, on many games at once (after CleanRL's dqn.py and van Hasselt and others 2016).

What an action is worth follows from the board that it leaves: ``observation="afterstates"``, as in ``ppo.py``, whose gathering of
legal places it shares. The memory holds what was chosen, what it brought, and what could be chosen then.

    python dqn.py --minutes 5 --out dqn.pt --curve dqn.png
    python -m maxout.bench TetrisPlace-v1 --agent dqn.py:Agent      # plays by dqn.pt of this folder, or by $MAXOUT_DQN

Needs PyTorch.
"""

from __future__ import annotations

import argparse
import copy
import os
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

import maxout
from maxout.chart import chart
from maxout.gym import TetrisVector
from maxout.tasks import TASKS, Task, seeds

sys.path.insert(0, str(Path(__file__).parent))
from ppo import ALIVE, HOLE, POINT, WIDTH, gather, holes_of, settings_of  # noqa: E402

NUMBERS = len(maxout.AFTERSTATE_FEATURES)


class Net(nn.Module):
    """What places are worth."""

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(NUMBERS, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, places: torch.Tensor) -> torch.Tensor:
        """The worth of places (..., numbers)."""
        return self.layers(places).squeeze(-1)

    def best(self, places: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
        """The best of (games, WIDTH, numbers)."""
        return self(places).masked_fill(~legal, -1e9).argmax(-1)


class Memory:
    """The last decisions."""

    def __init__(self, size: int) -> None:
        self.size, self.count, self.at = size, 0, 0
        self.chosen = np.zeros((size, NUMBERS), np.float32)
        self.worth = np.zeros(size, np.float32)
        self.goes_on = np.zeros(size, np.float32)
        self.places = np.zeros((size, WIDTH, NUMBERS), np.float16)
        self.legal = np.zeros((size, WIDTH), bool)

    def add(self, chosen, worth, goes_on, places, legal) -> None:
        """Keeps decisions, one a row."""
        rows = (self.at + np.arange(len(worth))) % self.size
        self.chosen[rows], self.worth[rows], self.goes_on[rows] = chosen, worth, goes_on
        self.places[rows], self.legal[rows] = places, legal
        self.at = (self.at + len(worth)) % self.size
        self.count = min(self.size, self.count + len(worth))

    def sample(self, rng: np.random.Generator, count: int) -> list[torch.Tensor]:
        """Any of them."""
        rows = rng.integers(0, self.count, count)
        kept = (self.chosen, self.worth, self.goes_on, self.places, self.legal)
        return [torch.from_numpy(numbers[rows].astype(np.float32) if numbers.dtype == np.float16 else numbers[rows]) for numbers in kept]


def play(net: Net, task: Task, of_seeds: list[int]) -> np.ndarray:
    """The results of games by the best places."""
    games = TetrisVector(len(of_seeds), copy=False, **settings_of(task))
    observation, _ = games.reset(seed=of_seeds)
    results, alive = np.zeros(len(of_seeds)), np.ones(len(of_seeds), bool)
    while alive.any():
        places, legal, actions = gather(observation, games.action_mask)
        with torch.no_grad():
            best = net.best(torch.from_numpy(places), torch.from_numpy(legal)).numpy()
        observation, _, terminated, truncated, _ = games.step(actions[np.arange(len(best)), best])
        results = np.where(alive, games.statistics[task.score], results)
        alive &= ~(terminated | truncated)
    return results


class Agent:
    """Plays a task of the benchmark by a net: ``dqn.pt`` beside this file, or the file that ``$MAXOUT_DQN`` names."""

    def __init__(self, task: Task) -> None:
        self.net = Net()
        self.net.load_state_dict(torch.load(os.environ.get("MAXOUT_DQN", Path(__file__).with_name("dqn.pt"))))
        self.view = TetrisVector(1, **settings_of(task))
        self.view.reset(seed=0)

    def act(self, observation, info) -> int:
        """The best place."""
        self.view.set_state(self.env.get_state())
        places, legal, actions = gather(self.view.observe()[0], self.view.action_mask)
        with torch.no_grad():
            return int(actions[0, self.net.best(torch.from_numpy(places), torch.from_numpy(legal))])


def train(arguments: argparse.Namespace) -> tuple[Net, list[float]]:
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    task, count = TASKS[arguments.task], arguments.games
    games = TetrisVector(count, copy=False, infos=(), threads=arguments.threads, **settings_of(task))
    net = Net()
    target = copy.deepcopy(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=arguments.rate)
    memory = Memory(arguments.memory)
    observation, _ = games.reset(seed=arguments.seed * 1_000_003)
    places, legal, actions = gather(observation, games.action_mask)
    ended = np.zeros(count, bool)
    curve: list[float] = []
    finished: list[float] = []
    begun, step = time.monotonic(), 0
    while time.monotonic() - begun < 60 * arguments.minutes and (not arguments.steps or step < arguments.steps):
        step += 1
        with torch.no_grad():
            chosen = net.best(torch.from_numpy(places), torch.from_numpy(legal)).numpy()
        explores = rng.random(count) < max(arguments.least, 1 - step / arguments.fading)
        chosen = np.where(explores, (rng.random(legal.shape) * legal).argmax(-1), chosen)
        holes, picked = holes_of(places, legal), places[np.arange(count), chosen]
        observation, rewards, terminated, truncated, _ = games.step(actions[np.arange(count), chosen])
        done = terminated | truncated
        finished += [float(score) for score in games.statistics[task.score][done]]
        places, legal, actions = gather(observation, games.action_mask)
        worth = ALIVE + POINT * rewards - HOLE * (arguments.discount * holes_of(places, legal) - holes)
        worth = np.where(done, -1.0, worth)
        # The step after an end begins a game and does nothing else.
        real = ~ended
        memory.add(picked[real], worth[real], ~done[real], places[real], legal[real])
        ended = done
        if memory.count >= arguments.batch:
            taken, brought, goes_on, then, possible = memory.sample(rng, arguments.batch)
            with torch.no_grad():
                best = net.best(then, possible)
                follows = target(then).gather(1, best.unsqueeze(1)).squeeze(1)
                wanted = brought + arguments.discount * goes_on * follows
            loss = nn.functional.smooth_l1_loss(net(taken), wanted)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 10.0)
            optimizer.step()
        if step % arguments.renewal == 0:
            target.load_state_dict(net.state_dict())
        if step % 100 == 0:
            curve.append(float(np.mean(finished[-100:])) if finished else 0.0)
            if step % 1_000 == 0 or arguments.steps:
                rate = step * count / (time.monotonic() - begun)
                print(f"step {step}: {step * count:,} places, {rate:,.0f}/s, {curve[-1]:,.0f} {task.score} a game", flush=True)
    return net, curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="TetrisPlace-v1", choices=["TetrisPlace-v1", "TetrisSurvive-v1"])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--steps", type=int, default=0, help="end after as many steps (0: by minutes)")
    parser.add_argument("--games", type=int, default=32)
    parser.add_argument("--memory", type=int, default=50_000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--discount", type=float, default=0.97)
    parser.add_argument("--renewal", type=int, default=200, help="steps after which the target net is renewed")
    parser.add_argument("--fading", type=int, default=2_000, help="steps until exploration is least")
    parser.add_argument("--least", type=float, default=0.005, help="share of places by chance")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--exam", type=int, default=20, help="games of the evaluation at the end")
    parser.add_argument("--out", default="dqn.pt")
    parser.add_argument("--curve")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    net, curve = train(arguments)
    torch.save(net.state_dict(), arguments.out)
    if arguments.curve:
        Path(arguments.curve).write_bytes(maxout.png(chart([curve], f"{arguments.task}: points a game, by 100 steps")))
    task = TASKS[arguments.task]
    results = play(net, task, seeds(task, arguments.exam))
    error = results.std(ddof=1) / len(results) ** 0.5
    print(f"{task.name}: {len(results)} games by the best places, mean {results.mean():,.1f} +- {error:,.1f}")


if __name__ == "__main__":
    main()
