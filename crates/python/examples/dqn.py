"""Double DQN in one file, on many games at once (after CleanRL's dqn.py and van Hasselt and others 2016).

What an action is worth follows from the board that it leaves: ``observation="afterstates"``, as in ``ppo.py``, whose gathering of
legal places it shares. The memory holds what was chosen, what it brought, and what could be chosen then.

    python dqn.py --minutes 5 --out dqn.json --curve dqn.png
    python -m maxout.bench TetrisPlace-v1 --agent dqn.py:Agent      # plays by dqn.json of this folder, or by $MAXOUT_DQN

Needs PyTorch. With ``--steps`` a seed comes to the same net where PyTorch does; which net is kept is chosen as in ``ppo.py``.
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
from maxout.agents import Trained
from maxout.chart import chart
from maxout.tasks import TASKS, Task, seeds
from maxout.trained import save

sys.path.insert(0, str(Path(__file__).parent))
from ppo import ALIVE, CHECKED, HOLE, POINT, SCALE, WIDTH, games_of, gather, holes_of, layers_of, play  # noqa: E402

NUMBERS = len(maxout.AFTERSTATE_FEATURES)


class Net(nn.Module):
    """What places are worth."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(NUMBERS, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, places: torch.Tensor) -> torch.Tensor:
        """The worth of places (..., numbers)."""
        return self.layers(places).squeeze(-1)

    def best(self, places: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
        """The best of (games, WIDTH, numbers)."""
        return torch.full(legal.shape, -1e9).masked_scatter(legal, self(places[legal])).argmax(-1)


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


class Agent(Trained):
    """Plays a task of the benchmark by a net: ``dqn.json`` beside this file, or the file that ``$MAXOUT_DQN`` names."""

    def __init__(self, task: Task) -> None:
        super().__init__(task, os.environ.get("MAXOUT_DQN", Path(__file__).with_name("dqn.json")))


def train(arguments: argparse.Namespace) -> tuple[Net, list[float]]:
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    task, count = TASKS[arguments.task], arguments.games
    games = games_of(task, count, infos=(), threads=arguments.threads)
    net = Net()
    target = copy.deepcopy(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=arguments.rate)
    memory = Memory(arguments.memory)
    observation, _ = games.reset(seed=arguments.seed * 1_000_003)
    places, legal, actions = gather(observation, games.action_mask)
    ended = np.zeros(count, bool)
    kept, kept_score = net, -1.0
    curve: list[float] = []
    begun, step = time.monotonic(), 0
    while step < arguments.steps if arguments.steps else time.monotonic() - begun < 60 * arguments.minutes:
        step += 1
        with torch.no_grad():
            chosen = net.best(torch.from_numpy(places), torch.from_numpy(legal)).numpy()
        explores = rng.random(count) < max(arguments.least, 1 - step / arguments.fading)
        chosen = np.where(explores, (rng.random(legal.shape) * legal).argmax(-1), chosen)
        holes, picked = holes_of(places, legal), places[np.arange(count), chosen]
        observation, rewards, terminated, truncated, _ = games.step(actions[np.arange(count), chosen])
        done = terminated | truncated
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
            loss = nn.functional.mse_loss(net(taken), wanted)
            for group in optimizer.param_groups:
                group["lr"] = arguments.rate * (1 - (step - 1) / arguments.steps) if arguments.steps else arguments.rate
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 10.0)
            optimizer.step()
        if step % arguments.renewal == 0:
            target.load_state_dict(net.state_dict())
        if step % arguments.check == 0:
            curve.append(float(play(net, task, CHECKED).mean()))
            if curve[-1] > kept_score:
                kept, kept_score = copy.deepcopy(net), curve[-1]
            told = f"{curve[-1]:,.0f} {task.score} a game, {(time.monotonic() - begun) / 60:.1f} minutes, {time.process_time() / 60:.1f} of a CPU"
            print(f"step {step}: {step * count:,} places, {told}", flush=True)
    return kept, curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="TetrisPlace-v1", choices=["TetrisPlace-v1", "TetrisSurvive-v1"])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--steps", type=int, default=0, help="end after as many steps, however long they take (0: by minutes)")
    parser.add_argument("--check", type=int, default=1_000, help="steps after which the net plays for the curve")
    parser.add_argument("--games", type=int, default=32)
    parser.add_argument("--memory", type=int, default=200_000)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--rate", type=float, default=1e-3, help="at the beginning: it falls to 0 by the end of --steps")
    parser.add_argument("--discount", type=float, default=0.99)
    parser.add_argument("--renewal", type=int, default=500, help="steps after which the target net is renewed")
    parser.add_argument("--fading", type=int, default=2_000, help="steps until exploration is least")
    parser.add_argument("--least", type=float, default=0.005, help="share of places by chance")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--exam", type=int, default=20, help="games of the evaluation at the end")
    parser.add_argument("--out", default="dqn.json")
    parser.add_argument("--curve")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    net, curve = train(arguments)
    save(arguments.out, layers_of(net.layers), SCALE, task=arguments.task, command=" ".join(["dqn.py", *sys.argv[1:]]))
    if arguments.curve:
        Path(arguments.curve).write_bytes(maxout.png(chart([curve], f"{TASKS[arguments.task].score} a game, by {arguments.check} steps")))
    task = TASKS[arguments.task]
    results = play(net, task, seeds(task, arguments.exam))
    error = results.std(ddof=1) / len(results) ** 0.5
    print(f"{task.name}: {len(results)} games by the best places, mean {results.mean():,.1f} +- {error:,.1f}")


if __name__ == "__main__":
    main()
