"""Games for Stable-Baselines3: its ``VecEnv`` on a :class:`maxout.TetrisVector`, without a process or a copy for each game.

::

    from sb3_contrib import MaskablePPO
    from maxout.sb3 import TetrisVecEnv

    MaskablePPO("MultiInputPolicy", TetrisVecEnv(64, reward="lines")).learn(1_000_000)

``PPO`` and ``DQN`` know no masks: give them ``illegal="next"``. Episodes are in ``infos[i]["episode"]``, as ``Monitor`` writes them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .settings import Settings
from .vector import TetrisVector

if TYPE_CHECKING:
    from typing_extensions import Unpack

    class VecEnv:
        """What Stable-Baselines3 wants of many environments."""

        num_envs: int

        def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None: ...

else:
    try:
        from stable_baselines3.common.vec_env import VecEnv
    except ImportError as _error:
        raise ImportError("maxout.sb3 needs Stable-Baselines3: pip install 'maxout[sb3]'") from _error

__all__ = ["TetrisVecEnv"]


class TetrisVecEnv(VecEnv):
    """``num_envs`` games; ``settings`` are those of :class:`maxout.TetrisVector`."""

    def __init__(self, num_envs: int, **settings: Unpack[Settings]) -> None:
        self.games: TetrisVector = TetrisVector(num_envs, autoreset_mode="SameStep", **settings)
        self.render_mode: str | None = None
        self._actions: npt.NDArray[np.int64] = np.zeros(num_envs, np.int64)
        self._next_seed: int | None = None
        self._begun = time.time()
        self._returns: npt.NDArray[np.float64] = np.zeros(num_envs)
        self._lengths: npt.NDArray[np.int64] = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The next reset seeds game ``i`` with ``seed + i``."""
        self._next_seed = seed
        return [None if seed is None else seed + number for number in range(self.num_envs)]

    def reset(self) -> Any:
        """Begins all games anew."""
        observation, _ = self.games.reset(seed=self._next_seed)
        self._next_seed = None
        self._returns[:] = 0
        self._lengths[:] = 0
        return observation

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Takes the actions of :meth:`step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Does an action in each game; one that ends begins anew, with its last observation in ``infos``."""
        observation, rewards, terminated, truncated, infos = self.games.step(self._actions)
        done = terminated | truncated
        self._returns += rewards
        self._lengths += 1
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for number in np.flatnonzero(done):
            last = {name: int(value[number]) for name, value in infos["final_info"].items() if value.ndim == 1 and name[0] != "_"}
            told[number] = {
                **last,
                "terminal_observation": infos["final_obs"][number],
                "TimeLimit.truncated": bool(truncated[number]),
                "episode": {
                    "r": float(self._returns[number]),
                    "l": int(self._lengths[number]),
                    "t": round(time.time() - self._begun, 6),
                },
            }
        self._returns[done] = 0
        self._lengths[done] = 0
        return observation, rewards.astype(np.float32), done, told

    def close(self) -> None:
        """Nothing is held open."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, the same for each game."""
        return [getattr(self.games, attr_name)] * len(self._numbers(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute of all games."""
        setattr(self.games, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """What a method says of each game: ``action_masks``, ``expert_action``."""
        said = getattr(self.games, method_name)(*method_args, **method_kwargs)
        return [said[number] for number in self._numbers(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """None is wrapped."""
        return [False] * len(self._numbers(indices))

    def get_images(self) -> list[npt.NDArray[np.uint8] | None]:
        """Pictures of all games."""
        return list(self.games.render())

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, ``(num_envs, actions)``."""
        return self.games.action_masks()

    def _numbers(self, indices: Any) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)
