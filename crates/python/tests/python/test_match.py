"""Matches against a player of the package."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from maxout import Search, TetrisMatch, TetrisMatches, TetrisVersus
from maxout.tasks import TASKS

SETTINGS = dict(TASKS["TetrisVersus-v1"].settings)


def test_matches_are_those_of_a_game_for_two():
    count, article = 3, Search()
    matches = TetrisMatches(count, autoreset_mode="Disabled", **SETTINGS)
    seen, infos = matches.reset(seed=[70, 71, 72])
    for number in range(count):
        versus = TetrisVersus(**SETTINGS)
        told, _ = versus.reset(seed=70 + number)
        one = TetrisMatches(1, autoreset_mode="Disabled", **SETTINGS)
        here, _ = one.reset(seed=70 + number)
        garbage = False
        while versus.agents:
            for name in ("field", "pieces", "active", "opponent", "action_mask"):
                assert np.array_equal(here[name][0], told["player_0"][name]), name
            chosen = one.expert_action(article)
            opponent = int(versus._games.expert_action(Search("el-tetris"))[1])
            told, rewards, *_, about = versus.step({"player_0": int(chosen[0]), "player_1": opponent})
            here, gained, terminated, truncated, infos = one.step(chosen)
            assert gained[0] == rewards["player_0"] and infos["lines"][0] == about["player_0"]["lines"]
            assert bool(terminated[0] | truncated[0]) == (not versus.agents)
            garbage |= bool((here["field"][0, -1].sum() == 9) and here["opponent"][0].any())
        assert garbage, "no row came up"
    # Many at once are the same matches.
    won = np.zeros(count)
    alive = np.ones(count, bool)
    alone = []
    for number in range(count):
        one = TetrisMatches(1, autoreset_mode="Disabled", **SETTINGS)
        one.reset(seed=70 + number)
        ended = False
        while not ended:
            _, gained, terminated, truncated, _ = one.step(one.expert_action(article))
            ended = bool(terminated[0] | truncated[0])
        alone.append(gained[0])
    while alive.any():
        seen, gained, terminated, truncated, _ = matches.step(matches.expert_action(article))
        won[alive] = gained[alive]
        ended = terminated | truncated
        alive &= ~ended
        if ended.any():
            matches.reset(options={"reset_mask": ended})
    assert won.tolist() == alone and set(alone) <= {-1.0, 1.0}


def test_a_match_that_has_ended_begins_anew_with_the_same_pieces_for_both():
    matches = TetrisMatches(4, max_steps=12, level=29, observation="afterstates")
    seen, _ = matches.reset(seed=5)
    assert seen.shape == (4, 40, 8)
    for step in range(1, 40):
        seen, gained, terminated, truncated, infos = matches.step(matches.expert_action())
        if step % 12 == 0:
            assert truncated.all() and not gained.any() and infos["_final_obs"].all()
            assert infos["final_info"]["pieces"].tolist() == [12] * 4 and infos["pieces"].tolist() == [0] * 4
            games = [matches._games.get_state(number) for number in range(8)]
            view = TetrisMatches(1, level=29)
            view.reset(seed=0)
            fields = []
            for number in range(8):
                view._games.set_state(games[number], 0)
                fields.append(view._games.observe()[0]["pieces"][0].tolist())
            assert fields[0::2] == fields[1::2] and len({tuple(pair) for pair in fields}) > 1
        else:
            assert not truncated.any()


def test_a_match_by_name_is_what_gymnasium_expects():
    match = gymnasium.make("maxout.gym:maxout/TetrisVersus-v1")
    assert isinstance(match.unwrapped, TetrisMatch)
    check_env(TetrisMatch(illegal="next", level=29), skip_render_check=True)
    many = gymnasium.make_vec("maxout.gym:maxout/TetrisVersus-v1", num_envs=2)
    seen, infos = many.reset(seed=1)
    assert seen in many.observation_space and infos["action_mask"].shape == (2, 800)
    assert np.array_equal(seen["action_mask"], infos["action_mask"])


def test_a_match_goes_on_from_its_state_from_its_copy_and_from_its_pickle():
    matches = TetrisMatches(2, garbage=True, level=29)
    matches.reset(seed=9)
    for _ in range(6):
        matches.step(matches.expert_action())

    def play(matches: TetrisMatches) -> list:
        told = []
        for _ in range(60):
            seen, gained, *_ = matches.step(matches.expert_action())
            told += [seen["field"].tobytes(), seen["opponent"].tobytes(), gained.tolist()]
        return told

    others = [copy.deepcopy(matches), pickle.loads(pickle.dumps(matches)), matches.clone()]
    states = pickle.loads(pickle.dumps([matches.get_state(number) for number in range(2)]))
    other = TetrisMatches(2, garbage=True, level=29)
    other.reset(seed=0)
    for number, state in enumerate(states):
        other.set_state(state, number)
    assert np.array_equal(other.observe()[0]["field"], matches.observe()[0]["field"])
    wanted = play(matches)
    assert all(play(twin) == wanted for twin in others)
    assert play(other)[:90] == wanted[:90]
    one = TetrisMatch(level=29)
    one.reset(seed=3)
    twins = [one.clone(), copy.deepcopy(one), pickle.loads(pickle.dumps(one))]
    state = one.get_state()
    first = [one.step(one.expert_action())[0]["field"].tobytes() for _ in range(20)]
    for twin in twins:
        assert [twin.step(twin.expert_action())[0]["field"].tobytes() for _ in range(20)] == first
    one.set_state(state)
    assert [one.step(one.expert_action())[0]["field"].tobytes() for _ in range(20)] == first
    assert one.render().shape == (160, 160, 3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_envs": 0}, "num_envs: expected 1 or more"),
        ({"observation": "picture"}, "observation: expected field.mask or afterstates"),
        ({"reward": "score"}, "reward: expected outcome"),
        ({"machine": "model"}, "garbage: expected machine"),
        ({"autoreset_mode": "NextStep"}, "autoreset_mode: expected SameStep or Disabled"),
        ({"opponent": "nobody"}, "nobody"),
    ],
)
def test_a_setting_that_is_wrong_is_named(settings: dict, message: str):
    with pytest.raises(ValueError, match=message):
        TetrisMatches(**settings)


def test_a_step_or_a_reset_that_is_wrong_is_an_error():
    matches = TetrisMatches(2)
    with pytest.raises(ValueError, match="seed: expected 2 seeds"):
        matches.reset(seed=[1])
    with pytest.raises(ValueError, match="reset_mask: expected bool"):
        matches.reset(options={"reset_mask": np.zeros(2, bool)})
    matches.reset(seed=1)
    with pytest.raises(TypeError, match="whole numbers"):
        matches.step(np.array([0.5, 1.0]))
