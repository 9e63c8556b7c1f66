"""Steps a second of processor time, by machine, way of acting, observation and number of games.

    python speed.py [--seconds 1] [--repeat 3] [--only board] [--threads 2] [--json speed.json]

Each line is the median of so many runs; memory is what the process grew by. nes-py, if it is installed, is timed on the same cartridge.

    python speed.py --scaling 2

compares threads on the cartridge, by processor time, which others on the machine do not take away: how much of a step one thread does
alone, how even the shares of the others are, what a frame costs with one thread and with several, and what processors give that share
nothing but the machine (processes that hash in registers). Four numbers say where time goes: the first two are ours, the last two the
processors'.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import resource
import statistics
import time
from pathlib import Path

import numpy as np

import maxout
from maxout.gym import TetrisVector

CASES = [
    # name, settings, numbers of games
    ("board, drop, field", {"infos": ()}, (1, 16, 64, 256, 1024)),
    ("board, drop, no infos kept", {"infos": (), "copy": False}, (64, 1024)),
    ("board, drop, features", {"observation": "features", "infos": ()}, (1024,)),
    ("board, drop, afterstates", {"observation": "afterstates", "infos": (), "copy": False}, (64, 1024)),
    ("board, free, field", {"reach": "free", "infos": ()}, (64,)),
    ("board, bt-30hz-18f, field", {"reach": "bt-30hz-18f", "infos": ()}, (64,)),
    ("model, buttons, field", {"machine": "model", "act": "buttons", "infos": ()}, (1, 64, 1024)),
    ("model, place free, field", {"machine": "model", "reach": "free", "infos": ()}, (16,)),
    ("cartridge, buttons, field", {"machine": "cartridge", "act": "buttons", "infos": ()}, (1, 16, 64, 256)),
    (
        "cartridge, buttons, ram",
        {"machine": "cartridge", "act": "buttons", "observation": "ram", "infos": ()},
        (64,),
    ),
    (
        "cartridge, buttons, picture",
        {"machine": "cartridge", "act": "buttons", "observation": "picture", "copy": False, "infos": ()},
        (16,),
    ),
    (
        "cartridge, buttons x4, gray x4",
        {"machine": "cartridge", "act": "buttons", "observation": "gray", "frame_skip": 4, "infos": ()},
        (64,),
    ),
    ("cartridge, place drop, field", {"machine": "cartridge", "infos": ()}, (4,)),
]


def actions_of(games: TetrisVector, rng: np.random.Generator) -> list[np.ndarray]:
    """Actions at hand, so that drawing them is not timed; illegal places count as the next legal ones."""
    return [rng.integers(0, games.single_action_space.n, games.num_envs) for _ in range(64)]


def measure(settings: dict, count: int, seconds: float, threads: int) -> dict[str, float]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    games = TetrisVector(count, threads=threads, **settings)
    games.reset(seed=0)
    actions = actions_of(games, np.random.default_rng(0))
    skip = settings.get("frame_skip", 1)
    for step in range(3):
        games.step(actions[step])
    steps = 0
    processor, wall = time.process_time(), time.perf_counter()
    while time.perf_counter() - wall < seconds:
        for _ in range(max(1, 4096 // count // 16)):
            games.step(actions[steps % 64])
            steps += 1
    processor, wall = time.process_time() - processor, time.perf_counter() - wall
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "cpu": steps * count / processor,
        "wall": steps * count / wall,
        "frames": steps * count * skip / processor,
        "kib": (after - before) / count,
    }


def processor_times() -> dict[int, float]:
    """Seconds of processor time of each thread of this process."""
    times = {}
    for thread in os.listdir("/proc/self/task"):
        try:
            times[int(thread)] = int(Path(f"/proc/self/task/{thread}/schedstat").read_text().split()[0]) / 1e9
        except OSError:
            pass  # It has ended.
    return times


def shares(threads: int, count: int, steps: int) -> tuple[float, float, float]:
    """Seconds of processor time of the thread that calls, of the busiest of the others, and of all of them."""
    games = TetrisVector(count, threads=threads, machine="cartridge", act="buttons", infos=(), copy=False)
    games.reset(seed=0)
    actions = actions_of(games, np.random.default_rng(0))
    before = processor_times()
    for step in range(steps):
        games.step(actions[step % 64])
    spent = {thread: time - before.get(thread, 0.0) for thread, time in processor_times().items()}
    own = spent.pop(os.getpid())
    return own, max(spent.values(), default=0.0), own + sum(spent.values())


def hash_in_registers(rounds: int) -> float:
    """Rounds a second of processor time of work that touches no memory."""
    begun = time.process_time()
    hashlib.pbkdf2_hmac("sha256", b"maxout", b"", rounds)
    return rounds / (time.process_time() - begun)


def scaling(threads: int, repeat: int) -> None:
    count, steps = 256, 60
    frames = count * steps
    runs: list[dict[str, float]] = []
    spawned = multiprocessing.get_context("spawn")
    with spawned.Pool(threads) as pool:
        pool.map(hash_in_registers, [1000] * threads, chunksize=1)
        for _ in range(repeat):
            # In turns: what else the machine does falls on both.
            alone, _, one = shares(1, count, steps)
            own, busiest, several = shares(threads, count, steps)
            hashed = hash_in_registers(1_000_000)
            beside = statistics.mean(pool.map(hash_in_registers, [1_000_000] * threads, chunksize=1))
            runs.append(
                {
                    "serial": own / several,
                    "even": (several - own) / threads / busiest,
                    "one": frames / one,
                    "several": frames / several,
                    "processors": threads * beside / hashed,
                    "by us": several / (own + busiest),
                }
            )
    middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    print(f"{threads} threads, cartridge, buttons, field, {count} games, medians of {repeat}; load {os.getloadavg()[0]:.1f}")
    print(f"  done by one thread alone          {100 * middle['serial']:.1f} % of the processor time")
    print(f"  the mean share of the busiest     {100 * middle['even']:.1f} %")
    print(f"  so many processors are used       {middle['by us']:.2f}")
    print(f"  frames a CPU second, one thread   {middle['one']:,.0f}")
    print(f"  frames a CPU second, {threads} threads    {middle['several']:,.0f}")
    print(f"  so many processors, by hashing    {middle['processors']:.2f}")


def nes_py(seconds: float) -> float | None:
    """Steps a second of processor time of nes-py on the built-in cartridge, if it is installed."""
    try:
        import nes_py
    except ImportError:
        return None
    rom = Path(__file__).resolve().parents[3] / "roms/maxout.nes"
    env = nes_py.NESEnv(str(rom))
    env.reset()
    steps, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        for _ in range(50):
            env.step(0)
        steps += 50
    return steps / (time.process_time() - begun)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--scaling", type=int, metavar="THREADS")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    if arguments.scaling:
        return scaling(arguments.scaling, arguments.repeat)

    print(f"maxout {maxout.__version__}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print("| machine, act, observation | games | steps a CPU second | frames a CPU second | wall | KiB a game |")
    print("|---|---|---|---|---|---|")
    rows = []
    for name, settings, counts in CASES:
        if arguments.only not in name:
            continue
        for count in counts:
            runs = [
                measure(settings, count, arguments.seconds, arguments.threads) for _ in range(arguments.repeat)
            ]
            row = {key: statistics.median(run[key] for run in runs) for key in ("cpu", "wall", "frames")}
            row["kib"] = runs[0]["kib"]
            rows.append({"name": name, "games": count, **row})
            frames = f"{row['frames']:,.0f}" if "buttons" in name else ""
            print(
                f"| {name} | {count} | {row['cpu']:,.0f} | {frames} | {row['wall']:,.0f} | {row['kib']:.0f} |",
                flush=True,
            )
    peer = nes_py(arguments.seconds)
    if peer is not None:
        print(f"| nes-py | 1 | {peer:,.0f} | {peer:,.0f} | | |")
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
