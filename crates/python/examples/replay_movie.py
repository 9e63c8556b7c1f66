"""Plays a movie on the built-in cartridge and prints a hash of the state that it ends in.

    python replay_movie.py MOVIE.fm2 [--rom GAME.nes] [--expect HASH] [--picture last.png]

Exit status 1 says that the hash is another.
"""

import argparse
import sys
from pathlib import Path

import maxout


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("movie", type=Path)
    parser.add_argument("--rom", type=Path)
    parser.add_argument("--expect")
    parser.add_argument("--picture", type=Path)
    arguments = parser.parse_args()

    console = maxout.Console(arguments.rom.read_bytes() if arguments.rom else None)
    frames = console.play(maxout.Movie.parse(arguments.movie.read_bytes()))
    found = f"{console.state_hash():016x}"
    print(f"{frames} frames, state {found}")
    if arguments.picture:
        arguments.picture.write_bytes(maxout.png(console.picture()))
    sys.exit(0 if arguments.expect in (None, found) else 1)


if __name__ == "__main__":
    main()
