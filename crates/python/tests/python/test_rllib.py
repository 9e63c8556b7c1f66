"""RLlib trains in the environments. It needs PyTorch, which the other tests do without: `cargo xtask python --test --rllib`."""

from __future__ import annotations

import os

import pytest

if "MAXOUT_RLLIB" not in os.environ:
    pytest.skip("asked for by cargo xtask python --test --rllib", allow_module_level=True)

import ray
from ray.rllib.algorithms.ppo import PPOConfig

from maxout import ray as on_ray


@pytest.mark.parametrize("runners", [0, 1])
def test_ppo_samples_a_vector_and_learns(runners: int):
    on_ray.connect("local", 2)
    config = (
        PPOConfig()
        .environment(on_ray.register(), env_config={"observation": "features", "reward": "survival"})
        .env_runners(
            num_env_runners=runners,
            num_envs_per_env_runner=16,
            gym_env_vectorize_mode="vector_entry_point",
            rollout_fragment_length=16,
        )
        .training(train_batch_size_per_learner=512, minibatch_size=256, num_epochs=1)
    )
    try:
        algorithm = config.build_algo()
        for _ in range(2):
            sampled = algorithm.train()["env_runners"]
        assert sampled["num_env_steps_sampled_lifetime"] >= 1024
        # A game that nobody plays well takes some twenty pieces; the reward is one for each but the last.
        assert 10 < sampled["episode_len_mean"] < 60
        assert abs(sampled["episode_len_mean"] - 1 - sampled["episode_return_mean"]) < 1e-6
        algorithm.stop()
    finally:
        ray.shutdown()
