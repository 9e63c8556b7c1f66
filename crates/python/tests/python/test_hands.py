"""Agents by buttons: eyes read what the game has, hands press what was decided, and what was trained is better than what was not."""

from __future__ import annotations

import numpy as np
import pytest

import maxout
from maxout import bench, hands
from maxout.agents import Drop, Ppo, PpoButtons, Random
from maxout.gym import TetrisVector
from maxout.shapes import CELLS, SPAWN
from maxout.tasks import TASKS

BUTTONS, PIXELS = TASKS["TetrisButtons-v1"], TASKS["TetrisPixels-v1"]


def test_eyes_read_from_pictures_what_the_model_has():
    count = 4
    pictures = TetrisVector(count, autoreset_mode="SameStep", **PIXELS.settings)
    model = TetrisVector(count, autoreset_mode="SameStep", **{**PIXELS.settings, "machine": "model", "observation": "field"})
    eyes, exact, pressing = hands.Eyes(count), hands.Eyes(count), hands.Hands(PIXELS, count)
    begun = np.ones(count, bool)
    seen, known = eyes.see(pictures.reset(seed=5)[0], begun), exact.see(model.reset(seed=5)[0], begun)
    rng = np.random.default_rng(1)
    compared = wrong = locked = 0
    for _ in range(400):
        free = pressing.free(seen, begun)
        # A picture is of a frame before, and the first of a game of the time before it.
        compares = free & (known.shape != 19) & ~begun
        equal = (seen.shape == known.shape) & (seen.column == known.column) & (seen.field == known.field).all((1, 2))
        compared, wrong, locked = compared + compares.sum(), wrong + (compares & ~equal).sum(), locked + known.field.sum()
        for actions in pressing.press(rng.choice(5, count, p=[0.27, 0.27, 0.1, 0.1, 0.26]), free):
            picture, points, *ended, _ = pictures.step(actions)
            field, same_points, *same_ended, _ = model.step(actions)
            assert (points == same_points).all() and (np.array(ended) == np.array(same_ended)).all()
            begun = ended[0] | ended[1]
            seen, known = eyes.see(picture, begun), exact.see(field, begun)
    assert compared > 300 and locked > 4_000
    assert wrong < compared / 50, (wrong, compared)


def test_features_are_whole_and_no_larger_than_they_say():
    rng = np.random.default_rng(2)
    count = 500
    field = rng.random((count, 20, 10)) < rng.random((count, 1, 1)) * (np.arange(20) / 19)[:, None]
    view = hands.View(field, rng.integers(0, 20, count), rng.integers(0, 10, count), rng.integers(0, 3, count))
    seen = hands.features(view)
    assert seen.shape == (count, len(hands.FEATURES)) and len(hands.LARGEST) == len(hands.SCALE) == len(hands.FEATURES)
    assert (seen == np.rint(seen)).all() and (np.abs(seen) <= np.array(hands.LARGEST)).all()


def test_a_drop_is_what_the_model_does():
    games = TetrisVector(8, **{**BUTTONS.settings, "level": 0})
    eyes = hands.Eyes(8)
    observation, _ = games.reset(seed=3)
    view = eyes.see(observation, np.ones(8, bool))
    expected, lines, depth = hands.landed(view)
    assert (lines == 0).all() and (depth > 14).all()
    for _ in range(60):
        observation, *_ = games.step(np.full(8, 4))
        view = eyes.see(observation, np.zeros(8, bool))
        if (view.shape == 19).all() and view.field.any((1, 2)).all():
            break
    assert (view.field == expected).all()


def test_turns_are_the_models():
    games = TetrisVector(64, **{**BUTTONS.settings, "level": 0})
    seen = set()
    for byte, turned in ((128, hands._BY_A), (64, hands._BY_B)):
        observation, _ = games.reset(seed=1)
        for frame in range(24):
            before = observation["active"][:, 2].copy()
            observation, *_ = games.step(np.full(64, byte if frame % 2 else 0))
            after = observation["active"][:, 2]
            # A turn that has no room changes nothing.
            assert ((after == before) | (after == turned[before])).all()
            seen |= set(before[after != before].tolist())
    assert seen == set(range(19)) - {10}
    assert sorted(SPAWN) == sorted({int(piece) for piece in SPAWN}) and len(CELLS) == 19


def test_a_hand_drops_what_is_decided_upon_for_too_long():
    games, eyes, pressing = TetrisVector(1, **BUTTONS.settings), hands.Eyes(1), hands.Hands(BUTTONS, 1)
    observation, _ = games.reset(seed=1)
    begun, decisions = np.zeros(1, bool), 0
    for _ in range(40):
        view = eyes.see(observation, begun)
        free = pressing.free(view, begun)
        decisions += int(free[0])
        for actions in pressing.press(np.array([decisions % 2]), free):
            observation, *_ = games.step(actions)
        if observation["active"][0, 2] == 19:
            break
    assert decisions == hands.PATIENCE


@pytest.mark.parametrize(("task", "games"), [(BUTTONS, 6), (PIXELS, 3)], ids=lambda value: getattr(value, "name", value))
def test_what_was_trained_beats_chance_and_what_needs_no_thought(task, games):
    means = [bench.evaluate(task, agent, games)["mean"] for agent in (Random, Drop, PpoButtons)]
    assert means == sorted(means) and means[2] > 2 * means[1], means


def test_places_are_not_buttons():
    with pytest.raises(ValueError, match="presses buttons"):
        PpoButtons(TASKS["TetrisPlace-v1"])
    with pytest.raises(ValueError, match="places pieces"):
        Ppo(BUTTONS)
    assert maxout.AFTERSTATE_FEATURES
