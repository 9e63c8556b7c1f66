"""NES Tetris for training agents: a console, the rules as a model, and environments.

``Console`` is an NES with a cartridge in it, ``Game`` the rules without the machine, ``TetrisVector`` many games for an agent
(it needs gymnasium). Pieces are letters of ``TJZOSLI``, or their numbers 0 to 6 in that order; fields are arrays ``(20, 10)``
from the top left; buttons are bits: see :class:`maxout.Buttons`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if sys.version_info < (3, 10):
    raise ImportError(
        f"maxout needs Python 3.10 or newer; this is Python {sys.version_info.major}.{sys.version_info.minor}"
    )

from ._maxout import (
    AFTERSTATE_FEATURES,
    FEATURES,
    STATISTICS,
    Actor,
    Console,
    Game,
    Learner,
    Movie,
    Player,
    Randomizer,
    Search,
    State,
    __version__,
    gif,
    png,
)
from .buttons import Buttons
from .events import Events, events
from .progress import progress

if TYPE_CHECKING:
    from .gym import Tetris, TetrisMatch, TetrisMatches, TetrisVector
    from .versus import TetrisVersus

#: Letters of the pieces in the order of their numbers.
PIECES: str = "TJZOSLI"

__all__ = [
    "AFTERSTATE_FEATURES",
    "FEATURES",
    "PIECES",
    "STATISTICS",
    "Actor",
    "Buttons",
    "Console",
    "Events",
    "Game",
    "Learner",
    "Movie",
    "Player",
    "Randomizer",
    "Search",
    "State",
    "Tetris",
    "TetrisMatch",
    "TetrisMatches",
    "TetrisVector",
    "TetrisVersus",
    "__version__",
    "events",
    "gif",
    "png",
    "progress",
]


def __getattr__(name: str) -> Any:
    # Gymnasium and PettingZoo are asked for only by those who use them.
    if name in ("Tetris", "TetrisMatch", "TetrisMatches", "TetrisVector"):
        from . import gym

        return getattr(gym, name)
    if name == "TetrisVersus":
        from .versus import TetrisVersus

        return TetrisVersus
    raise AttributeError(f"module 'maxout' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
