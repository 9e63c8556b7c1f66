"""Two players."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from maxout import TetrisVersus


@pytest.mark.parametrize("settings", [{}, {"garbage": True}, {"machine": "model", "level": 29, "max_steps": 40}])
@pytest.mark.filterwarnings("ignore:options. expected none")
def test_the_api_is_pettingzoos(settings):
    # It draws any action.
    parallel_api_test(TetrisVersus(illegal="next", **settings), num_cycles=300)


def test_a_seed_is_a_match():
    parallel_seed_test(lambda: TetrisVersus(garbage=True, illegal="next"), num_cycles=100)


def test_both_have_the_same_pieces_and_one_wins():
    match = TetrisVersus(max_steps=500)
    observations, _ = match.reset(seed=4)
    pieces = [value["pieces"] for value in observations.values()]
    assert (pieces[0] == pieces[1]).all()
    while match.agents:
        one, other = observations.values()
        # The first drops by its mask at random, the second always where it can first.
        actions = {"player_0": int(np.flatnonzero(one["action_mask"])[len(match.agents) % 3])}
        actions["player_1"] = int(other["action_mask"].argmax())
        observations, rewards, terminated, truncated, _ = match.step(actions)
    assert all(terminated.values()) and not any(truncated.values())
    assert sum(rewards.values()) == 0


def test_garbage_comes_up_from_below():
    match = TetrisVersus(garbage=True)
    match.reset(seed=4)
    match._games._games.lift(1, 4, 3)
    observations, *_ = match.step({"player_0": 0, "player_1": 0})
    assert (observations["player_1"]["field"][-1].sum() == 9) and (
        observations["player_0"]["opponent"] == observations["player_1"]["field"]
    ).all()
    with pytest.raises(ValueError, match="board"):
        TetrisVersus(garbage=True, machine="model")


def test_a_match_goes_on_from_its_state_from_its_copy_and_from_its_pickle():
    match = TetrisVersus(garbage=True)
    match.reset(seed=4)
    for _ in range(5):
        match.step(match.expert_actions())

    def play(match: TetrisVersus) -> list:
        told = []
        while match.agents and len(told) < 60:
            observations, rewards, *_ = match.step(match.expert_actions())
            told += [observations["player_1"]["field"].tobytes(), rewards["player_0"]]
        return told

    state = pickle.loads(pickle.dumps(match.get_state()))
    others = [copy.deepcopy(match), pickle.loads(pickle.dumps(match)), match.clone()]
    wanted = play(match)
    assert len(wanted) > 20 and all(play(other) == wanted for other in others)
    observations, _ = match.set_state(state)
    assert match.agents and observations["player_0"]["action_mask"].any()
    assert play(match) == wanted


def test_what_would_change_nothing_is_an_error():
    with pytest.raises(ValueError, match="call reset"):
        TetrisVersus().step({"player_0": 0, "player_1": 0})
    with pytest.raises(ValueError, match="rgb_array"):
        TetrisVersus(render_mode="human")
    with pytest.warns(UserWarning, match="expected none, found level"):
        TetrisVersus().reset(options={"level": 5})
    with pytest.raises(TypeError, match="whole numbers"):
        match = TetrisVersus()
        match.reset(seed=1)
        match.step({"player_0": 1.5, "player_1": 2.0})
