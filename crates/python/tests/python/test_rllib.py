"""RLlib trains in the environments. It needs PyTorch, which the other tests do without: `cargo xtask python --test --rllib`."""

from __future__ import annotations

import os

import pytest

if "MAXOUT_RLLIB" not in os.environ:
    pytest.skip("asked for by cargo xtask python --test --rllib", allow_module_level=True)

import ray
from ray.rllib.algorithms.ppo import PPOConfig

from maxout import ray as on_ray


@pytest.fixture(scope="module", autouse=True)
def cluster():
    on_ray.connect("local", 2)
    yield
    ray.shutdown()


def configured(runners: int) -> PPOConfig:
    return (
        PPOConfig()
        .environment(on_ray.register(), env_config={"observation": "features", "reward": "survival"})
        .env_runners(
            num_env_runners=runners,
            num_envs_per_env_runner=16,
            gym_env_vectorize_mode="vector_entry_point",
            rollout_fragment_length=16,
            # Ten times what it is by default: RLlib goes on without samples that come later.
            sample_timeout_s=600.0,
        )
        .training(train_batch_size_per_learner=512, minibatch_size=256, num_epochs=1)
    )


@pytest.mark.parametrize("runners", [0, 1])
def test_ppo_samples_a_vector_and_learns(runners: int):
    algorithm = on_ray.build(configured(runners))
    try:
        assert algorithm.env_runner_group.num_remote_env_runners() == runners
        for _ in range(2):
            sampled = algorithm.train()["env_runners"]
        assert sampled["num_env_steps_sampled_lifetime"] >= 1024
        # A game that nobody plays well takes some twenty pieces.
        assert 10 < sampled["episode_len_mean"] < 60
        played = algorithm.env_runner_group.foreach_env_runner(
            lambda runner: [(len(game), game.get_return()) for game in runner.sample(num_episodes=8)],
            local_env_runner=runners == 0,
        )
        games = [game for runner in played for game in runner]
        # The reward is one for each piece but the last.
        assert len(games) >= 8 and all(worth == pieces - 1 for pieces, worth in games)
    finally:
        algorithm.stop()


def test_more_env_runners_than_processors_are_refused_at_once():
    with pytest.raises(ValueError, match="num_env_runners: expected 2 at most, found 3"):
        on_ray.build(configured(3))


def test_env_runners_that_cannot_begin_are_an_error():
    @ray.remote(num_cpus=2)
    class Other:
        def ready(self) -> bool:
            return True

    other = Other.remote()
    assert ray.get(other.ready.remote(), timeout=600)
    with pytest.raises(TimeoutError, match="num_env_runners=0 samples in this process"):
        on_ray.build(configured(1), patience=3.0)
    ray.kill(other)
