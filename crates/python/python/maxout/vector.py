"""Many games at once, for Gymnasium."""

from __future__ import annotations

import copy as copying
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

try:
    import gymnasium as _gymnasium  # noqa: F401
except ImportError as _error:
    raise ImportError("the environments need Gymnasium: pip install 'maxout[gym]'") from _error

from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import _maxout
from ._maxout import Search, State
from .buttons import Buttons
from .settings import (
    Act,
    Illegal,
    Machine,
    Observation,
    RandomizerName,
    RewardFunction,
    RewardName,
    Rom,
    Statistic,
    Statistics,
    image,
)

__all__ = ["BUTTON_SETS", "TetrisVector"]

#: What an action of ``act="buttons"`` holds where nothing else is said.
BUTTON_SETS: tuple[Buttons, ...] = (
    Buttons(0),
    Buttons.LEFT,
    Buttons.RIGHT,
    Buttons.DOWN,
    Buttons.A,
    Buttons.B,
    Buttons.LEFT | Buttons.A,
    Buttons.LEFT | Buttons.B,
    Buttons.RIGHT | Buttons.A,
    Buttons.RIGHT | Buttons.B,
)

#: Colours of a drawn field: free, taken, in play.
_COLOURS: npt.NDArray[np.uint8] = np.array([[0, 0, 0], [88, 108, 252], [252, 252, 252]], np.uint8)
_CELL = 8


def known(options: Mapping[str, Any] | None, names: tuple[str, ...]) -> Mapping[str, Any]:
    """The options of a reset. ``ValueError`` for one that is not known: it would change nothing, in silence."""
    options = options or {}
    unknown = [name for name in options if name not in names]
    if unknown:
        expected = ", ".join(names) or "none"
        raise ValueError(f"options: expected {expected}, found {', '.join(unknown)}; settings are given to the constructor")
    return options


def seeds_of(seed: int | Sequence[int | None] | None, count: int, is_seeded: bool) -> list[int | None]:
    """The seeds of ``count`` games; ``None`` for one that goes on from the seed that it has."""
    if seed is None:
        if is_seeded:
            return [None] * count
        seed = int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(seed, (int, np.integer)):
        return [int(seed) + number for number in range(count)]
    seeds = list(seed)
    if len(seeds) != count:
        raise ValueError(f"seed: expected {count} seeds, found {len(seeds)}")
    return seeds


class TetrisVector(VectorEnv[Any, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """``num_envs`` games of NES Tetris.

    machine
        ``"board"``: field, pieces, lines, level and score, no frames; ``"model"``: the rules frame by frame;
        ``"cartridge"``: a cartridge in the console (``rom``, an iNES image as bytes or the path of its file; without it the
        built-in one).
    act
        ``"place"``: an action says where the piece in play goes, ``infos["action_mask"]`` which are legal.
        ``"buttons"``: an action is a number into ``buttons`` (``BUTTON_SETS``), held for ``frame_skip`` frames;
        ``buttons="byte"`` takes the pad's byte.
    reach
        Places: ``"drop"``, 40 actions ``10 * turn + column``, straight down from the first row; ``"free"``, 800 actions
        ``200 * turn + 10 * row + column``, wherever the piece comes to rest (with frames: wherever buttons bring it
        against gravity); a format of taps such as ``"bt-30hz-18f"`` (board only), the same 800 actions.
    observation
        ``"field"``: a dict of ``field`` (20, 10), ``pieces`` (2,: piece, next; 7 for none) and ``active`` (4,: column, row,
        orientation, shift counter), uint8. ``"field+mask"``: the same with ``action_mask`` (actions,), int8.
        ``"features"``: (41,) float32, ``maxout.FEATURES`` are their names. ``"afterstates"``: (actions, 8) float32,
        ``maxout.AFTERSTATE_FEATURES`` of each legal place, zeros elsewhere. ``"ram"``: (2048,) uint8. ``"picture"``:
        (240, 256, 3) uint8. ``"gray"``: (stack, 84, 84) uint8, the oldest first.
    reward
        ``"score"`` (points), ``"lines"``, ``"survival"`` (1 for each step that does not end the game), or a function of the
        statistics before and after the step that answers an array ``(num_envs,)``.
    level, position, practice, options
        Where games begin: a level, 0 to 255; a position as one line of text (``maxout practice`` prints them); a practice
        mode (``"garbage=4"``) with options (``"level=19 pal"``), cartridge only.
    randomizer
        Who deals: a name of ``maxout.Randomizer.kinds()``. ``None`` leaves it to the game's own picker, whose register
        follows from the seed. The same seed deals the same pieces on any machine, unless it is ``None``.
    max_steps
        Steps after which an episode is truncated; 0 for never.
    illegal
        What an action that is not legal does: ``"error"`` raises ``ValueError``; ``"next"`` takes the next legal one,
        counted up and round, and counts in ``infos["illegal"]``, for trainers that know no masks.
    threads
        Threads that step the games, in Rust, with the interpreter's lock released. A process that was forked has its own.
    copy
        Whether observations are copies. ``False`` hands out the same arrays at each step, which is faster and breaks
        whoever keeps them.
    infos
        Which of ``maxout.STATISTICS`` each step tells.

    Masks have at least one action: at the end of a game the first, which is ignored there. Environments can be pickled and
    copied, and single games saved and put back: :meth:`get_state`, :meth:`set_state`, :meth:`clone`.

    ``ValueError`` names the setting that is wrong. Not for several threads of Python at once: a second call while one is
    under way raises ``RuntimeError``.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["rgb_array"],
        "render_fps": 60,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }
    spec: EnvSpec | None

    def __init__(
        self,
        num_envs: int = 1,
        *,
        machine: Machine = "board",
        act: Act = "place",
        reach: str = "drop",
        observation: Observation = "field",
        stack: int = 4,
        reward: RewardName | RewardFunction = "score",
        level: int = 18,
        randomizer: RandomizerName | None = "sps",
        position: str | None = None,
        practice: str | None = None,
        options: str = "",
        buttons: Sequence[int] | Literal["byte"] = BUTTON_SETS,
        frame_skip: int = 1,
        max_steps: int = 0,
        illegal: Illegal = "error",
        threads: int = 1,
        rom: Rom | None = None,
        autoreset_mode: AutoresetMode | Literal["NextStep", "SameStep", "Disabled"] = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        infos: Sequence[Statistic] = ("score", "lines", "level", "pieces", "frames", "illegal"),
        render_mode: Literal["rgb_array"] | None = None,
    ) -> None:
        rom = image(rom)
        self._settings: dict[str, Any] = {
            name: value for name, value in locals().items() if name not in ("self", "__class__")
        }
        if illegal not in ("next", "error"):
            raise ValueError(f"illegal: expected next or error, found {illegal!r}")
        if num_envs < 1:
            raise ValueError(f"num_envs: expected 1 or more, found {num_envs}")
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode: expected rgb_array or None, found {render_mode!r}")
        unknown = [name for name in infos if name not in _maxout.STATISTICS]
        if unknown:
            raise ValueError(f"infos: expected names of {_maxout.STATISTICS}, found {unknown}")
        if observation == "field+mask" and act != "place":
            raise ValueError('observation: masks are of places: act by "place"')
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.autoreset_mode: AutoresetMode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self._reward = reward if callable(reward) else None
        self._games = _maxout.Vector(
            num_envs,
            machine=machine,
            act=act,
            reach=reach,
            observation="field" if observation == "field+mask" else observation,
            stack=stack,
            reward="score" if callable(reward) else reward,
            level=level,
            randomizer=randomizer,
            position=position,
            practice=practice,
            options=options,
            frame_skip=frame_skip,
            max_steps=max_steps,
            strict=illegal == "error",
            threads=threads,
            rom=rom,
        )
        bytes_, floats, actions, statistics = self._games.widths()
        self._copy = copy
        self._machine = machine
        self._bytes: npt.NDArray[np.uint8] | None = np.zeros((num_envs, bytes_), np.uint8) if bytes_ else None
        self._floats: npt.NDArray[np.float32] | None = np.zeros((num_envs, floats), np.float32) if floats else None
        self._statistics: npt.NDArray[np.int32] = np.zeros((num_envs, statistics), np.int32)
        self._mask: npt.NDArray[np.int8] | None = np.zeros((num_envs, actions), np.int8) if act == "place" else None
        self._rewards: npt.NDArray[np.float64] = np.zeros(num_envs, np.float64)
        self._terminated: npt.NDArray[np.bool_] = np.zeros(num_envs, np.bool_)
        self._truncated: npt.NDArray[np.bool_] = np.zeros(num_envs, np.bool_)
        self._ended: npt.NDArray[np.bool_] = np.ones(num_envs, np.bool_)
        self._all: npt.NDArray[np.bool_] = np.ones(num_envs, np.bool_)
        self._all.flags.writeable = False
        self._told = [(name, f"_{name}", _maxout.STATISTICS.index(name)) for name in infos]
        self._is_seeded = False

        self._buttons: npt.NDArray[np.int64] | None = None
        if act == "buttons":
            held = range(256) if isinstance(buttons, str) and buttons == "byte" else buttons
            if isinstance(held, str):
                raise ValueError(f"buttons: expected byte or a sequence of bytes, found {buttons!r}")
            self._buttons = np.array([int(button) for button in held], np.int64)
            if self._buttons.size == 0 or self._buttons.min() < 0 or self._buttons.max() > 255:
                raise ValueError("buttons: expected bytes, 0 to 255, at least one")
            actions = self._buttons.size
        self.single_observation_space: spaces.Space[Any] = self._space(observation, actions, stack)
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(actions)
        self.observation_space: spaces.Space[Any] = batch_space(self.single_observation_space, num_envs)
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, num_envs)
        self._views = self._make_views()

    def _space(self, observation: Observation, actions: int, stack: int) -> spaces.Space[Any]:
        if observation in ("field", "field+mask"):
            parts: dict[str, spaces.Space[Any]] = {
                "field": spaces.Box(0, 1, (20, 10), np.uint8),
                "pieces": spaces.Box(0, 7, (2,), np.uint8),
                "active": spaces.Box(0, 255, (4,), np.uint8),
            }
            if observation == "field+mask":
                parts["action_mask"] = spaces.Box(0, 1, (actions,), np.int8)
            return spaces.Dict(parts)
        if self._bytes is not None:
            shape = {"ram": (2048,), "picture": (240, 256, 3), "gray": (stack, 84, 84)}[observation]
            return spaces.Box(0, 255, shape, np.uint8)
        shape = (actions, len(_maxout.AFTERSTATE_FEATURES)) if observation == "afterstates" else (len(_maxout.FEATURES),)
        return spaces.Box(0.0, np.inf, shape, np.float32)

    def _make_views(self) -> Any:
        """The observations of all games as views of the buffers."""
        space = self.single_observation_space
        if isinstance(space, spaces.Dict):
            assert self._bytes is not None
            views: dict[str, npt.NDArray[Any]] = {
                "field": self._bytes[:, :200].reshape(self.num_envs, 20, 10),
                "pieces": self._bytes[:, 200:202],
                "active": self._bytes[:, 202:206],
            }
            if "action_mask" in space.spaces:
                assert self._mask is not None
                views["action_mask"] = self._mask
            return views
        assert space.shape is not None
        buffer = self._floats if self._bytes is None else self._bytes
        assert buffer is not None
        return buffer.reshape(self.num_envs, *space.shape)

    @property
    def action_mask(self) -> npt.NDArray[np.int8]:
        """Which places are legal, ``(num_envs, actions)`` int8: a view, overwritten by each step."""
        if self._mask is None:
            raise ValueError('action_mask: expected act="place", found act="buttons"')
        return self._mask

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, ``(num_envs, actions)`` bool: a copy, as sb3-contrib's ``MaskablePPO`` asks for it."""
        if self._mask is None:
            assert isinstance(self.single_action_space, spaces.Discrete)
            return np.ones((self.num_envs, int(self.single_action_space.n)), np.bool_)
        return self._mask.astype(np.bool_)

    @property
    def statistics(self) -> Statistics:
        """A copy of all numbers of ``maxout.STATISTICS``, each ``(num_envs,)`` int32."""
        copied = self._statistics.T.copy()
        return dict(zip(_maxout.STATISTICS, copied))

    def sample(self, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """A legal action for each game, any as likely as any other: ``(num_envs,)`` int64."""
        if self._mask is None:
            assert isinstance(self.single_action_space, spaces.Discrete)
            return rng.integers(0, int(self.single_action_space.n), self.num_envs)
        return (rng.random(self._mask.shape, np.float32) * self._mask).argmax(1)

    def expert_action(self, search: Search | None = None) -> npt.NDArray[np.int64]:
        """The action of ``search`` in each game, ``(num_envs,)`` int64, by the piece and the next; 0 for games that have ended.

        Among legal places the one is chosen whose best answer to the next piece rates least; on a board with
        ``reach="free"`` it is the article's search (:meth:`maxout.Search.decide`).
        """
        if self._mask is None:
            raise ValueError('expert_action: expected act="place", found act="buttons"')
        chosen = self._games.expert(search if search is not None else _article())
        return np.maximum(np.array(chosen, np.int64), 0)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins games anew: all, or those for which ``options["reset_mask"]`` (bool, ``(num_envs,)``) is true.

        ``seed`` seeds game ``i`` with ``seed + i``; a sequence seeds each by itself. Later games of the same environment
        follow from its seed.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        mask = known(options, ("reset_mask",)).get("reset_mask")
        if mask is not None:
            mask = np.ascontiguousarray(mask)
            if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError(f"reset_mask: expected bool ({self.num_envs},) with one that is true at least")
        seeds = seeds_of(seed, self.num_envs, self._is_seeded)
        for number, value in enumerate(seeds):
            if value is not None and (mask is None or mask[number]):
                if value < 0:
                    raise ValueError(f"seed: expected 0 or more, found {value}")
                self._games.seed(number, value)
        self._is_seeded = True
        self._games.reset(mask, self._bytes, self._floats, self._statistics, self._mask)
        self._ended[...] = False if mask is None else self._ended & ~mask
        return self._observation(), self._infos()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Any, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Does an action, ``(num_envs,)`` of whole numbers, in each game.

        Rewards are float64, flags bool, all ``(num_envs,)``. A game that has ended goes on as ``autoreset_mode`` says.
        """
        actions = np.asarray(actions)
        if actions.dtype.kind not in "iu":
            raise TypeError(f"actions: expected whole numbers, found {actions.dtype}")
        actions = np.ascontiguousarray(actions, np.int64)
        if self._buttons is not None:
            if actions.size and (actions.min() < 0 or actions.max() >= self._buttons.size):
                raise ValueError(f"actions: expected 0 to {self._buttons.size - 1}")
            actions = self._buttons[actions]
        next_step = self.autoreset_mode == AutoresetMode.NEXT_STEP
        before = self.statistics if self._reward else None
        begun = self._ended.copy() if self._reward and next_step else None
        self._games.step(
            actions,
            next_step,
            self._bytes,
            self._floats,
            self._statistics,
            self._mask,
            self._rewards,
            self._terminated,
            self._truncated,
        )
        rewards = self._rewards.copy()
        if self._reward is not None:
            assert before is not None
            rewards = np.array(self._reward(before, self.statistics), np.float64)
            if rewards.shape != (self.num_envs,):
                raise ValueError(f"reward: expected an array ({self.num_envs},), found {rewards.shape}")
            if begun is not None:
                rewards[begun] = 0.0
        np.logical_or(self._terminated, self._truncated, out=self._ended)
        final: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._ended.any():
            ended = self._ended.copy()
            final_obs = np.full(self.num_envs, None, object)
            for number in np.flatnonzero(ended):
                final_obs[number] = self._one(number)
            final_info = self._infos()
            for name in final_info:
                if name.startswith("_"):
                    final_info[name] = ended
            final = {"final_obs": final_obs, "_final_obs": ended, "final_info": final_info, "_final_info": ended}
            self._games.reset(ended, self._bytes, self._floats, self._statistics, self._mask)
            self._ended[...] = False
        infos = self._infos()
        infos.update(final)
        return self._observation(), rewards, self._terminated.copy(), self._truncated.copy(), infos

    def observe(self) -> tuple[Any, dict[str, Any]]:
        """Observations and infos of the games as they stand: after :meth:`set_state`."""
        return self._observation(), self._infos()

    def get_state(self, number: int = 0) -> State:
        """The state of one game: all of its future."""
        return self._games.get_state(number, None if self._bytes is None else self._bytes[number])

    def set_state(self, state: State, number: int = 0) -> None:
        """Lets a game go on from a state, of this vector or another of the same machine, cartridge and practice mode.

        ``games.set_state(games.get_state(3), 5)`` copies game 3 to game 5. :meth:`observe` has the observations.
        """
        self._games.set_state(number, state, None if self._bytes is None else self._bytes[number])
        self._games.observe_one(number, self._bytes, self._floats, self._statistics, self._mask)
        self._ended[number] = self._games.ended()[number]
        self._is_seeded = True

    def clone(self) -> TetrisVector:
        """A vector whose games have the same future."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._games = self._games.clone()
        for name in ("_bytes", "_floats", "_statistics", "_mask", "_rewards", "_terminated", "_truncated", "_ended"):
            value = getattr(self, name)
            setattr(twin, name, None if value is None else value.copy())
        twin._np_random = copying.deepcopy(self._np_random)
        twin._views = twin._make_views()
        return twin

    def __copy__(self) -> TetrisVector:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> TetrisVector:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {
            "settings": self._settings,
            "games": [self.get_state(number) for number in range(self.num_envs)],
            "flags": (self._rewards, self._terminated, self._truncated, self._ended, self._is_seeded),
            "random": (self._np_random, self._np_random_seed),
            "spec": self.spec,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        type(self).__init__(self, **state["settings"])
        for number, game in enumerate(state["games"]):
            self.set_state(game, number)
        self._rewards, self._terminated, self._truncated, self._ended, self._is_seeded = state["flags"]
        self._np_random, self._np_random_seed = state["random"]
        self.spec = state["spec"]

    def render(self) -> tuple[npt.NDArray[np.uint8], ...]:
        """A picture of each game: of the console ``(240, 256, 3)``, else of its field ``(160, 80, 3)``, uint8."""
        return tuple(self.picture(number) for number in range(self.num_envs))

    def picture(self, number: int = 0) -> npt.NDArray[np.uint8]:
        """A picture of one game, as :meth:`render` has them."""
        if not 0 <= number < self.num_envs:
            raise IndexError(f"game: expected 0 to {self.num_envs - 1}, found {number}")
        if self._machine == "cartridge":
            out = np.zeros((240, 256, 3), np.uint8)
            self._games.picture(number, out)
            return out
        cells = np.zeros((20, 10), np.uint8)
        self._games.cells(number, cells)
        return _COLOURS[cells.repeat(_CELL, 0).repeat(_CELL, 1)]

    def _repr_png_(self) -> bytes:
        return _maxout.png(np.ascontiguousarray(self.picture(0)))

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is held open."""

    def _one(self, number: int) -> Any:
        if isinstance(self._views, dict):
            return {name: view[number].copy() for name, view in self._views.items()}
        return self._views[number].copy()

    def _observation(self) -> Any:
        if not self._copy:
            return self._views
        if isinstance(self._views, dict):
            return {name: view.copy() for name, view in self._views.items()}
        return self._views.copy()

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        if self._mask is not None:
            infos["action_mask"] = self._mask.copy() if self._copy else self._mask
            infos["_action_mask"] = self._all
        for name, told, column in self._told:
            infos[name] = self._statistics[:, column].copy()
            infos[told] = self._all
        return infos


_ARTICLE: list[Search] = []


def _article() -> Search:
    """The article's search, made once."""
    if not _ARTICLE:
        _ARTICLE.append(Search())
    return _ARTICLE[0]
