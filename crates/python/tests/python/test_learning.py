"""Loops that learn, for seconds: the examples, and the bridge to Stable-Baselines3."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(folder: Path, *words: object) -> str:
    command = [sys.executable, *map(str, words)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=900, cwd=folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize(
    ("name", "words", "least"),
    [
        ("ppo", ["--rounds", 12, "--steps", 32, "--check", 6, "--games", 32], 2_000),
        ("dqn", ["--steps", 700, "--fading", 300, "--check", 350, "--games", 32], 250),
        ("cma_es", ["--generations", 6, "--games", 2], 2_000),
    ],
)
def test_an_example_learns_within_seconds_and_plays_the_benchmark(tmp_path: Path, name: str, words: list, least: float):
    if name != "cma_es":
        pytest.importorskip("torch", reason="PyTorch is not installed")
    script = EXAMPLES / f"{name}.py"
    assert len(script.read_text().splitlines()) <= 250
    out, curve = tmp_path / f"{name}.json", tmp_path / "curve.png"
    told = run(tmp_path, script, *words, "--exam", 4, "--out", out, "--curve", curve)
    mean = float(told.split("mean ")[-1].split(" ")[0].replace(",", ""))
    # Random places make 23 points.
    assert mean > least, told
    assert curve.read_bytes().startswith(b"\x89PNG")
    code = (
        "import os, sys; os.environ[sys.argv[1]] = sys.argv[2]; from maxout import bench; "
        "sys.exit(bench.main(['TetrisPlace-v1', '--agent', sys.argv[3], '--games', '1']))"
    )
    assert "1 games" in run(tmp_path, "-c", code, f"MAXOUT_{name.upper()}", out, f"{script}:Agent")


def test_ppo_learns_to_win_matches_within_seconds(tmp_path: Path):
    pytest.importorskip("torch", reason="PyTorch is not installed")
    out, curve = tmp_path / "net.json", tmp_path / "curve.png"
    words = ["--task", "TetrisVersus-v1", "--rounds", 40, "--check", 20, "--exam", 40, "--out", out, "--curve", curve]
    told = run(tmp_path, EXAMPLES / "ppo.py", *words)
    # Random places win none of 100, and no net after 20 rounds.
    assert float(told.split("mean ")[-1].split(" ")[0]) > 0.05, told
    assert curve.read_bytes().startswith(b"\x89PNG")
    code = (
        "import os, sys; os.environ['MAXOUT_PPO'] = sys.argv[1]; from maxout import bench; "
        "sys.exit(bench.main(['TetrisVersus-v1', '--agent', sys.argv[2], '--games', '1']))"
    )
    assert "1 games" in run(tmp_path, "-c", code, out, f"{EXAMPLES / 'ppo.py'}:Agent")


@pytest.mark.parametrize(
    ("task", "words", "least"),
    [
        ("TetrisButtons-v1", ["--rounds", 40, "--games", 32, "--steps", 64], 30),
        ("TetrisPixels-v1", ["--rounds", 2, "--games", 8, "--steps", 64, "--width", 32], 0),
    ],
)
def test_ppo_by_buttons_learns_within_seconds_and_plays_its_task(tmp_path: Path, task: str, words: list, least: float):
    pytest.importorskip("torch", reason="PyTorch is not installed")
    script = EXAMPLES / "ppo_buttons.py"
    assert len(script.read_text().splitlines()) <= 250
    out, curve = tmp_path / "net.json", tmp_path / "curve.png"
    check = ["--check", words[1] // 2, "--checked", 8, "--exam", 4]
    told = run(tmp_path, script, "--task", task, *words, *check, "--out", out, "--curve", curve)
    # Random buttons make 6 points from fields and 20 from pictures.
    assert float(told.split("mean ")[-1].split(" ")[0].replace(",", "")) >= least, told
    assert curve.read_bytes().startswith(b"\x89PNG")
    code = (
        "import os, sys; os.environ['MAXOUT_PPO_BUTTONS'] = sys.argv[1]; from maxout import bench; "
        "sys.exit(bench.main([sys.argv[2], '--agent', sys.argv[3], '--games', '1']))"
    )
    assert "1 games" in run(tmp_path, "-c", code, out, task, f"{script}:Agent")
    # What was learnt is taken over.
    assert "round 2" in run(tmp_path, script, "--task", task, *words, *check, "--rounds", 2, "--check", 1, "--begin", out, "--out", tmp_path / "more.json")


def test_stable_baselines_trains_on_the_vector():
    pytest.importorskip("stable_baselines3", reason="Stable-Baselines3 is not installed")
    contrib = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    from stable_baselines3 import PPO

    from maxout.sb3 import TetrisVecEnv

    games = TetrisVecEnv(8, reward="survival", observation="features")
    model = contrib.MaskablePPO("MlpPolicy", games, n_steps=32, batch_size=64, seed=1)
    model.learn(1_024)
    assert np.mean([episode["l"] for episode in model.ep_info_buffer]) > 10
    observation = games.reset()
    action, _ = model.predict(observation, action_masks=games.action_masks())
    assert games.action_masks()[np.arange(8), action].all()
    lenient = TetrisVecEnv(4, reward="lines", illegal="next", max_steps=20)
    PPO("MultiInputPolicy", lenient, n_steps=32, batch_size=64, seed=1).learn(256)
    lenient.seed(3)
    lenient.reset()
    for _ in range(20):
        _, _, done, infos = lenient.step(np.zeros(4, np.int64))
        if done.any():
            info = infos[done.argmax()]
            assert info["episode"]["l"] <= 20 and "terminal_observation" in info
            break
    else:
        pytest.fail("no game ended within its limit")
