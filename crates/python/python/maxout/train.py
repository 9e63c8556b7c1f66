"""``python -m maxout.train``: trains a net for one speed, on this machine or on a Ray cluster.

The checkpoint is that of ``maxout ai value train``, which may go on with it, and the net is the same byte for byte.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from . import png
from .training import Learner, Threads, curve, train, write_whole

EXAMPLES = """\
examples:
  python -m maxout.train --ray auto --minutes 60 --out l39.net --curve l39.png
  python -m maxout.train --ray auto --resume --minutes 60 --out l39.net
  python -m maxout.train --ray auto --speed 29 --begin l39.net --after l39.net --minutes 60 --out l29.net
"""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m maxout.train",
        description="Train the net of one speed by playing. Everything follows from the seed: not the number of workers, not "
        "their deaths, and not a stop and a --resume, change a byte of it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--ray",
        metavar="WHERE",
        help="play on a Ray cluster: auto (the one that RAY_ADDRESS names, or else this machine), local, or an address; without it on threads",
    )
    parser.add_argument("--workers", type=int, metavar="N", help="Ray workers [default: as the cluster has processors]")
    parser.add_argument("--threads", type=int, metavar="N", help="threads; with --ray, those of each worker [default: 1]")
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="written after every round [default: l39.train]")
    parser.add_argument("--resume", action="store_true", help="go on where the checkpoint stands, with its settings")
    parser.add_argument("--rounds", type=int, metavar="N", help="stop after so many rounds in all")
    parser.add_argument("--minutes", type=float, metavar="M", help="stop with the round in which M minutes are over")
    parser.add_argument("--after", type=Path, action="append", default=[], metavar="FILE", help="a net of a later speed")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the net")
    parser.add_argument("--curve", type=Path, metavar="FILE.png", help="draw the mean points of the games by round")
    parser.add_argument("--json", action="store_true", help="print a line of JSON after every round")
    parser.add_argument("--quiet", action="store_true", help="print nothing while it goes on")
    plan = parser.add_argument_group("settings of a new training", "as `maxout ai value train --help` tells them")
    plan.add_argument("--format", metavar="FORMAT")
    plan.add_argument("--speed", type=int, choices=(18, 19, 29, 39))
    plan.add_argument("--begin", type=Path, metavar="FILE")
    for name in ("seed", "games", "taught", "guided", "memory", "passes", "ahead", "looked-at"):
        plan.add_argument(f"--{name}", type=int, metavar="N")
    plan.add_argument("--by-weights", action="store_true", default=None)
    for name in ("rate", "halving", "lambda", "exploration", "average", "well", "caution"):
        plan.add_argument(f"--{name}", type=float, metavar="X", dest="lambda_" if name == "lambda" else name)
    return parser


def begin(arguments: argparse.Namespace) -> tuple[Learner, Path]:
    """The training, and where its checkpoint is."""
    names = (
        *("format", "speed", "begin", "seed", "games", "taught", "guided", "memory", "passes", "ahead", "looked_at"),
        *("rate", "halving", "lambda_", "exploration", "average", "well", "caution", "by_weights"),
    )
    settings = {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}
    path = arguments.checkpoint or Path(f"l{settings.get('speed', 39)}.train")
    if arguments.resume:
        settings.pop("speed", None) if arguments.checkpoint is None else None
        if settings:
            given = ", ".join("--" + name.rstrip("_") for name in settings)
            raise ValueError(f"--resume: expected no settings, which are the checkpoint's; found {given}")
        return Learner.from_bytes(path.read_bytes()), path
    if path.exists():
        raise ValueError(f"{path} is there: go on with it by --resume, or name another with --checkpoint")
    if "begin" in settings:
        settings["begin"] = settings["begin"].read_bytes()
    return Learner(**settings), path


def run(arguments: argparse.Namespace) -> int:
    """Trains; the status of the process."""
    for name in ("workers", "threads", "rounds"):
        value = getattr(arguments, name)
        if value is not None and value < (0 if name == "rounds" else 1):
            raise ValueError(f"--{name}: expected 1 or more, found {value}")
    learner, path = begin(arguments)
    later = [file.read_bytes() for file in arguments.after]
    learner.net(later)  # Says now what is wrong with them.
    said = not arguments.quiet
    cluster = None
    if arguments.ray:
        from . import ray as on_ray

        where = on_ray.connect(arguments.ray)
        if said:
            print(f"plays on {where}", file=sys.stderr)
        cluster = player = on_ray.Cluster(arguments.workers, threads=arguments.threads or 1, later=later)
    else:
        player = Threads(arguments.threads, later)
    begun = time.monotonic()
    live = said and sys.stderr.isatty()

    def told(done: int, all_of_them: int) -> None:
        if live:
            lost = f", {cluster.lost} workers lost" if cluster and cluster.lost else ""
            line = f"\rround {learner.rounds + 1:4}: {done}/{all_of_them} games{lost}   "
            print(line, end="", file=sys.stderr, flush=True)

    def each(learner: Learner) -> None:
        last = learner.history()[-1]
        if arguments.json:
            print(json.dumps({"round": learner.rounds, **last}), flush=True)
        if said:
            lost = f", {cluster.lost} workers lost" if cluster and cluster.lost else ""
            print(
                f"{chr(13) if live else ''}round {learner.rounds:4}, {time.monotonic() - begun:6.1f} s: "
                f"{last['samples']:7,} samples, {last['score']:9,.0f} points, {100 * last['survived']:5.1f} % reach the end, "
                f"loss {last['loss']:.5f}{lost}",
                file=sys.stderr,
                flush=True,
            )

    status = 0
    minutes = arguments.minutes
    if minutes is None and arguments.rounds is None:
        minutes = 10.0
    try:
        train(learner, player, checkpoint=path, rounds=arguments.rounds, minutes=minutes, each=each, told=told)
    except KeyboardInterrupt:
        status = 130
        print(f"\nstopped after {learner.rounds} rounds, kept in {path}: go on with --resume", file=sys.stderr)
    net = learner.net(later)
    if arguments.out:
        write_whole(arguments.out, net)
    if arguments.curve:
        write_whole(arguments.curve, png(curve(learner)))
    if not arguments.json:
        history = learner.history()
        score = history[-1]["score"] if history else 0
        print(f"{learner.rounds} rounds, last round's mean {score:,.0f} points")
    return status


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main(words: list[str] | None = None) -> int:
    """The program."""
    arguments = parser().parse_args(words)
    # A cluster's scheduler ends jobs by this; the checkpoint is whole in any case.
    signal.signal(signal.SIGTERM, _stop)
    try:
        return run(arguments)
    except KeyboardInterrupt:
        return 130
    except (OSError, ValueError, RuntimeError, ImportError) as error:
        print(f"maxout.train: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
