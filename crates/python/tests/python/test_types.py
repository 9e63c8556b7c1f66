"""Strict checkers find nothing in a user's program, and find what is wrong in another."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "typed_program.py"
#: Misspelt words, a number for a word, and a name that is none: each a line with an error.
WRONG = """import maxout
maxout.TetrisVector(8, machine="bord")
maxout.TetrisVector(8, reward=3)
maxout.Tetris(observation="filed")
maxout.Tetris(levels=3)
maxout.Randomizer("dice")
maxout.TetrisVersus(act="buttons")
"""


def checked(checker: str, program: Path, *options: str) -> str:
    pytest.importorskip(checker)
    command = [sys.executable, "-m", checker, *options, str(program)]
    return subprocess.run(command, capture_output=True, text=True, cwd=program.parent, timeout=600).stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    settings = {"typeCheckingMode": "strict", "pythonVersion": "3.10"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    (tmp_path / "program.py").write_text(PROGRAM.read_text())
    (tmp_path / "wrong.py").write_text(WRONG)
    return tmp_path


def test_mypy_strict(folder: Path):
    assert "Success" in checked("mypy", folder / "program.py", "--strict")
    wrong = checked("mypy", folder / "wrong.py", "--strict")
    assert all(f"wrong.py:{line}: error" in wrong for line in range(2, 8)), wrong


def test_pyright_strict(folder: Path):
    interpreter = ("--pythonpath", sys.executable)
    out = checked("pyright", folder / "program.py", *interpreter)
    assert "0 errors, 0 warnings" in out, out
    wrong = checked("pyright", folder / "wrong.py", *interpreter)
    assert all(f"wrong.py:{line}:" in wrong for line in range(2, 8)), wrong


def test_the_program_runs():
    command = [sys.executable, str(PROGRAM)]
    out = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True).stdout
    assert "maxout" not in out and "Discrete(40)" in out
