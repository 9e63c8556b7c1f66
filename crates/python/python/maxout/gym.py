"""Gymnasium environments: many games or matches at once, or one."""

from __future__ import annotations

from .match import TetrisMatch, TetrisMatches
from .registration import ID, register
from .single import Tetris
from .vector import BUTTON_SETS, TetrisVector

register()

__all__ = ["ID", "BUTTON_SETS", "Tetris", "TetrisMatch", "TetrisMatches", "TetrisVector", "register"]
