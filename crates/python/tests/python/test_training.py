"""A training comes to the same bytes wherever its games are played."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import maxout
from maxout.training import Threads, curve, train

#: A training of a few seconds.
SMALL = {"speed": 39, "seed": 5, "games": 12, "taught": 1, "guided": 4}
ROUNDS = 3


def reference() -> bytes:
    """The training, played in order by this process, with nothing of ``maxout.training``."""
    learner = maxout.Learner(**SMALL)
    for _ in range(ROUNDS):
        learner.learn(maxout.Actor(learner.assignment()).play(learner.tasks()))
    return learner.to_bytes()


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "maxout.train", *map(str, words)]


def settings() -> list[str]:
    return [word for name, value in SMALL.items() for word in (f"--{name}", str(value))]


def test_threads_orders_and_stops_change_nothing(tmp_path: Path):
    checkpoint = tmp_path / "l39.train"
    for threads in (1, 3):
        learner = train(maxout.Learner(**SMALL), Threads(threads), checkpoint=checkpoint, rounds=ROUNDS)
        assert learner.to_bytes() == checkpoint.read_bytes() == reference()
    learner = maxout.Learner(**SMALL)
    for _ in range(ROUNDS):
        learner = maxout.Learner.from_bytes(learner.to_bytes())
        tasks = list(enumerate(learner.tasks()))
        random.Random(1).shuffle(tasks)
        games = {number: maxout.Actor(learner.assignment()).play([task])[0] for number, task in tasks}
        learner.learn([games[number] for number in sorted(games)])
    assert learner.to_bytes() == reference()


def test_games_that_are_not_those_of_the_round_are_refused():
    learner = maxout.Learner(**SMALL)
    actor = maxout.Actor(learner.assignment())
    games = actor.play(learner.tasks())
    before = learner.to_bytes()
    with pytest.raises(ValueError, match="expected 12 games, one for each task, found 11"):
        learner.learn(games[:-1])
    with pytest.raises(ValueError, match="game 0: expected seed"):
        learner.learn(games[::-1])
    damaged = games[3][:-9] + bytes([games[3][-9] ^ 1]) + games[3][-8:]
    with pytest.raises(ValueError, match="game 3: .* damaged"):
        learner.learn([*games[:3], damaged, *games[4:]])
    with pytest.raises(ValueError, match="columns of 20 bits"):
        actor.play([([1 << 20] * 10, 330, 1)])
    assert learner.to_bytes() == before
    learner.learn(games)
    assert learner.rounds == 1 and actor.round == 0
    with pytest.raises(ValueError, match="expected one of assignment"):
        learner.learn(games)


def test_settings_are_checked():
    for wrong in ({"speed": 20}, {"games": 0}, {"rate": 2.0}, {"halving": float("nan")}, {"begin": b"no net"}):
        with pytest.raises(ValueError, match="expected"):
            maxout.Learner(**wrong)
    plan = json.loads(maxout.Learner(**SMALL).plan_json())
    assert plan["games"] == 12 and plan["seed"] == 5


def test_a_net_plays_and_its_course_is_drawn():
    learner = maxout.Learner.from_bytes(reference())
    net = learner.net()
    assert maxout.Player(nets=[net]).play(0x123456, 390)["lines"] >= 390
    picture = curve(learner)
    assert picture.shape == (360, 720, 3) and len(np.unique(picture)) > 3
    assert learner.net([net]) != net
    with pytest.raises(ValueError, match="one net a speed"):
        learner.net([net, net])


def test_an_interrupted_training_leaves_a_checkpoint_and_goes_on_to_the_same(tmp_path: Path):
    checkpoint, net = tmp_path / "l39.train", tmp_path / "l39.net"
    words = ["--checkpoint", checkpoint, "--threads", 2]
    begun = subprocess.Popen(
        command(*words, *settings(), "--rounds", 100_000), stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    assert begun.stderr is not None
    # The first round is over.
    line = begun.stderr.readline()
    assert line.startswith("round    1"), line
    begun.send_signal(signal.SIGINT)
    rest = begun.communicate(timeout=120)[1]
    assert begun.returncode == 130 and "--resume" in rest, rest
    stopped = maxout.Learner.from_bytes(checkpoint.read_bytes())
    assert stopped.rounds >= 1
    target = stopped.rounds + 2
    again = subprocess.run(command(*words, *settings()), capture_output=True, text=True, timeout=120)
    assert again.returncode == 1 and "--resume" in again.stderr
    again = subprocess.run(
        command(*words, "--resume", "--rounds", target, "--json", "--out", net, "--curve", tmp_path / "curve.png"),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert again.returncode == 0, again.stderr
    assert [json.loads(line)["round"] for line in again.stdout.splitlines()] == [target - 1, target]
    unbroken = train(maxout.Learner(**SMALL), Threads(2), rounds=target)
    assert checkpoint.read_bytes() == unbroken.to_bytes() and net.read_bytes() == unbroken.net()
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif("MAXOUT_PROGRAM" not in os.environ, reason="MAXOUT_PROGRAM does not name the program maxout")
def test_the_program_comes_to_the_same_bytes_and_goes_on_with_them(tmp_path: Path):
    def program(*words: object) -> None:
        ran = [os.environ["MAXOUT_PROGRAM"], "ai", "value", "train", *map(str, words), "--quiet"]
        ended = subprocess.run(ran, capture_output=True, text=True, timeout=600)
        assert ended.returncode == 0, ended.stderr

    checkpoint, net = tmp_path / "own.train", tmp_path / "own.net"
    program("--checkpoint", checkpoint, *settings(), "--rounds", ROUNDS, "--out", net)
    assert checkpoint.read_bytes() == reference()
    assert net.read_bytes() == maxout.Learner.from_bytes(reference()).net()
    program("--checkpoint", checkpoint, "--resume", "--rounds", ROUNDS + 1)
    here = train(maxout.Learner(**SMALL), Threads(2), rounds=ROUNDS + 1)
    assert checkpoint.read_bytes() == here.to_bytes()
