"""Agents that the benchmark knows: players without training, and the players that the package brings.

An agent is a class whose objects play one game after the other::

    class Agent:
        def __init__(self, task):            # a maxout.tasks.Task
            ...
        def reset(self, seed):               # before each game; the seed is for its own chances
            ...
        def act(self, observation, info):    # what Gymnasium has told; an action
            ...

``reset`` may be left out. ``env`` is set to the environment for agents that search with its states; agents that learn from
pixels have no need of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from . import _maxout
from .tasks import Task
from .trained import Net

__all__ = ["Agent", "Article", "CmaEs", "Dqn", "Drop", "ElTetris", "Nets", "Ppo", "PpoButtons", "Random", "Trained", "TrainedButtons", "Weights", "action_of"]

#: The game's number of each piece's first orientation.
_FIRST: tuple[int, ...] = (0, 4, 8, 10, 11, 13, 17)
#: Buttons that are worth pressing: none, left, right, down, A, B.
_PRESSES: tuple[int, ...] = (0, 2, 1, 4, 128, 64)


class Agent(Protocol):
    """What plays a task."""

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """An action."""
        ...


def action_of(piece: int, column: int, row: int, orientation: int) -> int:
    """The action of ``reach="free"`` or of taps for a place."""
    return 200 * (orientation - _FIRST[piece]) + 10 * row + column


class Random:
    """Any legal action, each as likely as any other; of buttons, one that is worth pressing, held for eight frames."""

    def __init__(self, task: Task) -> None:
        self.task: Task = task
        self._rng = np.random.default_rng(0)
        self._frames = 0
        self._held = 0

    def reset(self, seed: int) -> None:
        """Begins a game."""
        self._rng = np.random.default_rng(seed)
        self._frames = 0

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """An action."""
        mask = observation.get("action_mask") if isinstance(observation, dict) else None
        if mask is not None:
            return int(self._rng.choice(np.flatnonzero(mask)))
        if self._frames % (8 // self.task.settings["frame_skip"]) == 0:
            number = int(self._rng.integers(0, len(_PRESSES)))
            self._held = _PRESSES[number] if self.task.settings["buttons"] == "byte" else number
        self._frames += 1
        return self._held


class _Searcher:
    """The best legal place by an evaluator and the next piece."""

    evaluator: str

    def __init__(self, task: Task) -> None:
        self.env: Any = None
        self._search = _maxout.Search(self.evaluator)
        if task.settings.get("act", "place") != "place":
            raise ValueError(f"{task.name}: {type(self).__name__} places pieces, and this task is played by buttons")

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """An action."""
        return int(self.env.expert_action(self._search))


class Article(_Searcher):
    """The weights of the article's player."""

    evaluator: str = "article"


class ElTetris(_Searcher):
    """The weights of El-Tetris."""

    evaluator: str = "el-tetris"


class Weights:
    """The package's player by weights, for places by taps."""

    def __init__(self, task: Task) -> None:
        reach = task.settings.get("reach", "drop")
        if not reach.startswith("bt-"):
            raise ValueError(f"{task.name}: the player for points takes taps, and this task has other places")
        self._player = self._make(reach)

    def _make(self, reach: str) -> _maxout.Player:
        return _maxout.Player(reach, nets=[])

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """An action."""
        field, pieces = observation["field"], observation["pieces"]
        mask: npt.NDArray[np.int8] = observation["action_mask"]
        choice = self._player.decide(field, info["lines"], "TJZOSLI"[pieces[0]])
        if choice is not None:
            places = choice[0]
            # Where a place takes a turn of mind that taps at once do not reach, that of another next piece does.
            for column, row, orientation in (places[pieces[1]], *places):
                action = action_of(int(pieces[0]), column, row, orientation)
                if mask[action]:
                    return action
        return int(mask.argmax())


class Nets(Weights):
    """The package's player by its nets, for places by taps."""

    def _make(self, reach: str) -> _maxout.Player:
        return _maxout.Player(reach)


class Trained:
    """The best place by a trained net (:mod:`maxout.trained`), which rates the board that each legal place leaves."""

    algorithm: str = ""
    #: Tasks that are played by the net of another one, where they have none of their own.
    _SHARED: dict[str, str] = {"TetrisVersus-v1": "TetrisSurvive-v1"}

    def __init__(self, task: Task, path: str | Path | None = None) -> None:
        if task.settings.get("act", "place") != "place":
            raise ValueError(f"{task.name}: {type(self).__name__} places pieces, and this task is played by buttons")
        from .single import Tetris

        if path is None:
            nets = Path(__file__).parent / "nets"
            path = nets / f"{task.name}-{self.algorithm}.json"
            if not path.exists():
                path = nets / f"{self._SHARED.get(task.name, task.name)}-{self.algorithm}.json"
        self.env: Any = None
        self._net = Net.load(path)
        shared = ("machine", "reach", "level", "randomizer")
        self._view = Tetris(observation="afterstates", **{name: task.settings[name] for name in shared})
        self._view.reset(seed=0)

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """An action."""
        boards, told = self._view.set_state(self.env.get_state())
        actions = np.flatnonzero(told["action_mask"])
        return int(actions[self._net.rate(boards[actions]).argmax()])


class Ppo(Trained):
    """A net trained by ``examples/ppo.py``."""

    algorithm = "ppo"


class TrainedButtons:
    """The best tap or drop by a trained net, for tasks by buttons (:mod:`maxout.hands`)."""

    def __init__(self, task: Task, path: str | Path | None = None) -> None:
        from . import hands

        if task.settings.get("act", "place") != "buttons":
            raise ValueError(f"{task.name}: {type(self).__name__} presses buttons, and this task is played by places")
        if path is None:
            path = Path(__file__).parent / "nets" / f"{task.name}-ppo.json"
        self._net = Net.load(path, hands.LARGEST, len(hands.ACTIONS))
        self._task = task
        self._begun: npt.NDArray[np.bool_] = np.ones(1, np.bool_)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begins a game."""
        from . import hands

        self._eyes, self._hands = hands.Eyes(1), hands.Hands(self._task, 1)
        self._pressed: list[int] = []
        self._begun[:] = True

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """An action."""
        from . import hands

        one = {name: numbers[None] for name, numbers in observation.items()} if isinstance(observation, dict) else observation[None]
        view = self._eyes.see(one, self._begun)
        if not self._pressed:
            free = self._hands.free(view, self._begun & False)
            chosen = np.zeros(1, np.int64)
            if free[0]:
                chosen = self._net.outputs(hands.features(view)).argmax(1)
            self._pressed = [int(actions[0]) for actions in self._hands.press(chosen, free)]
        self._begun[:] = False
        return self._pressed.pop(0)


class PpoButtons(TrainedButtons):
    """A net trained by ``examples/ppo_buttons.py``."""


class Drop:
    """Holds Down, and lets go of it for a step every 32 frames: the simplest player by buttons."""

    def __init__(self, task: Task) -> None:
        named = task.settings["buttons"]
        self._down: int = 4 if named == "byte" else named.index(4)
        self._let_go: int = 8 * (4 // task.settings["frame_skip"])
        self._steps = 0

    def reset(self, seed: int) -> None:
        """Begins a game."""
        self._steps = 0

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """An action."""
        self._steps += 1
        return 0 if self._steps % self._let_go == 0 else self._down


class Dqn(Trained):
    """A net trained by ``examples/dqn.py``."""

    algorithm = "dqn"


class CmaEs(Trained):
    """Eight weights trained by ``examples/cma_es.py``."""

    algorithm = "cma-es"
