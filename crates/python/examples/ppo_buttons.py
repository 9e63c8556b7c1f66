"""PPO by buttons in one file: taps and drops, from fields (``TetrisButtons-v1``) or from pictures (``TetrisPixels-v1``).

``maxout.hands`` has what is not learning: the eyes, which read a field and the falling piece from an observation, and the hands,
which press the buttons of a decision. A net of two layers decides: left, right, a turn either way, or drop. Nothing is decided
while a piece is dropped.

    python ppo_buttons.py --minutes 15 --out buttons.json --curve buttons.png
    python ppo_buttons.py --task TetrisPixels-v1 --minutes 15 --out pixels.json
    MAXOUT_PPO_BUTTONS=buttons.json python -m maxout.bench TetrisButtons-v1 --agent ppo_buttons.py:Agent

Reward is points, and shaping by a potential (Ng and others 1999): how good the field is once the piece has fallen straight down
from where it is. It needs PyTorch; with ``--rounds`` a seed comes to the same net where PyTorch does.
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
from maxout.agents import TrainedButtons
from maxout.chart import chart
from maxout.gym import TetrisVector
from maxout.hands import ACTIONS, FEATURES, LARGEST, SCALE, Eyes, Hands, View, features, landed, surface
from maxout.tasks import TASKS, Task, seeds
from maxout.trained import Net as Trained
from maxout.trained import save

#: What a point is worth by the level's factor, a piece that locked, a decision, and an end that was not by time.
POINT, PIECE, DECISION, END = 1 / 100, 0.3, -0.01, -3.0
#: The potential: of a row of height, a hole, a step between neighbours, and a row that a drop would clear.
HEIGHT, HOLE, STEP, LINE = -0.05, -0.25, -0.04, 0.5
#: Seeds of the games that say which net is kept, from the middle of the seeds below those of evaluation.
CHECKED = range(2**61, 2**61 + 64)


class Net(nn.Module):
    """Logits of the actions, and what is to come."""

    def __init__(self, width: int) -> None:
        super().__init__()

        def layers(numbers: int) -> nn.Sequential:
            last = nn.Linear(width, numbers)
            nn.init.orthogonal_(last.weight, 0.01)
            nn.init.zeros_(last.bias)
            return nn.Sequential(nn.Linear(len(FEATURES), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), last)

        self.policy, self.critic = layers(len(ACTIONS)), layers(1)


def begin(policy: nn.Sequential, path: str) -> None:
    """Takes over the policy of a file of ``--out``."""
    given = Trained.load(path, LARGEST, len(ACTIONS)).layers
    for number, (layer, (weights, bias)) in enumerate(zip((part for part in policy if isinstance(part, nn.Linear)), given)):
        scale = SCALE[:, None] if number == 0 else 1.0
        layer.load_state_dict({"weight": torch.from_numpy((weights * scale).T), "bias": torch.from_numpy(bias)})


class Games:
    """Games of a task, a decision at a time."""

    def __init__(self, task: Task, count: int, seed: int | list[int], threads: int = 1, **changed) -> None:
        self.games = TetrisVector(count, autoreset_mode="SameStep", infos=("score",), threads=threads, **{**task.settings, **changed})
        self.eyes, self.hands = Eyes(count), Hands(task, count)
        observation, _ = self.games.reset(seed=seed)
        self._see(observation, np.ones(count, bool))

    def _see(self, observation, begun: np.ndarray) -> None:
        self.view = self.eyes.see(observation, begun)

    def ready(self, begun: np.ndarray) -> None:
        """Says who is free to decide, and by which numbers."""
        self.free = self.hands.free(self.view, begun)
        self.seen = features(self.view) / SCALE

    def decide(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Plays a decision in each game: points, which games ended, and which of these were lost."""
        points, ended, lost = np.zeros(len(chosen)), np.zeros(len(chosen), bool), np.zeros(len(chosen), bool)
        for actions in self.hands.press(chosen, self.free):
            observation, rewards, terminated, truncated, _ = self.games.step(actions)
            points += np.where(ended, 0, rewards)
            lost |= terminated & ~ended
            ended |= terminated | truncated
            self._see(observation, terminated | truncated)
        return points, ended, lost


def potential(view: View) -> np.ndarray:
    """How good fields are once the piece has fallen."""
    field, lines, _ = landed(view)
    heights, holes, steps = surface(field)
    return HEIGHT * heights.sum(1) + HOLE * holes.sum(1) + STEP * steps + LINE * lines


def play(policy: nn.Module, task: Task, of_seeds: list[int], threads: int) -> np.ndarray:
    """The results of games by the likeliest actions."""
    games = Games(task, len(of_seeds), of_seeds, threads)
    results, alive, ended = np.zeros(len(of_seeds)), np.ones(len(of_seeds), bool), np.zeros(len(of_seeds), bool)
    while alive.any():
        games.ready(ended)
        with torch.no_grad():
            chosen = policy(torch.from_numpy(games.seen)).argmax(-1).numpy()
        points, ended, _ = games.decide(chosen)
        results += points * alive
        alive &= ~ended
    return results


class Agent(TrainedButtons):
    """Plays a task by buttons by a net: ``ppo-buttons.json`` beside this file, or the file that ``$MAXOUT_PPO_BUTTONS`` names."""

    def __init__(self, task: Task) -> None:
        super().__init__(task, os.environ.get("MAXOUT_PPO_BUTTONS", Path(__file__).with_name("ppo-buttons.json")))


def train(arguments: argparse.Namespace) -> tuple[Net, list[float]]:
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    task, count, steps = TASKS[arguments.task], arguments.games, arguments.steps
    # The model has the same games as the cartridge, frame by frame, and is faster than its pictures.
    changed = {"machine": "model", "observation": "field"} if arguments.fields else {}
    games = Games(task, count, arguments.seed * 1_000_003, arguments.threads, **changed)
    point = POINT / (task.settings["level"] + 1)
    net = Net(arguments.width)
    if arguments.begin:
        begin(net.policy, arguments.begin)
    optimizer = torch.optim.Adam(net.parameters(), lr=arguments.rate, eps=1e-5)
    best, best_score, curve = net, -1.0, []
    begun = time.monotonic()
    games.ready(np.ones(count, bool))
    now, decisions, round_ = potential(games.view), 0, 0
    while round_ < arguments.rounds if arguments.rounds else time.monotonic() - begun < 60 * arguments.minutes:
        round_ += 1
        kept: dict[str, list] = {name: [] for name in ("seen", "free", "chosen", "logp", "value", "reward", "fades")}
        for _ in range(steps):
            seen, free = games.seen, games.free
            with torch.no_grad():
                given = torch.from_numpy(seen)
                chances = torch.distributions.Categorical(logits=net.policy(given))
                chosen, value = chances.sample(), net.critic(given).squeeze(-1)
                logp = chances.log_prob(chosen)
            pieces = games.games.statistics["pieces"]
            points, done, lost = games.decide(chosen.numpy())
            games.ready(done)
            # Time counts by pieces, so that nothing is won by waiting.
            locked = games.games.statistics["pieces"] != pieces
            fades = np.where(locked, arguments.discount, 1.0).astype(np.float32) * ~done
            # While no piece is in play the potential is that of the field as it was left.
            then = np.where(games.view.shape == 19, now, potential(games.view))
            reward = np.where(done, END * lost, DECISION * free + PIECE * locked + point * points + fades * then - now).astype(np.float32)
            now = np.where(done, potential(games.view), then)
            for name, numbers in zip(kept, (seen, free, chosen.numpy(), logp.numpy(), value.numpy(), reward, fades)):
                kept[name].append(numbers)
            decisions += int(free.sum())
        data = {name: np.stack(numbers) for name, numbers in kept.items()}
        with torch.no_grad():
            following = net.critic(torch.from_numpy(games.seen)).squeeze(-1).numpy()
        running, advantages = np.zeros(count, np.float32), np.zeros((steps, count), np.float32)
        for step in reversed(range(steps)):
            goes_on = data["fades"][step]
            target = data["reward"][step] + goes_on * following
            free = data["free"][step]
            # What is to come of a piece that drops is what comes next: the critic has not learned those states.
            following = np.where(free, data["value"][step], target)
            running = np.where(free, target - following + arguments.trace * goes_on * running, goes_on * running)
            advantages[step] = running
        index = np.flatnonzero(data["free"].reshape(-1))
        flat = {name: torch.from_numpy(data[name].reshape(steps * count, *data[name].shape[2:])) for name in ("seen", "chosen", "logp")}
        advantage, target = torch.from_numpy(advantages.reshape(-1)), torch.from_numpy((advantages + data["value"]).reshape(-1))
        for group in optimizer.param_groups:
            group["lr"] = arguments.rate * (1 - (round_ - 1) / arguments.rounds) if arguments.rounds else arguments.rate
        for _ in range(arguments.passes):
            rng.shuffle(index)
            for part in np.array_split(index, arguments.batches):
                at = torch.from_numpy(part)
                chances = torch.distributions.Categorical(logits=net.policy(flat["seen"][at]))
                ratio = (chances.log_prob(flat["chosen"][at]) - flat["logp"][at]).exp()
                scaled = (advantage[at] - advantage[at].mean()) / (advantage[at].std() + 1e-8)
                policy = torch.max(-scaled * ratio, -scaled * ratio.clamp(1 - arguments.clip, 1 + arguments.clip)).mean()
                value = (net.critic(flat["seen"][at]).squeeze(-1) - target[at]).pow(2).mean()
                # A policy that was taken over waits for a critic that knows it.
                learns = not arguments.begin or round_ > 3
                loss = learns * (policy - arguments.entropy * chances.entropy().mean()) + 0.5 * value
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()
        if round_ % arguments.check == 0:
            curve.append(float(play(net.policy, task, list(CHECKED[: arguments.checked]), arguments.threads).mean()))
            if curve[-1] > best_score:
                best, best_score = copy.deepcopy(net), curve[-1]
            told = f"{curve[-1]:,.0f} {task.score} a game, {(time.monotonic() - begun) / 60:.1f} minutes, {time.process_time() / 60:.1f} of a CPU"
            print(f"round {round_}: {decisions:,} decisions, {told}", flush=True)
    return best, curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="TetrisButtons-v1", choices=["TetrisButtons-v1", "TetrisPixels-v1"])
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--rounds", type=int, default=0, help="end after as many rounds, however long they take (0: by minutes)")
    parser.add_argument("--check", type=int, default=50, help="rounds after which the net plays for the curve")
    parser.add_argument("--checked", type=int, default=32, help="games that it plays then, 64 at most")
    parser.add_argument("--begin", help="file of --out whose policy is trained on, such as one of the other task")
    parser.add_argument("--fields", action="store_true", help="train by fields of the model, and play by the task's pictures")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--steps", type=int, default=128, help="decisions of a round")
    parser.add_argument("--width", type=int, default=64, help="numbers of a layer")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--batches", type=int, default=4)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--discount", type=float, default=0.98, help="of a piece")
    parser.add_argument("--trace", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--exam", type=int, default=20, help="games of the evaluation at the end")
    parser.add_argument("--out", default="ppo-buttons.json")
    parser.add_argument("--curve")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    net, curve = train(arguments)
    layers = [(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in net.policy if isinstance(layer, nn.Linear)]
    said = {"task": arguments.task, "command": " ".join(["ppo_buttons.py", *sys.argv[1:]])}
    save(arguments.out, layers, SCALE, features=FEATURES, most=LARGEST, outputs=len(ACTIONS), **said)
    task = TASKS[arguments.task]
    if arguments.curve:
        Path(arguments.curve).write_bytes(maxout.png(chart([curve], f"{task.score} a game, by {arguments.check} rounds")))
    results = play(net.policy, task, seeds(task, arguments.exam), arguments.threads)
    error = results.std(ddof=1) / len(results) ** 0.5
    print(f"{task.name}: {len(results)} games by the likeliest actions, mean {results.mean():,.1f} +- {error:,.1f}")


if __name__ == "__main__":
    main()
