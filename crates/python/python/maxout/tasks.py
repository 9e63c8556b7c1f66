"""Frozen tasks of the benchmark: what is played, from which seeds, and what counts.

A task never changes. What would change a result gets a new name, with the next version. :func:`hash_of` is in every result, so
that two results of one hash compare.

Evaluation plays the seeds of :func:`seeds`: 2**62 and above. Train with seeds below. (``sps`` deals 4,194,176 different games, so
that one in 42,000 games of training deals the pieces of one in a hundred games of evaluation.)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = ["TASKS", "Task", "hash_of", "seeds"]

#: The first seed that is for evaluation.
HELD_OUT: int = 2**62


@dataclass(frozen=True)
class Task:
    """A task of the benchmark."""

    #: Its name, with its version.
    name: str
    #: What is played, in a sentence.
    summary: str
    #: What counts: a number of ``maxout.STATISTICS`` at the end of a game, or 1 for a match that is won, 0.5 for a draw.
    score: Literal["score", "lines", "wins"]
    #: Settings of :class:`maxout.Tetris`, or of :class:`maxout.TetrisVersus` where matches are won.
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    #: Games of an evaluation.
    games: int = 100


_TASKS: tuple[Task, ...] = (
    Task(
        "TetrisPlace-v1",
        "Place pieces for points from level 18 with taps at 30 Hz, double speed from level 39: at most 1,100 pieces.",
        "score",
        {
            "machine": "board",
            "act": "place",
            "reach": "bt-30hz-18f",
            "observation": "field+mask",
            "reward": "score",
            "level": 18,
            "randomizer": "sps",
            "max_steps": 1_100,
            "illegal": "error",
        },
    ),
    Task(
        "TetrisSurvive-v1",
        "Place pieces for lines from level 29 with taps at 15 Hz, where the article's player was to survive: at most 10,000 pieces.",
        "lines",
        {
            "machine": "board",
            "act": "place",
            "reach": "bt-15hz-18f",
            "observation": "field+mask",
            "reward": "lines",
            "level": 29,
            "randomizer": "sps",
            "max_steps": 10_000,
            "illegal": "error",
        },
    ),
    Task(
        "TetrisButtons-v1",
        "Hold buttons frame by frame for points from level 9, by the rules of the game: at most five minutes.",
        "score",
        {
            "machine": "model",
            "act": "buttons",
            "observation": "field",
            "reward": "score",
            "level": 9,
            "randomizer": "sps",
            "buttons": "byte",
            "frame_skip": 1,
            "max_steps": 18_030,
        },
    ),
    Task(
        "TetrisPixels-v1",
        "Hold buttons for four frames each for points from level 0, by pictures of 84 x 84: at most five minutes.",
        "score",
        {
            "machine": "cartridge",
            "act": "buttons",
            "observation": "gray",
            "stack": 4,
            "reward": "score",
            "level": 0,
            "randomizer": "sps",
            "buttons": (0, 2, 1, 4, 128, 64, 130, 66, 129, 65),
            "frame_skip": 4,
            "max_steps": 4_508,
        },
        games=20,
    ),
    Task(
        "TetrisVersus-v1",
        "Win against El-Tetris with the same pieces and garbage from level 29 with taps at 15 Hz: at most 1,000 pieces, then a draw.",
        "wins",
        {
            "machine": "board",
            "reach": "bt-15hz-18f",
            "reward": "outcome",
            "garbage": True,
            "level": 29,
            "randomizer": "sps",
            "max_steps": 1_000,
            "illegal": "error",
        },
    ),
)

#: Tasks by name.
TASKS: dict[str, Task] = {task.name: task for task in _TASKS}


def hash_of(task: Task) -> str:
    """A hash of everything that a task says."""
    text = json.dumps({**asdict(task), "settings": dict(task.settings)}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def seeds(task: Task, count: int | None = None) -> list[int]:
    """The seeds of an evaluation: 2**62 and 61 bits of SHA-256 of ``"NAME/NUMBER"``."""

    def seed(number: int) -> int:
        digest = hashlib.sha256(f"{task.name}/{number}".encode()).digest()
        return HELD_OUT + (int.from_bytes(digest[:8], "big") >> 3)

    return [seed(number) for number in range(task.games if count is None else count)]
