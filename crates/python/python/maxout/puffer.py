"""Games for PufferLib 3: its ``PufferEnv`` on a :class:`maxout.TetrisVector`, without a process or an emulation layer for each game.

::

    import pufferlib.vector
    from maxout.puffer import TetrisPuffer

    games = pufferlib.vector.make(TetrisPuffer, num_envs=1, env_kwargs={"num_envs": 64, "reward": "lines"})

PufferLib's own trainer takes flat observations and knows no masks: ``field`` and ``field+mask`` come as one row of bytes for each
game, which :meth:`TetrisPuffer.parts` takes apart, and an illegal action is the next legal one unless ``illegal="error"`` is given.
Its package pins an old Gymnasium and downloads other games when it is built; docs/python.md says how it is installed without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .settings import Settings
from .vector import TetrisVector, spaces

if TYPE_CHECKING:
    from typing_extensions import Unpack

    class PufferEnv:
        """What PufferLib wants of many environments."""

        observations: npt.NDArray[Any]
        rewards: npt.NDArray[np.float32]
        terminals: npt.NDArray[np.bool_]
        truncations: npt.NDArray[np.bool_]
        masks: npt.NDArray[np.bool_]

        def __init__(self, buf: Any = None) -> None: ...

else:
    try:
        from pufferlib import PufferEnv
    except ImportError as _error:
        raise ImportError("maxout.puffer needs PufferLib 3 (docs/python.md says how it is installed)") from _error

__all__ = ["SPREAD", "TetrisPuffer"]

#: Between the seeds of two environments, which PufferLib numbers one by one: no two of them deal the same game.
SPREAD: int = 2**20


class TetrisPuffer(PufferEnv):
    """``num_envs`` games, agents by PufferLib's word; ``settings`` are those of :class:`maxout.TetrisVector`."""

    def __init__(self, num_envs: int = 64, buf: Any = None, seed: int = 0, **settings: Unpack[Settings]) -> None:
        if num_envs > SPREAD:
            raise ValueError(f"num_envs: expected {SPREAD} or fewer, found {num_envs}")
        kept: Settings = {"illegal": "next", **settings}
        self.games: TetrisVector = TetrisVector(num_envs, autoreset_mode="SameStep", copy=False, **kept)
        space = self.games.single_observation_space
        self._names: tuple[str, ...] = tuple(space.spaces) if isinstance(space, spaces.Dict) else ()
        if isinstance(space, spaces.Dict):
            self._shapes: dict[str, tuple[int, ...]] = {name: part.shape or () for name, part in space.spaces.items()}
            space = spaces.Box(0, 255, (sum(int(np.prod(shape)) for shape in self._shapes.values()),), np.uint8)
        self.single_observation_space: Any = space
        self.single_action_space: Any = self.games.single_action_space
        self.num_agents: int = num_envs
        self.render_mode: str | None = "rgb_array"
        self._seed = seed
        self._returns: npt.NDArray[np.float64] = np.zeros(num_envs)
        self._lengths: npt.NDArray[np.int64] = np.zeros(num_envs, np.int64)
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[npt.NDArray[Any], list[dict[str, Any]]]:
        """Begins all games anew, game ``i`` by ``SPREAD * seed + i``."""
        observation, _ = self.games.reset(seed=SPREAD * (self._seed if seed is None else seed))
        self._returns[:] = 0
        self._lengths[:] = 0
        self._write(observation)
        self.rewards[:] = 0
        self.terminals[:] = False
        self.truncations[:] = False
        self.masks[:] = True
        return self.observations, []

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Does an action in each game; one that ends begins anew, with its return, length and statistics among the infos."""
        observation, rewards, terminated, truncated, infos = self.games.step(np.asarray(actions, np.int64))
        self._write(observation)
        self.rewards[:] = rewards
        self.terminals[:] = terminated
        self.truncations[:] = truncated
        self._returns += rewards
        self._lengths += 1
        done = terminated | truncated
        told: list[dict[str, Any]] = []
        for number in np.flatnonzero(done):
            last = {name: int(value[number]) for name, value in infos["final_info"].items() if value.ndim == 1 and name[0] != "_"}
            told.append({**last, "episode_return": float(self._returns[number]), "episode_length": int(self._lengths[number])})
        self._returns[done] = 0
        self._lengths[done] = 0
        return self.observations, self.rewards, self.terminals, self.truncations, told

    def parts(self, observations: npt.NDArray[np.uint8]) -> dict[str, npt.NDArray[np.uint8]]:
        """The parts of flat observations ``(games, bytes)`` by name: ``field``, ``pieces``, ``active`` and ``action_mask``."""
        if not self._names:
            raise ValueError("parts: expected observations of fields, which come flat")
        parts: dict[str, npt.NDArray[np.uint8]] = {}
        at = 0
        for name in self._names:
            width = int(np.prod(self._shapes[name]))
            parts[name] = observations[:, at : at + width].reshape(len(observations), *self._shapes[name])
            at += width
        return parts

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, ``(num_envs, actions)``."""
        return self.games.action_masks()

    def render(self) -> npt.NDArray[np.uint8]:
        """A picture of the first game."""
        return self.games.picture(0)

    def close(self) -> None:
        """Nothing is held open."""

    def _write(self, observation: Any) -> None:
        if not self._names:
            self.observations[:] = observation
            return
        at = 0
        for name in self._names:
            part = observation[name].reshape(self.num_agents, -1)
            self.observations[:, at : at + part.shape[1]] = part
            at += part.shape[1]
