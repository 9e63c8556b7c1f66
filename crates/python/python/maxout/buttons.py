"""The buttons of a pad."""

from __future__ import annotations

from enum import IntFlag


class Buttons(IntFlag):
    """Buttons of a pad, as bits of a byte."""

    RIGHT = 0x01
    LEFT = 0x02
    DOWN = 0x04
    UP = 0x08
    START = 0x10
    SELECT = 0x20
    B = 0x40
    A = 0x80
