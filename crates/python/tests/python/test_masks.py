"""Masks, experts, and what is an error because it would go wrong in silence."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import numpy as np
import pytest

import maxout
import maxout.gym
from maxout.gym import Tetris, TetrisVector

MACHINES = ["board", "model", "cartridge"]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_a_mask_always_has_an_action(machine, mode):
    games = TetrisVector(3, machine=machine, level=29, observation="field+mask", autoreset_mode=mode)
    observation, _ = games.reset(seed=1)
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(60):
        assert observation in games.observation_space
        assert (observation["action_mask"] == games.action_mask).all() and games.action_mask.any(1).all()
        assert (games.action_masks() == games.action_mask.astype(bool)).all()
        observation, _, terminated, _, infos = games.step(games.sample(rng))
        if terminated.any():
            ends += 1
            if mode == "SameStep":
                last = infos["final_obs"][terminated.argmax()]["action_mask"]
                assert last.sum() == 1 and last[0] == 1
            elif mode == "Disabled":
                assert (games.action_mask[terminated].sum(1) == 1).all()
                games.reset(options={"reset_mask": terminated})
                observation, _ = games.observe()
    assert ends


def test_one_game_has_its_mask_where_trainers_look():
    env = gymnasium.make("maxout/Tetris-v0", observation="field+mask", level=29)
    observation, info = env.reset(seed=1)
    terminated = False
    while not terminated:
        mask = env.get_wrapper_attr("action_masks")()
        assert mask.dtype == np.bool_ and mask.shape == (40,) and mask.any()
        assert (mask == observation["action_mask"]).all() and (mask == info["action_mask"]).all()
        observation, _, terminated, _, info = env.step(int(mask.argmax()))
    assert info["action_mask"].sum() == 1
    buttons = Tetris(machine="model", act="buttons")
    assert buttons.action_masks().all() and buttons.action_masks().shape == (10,)
    with pytest.raises(ValueError, match="masks are of places"):
        Tetris(machine="model", act="buttons", observation="field+mask")


def test_an_action_that_is_not_legal_is_an_error_unless_asked_otherwise():
    env = Tetris()
    _, info = env.reset(seed=0)
    illegal = int(info["action_mask"].argmin())
    with pytest.raises(ValueError, match="action_mask"):
        env.step(illegal)
    lenient = Tetris(illegal="next")
    lenient.reset(seed=0)
    assert lenient.step(illegal)[4]["illegal"] == 1


def test_what_would_go_wrong_in_silence_is_an_error():
    env, games = Tetris(), TetrisVector(2)
    for one, action in ((env, 0), (games, np.zeros(2, np.int64))):
        with pytest.raises(ValueError, match="no game yet: call reset"):
            one.step(action)
        one.reset(seed=1)
        with pytest.raises(ValueError, match="options: expected .*, found level"):
            one.reset(options={"level": 5})
    with pytest.raises(TypeError, match="whole numbers, found float64"):
        games.step(np.array([1.7, 2.2]))
    with pytest.raises(TypeError):
        env.step(1.7)
    custom = Tetris(reward=lambda before, after: after["lines"] - before["lines"])
    custom.reset(seed=1)
    with pytest.raises(TypeError, match="whole numbers"):
        custom.step(1.7)
    buttons = Tetris(machine="model", act="buttons")
    buttons.reset(seed=1)
    with pytest.raises(ValueError, match="expected 0 to 9, found 10"):
        buttons.step(10)
    ended = Tetris(max_steps=1)
    ended.reset(seed=1)
    ended.step(ended.expert_action())
    with pytest.raises(ValueError, match="has ended: call reset"):
        ended.step(0)


def test_a_rom_is_bytes_or_a_path(tmp_path):
    image = (maxout.gym.__file__, tmp_path / "game.nes")
    image[1].write_bytes(b"NES?")
    for rom in (image[1], str(image[1])):
        with pytest.raises(ValueError, match="expected"):
            Tetris(machine="cartridge", rom=rom)
    with pytest.raises(FileNotFoundError):
        Tetris(machine="cartridge", rom=str(tmp_path / "none.nes"))


def test_features_have_names():
    env = Tetris(observation="features")
    observation, info = env.reset(seed=1)
    named = dict(zip(maxout.FEATURES, observation))
    assert len(named) == 41 and named["level"] == 18 and named["holes"] == 0
    assert sum(named[f"piece_{letter}"] for letter in maxout.PIECES) == 1


def test_the_article_s_search_is_an_expert_of_every_reach():
    search = maxout.Search()
    for settings in ({"reach": "free"}, {}, {"reach": "bt-30hz-18f"}, {"machine": "model", "level": 0}):
        games = TetrisVector(2, reward="lines", **settings)
        observation, _ = games.reset(seed=1)
        lines = np.zeros(2)
        for step in range(30 if "machine" in settings else 120):
            actions = games.expert_action(search)
            assert games.action_masks()[np.arange(2), actions].all()
            if settings == {"reach": "free"}:
                pieces = "".join(maxout.PIECES[number] for number in observation["pieces"][0])
                assert actions[0] == search.action(observation["field"][0], pieces)
            observation, rewards, terminated, *_ = games.step(actions)
            assert not terminated.any()
            lines += rewards
        assert (lines > (5 if "machine" in settings else 35)).all(), (settings, lines)


def test_what_is_missing_is_named_with_its_extra():
    code = "import sys; sys.modules['gymnasium'] = None; import maxout; maxout.TetrisVector"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'maxout[gym]'" in out.stderr
    code = "import sys; sys.modules['pettingzoo'] = None; import maxout; maxout.TetrisVersus"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'maxout[versus]'" in out.stderr


@pytest.mark.parametrize("kind", [name for name, _ in maxout.Randomizer.kinds()])
def test_no_two_seeds_are_the_same_game(kind):
    count, pieces = 2_000, 50
    games = TetrisVector(count, randomizer=kind, infos=())
    games.reset(seed=0)
    dealt = np.stack([maxout.Randomizer(kind, seed).take(pieces) for seed in range(count)])
    assert len(np.unique(dealt, axis=0)) == count
    statistics = games.statistics
    assert (statistics["piece"] == dealt[:, 0]).all() and (statistics["next"] == dealt[:, 1]).all()
