"""What happens in a game, from RAM alone (docs/events.md of the repository has every event and its fields)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import _maxout

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._maxout import Console, Game


class Events:
    """Watches RAM frame by frame."""

    def __init__(self) -> None:
        self._events = _maxout.Events()

    def observe(self, frame: int, ram: npt.NDArray[np.uint8]) -> list[dict[str, Any]]:
        """What happened in ``frame``, ``ram`` being its 2,048 bytes (uint8) at its end. The first call only looks.

        Each event is a dict with ``frame``, ``event`` and the fields of that event.
        """
        import numpy as np

        return [json.loads(line) for line in self._events.observe_json(frame, np.ascontiguousarray(ram, np.uint8))]


def events(player: Console | Game, buttons: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Plays ``buttons``, a frame each, on a ``Console`` or a ``Game``, and yields what happens."""
    watcher = Events()
    watcher.observe(0, player.ram())
    for frame, held in enumerate(buttons, 1):
        player.step(int(held))
        yield from watcher.observe(frame, player.ram())
