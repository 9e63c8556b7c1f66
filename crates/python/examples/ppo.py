"""PPO in one file, on many games at once: what a loop for Maxout needs, to be read and changed (after CleanRL's ppo.py).

A policy rates places by the board that each would leave: ``observation="afterstates"`` has eight numbers of each, and the legal
ones are gathered into a batch of a fixed width, so that a net of two layers rates them all. The critic sees their mean.

    python ppo.py --minutes 5 --out ppo.json --curve ppo.png
    python -m maxout.bench TetrisPlace-v1 --agent ppo.py:Agent      # plays by ppo.json of this folder, or by $MAXOUT_PPO

Needs PyTorch. With ``--rounds`` a seed comes to the same net where PyTorch does. The net that is kept is the one that played best
in games that are neither trained on nor evaluated.
"""

from __future__ import annotations

import argparse
import copy
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import nn

import maxout
from maxout.agents import Trained
from maxout.chart import chart
from maxout.gym import TetrisMatches, TetrisVector
from maxout.tasks import TASKS, Task, seeds
from maxout.trained import save

#: Places that a batch has room for: no piece has more under taps.
WIDTH = 64
#: What brings the numbers of ``maxout.AFTERSTATE_FEATURES`` to about 1.
SCALE = np.array([20, 8, 60, 60, 20, 60, 10, 4], np.float32)
#: What a step is worth: staying alive, a point, and a hole more or less, which fades with the discount (Ng and others 1999).
ALIVE, POINT, HOLE = 0.02, 1 / 1200, 0.05
#: Seeds of the games that say which net is kept: 48, from the middle of the seeds below those of evaluation.
CHECKED = list(range(2**61, 2**61 + 48))


class Net(nn.Module):
    """Rates places, and what is to come."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        numbers = len(maxout.AFTERSTATE_FEATURES)
        self.policy = nn.Sequential(nn.Linear(numbers, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.critic = nn.Sequential(nn.Linear(numbers, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, places: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (games, WIDTH) of places (games, WIDTH, numbers), and values (games,)."""
        logits = torch.full(legal.shape, -1e9).masked_scatter(legal, self.policy(places[legal]).squeeze(-1))
        count = legal.sum(-1, keepdim=True).clamp(min=1)
        mean = (places * legal.unsqueeze(-1)).sum(-2) / count
        return logits, self.critic(mean).squeeze(-1)


def gather(afterstates: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The legal places of each game: numbers (games, WIDTH, 8), which are there, and their actions."""
    games = len(masks)
    places = np.zeros((games, WIDTH, afterstates.shape[-1]), np.float32)
    actions = np.zeros((games, WIDTH), np.int64)
    legal = np.zeros((games, WIDTH), bool)
    rows, columns = np.nonzero(masks)
    at = np.arange(len(rows)) - np.searchsorted(rows, rows)
    kept = at < WIDTH
    rows, columns, at = rows[kept], columns[kept], at[kept]
    places[rows, at] = afterstates[rows, columns] / SCALE
    actions[rows, at] = columns
    legal[rows, at] = True
    return places, legal, actions


def games_of(task: Task, count: int, **more) -> TetrisMatches | TetrisVector:
    """So many games or matches of a task, with afterstates to see."""
    settings = {**task.settings, "observation": "afterstates", **more}
    return TetrisMatches(count, **settings) if task.score == "wins" else TetrisVector(count, copy=False, **{**settings, "reward": "score"})


def holes_of(places: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The least holes that a place leaves: how bad a board is."""
    return np.where(legal, places[..., 4] * SCALE[4], np.inf).min(-1, initial=200, where=legal)


def play(rate: Callable[[torch.Tensor], torch.Tensor], task: Task, of_seeds: list[int]) -> np.ndarray:
    """The results of games by the places that are rated best."""
    games = games_of(task, len(of_seeds))
    observation, _ = games.reset(seed=of_seeds)
    results, alive = np.zeros(len(of_seeds)), np.ones(len(of_seeds), bool)
    while alive.any():
        places, legal, actions = gather(observation, games.action_mask)
        with torch.no_grad():
            rated = rate(torch.from_numpy(places[legal])).squeeze(-1).numpy()
        ratings = np.full(legal.shape, -np.inf)
        ratings[legal] = rated
        observation, rewards, terminated, truncated, _ = games.step(actions[np.arange(len(legal)), ratings.argmax(-1)])
        results = np.where(alive, (rewards + 1) / 2 if task.score == "wins" else games.statistics[task.score], results)
        alive &= ~(terminated | truncated)
    return results


def layers_of(rates: nn.Sequential) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights and biases, as :func:`maxout.trained.save` takes them."""
    return [(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in rates if isinstance(layer, nn.Linear)]


class Agent(Trained):
    """Plays a task of the benchmark by a net: ``ppo.json`` beside this file, or the file that ``$MAXOUT_PPO`` names."""

    def __init__(self, task: Task) -> None:
        super().__init__(task, os.environ.get("MAXOUT_PPO", Path(__file__).with_name("ppo.json")))


def train(arguments: argparse.Namespace) -> tuple[Net, list[float]]:
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    task = TASKS[arguments.task]
    count, steps = arguments.games, arguments.steps
    games = games_of(task, count, infos=(), threads=arguments.threads)
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), lr=arguments.rate, eps=1e-5)
    observation, _ = games.reset(seed=arguments.seed * 1_000_003)
    places, legal, actions = gather(observation, games.action_mask)
    ended = np.zeros(count, bool)
    best, best_score = net, -1.0
    curve: list[float] = []
    round_, begun, decisions = 0, time.monotonic(), 0
    while round_ < arguments.rounds if arguments.rounds else time.monotonic() - begun < 60 * arguments.minutes:
        round_ += 1
        kept: dict[str, list] = {name: [] for name in ("places", "legal", "chosen", "logp", "value", "reward", "done", "begun")}
        for _ in range(steps):
            with torch.no_grad():
                logits, value = net(torch.from_numpy(places), torch.from_numpy(legal))
                chances = torch.distributions.Categorical(logits=logits)
                chosen = chances.sample()
                logp = chances.log_prob(chosen)
            holes = holes_of(places, legal)
            observation, rewards, terminated, truncated, _ = games.step(actions[np.arange(count), chosen.numpy()])
            done = terminated | truncated
            row = (places, legal, chosen.numpy(), logp.numpy(), value.numpy())
            places, legal, actions = gather(observation, games.action_mask)
            worth = ALIVE + POINT * rewards - HOLE * (arguments.discount * holes_of(places, legal) - holes)
            worth = np.where(done, rewards if task.score == "wins" else -1.0, worth)
            for name, numbers in zip(kept, (*row, worth, done, ended)):
                kept[name].append(numbers)
            # The step after an end begins a game and does nothing else; a match begins anew in the same step.
            ended = done & (task.score != "wins")
            decisions += count
        with torch.no_grad():
            last = net(torch.from_numpy(places), torch.from_numpy(legal))[1].numpy()
        data = {name: np.stack(numbers) for name, numbers in kept.items()}
        advantages = np.zeros((steps, count), np.float32)
        running = np.zeros(count, np.float32)
        for step in reversed(range(steps)):
            following = last if step == steps - 1 else data["value"][step + 1]
            goes_on = ~data["done"][step]
            error = data["reward"][step] + arguments.discount * following * goes_on - data["value"][step]
            running = error + arguments.discount * arguments.trace * goes_on * running
            advantages[step] = running
        returns = advantages + data["value"]
        # Steps that only began a game teach nothing.
        index = np.flatnonzero(~data["begun"].reshape(-1))
        flat = {name: torch.from_numpy(data[name].reshape(steps * count, *data[name].shape[2:])) for name in ("places", "legal", "chosen", "logp")}
        advantage = torch.from_numpy(advantages.reshape(-1))
        target = torch.from_numpy(returns.reshape(-1).astype(np.float32))
        for _ in range(arguments.passes):
            rng.shuffle(index)
            for part in np.array_split(index, arguments.batches):
                at = torch.from_numpy(part)
                logits, value = net(flat["places"][at], flat["legal"][at])
                chances = torch.distributions.Categorical(logits=logits)
                ratio = (chances.log_prob(flat["chosen"][at]) - flat["logp"][at]).exp()
                scaled = (advantage[at] - advantage[at].mean()) / (advantage[at].std() + 1e-8)
                policy = torch.max(-scaled * ratio, -scaled * ratio.clamp(1 - arguments.clip, 1 + arguments.clip)).mean()
                loss = policy + 0.5 * (value - target[at]).pow(2).mean() - arguments.entropy * chances.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()
        if round_ % arguments.check == 0:
            curve.append(float(play(net.policy, task, CHECKED).mean()))
            if curve[-1] > best_score:
                best, best_score = copy.deepcopy(net), curve[-1]
            told = f"{curve[-1]:,.{2 * (task.score == 'wins')}f} {task.score} a game, {(time.monotonic() - begun) / 60:.1f} minutes"
            print(f"round {round_}: {decisions:,} places, {told}", flush=True)
    return best, curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="TetrisPlace-v1", choices=["TetrisPlace-v1", "TetrisSurvive-v1", "TetrisVersus-v1"])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=0, help="end after as many rounds, however long they take (0: by minutes)")
    parser.add_argument("--check", type=int, default=10, help="rounds after which the net plays for the curve")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--steps", type=int, default=64, help="steps of a round")
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument("--batches", type=int, default=8)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--discount", type=float, default=0.99)
    parser.add_argument("--trace", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.003)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--exam", type=int, default=20, help="games of the evaluation at the end")
    parser.add_argument("--out", default="ppo.json")
    parser.add_argument("--curve")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    net, curve = train(arguments)
    save(arguments.out, layers_of(net.policy), SCALE, task=arguments.task, command=" ".join(["ppo.py", *sys.argv[1:]]))
    if arguments.curve:
        Path(arguments.curve).write_bytes(maxout.png(chart([curve], f"{TASKS[arguments.task].score} a game, by {arguments.check} rounds")))
    task = TASKS[arguments.task]
    results = play(net.policy, task, seeds(task, arguments.exam))
    error = results.std(ddof=1) / len(results) ** 0.5
    print(f"{task.name}: {len(results)} games by the best places, mean {results.mean():,.2f} +- {error:,.2f}")


if __name__ == "__main__":
    main()
