"""Maxout-Bench: agents on frozen tasks.

::

    python -m maxout.bench --list
    python -m maxout.bench TetrisPlace-v1 --agent maxout.agents:ElTetris --json result.json
    python -m maxout.bench TetrisPlace-v1 --agent my_agent.py:Agent --games 10
    python -m maxout.bench --baselines

``maxout.agents`` says what an agent is, ``maxout.tasks`` what is played. A result is the same on any machine, to the digit.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import inspect
import json
import math
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from . import _maxout
from .agents import Article, CmaEs, Dqn, Drop, ElTetris, Nets, Ppo, PpoButtons, Random, Weights
from .match import TetrisMatch
from .progress import progress
from .single import Tetris
from .tasks import TASKS, Task, hash_of, seeds

__all__ = ["BASELINES", "evaluate", "load", "play"]

#: Baselines of the table, by task.
BASELINES: dict[str, tuple[type[Any], ...]] = {
    "TetrisPlace-v1": (Random, Article, ElTetris, CmaEs, Dqn, Ppo, Weights, Nets),
    "TetrisSurvive-v1": (Random, Article, ElTetris, CmaEs, Dqn, Ppo, Nets),
    "TetrisButtons-v1": (Random, Drop, PpoButtons),
    "TetrisPixels-v1": (Random, Drop, PpoButtons),
    "TetrisVersus-v1": (Random, Article, ElTetris, CmaEs, Dqn, Ppo, Nets),
}
#: Times the standard error, for an interval in which the mean lies with 95 %.
_INTERVAL: float = 1.96


def load(name: str) -> Callable[[Task], Any]:
    """The class of ``module:Class`` or ``file.py:Class``."""
    module, separator, attribute = name.rpartition(":")
    if not separator:
        raise ValueError(f"agent: expected module:Class or file.py:Class, found {name!r}")
    if module.endswith(".py"):
        spec = importlib.util.spec_from_file_location(Path(module).stem, module)
        if spec is None or spec.loader is None:
            raise ValueError(f"agent: {module} is no module")
        loaded = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = loaded
        spec.loader.exec_module(loaded)
    else:
        sys.path.insert(0, "")
        loaded = importlib.import_module(module)
    found = getattr(loaded, attribute, None)
    if not callable(found):
        raise ValueError(f"agent: {module} has no class {attribute!r}")
    return found


def play(task: Task, agent: Any, seed: int) -> dict[str, float]:
    """Plays a game, and says what came of it: ``seed``, ``result`` and statistics."""
    if hasattr(agent, "reset"):
        agent.reset(seed)
    if task.score == "wins":
        return _match(task, agent, seed)
    env = Tetris(**task.settings)
    agent.env = env
    observation, info = env.reset(seed=seed)
    steps, over = 0, False
    while not over:
        observation, _, terminated, truncated, info = env.step(agent.act(observation, info))
        steps, over = steps + 1, terminated or truncated
    told = {name: info[name] for name in ("score", "lines", "level", "pieces", "frames")}
    return {"seed": seed, "result": told[task.score], "steps": steps, **told}


class _Seat:
    """One's own side of a match, for agents that ask the environment for an expert or a state."""

    def __init__(self, match: TetrisMatch) -> None:
        self._match = match

    def get_state(self) -> _maxout.State:
        """The state of one's own board."""
        return self._match.get_state().games[0]

    def expert_action(self, search: _maxout.Search) -> int:
        """The action of a search."""
        return self._match.expert_action(search)


def _match(task: Task, agent: Any, seed: int) -> dict[str, float]:
    match = TetrisMatch(**task.settings)
    agent.env = _Seat(match)
    observation, info = match.reset(seed=seed)
    steps, over, reward = 0, False, 0.0
    while not over:
        observation, reward, terminated, truncated, info = match.step(agent.act(observation, info))
        steps, over = steps + 1, terminated or truncated
    return {"seed": seed, "result": (reward + 1) / 2, "steps": steps, "lines": info["lines"]}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def evaluate(task: Task, make: Callable[[Task], Any], games: int | None = None, *, shown: bool = False) -> dict[str, Any]:
    """Plays the games of an evaluation. The result, as it is written: numbers of each game, mean, spread, hashes."""
    agent = make(task)
    of_games: Iterable[int] = seeds(task, games)
    if shown:
        of_games = progress(list(of_games), label=task.name)
    played = [play(task, agent, seed) for seed in of_games]
    results = np.array([game["result"] for game in played], np.float64)
    count = len(results)
    mean, spread = float(results.mean()), float(results.std(ddof=1)) if count > 1 else 0.0
    error = spread / math.sqrt(count)
    source = inspect.getsourcefile(make) if inspect.isclass(make) or inspect.isfunction(make) else None
    return {
        "task": task.name,
        "score": task.score,
        "agent": f"{make.__module__}:{getattr(make, '__qualname__', make)}",
        "games": count,
        "mean": mean,
        "sd": spread,
        "se": error,
        "interval": [mean - _INTERVAL * error, mean + _INTERVAL * error],
        "median": float(np.median(results)),
        "min": float(results.min()),
        "max": float(results.max()),
        "version": _maxout.__version__,
        "hashes": {
            "task": hash_of(task),
            "agent": _hash(Path(source).read_bytes()) if source else None,
            "cartridge": _hash(_image()),
            "played": _hash(json.dumps(played, sort_keys=True).encode()),
        },
        "settings": dict(task.settings),
        "played": played,
    }


def _image() -> bytes:
    """What stands for the built-in cartridge: the state of a console that was just switched on."""
    return _maxout.Console(video=False).save()


def _row(result: dict[str, Any]) -> str:
    low, high = result["interval"]
    agent = result["agent"].rpartition(":")[2]
    return (
        f"| {result['task']} | {agent} | {result['mean']:,.2f} | {result['sd']:,.2f} | {result['se']:,.2f} "
        f"| {low:,.2f} to {high:,.2f} | {result['median']:,.1f} | `{result['hashes']['played'][:12]}` |"
    )


def main(words: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m maxout.bench", description="Plays an agent on a frozen task.")
    parser.add_argument("task", nargs="?", help=f"one of {', '.join(TASKS)}")
    parser.add_argument("--agent", help="module:Class or file.py:Class; maxout.agents has baselines")
    parser.add_argument("--games", type=int, help="games, fewer than a result has (100, of pixels 20)")
    parser.add_argument("--json", help="file for the result")
    parser.add_argument("--list", action="store_true", help="list the tasks with their hashes")
    parser.add_argument("--baselines", action="store_true", help="play all baselines and print their table")
    arguments = parser.parse_args(words)
    if arguments.list:
        for task in TASKS.values():
            print(f"{task.name}  {hash_of(task)[:12]}  {task.summary}")
        return 0
    if arguments.games is not None and arguments.games < 1:
        parser.error(f"--games: expected 1 or more, found {arguments.games}")
    if arguments.task is not None and arguments.task not in TASKS:
        parser.error(f"expected a task of {', '.join(TASKS)}, found {arguments.task!r}")
    shown = sys.stderr.isatty()
    if arguments.baselines:
        print("| task | agent | mean | sd | se | 95 % | median | played |\n|---|---|---|---|---|---|---|---|")
        for name, agents in BASELINES.items():
            for agent in agents if arguments.task in (None, name) else ():
                print(_row(evaluate(TASKS[name], agent, arguments.games, shown=shown)), flush=True)
        return 0
    if arguments.task is None or arguments.agent is None:
        parser.error("expected a task and --agent, --baselines or --list")
    try:
        make = load(arguments.agent)
    except (ImportError, OSError, ValueError) as error:
        parser.error(str(error))
    result = evaluate(TASKS[arguments.task], make, arguments.games, shown=shown)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(result, indent=1) + "\n")
    low, high = result["interval"]
    print(
        f"{result['task']}, {result['agent']}: {result['games']} games, mean {result['mean']:,.2f}, sd {result['sd']:,.2f}, "
        f"se {result['se']:,.2f}, 95 % {low:,.2f} to {high:,.2f}, played {result['hashes']['played'][:12]}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
