"""A line chart without further packages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .lettering import write

#: Of the first line, the second, and so on.
COLOURS: tuple[tuple[int, int, int], ...] = ((40, 80, 220), (216, 40, 0), (0, 136, 68))


def chart(lines: Sequence[Sequence[float]], title: str, width: int = 720, height: int = 360) -> npt.NDArray[np.uint8]:
    """Draws ``lines`` over 1, 2, 3 and so on, from 0 up, as a picture ``(height, width, 3)`` uint8.

    ``title`` is written over it; letters that the chart has no shape for are blanks. The values are 0 or more.
    """
    picture = np.full((height, width, 3), 255, np.uint8)
    left, foot, top = 60, 30, 24
    across, up = width - left - 12, height - foot - top
    most = max([1.0, *(value for line in lines for value in line)]) * 1.05
    # In tenths.
    step = next(size * power for power in (10**n for n in range(10)) for size in (1, 2, 5) if 10 * most / (size * power) <= 6)
    base = height - foot
    for tenths in range(0, int(10 * most) + 1, step):
        row = base - int(up * tenths / (10 * most))
        picture[row, left:-12] = (222, 222, 222)
        write(picture, f"{tenths / 10:,}" if step % 10 else f"{tenths // 10:,}", left - 6, row - 3, right=True)
    count = max([2, *map(len, lines)])
    for number in range(5):
        column = left + across * number // 4
        picture[base : base + 4, column] = 0
        write(picture, str(1 + (count - 1) * number // 4), column + 8, base + 8, right=True)
    write(picture, title, left, 8)
    picture[base, left:-12] = 0
    picture[top : base + 1, left] = 0
    for line, colour in zip(lines, COLOURS * len(lines)):
        places = [(left + across * at // (count - 1), base - int(up * value / most)) for at, value in enumerate(line)]
        for (x0, y0), (x1, y1) in zip(places, places[1:]):
            parts = max(abs(x1 - x0), abs(y1 - y0), 1)
            for part in range(parts + 1):
                x, y = x0 + (x1 - x0) * part // parts, y0 + (y1 - y0) * part // parts
                picture[y - 1 : y + 1, x : x + 2] = colour
    return picture
