"""Two players side by side, for PettingZoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from .gym import TetrisVector

#: Rows of garbage that a lock sends, by the rows that it cleared: the game's own numbers.
GARBAGE = (0, 0, 1, 2, 4)


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
        reward: str = "outcome",
        garbage: bool = False,
        max_steps: int = 0,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
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
            reward="score" if reward == "outcome" else reward,
            max_steps=max_steps,
            autoreset_mode="Disabled",
            **settings,
        )
        self._outcome = reward == "outcome"
        self._garbage = garbage
        self._rng = np.random.default_rng()
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
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
        self.observation_spaces = {agent: observation for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(int(actions.n)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        """The same for both."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """Places."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begins both games with the same pieces."""
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
        before = self._games.statistics["lines"]
        chosen = np.array([actions[agent] for agent in self.possible_agents], np.int64)
        observation, rewards, terminated, truncated, infos = self._games.step(chosen)
        over = terminated.copy()
        if self._garbage and not over.any():
            cleared = self._games.statistics["lines"] - before
            for number, rows in enumerate(cleared):
                if GARBAGE[rows]:
                    self._games._games.lift(1 - number, GARBAGE[rows], int(self._rng.integers(0, 10)))
            if cleared.max() > 1:
                games = self._games
                games._games.observe(games._bytes, games._floats, games._statistics, games._mask)
                observation, infos = games._observation(), games._infos()
                over = np.array([games._games.is_over(number) for number in range(2)])
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

    def render(self) -> np.ndarray:
        """Both pictures side by side, uint8."""
        return np.concatenate([self._games.picture(0), self._games.picture(1)], axis=1)

    def _repr_png_(self) -> bytes:
        from . import _maxout

        return _maxout.png(np.ascontiguousarray(self.render()))

    def _observations(self, observation: dict[str, np.ndarray]) -> dict[str, Any]:
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
