"""Nets of whole numbers: they choose the same everywhere, and what was trained is better than what was not."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import maxout
from maxout import bench, hands, trained
from maxout.agents import CmaEs, Dqn, ElTetris, Ppo, Random
from maxout.tasks import TASKS

FOLDER = Path(maxout.__file__).parent / "nets"
FILES = sorted(FOLDER.glob("*.json"))


def test_the_nets_of_the_package_are_there_and_small():
    names = {f"{task}-{agent.algorithm}" for task in ("TetrisPlace-v1", "TetrisSurvive-v1") for agent in (CmaEs, Dqn, Ppo)}
    assert {file.stem for file in FILES} == names | {"TetrisButtons-v1-ppo", "TetrisPixels-v1-ppo"}
    assert sum(file.stat().st_size for file in FILES) < 500_000
    for file in FILES:
        read = json.loads(file.read_text())
        by_buttons = TASKS[read["task"]].settings.get("act") == "buttons"
        assert file.stem.startswith(read["task"])
        assert read["features"] == list(hands.FEATURES if by_buttons else maxout.AFTERSTATE_FEATURES)
        program = file.stem.rpartition("v1-")[2].replace("-", "_") + ("_buttons" if by_buttons else "")
        assert read["command"].startswith(f"{program}.py ")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_sums_are_exact_in_any_order(file: Path):
    by_buttons = file.stem in ("TetrisButtons-v1-ppo", "TetrisPixels-v1-ppo")
    most, outputs = (hands.LARGEST, len(hands.ACTIONS)) if by_buttons else (trained.LARGEST, 1)
    net = trained.Net.load(file, most, outputs)
    rng = np.random.default_rng(1)
    boards = rng.integers(0, np.array(most) + 1, (100 if by_buttons else 300, len(most))).astype(np.float32)
    rated = net.outputs(boards)
    # In whole numbers of Python, which have no end.
    layers = json.loads(file.read_text())["layers"]
    bits = np.cumsum(trained.BITS)
    for board, values in zip(boards, rated):
        numbers = [int(number) for number in board]
        for at, layer in enumerate(layers):
            sums = [sum(w * n for w, n in zip(row, numbers)) + bias for row, bias in zip(layer["weights"], layer["bias"])]
            numbers = sums if at + 1 == len(layers) else [max(0, number) for number in sums]
        assert (values * 2 ** int(bits[len(layers) - 1])).tolist() == numbers
    # Whichever way the terms are added.
    order = rng.permutation(len(boards))
    assert (net.outputs(boards[order]) == rated[order]).all()


def test_what_is_saved_is_what_was_trained_rounded(tmp_path: Path):
    rng = np.random.default_rng(2)
    layers = [(rng.normal(size=(16, 8)), rng.normal(size=16)), (rng.normal(size=(1, 16)), rng.normal(size=1))]
    scale = np.full(8, 20.0)
    path = tmp_path / "net.json"
    saved = trained.save(path, layers, scale, task="TetrisPlace-v1", command="none")
    boards = rng.integers(0, 21, (50, 8)).astype(np.float32)
    hidden = np.maximum(boards / scale @ layers[0][0].T + layers[0][1], 0)
    assert np.allclose(saved.rate(boards), (hidden @ layers[1][0].T + layers[1][1])[:, 0], atol=0.05)
    assert (trained.Net.load(path).rate(boards) == saved.rate(boards)).all()


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ([], "expected 1 to 3"),
        ([([[1] * 7], [0])], r"expected weights \(out, 8\)"),
        ([([[0.5] * 8], [0])], "whole numbers"),
        ([([[float("nan")] * 8], [0])], "whole numbers"),
        ([([[2**50] * 8], [0])], "exact below"),
        ([([[1] * 8] * 2, [0, 0])], "expected one number"),
    ],
)
def test_a_wrong_net_is_refused_by_what_is_wrong(layers, message, tmp_path: Path):
    with pytest.raises(ValueError, match=message):
        trained.Net(layers)
    path = tmp_path / "net.json"
    path.write_text(json.dumps({"layers": [{"weights": weights, "bias": bias} for weights, bias in layers]}))
    with pytest.raises(ValueError, match=f"no trained net: .*{message}"):
        trained.Net.load(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"layers": 3}', '{"layers": [{"weights": "x", "bias": [0]}]}'])
def test_a_file_that_holds_no_net_is_refused(text: str, tmp_path: Path):
    path = tmp_path / "net.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="no trained net"):
        trained.Net.load(path)


@pytest.mark.parametrize("agent", [CmaEs, Ppo])
def test_trained_agents_beat_el_tetris(agent):
    task = TASKS["TetrisPlace-v1"]
    assert bench.evaluate(task, agent, 12)["mean"] > bench.evaluate(task, ElTetris, 12)["mean"]


def test_an_agent_that_was_trained_to_survive_plays_matches():
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
    task = TASKS["TetrisVersus-v1"]
    played = bench.evaluate(task, Ppo, 4)
    assert played["mean"] > bench.evaluate(task, Random, 4)["mean"] or sum(game["lines"] for game in played["played"]) > 20


def test_buttons_are_not_places():
    with pytest.raises(ValueError, match="places pieces"):
        Ppo(TASKS["TetrisButtons-v1"])
