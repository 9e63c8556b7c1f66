"""The programs of docs/python.md, as a reader copies them: train, evaluate, watch."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[4] / "docs/python.md"


def blocks() -> list[str]:
    """Returns the Python blocks of the page, in their order."""
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def block(with_text: str) -> str:
    """Returns the only block that has this text."""
    found = [text for text in blocks() if with_text in text]
    assert len(found) == 1, f"{len(found)} blocks with {with_text}"
    return found[0]


def run(folder: Path, *words: str) -> str:
    ended = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_an_agent_is_trained_evaluated_and_shown_as_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(block('np.save("weights.npy"'))
    (tmp_path / "my_agent.py").write_text(block("class Agent:"))
    (tmp_path / "watch.py").write_text(block("from my_agent import Agent"))
    scores = [float(line.split()[1]) for line in run(tmp_path, "train.py").splitlines()]
    assert scores[-1] > 2 * scores[0]
    run(tmp_path, "-m", "maxout.bench", "TetrisPlace-v1", "--agent", "my_agent.py:Agent", "--games", "5", "--json", "report.json")
    assert json.loads((tmp_path / "report.json").read_text())["mean"] > 300_000
    run(tmp_path, "watch.py")
    assert (tmp_path / "game.gif").read_bytes()[:3] == b"GIF"


@pytest.mark.parametrize("index", range(len(blocks())))
def test_every_program_of_the_page_is_python(index: int) -> None:
    compile(blocks()[index], f"{PAGE}, block {index + 1}", "exec")
