"""Training of nets for :class:`maxout.Player`: rounds of games, and a checkpoint after each.

Playing and learning are separate. :class:`Threads` plays on this machine, :class:`maxout.ray.Cluster` on many; a
training comes to the same bytes with either, and with ``maxout ai value train``.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ._maxout import Actor, Learner

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Learner", "Player", "Threads", "curve", "train", "write_whole"]

#: Is told how many games of a round have been played, and how many there are.
Told = Callable[[int, int], None]


class Player(Protocol):
    """Plays the games of a round."""

    def play(self, learner: Learner, told: Told | None = None) -> list[bytes]:
        """The games of ``learner.tasks()`` in their order, as ``learner.learn`` takes them."""


class Threads:
    """Plays on threads of this process; ``later`` are nets of later speeds, as bytes."""

    def __init__(self, threads: int | None = None, later: Sequence[bytes] = ()) -> None:
        self.threads: int = threads or os.cpu_count() or 1
        self.later: list[bytes] = list(later)

    def play(self, learner: Learner, told: Told | None = None) -> list[bytes]:
        """See :class:`Player`."""
        actor = Actor(learner.assignment(), self.later, threads=self.threads)
        tasks, games = learner.tasks(), []
        # Pieces after which an interrupt is noticed.
        size = 4 * self.threads
        for first in range(0, len(tasks), size):
            games += actor.play(tasks[first : first + size])
            if told:
                told(len(games), len(tasks))
        return games


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a file that appears under its name only when it is whole."""
    path = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # As a file that is opened anew would have it.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        try:
            os.unlink(name)
        except FileNotFoundError:
            pass
        raise


def train(
    learner: Learner,
    player: Player,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    rounds: int | None = None,
    minutes: float | None = None,
    each: Callable[[Learner], None] | None = None,
    told: Told | None = None,
) -> Learner:
    """Trains until ``rounds`` rounds are over in all, or with the round in which ``minutes`` are.

    ``checkpoint`` is written before the first round and after each; a round that is interrupted is played again from
    there and comes to the same. ``each`` is called after every round, ``told`` while games are played.
    """
    begun = time.monotonic()
    if checkpoint is not None:
        write_whole(checkpoint, learner.to_bytes())
    while (rounds is None or learner.rounds < rounds) and (
        minutes is None or time.monotonic() - begun < 60 * minutes
    ):
        before = learner.rounds
        try:
            learner.learn(player.play(learner, told))
        finally:
            # An interrupt that came while it learned is raised after that.
            if checkpoint is not None and learner.rounds > before:
                write_whole(checkpoint, learner.to_bytes())
        if each:
            each(learner)
    return learner


def curve(learner: Learner, width: int = 720, height: int = 360) -> npt.NDArray[np.uint8]:
    """Mean points of a round's games, as a picture ``(height, width, 3)``."""
    from .chart import chart

    scores = [played["score"] for played in learner.history()]
    return chart([scores], "points a game, by round", width, height)
