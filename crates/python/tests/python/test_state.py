"""Copies, pickles and states: the same future."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pytest

import maxout
import maxout.gym
from maxout.gym import Tetris, TetrisVector

KINDS = [
    {},
    {"reach": "free", "observation": "field+mask", "randomizer": "tgm3"},
    {"observation": "features", "reward": "lines"},
    {"machine": "model", "observation": "afterstates"},
    {"machine": "cartridge"},
    {"machine": "cartridge", "act": "buttons", "observation": "gray", "frame_skip": 4},
    {"machine": "cartridge", "act": "buttons", "observation": "picture"},
    {"machine": "model", "act": "buttons", "observation": "ram", "frame_skip": 3},
    {"machine": "cartridge", "practice": "garbage=4", "randomizer": None},
]


def equal(one, other) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(equal, one, other))
    return np.array_equal(one, other)


def play(env, steps: int = 15) -> list:
    rng = np.random.default_rng(1)
    told = []
    for _ in range(steps):
        told.append(env.step(int(rng.choice(np.flatnonzero(env.action_masks())))))
        if told[-1][2]:
            told.append(env.reset())
    return told


@pytest.mark.parametrize("settings", KINDS)
def test_a_game_goes_on_from_its_copy_its_pickle_and_its_state(settings):
    env = Tetris(level=29, **settings)
    env.reset(seed=3)
    play(env, 8)
    state = env.get_state()
    others = [env.clone(), copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    wanted = play(env)
    assert all(equal(play(other), wanted) for other in others)
    for again in (state, copy.deepcopy(state), pickle.loads(pickle.dumps(state)), state):
        env.set_state(again)
        assert equal(play(env), wanted)


@pytest.mark.parametrize("settings", KINDS[:6])
def test_games_of_a_vector_are_copied_one_by_one_and_together(settings):
    def run(games: TetrisVector, steps: int = 12) -> list:
        rng = np.random.default_rng(2)
        return [games.step(games.sample(rng))[:4] for _ in range(steps)]

    games = TetrisVector(4, level=19, **settings)
    games.reset(seed=9)
    run(games, 6)
    others = [games.clone(), copy.deepcopy(games), pickle.loads(pickle.dumps(games))]
    state = games.get_state(1)
    wanted = run(games)
    assert all(equal(run(other), wanted) for other in others)
    for number in range(4):
        games.set_state(state, number)
    observations, infos = games.observe()
    assert (infos["pieces"] == infos["pieces"][0]).all()
    action = np.full(4, games.action_masks()[0].argmax())
    observations, rewards, *_ = games.step(action)
    assert (rewards == rewards[0]).all()
    assert all(equal(games._one(0), games._one(number)) for number in range(1, 4))


def test_a_wrapped_environment_is_pickled_too():
    env = gymnasium.make("maxout/Tetris-v0", reward="lines")
    env.reset(seed=1)
    other = pickle.loads(pickle.dumps(env))
    actions = [env.unwrapped.expert_action()]
    assert equal(env.step(actions[0]), other.step(actions[0]))
    assert other.spec == env.spec


def test_a_state_of_another_environment_is_refused_and_says_why():
    board, model = Tetris(), Tetris(machine="model")
    board.reset(seed=1)
    model.reset(seed=1)
    with pytest.raises(ValueError, match="expected one of `board`, found one of `model`"):
        board.set_state(model.get_state())
    with pytest.raises(ValueError, match="expected the bytes of a state"):
        board.set_state(maxout.State.from_bytes(b"?"))
    with pytest.raises(ValueError, match="expected 0 to 1, found 2"):
        TetrisVector(2, observation="features").get_state(2)


def test_every_object_is_copied_and_pickled():
    console = maxout.Console(sample_rate=8000)
    console.step(maxout.Buttons.START, frames=300)
    game = maxout.Game(region="pal")
    game.run(np.tile(np.array([16, 0, 0, 0, 0, 0], np.uint8), 100))
    randomizer = maxout.Randomizer("tgm3", 5)
    randomizer.take(10)
    movie = maxout.Movie(np.arange(20, dtype=np.uint8).reshape(10, 2))
    field = np.zeros((20, 10), np.uint8)

    def looks(one) -> list:
        if isinstance(one, maxout.Console):
            one.step(frames=5)
            return [one.state_hash()]
        if isinstance(one, maxout.Game):
            one.step(1, 30)
            return one.ram().tolist()
        if isinstance(one, maxout.Randomizer):
            return one.take(100).tolist()
        if isinstance(one, maxout.Movie):
            return [one.to_bytes()]
        if isinstance(one, maxout.Search):
            return [one.decide(field, "TJ")]
        return [one.decide(field, 0, "T")]

    player, search = maxout.Player(breadth=2), maxout.Search("el-tetris", "well")
    for one in (console, game, randomizer, movie, search, player):
        others = [one.clone(), copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))]
        wanted = looks(one)
        assert all(looks(other) == wanted for other in others), one
    for one in (console, game, randomizer):
        state = one.get_state()
        wanted = looks(one)
        one.set_state(state)
        assert looks(one) == wanted
        with pytest.raises(ValueError):
            one.set_state(b"nothing")


def test_events_and_trainings_are_copied_and_pickled():
    watcher = maxout.Events()
    console = maxout.Console()
    held = [16 if frame % 6 == 0 else 0 for frame in range(312)] + [0] * 400
    for frame, buttons in enumerate(held):
        console.step(buttons)
        watcher.observe(frame, console.ram())
    others = [copy.deepcopy(watcher), pickle.loads(pickle.dumps(watcher))]
    console.step(0, frames=1500)
    wanted = watcher.observe(2000, console.ram())
    assert wanted, "pieces were placed meanwhile"
    assert all(other.observe(2000, console.ram()) == wanted for other in others)

    learner = maxout.Learner(games=2, taught=1)
    actor = maxout.Actor(learner.assignment(), threads=2)
    tasks = learner.tasks()
    games = pickle.loads(pickle.dumps(actor)).play(tasks)
    assert games == copy.deepcopy(actor).play(tasks) == actor.clone().play(tasks)
    twin = pickle.loads(pickle.dumps(learner))
    for one in (learner, twin):
        one.learn(games)
    assert learner.to_bytes() == twin.to_bytes() == learner.clone().to_bytes()


#: A process forks and both go on; in one of its own, since other packages here have threads that do not survive a fork.
FORKS = """
import os, maxout
games = maxout.TetrisVector(8, threads=2)
games.reset(seed=1)
games.step(games.action_masks().argmax(1))
learner = maxout.Learner(games=2, taught=1)
actor, tasks = maxout.Actor(learner.assignment(), threads=2), learner.tasks()[:2]
child = os.fork()
games.step(games.action_masks().argmax(1))
assert games.statistics["pieces"].tolist() == [2] * 8 and len(actor.play(tasks)) == 2
if child:
    assert os.waitpid(child, 0)[1] == 0
    print("both went on")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_threads_are_made_anew_after_a_fork():
    command = [sys.executable, "-W", "ignore", "-c", FORKS]
    assert "both went on" in subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
