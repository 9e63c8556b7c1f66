"""Decisions of the player for points, as data for learning without games: Parquet files, and Minari data sets.

::

    python -m maxout.datasets --decisions 1000000 --out decisions.parquet
    python -m maxout.datasets --decisions 10000 --minari maxout/place-nets-v0

Each row is a decision of the nets in ``TetrisPlace-v1``: the board as 200 bits, the pieces, what was chosen and what it brought. ``value`` is what the
decision was made by: points to come, with a stake in survival. ``points`` are the mean points that the nets expect from there on, and
``odds_19``, ``odds_29`` and ``odds_39`` the odds of reaching those levels; 1 for levels that are reached. Games are seeded from ``--seed`` on, below the seeds of evaluation.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _maxout
from .agents import action_of
from .progress import progress
from .single import Tetris
from .tasks import HELD_OUT, TASKS

__all__ = ["COLUMNS", "decisions", "unpack", "write_minari", "write_parquet"]

#: Columns of a data set, and their types.
COLUMNS: dict[str, str] = {
    "game": "int64",
    "step": "int32",
    "field": "binary[25]",
    "piece": "int8",
    "next": "int8",
    "level": "int16",
    "lines": "int32",
    "action": "int16",
    "reward": "float32",
    "value": "float32",
    "points": "float32",
    "odds_19": "float32",
    "odds_29": "float32",
    "odds_39": "float32",
    "terminated": "bool",
}
#: Columns of what the nets expect.
EXPECTED: tuple[str, ...] = ("value", "points", "odds_19", "odds_29", "odds_39")
#: Rows that are written at once.
_GROUP: int = 65_536


def unpack(field: bytes) -> npt.NDArray[np.uint8]:
    """The field of a row, (20, 10) uint8: 0 free, 1 taken."""
    return np.unpackbits(np.frombuffer(field, np.uint8)).reshape(20, 10)


def decisions(seed: int, player: _maxout.Player | None = None, task: str = "TetrisPlace-v1") -> Iterator[dict[str, Any]]:
    """The decisions of a game, one after the other, as rows of ``COLUMNS``."""
    if not 0 <= seed < HELD_OUT:
        raise ValueError(f"seed: expected 0 to 2**62 - 1, found {seed}: seeds above are for evaluation")
    settings = TASKS[task].settings
    if player is None:
        player = _maxout.Player(settings["reach"])
    env = Tetris(**settings)
    observation, info = env.reset(seed=seed)
    step, terminated, truncated = 0, False, False
    while not (terminated or truncated):
        field, (piece, following) = observation["field"], observation["pieces"].tolist()
        mask = observation["action_mask"]
        choice = player.decide(field, info["lines"], "TJZOSLI"[piece])
        action, value = int(mask.argmax()), math.nan
        # A piece without a place ends the game.
        points, odds = (0.0, None) if choice is None else player.outlook() or (math.nan, None)
        if choice is not None:
            places, value = choice
            chosen = (action_of(piece, *place) for place in (places[following], *places))
            action = next((action for action in chosen if mask[action]), action)
        row = {
            "game": seed,
            "step": step,
            "field": np.packbits(field).tobytes(),
            "piece": piece,
            "next": following,
            "level": info["level"],
            "lines": info["lines"],
            "action": action,
        }
        odds_19, odds_29, odds_39 = odds or (math.nan,) * 3
        expected = dict(zip(EXPECTED, (value, points, odds_19, odds_29, odds_39)))
        observation, reward, terminated, truncated, info = env.step(action)
        yield {**row, "reward": reward, **expected, "terminated": terminated}
        step += 1


def _rows(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """So many rows: of whole games, the last one cut off."""
    player = _maxout.Player(TASKS["TetrisPlace-v1"].settings["reach"])
    game = seed
    while count > 0:
        for row in decisions(game, player):
            yield row
            count -= 1
            if count == 0:
                return
        game += 1


def write_parquet(path: str, count: int, seed: int = 0, *, shown: bool = False) -> None:
    """Writes so many decisions as a Parquet file. The same bytes for the same numbers and version of pyarrow."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError("Parquet needs pyarrow: pip install 'maxout[datasets]'") from error
    kinds = {"binary[25]": arrow.binary(25), "bool": arrow.bool_()}
    schema: Any = arrow.schema(
        [(name, kinds.get(kind) or getattr(arrow, kind)()) for name, kind in COLUMNS.items()],
        metadata={"maxout": _maxout.__version__, "task": "TetrisPlace-v1", "seed": str(seed)},
    )
    whole = Path(path)
    draft = whole.with_name(f".{whole.name}.part")
    kept: list[dict[str, Any]] = []
    rows = progress(_rows(count, seed), count, "decisions") if shown else _rows(count, seed)
    try:
        with parquet.ParquetWriter(draft, schema, compression="zstd") as writer:
            for row in rows:
                kept.append(row)
                if len(kept) == _GROUP:
                    writer.write_table(arrow.Table.from_pylist(kept, schema))
                    kept = []
            if kept:
                writer.write_table(arrow.Table.from_pylist(kept, schema))
        draft.replace(whole)
    finally:
        draft.unlink(missing_ok=True)


def write_minari(name: str, count: int, seed: int = 0) -> Any:
    """Writes a Minari data set of whole games, with at least so many decisions. The data set."""
    try:
        import gymnasium
        import minari
        from minari.data_collector import EpisodeBuffer
    except ImportError as error:
        raise ImportError("Minari needs more packages: pip install 'maxout[datasets]'") from error
    env: Any = gymnasium.make("maxout.gym:maxout/TetrisPlace-v1")
    player = _maxout.Player(TASKS["TetrisPlace-v1"].settings["reach"])
    buffers: list[Any] = []
    total, game = 0, seed
    while total < count:
        observation, _ = env.reset(seed=game)
        buffer = EpisodeBuffer(observations=observation, seed=game)
        for row in decisions(game, player):
            observation, reward, terminated, truncated, info = env.step(row["action"])
            buffer = buffer.add_step_data(
                {
                    "observation": observation,
                    "action": row["action"],
                    "reward": reward,
                    "terminated": terminated,
                    "truncated": truncated,
                    "info": {name: row[name] for name in EXPECTED},
                }
            )
            total += 1
        buffers.append(buffer)
        game += 1
    return minari.create_dataset_from_buffers(
        name,
        buffers,
        env=env,
        algorithm_name="Maxout's nets",
        author="The Maxout developers",
        description="Places of the player for points at 30 Hz in NES Tetris, from level 18 to the end of the game.",
    )


def main(words: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m maxout.datasets", description="Writes decisions of the nets as data.")
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game; the next has the next")
    parser.add_argument("--out", help="Parquet file")
    parser.add_argument("--minari", help="name of a Minari data set, such as maxout/place-nets-v0")
    arguments = parser.parse_args(words)
    if arguments.decisions < 1:
        parser.error(f"--decisions: expected 1 or more, found {arguments.decisions}")
    if not arguments.out and not arguments.minari:
        parser.error("expected --out or --minari")
    begun = time.perf_counter()
    try:
        if arguments.out:
            write_parquet(arguments.out, arguments.decisions, arguments.seed, shown=sys.stderr.isatty())
        if arguments.minari:
            write_minari(arguments.minari, arguments.decisions, arguments.seed)
    except (ImportError, ValueError) as error:
        parser.error(str(error))
    print(f"{arguments.decisions:,} decisions in {time.perf_counter() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
