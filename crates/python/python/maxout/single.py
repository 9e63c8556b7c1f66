"""One game, for Gymnasium."""

from __future__ import annotations

import copy as copying
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

# First: it says what to install where Gymnasium is missing.
from .vector import TetrisVector, known  # isort: skip

import gymnasium
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AutoresetMode

from . import _maxout
from ._maxout import Search, State
from .settings import Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Tetris"]


class Tetris(gymnasium.Env[Any, int]):
    """One game of NES Tetris; the settings are those of :class:`TetrisVector`.

    It can be pickled and copied. For a search, :meth:`get_state` and :meth:`set_state` take a microsecond each.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 60}
    spec: EnvSpec | None

    def __init__(self, *, render_mode: Literal["rgb_array"] | None = None, **settings: Unpack[Settings]) -> None:
        for name in ("num_envs", "autoreset_mode", "copy"):
            if name in settings:
                raise ValueError(f"{name}: a setting of TetrisVector alone")
        self._vector = TetrisVector(1, autoreset_mode=AutoresetMode.DISABLED, render_mode=render_mode, **settings)
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Any] = self._vector.single_observation_space
        self.action_space: spaces.Space[Any] = self._vector.single_action_space
        self._is_seeded = False
        self._game = self._single()

    def _single(self) -> _maxout.Single | None:
        """The game in Rust; ``None`` where rewards are a function of arrays."""
        vector = self._vector
        if vector._reward is not None:
            return None
        told = [column for *_, column in vector._told]
        buttons = None if vector._buttons is None else vector._buttons.tolist()
        return _maxout.Single(vector._games, told, vector._settings["observation"] == "field+mask", buttons)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins a game. Without a seed it follows from the last one."""
        super().reset(seed=seed)
        known(options, ())
        if seed is None and not self._is_seeded:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        self._is_seeded = True
        if self._game is not None:
            return self._game.reset(seed)
        observation, infos = self._vector.reset(seed=seed)
        return self._first(observation), self._info(infos)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Does an action."""
        if self._game is not None:
            return self._game.step(action)
        observation, rewards, terminated, truncated, infos = self._vector.step(np.array([action]))
        return (
            self._first(observation),
            float(rewards[0]),
            bool(terminated[0]),
            bool(truncated[0]),
            self._info(infos),
        )

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, ``(actions,)`` bool, as sb3-contrib's ``MaskablePPO`` asks for it."""
        return self._vector.action_masks()[0] if self._game is None else self._game.action_masks()

    def expert_action(self, search: Search | None = None) -> int:
        """The action of ``search`` (see :meth:`TetrisVector.expert_action`): data for imitation."""
        return int(self._vector.expert_action(search)[0])

    def get_state(self) -> State:
        """The state of the game: all of its future."""
        return self._vector.get_state() if self._game is None else self._game.get_state()

    def set_state(self, state: State) -> tuple[Any, dict[str, Any]]:
        """Goes on from a state, of this environment or another of the same machine, cartridge and practice mode.

        Observation and info are those of its moment.
        """
        self._is_seeded = True
        if self._game is not None:
            return self._game.set_state(state)
        self._vector.set_state(state)
        observation, infos = self._vector.observe()
        return self._first(observation), self._info(infos)

    def clone(self) -> Tetris:
        """An environment with the same future."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._vector = self._vector.clone()
        twin._np_random = copying.deepcopy(self._np_random)
        twin._game = twin._single()
        if twin._game is not None:
            twin._game.set_state(self.get_state())
        return twin

    def __copy__(self) -> Tetris:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Tetris:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        settings = self._vector._settings
        own = {name: settings[name] for name in settings if name not in ("num_envs", "autoreset_mode", "copy")}
        return {
            "settings": own,
            "state": self.get_state(),
            "is_seeded": self._is_seeded,
            "random": (self._np_random, self._np_random_seed),
            "spec": self.spec,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        type(self).__init__(self, **state["settings"])
        self.set_state(state["state"])
        self._is_seeded = state["is_seeded"]
        self._np_random, self._np_random_seed = state["random"]
        self.spec = state["spec"]

    def render(self) -> npt.NDArray[np.uint8] | None:  # type: ignore[override]
        """The game's picture, ``(240, 256, 3)`` of a console or ``(160, 80, 3)`` of a field, uint8."""
        return self._vector.picture(0) if self.render_mode == "rgb_array" else None

    def _repr_png_(self) -> bytes:
        return self._vector._repr_png_()

    @staticmethod
    def _first(observation: Any) -> Any:
        if isinstance(observation, dict):
            return {name: value[0] for name, value in observation.items()}
        return observation[0]

    @staticmethod
    def _info(infos: dict[str, Any]) -> dict[str, Any]:
        return {
            name: value[0] if name == "action_mask" else int(value[0])
            for name, value in infos.items()
            if not name.startswith("_")
        }
