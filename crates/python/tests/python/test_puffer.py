"""The bridge to PufferLib: its vector plays our games, and they are the same games."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import pytest

from maxout.gym import TetrisVector

# Its import leaves a link in the folder in which it happens.
_FOLDER = os.getcwd()
with tempfile.TemporaryDirectory() as _other:
    os.chdir(_other)
    try:
        pytest.importorskip(
            "pufferlib", reason="PufferLib is not installed: its bridge is NOT tested; cargo xtask python --test --learning tests it"
        )
    finally:
        os.chdir(_FOLDER)


def test_its_vector_plays_the_same_games():
    import pufferlib.vector

    from maxout.puffer import SPREAD, TetrisPuffer

    settings = {"observation": "field+mask", "reward": "lines", "max_steps": 30}
    vector = pufferlib.vector.make(TetrisPuffer, num_envs=2, env_kwargs={"num_envs": 8, **settings}, backend=pufferlib.vector.Serial, seed=3)
    observation, _ = vector.reset(seed=3)
    assert observation.shape == (16, 206 + 40) and observation.dtype == np.uint8
    assert vector.single_observation_space.contains(observation[0]) and vector.num_agents == 16
    bridge = vector.envs[0]
    games = TetrisVector(8, autoreset_mode="SameStep", illegal="next", **settings)
    expected, _ = games.reset(seed=3 * SPREAD)
    rng = np.random.default_rng(1)
    ends: list[dict] = []
    played: list[bytes] = []
    for _ in range(100):
        parts = bridge.parts(observation[:8])
        for name, part in parts.items():
            assert (part == expected[name]).all(), name
        assert (bridge.action_masks() == parts["action_mask"].astype(bool)).all()
        played.append(bridge.parts(observation)["pieces"].tobytes())
        drawn = rng.integers(0, 40, 16).astype(np.int32)
        observation, rewards, terminals, truncations, infos = vector.step(drawn)
        expected, reward, terminated, truncated, _ = games.step(drawn[:8])
        assert (rewards[:8] == reward).all() and (terminals[:8] == terminated).all() and (truncations[:8] == truncated).all()
        ends += infos
    assert len(ends) > 16 and all(0 < end["episode_length"] <= 30 and end["episode_return"] == end["lines"] for end in ends)
    assert bridge.render().shape == (160, 80, 3)
    # No game is dealt twice, within an environment or beside it.
    dealt = np.array([np.frombuffer(step, np.uint8).reshape(16, 2)[:, 0] for step in played[:10]]).T
    assert len({row.tobytes() for row in dealt}) == 16
    vector.close()


def test_processes_of_pufferlib_play(tmp_path, monkeypatch):
    import pufferlib.vector

    from maxout.puffer import TetrisPuffer

    # Its processes import it, too.
    monkeypatch.chdir(tmp_path)
    vector = pufferlib.vector.make(
        TetrisPuffer, num_envs=2, num_workers=2, env_kwargs={"num_envs": 4, "observation": "features"}, backend=pufferlib.vector.Multiprocessing
    )
    try:
        observation, _ = vector.reset(seed=1)
        assert observation.shape == (8, 41) and observation.dtype == np.float32 and observation.any()
        for _ in range(10):
            observation, rewards, *_ = vector.step(np.zeros(8, np.int32))
        assert len(rewards) == 8
    finally:
        vector.close()


def test_a_field_has_parts_and_others_have_none():
    from maxout.puffer import TetrisPuffer

    with pytest.raises(ValueError, match="come flat"):
        TetrisPuffer(2, observation="features").parts(np.zeros((2, 41), np.uint8))


#: PufferLib's trainer on the bridge: a policy for one row of numbers a game, and the settings of its own default file.
_TRAINING = """
import ast, configparser, json, pathlib
import torch
import pufferlib, pufferlib.models, pufferlib.vector
from pufferlib import pufferl
from maxout.puffer import TetrisPuffer

file = configparser.ConfigParser()
file.read(pathlib.Path(pufferlib.__file__).parent / "config" / "default.ini")
def value(text):
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text
config = {name: value(text) for name, text in file["train"].items()}
config.update(
    device="cpu", optimizer="adam", learning_rate=0.003, total_timesteps=STEPS, minibatch_size=1024, bptt_horizon=32, update_epochs=4,
    adam_eps=1e-5, adam_beta1=0.9, gamma=0.97, ent_coef=0.003, env="maxout", use_rnn=False, data_dir="made", seed=1, anneal_lr=False,
)
torch.set_num_threads(1)
torch.manual_seed(1)
settings = {"num_envs": 64, "observation": "features", "reward": "survival"}
games = pufferlib.vector.make(TetrisPuffer, num_envs=2, backend=pufferlib.vector.Serial, env_kwargs=settings)
trainer = pufferl.PuffeRL(config, games, pufferlib.models.Default(games.driver_env, hidden_size=64))
lengths = []
while trainer.global_step < config["total_timesteps"]:
    trainer.evaluate()
    told = trainer.train()
    if told and "environment/episode_length" in told:
        lengths.append(float(told["environment/episode_length"]))
path = pathlib.Path(trainer.close())
print("\\n" + json.dumps({"steps": trainer.global_step, "lengths": lengths, "saved": path.is_file()}))
"""


def test_the_trainer_of_pufferlib_learns_to_place_pieces(tmp_path):
    """Games become longer within seconds."""
    if importlib.util.find_spec("pufferlib._C") is None:
        pytest.skip("PufferLib is built without its trainer: it is NOT tested; cargo xtask python --test --learning tests it")
    ended = subprocess.run(
        [sys.executable, "-c", _TRAINING.replace("STEPS", "100_000")], capture_output=True, text=True, timeout=600, cwd=tmp_path
    )
    assert ended.returncode == 0, ended.stdout[-3_000:] + ended.stderr[-3_000:]
    told = json.loads(ended.stdout.splitlines()[-1])
    assert told["saved"] and told["steps"] >= 100_000
    first, last = told["lengths"][0], np.mean(told["lengths"][-3:])
    assert last > 1.2 * first, told["lengths"]
