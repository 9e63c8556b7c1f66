"""The benchmark: tasks that do not change, and results that are the same everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import maxout.gym
from maxout import bench
from maxout.agents import Article, ElTetris, Nets, Random
from maxout.tasks import HELD_OUT, TASKS, hash_of, seeds

#: Never to be changed: another task has another name.
FROZEN = {
    "TetrisPlace-v1": "5a595e9508208be1",
    "TetrisSurvive-v1": "8da3c57a948f9812",
    "TetrisButtons-v1": "d3ccafb0e22976a6",
    "TetrisPixels-v1": "06b8fd5a6b3528fb",
    "TetrisVersus-v1": "b8fafeff06687d94",
}


def test_tasks_are_frozen():
    assert {name: hash_of(task)[:16] for name, task in TASKS.items()} == FROZEN


def test_seeds_are_held_out_and_differ():
    for task in TASKS.values():
        drawn = seeds(task)
        assert len(set(drawn)) == len(drawn) == task.games and min(drawn) >= HELD_OUT and max(drawn) < 2**63
    assert seeds(TASKS["TetrisPlace-v1"], 2) == [6600460760827896600, 5809475872856651302]


@pytest.mark.parametrize("name", [name for name, task in TASKS.items() if task.score != "wins"])
def test_a_task_is_an_environment_by_its_name(name):
    env = gymnasium.make(f"maxout/{name}")
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space
    games = gymnasium.make_vec(f"maxout/{name}", num_envs=2, vectorization_mode="vector_entry_point")
    assert games.single_observation_space == env.observation_space


def test_a_result_is_the_same_to_the_digit_and_says_what_was_played():
    task = TASKS["TetrisPlace-v1"]
    one, other = (bench.evaluate(task, ElTetris, 2) for _ in range(2))
    assert one == other == json.loads(json.dumps(one))
    assert one["hashes"]["played"][:12] == "afd507c62eb1" and one["played"][0]["seed"] == seeds(task)[0]
    scores = [game["result"] for game in one["played"]]
    assert one["mean"] == np.mean(scores) > 500_000 and one["sd"] == np.std(scores, ddof=1)
    assert one["interval"][0] < one["mean"] < one["interval"][1]


@pytest.mark.parametrize(
    ("name", "agents"),
    [("TetrisSurvive-v1", (Random, ElTetris)), ("TetrisVersus-v1", (Random, Article)), ("TetrisPlace-v1", (Random, Nets))],
)
def test_better_players_have_better_results(name, agents):
    means = [bench.evaluate(TASKS[name], agent, 4)["mean"] for agent in agents]
    assert means == sorted(means) and means[0] < means[-1], means


@pytest.mark.parametrize("name", ["TetrisButtons-v1", "TetrisPixels-v1"])
def test_buttons_are_played(name):
    result = bench.evaluate(TASKS[name], Random, 1)
    assert result["played"][0]["frames"] > 300 and result["played"][0]["pieces"] > 3


def test_an_agent_of_a_file_plays_and_an_illegal_action_is_an_error(tmp_path: Path, capsys):
    agent = tmp_path / "mine.py"
    agent.write_text(
        "class First:\n"
        "    def __init__(self, task): pass\n"
        "    def act(self, observation, info): return int(observation['action_mask'].argmax())\n"
        "class Wrong(First):\n"
        "    def act(self, observation, info): return int(observation['action_mask'].argmin())\n"
    )
    out = tmp_path / "result.json"
    words = ["TetrisPlace-v1", "--agent", f"{agent}:First", "--games", "2", "--json", str(out)]
    assert bench.main(words) == 0 and "2 games" in capsys.readouterr().out
    result = json.loads(out.read_text())
    assert result["hashes"]["agent"] and result["hashes"]["task"] == hash_of(TASKS["TetrisPlace-v1"])
    with pytest.raises(ValueError, match="action_mask"):
        bench.main(["TetrisPlace-v1", "--agent", f"{agent}:Wrong", "--games", "1"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Tetris-v9"], "expected a task of TetrisPlace-v1"),
        (["TetrisPlace-v1"], "expected a task and --agent"),
        (["TetrisPlace-v1", "--agent", "nothing"], "expected module:Class"),
        (["TetrisPlace-v1", "--agent", "maxout.agents:None_"], "has no class"),
        (["TetrisPlace-v1", "--agent", "maxout.agents:Random", "--games", "0"], "expected 1 or more"),
    ],
)
def test_wrong_words_are_named(words, message, capsys):
    with pytest.raises(SystemExit):
        bench.main(words)
    assert message in capsys.readouterr().err
    assert maxout.gym.ID
