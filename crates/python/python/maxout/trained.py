"""Trained evaluators of places: small nets of whole numbers, which come to the same choice on any machine.

A net reads ``maxout.AFTERSTATE_FEATURES`` of the board that a place leaves, and says how good it is: layers with
``max(0, x)`` between them. Weights are multiples of powers of two (``BITS``), so that every sum is exact in double
precision, in whichever order it is taken. :func:`save` rounds the weights of a trainer to such numbers and refuses those
that are too large for it.

A file is JSON: ``task``, ``command`` (which trained it), and ``layers``, each a pair of ``weights`` and ``bias``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _maxout

__all__ = ["BITS", "Net", "save"]

#: Bits after the point of the weights of each layer.
BITS: tuple[int, ...] = (14, 10, 10)
#: No feature of a board is larger, in the order of ``maxout.AFTERSTATE_FEATURES``.
LARGEST: tuple[int, ...] = (20, 16, 220, 210, 200, 1_050, 20, 4)
#: Sums below 2 to this power are exact in double precision.
EXACT = 53

Layers = Sequence[tuple[npt.ArrayLike, npt.ArrayLike]]


class Net:
    """A net of a file."""

    def __init__(self, layers: Layers, most: Sequence[int] = LARGEST, outputs: int = 1) -> None:
        """``layers`` are pairs of whole numbers: weights ``(out, in)`` and bias ``(out,)``. ``ValueError`` says what is wrong.

        ``most`` is the largest size of each number that the net reads, ``outputs`` how many it says.
        """
        self.layers: list[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]] = []
        if not 1 <= len(layers) <= len(BITS):
            raise ValueError(f"layers: expected 1 to {len(BITS)}, found {len(layers)}")
        largest = np.array(most, np.float64)
        bits = 0
        for number, (given_weights, given_bias) in enumerate(layers):
            weights, bias = np.array(given_weights, np.float64), np.array(given_bias, np.float64)
            if bias.ndim != 1 or weights.shape != (len(bias), len(largest)):
                expected = f"expected weights (out, {len(largest)}) and bias (out,)"
                raise ValueError(f"layer {number}: {expected}, found {weights.shape} and {bias.shape}")
            if not (np.isfinite(weights).all() and (weights == np.rint(weights)).all() and (bias == np.rint(bias)).all()):
                raise ValueError(f"layer {number}: expected whole numbers")
            bits += BITS[number]
            # Sums are multiples of 2**-bits.
            largest = (np.abs(weights) @ largest) * 2.0 ** -BITS[number] + np.abs(bias) * 2.0**-bits
            if largest.max(initial=0) >= 2.0 ** (EXACT - bits):
                raise ValueError(f"layer {number}: sums can be {largest.max():.0f}, and are exact below {2 ** (EXACT - bits)}")
            self.layers.append((weights.T * 2.0 ** -BITS[number], bias * 2.0**-bits))
        if len(self.layers[-1][1]) != outputs:
            numbers = "one number" if outputs == 1 else f"{outputs} numbers"
            raise ValueError(f"layers: expected {numbers} from the last, found {len(self.layers[-1][1])}")

    @classmethod
    def load(cls, path: str | Path, most: Sequence[int] = LARGEST, outputs: int = 1) -> Net:
        """The net of a file."""
        try:
            read: dict[str, Any] = json.loads(Path(path).read_text())
            return cls([(layer["weights"], layer["bias"]) for layer in read["layers"]], most, outputs)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}: no trained net: {error}") from error

    def rate(self, boards: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        """How good boards are: ``(boards,)`` of ``(boards, 8)``."""
        return self.outputs(boards)[:, 0]

    def outputs(self, boards: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        """All that the net says, ``(boards, outputs)``."""
        values = boards.astype(np.float64)
        for number, (weights, bias) in enumerate(self.layers):
            values = values @ weights + bias
            if number + 1 < len(self.layers):
                values = np.maximum(values, 0.0)
        return values


def save(
    path: str | Path,
    layers: Layers,
    scale: npt.ArrayLike = 1.0,
    *,
    features: Sequence[str] = _maxout.AFTERSTATE_FEATURES,
    most: Sequence[int] = LARGEST,
    outputs: int = 1,
    **said: str,
) -> Net:
    """Writes a net that was trained by numbers ``features / scale``, and returns what was written.

    ``layers`` are pairs of weights ``(out, in)`` and bias ``(out,)``, as PyTorch's ``Linear`` has them; ``features`` are the names
    of what it reads, ``most`` and ``outputs`` as for :class:`Net`; ``said`` are texts for the file, such as ``task`` and ``command``. ``ValueError`` for weights that cannot be exact.
    """
    rounded: list[dict[str, Any]] = []
    bits = 0
    for number, (given_weights, given_bias) in enumerate(layers):
        bits += BITS[number]
        weights = np.array(given_weights, np.float64)
        if number == 0:
            weights /= np.asarray(scale, np.float64)
        bias = np.rint(np.array(given_bias, np.float64) * 2**BITS[0]) * 2 ** (bits - BITS[0])
        weights = np.rint(weights * 2 ** BITS[number])
        rounded.append({"weights": weights.astype(np.int64).tolist(), "bias": bias.astype(np.int64).tolist()})
    net = Net([(layer["weights"], layer["bias"]) for layer in rounded], most, outputs)
    text = json.dumps({**said, "features": list(features), "layers": rounded}, separators=(",", ":"))
    Path(path).write_text(text + "\n")
    return net
