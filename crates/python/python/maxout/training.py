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
from typing import Protocol

from ._maxout import Actor, Learner

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
        self.threads = threads or os.cpu_count() or 1
        self.later = list(later)

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


def curve(learner: Learner, width: int = 720, height: int = 360):
    """Mean points of a round's games, as a picture ``(height, width, 3)``: a line a 100,000 points, and the rounds at the foot."""
    import numpy as np

    from .lettering import write

    scores = [played["score"] for played in learner.history()]
    picture = np.full((height, width, 3), 255, np.uint8)
    left, foot, top = 60, 30, 24
    across, up = width - left - 12, height - foot - top
    most = max([*scores, 1.0]) * 1.05
    step = next(
        size * power for power in (10**n for n in range(9)) for size in (1, 2, 5) if most / (size * power) <= 6
    )
    base = height - foot
    for number in range(int(most // step) + 1):
        row = base - int(up * number * step / most)
        picture[row, left:-12] = (222, 222, 222)
        write(picture, f"{number * step:,}", left - 6, row - 3, right=True)
    rounds = len(scores)
    for number in range(5):
        at = 1 + (max(rounds, 2) - 1) * number // 4
        column = left + across * number // 4
        picture[base : base + 4, column] = 0
        write(picture, str(at), column + 8, base + 8, right=True)
    write(picture, "points a game, by round", left, 8)
    picture[base, left:-12] = 0
    picture[top : base + 1, left] = 0
    rows = [base - int(up * score / most) for score in scores]
    columns = [left + across * number // max(rounds - 1, 1) for number in range(rounds)]
    for (x0, y0), (x1, y1) in zip(zip(columns, rows), zip(columns[1:], rows[1:])):
        count = max(abs(x1 - x0), abs(y1 - y0), 1)
        for part in range(count + 1):
            x, y = x0 + (x1 - x0) * part // count, y0 + (y1 - y0) * part // count
            picture[y - 1 : y + 1, x : x + 2] = (40, 80, 220)
    return picture
