"""Workers of a local Ray cluster play; some are killed, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import maxout
from maxout.training import Threads, train

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'maxout[ray]'")

SMALL = {"speed": 39, "seed": 7, "games": 32, "taught": 1, "guided": 4}
ROUNDS = 4


@pytest.fixture(scope="module")
def on_ray():
    from maxout import ray as on_ray

    on_ray.connect("local", 4)
    yield on_ray
    ray.shutdown()


@pytest.fixture(scope="module")
def unbroken() -> bytes:
    """The same training on one thread of this process."""
    return train(maxout.Learner(**SMALL), Threads(1), rounds=ROUNDS).to_bytes()


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    # Ended, but not yet waited for.
    return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] in "ZX"


def is_gone_soon(process: int) -> bool:
    """A process that was killed may wait for its turn to end."""
    deadline = time.monotonic() + 60
    while not is_gone(process) and time.monotonic() < deadline:
        time.sleep(0.05)
    return is_gone(process)


def test_a_private_cluster_is_reached_from_this_machine_alone_and_joined_by_nobody(on_ray, monkeypatch):
    assert ray.get_runtime_context().gcs_address.startswith("127.0.0.1:")
    assert all(node["NodeManagerAddress"] == "127.0.0.1" for node in ray.nodes())
    asked = []
    monkeypatch.setattr(ray, "init", lambda **settings: asked.append(settings["address"]))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    on_ray.connect("auto")
    monkeypatch.setenv("RAY_ADDRESS", "192.0.2.1:6379")
    on_ray.connect("auto")
    assert asked == ["local", "192.0.2.1:6379"]


def test_what_is_waited_for_is_said(on_ray, monkeypatch, caplog):
    monkeypatch.setattr(on_ray, "_QUIET", 0.0)
    cluster = on_ray.Cluster(1, threads=64, patience=3)
    with pytest.raises(TimeoutError, match="64 free processors"):
        cluster.play(maxout.Learner(**SMALL))
    cluster.close()
    assert "waits for a free processor: 1 workers take 64 each" in caplog.text


def test_workers_come_to_the_bytes_of_one_process(on_ray, unbroken: bytes):
    cluster = on_ray.Cluster(3, tasks=3)
    learner = train(maxout.Learner(**SMALL), cluster, rounds=ROUNDS)
    processes = cluster.processes()
    cluster.close()
    # The third may not have begun by the time the others have played everything.
    assert len(set(processes)) in (2, 3) and os.getpid() not in processes and cluster.lost == 0
    assert learner.to_bytes() == unbroken


def test_a_worker_killed_amid_a_round_changes_nothing(on_ray, unbroken: bytes, tmp_path: Path):
    cluster = on_ray.Cluster(3, tasks=2)
    killed: list[int] = []

    def told(done: int, games: int) -> None:
        # Amid the rounds that the net plays.
        if learner.rounds >= 1 and 4 <= done < games - 4 and len(killed) < learner.rounds:
            killed.append(cluster.processes()[0])
            os.kill(killed[-1], signal.SIGKILL)

    learner = maxout.Learner(**SMALL)
    train(learner, cluster, checkpoint=tmp_path / "l39.train", rounds=ROUNDS, told=told)
    processes = cluster.processes()
    cluster.close()
    assert len(set(killed)) == ROUNDS - 1 and all(map(is_gone_soon, killed)), "one worker was killed in each round"
    # Of the last one Ray may not have heard before the others had played all.
    assert cluster.lost in (len(killed) - 1, len(killed)) and not set(killed[:-1]) & set(processes)
    assert learner.to_bytes() == unbroken == (tmp_path / "l39.train").read_bytes()


def test_a_worker_that_hangs_is_given_up(on_ray, unbroken: bytes):
    cluster = on_ray.Cluster(2, tasks=2, patience=20.0)
    stopped: list[int] = []

    def told(done: int, games: int) -> None:
        if not stopped and done >= 4:
            stopped.append(cluster.processes()[0])
            os.kill(stopped[0], signal.SIGSTOP)

    learner = maxout.Learner(**SMALL)
    try:
        train(learner, cluster, rounds=ROUNDS, told=told)
    finally:
        if stopped and not is_gone(stopped[0]):
            os.kill(stopped[0], signal.SIGCONT)
        cluster.close()
    assert stopped and learner.to_bytes() == unbroken


def test_work_that_is_wrong_is_an_error_and_not_tried_for_ever(on_ray):
    cluster = on_ray.Cluster(2)

    class Wrong:
        def tasks(self):
            return [([1 << 20] * 10, 330, 1)]

        def assignment(self):
            return maxout.Learner(**SMALL).assignment()

    with pytest.raises(ValueError, match="columns of 20 bits"):
        cluster.play(Wrong())  # type: ignore[arg-type]
    cluster.close()
    with pytest.raises(ValueError, match="workers: expected 1 or more, found 0"):
        on_ray.Cluster(0)


def test_a_cluster_without_room_is_an_error(on_ray):
    cluster = on_ray.Cluster(1, threads=64, patience=3.0)
    with pytest.raises(TimeoutError, match="64 free processors"):
        cluster.play(maxout.Learner(**SMALL))
    cluster.close()


def test_one_command_trains_on_processes_and_survives_ctrl_c(tmp_path: Path):
    words = [sys.executable, "-m", "maxout.train", "--ray", "local", "--workers", "2", "--checkpoint", "t.train"]
    plan = [word for name, value in SMALL.items() for word in (f"--{name}", str(value))]
    begun = subprocess.Popen(
        [*words, *plan, "--rounds", "100000"], stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True
    )
    watch = threading.Timer(240, begun.kill)
    watch.start()
    try:
        assert begun.stderr is not None
        for line in begun.stderr:
            if line.startswith("round    2"):
                break
        # As a terminal sends it: to Ray's processes, too.
        os.killpg(begun.pid, signal.SIGINT)
        rest = begun.communicate(timeout=120)[1]
    finally:
        watch.cancel()
    assert begun.returncode == 130 and "--resume" in rest, rest
    rounds = maxout.Learner.from_bytes((tmp_path / "t.train").read_bytes()).rounds
    assert rounds >= 2
    again = subprocess.run(
        [*words, "--resume", "--rounds", str(rounds + 1)], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert again.returncode == 0, again.stderr
    here = train(maxout.Learner(**SMALL), Threads(2), rounds=rounds + 1)
    assert (tmp_path / "t.train").read_bytes() == here.to_bytes()


def test_rllibs_environment_is_a_vector():
    from maxout import ray as on_ray

    games = on_ray.environment({"num_envs": 3, "machine": "board", "observation": "features", "reward": "lines"})
    assert games.num_envs == 3 and games.reset(seed=1)[0].shape == (3, 41)
    with pytest.raises(ValueError, match="copy"):
        on_ray.environment({"num_envs": 3, "copy": False})
