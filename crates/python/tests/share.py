"""What CI tests of the package: as much as the interpreter at hand can, with the standard library's unittest.

`cargo xtask test` runs it with the module as the tests are built; `cargo xtask python --test` tests the rest. What is not tested,
because a package is missing, is said at the end.
"""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

import maxout
from maxout.training import Threads, train

CRATE = Path(__file__).resolve().parents[1]
MOVIE = CRATE.parents[1] / "tests/movies/maxout.fm2"
MISSING = [name for name in ("numpy", "gymnasium") if importlib.util.find_spec(name) is None]


def example(name: str, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CRATE / "examples" / name), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900)


class Alone(unittest.TestCase):
    """Without any package."""

    def test_a_movie_is_replayed_to_its_hash_and_to_the_ram_of_fceux(self):
        ended = example("replay_movie.py", MOVIE)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertRegex(ended.stdout, r"^15055 frames, state [0-9a-f]{16}\n$")
        found = ended.stdout.split()[-1]
        self.assertEqual(example("replay_movie.py", MOVIE, "--expect", found).returncode, 0)
        self.assertEqual(example("replay_movie.py", MOVIE, "--expect", "0" * 16).returncode, 1)
        # Hashes of states change with the form of snapshots; what FCEUX has in RAM after the last frame does not: sixteen bits
        # of the CRC-32 of all but the stack.
        console = maxout.Console(video=False)
        console.play(maxout.Movie.parse(MOVIE.read_bytes()))
        ram = bytes(console.peek(address) for address in range(0x800))
        digest = zlib.crc32(ram[0x200:], zlib.crc32(ram[:0x100])) & 0xFFFF
        self.assertEqual(MOVIE.with_suffix(".ram").read_bytes()[-4:], 2 * digest.to_bytes(2, "little"))

    def test_a_console_goes_on_from_its_state(self):
        console = maxout.Console()
        console.step(frames=200)
        state = console.save()
        console.step(maxout.Buttons.START, frames=100)
        later = console.state_hash()
        console.load(state)
        console.step(maxout.Buttons.START, frames=100)
        self.assertEqual(console.state_hash(), later)
        with self.assertRaises(ValueError):
            console.load(state[:-1])

    def test_a_seed_deals_the_same_on_every_machine(self):
        dealt = maxout.Randomizer("sps", 0x123456)
        self.assertEqual("".join(next(dealt) for _ in range(30)), "SZSIOTIJLITJILJOSISTZJTZSOJIZL")

    def test_a_training_on_threads_is_that_of_one_thread(self):
        settings = {"speed": 39, "seed": 5, "games": 8, "taught": 1, "guided": 4}
        hashes = set()
        for threads in (1, 2):
            learner = train(maxout.Learner(**settings), Threads(threads), rounds=2)
            hashes.add(hashlib.sha256(learner.to_bytes()).hexdigest())
        self.assertEqual(len(hashes), 1)
        with self.assertRaises(ValueError):
            learner.learn([])


@unittest.skipIf("numpy" in MISSING, "numpy is missing")
class WithNumpy(unittest.TestCase):
    """Arrays."""

    def test_arrays_are_filled(self):
        import numpy as np

        console = maxout.Console()
        console.step(frames=60)
        picture = console.picture()
        self.assertEqual(picture.shape, (240, 256, 3))
        self.assertTrue(maxout.png(picture).startswith(b"\x89PNG"))
        self.assertEqual(console.ram().dtype, np.uint8)
        with self.assertRaises(TypeError):
            console.picture(np.zeros((240, 256, 3), np.int64))


@unittest.skipIf(bool(MISSING), f"{' and '.join(MISSING)} missing")
class WithGymnasium(unittest.TestCase):
    """Environments, and the examples that play in them."""

    def test_a_random_agent_plays_and_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            gif = Path(folder) / "random.gif"
            ended = example("random_agent.py", "--pieces", 20_000, "--gif", gif)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertTrue(gif.read_bytes().startswith(b"GIF89a"))

    def test_a_linear_player_learns_to_clear_a_thousand_lines(self):
        # Generations are the same on any machine, a minute is not.
        ended = example("linear_learner.py", "--seconds", 800, "--generations", 6)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)


if __name__ == "__main__":
    ran = unittest.main(exit=False, verbosity=1).result
    for name in MISSING:
        print(f"python: NOT tested for want of {name}; `cargo xtask python --test` tests all, in an environment of its own")
    sys.exit(0 if ran.wasSuccessful() and ran.testsRun > 0 else 1)
