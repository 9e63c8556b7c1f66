"""Environments."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import maxout
import maxout.gym
from maxout.gym import Tetris, TetrisVector

ROOT = Path(__file__).resolve().parents[4]
CARTRIDGES = [None, (ROOT / "roms/maxout-slow.nes").read_bytes()]
MACHINES = ["board", "model", "cartridge"]


def equal(one, other) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
    return np.array_equal(one, other)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"observation": "features", "reward": "lines"},
        {"observation": "afterstates", "reach": "free"},
        {"reach": "bt-12hz-18f", "level": 29},
        {"machine": "model", "act": "buttons", "observation": "ram", "frame_skip": 4},
        {"machine": "cartridge", "act": "buttons", "observation": "gray", "frame_skip": 4},
    ],
)
def test_the_checker_finds_nothing(settings):
    # It draws any action.
    env = gymnasium.make("maxout/Tetris-v0", illegal="next", **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Distances to infinity are no mistakes.
        warnings.filterwarnings("ignore", message=".*(infinity|Box observation space).*")
        warnings.filterwarnings("ignore", message=".*render.*")
        check_env(env.unwrapped, skip_render_check=True)


def test_the_checker_renders():
    check_env(Tetris(render_mode="rgb_array", illegal="next"))


def test_a_name_with_its_module_needs_no_import():
    code = "import gymnasium; env = gymnasium.make('maxout.gym:maxout/Tetris-v0'); print(env.action_space)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Discrete(40)" in out.stdout


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_make_vec_in_every_reset_mode(mode):
    games = gymnasium.make_vec(
        "maxout/Tetris-v0",
        num_envs=5,
        vectorization_mode="vector_entry_point",
        autoreset_mode=mode,
        illegal="next",
    )
    assert games.metadata["autoreset_mode"] == mode
    observation, infos = games.reset(seed=3)
    assert observation in games.observation_space
    ended = np.zeros(5, bool)
    seen = 0
    for _ in range(200):
        if mode == AutoresetMode.DISABLED and ended.any():
            observation, infos = games.reset(options={"reset_mask": ended})
            assert (observation["field"][ended] == 0).all()
        action = games.action_space.sample()
        observation, rewards, terminated, truncated, infos = games.step(action)
        assert rewards.shape == terminated.shape == truncated.shape == (5,)
        assert rewards.dtype == np.float64 and terminated.dtype == np.bool_
        if mode == AutoresetMode.NEXT_STEP:
            assert (rewards[ended] == 0).all() and not terminated[ended].any()
            assert (observation["field"][ended] == 0).all()
        ended = terminated | truncated
        seen += int(ended.sum())
        if mode == AutoresetMode.SAME_STEP and ended.any():
            assert (infos["_final_obs"] == ended).all()
            assert (observation["field"][ended] == 0).all()
            last = infos["final_obs"][np.flatnonzero(ended)[0]]
            assert last in games.single_observation_space and last["field"].any()
            assert (infos["final_info"]["pieces"][ended] > 0).all() and (infos["pieces"][ended] == 0).all()
    assert seen > 10
    if mode == AutoresetMode.DISABLED:
        while not ended.any():
            *_, terminated, truncated, _ = games.step(games.action_space.sample())
            ended = terminated | truncated
        with pytest.raises(ValueError, match="has ended"):
            games.step(games.action_space.sample())


@pytest.mark.parametrize("machine", MACHINES)
def test_a_seed_deals_the_same_pieces_on_every_machine(machine):
    games = TetrisVector(2, machine=machine, randomizer="tgm2")
    _, infos = games.reset(seed=41)
    dealt = [[], []]
    for _ in range(6):
        for number in range(2):
            dealt[number].append(int(games.statistics["piece"][number]))
        games.step(games.action_mask.argmax(1))
    for number in range(2):
        assert dealt[number] == list(maxout.Randomizer("tgm2", 41 + number).take(6))


@pytest.mark.parametrize("machine", MACHINES)
def test_the_same_seed_is_the_same_game_and_later_games_follow_from_it(machine):
    def play() -> list:
        games = TetrisVector(3, machine=machine, reward="survival", level=29)
        rng = np.random.default_rng(5)
        told = [games.reset(seed=9)[0]]
        for _ in range(60 if machine == "cartridge" else 150):
            observation, rewards, terminated, *_ = games.step(games.sample(rng))
            told += [observation, rewards, terminated]
        return told

    one, other = play(), play()
    assert all(equal(left, right) for left, right in zip(one, other))
    assert any(flags.any() for flags in one[3::3])


@pytest.mark.parametrize("rom", CARTRIDGES)
def test_both_cartridges_place_what_the_board_places(rom):
    cartridge = TetrisVector(1, machine="cartridge", rom=rom, level=19, illegal="error")
    board = TetrisVector(1, level=19, illegal="error")
    rng = np.random.default_rng(1)
    one, _ = cartridge.reset(seed=5)
    other, _ = board.reset(seed=5)
    for _ in range(25):
        assert equal(one["field"], other["field"]) and equal(one["pieces"], other["pieces"])
        assert ((cartridge.action_mask == 1) <= (board.action_mask == 1)).all()
        actions = cartridge.sample(rng)
        one, *_ = cartridge.step(actions)
        other, *_ = board.step(actions)


def test_masks_hold_and_what_is_illegal_is_told():
    games = TetrisVector(4)
    games.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(300):
        games.step(games.sample(rng))
    with pytest.raises(ValueError, match="action_mask"):
        games.step(games.action_mask.argmin(1))
    for wrong in (-1, 40, 1 << 40):
        with pytest.raises(ValueError, match=f"action {wrong}"):
            games.step(np.full(4, wrong))
    lenient = TetrisVector(1, illegal="next")
    lenient.reset(seed=0)
    *_, infos = lenient.step(lenient.action_mask.argmin(1))
    assert infos["illegal"][0] == 1 and infos["pieces"][0] == 1


def test_rewards_are_points_lines_survival_or_a_function():
    def run(reward) -> tuple[float, dict[str, np.ndarray]]:
        games = TetrisVector(1, observation="afterstates", reward=reward, max_steps=400)
        observation, _ = games.reset(seed=2)
        total = 0.0
        truncated = np.zeros(1, bool)
        weights = np.array([-4.5, 3.4, -3.2, -9.3, -7.9, -3.4, 0, 0], np.float32)
        while not truncated[0]:
            worth = np.where(games.action_mask == 1, observation @ weights, -np.inf)
            observation, rewards, terminated, truncated, _ = games.step(worth.argmax(1))
            assert not terminated[0]
            total += rewards[0]
        return total, games.statistics

    lines, statistics = run("lines")
    assert lines == statistics["lines"][0] > 100
    assert run("score")[0] == statistics["score"][0] > 0
    assert run("survival")[0] == 400
    assert run(lambda before, after: 2 * (after["lines"] - before["lines"]))[0] == 2 * lines


def test_observations_are_kept_by_whoever_keeps_them_unless_he_asks_for_views():
    games = TetrisVector(2)
    first, infos = games.reset(seed=0)
    kept = {name: value.copy() for name, value in first.items()}
    mask = infos["action_mask"].copy()
    for _ in range(3):
        games.step(games.action_mask.argmax(1))
    assert equal(first, kept) and equal(infos["action_mask"], mask)
    views = TetrisVector(2, copy=False)
    first, _ = views.reset(seed=0)
    second, *_ = views.step(views.action_mask.argmax(1))
    assert first["field"] is second["field"] and np.shares_memory(first["field"], second["pieces"].base)


def test_a_stack_of_pictures_goes_on_and_begins_anew():
    games = TetrisVector(1, machine="cartridge", act="buttons", observation="gray", stack=3, frame_skip=8)
    first, _ = games.reset(seed=0)
    assert first.shape == (1, 3, 84, 84) and (first[0, 0] == first[0, 2]).all() and first.any()
    second, *_ = games.step(np.array([3]))
    assert (second[0, :2] == first[0, 1:]).all() and (second[0, 2] != first[0, 2]).any()
    again, _ = games.reset(seed=0)
    assert (again == first).all()


def test_a_position_is_where_games_begin():
    position = "1 0 T I 18 120 500000 16 8988 7 513 56BBA458"
    for machine in MACHINES:
        games = TetrisVector(2, machine=machine, position=position)
        _, infos = games.reset(seed=1)
        assert (infos["lines"] == 120).all() and (infos["score"] == 500_000).all()
        assert (games.statistics["piece"] == 0).all() and (games.statistics["next"] == 6).all()
    with pytest.raises(ValueError, match="check word"):
        TetrisVector(1, position=position[:-1] + "0")


@pytest.mark.parametrize("rom", CARTRIDGES)
def test_practice_modes_are_the_cartridges(rom):
    games = TetrisVector(1, machine="cartridge", practice="garbage=4", randomizer=None, rom=rom)
    observation, _ = games.reset(seed=1)
    rng = np.random.default_rng(0)
    lifted = False
    for _ in range(40):
        before = int(observation["field"].sum())
        observation, _, terminated, *_ = games.step(games.sample(rng))
        lifted |= int(observation["field"].sum()) > before + 4
        if terminated[0]:
            break
    assert lifted, "rows come from below"
    with pytest.raises(ValueError, match="cartridge"):
        TetrisVector(1, practice="garbage=4")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"machine": "toaster"}, "board, model or cartridge"),
        ({"observation": "ram"}, "no RAM"),
        ({"observation": "picture", "machine": "model"}, "pictures"),
        ({"act": "buttons"}, "no frames"),
        ({"reach": "bt-99hz"}, "reach"),
        ({"randomizer": "dice"}, "randomizer"),
        ({"machine": "cartridge", "rom": b"NES"}, "16 bytes"),
        ({"frame_skip": 0}, "frame_skip"),
        ({"infos": ["luck"]}, "luck"),
    ],
)
def test_settings_that_do_not_go_together_are_named(settings, words):
    with pytest.raises(ValueError, match=words):
        TetrisVector(1, **settings)


def test_a_game_is_shown():
    games = TetrisVector(2, render_mode="rgb_array")
    games.reset(seed=0)
    pictures = games.render()
    assert len(pictures) == 2 and pictures[0].shape == (160, 80, 3)
    assert games._repr_png_().startswith(b"\x89PNG")
    console = TetrisVector(1, machine="cartridge")
    console.reset(seed=0)
    assert console.render()[0].shape == (240, 256, 3) and console.render()[0].any()


def test_threads_do_the_same():
    one, two = TetrisVector(64), TetrisVector(64, threads=2)
    one.reset(seed=1)
    two.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(100):
        actions = one.sample(rng)
        assert all(equal(left, right) for left, right in zip(one.step(actions)[:4], two.step(actions)[:4]))
