"""A progress bar without further packages."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")
WIDTH = 30


def progress(
    items: Iterable[T], total: int | None = None, label: str = "", file: TextIO | None = None
) -> Iterator[T]:
    """Yields ``items`` and shows on ``file`` (standard error) how many there were, at most ten times a second.

    In a notebook the line is written over as well. ``total`` is asked of ``items`` if it is not given.
    """
    out = sys.stderr if file is None else file
    if total is None:
        try:
            total = len(items)  # type: ignore[arg-type]
        except TypeError:
            pass
    begun = shown = time.monotonic()

    def show(count: int, end: str) -> None:
        rate = count / max(time.monotonic() - begun, 1e-9)
        bar = ""
        if total:
            full = min(WIDTH, WIDTH * count // total)
            bar = f"[{'#' * full}{'.' * (WIDTH - full)}] {count}/{total}"
        print(f"\r{label}{' ' if label else ''}{bar or count} {rate:,.0f}/s", end=end, file=out, flush=True)

    count = 0
    for count, item in enumerate(items, 1):
        yield item
        if time.monotonic() - shown >= 0.1:
            shown = time.monotonic()
            show(count, "")
    show(count, "\n")
