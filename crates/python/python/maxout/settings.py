"""Settings of environments, and their types.

Checkers know every word: a misspelt machine, observation or reward is an error of mypy and pyright before it is one of the
environment. ``Settings`` is what :class:`maxout.Tetris` takes; :class:`maxout.TetrisVector` documents each.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, TypedDict, Union

import numpy as np
import numpy.typing as npt

Machine: TypeAlias = Literal["board", "model", "cartridge"]
Act: TypeAlias = Literal["place", "buttons"]
Observation: TypeAlias = Literal["field", "field+mask", "features", "afterstates", "ram", "picture", "gray"]
Illegal: TypeAlias = Literal["error", "next"]
Statistic: TypeAlias = Literal["score", "lines", "level", "pieces", "frames", "piece", "next", "illegal"]
RandomizerName: TypeAlias = Literal[
    "nes",
    "sega",
    "tetrio-7bag",
    "tetrio-14bag",
    "tetrio-classic",
    "tetrio-pairs",
    "tetrio-mayhem",
    "tgm1",
    "tgm2",
    "tgm3",
    "tgm-ace",
    "uniform",
    "sps",
]
#: What a function for rewards gets: an array ``(num_envs,)`` of each of ``maxout.STATISTICS``, before and after the step.
Statistics: TypeAlias = dict[str, npt.NDArray[np.int32]]
RewardName: TypeAlias = Literal["score", "lines", "survival"]
#: A function of the statistics before and after the step, which returns an array ``(num_envs,)``.
RewardFunction: TypeAlias = Callable[[Statistics, Statistics], npt.NDArray[Any]]
#: An iNES image: its bytes, or the path of its file.
Rom: TypeAlias = Union[bytes, str, "os.PathLike[str]"]


class Settings(TypedDict, total=False):
    """Settings of an environment; :class:`maxout.TetrisVector` says what each does."""

    machine: Machine
    act: Act
    reach: str
    observation: Observation
    stack: int
    reward: RewardName | RewardFunction
    level: int
    randomizer: RandomizerName | None
    position: str | None
    practice: str | None
    options: str
    buttons: Sequence[int] | Literal["byte"]
    frame_skip: int
    max_steps: int
    illegal: Illegal
    threads: int
    rom: Rom | None
    infos: Sequence[Statistic]


class VersusSettings(TypedDict, total=False):
    """Settings of a game for two; :class:`maxout.TetrisVector` says what each does."""

    machine: Machine
    reach: str
    level: int
    randomizer: RandomizerName | None
    position: str | None
    practice: str | None
    options: str
    illegal: Illegal
    threads: int
    rom: Rom | None
    infos: Sequence[Statistic]


def image(rom: Rom | None) -> bytes | None:
    """The bytes of an image; ``None`` for the built-in one."""
    if rom is None or isinstance(rom, bytes):
        return rom
    with open(rom, "rb") as file:
        return file.read()
