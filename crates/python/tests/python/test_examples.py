"""The examples do what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MOVIE = Path(__file__).resolve().parents[4] / "tests/movies/maxout.fm2"


def run(name: str, *arguments: object, status: int = 0) -> str:
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert ended.returncode == status, ended.stdout + ended.stderr
    return ended.stdout


def test_a_random_agent_plays_and_is_seen(tmp_path: Path):
    gif = tmp_path / "random.gif"
    assert "games over" in run("random_agent.py", "--pieces", 20_000, "--gif", gif)
    assert gif.read_bytes().startswith(b"GIF89a")


def test_a_search_with_states_clears_lines():
    assert "17 lines of 45 pieces" in run("tree_search.py", 45)


def test_a_movie_is_replayed_to_its_hash(tmp_path: Path):
    picture = tmp_path / "last.png"
    found = run("replay_movie.py", MOVIE).split()[-1]
    out = run("replay_movie.py", MOVIE, "--expect", found, "--picture", picture)
    assert "15055 frames" in out and picture.read_bytes().startswith(b"\x89PNG")
    run("replay_movie.py", MOVIE, "--expect", "0" * 16, status=1)


def test_a_linear_player_learns_to_clear_a_thousand_lines(tmp_path: Path):
    # A minute is for an idle machine; generations are the same anywhere.
    curve = tmp_path / "curve.png"
    run("linear_learner.py", "--seconds", 800, "--generations", 6, "--curve", curve)
    assert curve.read_bytes().startswith(b"\x89PNG")
