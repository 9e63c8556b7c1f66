"""Two players side by side, for PettingZoo."""

from __future__ import annotations

import copy as copying
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:

    class ParallelEnv:
        """What a game for two has of ``pettingzoo.ParallelEnv``, which has no types of its own."""

        possible_agents: list[str]
        agents: list[str]

        @property
        def num_agents(self) -> int:
            """How many play now."""
            ...

        @property
        def max_num_agents(self) -> int:
            """How many play at most."""
            ...

        @property
        def unwrapped(self) -> ParallelEnv:
            """The environment itself."""
            ...

        def close(self) -> None:
            """Releases what is held; here nothing."""

else:
    try:
        from pettingzoo import ParallelEnv
    except ImportError as _error:
        raise ImportError("a game for two needs PettingZoo: pip install 'maxout[versus]'") from _error

from gymnasium import spaces

from ._maxout import State, png
from .match import GARBAGE as GARBAGE
from .match import exchange
from .settings import VersusSettings
from .vector import TetrisVector

if TYPE_CHECKING:
    from typing_extensions import Unpack

@dataclass(frozen=True)
class VersusState:
    """A game for two at a moment."""

    games: tuple[State, State]
    agents: tuple[str, ...]
    random: dict[str, Any]


class TetrisVersus(ParallelEnv):
    """Two games with the same pieces; who tops out first has lost.

    An observation is a dict of ``field``, ``pieces`` and ``active`` as those of :class:`maxout.TetrisVector`, ``opponent``,
    the other field (20, 10), and ``action_mask``. ``reward="outcome"`` is 1 for the winner and -1 for the loser at the end,
    0 for both where both end in the same step; ``"score"`` and ``"lines"`` are the game's. With ``garbage`` a lock that
    clears two, three or four rows sends one, two or four to the other (machine ``"board"``). ``settings`` are those of
    :class:`maxout.TetrisVector`; the observation is always the field's and an action a place.
    """

    metadata: dict[str, Any] = {
        "name": "maxout_tetris_versus_v0",
        "render_modes": ["rgb_array"],
        "render_fps": 60,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        *,
        reward: Literal["outcome", "score", "lines"] = "outcome",
        garbage: bool = False,
        max_steps: int = 0,
        render_mode: Literal["rgb_array"] | None = None,
        **settings: Unpack[VersusSettings],
    ) -> None:
        self._settings: dict[str, Any] = {
            **settings,
            "reward": reward,
            "garbage": garbage,
            "max_steps": max_steps,
            "render_mode": render_mode,
        }
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode: expected rgb_array or None, found {render_mode!r}")
        if reward not in ("outcome", "score", "lines"):
            raise ValueError(f"reward: expected outcome, score or lines, found {reward!r}")
        if garbage and settings.get("machine", "board") != "board":
            raise ValueError('garbage: expected machine="board"')
        for name in ("act", "observation", "autoreset_mode", "num_envs", "copy"):
            if name in settings:
                raise ValueError(f"{name}: fixed in a versus game")
        self._games = TetrisVector(
            2,
            act="place",
            observation="field",
            reward=reward if reward != "outcome" else "score",
            max_steps=max_steps,
            autoreset_mode="Disabled",
            **settings,
        )
        self._outcome = reward == "outcome"
        self._garbage = garbage
        self._rng = np.random.default_rng()
        self.render_mode: Literal["rgb_array"] | None = render_mode
        self.possible_agents: list[str] = ["player_0", "player_1"]
        self.agents: list[str] = []
        single = self._games.single_observation_space
        assert isinstance(single, spaces.Dict)
        actions = self._games.single_action_space
        observation = spaces.Dict(
            {
                **single.spaces,
                "opponent": spaces.Box(0, 1, (20, 10), np.uint8),
                "action_mask": spaces.Box(0, 1, (int(actions.n),), np.int8),
            }
        )
        self.observation_spaces: dict[str, spaces.Space[Any]] = {agent: observation for agent in self.possible_agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {agent: spaces.Discrete(int(actions.n)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Places."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begins both games with the same pieces."""
        if options:
            # PettingZoo's own tests pass some.
            warnings.warn(f"options: expected none, found {', '.join(options)}", stacklevel=2)
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        game = int(self._rng.integers(0, 2**31)) if seed is None else seed
        observation, infos = self._games.reset(seed=[game, game])
        self.agents = list(self.possible_agents)
        return self._observations(observation), self._infos(infos)

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Does an action in each game."""
        if not self.agents:
            raise ValueError("there is no game: call reset() first")
        before = self._games.statistics["lines"]
        chosen = np.array([actions[agent] for agent in self.possible_agents])
        observation, rewards, terminated, truncated, infos = self._games.step(chosen)
        over = terminated.copy()
        if self._garbage:
            sent = exchange(self._games, self._games.statistics["lines"] - before, over, [self._rng])
            if sent is not None:
                observation, infos = self._games.observe()
                over = sent
        ends = bool(over.any())
        if self._outcome:
            rewards = np.array([float(over[1]) - float(over[0]), float(over[0]) - float(over[1])])
        agents = self.possible_agents
        answer = (
            self._observations(observation),
            {agent: float(reward) for agent, reward in zip(agents, rewards)},
            {agent: ends for agent in agents},
            {agent: bool(truncated.any()) and not ends for agent in agents},
            self._infos(infos),
        )
        if ends or truncated.any():
            self.agents = []
        return answer

    def action_masks(self) -> dict[str, npt.NDArray[np.bool_]]:
        """Which places are legal, ``(actions,)`` bool, by player."""
        return dict(zip(self.possible_agents, self._games.action_masks()))

    def expert_actions(self) -> dict[str, int]:
        """The actions of the article's search, by player (:meth:`maxout.TetrisVector.expert_action`)."""
        return dict(zip(self.possible_agents, self._games.expert_action().tolist()))

    def get_state(self) -> VersusState:
        """The state of the game: all of its future."""
        games = (self._games.get_state(0), self._games.get_state(1))
        return VersusState(games, tuple(self.agents), copying.deepcopy(dict(self._rng.bit_generator.state)))

    def set_state(self, state: VersusState) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Goes on from a state, of this game or another of the same settings."""
        for number, game in enumerate(state.games):
            self._games.set_state(game, number)
        self.agents = list(state.agents)
        self._rng.bit_generator.state = copying.deepcopy(state.random)
        observation, infos = self._games.observe()
        return self._observations(observation), self._infos(infos)

    def clone(self) -> TetrisVersus:
        """A game with the same future."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._games, twin._rng, twin.agents = self._games.clone(), copying.deepcopy(self._rng), list(self.agents)
        return twin

    def __copy__(self) -> TetrisVersus:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> TetrisVersus:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {"settings": self._settings, "state": self.get_state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        type(self).__init__(self, **state["settings"])
        self.set_state(state["state"])

    def render(self) -> npt.NDArray[np.uint8]:
        """Both pictures side by side, uint8."""
        return np.concatenate([self._games.picture(0), self._games.picture(1)], axis=1)

    def _repr_png_(self) -> bytes:
        return png(np.ascontiguousarray(self.render()))

    def _observations(self, observation: dict[str, npt.NDArray[Any]]) -> dict[str, Any]:
        mask = self._games.action_mask
        return {
            agent: {
                **{name: value[number] for name, value in observation.items()},
                "opponent": observation["field"][1 - number].copy(),
                "action_mask": mask[number].copy(),
            }
            for number, agent in enumerate(self.possible_agents)
        }

    def _infos(self, infos: dict[str, Any]) -> dict[str, dict[str, Any]]:
        return {
            agent: {
                name: int(value[number])
                for name, value in infos.items()
                if not name.startswith("_") and name != "action_mask"
            }
            for number, agent in enumerate(self.possible_agents)
        }
