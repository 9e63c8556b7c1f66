"""Matches of one who learns against a player of the package, for Gymnasium."""

from __future__ import annotations

import copy as copying
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

# First: it says what to install where Gymnasium is missing.
from .vector import TetrisVector, known, seeds_of  # isort: skip

import gymnasium
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._maxout import Search, State

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .settings import VersusSettings

__all__ = ["GARBAGE", "MatchState", "TetrisMatch", "TetrisMatches", "exchange"]

#: Rows of garbage that a lock sends, by the rows that it cleared: the game's own numbers.
GARBAGE: tuple[int, ...] = (0, 0, 1, 2, 4)


def exchange(
    games: TetrisVector,
    cleared: npt.NDArray[Any],
    over: npt.NDArray[np.bool_],
    holes: Sequence[np.random.Generator],
) -> npt.NDArray[np.bool_] | None:
    """Sends garbage between games ``2 i`` and ``2 i + 1``, for the rows that the last step cleared, ``(num_envs,)``.

    Nothing is sent in a match in which a game is ``over``. ``holes`` draws the column of a hole, by match. Answers which
    games are over then, or ``None`` where nothing was sent.
    """
    sent = False
    for match, rng in enumerate(holes):
        if over[2 * match : 2 * match + 2].any():
            continue
        for number in (2 * match, 2 * match + 1):
            rows = GARBAGE[cleared[number]]
            if rows:
                games._games.lift(number ^ 1, rows, int(rng.integers(0, 10)))
                sent = True
    if not sent:
        return None
    games._games.observe(games._bytes, games._floats, games._statistics, games._mask)
    return np.array([games._games.is_over(number) for number in range(games.num_envs)])


@dataclass(frozen=True)
class MatchState:
    """A match at a moment: one's own game and the opponent's, and what draws the holes of garbage."""

    games: tuple[State, State]
    holes: dict[str, Any]


class TetrisMatches(VectorEnv[Any, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """``num_envs`` matches against a player of the package; whoever tops out first has lost. Actions are places.

    Both have the same pieces, and with ``garbage`` a lock that clears two, three or four rows sends one, two or four to the
    other. These are the matches of :class:`maxout.TetrisVersus`, whose second player is ``opponent``: the name of an
    evaluator of :class:`maxout.Search`, or a search.

    observation
        ``"field+mask"``: a dict of ``field`` (20, 10), ``pieces`` (2,), ``active`` (4,), ``opponent``, the other field
        (20, 10), uint8, and ``action_mask`` (actions,), int8. ``"afterstates"``: (actions, 8) float32, as
        :class:`TetrisVector` has them of one's own field; the other is not seen.
    reward
        ``"outcome"``: 1 for a match that was won, -1 for one that was lost, 0 where both end in the same step.
    max_steps
        Steps after which a match is truncated, a draw; 0 for never.
    autoreset_mode
        ``"SameStep"``: a match that has ended begins anew in the same step. ``"Disabled"``: it waits for ``reset`` with
        ``options["reset_mask"]``.

    Other settings are those of :class:`TetrisVector`.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 60, "autoreset_mode": AutoresetMode.SAME_STEP}
    spec: EnvSpec | None

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponent: str | Search = "el-tetris",
        observation: Literal["field+mask", "afterstates"] = "field+mask",
        reward: Literal["outcome"] = "outcome",
        garbage: bool = True,
        max_steps: int = 0,
        autoreset_mode: AutoresetMode | Literal["SameStep", "Disabled"] = AutoresetMode.SAME_STEP,
        render_mode: Literal["rgb_array"] | None = None,
        **settings: Unpack[VersusSettings],
    ) -> None:
        self._settings: dict[str, Any] = {
            "num_envs": num_envs,
            "opponent": opponent,
            "observation": observation,
            "reward": reward,
            "garbage": garbage,
            "max_steps": max_steps,
            "autoreset_mode": autoreset_mode,
            "render_mode": render_mode,
            **settings,
        }
        if observation not in ("field+mask", "afterstates"):
            raise ValueError(f"observation: expected field+mask or afterstates, found {observation!r}")
        if reward != "outcome":
            raise ValueError(f"reward: expected outcome, found {reward!r}")
        if garbage and settings.get("machine", "board") != "board":
            raise ValueError('garbage: expected machine="board"')
        if num_envs < 1:
            raise ValueError(f"num_envs: expected 1 or more, found {num_envs}")
        self.autoreset_mode: AutoresetMode = AutoresetMode(autoreset_mode)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            raise ValueError("autoreset_mode: expected SameStep or Disabled, found NextStep")
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._opponent = Search(opponent) if isinstance(opponent, str) else opponent
        self._garbage = garbage
        self._games = TetrisVector(
            2 * num_envs,
            act="place",
            observation="field" if observation == "field+mask" else observation,
            max_steps=max_steps,
            autoreset_mode=AutoresetMode.DISABLED,
            render_mode=render_mode,
            **settings,
        )
        self._holes: list[np.random.Generator] = [np.random.default_rng() for _ in range(num_envs)]
        single = self._games.single_observation_space
        actions = self._games.single_action_space
        assert isinstance(actions, spaces.Discrete)
        if isinstance(single, spaces.Dict):
            more = {"opponent": single["field"], "action_mask": spaces.Box(0, 1, (int(actions.n),), np.int8)}
            single = spaces.Dict({**single.spaces, **more})
        self.single_observation_space: spaces.Space[Any] = single
        self.single_action_space: spaces.Space[Any] = actions
        self.observation_space: spaces.Space[Any] = batch_space(single, num_envs)
        self.action_space: spaces.Space[Any] = batch_space(actions, num_envs)

    @property
    def action_mask(self) -> npt.NDArray[np.int8]:
        """Which places are legal, ``(num_envs, actions)`` int8: a view, overwritten by each step."""
        return self._games.action_mask[0::2]

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which places are legal, ``(num_envs, actions)`` bool: a copy."""
        return self.action_mask.astype(np.bool_)

    def expert_action(self, search: Search | None = None) -> npt.NDArray[np.int64]:
        """The action of ``search`` in each match, ``(num_envs,)`` int64, as of :meth:`TetrisVector.expert_action`."""
        return self._games.expert_action(search)[0::2]

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins matches anew: all, or those for which ``options["reset_mask"]`` (bool, ``(num_envs,)``) is true.

        ``seed`` seeds match ``i`` with ``seed + i``; a sequence seeds each by itself. Later matches follow from it.
        """
        mask = known(options, ("reset_mask",)).get("reset_mask")
        seeds = seeds_of(seed, self.num_envs, self._games._is_seeded)
        begun = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask)
        if begun.dtype != np.bool_ or begun.shape != (self.num_envs,) or not begun.any():
            raise ValueError(f"reset_mask: expected bool ({self.num_envs},) with one that is true at least")
        for number, value in enumerate(seeds):
            if value is not None and begun[number]:
                self._holes[number] = np.random.default_rng(value)
        self._games.reset(seed=[value for value in seeds for _ in range(2)], options={"reset_mask": begun.repeat(2)})
        return self._observation(), self._infos()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Any, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Does an action, ``(num_envs,)`` of whole numbers, in each match, and the opponents'.

        Rewards are float64, flags bool, all ``(num_envs,)``.
        """
        actions = np.asarray(actions)
        if actions.dtype.kind not in "iu":
            raise TypeError(f"actions: expected whole numbers, found {actions.dtype}")
        chosen = self._games.expert_action(self._opponent)
        chosen[0::2] = actions
        before = self._games.statistics["lines"]
        _, _, over, truncated, _ = self._games.step(chosen)
        if self._garbage:
            sent = exchange(self._games, self._games.statistics["lines"] - before, over, self._holes)
            over = over if sent is None else sent
        own, other = over[0::2], over[1::2]
        rewards = other.astype(np.float64) - own
        terminated = own | other
        truncated = truncated.reshape(-1, 2).any(1) & ~terminated
        infos = self._infos()
        ended = terminated | truncated
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            observation = self._observation()
            final_obs = np.full(self.num_envs, None, object)
            for number in np.flatnonzero(ended):
                final_obs[number] = _of_one(observation, number)
            final_info = {name: ended if name.startswith("_") else value for name, value in infos.items()}
            self._games.reset(options={"reset_mask": ended.repeat(2)})
            infos = self._infos()
            infos.update(final_obs=final_obs, _final_obs=ended, final_info=final_info, _final_info=ended)
        return self._observation(), rewards, terminated, truncated, infos

    def get_state(self, number: int = 0) -> MatchState:
        """The state of one match: all of its future."""
        games = (self._games.get_state(2 * number), self._games.get_state(2 * number + 1))
        return MatchState(games, copying.deepcopy(dict(self._holes[number].bit_generator.state)))

    def set_state(self, state: MatchState, number: int = 0) -> None:
        """Lets a match go on from a state, of these matches or others of the same settings. :meth:`observe` has what is seen."""
        for place, game in enumerate(state.games):
            self._games.set_state(game, 2 * number + place)
        self._holes[number].bit_generator.state = copying.deepcopy(state.holes)

    def observe(self) -> tuple[Any, dict[str, Any]]:
        """Observations and infos of the matches as they stand: after :meth:`set_state`."""
        return self._observation(), self._infos()

    def clone(self) -> TetrisMatches:
        """Matches with the same future."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._games, twin._holes = self._games.clone(), copying.deepcopy(self._holes)
        return twin

    def __copy__(self) -> TetrisMatches:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> TetrisMatches:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {"settings": self._settings, "games": self._games, "holes": self._holes, "spec": self.spec}

    def __setstate__(self, state: dict[str, Any]) -> None:
        type(self).__init__(self, **state["settings"])
        self._games, self._holes, self.spec = state["games"], state["holes"], state["spec"]

    def render(self) -> tuple[npt.NDArray[np.uint8], ...]:
        """Both pictures of each match side by side, uint8."""
        pictures = self._games.render()
        return tuple(np.concatenate(pair, axis=1) for pair in zip(pictures[0::2], pictures[1::2]))

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is held open."""

    def _observation(self) -> Any:
        observation, _ = self._games.observe()
        if not isinstance(observation, dict):
            return observation[0::2].copy()
        own: dict[str, npt.NDArray[Any]] = {name: value[0::2].copy() for name, value in observation.items()}
        return {**own, "opponent": observation["field"][1::2].copy(), "action_mask": self.action_mask.copy()}

    def _infos(self) -> dict[str, Any]:
        return {name: value[0::2].copy() for name, value in self._games._infos().items()}


def _of_one(batch: Any, number: int) -> Any:
    """What a batch of observations or infos has of one match; statistics as whole numbers of Python."""
    if not isinstance(batch, dict):
        return batch[number]
    one = {name: value[number] for name, value in batch.items() if not name.startswith("_")}
    return {name: int(value) if isinstance(value, np.integer) else value for name, value in one.items()}


class TetrisMatch(gymnasium.Env[Any, int]):
    """One match against a player of the package; settings, observations and rewards are those of :class:`TetrisMatches`."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 60}
    spec: EnvSpec | None

    def __init__(
        self,
        *,
        opponent: str | Search = "el-tetris",
        observation: Literal["field+mask", "afterstates"] = "field+mask",
        reward: Literal["outcome"] = "outcome",
        garbage: bool = True,
        max_steps: int = 0,
        render_mode: Literal["rgb_array"] | None = None,
        **settings: Unpack[VersusSettings],
    ) -> None:
        self._matches = TetrisMatches(
            1,
            opponent=opponent,
            observation=observation,
            reward=reward,
            garbage=garbage,
            max_steps=max_steps,
            autoreset_mode=AutoresetMode.DISABLED,
            render_mode=render_mode,
            **settings,
        )
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Any] = self._matches.single_observation_space
        self.action_space: spaces.Space[Any] = self._matches.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins a match. Without a seed it follows from the last one."""
        super().reset(seed=seed)
        known(options, ())
        observation, infos = self._matches.reset(seed=seed)
        return _of_one(observation, 0), _of_one(infos, 0)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Does an action, and the opponent's."""
        observation, rewards, terminated, truncated, infos = self._matches.step(np.array([action]))
        return _of_one(observation, 0), float(rewards[0]), bool(terminated[0]), bool(truncated[0]), _of_one(infos, 0)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which places are legal, ``(actions,)`` bool, as sb3-contrib's ``MaskablePPO`` asks for it."""
        return self._matches.action_masks()[0]

    def expert_action(self, search: Search | None = None) -> int:
        """The action of ``search`` (see :meth:`TetrisVector.expert_action`)."""
        return int(self._matches.expert_action(search)[0])

    def get_state(self) -> MatchState:
        """The state of the match: all of its future."""
        return self._matches.get_state()

    def set_state(self, state: MatchState) -> tuple[Any, dict[str, Any]]:
        """Goes on from a state, of this match or another of the same settings."""
        self._matches.set_state(state)
        observation, infos = self._matches.observe()
        return _of_one(observation, 0), _of_one(infos, 0)

    def clone(self) -> TetrisMatch:
        """A match with the same future."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._matches = self._matches.clone()
        return twin

    def __copy__(self) -> TetrisMatch:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> TetrisMatch:
        return self.clone()

    def render(self) -> npt.NDArray[np.uint8]:
        """Both pictures side by side, uint8."""
        return self._matches.render()[0]
